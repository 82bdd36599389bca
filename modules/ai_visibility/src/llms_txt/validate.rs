//! The operation `ai_visibility.llms_txt.validate`.

use std::collections::HashMap;

use kit::robots::Robots;
use kit::url::Url as Address;
use sdk::prelude::*;
use sdk::{Degraded, Failure, Next, Severity, json};

use super::format::{File, Link};

/// Links that are asked.
const LINKS: usize = 100;
/// Bytes of the file that are read, and from which it is large.
const MAX_FILE: u32 = 2 << 20;
const LARGE: usize = 100 * 1024;
/// Bytes of a page that is looked at.
const MAX_PAGE: u32 = 256 << 10;
/// Robots of assistants whose rules links are compared with.
const AGENTS: [&str; 4] = ["OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Googlebot"];

#[args]
pub(crate) struct Validate {
    /// The website, by any of its addresses.
    origin: Url,
}

/// What is wrong with the file.
#[value]
pub(crate) struct Finding {
    code: String,
    severity: Severity,
    /// Null for the whole file.
    line: Option<u32>,
    #[own]
    message: String,
}

/// What is wrong with a link.
#[value]
pub(crate) enum Problem {
    /// It does not answer, or with 4xx or 5xx.
    Broken,
    /// It leads elsewhere.
    Redirect,
    /// It is kept out of indexes.
    Noindex,
    /// robots.txt keeps robots of assistants from it.
    Blocked,
    /// It is not a whole address.
    Relative,
    /// Its robots.txt or a pause keeps us from asking.
    NotAsked,
}

/// A link of the file.
#[value]
pub(crate) struct Checked {
    url: String,
    line: u32,
    title: String,
    /// Null where it was not asked; 0 without an answer.
    status: Option<u16>,
    problem: Option<Problem>,
    /// Robots that may not fetch it.
    blocked_for: Vec<String>,
}

/// The file.
#[value]
pub(crate) struct Validated {
    /// Whether nothing of the severity error is wrong; false without a file.
    valid: bool,
    /// Whether there is a file.
    present: bool,
    url: String,
    /// 0 without an answer.
    status: u16,
    content_type: Option<String>,
    bytes: u64,
    title: Option<String>,
    summary: Option<String>,
    sections: Vec<String>,
    /// Errors first.
    errors: Vec<Finding>,
    /// The first hundred are asked.
    links: Vec<Checked>,
    links_total: u64,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Validates a site's llms.txt: format order, link states, indexability, stale or blocked pages, size, and conflict with robots.txt.
///
/// The format is that of llmstxt.org: a title, a summary, text, then sections of described links.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 102),
    needs = ["web"],
    phrasings = ["check my llms.txt", "is my llms.txt valid", "broken links in llms.txt", "does llms.txt contradict robots.txt"],
    examples = [{ "origin": "https://shop.example" }, { "origin": "https://shop.example/llms.txt" }]
)]
pub(crate) fn validate(cx: &Cx, args: Validate) -> Result<Validated> {
    let parsed = Address::parse(args.origin.as_str()).ok().filter(Address::has_host);
    let base = parsed.ok_or_else(|| Fault::invalid("/origin", "no_origin", "the address has no host"))?;
    let origin = kit::url::origin(&base);
    let url: Url =
        format!("{origin}/llms.txt").parse().map_err(|why: String| Fault::invalid("/origin", "no_origin", why))?;
    let answer = match cx.web().fetch(&Request::get(&url).follow(3).max_bytes(MAX_FILE).timeout(10_000)) {
        Ok(answer) => answer,
        Err(Failure::Refused) => {
            return Err(Fault::invalid("/origin", "url_refused", "this address is not a public one"));
        }
        Err(failure) => {
            if let Some(fault) = failure.unasked("/origin") {
                return Err(fault);
            }
            let mut out = empty(&url, 0);
            out.degraded.push(Degraded::new("llms.txt", format!("the file did not answer: {}", failure.name())));
            return Ok(out);
        }
    };
    if answer.status >= 400 {
        return Ok(empty(&url, answer.status));
    }
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    let file = File::read(&text);
    let content_type = answer.headers.iter().find(|it| it.0 == "content-type").map(|it| it.1.clone());
    let mut errors: Vec<Finding> =
        file.faults.iter().map(|(code, line, what)| fault(code, severity(code), Some(*line), what)).collect();
    errors.extend(of_answer(&answer, &text, content_type.as_deref()));
    let mut degraded = Vec::new();
    let (robots_status, robots_body) = robots(cx, &origin, &mut degraded);
    for agent in AGENTS {
        if !Robots::of_answer(robots_status, &robots_body, agent).allows(url.as_str()) {
            let what = format!("robots.txt keeps {agent} from the file itself");
            errors.push(fault("file_blocked", Severity::Error, None, &what));
        }
    }
    let links = links(cx, &file, &base, robots_status, &robots_body, &mut degraded);
    let total = file.links().count() as u64;
    if total > LINKS as u64 {
        degraded.push(Degraded::new("links", format!("{LINKS} of {total} links are asked")));
    }
    errors.sort_by_key(|it| (it.severity, it.line));
    let valid = errors.iter().all(|it| it.severity != Severity::Error);
    let broken = links.iter().find(|it| it.problem == Some(Problem::Broken));
    let next = broken.map(|it| {
        let arguments = json!({ "url": it.url });
        Next::new("onpage.link.check", arguments, "looks at the first link that does not answer")
    });
    Ok(Validated {
        valid,
        present: true,
        url: url.to_string(),
        status: answer.status,
        content_type,
        bytes: answer.body.len() as u64,
        title: file.title.clone(),
        summary: file.summary.clone(),
        sections: file.sections.iter().map(|it| it.title.clone()).collect(),
        errors,
        links,
        links_total: total,
        next: next.into_iter().collect(),
        degraded,
    })
}

