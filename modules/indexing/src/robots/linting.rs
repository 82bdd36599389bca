//! The operation `indexing.robots.lint`.

use kit::robots::MOST_BYTES;
use kit::robots::crawler::{is_everyone, product_token};
use kit::robots::group::patterns;
use kit::robots::line::Key;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::Severity;
use sdk::json;
use sdk::prelude::*;

use super::lines::{RuleLine, Written};
use super::{Effect, Fetched};
use crate::robots;
use site::Site;

/// Findings of one sort that are told.
const EACH: usize = 20;
/// Fields that some crawlers read although RFC 9309 does not know them.
const ELSEWHERE: [&str; 7] =
    ["host", "clean-param", "request-rate", "visit-time", "noindex", "nofollow", "content-signal"];

/// One of `origin`, `robots_txt` and `site_id` is needed.
#[args]
pub(crate) struct Lint {
    /// The website whose live robots.txt is read.
    origin: Option<Url>,
    /// A robots.txt to be read instead of the live one.
    robots_txt: Option<Text<0, 512_000>>,
    /// A website of yours: its newest crawl says which addresses the rules meet.
    site_id: Option<Id<Site>>,
}

/// Something about a robots.txt.
#[value]
pub(crate) struct Finding {
    /// Stable, such as `rule_shadowed`.
    code: String,
    /// The line, from 1; none when it is about the whole file.
    line: Option<u32>,
    severity: Severity,
    message: String,
    /// What to do.
    advice: String,
}

/// What is wrong with a robots.txt.
#[value]
pub(crate) struct Linted {
    /// Errors first, then by line; at most 20 of one sort.
    findings: Vec<Finding>,
    /// Lines with a field.
    lines: u32,
    /// Bytes of the file.
    bytes: u64,
    /// What the answer of the live file means; none for pasted rules.
    effect: Option<Effect>,
    /// What acts on the findings.
    next: Vec<Next>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lints robots.txt for syntax, byte order mark, size over 500 KiB, unknown or unsupported fields, rules shadowed by longer ones, blocked scripts and styles, and blocked sitemap URLs.
///
/// With `site_id` the addresses of the newest crawl that sitemaps name are held against the rules for Googlebot.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web", "store"],
    phrasings = [
        "check my robots.txt for mistakes",
        "validate this robots.txt",
        "does my robots.txt block css or javascript",
        "are pages in my sitemap blocked by robots.txt",
    ],
    examples = [
        { "origin": "https://shop.example" },
        { "robots_txt": "User-agent: *\nDissallow: /cart" },
        { "site_id": "4503599627370496" },
    ]
)]
pub(crate) fn lint(cx: &Cx, args: Lint) -> Result<Linted> {
    let site = args.site_id.as_ref().map(|id| site::get(cx, id)).transpose()?;
    let origin = match (&args.origin, &site) {
        (Some(url), _) => Some(robots::origin(url, "/origin")?),
        (None, Some(site)) => Some(site.origin.clone()),
        (None, None) => None,
    };
    let fetched = match (&args.robots_txt, &origin) {
        (Some(text), _) => robots::pasted(origin.as_deref().unwrap_or_default(), text.as_str()),
        (None, Some(origin)) => robots::fetch(cx, origin, if site.is_some() { "/site_id" } else { "/origin" })?,
        (None, None) => {
            let message = "give origin, robots_txt or site_id";
            return Err(Fault::invalid("/origin", "nothing_to_lint", message));
        }
    };
    let mut findings = Vec::new();
    let mut degraded = Vec::new();
    let live = args.robots_txt.is_none();
    if live {
        answer(&fetched, &mut findings);
    }
    let written = if fetched.effect() == Effect::Rules { Written::read(&fetched.body) } else { Written::default() };
    shape(&fetched, &written, &mut findings);
    fields(&written, &mut findings);
    shadowed(&written, &mut findings);
    assets(&written, origin.as_deref(), &mut findings);
    match &site {
        Some(site) => known(cx, site, &fetched, &written, &mut findings, &mut degraded),
        None => degraded.push(Degraded::new("crawl", "without site_id no addresses are held against the rules")),
    }
    let next = match (&site, findings.is_empty()) {
        (Some(site), false) => {
            vec![
                Fix::new("indexing.robots.compose", json!({ "site_id": site.id, "policy": {} }))
                    .because("writes a robots.txt without these faults"),
            ]
        }
        _ => Vec::new(),
    };
    findings.sort_by_key(|it| (it.severity, it.line));
    Ok(Linted {
        lines: u32::try_from(written.lines.len()).unwrap_or(u32::MAX),
        bytes: fetched.body.len() as u64,
        effect: live.then(|| fetched.effect()),
        findings,
        next,
        degraded,
    })
}

fn push(out: &mut Vec<Finding>, code: &str, line: Option<u32>, severity: Severity, message: String, advice: &str) {
    if out.iter().filter(|it| it.code == code).count() < EACH {
        out.push(Finding { code: code.to_owned(), line, severity, message, advice: advice.to_owned() });
    }
}

