//! The result pages of a set's keywords on their way.

use dataforseo::{escaped, language_code, location_code};
use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use serps::{Asked, Fetching, Page, SnapshotRecord};

use crate::stored::{Serp, Set, keyword_id};

/// Results of a page that are compared.
pub(super) const DEPTH: usize = 10;

/// Orders pages, or collects and stores them; how long to wait before the next step.
pub(super) fn step(cx: &Cx, set: &Stored<Set>, fetching: &mut Fetching) -> Result<u32> {
    let task = |keyword: &str| {
        json!({ "keyword": escaped(keyword), "location_code": location_code(set.country),
            "language_code": language_code(&set.language), "device": set.device.name(), "depth": DEPTH, "priority": 1 })
    };
    let tag = |keyword: &str| serps::snapshot_id(set.id.as_str(), keyword);
    let asked = Asked { endpoint: "serp/google/organic", task: &task, tag: &tag, pointer: "/max_fetch" };
    let mut rows: Vec<(Id<Serp>, Serp)> = Vec::new();
    let today = cx.now().day();
    let wait = fetching.step(cx, &asked, &mut |keyword, result, _| {
        rows.push((keyword_id(&set.id, keyword), stored(set, keyword, result, today)));
    });
    if !rows.is_empty() {
        cx.records::<Serp>().put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
    }
    Ok(wait)
}

fn stored(set: &Stored<Set>, keyword: &str, result: Option<&Value>, date: Day) -> Serp {
    let page = result.map(Page::read).unwrap_or_default();
    let (country, depth) = (set.country.to_string(), u32::try_from(DEPTH).unwrap_or(10));
    let market = serps::market("google", &country, &set.language.to_string(), set.device);
    let it = SnapshotRecord::of(&page, &set.site_id, keyword, &market, &country, date, depth);
    Serp { set: set.id.to_string(), it }
}
