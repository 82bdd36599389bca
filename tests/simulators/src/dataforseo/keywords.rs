//! Keyword data of Google Ads, and the figures of one keyword that Labs shows too.
//!
//! Source: docs.dataforseo.com/v3/keywords_data/google_ads/search_volume/live and keywords_for_keywords/live.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde_json::{Value, json};

use super::{Refused, texts};
use crate::seed::Seed;
use crate::shop;

/// What is known of a keyword.
pub(super) struct Figures {
    pub(super) volume: u64,
    pub(super) cents: u64,
    pub(super) competition: u64,
    pub(super) difficulty: u64,
    pub(super) intent: &'static str,
}

pub(super) fn figures(seed: Seed, keyword: &str) -> Figures {
    let mut dice = seed.dice(&["keyword", &keyword.to_lowercase()]);
    let shorter = 6_u64.saturating_sub(keyword.split_whitespace().count() as u64).max(1);
    let volume = [10, 20, 40, 70, 110, 170, 260, 390, 590, 880, 1_300, 1_900][dice.below(12) as usize] * shorter;
    let intent = match keyword {
        it if ["buy", "cheap", "price"].iter().any(|word| it.contains(word)) => "transactional",
        it if ["best", "review", "vs"].iter().any(|word| it.contains(word)) => "commercial",
        it if it.contains("lamp shop") || it.contains(shop::HOST) => "navigational",
        _ => "informational",
    };
    Figures { volume, cents: dice.between(12, 340), competition: dice.below(101), difficulty: dice.below(90), intent }
}

/// The last months, newest first: as many again in November and December, when evenings are dark.
pub(super) fn months(seed: Seed, keyword: &str, volume: u64, count: i64) -> Vec<Value> {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let month = |back: i64| {
        let at: Date = today.saturating_sub(back.months());
        let dark = if at.month() >= 11 { 200 } else { 100 };
        let share = 85 + seed.dice(&["month", keyword, &at.strftime("%Y-%m").to_string()]).below(30);
        json!({ "year": at.year(), "month": at.month(), "search_volume": volume * share * dark / 10_000 })
    };
    (1..=count).map(month).collect()
}

/// Characters of which one fails a whole task of Google Ads.
const REFUSED: &str = ",!@%^()={};~`<>?\\|―";

/// Says that keywords are too long for Google Ads and Labs, or have a character that they refuse.
pub(super) fn taken(keywords: &[String]) -> Result<(), Refused> {
    let fits = |it: &String| {
        it.chars().count() <= 80
            && it.split_whitespace().count() <= 10
            && !it.chars().any(|letter| REFUSED.contains(letter))
    };
    let wrong = || Refused(40_501, "Invalid Field: 'keywords'.".to_owned());
    if keywords.iter().all(fits) { Ok(()) } else { Err(wrong()) }
}

/// Whether Labs knows a keyword: those of the shop's trade, as the other words are nobody's searches.
pub(super) fn is_known(keyword: &str) -> bool {
    !keyword.contains("unheard")
}

fn row(seed: Seed, data: &Value, keyword: &str) -> Value {
    let held = figures(seed, keyword);
    let word = match held.competition {
        0..=33 => "LOW",
        34..=66 => "MEDIUM",
        _ => "HIGH",
    };
    json!({ "keyword": keyword, "spell": null, "location_code": data["location_code"], "language_code": data["language_code"], "search_partners": false, "competition": word, "competition_index": held.competition,
        "search_volume": held.volume, "low_top_of_page_bid": held.cents as f64 / 200.0, "high_top_of_page_bid": held.cents as f64 / 70.0, "cpc": held.cents as f64 / 100.0, "monthly_searches": months(seed, keyword, held.volume, 12) })
}

pub(super) fn volume(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let keywords = texts(data, "keywords", 1_000)?;
    taken(&keywords)?;
    Ok(keywords.iter().map(|keyword| row(seed, data, keyword)).collect())
}

pub(super) fn related(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let keywords = texts(data, "keywords", 20)?;
    let fits = |query: &String| keywords.iter().any(|seed| seed.split_whitespace().any(|word| query.contains(word)));
    Ok(shop::queries().iter().filter(|query| fits(query)).map(|keyword| row(seed, data, keyword)).collect())
}
