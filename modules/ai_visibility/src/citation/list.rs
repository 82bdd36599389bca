//! The operation `ai_visibility.citation.list`.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use site::Site;

use super::kinds::{self, Kind};
use super::{Domains, of_period, state};
use crate::stored::Citation;

/// What sources are grouped by.
#[value]
pub(crate) enum By {
    Domain,
    Page,
}

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
    /// What sources are grouped by.
    #[default("domain")]
    by: By,
    /// The website's own sources alone, or none of them.
    own: Option<bool>,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
}

/// A source.
#[value]
pub(crate) struct Row {
    /// The domain, or the address of the page.
    key: String,
    /// Answers that cite it.
    count: u64,
    /// Prompts with such an answer.
    prompts: u64,
    models: Vec<String>,
    #[serde(rename = "type")]
    kind: Kind,
    /// The brand that it belongs to, for a competitor's.
    competitor_brand: Option<String>,
    /// What the page is called; null for a domain, and where no provider says.
    title: Option<String>,
    last_cited_at: Moment,
    /// Whether the page still answers, as it was seen last; null where nobody has looked within a week, and for a domain.
    still_live: Option<bool>,
    /// Its status then; 0 without an answer.
    status: Option<u16>,
    checked_at: Option<Moment>,
}

/// Sources.
#[page]
pub(crate) struct Rows {
    /// The one that most answers cite first.
    citations: Vec<Row>,
    total: u64,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// What was gathered of a source.
#[derive(Default)]
struct Gathered {
    answers: BTreeSet<String>,
    prompts: BTreeSet<String>,
    models: BTreeSet<String>,
    title: Option<String>,
    url: String,
    domain: String,
    last_ms: u64,
}

/// Lists sources cited in answers by domain or page with prompts, models, own or competitor mark and whether the page is still live.
///
/// A source is what the provider names, or what the answer links to. A list asks no page: whether one is still live is what
/// ai_visibility.citation_gap.analyze has seen last.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["which sources does chatgpt cite", "which of my pages are cited by AI", "domains that AI answers rely on", "cited pages that are gone"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "by": "page", "own": true }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let site = site::get(cx, &args.site_id)?;
    let (from, to) = crate::measured::period(cx, args.from, args.to)?;
    let mut degraded = Vec::new();
    let all = of_period(cx, &site, from, to, &mut degraded);
    if all.is_empty() {
        degraded.push(Degraded::new("citations", "no answer of the period has a source"));
    }
    let domains = Domains::of(cx, &site);
    let mut found: BTreeMap<String, Gathered> = BTreeMap::new();
    for it in all.iter().filter(|it| args.own.is_none_or(|own| domains.is_own(&it.url) == own)) {
        let key = if args.by == By::Domain { &it.domain } else { &it.url };
        add(found.entry(key.clone()).or_default(), it);
    }
    let mut rows: Vec<(String, Gathered)> = found.into_iter().collect();
    rows.sort_by(|a, b| b.1.answers.len().cmp(&a.1.answers.len()).then_with(|| a.0.cmp(&b.0)));
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    let next = (total > 0).then(|| {
        Next::new(
            "ai_visibility.citation_gap.analyze",
            json!({ "site_id": site.id }),
            "shows the sources that name competitors and not you",
        )
    });
    let citations = page.items.into_iter().map(|it| row(cx, it, args.by, &domains)).collect();
    Ok(Rows { citations, next_cursor: page.next, total, next: next.into_iter().collect(), degraded })
}

fn add(gathered: &mut Gathered, it: &Citation) {
    gathered.answers.insert(it.answer.clone());
    gathered.prompts.insert(it.prompt.clone());
    gathered.models.insert(it.model.clone());
    gathered.title = gathered.title.take().or_else(|| it.title.clone());
    gathered.last_ms = gathered.last_ms.max(it.at_ms);
    gathered.url.clone_from(&it.url);
    gathered.domain.clone_from(&it.domain);
}

fn row(cx: &Cx, (key, it): (String, Gathered), by: By, domains: &Domains) -> Row {
    let competitor = domains.competitor(&it.url).map(str::to_owned);
    let kind = match () {
        () if domains.is_own(&it.url) => Kind::Own,
        () if competitor.is_some() => Kind::Competitor,
        () => kinds::of(&it.url, &it.domain),
    };
    let seen = if by == By::Page { state::last(cx, &it.url) } else { None };
    Row {
        key,
        count: it.answers.len() as u64,
        prompts: it.prompts.len() as u64,
        models: it.models.into_iter().collect(),
        kind,
        competitor_brand: competitor,
        title: it.title.filter(|_| by == By::Page),
        last_cited_at: Moment::from_millis(it.last_ms),
        still_live: seen.as_ref().and_then(state::Seen::is_live),
        status: seen.as_ref().map(|it| it.status),
        checked_at: seen.map(|it| Moment::from_millis(it.at_ms)),
    }
}
