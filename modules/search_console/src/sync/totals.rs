//! Totals of days, as Google sums the property.

use std::collections::BTreeMap;

use sdk::prelude::*;
use search::{DayRecord, DayState, Period};

use super::work::{Checkpoint, Left, MAX_TRIES, Payload};
use crate::google::{self, Question, Unanswered};
use crate::stored::Totals;

/// Imports the totals of a period. A day without any impression has a record of zeros, so that it is no gap.
pub(super) fn import(cx: &Cx, payload: &Payload, days: Period, state: &mut Checkpoint) -> Result<Left> {
    let question = Question {
        first: days.first,
        last: days.last,
        dimensions: &["date"],
        start_row: 0,
        fresh: payload.fresh,
        appearance: None,
    };
    state.requests += 1;
    let answer = cx.connections().send(&question.request(&payload.reached, payload.kind));
    let found = match google::rows(answer) {
        Ok(found) => found,
        Err(Unanswered::Never(fault)) => return Err(fault),
        Err(Unanswered::OverQuota) => return Ok(Left::OverQuota),
        Err(Unanswered::Later) => {
            let tries = state.tries.entry("totals".to_owned()).or_default();
            *tries += 1;
            if *tries < MAX_TRIES {
                return Ok(Left::Unanswered);
            }
            let message = "Search Console does not answer; start the import again later";
            return Err(Fault::unavailable("provider_error", message));
        }
    };
    state.odd_rows += found.odd;
    let (site, kind) = (payload.site_id.as_str(), payload.kind);
    let known: BTreeMap<String, DayRecord> = cx
        .records::<Totals>()
        .by("site_id_kind_date")
        .equals(&payload.site_id)
        .equals(kind.name())
        .at_least(days.first)
        .below(days.last.plus(1))
        .scan()
        .map(|row| (row.0.date.clone(), row.it.0))
        .collect();
    let mut by_day: BTreeMap<Day, kit::pack::Search> = BTreeMap::new();
    for row in &found.rows {
        if let Some(day) = row.keys.first().and_then(|key| key.parse().ok()) {
            by_day.insert(day, row.figures);
        }
    }
    // Days that Google has nothing of yet are left to a later import.
    let final_until = found.first_incomplete.map_or_else(|| google::today(cx).plus(-2), |day| day.plus(-1));
    let last = days.last.min(by_day.keys().next_back().copied().unwrap_or(final_until).max(final_until));
    let rows: Vec<(Id<Totals>, Totals)> = Period { first: days.first, last }
        .days()
        .map(|day| {
            let figures = by_day.get(&day).copied().unwrap_or_default();
            let before = known.get(&day.to_string());
            let record = DayRecord {
                site_id: site.to_owned(),
                kind: kind.name().to_owned(),
                date: day.to_string(),
                clicks: figures.clicks,
                impressions: figures.impressions,
                positions: figures.positions,
                state: if day > final_until { DayState::Fresh } else { DayState::Final },
                known_clicks: before.and_then(|it| it.known_clicks),
                known_impressions: before.and_then(|it| it.known_impressions),
                capped: before.is_some_and(|it| it.capped),
            };
            (Id::new(DayRecord::id(site, kind, day)), Totals(record))
        })
        .collect();
    cx.records::<Totals>().put_many_as(rows.iter().map(|(id, row)| (id, row)))?;
    state.days += u32::try_from(rows.len()).unwrap_or(0);
    state.rows += found.rows.len() as u64;
    Ok(Left::Nothing)
}

/// Remembers what the queries of some days add up to.
pub(super) fn add_known(cx: &Cx, payload: &Payload, known: &BTreeMap<Day, (kit::pack::Search, bool)>) -> Result<()> {
    let (Some(first), Some(last)) = (known.keys().next(), known.keys().next_back()) else { return Ok(()) };
    let rows: Vec<(Id<Totals>, Totals)> = cx
        .records::<Totals>()
        .by("site_id_kind_date")
        .equals(&payload.site_id)
        .equals(payload.kind.name())
        .at_least(*first)
        .below(last.plus(1))
        .scan()
        .filter_map(|row| {
            let (sum, capped) = *known.get(&row.0.day()?)?;
            let mut record = row.it.0;
            record.known_clicks = Some(sum.clicks);
            record.known_impressions = Some(sum.impressions);
            record.capped = capped;
            Some((row.id, Totals(record)))
        })
        .collect();
    cx.records::<Totals>().put_many_as(rows.iter().map(|(id, row)| (id, row)))?;
    Ok(())
}
