//! Search appearances of a month: which there are, and their figures by day and page.
//!
//! Google groups by appearance alone: the others are asked for with a filter for each.

use std::collections::BTreeMap;

use kit::pack::Search;
use sdk::prelude::*;
use search::{Cut, Figures, Month, Period};

use super::rows::take;
use super::work::{Checkpoint, Left, MAX_TRIES, Payload};
use crate::google::{self, MAX_ROWS, Question, Row, Unanswered};

/// Appearances of a month that are imported, the most shown first.
const MAX_APPEARANCES: usize = 12;

/// Imports a month.
pub(super) fn import(cx: &Cx, payload: &Payload, month: Month, period: Period, state: &mut Checkpoint) -> Result<Left> {
    let days = Period { first: period.first.max(month.first()), last: period.last.min(month.last()) };
    match gather(cx, payload, days, state) {
        Ok((rows, capped)) => {
            let mut gathered: BTreeMap<Vec<u8>, Vec<(u8, Search)>> = BTreeMap::new();
            let mut held = 0;
            for (day, row) in &rows {
                let bit = month.bit(*day);
                if bit > 0 {
                    take(&mut gathered, row, u8::try_from(bit.trailing_zeros()).unwrap_or(0));
                    held += 1;
                }
            }
            state.rows += held;
            let figures = Figures::own(cx, &payload.site_id, payload.kind);
            let mask = month.mask(days);
            search::replace(&figures, month, Cut::Appearances, (mask, if capped { mask } else { 0 }), gathered)?;
            Ok(Left::Nothing)
        }
        Err(Unanswered::Never(fault)) => Err(fault),
        Err(Unanswered::OverQuota) => Ok(Left::OverQuota),
        Err(Unanswered::Later) => {
            let tries = state.tries.entry("appearances".to_owned()).or_default();
            *tries += 1;
            if *tries < MAX_TRIES {
                return Ok(Left::Unanswered);
            }
            state.gaps.extend(days.days());
            Ok(Left::Nothing)
        }
    }
}

/// The rows of a period with their days, and whether Google cut one of the answers.
fn gather(
    cx: &Cx,
    payload: &Payload,
    days: Period,
    state: &mut Checkpoint,
) -> Result<(Vec<(Day, Row)>, bool), Unanswered> {
    let question = |dimensions: &'static [&'static str], appearance: Option<&str>| {
        let (first, last, fresh) = (days.first, days.last, payload.fresh);
        Question { first, last, dimensions, start_row: 0, fresh, appearance }.request(&payload.reached, payload.kind)
    };
    state.requests += 1;
    let listed = google::rows(cx.connections().send(&question(&["searchAppearance"], None)))?;
    let mut names: Vec<(u64, String)> = listed
        .rows
        .into_iter()
        .filter_map(|row| Some((row.figures.impressions, row.keys.into_iter().next()?)))
        .collect();
    names.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    names.truncate(MAX_APPEARANCES);
    let questions: Vec<(&str, &'static [&'static str])> = names
        .iter()
        .flat_map(|(_, name)| [(name.as_str(), &["date"] as &[&str]), (name.as_str(), &["date", "page"])])
        .collect();
    state.requests += u32::try_from(questions.len()).unwrap_or(0);
    let answers =
        cx.connections().send_many(questions.iter().map(|(name, dimensions)| question(dimensions, Some(name))));
    let (mut rows, mut capped) = (Vec::new(), false);
    for ((name, _), answer) in questions.iter().zip(answers) {
        let found = google::rows(answer)?;
        capped |= found.rows.len() >= MAX_ROWS;
        for mut row in found.rows {
            let Some(day) = row.keys.first().and_then(|key| key.parse().ok()) else { continue };
            (*name).clone_into(&mut row.keys[0]);
            rows.push((day, row));
        }
    }
    Ok((rows, capped))
}
