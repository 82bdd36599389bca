//! The operation `rankings.serp_feature.report`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, Interval, json};
use serps::{Feature, registrable};

use crate::board::Board;
use crate::pages::{self, Kept};
use crate::rows::{At, Row as Seen};
use crate::stored::{Check, Engine, Tracker};

/// Opportunities that are shown.
const MAX_OPPORTUNITIES: usize = 50;
/// The last place from which a feature can be won: it is filled from the first page.
const LAST_PLACE: u32 = 10;

#[args(paged)]
pub(crate) struct Report {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// Only this feature, such as `featured_snippet`, `ai_overview`, `people_also_ask`, `local_pack` or `video`.
    feature: Option<Text<1, 40>>,
}

/// A feature of a keyword's result page.
#[value]
pub(crate) struct Row {
    keyword: String,
    feature: Feature,
    volume: Option<u64>,
    /// The place among all elements; null when it is not known.
    absolute: Option<u32>,
    /// The domains that it shows or quotes, the first ones first; empty when it names none.
    owners: Vec<String>,
    /// Whether one of them is the website.
    owned: bool,
    /// Where the website stands among the organic results.
    position: Option<u32>,
    /// Whether the page that ranks could win it.
    winnable: bool,
    /// Why, or why not.
    #[own]
    why: String,
}

/// How often a feature is there.
#[value]
pub(crate) struct Summary {
    feature: Feature,
    /// Keywords whose page has it.
    keywords: u64,
    /// Their share of all keywords with a page, with Wilson's interval.
    keyword_share: Option<Interval>,
    /// Of them, those where it shows or quotes the website.
    owned_keywords: u64,
    winnable_keywords: u64,
}

/// A feature that the website could win.
#[value]
pub(crate) struct Opportunity {
    keyword: String,
    feature: Feature,
    /// The first domain that has it now; null when it names none.
    owner: Option<String>,
    #[own]
    why: String,
    volume: Option<u64>,
    position: u32,
    url: String,
    /// What examines the page for the keyword.
    fix: Option<Fix>,
}