/// What the answer itself says.
fn answer(fetched: &Fetched, out: &mut Vec<Finding>) {
    match fetched.effect() {
        Effect::Rules => {}
        Effect::AllowAll => {
            let message = format!("there is no robots.txt: status {}", fetched.status);
            let advice = "serve a robots.txt with status 200, if only to name the sitemap";
            push(out, "file_missing", None, Severity::Notice, message, advice);
        }
        Effect::DisallowAll => {
            let status = fetched.failure.clone().unwrap_or_else(|| format!("status {}", fetched.status));
            let message = format!("robots.txt cannot be had ({status}), so that crawlers fetch nothing");
            push(out, "file_unreachable", None, Severity::Error, message, "let robots.txt answer with 200 or 404");
        }
    }
}

/// Bytes, marks and lines that are no fields.
fn shape(fetched: &Fetched, written: &Written, out: &mut Vec<Finding>) {
    if fetched.body.len() > MOST_BYTES {
        let message = "the file is longer than 500 KiB; crawlers do not read what lies behind".to_owned();
        push(out, "file_too_long", None, Severity::Error, message, "join rules by common beginnings and wildcards");
    }
    if written.bom {
        let message = "the file begins with a byte order mark; some crawlers lose the first line by it".to_owned();
        push(out, "byte_order_mark", Some(1), Severity::Warning, message, "save the file as UTF-8 without a mark");
    }
    if written.not_utf8 {
        let message = "the file has bytes that are not UTF-8 (RFC 9309 section 2.3)".to_owned();
        push(out, "not_utf8", None, Severity::Warning, message, "save the file as UTF-8");
    }
    let html = fetched.body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<');
    if html {
        let message = "this is a page of HTML, not a robots.txt".to_owned();
        push(out, "html", None, Severity::Error, message, "serve plain text at /robots.txt, or status 404");
        return;
    }
    for (number, text) in &written.broken {
        let message = format!("no field and no comment: {text}");
        let advice = "write FIELD: VALUE, or begin the line with #";
        push(out, "syntax", Some(*number), Severity::Error, message, advice);
    }
    for number in &written.long {
        let message = "the line is longer than 16,663 bytes; its end is not read".to_owned();
        push(out, "line_too_long", Some(*number), Severity::Error, message, "cut the line into several");
    }
}

/// Fields that are misspelt, unknown, or out of place.
fn fields(written: &Written, out: &mut Vec<Finding>) {
    let mut agents = 0;
    for line in &written.lines {
        let name = line.name.to_ascii_lowercase();
        let at = Some(line.number);
        let canonical = match line.key {
            Key::Agent => "user-agent",
            Key::Allow => "allow",
            Key::Disallow => "disallow",
            Key::Sitemap => "sitemap",
            Key::Delay | Key::Other => name.as_str(),
        };
        if canonical != name {
            let message = format!("`{}` is read as `{canonical}` by Google, and by few others", line.name);
            push(out, "misspelt", at, Severity::Error, message, &format!("write {canonical}"));
        }
        match line.key {
            Key::Agent => {
                agents += 1;
                if !is_everyone(&line.value) && product_token(&line.value).is_empty() {
                    let message = "the line names no crawler".to_owned();
                    push(out, "agent_empty", at, Severity::Error, message, "write a product token, or *");
                }
            }
            Key::Allow | Key::Disallow => {
                if agents == 0 {
                    let message = "the rule stands before every User-agent line and holds for nobody".to_owned();
                    push(out, "rule_without_agent", at, Severity::Error, message, "put a User-agent line before it");
                }
                if !line.value.is_empty() && !line.value.starts_with(['/', '*', '$']) {
                    let message =
                        format!("the path `{}` does not begin with / or *, so that it never fits", line.value);
                    push(out, "path_without_slash", at, Severity::Error, message, "begin the path with /");
                }
            }
            Key::Delay => {
                let message = "Google takes no notice of Crawl-delay; Bing and others do".to_owned();
                push(out, "crawl_delay", at, Severity::Notice, message, "slow Googlebot down with 429 or 503 answers");
            }
            Key::Sitemap => {
                if kit::url::Url::parse(&line.value).is_err() {
                    let message = "a sitemap is named by its whole address".to_owned();
                    push(out, "sitemap_not_absolute", at, Severity::Error, message, "write https:// and the host");
                }
            }
            Key::Other => {
                let known = ELSEWHERE.contains(&name.as_str());
                let message = if name == "noindex" {
                    "Google has taken no notice of noindex in robots.txt since September 2019".to_owned()
                } else if known {
                    format!("`{}` is read by some crawlers only; Google passes over it", line.name)
                } else {
                    format!("`{}` is no field of robots.txt; it is passed over", line.name)
                };
                let advice =
                    if name == "noindex" { "use a robots meta tag or X-Robots-Tag" } else { "remove the line" };
                let severity = if known && name != "noindex" { Severity::Notice } else { Severity::Warning };
                push(out, "unknown_field", at, severity, message, advice);
            }
        }
    }
}

