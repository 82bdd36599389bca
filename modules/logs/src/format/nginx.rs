//! The `log_format` of nginx (module ngx_http_log_module).

use super::line::Field;
use super::template::{Piece, Template};

/// What a variable holds.
fn field(name: &str) -> Field {
    match name {
        "remote_addr" | "realip_remote_addr" => Field::Address,
        "http_x_forwarded_for"
        | "proxy_add_x_forwarded_for"
        | "http_x_real_ip"
        | "http_cf_connecting_ip"
        | "http_true_client_ip" => Field::Forwarded,
        "time_local" | "time_iso8601" | "msec" => Field::Time,
        "request" => Field::Request,
        "request_method" => Field::Method,
        "request_uri" => Field::Target,
        "uri" | "document_uri" => Field::Path,
        "args" | "query_string" => Field::Query,
        "status" => Field::Status,
        "body_bytes_sent" | "bytes_sent" => Field::Bytes,
        "request_time" | "upstream_response_time" => Field::Seconds,
        "http_user_agent" => Field::Agent,
        "http_referer" => Field::Referrer,
        "host" | "http_host" | "server_name" => Field::Host,
        _ => Field::Other,
    }
}

/// Reads the text of a `log_format`: the directive whole, its quoted parts, or what stands in the quotes.
pub(crate) fn template(pattern: &str) -> Option<Template> {
    let text = text(pattern);
    let mut parts = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('$') {
        parts.push(Piece::Text(rest.as_bytes()[..at].to_vec()));
        rest = &rest[at + 1..];
        let (name, after) = match rest.strip_prefix('{') {
            Some(inner) => inner.split_once('}')?,
            None => {
                let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
                rest.split_at(end)
            }
        };
        if name.is_empty() {
            return None;
        }
        // It is `?` or nothing: the query is joined with one of its own.
        if name != "is_args" {
            parts.push(Piece::Field(field(name)));
        }
        rest = after;
    }
    parts.push(Piece::Text(rest.as_bytes().to_vec()));
    Some(Template::new(parts))
}

/// The text of the format without the directive around it.
fn text(pattern: &str) -> String {
    let pattern = pattern.trim().trim_end_matches(';').trim();
    let Some(directive) = pattern.strip_prefix("log_format") else {
        return inner(pattern);
    };
    let mut rest = directive.trim_start();
    // Its name, and how values are escaped.
    while !rest.is_empty() && !rest.starts_with(['\'', '"', '$', '{']) {
        rest = rest.find(char::is_whitespace).map_or("", |at| rest[at..].trim_start());
    }
    inner(rest)
}

/// The parts in single quotes, joined; the text itself where it has none around it.
fn inner(text: &str) -> String {
    if !text.starts_with('\'') {
        return text.to_owned();
    }
    text.split('\'').skip(1).step_by(2).collect()
}
