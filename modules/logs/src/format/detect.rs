//! The operation `logs.format.detect`.

use std::collections::BTreeMap;

use sdk::Next;
use sdk::prelude::*;

use super::fields::whole;
use super::line::{Line, Read};
use super::{Clock, Format, Reader, json, nginx};
use crate::private;

/// Values that a field is shown with.
const SAMPLES: usize = 3;
/// Lines that are shown as they were read.
const SHOWN: usize = 3;

#[args]
pub(crate) struct Detect {
    /// Lines of a log, as they stand there; headers such as `#Fields:` too.
    lines: List<Text<1, 16_000>, 1, 50>,
}

/// A field of a format.
#[value]
pub(crate) struct FieldSeen {
    /// What it is called where it has a name, such as a member of JSON.
    name: String,
    /// What it holds: `address`, `time`, `request`, `status`, `user_agent`, and so on.
    #[own]
    meaning: String,
}

/// A line as it was read.
#[value]
pub(crate) struct Sample {
    /// The visitor's network: a /24 or a /48.
    network: Option<String>,
    host: Option<String>,
    at: Moment,
    method: Option<String>,
    target: Option<String>,
    status: u16,
    bytes: Option<u64>,
    milliseconds: Option<u64>,
    user_agent: Option<String>,
    referrer: Option<String>,
    /// The family of the bot that the user agent names; null for a browser.
    bot: Option<String>,
}

/// A line that is none of the format.
#[value]
pub(crate) struct Unparsed {
    /// Its place in `lines`, from 0.
    index: u64,
    #[own]
    reason: String,
}

/// The format of lines.
#[value]
pub(crate) struct Detected {
    /// The format; null when none fits a line.
    format: Option<Format>,
    /// For `nginx`: the `log_format` that fits, with a guess for what stands behind the usual fields.
    pattern: Option<String>,
    /// The share of lines that it reads, halved where a status or a time cannot be.
    confidence: f64,
    /// What the format says of a request.
    fields: Vec<FieldSeen>,
    /// Values of each field, the first three that differ; addresses by their network.
    samples: BTreeMap<String, Vec<String>>,
    /// The first three lines as they were read.
    parsed_sample: Vec<Sample>,
    parsed_lines: u64,
    unparsed: Vec<Unparsed>,
    next: Vec<Next>,
}

/// How one format fares with all lines.
struct Tried<'a> {
    format: Format,
    pattern: Option<String>,
    lines: Vec<Line<'a>>,
    headers: usize,
    unparsed: Vec<Unparsed>,
    /// Lines of its form whose status or time cannot be.
    odd: usize,
}

impl Tried<'_> {
    #[expect(clippy::cast_precision_loss, reason = "at most 50 lines")]
    fn confidence(&self, all: usize) -> f64 {
        let form = self.lines.len() + self.headers + self.odd;
        let share = form as f64 / all.max(1) as f64;
        // Headers alone say which format it is, and nothing of its lines.
        if self.odd > 0 || self.lines.is_empty() { share / 2.0 } else { share }
    }
}