fn empty(url: &Url, status: u16) -> Validated {
    Validated {
        valid: false,
        present: false,
        url: url.to_string(),
        status,
        content_type: None,
        bytes: 0,
        title: None,
        summary: None,
        sections: Vec::new(),
        errors: Vec::new(),
        links: Vec::new(),
        links_total: 0,
        next: Vec::new(),
        degraded: Vec::new(),
    }
}

fn fault(code: &str, severity: Severity, line: Option<u32>, message: &str) -> Finding {
    Finding { code: code.to_owned(), severity, line, message: message.to_owned() }
}

fn severity(code: &str) -> Severity {
    match code {
        "no_title" | "text_before_title" | "not_a_link" => Severity::Error,
        "deep_heading" => Severity::Notice,
        _ => Severity::Warning,
    }
}

/// What the answer itself says.
fn of_answer(answer: &sdk::Response, text: &str, content_type: Option<&str>) -> Vec<Finding> {
    let mut out = Vec::new();
    let kind = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let looks_html = text.trim_start().get(..15).is_some_and(|it| {
        let low = it.to_ascii_lowercase();
        low.starts_with("<!doctype") || low.starts_with("<html")
    });
    if looks_html {
        out.push(fault(
            "html_answer",
            Severity::Error,
            None,
            "the address answers with a web page: there is no such file",
        ));
    } else if !matches!(kind.as_str(), "text/plain" | "text/markdown" | "text/x-markdown") {
        let what = format!("the file comes as `{kind}`; serve it as text/plain or text/markdown");
        out.push(fault("content_type", Severity::Warning, None, &what));
    }
    if answer.body.starts_with(b"\xEF\xBB\xBF") {
        out.push(fault(
            "byte_order_mark",
            Severity::Warning,
            Some(1),
            "a byte order mark stands before the title; some readers do not see it then",
        ));
    }
    if std::str::from_utf8(&answer.body).is_err() {
        out.push(fault("not_utf8", Severity::Error, None, "the file is not UTF-8"));
    }
    if answer.truncated || answer.body.len() > LARGE {
        out.push(fault("large", Severity::Warning, None, "the file has more than 100 KiB: a model reads it whole"));
    }
    let tags = answer.headers.iter().filter(|it| it.0 == "x-robots-tag");
    if tags.flat_map(|it| kit::directives::split(&it.1)).any(|it| it == "noindex" || it == "none") {
        out.push(fault("noindex", Severity::Warning, None, "X-Robots-Tag keeps the file out of indexes"));
    }
    out
}

