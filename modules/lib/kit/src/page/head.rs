//! Titles, meta and link elements.

use html5ever::Attribute;

use super::parts::{Alternate, Canonical, MetaRefresh, Place as Stands, Resource};
use super::read::resolved;
use super::structured::fill;
use super::walk::{Place, Walk};
use crate::directives;
use crate::dom::{NodeId, attribute};
use crate::text::{clip, collapse_to};

/// The longest content kept, in characters.
const LONGEST: usize = 1_000;

pub(super) fn read(walk: &mut Walk<'_>, id: NodeId, name: &str, attrs: &[Attribute], place: Place) {
    match name {
        "title" => title(walk, id, place),
        "meta" => meta(walk, attrs, place),
        _ => link(walk, attrs, place),
    }
}

fn title(walk: &mut Walk<'_>, id: NodeId, place: Place) {
    let title = collapse_to(&walk.dom.own_text(id), LONGEST);
    misplaced(walk, place, "title");
    if walk.facts.titles.len() < 10 {
        walk.facts.titles.push(title);
    }
}

fn misplaced(walk: &mut Walk<'_>, place: Place, what: &str) {
    let list = &mut walk.facts.head_end.misplaced;
    if place.in_body && list.len() < 20 {
        list.push(what.to_owned());
    }
}

fn meta(walk: &mut Walk<'_>, attrs: &[Attribute], place: Place) {
    let content = attribute(attrs, "content").unwrap_or_default();
    charset(walk, attrs, content);
    if let Some(pragma) = attribute(attrs, "http-equiv") {
        keep(walk, &format!("http-equiv:{}", clip(pragma.trim(), 40).to_ascii_lowercase()), content);
    }
    if attribute(attrs, "http-equiv").is_some_and(|value| value.eq_ignore_ascii_case("refresh")) {
        if walk.facts.meta_refresh.is_none() {
            walk.facts.meta_refresh = refresh(walk, content);
        }
        return;
    }
    if let Some(itemprop) = attribute(attrs, "itemprop") {
        match itemprop {
            "datePublished" => fill(&mut walk.facts.published, Some(content)),
            "dateModified" => fill(&mut walk.facts.modified, Some(content)),
            _ => {}
        }
    }
    let Some(name) = attribute(attrs, "name").or_else(|| attribute(attrs, "property")) else { return };
    let name = name.trim().to_ascii_lowercase();
    match name.as_str() {
        "description" => {
            misplaced(walk, place, "meta:description");
            if walk.facts.descriptions.len() < 10 {
                walk.facts.descriptions.push(collapse_to(content, LONGEST));
            }
        }
        _ if attribute(attrs, "name").is_some() && directives::is_meta_for(&name, directives::CRAWLER) => {
            misplaced(walk, place, "meta:robots");
            let found = directives::split(content).into_iter().map(|one| collapse_to(&one, 100));
            walk.facts.meta_robots.extend(found.take(20));
            walk.facts.meta_robots.truncate(40);
        }
        "viewport" if walk.facts.viewport.is_none() => walk.facts.viewport = Some(collapse_to(content, 200)),
        "generator" if walk.facts.generator.is_none() => walk.facts.generator = Some(collapse_to(content, 200)),
        "author" | "article:author" if walk.facts.byline_markup.is_none() && !content.starts_with("http") => {
            walk.facts.byline_markup = Some(collapse_to(content, 120)).filter(|name| !name.is_empty());
        }
        "article:published_time" | "date" | "dc.date" | "dcterms.created" => {
            fill(&mut walk.facts.published, Some(content))
        }
        "article:modified_time" | "last-modified" | "dcterms.modified" | "og:updated_time" => {
            fill(&mut walk.facts.modified, Some(content))
        }
        _ => {}
    }
    if OTHERS.contains(&name.as_str()) {
        keep(walk, &name, content);
    }
    let family = if name.starts_with("og:") {
        Some((&mut walk.facts.open_graph, 40))
    } else if name.starts_with("twitter:") {
        Some((&mut walk.facts.twitter, 20))
    } else {
        None
    };
    if let Some((list, most)) = family
        && list.len() < most
    {
        list.push((clip(&name, 60).to_owned(), collapse_to(content, LONGEST)));
    }
}

/// Names of `<meta>` that are kept as they are.
const OTHERS: &[&str] = &[
    "application-name",
    "bingbot",
    "fb:app_id",
    "google",
    "googlebot-news",
    "keywords",
    "news_keywords",
    "rating",
    "referrer",
    "theme-color",
];

fn keep(walk: &mut Walk<'_>, name: &str, content: &str) {
    if walk.facts.metas.len() < 20 {
        walk.facts.metas.push((name.to_owned(), collapse_to(content, 300)));
    }
}

