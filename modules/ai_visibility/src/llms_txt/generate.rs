//! The operation `ai_visibility.llms_txt.generate`.

use std::collections::{BTreeMap, HashMap};

use kit::page::PageFacts;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use search::Clicks;
use site::{Crawled, Run, Site};

use super::format::escaped;
use super::name;

/// Pages of a crawl that are read.
const PAGES: usize = 5_000;
/// Bytes of llms-full.txt.
const MAX_FULL: usize = 2 << 20;
/// The share of links that one section may have.
const SECTION: f64 = 0.4;
/// Pages that make a section.
const LEAST: usize = 3;
/// Characters of a description.
const DESCRIPTION: usize = 160;

#[args]
pub(crate) struct Generate {
    /// The website.
    site_id: Id<Site>,
    /// The crawl; the newest one when left out.
    run_ref: Option<Id<Run>>,
    /// The most links.
    #[default(60)]
    max_links: Count<10, 300>,
    /// Make llms-full.txt too: the main texts of the pages as Markdown, 2 MiB at most.
    #[default(false)]
    full: bool,
}

/// A page that is named.
#[value]
pub(crate) struct Included {
    url: String,
    title: String,
    section: String,
    /// From 0 to 1: link authority, clicks, type and depth.
    value: f64,
}

/// A file that was generated.
#[value]
pub(crate) struct Generated {
    /// To be put at `/llms.txt`.
    llms_txt: String,
    /// To be put at `/llms-full.txt`; null without `full` and where no text was kept.
    llms_full_txt: Option<String>,
    /// The crawl that its texts are of.
    full_ref: Option<Id<Run>>,
    included: Vec<Included>,
    /// Pages that are left out, by reason.
    excluded_reasons: BTreeMap<String, u64>,
    #[own]
    note: String,
    basis: Basis,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// A page that could be named.
struct Candidate {
    url: String,
    title: String,
    description: Option<String>,
    depth: u32,
    kind: f64,
    authority: f64,
    clicks: u64,
    value: f64,
    text: Option<kit::crawled::TextAt>,
}

/// Generates llms.txt (title, summary, sections, described links) and optionally llms-full.txt from the most important indexable pages by authority, clicks and type.
///
/// A page is worth .4 of its link authority, .3 of its place by clicks, .2 of its type and .1 of its depth; no section has more than four of ten
/// links. The title is the website's own brand where it is set, else
/// `og:site_name` of its home page, else what most titles begin or end with, else a short title of the home page, else the host. A
/// description is the page's own, else its first sentence.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = max_links, unit = "links"),
    needs = ["store"],
    phrasings = ["make an llms.txt for my site", "generate llms-full.txt", "which pages belong into llms.txt", "file for language models"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "max_links": 120, "full": true }]
)]
pub(crate) fn generate(cx: &Cx, args: Generate) -> Result<sdk::Answer<Generated>> {
    let site = site::get(cx, &args.site_id)?;
    let run = match &args.run_ref {
        Some(run) => site::readable(cx, run)?,
        None => site::required(cx, &site.id)?,
    };
    let mut degraded = Vec::new();
    let mut excluded: BTreeMap<String, u64> = BTreeMap::new();
    let mut pages = candidates(cx, &run, &mut excluded, &mut degraded);
    weigh(cx, &site, &run.id, &mut pages, &mut degraded);
    pages.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.url.cmp(&b.url)));
    let most = usize::try_from(args.max_links.get()).unwrap_or(0);
    let sections = sections(&pages, most, &mut excluded);
    let home =
        cx.records::<Crawled>().find(&Id::new(kit::crawled::page_id(run.id.as_str(), &format!("{}/", site.origin))));
    let called = name::of(cx, &site, home.as_ref().map(|it| &it.0.facts), pages.iter().map(|it| it.title.as_str()));
    let summary = home.and_then(|it| it.0.facts.descriptions.first().cloned()).filter(|it| !it.trim().is_empty());
    if summary.is_none() {
        degraded.push(Degraded::new("summary", "the home page has no description, so that the file has no summary"));
    }
    let llms_txt = written(&called, summary.as_deref(), &sections);
    let llms_full_txt = if args.full { full(cx, &run, &called, &sections) } else { None };
    if args.full && llms_full_txt.is_none() {
        degraded.push(Degraded::new("llms_full_txt", "the crawl kept no texts of these pages"));
    }
    let full_ref = llms_full_txt.as_ref().map(|_| run.id.clone());
    let included: Vec<Included> = sections
        .iter()
        .flat_map(|(section, pages)| pages.iter().map(move |it| (section, it)))
        .map(|(section, it)| Included {
            url: it.url.clone(),
            title: it.title.clone(),
            section: section.clone(),
            value: kit::statistics::round(it.value, 4),
        })
        .collect();
    let note = "no large assistant promises to read llms.txt; it costs little, and tools for programmers do read it"
        .to_owned();
    let next = Next::new(
        "ai_visibility.llms_txt.validate",
        json!({ "origin": site.origin }),
        "checks the file once it is at /llms.txt",
    );
    let count = included.len() as u64;
    let basis = site::basis(cx, &run);
    let generated = Generated {
        llms_txt,
        llms_full_txt,
        full_ref,
        included,
        excluded_reasons: excluded,
        note,
        basis,
        next: vec![next],
        degraded,
    };
    Ok(sdk::Answer::new(generated).units(count))
}

