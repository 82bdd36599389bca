//! The `LogFormat` of Apache (module mod_log_config).

use super::line::Field;
use super::template::{Piece, Template};

fn header(name: &str) -> Field {
    match name.to_ascii_lowercase().as_str() {
        "user-agent" => Field::Agent,
        "referer" => Field::Referrer,
        "host" => Field::Host,
        "x-forwarded-for" | "x-real-ip" | "cf-connecting-ip" | "true-client-ip" => Field::Forwarded,
        _ => Field::Other,
    }
}

/// Reads the text of a `LogFormat`: the directive whole, or what stands in its quotes.
pub(crate) fn template(pattern: &str) -> Option<Template> {
    let text = text(pattern);
    let mut parts = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('%') {
        parts.push(Piece::Text(rest.as_bytes()[..at].to_vec()));
        rest = rest[at + 1..].trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, ',' | '!' | '<' | '>'));
        let mut argument = "";
        if let Some(inner) = rest.strip_prefix('{') {
            (argument, rest) = inner.split_once('}')?;
            rest = rest.trim_start_matches(['<', '>']);
        }
        let letter = rest.chars().next()?;
        rest = &rest[letter.len_utf8()..];
        match letter {
            '%' => parts.push(Piece::Text(b"%".to_vec())),
            't' if argument.is_empty() => {
                parts.extend([Piece::Text(b"[".to_vec()), Piece::Field(Field::Time), Piece::Text(b"]".to_vec())]);
            }
            't' => parts.push(Piece::Field(time(argument))),
            '^' => {
                // `%^FB` and its like.
                rest = rest.get(2..).unwrap_or_default();
                parts.push(Piece::Field(Field::Other));
            }
            _ => parts.push(Piece::Field(match letter {
                'h' | 'a' => Field::Address,
                'r' => Field::Request,
                'm' => Field::Method,
                'U' => Field::Path,
                'q' => Field::Query,
                's' => Field::Status,
                'b' | 'B' | 'O' => Field::Bytes,
                'D' => Field::Microseconds,
                'T' => match argument {
                    "ms" => Field::Milliseconds,
                    "us" => Field::Microseconds,
                    _ => Field::Seconds,
                },
                'v' | 'V' => Field::Host,
                'i' => header(argument),
                _ if letter.is_ascii_alphabetic() => Field::Other,
                _ => return None,
            })),
        }
    }
    parts.push(Piece::Text(rest.as_bytes().to_vec()));
    Some(joined(parts))
}

/// A `%t` of its own form: those that say the whole time are read.
fn time(argument: &str) -> Field {
    match argument.trim_start_matches("begin:").trim_start_matches("end:") {
        "sec"
        | "msec"
        | "usec"
        | "%s"
        | "%Y-%m-%dT%H:%M:%S%z"
        | "%FT%T%z"
        | "%Y-%m-%d %H:%M:%S"
        | "%F %T"
        | "%d/%b/%Y:%H:%M:%S %z"
        | "%d/%b/%Y:%T %z"
        | "%Y-%m-%dT%H:%M:%S" => Field::Time,
        "%Y-%m-%d" | "%F" => Field::Date,
        "%H:%M:%S" | "%T" => Field::Clock,
        _ => Field::Other,
    }
}

/// A path that is followed by the query at once is one target: nothing stands between them.
fn joined(parts: Vec<Piece>) -> Template {
    let mut out: Vec<Piece> = Vec::with_capacity(parts.len());
    for part in parts {
        match (&part, out.last_mut()) {
            (Piece::Text(text), _) if text.is_empty() => {}
            (Piece::Field(Field::Query), Some(before @ Piece::Field(Field::Path))) => {
                *before = Piece::Field(Field::Target)
            }
            _ => out.push(part),
        }
    }
    Template::new(out)
}

fn text(pattern: &str) -> String {
    let pattern = pattern.trim();
    let Some(directive) = pattern.strip_prefix("LogFormat") else { return pattern.to_owned() };
    let Some(inner) = directive.trim().strip_prefix('"') else { return directive.trim().to_owned() };
    let end = super::template::quoted(inner.as_bytes()).unwrap_or(inner.len());
    inner[..end].replace("\\\"", "\"").replace("\\\\", "\\")
}
