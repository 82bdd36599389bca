//! What stands between an address and the index, link by link.

use std::collections::HashSet;

use kit::directives;
use kit::dom::Dom;
use kit::page::PageFacts;
use kit::robots::AGENT;
use kit::similarity::{jaccard, shingles};
use sdk::Degraded;
use sdk::Failure;
use sdk::prelude::*;

use crate::robots::{self, Effect, Fetched};

/// Bytes that are read of a page.
const BYTES: u32 = 2 << 20;
/// How much of a page stands on a made-up address too, for a soft 404.
const SAME: f64 = 0.9;
/// Words above which a page that says that it is none is believed to be one.
const WORDS: u32 = 200;
/// What pages say that are none, in six languages.
const NOT_FOUND: [&str; 16] = [
    "page not found",
    "404 not found",
    "error 404",
    "404 error",
    "page doesn't exist",
    "page does not exist",
    "no longer available",
    "seite nicht gefunden",
    "seite existiert nicht",
    "page introuvable",
    "page non trouvée",
    "página no encontrada",
    "pagina non trovata",
    "página não encontrada",
    "pagina niet gevonden",
    "nothing was found",
];
/// Paths of pages that ask for a login.
const LOGIN: [&str; 8] =
    ["/login", "/signin", "/sign-in", "/log-in", "/wp-login.php", "/auth/", "/account/login", "/users/sign_in"];

/// A link of the chain.
#[value]
pub(crate) enum Block {
    Robots,
    Fetch,
    Redirect,
    Status,
    Header,
    Meta,
    Canonical,
    LoginWall,
    #[serde(rename = "soft_404")]
    Soft404,
    Document,
}

impl Block {
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Self::Robots => "allow the address in robots.txt; a page that may not be fetched cannot be read",
            Self::Fetch => "let the address answer; nothing can be read without an answer",
            Self::Redirect => "the address leads elsewhere: link, list and submit the address that it leads to",
            Self::Status => "let the address answer with status 200, or take it out of links and sitemaps",
            Self::Header => "take noindex out of the X-Robots-Tag header",
            Self::Meta => "take noindex out of the robots meta element",
            Self::Canonical => "let the canonical name the page itself, or submit the page that it names",
            Self::LoginWall => "show the content without a login; crawlers have none",
            Self::Soft404 => "give the page content of its own, or let it answer with status 404 or 410",
            Self::Document => "search engines index HTML, text and documents, not files of this type",
        }
    }
}

/// How one link stands.
#[value]
pub(crate) struct Link {
    pub(crate) step: Block,
    /// Whether it lets the page through; none when it was not looked at.
    pub(crate) passed: Option<bool>,
    /// What was found.
    pub(crate) detail: String,
}

/// The chain of an address.
pub(crate) struct Walked {
    pub(crate) chain: Vec<Link>,
    pub(crate) final_url: String,
    pub(crate) status: u16,
    pub(crate) degraded: Vec<Degraded>,
    /// What the page says; none when it could not be fetched.
    pub(crate) facts: Option<PageFacts>,
}

impl Walked {
    /// Whether the page may be indexed; none when nothing stands against it that was seen, and the page was not seen.
    pub(crate) fn verdict(&self) -> Option<bool> {
        if self.chain.iter().any(|it| it.passed == Some(false)) {
            return Some(false);
        }
        self.facts.is_some().then_some(true)
    }
}

