//! The operation `onpage.heading.outline`, and the sections of a page under its headings.

use kit::bm25::Index;
use kit::extract::Kind;
use kit::terms::Analyzer;
use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;
use sdk::serde_json::json;

use crate::live::{self, Live};
use crate::siblings;
use crate::target;
use site::Site;
use site::live::Seen;

/// Queries of Search Console that are looked for.
const QUERIES: usize = 10;

#[args]
pub(crate) struct Outline {
    url: Url,
    /// The website it belongs to, when it is one of yours.
    site_id: Option<Id<Site>>,
    /// Queries to look for: each is given to the section that answers it best. The ten that bring the page the most clicks when
    /// they are left out, where Search Console tells them.
    queries: Option<List<Text<2, 120>, 0, 20>>,
}

#[value]
pub(crate) struct Outlined {
    /// The headings in document order, each with its place in the tree.
    outline: Vec<Heading>,
    problems: Vec<Problem>,
    words_by_section: Vec<Section>,
    page: Seen,
    degraded: Vec<Degraded>,
}

#[value]
struct Heading {
    /// From 1 to 6.
    level: u8,
    text: String,
    /// Position of the heading that this one stands under.
    parent: Option<u32>,
}

#[value]
struct Problem {
    kind: Wrong,
    /// Position in `outline`; null when it is about the whole page.
    heading: Option<u32>,
    message: String,
    /// The call that mends it or shows more.
    fix: Fix,
}

#[value]
enum Wrong {
    NoHeadings,
    MissingH1,
    SeveralH1,
    /// The first heading is not of level 1.
    StartsLower,
    /// A level is left out on the way down.
    SkippedLevel,
    Empty,
    Repeated,
    /// More than 90 characters.
    TooLong,
    /// A section of over 400 words without a heading inside.
    LongSection,
    /// A heading with nothing under it.
    EmptySection,
}

/// What stands under one heading, up to the next.
#[value]
struct Section {
    /// Position in `outline`; null for what stands before the first heading.
    heading: Option<u32>,
    words: u32,
    /// The queries that this section answers best, with its BM25 score.
    answers: Vec<Answered>,
}

#[value]
struct Answered {
    query: String,
    score: f64,
}

/// Returns the page's H1-H6 tree in document order with skipped levels, empty or repeated headings, words under each heading
/// and which queries each section answers.
///
/// Queries are those given as `queries`, else those that bring the page the most clicks. A section answers a query when it holds all of its words and scores best by BM25.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "show the heading structure of a page",
        "is there more than one h1",
        "are heading levels skipped",
        "which section of my page answers this query",
    ],
    examples = [{ "url": "https://shop.example/guides/lamps" }, { "url": "https://shop.example/guides/lamps", "queries": ["clean a brass lamp"] }]
)]
pub(crate) fn outline(cx: &Cx, args: Outline) -> Result<Outlined> {
    let website = siblings::website(cx, args.site_id.as_ref())?;
    let page = live::page(cx, &args.url, "/url")?;
    let website = website.or_else(|| site::of(cx, &page.facts.final_url));
    let outline = tree(&page);
    let sections = sections(&page);
    let problems = problems(&page, &outline, &sections, args.site_id.as_ref());
    let mut queries: Vec<String> = args.queries.iter().flat_map(|it| it.iter()).map(ToString::to_string).collect();
    let mut degraded = Vec::new();
    if queries.is_empty() {
        let known = website.as_ref().and_then(|it| target::queries(cx, it, &page.facts.final_url, QUERIES));
        queries = known.unwrap_or_default().into_iter().map(|it| it.query).collect();
    }
    if queries.is_empty() {
        let why = "no queries were given, and no search figures of the page are stored; with `queries` each is matched with its \
                   section";
        degraded.push(Degraded::new("queries", why));
    }
    let answers = answers(&page, &sections, &queries);
    let words_by_section = sections
        .iter()
        .zip(answers)
        .map(|(it, answers)| Section { heading: it.heading, words: kit::text::word_count(&it.text), answers })
        .collect();
    Ok(Outlined { outline, problems, words_by_section, page: page.seen(), degraded })
}

fn tree(page: &Live) -> Vec<Heading> {
    let mut open: Vec<(u8, u32)> = Vec::new();
    let mut out = Vec::new();
    for (position, heading) in (0..).zip(&page.facts.headings) {
        while open.pop_if(|(level, _)| *level >= heading.level).is_some() {}
        out.push(Heading { level: heading.level, text: clean(&heading.text), parent: open.last().map(|(_, at)| *at) });
        open.push((heading.level, position));
    }
    out
}

