//! The operation `keywords.cluster.list`.

use std::collections::{BTreeMap, HashMap, HashSet};

use kit::pack::{Figures as _, Search};
use sdk::prelude::*;
use sdk::{Degraded, json};
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use serps::{SnapshotRecord, registrable};
use site::Site;

use super::pages;
use crate::normal::normal;
use crate::stored::{Cluster, Intent, Keyword, Set, keyword_id};

/// Members that are shown of a cluster.
const MAX_MEMBERS: usize = 100;
/// Domains that are shown of a cluster.
const MAX_DOMAINS: usize = 10;
/// Days of clicks that tell which page ranks.
const DAYS: i32 = 28;

#[args(paged)]
pub(crate) struct Listing {
    /// The set.
    set_ref: Id<Set>,
    /// Only this cluster.
    cluster_ref: Option<Id<Cluster>>,
}

/// The first 100 keywords of a cluster by what they want.
#[value]
#[derive(Default)]
pub(crate) struct Intents {
    informational: u32,
    commercial: u32,
    transactional: u32,
    navigational: u32,
    local: u32,
    unknown: u32,
}

/// A cluster.
#[value]
pub(crate) struct Row {
    cluster_ref: Id<Cluster>,
    name: String,
    /// The keyword with the most searches.
    main: String,
    /// The first 100 keywords, those with the most searches first.
    members: Vec<String>,
    size: u64,
    /// Searches in a month of all keywords together.
    volume: u64,
    intents: Intents,
    /// The page of the website that stands best for it, by result pages, else by clicks; null when none is known.
    ranking_url: Option<String>,
    /// Where it stands, on the result page of the keyword for which it stands best.
    ranking_position: Option<u32>,
    /// The page that the cluster is mapped to.
    mapped_url: Option<String>,
    /// Domains among the results of at least half of the keywords with a result page.
    shared_domains: Vec<String>,
    /// Whether a manual edit made or named it.
    pinned: bool,
}

/// Clusters of a set.
#[page]
pub(crate) struct Rows {
    /// Those with the most searches first.
    clusters: Vec<Row>,
    /// Clusters in all.
    total: u64,
    /// How they were made: `lexical` or `serp`.
    #[own]
    by: String,
    clustered_at: Moment,
    degraded: Vec<Degraded>,
}

/// The refusal of a question about clusters that were not made.
pub(crate) fn not_clustered(set: &Id<Set>) -> Fault {
    let message =
        "the keywords of this set were not clustered; call keywords.cluster.lexical or keywords.cluster.serp first";
    let first = sdk::Fix::new("keywords.cluster.lexical", json!({ "set_ref": set }));
    Fault::conflict("not_clustered", message).at("/set_ref").detail(json!(first))
}

/// Lists clusters with main keyword, members, volume, intent mix, page currently ranking and shared result domains.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["show my keyword clusters", "which keywords belong together", "keyword groups with volume", "topic clusters of my set"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "cluster_ref": "cluster_01" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let set = crate::set::get(cx, &args.set_ref)?;
    let clustered = set.clustered.clone().ok_or_else(|| not_clustered(&set.id))?;
    let (shown, next_cursor, total) = match &args.cluster_ref {
        Some(reference) => {
            let found = cx.records::<Cluster>().find(reference);
            let own = |it: &Stored<Cluster>| it.set == set.id.as_str() && it.generation == clustered.generation;
            let Some(cluster) = found.filter(own) else {
                let message = "there is no such cluster in this set";
                return Err(Fault::not_found("cluster_not_found", message).at("/cluster_ref"));
            };
            (vec![cluster], None, 1)
        }
        None => {
            let all = cx.records::<Cluster>().by("set_generation_order");
            let all = all.equals(&set.id).equals(clustered.generation).descending();
            let page = all.page(args.limit, args.cursor)?;
            (page.items, page.next, clustered.clusters)
        }
    };
    let site = site::get(cx, &Id::new(set.site_id.clone()))?;
    let known = pages::newest(cx, &set);
    let mut degraded = Vec::new();
    let wanted: HashSet<&str> = shown.iter().flat_map(|it| it.members.iter().map(String::as_str)).collect();
    let clicked = clicked(cx, &site, &set, &wanted, &mut degraded);
    let row = |cluster| row(cx, &site, &set.id, cluster, &known, &clicked);
    let clusters = shown.iter().map(row).collect();
    let clustered_at = Moment::from_millis(clustered.at_ms);
    Ok(Rows { clusters, next_cursor, total, by: clustered.by, clustered_at, degraded })
}

