//! One request, as a line of a log says it.

use std::borrow::Cow;

/// One request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Line<'a> {
    /// Who asked: an address.
    pub(crate) address: Cow<'a, [u8]>,
    /// Who asked, as proxies on the way say it.
    pub(crate) forwarded: Cow<'a, [u8]>,
    /// The host that was asked; empty where it is not said.
    pub(crate) host: Cow<'a, [u8]>,
    /// Seconds since 1970 UTC.
    pub(crate) second: i64,
    pub(crate) method: Cow<'a, [u8]>,
    /// Path and query; empty for a request that is none.
    pub(crate) target: Cow<'a, [u8]>,
    pub(crate) status: u16,
    pub(crate) bytes: Option<u64>,
    pub(crate) milliseconds: Option<u64>,
    pub(crate) agent: Cow<'a, [u8]>,
    pub(crate) referrer: Cow<'a, [u8]>,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every one is a line, and none is kept")]
pub(crate) enum Read<'a> {
    Line(Line<'a>),
    /// A line that says what the others hold, or an empty one.
    Header,
    Rejected(Reason),
}

/// Why a line is no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// It has another form.
    OtherForm,
    /// No time that can be, from 1995 to tomorrow.
    NoTime,
    /// No status from 100 to 599.
    NoStatus,
    /// Over 64 KiB.
    TooLong,
}

impl Reason {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::OtherForm => "other_form",
            Self::NoTime => "no_time",
            Self::NoStatus => "no_status",
            Self::TooLong => "too_long",
        }
    }
}

/// Which part of a request a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Address,
    Forwarded,
    Host,
    /// The whole of it, in any form that is known.
    Time,
    /// A day, of which the time follows.
    Date,
    /// A time of the day.
    Clock,
    /// Method, target and version.
    Request,
    Method,
    /// Path and query, or a whole address.
    Target,
    Path,
    Query,
    Status,
    Bytes,
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    Agent,
    Referrer,
    /// Anything else.
    Other,
}

impl Field {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Forwarded => "forwarded_for",
            Self::Host => "host",
            Self::Time => "time",
            Self::Date => "date",
            Self::Clock => "clock",
            Self::Request => "request",
            Self::Method => "method",
            Self::Target => "target",
            Self::Path => "path",
            Self::Query => "query",
            Self::Status => "status",
            Self::Bytes => "bytes",
            Self::Seconds | Self::Milliseconds | Self::Microseconds | Self::Nanoseconds => "duration",
            Self::Agent => "user_agent",
            Self::Referrer => "referrer",
            Self::Other => "other",
        }
    }
}

/// The fields of a line while they are found.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    line: Line<'a>,
    time: Option<Cow<'a, [u8]>>,
    date: Option<Cow<'a, [u8]>>,
    clock: Option<Cow<'a, [u8]>>,
    path: Option<Cow<'a, [u8]>>,
    query: Option<Cow<'a, [u8]>>,
    status: Option<u16>,
}

impl<'a> Found<'a> {
    /// Takes the value of a field; `-` and nothing are no value. `false` for a value that cannot be one of this field.
    pub(crate) fn take(&mut self, field: Field, value: Cow<'a, [u8]>) -> bool {
        let nothing = value.is_empty() || value.as_ref() == b"-";
        match field {
            Field::Other => {}
            Field::Request => self.request(value),
            Field::Status => {
                self.status = digits(&value).and_then(|it| u16::try_from(it).ok());
                return self.status.is_some() || nothing;
            }
            Field::Bytes => {
                if !nothing {
                    self.line.bytes = digits(&value);
                    return self.line.bytes.is_some();
                }
            }
            _ if nothing => {}
            Field::Address => self.line.address = value,
            Field::Forwarded => self.line.forwarded = value,
            Field::Host => self.line.host = value,
            Field::Time => self.time = Some(value),
            Field::Date => self.date = Some(value),
            Field::Clock => self.clock = Some(value),
            Field::Method => self.line.method = value,
            Field::Target => self.line.target = value,
            Field::Path => self.path = Some(value),
            Field::Query => self.query = Some(value),
            Field::Seconds => self.duration(&value, 1_000.0),
            Field::Milliseconds => self.duration(&value, 1.0),
            Field::Microseconds => self.duration(&value, 0.001),
            Field::Nanoseconds => self.duration(&value, 0.000_001),
            Field::Agent => self.line.agent = value,
            Field::Referrer => self.line.referrer = value,
        }
        true
    }

    /// A time of 30 days or more is none. The first one that is said holds: several servers behind one are joined by commas.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 2.6e9")]
    fn duration(&mut self, value: &[u8], factor: f64) {
        let first = value.split(|it| matches!(it, b',' | b' ')).next().unwrap_or_default();
        let text = std::str::from_utf8(first).unwrap_or_default().trim_end_matches('s');
        let milliseconds = text.parse::<f64>().ok().map(|it| it * factor);
        if let Some(it) = milliseconds.filter(|it| (0.0..2_592_000_000.0).contains(it)) {
            self.line.milliseconds.get_or_insert(it.round() as u64);
        }
    }

    /// Method, target and version; a request that has no method and target stays without them.
    fn request(&mut self, value: Cow<'a, [u8]>) {
        let split = |text: &[u8]| -> Option<(usize, usize)> {
            let method = text.iter().position(|it| *it == b' ').filter(|at| (1..=32).contains(at))?;
            text[..method].iter().all(|it| it.is_ascii_alphabetic() || matches!(it, b'-' | b'_')).then_some(())?;
            let rest = &text[method + 1..];
            let end = rest.iter().rposition(|it| *it == b' ').filter(|at| rest[at + 1..].starts_with(b"HTTP/"));
            Some((method, method + 1 + end.unwrap_or(rest.len())))
        };
        let Some((method, end)) = split(&value) else { return };
        match value {
            Cow::Borrowed(text) => {
                self.line.method = Cow::Borrowed(&text[..method]);
                self.line.target = Cow::Borrowed(text[method + 1..end].trim_ascii());
            }
            Cow::Owned(text) => {
                self.line.method = Cow::Owned(text[..method].to_vec());
                self.line.target = Cow::Owned(text[method + 1..end].trim_ascii().to_vec());
            }
        }
    }

    /// The request, with its time read by `time`.
    pub(crate) fn read(mut self, time: &mut super::time::Clock) -> Read<'a> {
        let Some(status) = self.status.filter(|it| (100..=599).contains(it)) else {
            return Read::Rejected(Reason::NoStatus);
        };
        let second = match (&self.time, &self.date, &self.clock) {
            (Some(whole), ..) => time.read(whole),
            (None, Some(date), Some(clock)) => time.read(&[date, b" ".as_slice(), clock].concat()),
            _ => None,
        };
        let Some(second) = second else { return Read::Rejected(Reason::NoTime) };
        if self.line.target.is_empty()
            && let Some(path) = self.path.take()
        {
            let query = self.query.take().filter(|it| !it.is_empty());
            self.line.target = match query {
                None => path,
                Some(query) => {
                    let mark: &[u8] = if query.starts_with(b"?") { b"" } else { b"?" };
                    Cow::Owned([&path, mark, &query].concat())
                }
            };
        }
        (self.line.status, self.line.second) = (status, second);
        Read::Line(self.line)
    }
}

/// A whole number.
pub(crate) fn digits(value: &[u8]) -> Option<u64> {
    if value.is_empty() || value.len() > 18 {
        return None;
    }
    value.iter().try_fold(0_u64, |sum, it| it.is_ascii_digit().then(|| sum * 10 + u64::from(it - b'0')))
}