/// Walks the chain of an address.
pub(crate) fn walk(cx: &Cx, url: &Url, agent: &str) -> Result<Walked> {
    let origin = robots::origin(url, "/url")?;
    let rules = robots::fetch(cx, &origin, "/url")?;
    let mut chain = vec![by_robots(&rules, agent, url.as_str())];
    let mut degraded = Vec::new();
    let answer = cx.web().fetch(&Request::get(url).max_bytes(BYTES).timeout(10_000));
    let response = match answer {
        Ok(response) => response,
        Err(Failure::Refused) => {
            return Err(Fault::invalid("/url", "url_refused", "this address is not a public one"));
        }
        Err(failure @ Failure::Paced(_)) => return Err(robots::paused(failure, "/url")),
        Err(Failure::Disallowed) => {
            degraded
                .push(Degraded::new("page", format!("robots.txt forbids it to {AGENT}, so that it was not fetched")));
            chain.push(link(Block::Fetch, None, "not fetched"));
            return Ok(Walked { chain, final_url: url.as_str().to_owned(), status: 0, degraded, facts: None });
        }
        Err(failure) => {
            chain.push(link(Block::Fetch, Some(false), &format!("no answer: {}", failure.name())));
            return Ok(Walked { chain, final_url: url.as_str().to_owned(), status: 0, degraded, facts: None });
        }
    };
    let (facts, document) = site::live::whole(url.as_str(), &response);
    chain.push(link(Block::Fetch, Some(true), "the address answers"));
    chain.push(by_redirect(&facts, &rules, agent));
    let fine = (200..300).contains(&facts.status);
    chain.push(link(Block::Status, Some(fine), &format!("status {}", facts.status)));
    chain.push(by_header(&facts, agent, cx.now()));
    let dom = document.as_ref().map(|it| &it.dom);
    chain.push(dom.map_or_else(|| link(Block::Meta, None, "no HTML"), |dom| by_meta(dom, agent, cx.now())));
    chain.push(by_canonical(&facts));
    chain.push(by_login(&facts));
    if fine {
        chain.push(by_soft_404(cx, url, &facts, dom, &mut degraded));
        let reason = facts.indexability.reason.word();
        let document = reason != "not_document";
        chain.push(link(Block::Document, Some(document), &facts.content_type));
    }
    Ok(Walked { chain, final_url: facts.final_url.clone(), status: facts.status, degraded, facts: Some(facts) })
}

fn link(step: Block, passed: Option<bool>, detail: &str) -> Link {
    Link { step, passed, detail: detail.to_owned() }
}

fn by_robots(fetched: &Fetched, agent: &str, url: &str) -> Link {
    let allowed = fetched.rules(agent).allows(url);
    let written = robots::lines::Written::read(&fetched.body);
    let rule = (fetched.effect() == Effect::Rules).then(|| written.deciding(agent, url)).flatten();
    let detail = match rule {
        Some(rule) => format!("line {} of robots.txt decides: {}", rule.line, rule.rule),
        None if fetched.effect() == Effect::DisallowAll => {
            "robots.txt cannot be had, which forbids everything".to_owned()
        }
        None => "no rule of robots.txt fits".to_owned(),
    };
    link(Block::Robots, Some(allowed), &detail)
}

fn by_redirect(facts: &PageFacts, rules: &Fetched, agent: &str) -> Link {
    if facts.redirects.is_empty() {
        let refresh = facts.meta_refresh.as_ref().filter(|it| it.seconds == 0).and_then(|it| it.url.as_deref());
        return match refresh.filter(|it| *it != facts.final_url) {
            Some(target) => link(Block::Redirect, Some(false), &format!("a meta refresh leads to {target}")),
            None => link(Block::Redirect, Some(true), "no redirect"),
        };
    }
    let rules = rules.rules(agent);
    let hops: Vec<String> = facts.redirects.iter().map(|it| format!("{} ({})", it.url, it.status)).collect();
    let blocked = facts.redirects.iter().skip(1).find(|it| !rules.allows(&it.url)).map(|it| it.url.as_str());
    let end = blocked.map_or_else(|| facts.final_url.clone(), |it| format!("{it}, which robots.txt forbids"));
    link(Block::Redirect, Some(false), &format!("{} → {end}", hops.join(" → ")))
}

/// Whether a directive keeps the page out of the index now.
fn forbids(directive: &str, now: Moment) -> bool {
    directives::forbids(directive, i64::try_from(now.millis()).unwrap_or(i64::MAX))
}

fn by_header(facts: &PageFacts, agent: &str, now: Moment) -> Link {
    let found = directives::of_headers(facts.headers.all("x-robots-tag"), agent);
    match found.iter().find(|it| forbids(it, now)) {
        Some(directive) => link(Block::Header, Some(false), &format!("X-Robots-Tag: {directive}")),
        None if found.is_empty() => link(Block::Header, Some(true), "no X-Robots-Tag for this crawler"),
        None => link(Block::Header, Some(true), &format!("X-Robots-Tag: {}", found.join(", "))),
    }
}

