//! The operation `rankings.serp.live`.

use dataforseo::{Account, escaped, language_code, money};
use sdk::prelude::*;
use sdk::{Money, json};
use serps::{Device, Page, market};

use super::{Serp, shown};
use crate::snapshot::{self, KEPT_SECONDS, Snapshot};
use crate::stored::{Engine, Serp as Kept};
use crate::tracker::place;

#[args]
pub(crate) struct Live {
    /// What is searched for.
    keyword: Text<1, 200>,
    /// Where: a country of two letters, or a `location_code` or full name of a place of DataForSEO.
    location: Text<2, 120>,
    /// The language of the search.
    language: Language,
    /// The screen.
    #[default("mobile")]
    device: Device,
    /// Organic results; the provider bills each page of ten.
    #[default(10)]
    depth: Count<10, 100>,
    /// The search engine.
    #[default("google")]
    engine: Engine,
}

/// A live result page.
#[value]
pub(crate) struct Fetched {
    /// The page, for rankings.serp.compare and rankings.serp.get.
    snapshot_ref: Id<Kept>,
    /// Until when it is kept.
    kept_until: Moment,
    serp: Serp,
    /// What the provider says that it cost.
    provider_cost: Money,
}

/// Fetches a live result page for one query, market, place and device through the DataForSEO SERP endpoint and keeps it as a snapshot for serp.get.
///
/// The page is kept for 7 days. A place that is not a country is passed to the provider as it is; one that it does not know is
/// refused at `/location`.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["store", "connection:dataforseo"],
    outside = [
        "dataforseo POST /v3/serp/google/organic/live/advanced query",
        "dataforseo POST /v3/serp/bing/organic/live/advanced query",
    ],
    phrasings = ["show me the live google results", "what ranks for this query in Berlin", "fetch the current serp", "who is on page one now"],
    examples = [
        { "keyword": "desk lamp", "location": "GB", "language": "en" },
        { "keyword": "desk lamp", "location": "London,England,United Kingdom", "language": "en", "device": "desktop", "depth": 20 },
    ]
)]
pub(crate) fn live(cx: &Cx, args: Live) -> Result<Fetched> {
    let keyword = kit::text::collapse(args.keyword.as_str());
    if keyword.is_empty() {
        return Err(Fault::invalid("/keyword", "keyword_empty", "the keyword has no letters or digits"));
    }
    let account = Account::required(cx, "/location", "result pages are asked from DataForSEO")?;
    let depth = u32::try_from(args.depth.get()).unwrap_or(10);
    let (name, place) = place::given(args.location.as_str())?;
    let mut task = json!({ "keyword": escaped(&keyword), "language_code": language_code(&args.language),
        "device": args.device.name(), "depth": depth });
    match place {
        Some(code) => task["location_code"] = json!(code),
        None => task["location_name"] = json!(name),
    }
    let path = format!("serp/{}/organic/live/advanced", args.engine.name());
    let answer = account.ask(&path, &task).map_err(|refusal| {
        let fault = refusal.fault("/keyword");
        if matches!(&refusal, dataforseo::Refusal::Field(field) if field.starts_with("location")) {
            let message = "the provider knows no such place; it is two letters, a code, or a full name such as \
                           `London,England,United Kingdom`";
            return Fault::invalid("/location", "unknown_location", message);
        }
        fault
    })?;
    let now = cx.now();
    let market = market(args.engine.name(), &name, args.language.as_str(), args.device);
    let normal = keyword.to_lowercase();
    let snapshot_ref = snapshot::live(&market, &normal, now.day());
    let snapshot = Snapshot {
        keyword,
        market,
        date: now.day(),
        depth,
        fetched_ms: now.millis(),
        task: answer.task.clone(),
        site_id: None,
        page: answer.results.first().map(Page::read).unwrap_or_default(),
    };
    cx.cache().put(snapshot_ref.as_str(), &snapshot, KEPT_SECONDS);
    cx.cache().put(&super::get::live_key(&normal), &snapshot_ref, KEPT_SECONDS);
    Ok(Fetched {
        snapshot_ref,
        kept_until: now.plus(u64::from(KEPT_SECONDS) * 1_000),
        serp: shown(snapshot, None),
        provider_cost: money(answer.cost_micros),
    })
}
