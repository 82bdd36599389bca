//! The operation `links.suggestion.for_page`.

use kit::phrases::own_titles;
use kit::url::normalize;
use sdk::Basis;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::engine::{Candidate, Engine, rank};
use crate::node;
use crate::stored::Graph;
use crate::summary::short;
use crate::usage::Usage;
use site::Site;
use texts::Text;

/// Pages that are read for links to one page: those that answer its name best.
const READ: usize = 60;

/// Pages whose links are read for each suggestion that is asked for: on some the words are a link already.
const SPARE: usize = 2;

/// Links to the page, from it, or both.
#[value]
pub(crate) enum Direction {
    In,
    Out,
    Both,
}

/// Queries of a page that it is called by, and the last position at which one speaks of it.
const QUERIES: usize = 10;
const LAST_POSITION: f64 = 20.0;

#[args]
pub(crate) struct Suggest {
    /// The website.
    site_id: Id<Site>,
    /// A page of its newest crawl with a link graph.
    url: Url,
    /// Links to the page, from it, or both.
    #[default("both")]
    direction: Direction,
    /// At most this many.
    #[default(15)]
    limit: Count<1, 50>,
}

/// A place for a link.
#[value]
pub(crate) struct Place {
    /// The page that would link.
    source: String,
    /// The page that it would link to.
    target: String,
    /// The sentence, as the crawl read it.
    sentence: String,
    /// Words of the sentence, as they stand in it.
    anchor: String,
    /// How much it counts; only good to compare.
    score: f64,
}