/// Pages that may be named: 200, indexable, their own canonical.
fn candidates(
    cx: &Cx,
    run: &Stored<Run>,
    excluded: &mut BTreeMap<String, u64>,
    degraded: &mut Vec<Degraded>,
) -> Vec<Candidate> {
    let rows = cx.records::<Crawled>().by("run_seq").equals(&run.id).scan();
    let mut out = Vec::new();
    for (read, page) in rows.enumerate() {
        if read == PAGES {
            degraded.push(Degraded::new("pages", "the first 5,000 pages of the crawl are considered"));
            break;
        }
        let page = page.into_inner().0;
        let title = page.facts.titles.first().map(|it| escaped(it)).filter(|it| !it.is_empty());
        let title = title.or_else(|| page.facts.headings.iter().find(|it| it.level == 1).map(|it| escaped(&it.text)));
        let reason = match () {
            () if !page.facts.is_html => Some("not_html"),
            () if !page.facts.indexability.is_indexable() => Some(page.facts.indexability.reason.word()),
            () if title.is_none() => Some("no_title"),
            () if page.url.contains('?') => Some("parameters"),
            () if is_minor(&page.url) => Some("account_or_legal"),
            () => None,
        };
        if let Some(reason) = reason {
            *excluded.entry(reason.to_owned()).or_default() += 1;
            continue;
        }
        out.push(Candidate {
            description: described(&page.facts),
            kind: kind(&page.facts),
            title: title.unwrap_or_default(),
            url: page.url,
            depth: page.depth,
            authority: 0.0,
            clicks: 0,
            value: 0.0,
            text: page.text,
        });
    }
    out
}

/// Pages that say nothing of the website's substance.
fn is_minor(url: &str) -> bool {
    const MINOR: &[&str] = &[
        "login",
        "signin",
        "register",
        "account",
        "cart",
        "checkout",
        "basket",
        "privacy",
        "terms",
        "imprint",
        "impressum",
        "datenschutz",
        "agb",
        "cookie",
        "cookies",
        "wishlist",
        "tag",
        "author",
        "page",
        "feed",
        "search",
    ];
    let path = kit::url::Url::parse(url).map(|it| it.path().to_lowercase()).unwrap_or_default();
    path.split(['/', '-', '.']).any(|it| MINOR.contains(&it))
}

/// The page's own description, else its first sentence.
fn described(facts: &PageFacts) -> Option<String> {
    let own = facts.descriptions.first().map(|it| kit::text::collapse(it)).filter(|it| !it.is_empty());
    if let Some(own) = own.filter(|it| it.chars().count() <= DESCRIPTION) {
        return Some(own);
    }
    let first = kit::sentence::sentences(&facts.excerpt).first().map(|it| kit::text::collapse(it));
    first.filter(|it| it.split_whitespace().count() > 3).map(|it| kit::text::clip(&it, DESCRIPTION).to_owned())
}

/// How much a page's type is worth: guides and products before lists.
fn kind(facts: &PageFacts) -> f64 {
    let has = |kinds: &[&str]| facts.structured.nodes.iter().any(|node| kinds.iter().any(|it| node.is(it)));
    match () {
        () if has(&["HowTo", "FAQPage", "TechArticle", "Article", "BlogPosting", "NewsArticle"]) => 1.0,
        () if has(&["Product", "Service", "SoftwareApplication", "Course", "Recipe"]) => 0.9,
        () if has(&["AboutPage", "ContactPage", "Organization", "LocalBusiness"]) => 0.8,
        () if facts.word_count >= 300 => 0.7,
        () if has(&["CollectionPage", "ItemList"]) => 0.5,
        () => 0.4,
    }
}