fn row(
    cx: &Cx,
    site: &Site,
    set: &Id<Set>,
    cluster: &Stored<Cluster>,
    known: &BTreeMap<String, SnapshotRecord>,
    clicked: &HashMap<String, (String, u64)>,
) -> Row {
    let mut intents = Intents::default();
    for member in cluster.members.iter().take(MAX_MEMBERS) {
        let row = cx.records::<Keyword>().find(&keyword_id(set, member));
        *intents.of(row.and_then(|it| it.known_intent())) += 1;
    }
    let pages: Vec<&SnapshotRecord> = cluster.members.iter().filter_map(|it| known.get(it)).collect();
    let best = pages.iter().filter_map(|it| it.best(|url| site.has(url))).min_by_key(|it| it.position);
    let by_clicks = || cluster.members.iter().filter_map(|it| clicked.get(it)).max_by_key(|it| it.1);
    Row {
        cluster_ref: cluster.id.clone(),
        name: cluster.name.clone(),
        main: cluster.main.clone(),
        members: cluster.members.iter().take(MAX_MEMBERS).cloned().collect(),
        size: cluster.members.len() as u64,
        volume: u64::try_from(cluster.order).unwrap_or(0),
        intents,
        ranking_url: best.map(|it| it.url.clone()).or_else(|| by_clicks().map(|it| it.0.clone())),
        ranking_position: best.map(|it| it.position),
        mapped_url: cluster.mapped.as_ref().map(|it| it.url.clone()),
        shared_domains: shared_domains(&pages),
        pinned: cluster.pinned,
    }
}

/// Domains among the first ten results of at least half of the pages.
fn shared_domains(pages: &[&SnapshotRecord]) -> Vec<String> {
    let mut domains: BTreeMap<String, usize> = BTreeMap::new();
    for page in pages {
        let own: HashSet<String> = page.items.iter().take(10).filter_map(|it| registrable(&it.url)).collect();
        own.into_iter().for_each(|domain| *domains.entry(domain).or_default() += 1);
    }
    let held = |count: usize| pages.len() > 1 && count * 2 >= pages.len();
    let mut shared: Vec<(usize, String)> =
        domains.into_iter().filter(|it| held(it.1)).map(|(domain, count)| (count, domain)).collect();
    shared.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    shared.into_iter().take(MAX_DOMAINS).map(|it| it.1).collect()
}

impl Intents {
    fn of(&mut self, intent: Option<Intent>) -> &mut u32 {
        match intent {
            Some(Intent::Informational) => &mut self.informational,
            Some(Intent::Commercial) => &mut self.commercial,
            Some(Intent::Transactional) => &mut self.transactional,
            Some(Intent::Navigational) => &mut self.navigational,
            Some(Intent::Local) => &mut self.local,
            None => &mut self.unknown,
        }
    }
}

/// The page with the most clicks for each of some keywords in normal form, with its clicks.
pub(crate) fn clicked(
    cx: &Cx,
    site: &Stored<Site>,
    set: &Set,
    wanted: &HashSet<&str>,
    degraded: &mut Vec<Degraded>,
) -> HashMap<String, (String, u64)> {
    let Some(last) = last_day(cx, &site.id, SearchType::Web) else { return HashMap::new() };
    let language = set.language();
    let mut sums: HashMap<(String, String), Search> = HashMap::new();
    let figures = Figures::of(cx, &site.id, SearchType::Web);
    let read = figures.sums(Cut::Details, Period::ending(last, DAYS), b"", |key, sum| {
        let (page, query) = parts(key);
        let query = normal(query, &language);
        if wanted.contains(query.as_str()) {
            sums.entry((query, page.to_owned())).or_default().add(&sum);
        }
    });
    if read.is_err() {
        degraded.push(Degraded::new("ranking pages", "the stored figures are too many for one answer"));
    }
    let mut rows: Vec<((String, String), Search)> = sums.into_iter().collect();
    let strength = |it: &Search| (it.clicks, it.impressions);
    rows.sort_by(|a, b| strength(&b.1).cmp(&strength(&a.1)).then_with(|| a.0.cmp(&b.0)));
    let mut best: HashMap<String, (String, u64)> = HashMap::new();
    for ((query, page), sum) in rows {
        best.entry(query).or_insert((page, sum.clicks));
    }
    best
}
