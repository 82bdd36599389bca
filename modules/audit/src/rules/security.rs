//! Rules about transport and the headers that protect visitors.

pub(super) mod policy;
pub(super) mod script;

use kit::page::{FormFact, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::{header, meta};

rules! {
    "security.insecure_page" Security Warning Page Medium 95 Page(insecure_page);
    title "The page is served without encryption";
    why "Browsers mark it as not secure, anybody on the way can read and change it, and search engines prefer the secure twin.";
    fix "domains.tls.check" "Serve the site over https and redirect http to it.";
    see "https://web.dev/articles/enable-https";

    "security.mixed_content" Security Warning Page Low 95 Page(mixed_content);
    title "A secure page loads parts insecurely";
    why "Browsers block such parts or warn of them.";
    fix "cms.link.replace" "Load every part over https.";
    see "https://www.w3.org/TR/mixed-content/";

    "security.insecure_script" Security Warning Page Low 92 Page(insecure_script);
    title "The page runs a foreign script that came without encryption";
    why "Whoever stands between the visitor and that other site can put any code into the page.";
    fix "cms.link.replace" "Load the script over https.";
    see "https://www.w3.org/TR/mixed-content/";

    "security.insecure_form" Security Error Page Low 92 Page(insecure_form);
    title "A form sends what is typed without encryption";
    why "What visitors type, passwords too, can be read on the way.";
    fix "cms.content.update" "Send the form to an https address, from an https page.";
    see "https://www.w3.org/TR/mixed-content/";

    "security.hsts_missing" Security Notice Page Low 85 Page(hsts_missing);
    at "seconds" hsts_seconds;
    title "Browsers are not told to stay secure";
    why "Without Strict-Transport-Security (RFC 6797) the first request of a visit may go out unencrypted.";
    fix "monitoring.headers.check" "Send Strict-Transport-Security with a max-age of half a year or more.";
    see "https://www.rfc-editor.org/rfc/rfc6797";

    "security.nosniff_missing" Security Notice Page Low 85 Page(nosniff_missing);
    title "Browsers may guess content types";
    why "A guess can turn an uploaded text into a script that runs.";
    fix "monitoring.headers.check" "Send X-Content-Type-Options: nosniff.";
    see "https://fetch.spec.whatwg.org/#x-content-type-options-header";

    "security.csp_missing" Security Notice Page High 60 Page(csp_missing);
    title "No content security policy";
    why "A policy keeps injected scripts from running.";
    fix "monitoring.headers.check" "Send a Content-Security-Policy; begin with its report-only form.";
    see "https://www.w3.org/TR/CSP3/";

    "security.framing_open" Security Notice Page Low 60 Page(framing_open);
    title "The page may be framed by anybody";
    why "A page inside a foreign frame can be made to receive clicks that were meant for another.";
    fix "monitoring.headers.check" "Send frame-ancestors in the Content-Security-Policy, or X-Frame-Options.";
    see "https://www.w3.org/TR/CSP3/#directive-frame-ancestors";

    "security.referrer_open" Security Notice Page Low 90 Page(referrer_open);
    title "Whole addresses are told to other sites";
    why "With the policy unsafe-url every site linked to learns the whole address, with what stands in its query.";
    fix "monitoring.headers.check" "Send Referrer-Policy: strict-origin-when-cross-origin.";
    see "https://www.w3.org/TR/referrer-policy/";
}

fn insecure_page(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let rest = page.final_url.strip_prefix("http://")?;
    Some(Evidence::at("address", &page.final_url).expected(format!("https://{rest}")))
}

fn mixed_content(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.mixed_content.first()?;
    Some(Evidence::at("src", first).expected(first.replacen("http:", "https:", 1)).count(page.mixed_content.len()))
}

fn insecure_script(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // On a secure page it is mixed content, which has a rule of its own.
    let own = page.final_url.strip_prefix("http://")?.split('/').next()?;
    let foreign = |url: &str| url.strip_prefix("http://").is_some_and(|rest| rest.split('/').next() != Some(own));
    let found = page.resources.iter().filter(|it| it.kind == "script" && foreign(&it.url)).collect::<Vec<_>>();
    let first = found.first()?;
    let expected = first.url.replacen("http:", "https:", 1);
    Some(Evidence::at("<script src>", &first.url).expected(expected).count(found.len()))
}

fn insecure_form(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // On an insecure page everything is sent in the open, which has a rule of its own; a password or what leaves for
    // another host is worse.
    let own = page.final_url.strip_prefix("http://").and_then(|rest| rest.split('/').next());
    let is_worse =
        |form: &FormFact, rest: &str| own.is_none_or(|own| form.password || rest.split(['/', '?']).next() != Some(own));
    let open = |form: &&FormFact| form.action.strip_prefix("http://").is_some_and(|rest| is_worse(form, rest));
    let form = page.forms.iter().find(open)?;
    Some(Evidence::at("<form action>", &form.action).expected(form.action.replacen("http:", "https:", 1)))
}

fn hsts_missing(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    if !page.final_url.starts_with("https://") {
        return None;
    }
    let limit = u64::from(site.limits.hsts_seconds);
    let value = header(page, "strict-transport-security").unwrap_or_default();
    let age = value
        .split(';')
        .filter_map(|it| {
            it.trim()
                .to_lowercase()
                .strip_prefix("max-age=")
                .map(|age| age.trim_matches('"').parse::<u64>().unwrap_or(0))
        })
        .next()
        .unwrap_or(0);
    (age < limit).then(|| Evidence::at("Strict-Transport-Security", value).expected(format!("max-age={limit} or more")))
}

fn nosniff_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let value = header(page, "x-content-type-options").unwrap_or_default();
    (!value.eq_ignore_ascii_case("nosniff")).then(|| Evidence::at("X-Content-Type-Options", value).expected("nosniff"))
}

fn csp_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // A policy may stand in the markup too (CSP 3, section 3.3).
    header(page, "content-security-policy")
        .or_else(|| meta(page, "http-equiv:content-security-policy"))
        .is_none()
        .then(|| Evidence::absent("Content-Security-Policy").expected("a policy"))
}

fn framing_open(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let policy =
        page.headers.all("content-security-policy").iter().any(|it| it.to_lowercase().contains("frame-ancestors"));
    (!policy && header(page, "x-frame-options").is_none()).then(|| {
        Evidence::absent("X-Frame-Options")
            .expected("frame-ancestors in the Content-Security-Policy, or X-Frame-Options")
    })
}

fn referrer_open(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let value = header(page, "referrer-policy")?;
    let last = value.rsplit(',').next().unwrap_or_default().trim();
    (last.eq_ignore_ascii_case("unsafe-url"))
        .then(|| Evidence::at("Referrer-Policy", value).expected("strict-origin-when-cross-origin"))
}
