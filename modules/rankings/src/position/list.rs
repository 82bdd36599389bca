//! The operation `rankings.position.list`.

use std::collections::BTreeMap;

use filter::{Condition, Field, Filter, Kind};
use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value, json};
use sdk::{Basis, Degraded};
use serps::Feature;

use crate::board::Board;
use crate::demand::Model;
use crate::rows::{self, Row as Seen, Rows as Seens};
use crate::stored::{Serp, Tracker};
use crate::{best, snapshot};

/// The fields that filters name.
const FIELDS: [Field; 12] = [
    ("keyword", Kind::Text),
    ("position", Kind::Number),
    ("change", Kind::Number),
    ("volume", Kind::Number),
    ("ranking_url", Kind::Text),
    ("best_position", Kind::Number),
    ("estimated_clicks", Kind::Number),
    ("tags", Kind::Text),
    ("intent", Kind::Text),
    ("shown_features", Kind::Text),
    ("features_owned", Kind::Text),
    ("imported", Kind::Flag),
];

#[args(paged)]
pub(crate) struct Listing {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// Conditions that must all hold.
    filter: Option<List<Condition, 0, 8>>,
    /// The newest check up to this day; the newest of all when left out.
    date: Option<Day>,
    /// Compare with the newest check up to this day; with the check before when left out.
    against: Option<Day>,
}

/// A keyword and where the website stands for it.
#[value]
pub(crate) struct Row {
    keyword: String,
    /// The best place among organic results; null when the website was not found among the first `beyond`.
    position: Option<u32>,
    /// How many places were looked at in vain; null when it was found.
    beyond: Option<u32>,
    /// The position in the check that is compared with; null when it was not found or not looked at.
    previous_position: Option<u32>,
    /// How many places better it is than before, negative for worse; null when either is null.
    change: Option<i64>,
    ranking_url: Option<String>,
    /// The place among all elements of the page.
    absolute: Option<u32>,
    /// Pixels from the top of the page, when the tracker asks for them.
    pixels: Option<u32>,
    /// The best position ever seen, and its first day.
    best_position: Option<u32>,
    best_on: Option<Day>,
    /// Elements of the page beside organic results.
    shown_features: Vec<Feature>,
    /// Those that show or quote the website.
    features_owned: Vec<Feature>,
    /// Searches in a month.
    volume: Option<u64>,
    /// Clicks in a month at this position: searches times click rate; null without a volume.
    estimated_clicks: Option<f64>,
    tags: Vec<String>,
    intent: Option<String>,
    /// Whether the position is from a file.
    imported: bool,
    /// The whole result page, for rankings.serp.compare; null when it is not kept.
    snapshot_ref: Option<Id<Serp>>,
}

