//! Lines whose fields a header names: W3C extended logs (IIS, CloudFront), and those of AWS load balancers.

use std::borrow::Cow;

use super::line::{Field, Found, Read, Reason};
use super::template::{quoted, unescaped};
use super::time::Clock;

/// The fields of CloudFront's standard logs where no header names them.
pub(crate) const CLOUDFRONT: &str = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status \
     cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol \
     cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status \
     fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len \
     sc-range-start sc-range-end";
/// The fields of IIS that it writes unless told otherwise.
pub(crate) const IIS: &str = "date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) \
     cs(Referer) sc-status sc-substatus sc-win32-status time-taken";

/// Lines of columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    /// By tabs and twice percent-encoded, as CloudFront; else by spaces with `+` for a space, as IIS.
    cloudfront: bool,
    fields: Vec<Field>,
    /// The header that is in force.
    pub(crate) header: String,
}

impl Columns {
    pub(crate) fn new(cloudfront: bool, header: Option<&str>) -> Self {
        let header = header.unwrap_or(if cloudfront { CLOUDFRONT } else { IIS });
        let mut columns = Self { cloudfront, fields: Vec::new(), header: String::new() };
        columns.name(header);
        columns
    }

    /// The fields from here on.
    fn name(&mut self, header: &str) {
        let names: Vec<&str> = header.split_whitespace().collect();
        let viewer = names.iter().any(|it| it.eq_ignore_ascii_case("x-host-header"));
        self.fields = names.iter().map(|name| field(name, self.cloudfront, viewer)).collect();
        self.header = names.join(" ");
    }

    /// Which fields it has.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Reads a line; a header changes the fields of those that follow.
    pub(crate) fn read<'a>(&mut self, line: &'a [u8], clock: &mut Clock) -> Read<'a> {
        if line.starts_with(b"#") {
            if let Some(names) = line.strip_prefix(b"#Fields:") {
                self.name(&String::from_utf8_lossy(names));
            }
            return Read::Header;
        }
        let separator = if self.cloudfront { b'\t' } else { b' ' };
        let mut found = Found::default();
        let mut values = line.split(|it| *it == separator);
        for field in &self.fields {
            let Some(value) = values.next() else { return Read::Rejected(Reason::OtherForm) };
            if !found.take(*field, self.decoded(*field, value)) {
                return Read::Rejected(Reason::OtherForm);
            }
        }
        if values.next().is_some() { Read::Rejected(Reason::OtherForm) } else { found.read(clock) }
    }

    fn decoded<'a>(&self, field: Field, value: &'a [u8]) -> Cow<'a, [u8]> {
        match field {
            Field::Agent | Field::Referrer if self.cloudfront && value.contains(&b'%') => {
                let once = percent(value);
                Cow::Owned(if once.windows(3).any(is_encoded) { percent(&once) } else { once })
            }
            Field::Agent | Field::Referrer if !self.cloudfront && value.contains(&b'+') => {
                Cow::Owned(value.iter().map(|it| if *it == b'+' { b' ' } else { *it }).collect())
            }
            _ => Cow::Borrowed(value),
        }
    }
}

fn field(name: &str, cloudfront: bool, viewer: bool) -> Field {
    match name.to_ascii_lowercase().as_str() {
        "date" => Field::Date,
        "time" => Field::Clock,
        "timestamp" => Field::Time,
        "c-ip" => Field::Address,
        "x-forwarded-for" | "cs(x-forwarded-for)" => Field::Forwarded,
        "cs-method" => Field::Method,
        "cs-uri-stem" => Field::Path,
        "cs-uri-query" => Field::Query,
        "cs-uri" => Field::Target,
        "sc-status" => Field::Status,
        "sc-bytes" => Field::Bytes,
        "time-taken" => {
            if cloudfront {
                Field::Seconds
            } else {
                Field::Milliseconds
            }
        }
        "cs(user-agent)" => Field::Agent,
        "cs(referer)" => Field::Referrer,
        "x-host-header" | "cs-host" => Field::Host,
        // CloudFront's own name, where the one that was asked for is known.
        "cs(host)" if !viewer => Field::Host,
        _ => Field::Other,
    }
}

fn is_encoded(bytes: &[u8]) -> bool {
    bytes[0] == b'%' && bytes[1].is_ascii_hexdigit() && bytes[2].is_ascii_hexdigit()
}

fn percent(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut at = 0;
    while at < value.len() {
        match value.get(at..at + 3).filter(|it| is_encoded(it)) {
            Some(code) => {
                let digit = |it: u8| char::from(it).to_digit(16).and_then(|it| u8::try_from(it).ok()).unwrap_or(0);
                out.push(digit(code[1]) << 4 | digit(code[2]));
                at += 3;
            }
            None => {
                out.push(value[at]);
                at += 1;
            }
        }
    }
    out
}

/// The fields of an AWS application load balancer; those that follow are not read.
pub(crate) const ALB: [Field; 14] = [
    Field::Other,
    Field::Time,
    Field::Other,
    Field::Address,
    Field::Other,
    Field::Other,
    Field::Seconds,
    Field::Other,
    Field::Status,
    Field::Other,
    Field::Other,
    Field::Bytes,
    Field::Request,
    Field::Agent,
];

/// Reads a line of an AWS application load balancer.
pub(crate) fn balancer<'a>(line: &'a [u8], clock: &mut Clock) -> Read<'a> {
    let mut found = Found::default();
    let mut rest = line;
    for (at, field) in ALB.into_iter().enumerate() {
        let value = match rest.strip_prefix(b"\"") {
            Some(inner) => {
                let Some(end) = quoted(inner) else { return Read::Rejected(Reason::OtherForm) };
                rest = inner[end + 1..].strip_prefix(b" ").unwrap_or(&inner[end + 1..]);
                &inner[..end]
            }
            None => {
                let end = rest.iter().position(|it| *it == b' ').unwrap_or(rest.len());
                let value = &rest[..end];
                rest = rest.get(end + 1..).unwrap_or_default();
                value
            }
        };
        let known = [&b"http"[..], b"https", b"h2", b"grpcs", b"ws", b"wss"];
        let value = match field {
            _ if at == 0 && !known.contains(&value) => return Read::Rejected(Reason::OtherForm),
            // The port of an address, behind the last colon.
            Field::Address => value.iter().rposition(|it| *it == b':').map_or(value, |end| &value[..end]),
            // The load balancer's own time, where its target did not answer.
            Field::Seconds if value.starts_with(b"-") => continue,
            _ => value,
        };
        if !found.take(field, unescaped(value)) {
            return Read::Rejected(Reason::OtherForm);
        }
    }
    match found.read(clock) {
        // `https://shop.example:443/a`: the port that goes without saying is left out.
        Read::Line(mut line) => {
            let cut = whole(&line.target);
            if let Some((host, target)) = cut {
                (line.host, line.target) = (Cow::Owned(host), Cow::Owned(target));
            }
            Read::Line(line)
        }
        other => other,
    }
}

/// Host and path of a whole address; `None` for what is none.
pub(crate) fn whole(target: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let rest = target.strip_prefix(b"https://").or_else(|| target.strip_prefix(b"http://"))?;
    let end = rest.iter().position(|it| matches!(it, b'/' | b'?')).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let host = host.strip_suffix(b":443").or_else(|| host.strip_suffix(b":80")).unwrap_or(host);
    let path = if path.starts_with(b"/") { path.to_vec() } else { [b"/", path].concat() };
    Some((host.to_vec(), path))
}
