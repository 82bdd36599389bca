//! The operation `schema.site.report`: structured data across a crawl, by type and by template.

mod count;
pub(crate) mod tree;

use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::crawled::Row;
use count::{Broken, Count, OfTemplate, OfType};
use site::Run;

/// The most addresses that are counted: a read may look at 10,000 rows and has 250 million units of fuel.
const MOST_ROWS: u64 = 2_500;
/// The most pages whose items are checked, shared among the templates.
const MOST_CHECKED: usize = 120;
/// Rows asked for at once.
const CHUNK: u64 = 250;

#[args(paged)]
pub(crate) struct Report {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// Only pages that declare this type.
    #[serde(rename = "type")]
    kind: Option<Text<1, 60>>,
}

/// Structured data of a crawl.
#[page]
pub(crate) struct Reported {
    /// Groups of addresses of one shape, the largest first.
    templates: Vec<OfTemplate>,
    /// Every type with the pages that declare it, the commonest first; at most 100.
    types: Vec<OfType>,
    /// The commonest errors of the pages that were checked; at most 25.
    errors: Vec<Broken>,
    /// Templates in all.
    total: u64,
    /// HTML pages that were counted.
    pages: u64,
    basis: Basis,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Reports structured data coverage across a crawl by type and template: pages with, without, invalid and inconsistent, with the commonest error per template.
///
/// Every page is counted; of each template some pages are checked, 120 in all. A page is inconsistent when it lacks a type
/// that three in five pages of its template have. Templates are addresses whose paths differ in their last part or in numbers.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit),
    phrasings = [
        "which pages of my site have no structured data",
        "schema markup coverage of the whole website",
        "which templates have broken structured data",
        "how many product pages have Product schema",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "type": "Product", "limit": 10 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let run = site::readable(cx, &args.run_ref)?;
    let from = args.start()?;
    let (mut count, mut degraded, mut cursor, mut rows) = (Count::default(), Vec::new(), None, 0_u64);
    loop {
        let page = cx.records::<Row>().by("run_seq").equals(&run.id).page(CHUNK, cursor)?;
        for row in page.items.iter().filter(|it| it.status == 200 && it.is_html) {
            count.add(row, args.kind.as_deref());
        }
        rows += page.items.len() as u64;
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
        if rows >= MOST_ROWS {
            let why = format!("only the first {rows} addresses of the crawl were counted");
            degraded.push(Degraded::new("pages", why));
            break;
        }
    }
    let checked = count.check(cx, &run.id, MOST_CHECKED);
    if checked < count.with() {
        let why = format!("the items of {checked} pages were checked, of {} that have some", count.with());
        degraded.push(Degraded::new("checked_pages", why));
    }
    if count.only_other_formats() > 0 {
        let why = "crawls keep the types of Microdata and RDFa but not their values; schema.page.validate checks a page of them";
        degraded.push(Degraded::new("microdata_and_rdfa", why));
    }
    let templates = count.templates();
    let total = templates.len();
    let limit = usize::try_from(args.limit.get()).unwrap_or(25);
    let shown: Vec<OfTemplate> = templates.into_iter().skip(from).take(limit).collect();
    let following = from + shown.len();
    let next = match count.worst() {
        Some(url) => vec![Fix::on("schema.page.validate", url).because("shows every error of the page with the most")],
        None => vec![
            Fix::new("schema.entity_graph.build", json!({ "run_ref": run.id }))
                .because("finds entities that contradict each other across pages"),
        ],
    };
    Ok(Reported {
        templates: shown,
        types: count.types(),
        errors: count.errors(),
        total: total as u64,
        pages: count.pages(),
        basis: site::basis(cx, &run),
        next,
        degraded,
        next_cursor: (following < total).then(|| Cursor::new(following.to_string())),
    })
}

#[cfg(test)]
mod tests;