/// Places for links.
#[value]
pub(crate) struct Places {
    /// The best first.
    suggestions: Vec<Place>,
    /// What stores suggestions for this page, to be decided and put in.
    next: Vec<Next>,
    /// What they stand on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Suggests links into and out of one page: BM25-F between its target queries and sentences of other pages, skipping existing links, quoting the exact sentence and anchor.
///
/// A page is named by the words of its title and first heading, and by the ten queries that bring it the most clicks, where Search
/// Console tells them. Links to it are looked for on the 60 pages whose texts
/// answer these words best, of less than 200,000 bytes each; links from it on the page itself. Headings, texts of links and
/// pairs that are linked or were rejected are left out, and so are names of one word that stands in more than one of twelve
/// texts. Nothing is stored.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "suggestions", most = limit),
    needs = ["store"],
    phrasings = [
        "where should I link to this page from",
        "suggest internal links for a page",
        "which sentences could link to my new article",
        "what should this post link to",
    ],
    examples = [
        { "site_id": "4503599627370496", "url": "https://shop.example/guides/oak" },
        { "site_id": "4503599627370496", "url": "https://shop.example/guides/oak", "direction": "in", "limit": 5 }
    ]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Answer<Places>> {
    let graph = basis::newest(cx, &args.site_id)?;
    let nodes = node::pages(cx, &graph)?;
    let numbers = node::by_url(&nodes);
    let wanted = normalize(args.url.as_str()).unwrap_or_else(|| args.url.to_string());
    let page = numbers.get(wanted.as_str()).copied().map(|at| nodes[at as usize].alias.unwrap_or(at));
    let Some(page) = page else {
        let message = "the newest crawl with a link graph has no page of this address; crawl the website again";
        return Err(Fault::not_found("page_not_found", message).at("/url"));
    };
    basis::readable(&graph).map_err(|fault| fault.at("/site_id"))?;
    let (names, usage) = (node::names(cx, &graph)?, Usage::read(cx, &graph)?);
    let read = |url: &str| texts::short(cx, &graph.run_ref, url);
    let mut skip = node::linked(&nodes, &node::links(cx, &graph)?);
    let rejected = super::rejected(cx, &graph.site_id);
    skip.extend(rejected.iter().filter_map(|(a, b)| Some((*numbers.get(a.as_str())?, *numbers.get(b.as_str())?))));
    let mut degraded = graph.degraded.clone();
    let queries = queries(cx, &graph, &nodes[page as usize].url);
    if queries.is_none() {
        let why = "no search figures by page and query are stored, so titles and headings stand for them";
        let sync = json!({ "site_id": graph.site_id });
        degraded.push(Degraded::new("target queries", why).supplied_by("search_console.sync.run", sync));
    }
    let queries = queries.unwrap_or_default();
    let mut found: Vec<Candidate> = Vec::new();
    if args.direction != Direction::Out {
        let name = format!("{} {} {}", names[page as usize].title, names[page as usize].h1, queries.join(" "));
        match texts::best(cx, &graph.run_ref, &name, READ) {
            None => degraded.push(Degraded::new("sentences of other pages", "this crawl kept no texts")),
            Some(texts) => {
                let engine =
                    Engine::new(&nodes, &names, &graph.language, &usage, skip.clone(), |target| target == page);
                let titles: Vec<&str> = names.iter().map(|name| name.title.as_str()).collect();
                let mut own = vec![own_titles(&titles)[page as usize], &names[page as usize].h1];
                own.extend(queries.iter().map(String::as_str));
                let mut engine = engine.reading(read).looking_for(&own).also_called(page, queries.clone());
                let mut naming: Vec<(f64, u32, Text)> = Vec::new();
                for text in texts {
                    let Some(source) = numbers.get(text.url.as_str()).copied() else { continue };
                    let best = engine.candidates(source, &text, &[]).first().map(|it| rank(it, &nodes));
                    naming.extend(best.map(|best| (best, source, text)));
                }
                // The links of a page are read only where something may come of it: they can be hundreds.
                naming.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                for (_, source, text) in naming.iter().take(SPARE * usize::from(args.limit)) {
                    let anchors = super::anchors(cx, &graph, &text.url)?;
                    found.extend(engine.candidates(*source, text, &anchors));
                }
            }
        }
    }
    if args.direction != Direction::In {
        match texts::of(cx, &graph.run_ref, &nodes[page as usize].url) {
            None => degraded.push(Degraded::new("sentences of this page", "the crawl kept no text of it")),
            Some(text) => {
                let mut engine = Engine::new(&nodes, &names, &graph.language, &usage, skip, |_| true).reading(read);
                found.extend(engine.candidates(page, &text, &super::anchors(cx, &graph, &text.url)?));
            }
        }
    }
    found.sort_by(|a, b| {
        rank(b, &nodes).total_cmp(&rank(a, &nodes)).then(a.target.cmp(&b.target)).then(a.source.cmp(&b.source))
    });
    let place = |it: Candidate| Place {
        score: short(rank(&it, &nodes)),
        source: nodes[it.source as usize].url.clone(),
        target: nodes[it.target as usize].url.clone(),
        sentence: it.sentence,
        anchor: it.anchor,
    };
    let suggestions: Vec<Place> = found.into_iter().take(args.limit.into()).map(place).collect();
    let next = json!({ "run_ref": graph.run_ref, "targets": [nodes[page as usize].url] });
    let units = suggestions.len() as u64;
    let next =
        vec![Next::new("links.suggestion.run", next, "stores suggestions for this page, to be decided and put in")];
    Ok(Answer::new(Places { suggestions, next, basis: basis::of(cx, &graph), degraded }).units(units))
}

/// The queries that a page is called by: those with clicks for which it is among the first twenty, the most clicked first, without
/// such as name the brand. `None` where nobody knows.
fn queries(cx: &Cx, graph: &Stored<Graph>, url: &str) -> Option<Vec<String>> {
    let site = cx.records::<site::Site>().find(&Id::new(graph.site_id.clone()))?;
    let brand = site::brand::Brand::of(&site);
    let found = search::page_queries(cx, &site.id, url, 5 * QUERIES)?;
    let telling = found.into_iter().filter(|it| it.clicks > 0 && it.position <= LAST_POSITION && !brand.has(&it.query));
    Some(telling.map(|it| it.query).take(QUERIES).collect())
}