fn weigh(cx: &Cx, site: &Stored<Site>, run: &Id<Run>, pages: &mut [Candidate], degraded: &mut Vec<Degraded>) {
    let graph = linkgraph::newest(cx, &site.id).and_then(|graph| linkgraph::pages(cx, &graph));
    match graph {
        Some(nodes) => {
            let known: HashMap<String, f64> = nodes.into_iter().map(|it| (it.url, it.authority)).collect();
            let greatest = known.values().copied().fold(f64::MIN_POSITIVE, f64::max);
            pages
                .iter_mut()
                .for_each(|it| it.authority = known.get(&it.url).map_or(0.0, |found| (found / greatest).sqrt()));
        }
        None => {
            let missing = Degraded::new(
                "authority",
                "no link graph of this website is built, so that pages count by clicks, type and depth",
            );
            degraded.push(missing.supplied_by("links.graph.build", json!({ "run_ref": run })));
        }
    }
    match Clicks::newest(cx, &site.id) {
        Some(clicks) => pages.iter_mut().for_each(|it| it.clicks = clicks.of(&it.url)),
        None => {
            let missing = Degraded::new("clicks", "no Search Console figures of this website are stored");
            degraded.push(missing.supplied_by("search_console.sync.run", json!({ "site_id": site.id })));
        }
    }
    let mut sorted: Vec<u64> = pages.iter().map(|it| it.clicks).collect();
    sorted.sort_unstable();
    #[expect(clippy::cast_precision_loss, reason = "pages of a crawl")]
    let percentile = |clicks: u64| {
        if clicks == 0 { 0.0 } else { sorted.partition_point(|it| *it < clicks) as f64 / sorted.len() as f64 }
    };
    for it in pages.iter_mut() {
        let depth = 1.0 / (1.0 + f64::from(it.depth));
        it.value = 0.4 * it.authority + 0.3 * percentile(it.clicks) + 0.2 * it.kind + 0.1 * depth;
    }
}

/// The best pages by the first part of their path; small sections go to the end as optional.
fn sections<'a>(
    pages: &'a [Candidate],
    most: usize,
    excluded: &mut BTreeMap<String, u64>,
) -> Vec<(String, Vec<&'a Candidate>)> {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 300 links"
    )]
    let cap = ((most as f64 * SECTION).ceil() as usize).max(LEAST);
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut chosen: Vec<(String, &Candidate)> = Vec::new();
    for page in pages {
        let section = section(&page.url);
        let count = counts.entry(section.clone()).or_default();
        if chosen.len() == most {
            *excluded.entry("beyond_max_links".to_owned()).or_default() += 1;
        } else if *count == cap {
            *excluded.entry("section_full".to_owned()).or_default() += 1;
        } else {
            *count += 1;
            chosen.push((section, page));
        }
    }
    let mut out: Vec<(String, Vec<&Candidate>)> = Vec::new();
    let mut rest: Vec<&Candidate> = Vec::new();
    for (section, page) in chosen {
        if counts.get(&section).is_some_and(|it| *it < LEAST) {
            rest.push(page);
            continue;
        }
        match out.iter_mut().find(|it| it.0 == section) {
            Some(known) => known.1.push(page),
            None => out.push((section, vec![page])),
        }
    }
    if !rest.is_empty() {
        // Where nothing else is there, the pages are the substance.
        let name = if out.is_empty() { "Pages" } else { "Optional" };
        out.push((name.to_owned(), rest));
    }
    out
}

/// The first part of a path in words, `Main` for what has none below it.
fn section(url: &str) -> String {
    let parts: Vec<String> = kit::url::Url::parse(url)
        .map(|it| it.path().split('/').filter(|it| !it.is_empty()).map(kit::url::decoded).collect())
        .unwrap_or_default();
    if parts.len() < 2 {
        return "Main".to_owned();
    }
    let words = escaped(&parts[0].replace(['-', '_'], " "));
    let mut letters = words.chars();
    letters.next().map_or_else(|| "Main".to_owned(), |first| first.to_uppercase().chain(letters).collect())
}

fn written(title: &str, summary: Option<&str>, sections: &[(String, Vec<&Candidate>)]) -> String {
    let mut out = format!("# {}\n", escaped(title));
    if let Some(summary) = summary {
        out.push_str(&format!("\n> {}\n", kit::text::collapse(summary)));
    }
    for (section, pages) in sections {
        out.push_str(&format!("\n## {section}\n\n"));
        for page in pages {
            let about = page.description.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
            out.push_str(&format!("- [{}]({}){about}\n", page.title, page.url.replace(')', "%29")));
        }
    }
    out
}

/// llms-full.txt: the main texts of the pages, as many as fit.
fn full(cx: &Cx, run: &Stored<Run>, title: &str, sections: &[(String, Vec<&Candidate>)]) -> Option<String> {
    let mut out = format!("# {}\n", escaped(title));
    let empty = out.len();
    for page in sections.iter().flat_map(|it| &it.1) {
        let Some(text) = page.text.as_ref().and_then(|at| texts::at(cx, run.id.as_str(), at)) else { continue };
        let body = if text.markdown.is_empty() { text.plain } else { text.markdown };
        let part = format!("\n---\n\n## {}\n\nSource: {}\n\n{}\n", page.title, page.url, body.trim());
        if out.len() + part.len() > MAX_FULL {
            break;
        }
        out.push_str(&part);
    }
    (out.len() > empty).then_some(out)
}
