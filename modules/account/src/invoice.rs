//! The operation `account.invoice.list`.

use sdk::prelude::*;
use sdk::{InvoiceFilter, PlatformQuestion};

use crate::amount::money;
use crate::platform::invoices::{Invoice as Known, Invoices as KnownPage};
use crate::platform::{about, cursor, moment, paging, span};

/// An invoice; the service keeps it.
pub(crate) enum Invoice {}

/// Where an invoice stands.
#[value]
pub(crate) enum State {
    Open,
    Paid,
    Void,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Void => "void",
        }
    }
}

#[args(paged)]
pub(crate) struct List {
    /// Only this one.
    invoice_ref: Option<Id<Invoice>>,
    /// Only those that stand so.
    state: Option<State>,
    /// The first day of issue, in UTC.
    from: Option<Day>,
    /// The last day of issue, in UTC.
    to: Option<Day>,
}

/// Invoices.
#[page]
pub(crate) struct Invoices {
    invoices: Vec<Shown>,
}

/// An invoice, or a pro-forma for one.
#[value]
pub(crate) struct Shown {
    invoice_ref: Id<Invoice>,
    /// `pro_forma`: credits come when it is paid; `invoice`: it was.
    kind: String,
    /// `open`, `paid` or `void`.
    state: String,
    issued_at: Moment,
    paid_at: Option<Moment>,
    /// What it is for in time.
    period: Option<String>,
    currency: String,
    lines: Vec<Line>,
    /// Without tax.
    net: f64,
    tax_percent: f64,
    tax: f64,
    /// To be paid.
    total: f64,
    /// The customer's own reference.
    reference: Option<String>,
    /// Where it is as a PDF, for a person who is signed in; null while there is none.
    #[schemars(url)]
    pdf_ref: Option<String>,
}

/// A thing that is paid for.
#[value]
pub(crate) struct Line {
    description: String,
    quantity: f64,
    /// The price of one.
    unit_price: f64,
    /// The price of all, without tax.
    amount: f64,
}

/// Lists invoices and pro-formas with state, amount, tax and period, or one of them with its lines, tax breakdown and PDF reference.
///
/// The newest first.
#[operation(
    read,
    scope = "billing:read",
    cost = list,
    needs = ["store", "credits"],
    phrasings = [
        "show my invoices",
        "which bills are unpaid",
        "did my payment arrive",
        "download the invoice of September",
    ],
    examples = [{}, { "state": "open" }, { "invoice_ref": "inv_4fzzzxjylrxeu7yx2kphqvjzba" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Invoices> {
    let filter = InvoiceFilter {
        reference: args.invoice_ref.map(|it| it.as_str().to_owned()),
        state: args.state.map(|it| it.word().to_owned()),
        span: span(args.from, args.to)?,
        paging: paging(args.limit, args.cursor.as_ref()),
    };
    let page: KnownPage = match filter.reference {
        Some(_) => cx.platform().ask(&PlatformQuestion::Invoices(filter)).map_err(about("/invoice_ref"))?,
        None => cx.platform().ask(&PlatformQuestion::Invoices(filter))?,
    };
    Ok(Invoices { invoices: page.invoices.into_iter().map(shown).collect(), next_cursor: cursor(page.next) })
}

fn shown(it: Known) -> Shown {
    let lines = it.lines.into_iter().map(|line| Line {
        description: line.words,
        quantity: line.quantity,
        unit_price: money(line.unit_cents),
        amount: money(line.amount_cents),
    });
    Shown {
        lines: lines.collect(),
        invoice_ref: Id::new(it.invoice_ref),
        kind: it.kind,
        state: it.state,
        issued_at: Moment::from_millis(it.issued_at),
        paid_at: moment(it.paid_at),
        period: it.period,
        currency: it.currency,
        net: money(it.net_cents),
        tax_percent: it.tax_percent,
        tax: money(it.tax_cents),
        total: money(it.total_cents),
        reference: it.reference,
        pdf_ref: it.pdf_url,
    }
}
