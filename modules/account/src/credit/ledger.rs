//! The operation `account.credit.ledger.list`.

use sdk::prelude::*;
use sdk::{LedgerFilter, PlatformQuestion};

use crate::amount::{credits, of_unit};
use crate::platform::ledger::{Ledger, Line as Known};
use crate::platform::{cursor, paging, span};

/// A line of the ledger; the service keeps it.
pub(crate) enum Booked {}

/// What a line is about.
#[value]
pub(crate) enum Type {
    /// Paid for a call or a job.
    Charge,
    /// Given back.
    Refund,
    /// Credits that were ordered.
    Order,
    /// Points for credits.
    Points,
    /// The account's activation.
    Activation,
}

impl Type {
    const fn word(self) -> &'static str {
        match self {
            Self::Charge => "charge",
            Self::Refund => "refund",
            Self::Order => "order",
            Self::Points => "points",
            Self::Activation => "activation",
        }
    }
}

#[args(paged)]
pub(crate) struct List {
    /// Only lines of this type.
    #[serde(rename = "type")]
    kind: Option<Type>,
    /// Only lines of operations of this module.
    module: Option<Text<1, 64>>,
    /// The first day, in UTC.
    from: Option<Day>,
    /// The last day, in UTC.
    to: Option<Day>,
}

/// Lines of the ledger.
#[page]
pub(crate) struct Lines {
    lines: Vec<Line>,
    totals: Totals,
}

/// Something that moved from one account of the book to another.
#[value]
pub(crate) struct Line {
    line_ref: Id<Booked>,
    at: Moment,
    /// `charge`, `refund`, `order`, `points` or `activation`.
    #[serde(rename = "type")]
    kind: String,
    /// `posted`: at once and for good; `reserved`: set aside; `settled`: of what was set aside, charged; `released`: given
    /// back.
    state: String,
    /// What it was for.
    operation_id: Option<String>,
    /// The request or job that it belongs to: all lines of one have the same.
    request_or_job: Option<String>,
    /// `points` or `credits`.
    unit: String,
    amount: f64,
    /// The account of the book that it came from.
    from: String,
    /// The account of the book that it went to.
    to: String,
}

/// Of all lines that the arguments select, not of this page alone.
#[value]
pub(crate) struct Totals {
    points_charged: i64,
    credits_charged: f64,
    /// Credits that came in.
    credits_added: f64,
    /// Points bought with credits.
    points_bought: i64,
}

/// Reads the double-entry credit ledger with operation, job, reservation, settlement and refund of each line.
///
/// The newest first. Each line moves one amount from one account of the book to another, so that everything adds up to
/// nothing.
#[operation(
    read,
    scope = "billing:read",
    cost = list,
    needs = ["store", "credits"],
    phrasings = [
        "where did my credits go",
        "show all charges of last month",
        "was I refunded for the failed crawl",
        "list credit transactions",
    ],
    examples = [{}, { "type": "refund", "from": "2026-09-01", "to": "2026-09-30" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Lines> {
    let filter = LedgerFilter {
        kind: args.kind.map(|it| it.word().to_owned()),
        module: args.module.map(Text::into_string),
        span: span(args.from, args.to)?,
        paging: paging(args.limit, args.cursor.as_ref()),
    };
    let page: Ledger = cx.platform().ask(&PlatformQuestion::Ledger(filter))?;
    Ok(Lines {
        lines: page.lines.into_iter().map(shown).collect(),
        totals: Totals {
            points_charged: page.totals.points_charged,
            credits_charged: credits(page.totals.credits_charged_milli),
            credits_added: credits(page.totals.credits_added_milli),
            points_bought: page.totals.points_bought,
        },
        next_cursor: cursor(page.next),
    })
}

fn shown(it: Known) -> Line {
    Line {
        amount: of_unit(&it.unit, it.amount),
        line_ref: Id::new(it.line_ref),
        at: Moment::from_millis(it.at),
        kind: it.kind,
        state: it.state,
        operation_id: it.operation,
        request_or_job: it.request_or_job,
        unit: it.unit.trim_end_matches("_milli").to_owned(),
        from: it.from,
        to: it.to,
    }
}
