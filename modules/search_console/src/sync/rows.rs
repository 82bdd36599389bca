//! The rows of a month and cut: questions day by day, and the packs that they become.

use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use sdk::prelude::*;
use search::{Cut, Figures, Month, Period, key};

use super::totals;
use super::work::{Checkpoint, Left, MAX_TRIES, Payload};
use crate::google::{self, MAX_ROWS, MAX_ROWS_OF_DAY, Question, Row, Unanswered};

/// Questions of one step; a host allows 64 requests.
const MAX_REQUESTS: u32 = 56;
/// Rows that one step holds: a row takes some 150 bytes while it is sorted.
const MAX_HELD: u64 = 250_000;
/// Days that are asked for at once.
const AT_ONCE: usize = 8;

/// The rows of a step, by key and day.
type Gathered = BTreeMap<Vec<u8>, Vec<(u8, Search)>>;

/// The dimensions of a cut, in the order of the parts of its keys.
fn dimensions(cut: Cut, devices: bool) -> &'static [&'static str] {
    match cut {
        Cut::Markets => &["country", "device"],
        Cut::Pages => &["page"],
        Cut::PageMarkets if devices => &["page", "country", "device"],
        Cut::PageMarkets => &["page", "country"],
        Cut::Queries => &["query"],
        Cut::Details => &["page", "query"],
        Cut::Appearances => &["searchAppearance"],
    }
}

/// Imports some days of a month and cut.
pub(super) fn import(
    cx: &Cx,
    payload: &Payload,
    (month, cut): (Month, Cut),
    period: Period,
    state: &mut Checkpoint,
) -> Result<Left> {
    let days = Period { first: period.first.max(month.first()), last: period.last.min(month.last()) };
    let mut left: Vec<Day> = state.left.take().unwrap_or_else(|| days.days().collect());
    let mut gathered = Gathered::new();
    let mut known: BTreeMap<Day, (Search, bool)> = BTreeMap::new();
    let (mut mask, mut capped_mask, mut held, mut asked) = (0_u32, 0_u32, 0_u64, 0_u32);
    let mut outcome = Left::Some;
    let dimensions = dimensions(cut, payload.kind.has(Cut::Markets));
    while !left.is_empty() && asked + 2 * AT_ONCE as u32 <= MAX_REQUESTS && held < MAX_HELD {
        let batch: Vec<Day> = left.iter().copied().take(AT_ONCE).collect();
        let answers = ask(cx, payload, dimensions, &batch, &mut asked);
        for (day, answer) in batch.into_iter().zip(answers) {
            match answer {
                Ok((rows, odd)) => {
                    left.retain(|it| *it != day);
                    state.odd_rows += odd;
                    held += rows.len() as u64;
                    let capped = rows.len() >= MAX_ROWS_OF_DAY;
                    let bit = month.bit(day);
                    mask |= bit;
                    if capped {
                        capped_mask |= bit;
                        state.capped.push(day);
                    }
                    let mut sum = Search::default();
                    for row in rows {
                        sum.add(&row.figures);
                        take(&mut gathered, &row, u8::try_from(bit.trailing_zeros()).unwrap_or(0));
                    }
                    known.insert(day, (sum, capped));
                }
                Err(Unanswered::Never(fault)) => return Err(fault),
                Err(Unanswered::OverQuota) => outcome = Left::OverQuota,
                Err(Unanswered::Later) => {
                    let tries = state.tries.entry(day.to_string()).or_default();
                    *tries += 1;
                    if *tries >= MAX_TRIES {
                        left.retain(|it| *it != day);
                        state.gaps.push(day);
                    } else if !matches!(outcome, Left::OverQuota) {
                        outcome = Left::Unanswered;
                    }
                }
            }
        }
        if !matches!(outcome, Left::Some) {
            break;
        }
    }
    state.requests += asked;
    state.rows += held;
    if mask > 0 {
        let figures = Figures::own(cx, &payload.site_id, payload.kind);
        search::replace(&figures, month, cut, (mask, capped_mask), gathered)?;
    }
    if cut == Cut::Queries {
        totals::add_known(cx, payload, &known)?;
    }
    if left.is_empty() {
        return Ok(Left::Nothing);
    }
    state.left = Some(left);
    Ok(outcome)
}

/// Asks for each of some days, and for the second 25,000 rows of those that have as many.
fn ask(
    cx: &Cx,
    payload: &Payload,
    dimensions: &[&'static str],
    days: &[Day],
    asked: &mut u32,
) -> Vec<Result<(Vec<Row>, u64), Unanswered>> {
    let question = |day: Day, start_row: usize| {
        let question =
            Question { first: day, last: day, dimensions, start_row, fresh: payload.fresh, appearance: None };
        question.request(&payload.reached, payload.kind)
    };
    *asked += u32::try_from(days.len()).unwrap_or(0);
    let answers = cx.connections().send_many(days.iter().map(|day| question(*day, 0)));
    let mut found: Vec<Result<(Vec<Row>, u64), Unanswered>> =
        answers.into_iter().map(|answer| google::rows(answer).map(|it| (it.rows, it.odd))).collect();
    let full: Vec<usize> =
        (0..found.len()).filter(|at| found[*at].as_ref().is_ok_and(|(rows, _)| rows.len() >= MAX_ROWS)).collect();
    *asked += u32::try_from(full.len()).unwrap_or(0);
    let more = cx.connections().send_many(full.iter().map(|at| question(days[*at], MAX_ROWS)));
    for (at, answer) in full.into_iter().zip(more) {
        match (google::rows(answer), &mut found[at]) {
            (Ok(more), Ok((rows, odd))) => {
                rows.extend(more.rows);
                *odd += more.odd;
            }
            // Half a day is none: its other half is asked for again with it.
            (Err(why), slot) => *slot = Err(why),
            (Ok(_), Err(_)) => {}
        }
    }
    found
}

/// Adds a row. A key that comes twice on a day, because it differed only in zero bytes, is added up.
pub(super) fn take(gathered: &mut Gathered, row: &Row, day: u8) {
    let days = gathered.entry(key(row.keys.iter().map(String::as_str))).or_default();
    match days.binary_search_by_key(&day, |(day, _)| *day) {
        Ok(at) => days[at].1.add(&row.figures),
        Err(at) => days.insert(at, (day, row.figures)),
    }
}