fn by_meta(dom: &Dom, agent: &str, now: Moment) -> Link {
    let mut seen = Vec::new();
    for meta in dom.elements("meta") {
        let name = dom.attribute(meta, "name").unwrap_or_default().trim().to_ascii_lowercase();
        if !directives::is_meta_for(&name, agent) {
            continue;
        }
        let content = dom.attribute(meta, "content").unwrap_or_default().to_ascii_lowercase();
        if let Some(directive) = directives::split(&content).iter().find(|it| forbids(it, now)) {
            return link(Block::Meta, Some(false), &format!("<meta name={name}>: {directive}"));
        }
        seen.push(content);
    }
    let detail =
        if seen.is_empty() { "no robots meta element".to_owned() } else { format!("robots: {}", seen.join("; ")) };
    link(Block::Meta, Some(true), &detail)
}

fn by_canonical(facts: &PageFacts) -> Link {
    let counted: Vec<&str> = facts.counted_canonicals().filter_map(|it| it.url.as_deref()).collect();
    match counted.first() {
        None => link(Block::Canonical, Some(true), "no canonical"),
        Some(first) if counted.iter().any(|it| it != first) => link(
            Block::Canonical,
            Some(true),
            "several canonicals that contradict each other; search engines pass over them",
        ),
        Some(first) if *first == facts.final_url => link(Block::Canonical, Some(true), "the page names itself"),
        Some(first) => link(Block::Canonical, Some(false), &format!("the page names {first}")),
    }
}

fn by_login(facts: &PageFacts) -> Link {
    if facts.status == 401 {
        return link(Block::LoginWall, Some(false), "status 401 asks for a login");
    }
    let path = kit::url::path_and_query(&facts.final_url).to_ascii_lowercase();
    let led = facts.final_url != facts.url && LOGIN.iter().any(|it| path.contains(it));
    if led {
        return link(Block::LoginWall, Some(false), &format!("the address leads to a login: {}", facts.final_url));
    }
    let password = facts.forms.iter().any(|it| it.password);
    if password && facts.body_word_count < 80 && facts.status == 200 {
        return link(Block::LoginWall, Some(false), "the page is a form that asks for a password, with hardly a text");
    }
    link(Block::LoginWall, Some(true), "no login is asked for")
}

fn by_soft_404(cx: &Cx, url: &Url, facts: &PageFacts, dom: Option<&Dom>, degraded: &mut Vec<Degraded>) -> Link {
    let Some(dom) = dom else { return link(Block::Soft404, None, "no HTML") };
    let heading = facts.headings.iter().filter(|it| it.level == 1).map(|it| it.text.as_str());
    let said: Vec<String> = facts.titles.iter().map(String::as_str).chain(heading).map(str::to_lowercase).collect();
    if facts.word_count < WORDS
        && let Some(phrase) = NOT_FOUND.iter().find(|phrase| said.iter().any(|it| it.contains(**phrase)))
    {
        return link(Block::Soft404, Some(false), &format!("the page says “{phrase}” and answers with status 200"));
    }
    if facts.word_count == 0 && facts.image_count == 0 {
        return link(Block::Soft404, Some(false), "the page has no text and no picture in its HTML");
    }
    if kit::url::path_and_query(&facts.final_url) == "/" {
        return link(Block::Soft404, Some(true), "a home page is none");
    }
    let made_up = format!("/espalier-{}", kit::text::hex(&cx.random::<8>()));
    let Some(made_up) = url.link(&made_up) else { return link(Block::Soft404, None, "no address to compare with") };
    match cx.web().fetch(&Request::get(&made_up).max_bytes(BYTES).timeout(8_000)) {
        Ok(other) if other.is_success() => {
            let share = likeness(dom, &Dom::parse(&other.text()));
            let same = share >= SAME;
            let detail = format!(
                "a made-up address answers with status 200, and {:.0} % of its text is the same",
                share * 100.0
            );
            link(Block::Soft404, Some(!same), &detail)
        }
        Ok(other) => {
            link(Block::Soft404, Some(true), &format!("a made-up address answers with status {}", other.status))
        }
        Err(failure) => {
            degraded.push(Degraded::new(
                "soft 404",
                format!("a made-up address could not be compared with: {}", failure.name()),
            ));
            link(Block::Soft404, None, "not compared")
        }
    }
}

/// How much of two pages' texts is the same, by runs of three words.
fn likeness(a: &Dom, b: &Dom) -> f64 {
    let set = |dom: &Dom| -> HashSet<u64> {
        let text = dom.elements("body").next().map(|body| dom.text(body)).unwrap_or_default().to_lowercase();
        let words: Vec<&str> = kit::text::words(&text).collect();
        shingles(&words, 3)
    };
    jaccard(&set(a), &set(b))
}
