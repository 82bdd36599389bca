//! The market of a set, as the provider knows it, and the keyword data that it answers with.

use dataforseo::Market;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::stored::{Intent, Set};
use kit::number::as_count;

/// Why keywords are asked from the provider.
pub(crate) const WHY: &str = "keyword data is asked from DataForSEO";

/// The market of a set.
///
/// # Errors
/// 422 `market_not_covered` at `/set_ref`.
pub(crate) fn of_set(set: &Set) -> Result<Market> {
    Market::of_labs(set.country, &set.language).map_err(|fault| fault.at("/set_ref"))
}

/// What the provider knows of a keyword.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Figures {
    pub(crate) keyword: String,
    pub(crate) volume: Option<u64>,
    pub(crate) cpc: Option<f64>,
    pub(crate) competition: Option<f64>,
    pub(crate) difficulty: Option<u8>,
    pub(crate) intent: Option<Intent>,
    /// Months, each counted from January of the year 0, with their searches.
    pub(crate) months: Vec<(u32, Option<u64>)>,
}

impl Figures {
    /// From an item of Labs (`keyword_info`, `keyword_properties`, `search_intent_info`) or of Google Ads.
    pub(crate) fn read(item: &Value) -> Option<Self> {
        let info = if item["keyword_info"].is_object() { &item["keyword_info"] } else { item };
        // Google Ads writes the competition as a word and its number beside it.
        let competition =
            info["competition"].as_f64().or_else(|| item["competition_index"].as_f64().map(|it| it / 100.0));
        Some(Self {
            keyword: item["keyword"].as_str()?.to_owned(),
            volume: info["search_volume"].as_u64(),
            cpc: info["cpc"].as_f64().filter(|it| (0.0..1e6).contains(it)),
            competition: competition.filter(|it| (0.0..=1.0).contains(it)),
            difficulty: item["keyword_properties"]["keyword_difficulty"]
                .as_f64()
                .and_then(|it| u8::try_from(as_count(it)).ok())
                .filter(|it| *it <= 100),
            intent: item["search_intent_info"]["main_intent"].as_str().and_then(Intent::of),
            months: info["monthly_searches"].as_array().into_iter().flatten().filter_map(month).collect(),
        })
    }
}

/// The number of a month, counted from January of the year 0.
pub(crate) fn month_number(year: u32, month: u32) -> u32 {
    year * 12 + month - 1
}

fn month(value: &Value) -> Option<(u32, Option<u64>)> {
    let year = u32::try_from(value["year"].as_u64()?).ok().filter(|it| (2000..2200).contains(it))?;
    let month = u32::try_from(value["month"].as_u64()?).ok().filter(|it| (1..=12).contains(it))?;
    Some((month_number(year, month), value["search_volume"].as_u64()))
}

#[cfg(test)]
mod tests {
    use sdk::json;

    use super::{Figures, month_number};
    use crate::stored::Intent;

    #[test]
    fn both_kinds_of_answers_are_read_and_null_is_no_zero() {
        let labs = json!({ "keyword": "desk lamp", "keyword_info": { "search_volume": null, "cpc": 1.5, "competition": 0.4,
            "monthly_searches": [{ "year": 2026, "month": 3, "search_volume": 70 }, { "year": 2026, "month": 2, "search_volume": null }, { "year": 2026, "month": 13, "search_volume": 1 }] },
            "keyword_properties": { "keyword_difficulty": 34 }, "search_intent_info": { "main_intent": "commercial" } });
        let read = Figures::read(&labs).expect("figures");
        assert_eq!(
            (read.volume, read.cpc, read.difficulty, read.intent),
            (None, Some(1.5), Some(34), Some(Intent::Commercial))
        );
        assert_eq!(read.months, [(month_number(2026, 3), Some(70)), (month_number(2026, 2), None)]);
        let ads = json!({ "keyword": "desk lamp", "search_volume": 90, "cpc": null, "competition": "HIGH", "competition_index": 80, "monthly_searches": null });
        let read = Figures::read(&ads).expect("figures");
        assert_eq!((read.volume, read.competition, read.intent, read.months.len()), (Some(90), Some(0.8), None, 0));
        assert!(Figures::read(&json!({ "keyword_info": {} })).is_none());
    }
}
