//! One batch of a refresh: what is asked for its keywords, and what is written.

use std::collections::{BTreeMap, HashMap};

use dataforseo::{Account, Market, Refusal, ads_takes};
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use crate::market::Figures;
use crate::normal::normal;
use crate::stored::{Keyword, MAX_MONTHS, Months, Set, keyword_id};

/// Keywords of one question to Labs, and to Google Ads.
pub(super) const MAX_LABS: usize = 700;
pub(super) const MAX_ADS: usize = 1_000;

/// Answers by the normal form of their keyword.
pub(super) type Found = HashMap<String, Figures>;

/// Asks an endpoint about keywords in normal form.
pub(super) fn asked(
    account: &Account<'_>,
    path: &str,
    market: &Market,
    keywords: &[String],
    language: &str,
) -> Result<(Found, u64), Refusal> {
    let mut task = json!({ "keywords": keywords, "location_code": market.location, "language_code": market.language });
    let ads = path.starts_with("keywords_data");
    if !ads {
        task["include_serp_info"] = json!(false);
    }
    let answer = account.ask(path, &task)?;
    // Google Ads answers with rows, Labs with items of one result.
    let rows: Vec<&Value> = if ads { answer.results.iter().collect() } else { answer.items().iter().collect() };
    let found = rows.into_iter().filter_map(Figures::read).map(|it| (normal(&it.keyword, language), it)).collect();
    Ok((found, answer.cost_micros))
}

/// Writes what was found: metrics into the rows as they are now, months beside them. Keywords that nobody knows are marked as
/// asked. Returns how many rows were written.
pub(super) fn write(cx: &Cx, set: &Stored<Set>, asked: &[String], found: &Found) -> Result<u64> {
    let now = cx.now().millis();
    let keywords = cx.records::<Keyword>();
    let mut rows: BTreeMap<Id<Keyword>, Keyword> = BTreeMap::new();
    let mut months: Vec<(Id<Months>, Months)> = Vec::new();
    for normal in asked {
        let id: Id<Keyword> = keyword_id(&set.id, normal);
        // Read again after the answer: somebody may have changed or removed it meanwhile.
        let Some(row) = keywords.find(&id) else { continue };
        let mut row = row.into_inner();
        (row.metrics_ms, row.imported) = (Some(now), false);
        if let Some(figures) = found.get(normal) {
            row.set_volume(figures.volume);
            row.cpc = figures.cpc.or(row.cpc);
            row.competition = figures.competition.or(row.competition);
            row.difficulty = figures.difficulty.or(row.difficulty);
            row.intent = figures.intent.or(row.intent);
            if !figures.months.is_empty() {
                let id: Id<Months> = id.cast();
                let known = cx.records::<Months>().find(&id).map(Stored::into_inner);
                months.push((id, merged(set.id.as_str(), known, &figures.months)));
            }
        } else if row.volume.is_some() {
            row.set_volume(None);
        }
        rows.insert(id, row);
    }
    let written = rows.len() as u64;
    if written > 0 {
        keywords.put_many_as(rows.iter())?;
    }
    if !months.is_empty() {
        cx.records::<Months>().put_many_as(months.iter().map(|(id, it)| (id, it)))?;
    }
    Ok(written)
}

/// Months that were known with those that are new; the new ones win, and the last 48 are kept.
fn merged(set: &str, known: Option<Months>, new: &[(u32, Option<u64>)]) -> Months {
    let mut by_month: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    if let Some(known) = known {
        by_month.extend((known.first..).zip(known.values));
    }
    by_month.extend(new.iter().copied());
    let last = by_month.last_key_value().map_or(0, |it| *it.0);
    let first = by_month
        .first_key_value()
        .map_or(0, |it| *it.0)
        .max((last + 1).saturating_sub(u32::try_from(MAX_MONTHS).unwrap_or(48)));
    let values = (first..=last).map(|month| by_month.get(&month).copied().flatten()).collect();
    Months { set: set.to_owned(), first, values }
}

/// Why a keyword is not asked for at all.
pub(super) fn refused(normal: &str) -> Option<&'static str> {
    (!ads_takes(normal)).then_some(if crate::normal::has_metrics(normal) { "characters_refused" } else { "too_long" })
}

#[cfg(test)]
mod tests {
    use super::{merged, refused};

    #[test]
    fn new_months_win_and_the_last_48_are_kept() {
        let first = merged("s", None, &[(100, Some(1)), (102, Some(3))]);
        assert_eq!((first.first, first.values.clone()), (100, vec![Some(1), None, Some(3)]));
        let later: Vec<(u32, Option<u64>)> = (102..160).map(|month| (month, Some(u64::from(month)))).collect();
        let both = merged("s", Some(first), &later);
        assert_eq!((both.first, both.values.len(), both.values[0]), (112, 48, Some(112)));
        assert_eq!(
            (refused("desk lamp"), refused("what? no"), refused(&"a ".repeat(11))),
            (None, Some("characters_refused"), Some("too_long"))
        );
    }
}
