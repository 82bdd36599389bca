//! The operation `onpage.render_risk.check`: how much of a page only scripts would show.

use kit::dom::{Dom, NodeId};
use sdk::Fix;
use sdk::prelude::*;

use crate::live::{self, Live};
use site::live::Seen;

/// Elements that frameworks fill, by id.
const ROOTS: &[&str] =
    &["root", "app", "__next", "__nuxt", "___gatsby", "main-app", "app-root", "svelte", "q-app", "react-root"];
/// Marks of data that a page is built from, and whose they are.
const HYDRATION: &[(&str, &str)] = &[
    ("__NEXT_DATA__", "Next.js"),
    ("self.__next_f", "Next.js"),
    ("__NUXT__", "Nuxt"),
    ("__NUXT_DATA__", "Nuxt"),
    ("__APOLLO_STATE__", "Apollo"),
    ("__INITIAL_STATE__", "an initial state"),
    ("__PRELOADED_STATE__", "Redux"),
    ("__remixContext", "Remix"),
    ("__sveltekit", "SvelteKit"),
    ("window.__data", "page data"),
];

#[args]
pub(crate) struct Check {
    url: Url,
}

#[value]
pub(crate) struct Checked {
    risk: Risk,
    /// From 0 to 100: the weights of the signals that were found.
    score: u32,
    signals: Vec<Signal>,
    /// Words of the main text in the source.
    source_words: u32,
    /// Links that can be crawled in the source.
    source_links: u32,
    /// Characters of scripts for each character of visible text.
    script_to_text: f64,
    advice: Vec<Advice>,
    page: Seen,
}

#[value]
enum Risk {
    Low,
    Medium,
    High,
}

#[value]
struct Signal {
    kind: Kind,
    /// What it adds to the score.
    weight: u32,
    message: String,
}

#[value]
enum Kind {
    /// An element that scripts fill holds nothing.
    EmptyRoot,
    FewWords,
    FewLinks,
    MoreScriptThanText,
    MissingTitle,
    MissingDescription,
    MissingHeading,
    /// Data for scripts hold several times the words of the page.
    ContentInData,
    /// `noscript` asks for JavaScript.
    AsksForScript,
    /// Links without an address, that only scripts follow.
    ScriptLinks,
    /// A fragment such as `#!/path` stands for a page.
    HashRouting,
}

#[value]
struct Advice {
    text: String,
    /// The call that mends it or shows more.
    fix: Fix,
}