/// Rules that never decide: everything that they fit is decided by a longer one of the same group.
fn shadowed(written: &Written, out: &mut Vec<Finding>) {
    for group in written.groups() {
        for rule in group.rules.iter().filter(|it| !it.path.is_empty()) {
            let own = longest(rule);
            let same = |it: &&RuleLine| it.line != rule.line && !it.path.is_empty();
            for other in group.rules.iter().filter(same) {
                let its = longest(other);
                let decides = its.len() > own.len()
                    || (its.len() == own.len() && (other.allow, other.line) > (rule.allow, rule.line));
                if decides && covers(&its, &own) {
                    let code = if other.allow == rule.allow { "rule_repeated" } else { "rule_shadowed" };
                    let word = |allow: bool| if allow { "Allow" } else { "Disallow" };
                    let message = format!(
                        "`{}: {}` never decides: line {} (`{}: {}`) does wherever it fits",
                        word(rule.allow),
                        rule.path,
                        other.line,
                        word(other.allow),
                        other.path
                    );
                    let severity = if code == "rule_shadowed" { Severity::Warning } else { Severity::Notice };
                    push(out, code, Some(rule.line), severity, message, "remove the line, or make its path longer");
                    break;
                }
            }
        }
    }
}

fn longest(rule: &RuleLine) -> String {
    patterns(rule.allow, &rule.path).into_iter().max_by_key(String::len).unwrap_or_default()
}

/// Whether everything that `inner` fits, `outer` fits too. Said only where it is certain: `inner` read as a path in
/// which each `*` stands for something unusual.
fn covers(outer: &str, inner: &str) -> bool {
    let (bare, anchored) = inner.strip_suffix('$').map_or((inner, false), |bare| (bare, true));
    let probe = |wild: &str| {
        let path = bare.replace('*', wild);
        if anchored { path } else { format!("{path}{wild}") }
    };
    // A pattern with `$` covers only what ends the same way.
    let end_fits = anchored || !outer.ends_with('$');
    end_fits && kit::robots::matches(outer, &probe("\u{1}")) && kit::robots::matches(outer, &probe(""))
}

/// Scripts and styles that Googlebot may not have, by the usual folders and endings.
fn assets(written: &Written, origin: Option<&str>, out: &mut Vec<Finding>) {
    const PROBES: [&str; 8] = [
        "/assets/app.js",
        "/assets/app.css",
        "/static/app.js",
        "/static/app.css",
        "/js/app.js",
        "/css/app.css",
        "/wp-content/themes/theme/style.css",
        "/wp-includes/js/jquery/jquery.min.js",
    ];
    let origin = origin.unwrap_or("https://site.example");
    let whole = written.deciding("Googlebot", origin).is_some_and(|it| !it.allow);
    if whole {
        let line = written.deciding("Googlebot", origin).map(|it| it.line);
        let message = "the home page, and most likely the whole site, is forbidden to Googlebot".to_owned();
        push(out, "site_blocked", line, Severity::Error, message, "remove `Disallow: /`, or allow Googlebot");
        return;
    }
    let mut lines = Vec::new();
    for probe in PROBES {
        let Some(rule) = written.deciding("Googlebot", &format!("{origin}{probe}")).filter(|it| !it.allow) else {
            continue;
        };
        if !lines.contains(&rule.line) {
            lines.push(rule.line);
            let message = format!("`{}` keeps Googlebot from scripts or styles such as {probe}", rule.rule);
            let advice = "add `Allow: /*.js` and `Allow: /*.css`, or make the rule narrower";
            push(out, "assets_blocked", Some(rule.line), Severity::Warning, message, advice);
        }
    }
}

/// Addresses of sitemaps that Googlebot may not fetch.
fn known(
    cx: &Cx,
    site: &Stored<Site>,
    fetched: &Fetched,
    written: &Written,
    out: &mut Vec<Finding>,
    degraded: &mut Vec<Degraded>,
) {
    let Some(run) = site::newest(cx, &site.id) else {
        degraded.push(Degraded::new(
            "crawl",
            "no crawl of this website has ended; no addresses were held against the rules",
        ));
        return;
    };
    let rules = fetched.rules("Googlebot");
    let pages = addresses::of(cx, &run.id);
    degraded.extend(pages.degraded);
    let listed = pages.all.iter().filter(|it| it.in_sitemap && !rules.allows(&it.url));
    for page in listed {
        let line = written.deciding("Googlebot", &page.url).map(|it| it.line);
        let message = format!("{} is in a sitemap and forbidden to Googlebot", page.url);
        let advice = "take it out of the sitemap, or allow it";
        push(out, "sitemap_url_blocked", line, Severity::Warning, message, advice);
    }
}