/// Features.
#[page]
pub(crate) struct Features {
    /// Those of the keywords with the most searches first.
    features: Vec<Row>,
    total: u64,
    /// The most frequent first.
    by_feature: Vec<Summary>,
    /// The 50 with the most searches.
    opportunities: Vec<Opportunity>,
    opportunities_total: u64,
    /// Keywords with a result page.
    n: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Reports SERP features per keyword (answer box, AI overview, questions, local pack, video, shopping, sitelinks), who owns each and which the website could win.
///
/// A featured snippet, an AI overview and the questions are filled from pages of the first ten results, so they can be won from
/// there. Videos, images, products, maps and news need something else than a page that ranks: `why` says what.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["which serp features can i win", "who has the featured snippet", "how many keywords show an ai overview", "serp features of my keywords"],
    examples = [{ "tracker_ref": "tracker_01" }, { "tracker_ref": "tracker_01", "feature": "featured_snippet" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Features> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let wanted = args.feature.as_ref().map(|it| named(it.as_str())).transpose()?;
    let check = board.newest(None)?;
    let rows = board.rows(&check)?;
    let with_page: Vec<&Seen> = rows.rows.iter().filter(|it| it.page.is_some()).collect();
    let mut all: Vec<(&Seen, Feature, u32)> = Vec::new();
    for row in &with_page {
        for (feature, absolute) in &row.features {
            if wanted.is_none_or(|it| it == *feature) {
                all.push((row, *feature, *absolute));
            }
        }
    }
    let volume = |row: &Seen| board.volume(&row.keyword);
    all.sort_by(|a, b| {
        volume(b.0).cmp(&volume(a.0)).then_with(|| a.0.keyword.cmp(&b.0.keyword)).then_with(|| a.1.cmp(&b.1))
    });
    let by_feature = summaries(&all, with_page.len() as u64);
    let open: Vec<&(&Seen, Feature, u32)> = all.iter().filter(|it| judged(it.0, it.1).0).collect();
    let opportunities_total = open.len() as u64;
    let first: Vec<(&Seen, Feature, u32)> = open.into_iter().take(MAX_OPPORTUNITIES).copied().collect();
    let kept = Pages::of(&board, &check, first.iter().map(|it| it.0));
    let opportunities = first.iter().filter_map(|it| opportunity(&board, it.0, it.1, &kept)).collect();
    let total = all.len() as u64;
    let page = args.window(all)?;
    let kept = Pages::of(&board, &check, page.items.iter().map(|it| it.0));
    let shown = |(row, feature, absolute): (&Seen, Feature, u32)| {
        let (winnable, why) = judged(row, feature);
        Row {
            keyword: board.shown(&row.keyword),
            feature,
            volume: board.volume(&row.keyword),
            absolute: (absolute > 0).then_some(absolute),
            owners: kept.owners(&row.keyword, feature),
            owned: row.owned.contains(&feature),
            position: row.found(),
            winnable,
            why: why.to_owned(),
        }
    };
    let features: Vec<Row> = page.items.into_iter().map(shown).collect();
    board.tell_missing(&check, with_page.len());
    if !board.tracker.ai_overview && board.tracker.engine == Engine::Google {
        let why = "this tracker does not fetch AI overviews that load later, so their share is a lower bound";
        board.degraded.push(Degraded::new("ai_overview", why));
    }
    Ok(Features {
        features,
        next_cursor: page.next,
        total,
        by_feature,
        opportunities,
        opportunities_total,
        n: with_page.len() as u64,
        basis: board.basis(&check, with_page.len()),
        degraded: board.degraded,
    })
}

/// The feature of a name.
///
/// # Errors
/// 422 `unknown_feature` at `/feature` with the names.
fn named(name: &str) -> Result<Feature> {
    sdk::serde_json::from_value(json!(name.trim().to_lowercase().replace([' ', '-'], "_"))).map_err(|_| {
        let message = "there is no feature of this name";
        let names: Vec<String> = Feature::ALL.iter().map(|it| it.name()).collect();
        Fault::invalid("/feature", "unknown_feature", message).detail(json!({ "features": names }))
    })
}

/// Whether the page that ranks could win a feature, and why or why not.
fn judged(row: &Seen, feature: Feature) -> (bool, &'static str) {
    if row.owned.contains(&feature) {
        return (false, "the website has it");
    }
    let near = (1..=LAST_PLACE).contains(&row.position);
    match feature {
        Feature::FeaturedSnippet if near => (true, "snippets are taken from the first ten results, where the page is"),
        Feature::AiOverview if near => (true, "overviews quote pages of the first ten results most, where the page is"),
        Feature::PeopleAlsoAsk if near => (true, "answers come from pages of the first ten results, where the page is"),
        Feature::FeaturedSnippet | Feature::AiOverview | Feature::PeopleAlsoAsk => {
            (false, "it is filled from the first ten results, where the website is not")
        }
        Feature::Sitelinks => (false, "links below a result come with the first place for the own name"),
        Feature::Video => (false, "it needs a video, and nothing tells whether the page has one"),
        Feature::Images => (false, "it needs images, and nothing tells whether the page has some that fit"),
        Feature::Shopping => (false, "it needs products in a merchant feed"),
        Feature::LocalPack => (false, "it needs a business profile near the searcher"),
        Feature::TopStories => (false, "it is for news"),
        Feature::Ads => (false, "it is paid for"),
        _ => (false, "it is not filled from pages that rank"),
    }
}

fn summaries(all: &[(&Seen, Feature, u32)], n: u64) -> Vec<Summary> {
    let mut sums: BTreeMap<Feature, (u64, u64, u64)> = BTreeMap::new();
    for (row, feature, _) in all {
        let sum = sums.entry(*feature).or_default();
        sum.0 += 1;
        sum.1 += u64::from(row.owned.contains(feature));
        sum.2 += u64::from(judged(row, *feature).0);
    }
    let summary = |(feature, (keywords, owned_keywords, winnable_keywords)): (Feature, (u64, u64, u64))| Summary {
        feature,
        keywords,
        keyword_share: Interval::of_share(keywords, n),
        owned_keywords,
        winnable_keywords,
    };
    let mut sums: Vec<Summary> = sums.into_iter().map(summary).collect();
    sums.sort_by(|a, b| b.keywords.cmp(&a.keywords).then_with(|| a.feature.cmp(&b.feature)));
    sums
}

fn opportunity(board: &Board<'_>, row: &Seen, feature: Feature, kept: &Pages) -> Option<Opportunity> {
    let url = row.url.clone()?;
    let keyword = board.shown(&row.keyword);
    let fix = site::examine(&url, Some(&keyword));
    Some(Opportunity {
        feature,
        owner: kept.owners(&row.keyword, feature).into_iter().next(),
        why: judged(row, feature).1.to_owned(),
        volume: board.volume(&row.keyword),
        position: row.position,
        url,
        fix,
        keyword,
    })
}

/// Kept pages by keyword.
struct Pages(BTreeMap<String, Kept>);

impl Pages {
    fn of<'r>(board: &Board<'_>, check: &Check, rows: impl Iterator<Item = &'r Seen>) -> Self {
        let mut places: Vec<At> = rows.filter_map(|it| it.page).collect();
        places.sort_by_key(|it| (it.pack, it.index));
        places.dedup();
        let kept = pages::read(board.cx, check, &places).into_iter().flatten();
        Self(kept.map(|it| (it.keyword.clone(), it)).collect())
    }

    /// The domains that a feature shows or quotes, each once.
    fn owners(&self, keyword: &str, feature: Feature) -> Vec<String> {
        let mut owners: Vec<String> = Vec::new();
        let elements = self.0.get(keyword).into_iter().flat_map(|it| &it.page.elements);
        for element in elements.filter(|it| it.feature == feature) {
            for domain in element.urls.iter().filter_map(|url| registrable(url)) {
                if !owners.contains(&domain) {
                    owners.push(domain);
                }
            }
        }
        owners
    }
}