/// Notes an encoding that the element declares, in one of its two forms (HTML 4.2.5.4).
fn charset(walk: &mut Walk<'_>, attrs: &[Attribute], content: &str) {
    let pragma = attribute(attrs, "http-equiv").is_some_and(|it| it.trim().eq_ignore_ascii_case("content-type"));
    let label = attribute(attrs, "charset").or_else(|| {
        let (_, label) = content.split_once("charset=").filter(|_| pragma)?;
        label.split(';').next()
    });
    let label = label.map(|label| collapse_to(label.trim_matches(['"', '\'', ' ']), 40).to_ascii_lowercase());
    if let Some(label) = label.filter(|label| !label.is_empty() && walk.facts.meta_charsets.len() < 5) {
        walk.facts.meta_charsets.push(label);
    }
}

/// `5; url=/next` (HTML 4.2.5.3).
fn refresh(walk: &Walk<'_>, content: &str) -> Option<MetaRefresh> {
    let content = content.trim_start();
    let digits = content.find(|c: char| !c.is_ascii_digit()).unwrap_or(content.len());
    let seconds = if digits == 0 && content.starts_with('.') { 0 } else { content[..digits].parse().ok()? };
    let rest = content[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let rest = rest.trim_start_matches(|c: char| c == ';' || c == ',' || c.is_whitespace());
    let target = match rest.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("url") => {
            rest[3..].trim_start().strip_prefix('=').unwrap_or(rest).trim_start()
        }
        _ => rest,
    };
    let target = target.trim_matches(['"', '\'', ' ']);
    let url = if target.is_empty() { None } else { resolved(&walk.base, target) };
    Some(MetaRefresh { seconds, url })
}

fn link(walk: &mut Walk<'_>, attrs: &[Attribute], place: Place) {
    let Some(rel) = attribute(attrs, "rel") else { return };
    let href = attribute(attrs, "href").unwrap_or_default();
    let rel = rel.to_ascii_lowercase();
    let stands = if place.in_body { Stands::Body } else { Stands::Head };
    for relation in rel.split_ascii_whitespace() {
        let url = resolved(&walk.base, href);
        match relation {
            "canonical" => {
                misplaced(walk, place, "link:canonical");
                if walk.facts.canonicals.len() < 10 {
                    let restricted = ["hreflang", "lang", "media", "type"].into_iter();
                    let restricted = restricted.filter(|key| attribute(attrs, key).is_some()).map(str::to_owned).next();
                    // A language version or a feed, and not this page's canonical address.
                    let mixed = rel.split_ascii_whitespace().any(|it| it == "alternate");
                    let restricted = restricted.or_else(|| mixed.then(|| "alternate".to_owned()));
                    let href = clip(href, 2_048).to_owned();
                    walk.facts.canonicals.push(Canonical { href, url, place: stands, restricted });
                }
            }
            "alternate" => {
                if let Some(lang) = attribute(attrs, "hreflang") {
                    misplaced(walk, place, "link:hreflang");
                    if walk.facts.hreflang.len() < 300 {
                        let (lang, href) = (collapse_to(lang, 40), clip(href, 2_048).to_owned());
                        walk.facts.hreflang.push(Alternate { lang, href, url, place: stands });
                    }
                }
            }
            "stylesheet" => {
                resource(walk, "style", url, attrs, !place.in_body && blocks(attribute(attrs, "media")));
            }
            "preload" | "modulepreload" => {
                let kind = if attribute(attrs, "as") == Some("font") { "font" } else { "preload" };
                resource(walk, kind, url, attrs, false);
            }
            "icon" => walk.facts.icon = walk.facts.icon.take().or(url),
            "amphtml" => walk.facts.amphtml = walk.facts.amphtml.take().or(url),
            "next" => walk.facts.next = walk.facts.next.take().or(url),
            "prev" | "previous" => walk.facts.prev = walk.facts.prev.take().or(url),
            _ => {}
        }
    }
}

/// A style sheet for print or for narrow conditions does not hold up the first paint.
fn blocks(media: Option<&str>) -> bool {
    media.is_none_or(|media| matches!(media.trim(), "" | "all" | "screen"))
}

/// Notes something that the page loads.
pub(super) fn resource(walk: &mut Walk<'_>, kind: &str, url: Option<String>, attrs: &[Attribute], blocking: bool) {
    let Some(url) = url else { return };
    walk.note_insecure(&url);
    if walk.facts.resources.len() < 200 {
        let early = matches!(kind, "preload" | "font");
        walk.facts.resources.push(Resource {
            kind: kind.to_owned(),
            url,
            blocking,
            integrity: attribute(attrs, "integrity").is_some_and(|value| !value.trim().is_empty()),
            cors: attribute(attrs, "crossorigin").is_some(),
            purpose: attribute(attrs, "as").filter(|_| early).map(|it| collapse_to(it, 20).to_ascii_lowercase()),
        });
    }
}