/// Detects the format of sample log lines (common, combined, vhost, nginx, IIS W3C, CloudFront, Cloudflare, Fastly or JSON) and maps its fields.
///
/// Every reader is tried on every line. Addresses in the samples are shown by their network.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = ["what format are these logs", "detect my log format", "which log format is this line"],
    examples = [{ "lines": ["192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] \"GET / HTTP/1.1\" 200 5120 \"-\" \"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)\""] }]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Detected> {
    let lines: Vec<&[u8]> = args.lines.iter().map(|it| it.as_str().trim_end_matches(['\n', '\r']).as_bytes()).collect();
    let now = i64::try_from(cx.now().millis() / 1_000).unwrap_or(0);
    let clock = Clock::new(None, now);
    let mut best: Option<Tried<'_>> = None;
    let guessed = guess(&lines);
    let formats = Format::ALL.into_iter().filter(|it| !it.is_own()).map(|it| (it, None));
    for (format, pattern) in formats.chain(guessed.map(|it| (Format::Nginx, Some(it)))) {
        let Some(tried) = attempt(format, pattern, &lines, &clock) else { continue };
        let better = best.as_ref().is_none_or(|it| tried.confidence(lines.len()) > it.confidence(lines.len()));
        if better && tried.confidence(lines.len()) > 0.0 {
            best = Some(tried);
        }
    }
    let Some(mut best) = best else {
        let unparsed =
            (0..lines.len() as u64).map(|index| Unparsed { index, reason: "other_form".to_owned() }).collect();
        return Ok(Detected {
            format: None,
            pattern: None,
            confidence: 0.0,
            fields: Vec::new(),
            samples: BTreeMap::new(),
            parsed_sample: Vec::new(),
            parsed_lines: 0,
            unparsed,
            next: Vec::new(),
        });
    };
    if best.format == Format::Json {
        best.format = kind_of_json(&lines);
    }
    let confidence = kit::statistics::round(best.confidence(lines.len()), 3);
    let fields = named(&best, &lines);
    Ok(Detected {
        format: Some(best.format),
        confidence,
        fields,
        samples: samples(&best.lines),
        parsed_sample: best.lines.iter().take(SHOWN).map(sample).collect(),
        parsed_lines: best.lines.len() as u64,
        unparsed: best.unparsed,
        next: Vec::new(),
        pattern: best.pattern,
    })
}

fn attempt<'a>(format: Format, pattern: Option<String>, lines: &[&'a [u8]], clock: &Clock) -> Option<Tried<'a>> {
    if matches!(format, Format::Cloudflare | Format::Fastly) {
        return None;
    }
    let mut reader = Reader::new(format, pattern.as_deref(), None, clock.clone()).ok()?;
    let mut tried = Tried { format, pattern, lines: Vec::new(), headers: 0, unparsed: Vec::new(), odd: 0 };
    let columns = matches!(format, Format::Iis | Format::Cloudfront);
    for (index, line) in (0..).zip(lines) {
        match reader.read(line) {
            Read::Line(line) => tried.lines.push(line),
            // A header is of the formats that have one.
            Read::Header if columns || line.trim_ascii().is_empty() => tried.headers += 1,
            Read::Header => tried.unparsed.push(Unparsed { index, reason: "other_form".to_owned() }),
            Read::Rejected(reason) => {
                if reason != super::Reason::OtherForm && !columns {
                    tried.odd += 1;
                }
                tried.unparsed.push(Unparsed { index, reason: reason.name().to_owned() });
            }
        }
    }
    if !tried.lines.is_empty() || tried.headers > 0 || tried.odd > 0 { Some(tried) } else { None }
}

/// The `log_format` of lines that are combined with more behind: what stands there is guessed by its look.
fn guess(lines: &[&[u8]]) -> Option<String> {
    const COMBINED: &str = "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\"";
    let combined = nginx::template(COMBINED)?;
    let line = lines.iter().find(|line| {
        combined.fill(line, &mut super::line::Found::default()).is_some_and(|rest| !rest.trim_ascii().is_empty())
    })?;
    let rest = combined.fill(line, &mut super::line::Found::default())?;
    let mut pattern = COMBINED.to_owned();
    let (mut rest, mut others, mut timed) = (rest, 0, false);
    while !rest.is_empty() {
        let blanks = rest.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
        pattern.push_str(std::str::from_utf8(&rest[..blanks]).ok()?);
        rest = &rest[blanks..];
        let (value, quote) = match rest.strip_prefix(b"\"") {
            Some(inner) => (&inner[..super::template::quoted(inner)?], true),
            None => (&rest[..rest.iter().position(|it| matches!(it, b' ' | b'\t')).unwrap_or(rest.len())], false),
        };
        if value.is_empty() && !quote {
            break;
        }
        let text = String::from_utf8_lossy(value);
        let first = text.split([',', ' ']).next().unwrap_or_default();
        let is_seconds = first.contains('.') && first.parse::<f64>().is_ok();
        let name = if first.parse::<std::net::IpAddr>().is_ok() {
            "http_x_forwarded_for".to_owned()
        } else if is_seconds && !timed {
            timed = true;
            "request_time".to_owned()
        } else if is_seconds {
            "upstream_response_time".to_owned()
        } else {
            others += 1;
            format!("other_{others}")
        };
        pattern.push_str(&if quote { format!("\"${name}\"") } else { format!("${name}") });
        rest = &rest[value.len() + if quote { 2 } else { 0 }..];
    }
    Some(pattern)
}