fn clean(text: &str) -> String {
    text.trim_end_matches('¶').trim().to_owned()
}

/// The text under a heading.
pub(crate) struct Under {
    /// Position among the page's headings.
    pub(crate) heading: Option<u32>,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// The content cut at its headings.
pub(crate) fn sections(page: &Live) -> Vec<Under> {
    let mut out = vec![Under { heading: None, title: String::new(), text: String::new() }];
    let mut after = 0;
    for block in &page.blocks {
        if let Kind::Heading(level) = block.kind {
            let title = clean(&block.text);
            let known =
                page.facts.headings[after..].iter().position(|it| it.level == level && clean(&it.text) == title);
            let heading = known.map(|at| after + at);
            after = heading.map_or(after, |at| at + 1);
            out.push(Under { heading: heading.and_then(|it| u32::try_from(it).ok()), title, text: String::new() });
        } else if let Some(last) = out.last_mut() {
            last.text.push_str(&block.text);
            last.text.push('\n');
        }
    }
    out.retain(|it| it.heading.is_some() || !it.text.is_empty());
    out
}

fn problems(page: &Live, outline: &[Heading], sections: &[Under], site: Option<&Id<Site>>) -> Vec<Problem> {
    let url = page.facts.final_url.as_str();
    let fix = || match site {
        Some(site) => Fix::new("content.refresh.plan", json!({ "site_id": site, "url": url }))
            .if_served()
            .unwrap_or_else(|| Fix::on("audit.page.check", url)),
        None => Fix::on("audit.page.check", url),
    };
    let mut out = Vec::new();
    let mut add = |kind, heading: Option<usize>, message: String| {
        out.push(Problem { kind, heading: heading.and_then(|it| u32::try_from(it).ok()), message, fix: fix() });
    };
    if outline.is_empty() {
        add(Wrong::NoHeadings, None, "the page has no headings".to_owned());
        return out;
    }
    let first = outline.iter().filter(|it| it.level == 1).count();
    match first {
        0 => add(Wrong::MissingH1, None, "no heading of level 1 says what the page is about".to_owned()),
        1 => {}
        more => add(Wrong::SeveralH1, None, format!("{more} headings of level 1")),
    }
    if first > 0 && outline[0].level != 1 {
        add(Wrong::StartsLower, Some(0), format!("the first heading is of level {}", outline[0].level));
    }
    for (at, heading) in outline.iter().enumerate() {
        let before = at.checked_sub(1).map(|it| outline[it].level);
        if let Some(before) = before.filter(|before| heading.level > before + 1) {
            add(Wrong::SkippedLevel, Some(at), format!("level {} follows level {before}", heading.level));
        }
        let length = heading.text.chars().count();
        if length == 0 {
            add(Wrong::Empty, Some(at), "the heading has no text".to_owned());
        } else if outline[..at].iter().any(|it| it.text == heading.text && it.parent == heading.parent) {
            add(Wrong::Repeated, Some(at), format!("“{}” stands twice", heading.text));
        }
        if length > 90 {
            add(Wrong::TooLong, Some(at), format!("{length} characters"));
        }
    }
    for section in sections {
        let Some(at) = section.heading.map(|it| it as usize) else { continue };
        let words = kit::text::word_count(&section.text);
        if words > 400 {
            add(Wrong::LongSection, Some(at), format!("{words} words without a heading"));
        }
        let deeper = outline.get(at + 1).is_some_and(|next| next.level > outline[at].level);
        if words == 0 && !deeper {
            add(Wrong::EmptySection, Some(at), "nothing stands under the heading".to_owned());
        }
    }
    out
}

/// Which queries each section answers best.
fn answers(page: &Live, sections: &[Under], queries: &[String]) -> Vec<Vec<Answered>> {
    let mut out: Vec<Vec<Answered>> = sections.iter().map(|_| Vec::new()).collect();
    let analyzer = Analyzer::new(&page.language(None));
    let passages: Vec<Vec<String>> =
        sections.iter().map(|it| analyzer.stems(&format!("{}\n{}", it.title, it.text))).collect();
    let index = Index::new(&passages);
    for query in queries {
        let terms = analyzer.query(query);
        let scores = index.scores(&terms);
        let whole = |at: &usize| terms.iter().all(|term| passages[*at].contains(term));
        let best = (0..scores.len()).filter(whole).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)));
        if let Some(best) = best {
            out[best].push(Answered { query: query.clone(), score: kit::statistics::round(scores[best], 3) });
        }
    }
    out
}

#[cfg(test)]
mod tests;
