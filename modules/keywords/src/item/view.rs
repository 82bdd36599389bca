//! A keyword as lists show, filter and sort it.

use std::collections::{BTreeMap, BTreeSet};

use filter::{Field, Kind};
use sdk::Degraded;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value, json};
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use serps::Snapshots;
use site::Site;

use crate::normal::normal;
use crate::stored::{Cluster, Keyword, Set};

/// The fields that filters and orders name.
pub(crate) const FIELDS: [Field; 17] = [
    ("keyword", Kind::Text),
    ("volume", Kind::Number),
    ("cpc", Kind::Number),
    ("competition", Kind::Number),
    ("difficulty", Kind::Number),
    ("intent", Kind::Text),
    ("cluster", Kind::Text),
    ("mapped_url", Kind::Text),
    ("target_url", Kind::Text),
    ("position", Kind::Number),
    ("tags", Kind::Text),
    ("priority", Kind::Text),
    ("excluded", Kind::Flag),
    ("words", Kind::Number),
    ("imported", Kind::Flag),
    ("added_ms", Kind::Number),
    ("metrics_ms", Kind::Number),
];
/// Days of search figures that positions are taken from.
const DAYS: i32 = 28;

/// What is known of keywords beside their own rows.
#[derive(Default)]
pub(crate) struct Beside {
    /// The names of clusters by keyword.
    pub(crate) clusters: BTreeMap<String, (Id<Cluster>, String)>,
    pub(crate) positions: Positions,
}

/// Where the website stands.
#[derive(Default)]
pub(crate) struct Positions {
    /// The position by keyword, and where it is from.
    pub(crate) by_keyword: BTreeMap<String, (f64, PositionSource)>,
    /// What was not looked at.
    pub(crate) missing: Option<Degraded>,
}

/// Where a position is from.
#[value]
pub(crate) enum PositionSource {
    /// The newest stored result page, of a rank tracker or of clustering.
    ResultPage,
    /// The mean of 28 days in Search Console.
    SearchConsole,
}

/// The clusters of a set by keyword.
pub(crate) fn clusters(cx: &Cx, set: &Stored<Set>) -> BTreeMap<String, (Id<Cluster>, String)> {
    let mut found = BTreeMap::new();
    for cluster in crate::cluster::groups::current(cx, set) {
        for member in &cluster.members {
            found.insert(member.clone(), (cluster.id.clone(), cluster.name.clone()));
        }
    }
    found
}

/// The result pages of a website that fit the market of a set.
pub(crate) fn snapshots(cx: &Cx, set: &Stored<Set>) -> Snapshots {
    let country = set.country.to_string();
    let language = set.language();
    serps::newest(cx, &Id::new(set.site_id.clone()), |it| it.is_of(&country, &language))
}

/// The positions of the website for keywords of a set: of result pages, else of Search Console.
pub(crate) fn positions(cx: &Cx, set: &Stored<Set>, wanted: &BTreeSet<&str>) -> Positions {
    let mut found = Positions::default();
    let site_id: Id<Site> = Id::new(set.site_id.clone());
    let Ok(site) = site::get(cx, &site_id) else { return found };
    let pages = crate::cluster::pages::newest(cx, set);
    let no_pages = pages.is_empty();
    for (keyword, snapshot) in pages {
        if wanted.contains(keyword.as_str())
            && let Some(shown) = snapshot.best(|url| site.has(url))
        {
            found.by_keyword.insert(keyword, (f64::from(shown.position), PositionSource::ResultPage));
        }
    }
    let Some(last) = last_day(cx, &site.id, SearchType::Web) else {
        if no_pages {
            let why = "neither result pages nor search figures are stored, so nobody looked where the website stands";
            let fetch = json!({ "set_ref": set.id });
            found.missing = Some(Degraded::new("positions", why).supplied_by("keywords.cluster.serp", fetch));
        }
        return found;
    };
    let figures = Figures::of(cx, &site.id, SearchType::Web);
    let language = set.language();
    let mut sums: BTreeMap<String, kit::pack::Search> = BTreeMap::new();
    let read = figures.sums(Cut::Queries, Period::ending(last, DAYS), b"", |key, sum| {
        let query = normal(parts(key).0, &language);
        if wanted.contains(query.as_str()) {
            kit::pack::Figures::add(sums.entry(query).or_default(), &sum);
        }
    });
    if read.is_err() {
        let why = "the stored search figures are too many for one answer, so only result pages tell positions";
        found.missing = Some(Degraded::new("positions", why));
        return found;
    }
    for (keyword, sum) in sums {
        if let Some(position) = sum.position() {
            found.by_keyword.entry(keyword).or_insert((position, PositionSource::SearchConsole));
        }
    }
    found
}

/// The values of the fields of a keyword; members without a value are left out.
pub(crate) fn values(row: &Keyword, beside: &Beside) -> Map<String, Value> {
    let all = [
        ("keyword", json!(row.normal)),
        ("volume", json!(row.volume)),
        ("cpc", json!(row.cpc)),
        ("competition", json!(row.competition)),
        ("difficulty", json!(row.difficulty)),
        ("intent", json!(row.known_intent().map(|it| it.name()))),
        ("cluster", json!(beside.clusters.get(&row.normal).map(|it| &it.1))),
        ("mapped_url", json!(row.page())),
        ("target_url", json!(row.target_url)),
        ("position", json!(beside.positions.by_keyword.get(&row.normal).map(|it| it.0))),
        ("tags", if row.tags.is_empty() { Value::Null } else { json!(row.tags.join(", ")) }),
        ("priority", json!(row.priority.map(|it| it.name()))),
        ("excluded", json!(row.excluded)),
        ("words", json!(row.normal.split(' ').count())),
        ("imported", json!(row.imported)),
        ("added_ms", json!(row.added_ms)),
        ("metrics_ms", json!(row.metrics_ms)),
    ];
    all.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value)).collect()
}
