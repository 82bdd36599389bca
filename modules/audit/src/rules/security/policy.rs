//! Rules about security headers that are there and do not protect.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::header;

rules! {
    "security.csp_inline" Security Notice Page High 80 Page(csp_inline);
    title "The content security policy lets any script of the page run";
    why "With unsafe-inline an injected script runs like any other; the policy then hardly protects.";
    fix "monitoring.headers.check" "Allow scripts by nonce or hash.";
    see "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/script-src";

    "security.csp_open" Security Notice Page Medium 82 Page(csp_open);
    title "The content security policy lets scripts come from anywhere";
    why "A policy without script-src and default-src, or with a star in it, stops no foreign script.";
    fix "monitoring.headers.check" "Name the hosts that scripts may come from, or use strict-dynamic.";
    see "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/script-src";

    "security.hsts_insecure" Security Notice Page Low 90 Page(hsts_insecure);
    title "Strict-Transport-Security is sent without encryption";
    why "Browsers pass over the header on http (RFC 6797 section 7.2); it protects nobody there.";
    fix "monitoring.headers.check" "Redirect to https and send the header there.";
    see "https://www.rfc-editor.org/rfc/rfc6797#section-7.2";

    "security.hsts_preload_unfit" Security Notice Page Low 93 Page(hsts_preload_unfit);
    title "The site asks for the preload list and does not fit it";
    why "The list takes hosts with includeSubDomains and a life of a year or more; with less the word preload has no effect.";
    fix "monitoring.headers.check" "Send max-age=31536000; includeSubDomains; preload, or leave preload out.";
    see "https://hstspreload.org/";

    "security.framing_invalid" Security Notice Page Low 93 Page(framing_invalid);
    title "X-Frame-Options has a value that browsers do not know";
    why "Only DENY and SAMEORIGIN work; with anything else, ALLOW-FROM too, anybody may frame the page.";
    fix "monitoring.headers.check" "Write SAMEORIGIN, or name the hosts in frame-ancestors.";
    see "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Frame-Options";

    "security.referrer_invalid" Security Notice Page Low 92 Page(referrer_invalid);
    title "Referrer-Policy has a value that browsers do not know";
    why "An unknown word is passed over, and the default stands.";
    fix "monitoring.headers.check" "Write strict-origin-when-cross-origin, or another word of the standard.";
    see "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Referrer-Policy";

    "security.version_told" Security Notice Page Low 75 Page(version_told);
    title "The answer tells which version of which program sent it";
    why "Attackers look for versions with known holes; nobody else needs the number.";
    fix "monitoring.headers.check" "Leave versions out of Server, X-Powered-By and generator.";
    see "https://owasp.org/www-project-secure-headers/";
}

/// The sources of a directive of a policy, in lower case.
fn directive<'a>(policy: &'a str, name: &str) -> Option<Vec<&'a str>> {
    policy.split(';').find_map(|part| {
        let mut words = part.split_ascii_whitespace();
        words.next().filter(|it| it.eq_ignore_ascii_case(name))?;
        Some(words.collect())
    })
}

fn scripts(policy: &str) -> Option<Vec<&str>> {
    directive(policy, "script-src").or_else(|| directive(policy, "default-src"))
}

fn csp_inline(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let policy = header(page, "content-security-policy")?;
    let sources = scripts(policy)?;
    // A nonce, a hash or strict-dynamic makes browsers pass over unsafe-inline (CSP 3, section 8.2).
    let bound = sources.iter().any(|it| {
        ["'nonce-", "'sha256-", "'sha384-", "'sha512-", "'strict-dynamic'"].iter().any(|start| it.starts_with(start))
    });
    let open = sources.iter().any(|it| it.eq_ignore_ascii_case("'unsafe-inline'"));
    (open && !bound).then(|| Evidence::at("Content-Security-Policy", policy).expected("nonces or hashes in script-src"))
}

fn csp_open(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let policies = page.headers.all("content-security-policy");
    let any = |sources: &[&str]| {
        let dynamic = sources.contains(&"'strict-dynamic'");
        !dynamic && sources.iter().any(|it| matches!(*it, "*" | "http:" | "https:" | "data:"))
    };
    let open = |policy: &String| scripts(policy).is_none_or(|sources| any(&sources));
    let policy = policies.first().filter(|it| !it.trim().is_empty() && policies.iter().all(open))?;
    Some(Evidence::at("Content-Security-Policy", policy).expected("script-src with the hosts that may send scripts"))
}

fn hsts_insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let value = header(page, "strict-transport-security").filter(|_| page.final_url.starts_with("http://"))?;
    Some(Evidence::at("Strict-Transport-Security", value).expected("no such header on http"))
}

fn hsts_preload_unfit(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let value = header(page, "strict-transport-security").filter(|_| page.final_url.starts_with("https://"))?;
    let folded = value.to_lowercase();
    let parts: Vec<&str> = folded.split(';').map(str::trim).collect();
    let age =
        parts.iter().find_map(|it| it.strip_prefix("max-age=")?.trim_matches('"').parse::<u64>().ok()).unwrap_or(0);
    let fits = parts.contains(&"includesubdomains") && age >= 31_536_000;
    (parts.contains(&"preload") && !fits).then(|| {
        Evidence::at("Strict-Transport-Security", value).expected("max-age=31536000; includeSubDomains; preload")
    })
}

fn framing_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let value = header(page, "x-frame-options")?;
    let known = value.split(',').all(|it| matches!(it.trim().to_lowercase().as_str(), "deny" | "sameorigin"));
    let policy =
        page.headers.all("content-security-policy").iter().any(|it| it.to_lowercase().contains("frame-ancestors"));
    (!known && !policy).then(|| Evidence::at("X-Frame-Options", value).expected("DENY or SAMEORIGIN"))
}

fn referrer_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const POLICIES: [&str; 8] = [
        "no-referrer",
        "no-referrer-when-downgrade",
        "origin",
        "origin-when-cross-origin",
        "same-origin",
        "strict-origin",
        "strict-origin-when-cross-origin",
        "unsafe-url",
    ];
    let value = header(page, "referrer-policy")?;
    let known = value.split(',').any(|it| POLICIES.contains(&it.trim().to_lowercase().as_str()));
    (!known).then(|| Evidence::at("Referrer-Policy", value).expected("strict-origin-when-cross-origin"))
}

fn version_told(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let numbered = |text: &str| {
        text.split([' ', '/', '(']).any(|word| {
            let mut parts = word.split('.');
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
            parts.next().is_some_and(digits) && parts.next().is_some_and(digits)
        })
    };
    let told = [
        ("Server", header(page, "server")),
        ("X-Powered-By", header(page, "x-powered-by")),
        ("<meta name=\"generator\">", page.generator.as_deref()),
    ];
    let (element, value) = told.into_iter().find_map(|(name, value)| Some((name, value.filter(|it| numbered(it))?)))?;
    Some(Evidence::at(element, value).expected("no version"))
}
