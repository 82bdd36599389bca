//! What the service answers, document by document. `wit/platform.md` is the law; members that nothing here
//! shows are left out.

pub(crate) mod account;
pub(crate) mod activity;
pub(crate) mod balance;
pub(crate) mod grants;
pub(crate) mod invoices;
pub(crate) mod jobs;
pub(crate) mod ledger;
pub(crate) mod plans;
pub(crate) mod spending;
pub(crate) mod stored;

use sdk::prelude::*;
use sdk::{Paging, Span};

/// Milliseconds of a day.
pub(crate) const DAY: u64 = 86_400_000;

/// A page of a list, as the service wants it. Its cursors are passed through: what one page says is `next` begins the
/// next one.
pub(crate) fn paging(limit: Count<1, 100>, cursor: Option<&Cursor>) -> Paging {
    let limit = u32::try_from(u64::from(limit)).unwrap_or(100);
    Paging { after: cursor.map(|it| it.as_str().to_owned()), limit }
}

/// Where a page ended.
pub(crate) fn cursor(next: Option<String>) -> Option<Cursor> {
    next.map(Cursor::new)
}

/// From the beginning of one day to the end of another; 422 `period_reversed` when they are the wrong way round.
pub(crate) fn span(from: Option<Day>, to: Option<Day>) -> Result<Span> {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    Ok(Span { from: from.map(begin), until: to.map(|day| begin(day) + DAY) })
}

/// The first millisecond of a day; a day before 1970 begins with it.
pub(crate) fn begin(day: Day) -> u64 {
    u64::try_from(day.since_epoch()).unwrap_or(0) * DAY
}

/// A refusal of the service, with the argument that it is about where it does not say so itself.
pub(crate) fn about(pointer: &'static str) -> impl Fn(Fault) -> Fault {
    move |fault| if fault.pointer.is_some() { fault } else { fault.at(pointer) }
}

/// A moment of the service.
pub(crate) fn moment(milliseconds: Option<u64>) -> Option<Moment> {
    milliseconds.map(Moment::from_millis)
}