/// Whose JSON it is.
fn kind_of_json(lines: &[&[u8]]) -> Format {
    let has = |name: &str| lines.iter().any(|line| String::from_utf8_lossy(line).contains(&format!("\"{name}\"")));
    if has("EdgeStartTimestamp") || has("EdgeResponseStatus") {
        Format::Cloudflare
    } else if (has("fastly_server") || has("fastly_is_edge") || has("geo_country")) && has("request_method") {
        Format::Fastly
    } else {
        Format::Json
    }
}

fn named(best: &Tried<'_>, lines: &[&[u8]]) -> Vec<FieldSeen> {
    if matches!(best.format, Format::Json | Format::Cloudflare | Format::Fastly) {
        let members = lines.iter().find_map(|line| json::fields(line)).map(|(_, members)| members).unwrap_or_default();
        return members.into_iter().map(|(name, field)| FieldSeen { name, meaning: field.name().to_owned() }).collect();
    }
    let header = lines.iter().filter_map(|it| it.strip_prefix(b"#Fields:")).next_back();
    let header = header.map(|it| String::from_utf8_lossy(it).into_owned());
    let reader = Reader::new(best.format, best.pattern.as_deref(), header.as_deref(), Clock::new(None, 0));
    let Ok(reader) = reader else { return Vec::new() };
    let names: Vec<String> =
        reader.header().map(|it| it.split_whitespace().map(str::to_owned).collect()).unwrap_or_default();
    let known = reader.fields().into_iter().enumerate().filter(|(_, it)| it.name() != "other");
    known
        .map(|(at, field)| {
            let name = names.get(at).cloned().unwrap_or_else(|| field.name().to_owned());
            FieldSeen { name, meaning: field.name().to_owned() }
        })
        .collect()
}

fn samples(lines: &[Line<'_>]) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        let it = sample(line);
        let values = [
            ("address", it.network),
            ("host", it.host),
            ("time", Some(it.at.to_string())),
            ("method", it.method),
            ("target", it.target),
            ("status", Some(it.status.to_string())),
            ("bytes", it.bytes.map(|it| it.to_string())),
            ("milliseconds", it.milliseconds.map(|it| it.to_string())),
            ("user_agent", it.user_agent),
            ("referrer", it.referrer),
        ];
        for (name, value) in values {
            let Some(value) = value else { continue };
            let known = out.entry(name.to_owned()).or_default();
            if known.len() < SAMPLES && !known.contains(&value) {
                known.push(value);
            }
        }
    }
    out
}

fn sample(line: &Line<'_>) -> Sample {
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        (!bytes.is_empty()).then(|| text.chars().take(500).collect::<String>())
    };
    let address = std::str::from_utf8(&line.address).ok().and_then(|it| it.parse().ok());
    let bot = match bots::tell(&String::from_utf8_lossy(&line.agent)) {
        bots::Agent::Known(bot) => Some(bot.family.to_owned()),
        bots::Agent::Unknown(name) if !line.agent.is_empty() => Some(name.to_owned()),
        _ => None,
    };
    let (host, target) = match whole(&line.target) {
        Some((host, target)) => (text(&host), text(&target)),
        None => (text(&line.host), text(&line.target)),
    };
    Sample {
        network: address.map(private::shown),
        host,
        at: Moment::from_millis(u64::try_from(line.second).unwrap_or(0) * 1_000),
        method: text(&line.method),
        target,
        status: line.status,
        bytes: line.bytes,
        milliseconds: line.milliseconds,
        user_agent: text(&line.agent),
        referrer: text(&line.referrer),
        bot,
    }
}
