//! The operation `monitoring.headers.check`.

mod rules;

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Fix, Request, Severity};

use rules::{Said, rules};

/// Headers that a result shows.
const SHOWN: usize = 60;

#[args]
pub(crate) struct Check {
    /// A public address.
    url: Url,
}

/// What a rule found.
#[value]
pub(crate) struct Finding {
    /// The rule.
    #[own]
    rule: String,
    /// `caching`, `compression`, `protocol`, `security` or `robots`.
    #[own]
    area: String,
    severity: Severity,
    #[own]
    message: String,
    /// What to send instead.
    #[own]
    advice: String,
    /// The value that was sent; null where none was.
    value: Option<String>,
    fix: Option<Fix>,
}

/// What the headers of an address say.
#[value]
pub(crate) struct Checked {
    url: String,
    final_url: String,
    status: u16,
    /// As sent, in lower case, at most 60; several of one name are parted by a comma.
    headers: BTreeMap<String, String>,
    /// The most serious first.
    findings: Vec<Finding>,
    /// From `a` to `f`, by the weights of what is wrong.
    #[own]
    grade: String,
    /// 100 less the weights of what is wrong.
    points: u32,
    checked_rules: u32,
    /// The protocol that the secure side agrees on, such as `h2`; null for an address without.
    protocol: Option<String>,
    degraded: Vec<Degraded>,
}

/// Checks response headers for caching (freshness, validators, vary), compression, protocol upgrade, security policies and robots directives against current recommendations.
///
/// The grade is 100 points less the weights of the rules that fail: from 90 an a, 80 a b, 70 a c, 60 a d, 40 an e. Rules are those of
/// RFC 9110, RFC 9111, the Mozilla HTTP Observatory and Google's documentation of robots directives.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 3),
    needs = ["web", "tls"],
    phrasings = ["check my http headers", "are my security headers right", "is my page cacheable", "check x-robots-tag"],
    examples = [{ "url": "https://shop.example/" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let answer = match cx.web().fetch(&Request::get(&args.url).max_bytes(256 << 10).timeout(10_000)) {
        Ok(answer) => answer,
        Err(sdk::Failure::Refused) => {
            return Err(Fault::invalid("/url", "url_refused", "this address is not a public web page"));
        }
        Err(failure) => {
            let told = || {
                let message = format!("the address did not answer: {}", failure.name());
                Fault::invalid("/url", "page_unreachable", message)
            };
            return Err(failure.unasked("/url").unwrap_or_else(told));
        }
    };
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in &answer.headers {
        let value: String = value.chars().take(1_000).collect();
        match headers.get_mut(name) {
            Some(before) => before.push_str(&format!(", {value}")),
            None => _ = headers.insert(name.clone(), value),
        }
    }
    let last: Option<Url> = answer.url.parse().ok();
    let secure = last.as_ref().filter(|it| it.scheme() == "https");
    let mut degraded = Vec::new();
    let protocol = secure.and_then(|url| {
        let report = cx.tls().inspect(url.host_str()?, url.port().unwrap_or(443));
        if report.is_err() {
            degraded.push(Degraded::new("protocol", "the secure side did not say which protocol it speaks"));
        }
        report.ok()?.alpn
    });
    let values =
        |name: &str| answer.headers.iter().filter(|it| it.0 == name).map(|it| it.1.clone()).collect::<Vec<_>>();
    let said = Said {
        robots: values("x-robots-tag"),
        cookies: values("set-cookie").iter().map(|it| it.to_ascii_lowercase()).collect(),
        headers: &headers,
        status: answer.status,
        is_secure: secure.is_some(),
        is_html: headers.get("content-type").is_some_and(|it| it.contains("html")),
        bytes: answer.body.len(),
        protocol: protocol.as_deref(),
    };
    let mut lost = 0;
    let mut findings: Vec<(u32, Finding)> = Vec::new();
    let mut checked_rules = 0;
    for rule in rules() {
        if !(rule.applies)(&said) {
            continue;
        }
        checked_rules += 1;
        if (rule.holds)(&said) {
            continue;
        }
        lost += rule.weight;
        let severity = match rule.weight {
            0..=2 => Severity::Notice,
            3..=9 => Severity::Warning,
            _ => Severity::Error,
        };
        findings.push((
            rule.weight,
            Finding {
                rule: rule.name.to_owned(),
                area: rule.area.to_owned(),
                severity,
                message: rule.message.to_owned(),
                advice: rule.advice.to_owned(),
                value: headers.get(rule.header).cloned(),
                fix: (rule.area == "robots")
                    .then(|| Fix::on("indexing.url.check", &answer.url))
                    .and_then(Fix::if_served),
            },
        ));
    }
    findings.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.rule.cmp(&b.1.rule)));
    let points = 100_u32.saturating_sub(lost);
    let grade = match points {
        90.. => "a",
        80.. => "b",
        70.. => "c",
        60.. => "d",
        40.. => "e",
        _ => "f",
    };
    Ok(Checked {
        url: args.url.to_string(),
        status: answer.status,
        headers: headers.into_iter().take(SHOWN).collect(),
        findings: findings.into_iter().map(|it| it.1).collect(),
        grade: grade.to_owned(),
        points,
        checked_rules,
        protocol,
        degraded,
        final_url: answer.url,
    })
}

#[cfg(test)]
mod tests;
