//! HTTP Strict Transport Security (RFC 6797), and what the list of browsers asks of a host before it takes it in.

use sdk::prelude::*;
use sdk::{Degraded, Failure};

/// Seconds that the list asks for (hstspreload.org).
const LONG: u64 = 31_536_000;

/// What a host asks browsers to remember.
#[value]
pub(crate) struct Hsts {
    /// As sent; null when it is not.
    pub(crate) header: Option<String>,
    /// Seconds.
    pub(crate) max_age: Option<u64>,
    pub(crate) include_subdomains: bool,
    /// Whether it asks to be in the list of browsers.
    pub(crate) preload: bool,
    /// What the list would ask for beside that; null where `http` could not be looked at.
    pub(crate) redirects_to_https: Option<bool>,
    /// What is missing for the list.
    pub(crate) missing: Vec<String>,
}

/// Looks at the header over https, and where http leads; none when https does not answer.
pub(super) fn look(cx: &Cx, host: &str, port: u16, degraded: &mut Vec<Degraded>) -> Option<Hsts> {
    let origin = if port == 443 { format!("https://{host}/") } else { format!("https://{host}:{port}/") };
    let ask = |url: &str| -> Option<Result<Response, Failure>> {
        let url: Url = url.parse().ok()?;
        Some(cx.web().fetch(&Request::get(&url).follow(0).max_bytes(64 << 10).timeout(8_000)))
    };
    let answer = match ask(&origin)? {
        Ok(answer) => answer,
        Err(failure) => {
            let why = format!("https did not answer a request: {}", failure.name());
            degraded.push(Degraded::new("hsts", why));
            return None;
        }
    };
    let redirects_to_https =
        (port == 443).then(|| ask(&format!("http://{host}/"))).flatten().and_then(|answer| match answer {
            Ok(answer) => {
                let to = answer.header("location").unwrap_or_default().to_ascii_lowercase();
                let same = to.strip_prefix("https://").and_then(|it| it.split(['/', '?', '#']).next()) == Some(host);
                Some((300..400).contains(&answer.status) && same)
            }
            // No port 80 is as good: nobody is sent elsewhere.
            Err(Failure::Unreachable) => Some(true),
            Err(_) => None,
        });
    Some(read(answer.header("strict-transport-security"), redirects_to_https))
}

/// What a header says (RFC 6797, 6.1), and what it lacks for the list.
pub(super) fn read(header: Option<&str>, redirects_to_https: Option<bool>) -> Hsts {
    let text = header.unwrap_or_default();
    let directives: Vec<(String, String)> = text
        .split(';')
        .map(|it| it.split_once('=').unwrap_or((it, "")))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"').to_owned()))
        .collect();
    let has = |name: &str| directives.iter().any(|(it, _)| it == name);
    let max_age = directives.iter().find(|(it, _)| it == "max-age").and_then(|(_, value)| value.parse().ok());
    let mut missing = Vec::new();
    let mut need = |fine: bool, what: &str| {
        if !fine {
            missing.push(what.to_owned());
        }
    };
    need(max_age.is_some_and(|it| it >= LONG), "max-age of 31536000 or more");
    need(has("includesubdomains"), "includeSubDomains");
    need(has("preload"), "preload");
    need(redirects_to_https != Some(false), "a redirect from http to https of the same host");
    Hsts {
        header: header.map(str::to_owned),
        max_age,
        include_subdomains: has("includesubdomains"),
        preload: has("preload"),
        redirects_to_https,
        missing,
    }
}