/// Estimates dependence on JavaScript from raw HTML: text-to-script ratio, empty app roots, links and metadata missing from the
/// source, hydration data holding the content, noscript fallback.
///
/// Nothing is rendered; this is an estimate from the source alone. A score of 50 and more is high, of 25 and more medium.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "can google see my page without javascript",
        "is my content client side rendered",
        "does this single page app have seo problems",
        "is the text in the html source",
    ],
    examples = [{ "url": "https://shop.example/" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let page = live::page(cx, &args.url, "/url")?;
    let dom = &page.dom;
    let words = page.facts.body_word_count;
    let links = page.facts.link_counts.internal + page.facts.link_counts.external;
    let (script, data_words) = scripts(dom);
    let body = dom.elements("body").next();
    let visible = body.map_or(0, |body| page.content.measures.length(body));
    let ratio = f64::from(script) / f64::from(visible.max(1));
    let mut signals = Vec::new();
    let mut add = |kind, weight, message: String| signals.push(Signal { kind, weight, message });
    if let Some(root) = empty_root(&page) {
        add(Kind::EmptyRoot, 40, format!("<{} id={root}> is empty in the source", "div"));
    }
    match words {
        0..50 => add(Kind::FewWords, 25, format!("{words} words in the source")),
        50..150 => add(Kind::FewWords, 10, format!("{words} words in the source")),
        _ => {}
    }
    if links < 3 {
        add(Kind::FewLinks, 10, format!("{links} links in the source"));
    }
    if ratio > 20.0 {
        add(Kind::MoreScriptThanText, 15, format!("{ratio:.0} characters of script for each of text"));
    } else if ratio > 5.0 {
        add(Kind::MoreScriptThanText, 5, format!("{ratio:.0} characters of script for each of text"));
    }
    if page.title().is_empty() {
        add(Kind::MissingTitle, 10, "no title in the source".to_owned());
    }
    if page.description().is_empty() {
        add(Kind::MissingDescription, 3, "no description in the source".to_owned());
    }
    if page.facts.h1_count == 0 {
        add(Kind::MissingHeading, 7, "no heading of level 1 in the source".to_owned());
    }
    if let Some((_, whose)) = HYDRATION.iter().find(|(mark, _)| page.html.contains(mark))
        && data_words > 3 * words.max(20)
    {
        add(Kind::ContentInData, 15, format!("data of {whose} hold about {data_words} words, the page {words}"));
    }
    if dom.elements("noscript").any(|id| asks(&noscript(dom, id))) {
        add(Kind::AsksForScript, 10, "noscript asks to turn JavaScript on".to_owned());
    }
    if page.facts.link_counts.uncrawlable > 5 && page.facts.link_counts.uncrawlable > links {
        add(Kind::ScriptLinks, 10, format!("{} links without an address", page.facts.link_counts.uncrawlable));
    }
    let hashes = dom
        .elements("a")
        .filter(|id| dom.attribute(*id, "href").is_some_and(|it| it.starts_with("#/") || it.starts_with("#!")))
        .count();
    if hashes > 0 {
        add(Kind::HashRouting, 10, format!("{hashes} links lead to fragments that stand for pages"));
    }
    let score = signals.iter().map(|it| it.weight).sum::<u32>().min(100);
    let risk = match score {
        50.. => Risk::High,
        25.. => Risk::Medium,
        _ => Risk::Low,
    };
    Ok(Checked {
        risk,
        score,
        advice: advice(&signals, &page.facts.final_url),
        signals,
        source_words: words,
        source_links: links,
        script_to_text: kit::statistics::round(ratio, 2),
        page: page.seen(),
    })
}

/// The id of an element that frameworks fill and that holds no text.
fn empty_root(page: &Live) -> Option<String> {
    let dom = &page.dom;
    let empty =
        |id: &NodeId| page.content.measures.length(*id) == 0 && matches!(dom.name(*id), "div" | "main" | "app-root");
    let named = |id: NodeId| dom.attribute(id, "id").filter(|it| ROOTS.contains(it)).map(str::to_owned);
    let custom = |id: NodeId| (dom.name(id) == "app-root").then(|| "app-root".to_owned());
    dom.descendants(0).filter(empty).find_map(|id| named(id).or_else(|| custom(id)))
}

/// Characters of scripts, and words inside the data among them.
fn scripts(dom: &Dom) -> (u32, u32) {
    let (mut characters, mut words) = (0_usize, 0_u32);
    for id in dom.elements("script") {
        let text = dom.own_text(id);
        let kind = dom.attribute(id, "type").unwrap_or_default();
        if kind.contains("ld+json") {
            continue;
        }
        characters += text.chars().count();
        if kind.contains("json")
            || HYDRATION.iter().any(|(mark, _)| text.contains(mark))
            || dom.attribute(id, "id").is_some_and(|it| it.starts_with("__"))
        {
            words = words.saturating_add(prose(&text));
        }
    }
    (u32::try_from(characters).unwrap_or(u32::MAX), words)
}

/// Words in quoted texts that hold a space: prose, not keys.
fn prose(data: &str) -> u32 {
    data.split('"').filter(|it| it.contains(' ') && !it.contains('{')).map(kit::text::word_count).sum()
}

/// The text of a `noscript`, whose content is markup in the head and text in some parsers.
fn noscript(dom: &Dom, id: NodeId) -> String {
    let below = dom.descendants(id).map(|it| dom.own_text(it));
    std::iter::once(dom.own_text(id)).chain(below).collect::<Vec<_>>().join(" ").to_lowercase()
}

fn asks(text: &str) -> bool {
    ["javascript", "js "].iter().any(|it| text.contains(it))
        && ["enable", "turn on", "need", "require", "aktivier", "activ", "attiv", "habilit"]
            .iter()
            .any(|it| text.contains(it))
}

fn advice(signals: &[Signal], url: &str) -> Vec<Advice> {
    let has = |kinds: &[Kind]| signals.iter().any(|it| kinds.contains(&it.kind));
    let mut out = Vec::new();
    let mut add =
        |text: &str, operation: &str| out.push(Advice { text: text.to_owned(), fix: Fix::on(operation, url) });
    if has(&[Kind::EmptyRoot, Kind::FewWords, Kind::ContentInData]) {
        add("Render the content on the server, or write it into the page at build time.", "onpage.content.extract");
    }
    if has(&[Kind::FewLinks, Kind::ScriptLinks, Kind::HashRouting]) {
        add("Write links as <a href> with real addresses.", "onpage.link.check");
    }
    if has(&[Kind::MissingTitle, Kind::MissingDescription, Kind::MissingHeading]) {
        add("Send title, description and main heading with the source.", "audit.page.check");
    }
    out
}

#[cfg(test)]
mod tests;