fn robots(cx: &Cx, origin: &str, degraded: &mut Vec<Degraded>) -> (u16, Vec<u8>) {
    let Ok(url) = format!("{origin}/robots.txt").parse::<Url>() else { return (404, Vec::new()) };
    match cx.web().fetch(&Request::get(&url).follow(5).max_bytes(512_001).timeout(8_000)) {
        Ok(answer) => (answer.status, answer.body),
        Err(failure) => {
            degraded.push(Degraded::new("robots.txt", format!("robots.txt cannot be had: {}", failure.name())));
            (404, Vec::new())
        }
    }
}

fn links(
    cx: &Cx,
    file: &File,
    base: &Address,
    status: u16,
    robots: &[u8],
    degraded: &mut Vec<Degraded>,
) -> Vec<Checked> {
    let all: Vec<(&Link, Option<Url>)> = file
        .links()
        .take(LINKS)
        .map(|link| (link, Address::parse(&link.url).ok().and_then(|it| it.as_str().parse().ok())))
        .collect();
    let asked: Vec<&Url> = all.iter().filter_map(|it| it.1.as_ref()).collect();
    let request = |url: &&Url| Request::get(url).follow(0).max_bytes(MAX_PAGE).timeout(8_000);
    let answers: HashMap<String, _> =
        asked.iter().map(ToString::to_string).zip(cx.web().fetch_many(asked.iter().map(request))).collect();
    let rules: Vec<(&str, Robots)> = AGENTS.iter().map(|it| (*it, Robots::of_answer(status, robots, it))).collect();
    let mut unasked = 0;
    let checked = all
        .into_iter()
        .map(|(link, url)| {
            let mut out = Checked {
                url: link.url.clone(),
                line: link.line,
                title: link.title.clone(),
                status: None,
                problem: None,
                blocked_for: Vec::new(),
            };
            let Some(url) = url else {
                out.problem = Some(Problem::Relative);
                return out;
            };
            let is_own = Address::parse(url.as_str()).is_ok_and(|it| kit::url::same_site(&it, base));
            if is_own {
                let shut = rules.iter().filter(|it| !it.1.allows(url.as_str()));
                out.blocked_for = shut.map(|it| it.0.to_owned()).collect();
            }
            match answers.get(url.as_str()) {
                Some(Ok(answer)) => {
                    out.status = Some(answer.status);
                    out.problem = match answer.status {
                        300..=399 => Some(Problem::Redirect),
                        400.. => Some(Problem::Broken),
                        _ if is_kept_out(answer) => Some(Problem::Noindex),
                        _ => None,
                    };
                }
                Some(Err(Failure::Disallowed | Failure::Paced(_))) | None => {
                    unasked += 1;
                    out.problem = Some(Problem::NotAsked);
                }
                Some(Err(_)) => (out.status, out.problem) = (Some(0), Some(Problem::Broken)),
            }
            if !out.blocked_for.is_empty() && matches!(out.problem, None | Some(Problem::NotAsked)) {
                out.problem = Some(Problem::Blocked);
            }
            out
        })
        .collect();
    if unasked > 0 {
        degraded.push(Degraded::new(
            "links",
            format!("{unasked} links were not asked: robots.txt or a pause keeps us from it"),
        ));
    }
    checked
}

/// Whether a page is kept out of indexes, by its headers or its head.
fn is_kept_out(answer: &sdk::Response) -> bool {
    let tags = answer.headers.iter().filter(|it| it.0 == "x-robots-tag").map(|it| it.1.clone()).collect::<Vec<_>>();
    let headers = kit::directives::of_headers(&tags, kit::directives::CRAWLER);
    let is_html = answer.headers.iter().any(|it| it.0 == "content-type" && it.1.contains("html"));
    let metas = if is_html {
        let dom = kit::dom::Dom::parse(&answer.text());
        dom.elements("meta")
            .filter(|id| {
                dom.attribute(*id, "name")
                    .is_some_and(|name| kit::directives::is_meta_for(name, kit::directives::CRAWLER))
            })
            .flat_map(|id| kit::directives::split(dom.attribute(id, "content").unwrap_or_default()))
            .collect()
    } else {
        Vec::new()
    };
    headers.into_iter().chain(metas).any(|it| matches!(it.to_ascii_lowercase().as_str(), "noindex" | "none"))
}