/// Positions of a tracker.
#[page]
pub(crate) struct Rows {
    /// Those with the most estimated clicks first, then the best positions.
    rows: Vec<Row>,
    /// Keywords in all that hold.
    total: u64,
    /// The day of the check.
    date: Day,
    /// The day that is compared with; null without an earlier check.
    previous_date: Option<Day>,
    /// The click rates by position that clicks are computed with.
    #[own]
    curve: String,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Lists current positions with change, ranking URL, best ever, features owned and estimated clicks.
///
/// Fields of filters are `keyword`, `position`, `change`, `volume`, `ranking_url`, `best_position`, `estimated_clicks`, `tags`,
/// `intent`, `shown_features`, `features_owned` and `imported`. A keyword that was not found has no position: `op: empty` finds it.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["where do i rank", "show my keyword positions", "which keywords are on page two", "what changed since the last rank check"],
    examples = [
        { "tracker_ref": "tracker_01" },
        { "tracker_ref": "tracker_01", "filter": [{ "field": "position", "op": "gt", "value": 3 }, { "field": "position", "op": "lt", "value": 11 }] },
    ]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let conditions = args.filter.as_ref().map(|it| it.to_vec()).unwrap_or_default();
    let filter = Filter::new(&conditions, &FIELDS)?;
    let check = board.newest(args.date)?;
    let now = board.rows(&check)?;
    board.tell_missing(&check, now.rows.len());
    let before = match args.against {
        Some(day) if day >= check.day() => {
            let message = format!("the day to compare with is before {}, the day of the check", check.date);
            return Err(Fault::invalid("/against", "not_earlier", message));
        }
        against => board.newest(Some(against.unwrap_or_else(|| check.day().plus(-1)))).ok(),
    };
    let previous = before.as_ref().map(|it| rows::read(cx, it)).transpose()?;
    let best = best::read(cx, &board.tracker.id);
    let model = Model::of(&board);
    let mut all: Vec<Row> = now
        .rows
        .iter()
        .map(|seen| row(&board, &model, seen, previous.as_ref(), best.get(&seen.keyword).copied(), check.day()))
        .filter(|row| {
            let values = values(row);
            filter.is_empty() || filter.holds(|name| values.get(name))
        })
        .collect();
    all.sort_by(|a, b| {
        let clicks = |it: &Row| it.estimated_clicks.unwrap_or(-1.0);
        let place = |it: &Row| it.position.unwrap_or(u32::MAX);
        clicks(b).total_cmp(&clicks(a)).then_with(|| place(a).cmp(&place(b))).then_with(|| a.keyword.cmp(&b.keyword))
    });
    let total = all.len() as u64;
    let page = args.window(all)?;
    Ok(Rows {
        rows: page.items,
        next_cursor: page.next,
        total,
        date: check.day(),
        previous_date: before.map(|it| it.day()),
        curve: model.name.to_owned(),
        basis: board.basis(&check, now.rows.len()),
        degraded: board.degraded,
    })
}

fn row(
    board: &Board<'_>,
    model: &Model,
    seen: &Seen,
    previous: Option<&Seens>,
    best: Option<(u32, Day)>,
    date: Day,
) -> Row {
    let known = board.keywords.get(&seen.keyword);
    let position = seen.found();
    let before = previous.and_then(|it| it.of(&seen.keyword)).and_then(Seen::found);
    let volume = known.and_then(|it| it.volume);
    let clicks = volume.map(|volume| {
        let rate = position.map_or(0.0, |it| model.rates(&seen.keyword).at(f64::from(it)));
        round(as_number(volume) * rate, 1)
    });
    Row {
        keyword: board.shown(&seen.keyword),
        position,
        beyond: position.is_none().then_some(seen.depth),
        previous_position: before,
        change: position.zip(before).map(|(now, before)| i64::from(before) - i64::from(now)),
        ranking_url: seen.url.clone(),
        absolute: (seen.absolute > 0).then_some(seen.absolute),
        pixels: seen.pixels,
        best_position: best.map(|it| it.0),
        best_on: best.map(|it| it.1),
        shown_features: seen.features.iter().map(|it| it.0).collect(),
        features_owned: seen.owned.clone(),
        volume,
        estimated_clicks: clicks,
        tags: known.map(|it| it.tags.clone()).unwrap_or_default(),
        intent: known.and_then(|it| it.intent.clone()),
        imported: seen.imported,
        snapshot_ref: seen.page.map(|_| snapshot::reference(&board.tracker.id, &seen.keyword, date)),
    }
}

/// The values of the fields of a row; members without a value are left out.
fn values(row: &Row) -> Map<String, Value> {
    let names = |all: &[Feature]| {
        let names: Vec<String> = all.iter().map(|it| it.name()).collect();
        if names.is_empty() { Value::Null } else { json!(names.join(", ")) }
    };
    let all: BTreeMap<&str, Value> = BTreeMap::from([
        ("keyword", json!(row.keyword)),
        ("position", json!(row.position)),
        ("change", json!(row.change)),
        ("volume", json!(row.volume)),
        ("ranking_url", json!(row.ranking_url)),
        ("best_position", json!(row.best_position)),
        ("estimated_clicks", json!(row.estimated_clicks)),
        ("tags", if row.tags.is_empty() { Value::Null } else { json!(row.tags.join(", ")) }),
        ("intent", json!(row.intent)),
        ("shown_features", names(&row.shown_features)),
        ("features_owned", names(&row.features_owned)),
        ("imported", json!(row.imported)),
    ]);
    all.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value)).collect()
}
