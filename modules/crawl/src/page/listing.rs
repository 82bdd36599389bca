//! The operation `crawl.page.list`: what it takes, and which way its pages are chosen.

use filter::{Condition, Filter, Op, Sort};
use sdk::prelude::*;
use serde_json::{Map, Value};

use super::selection::{Asked, Base, LOOKED_AT, Selection};
use super::shelves;
use crate::columns::Shelves;
use crate::fields;
use crate::run;
use crate::stored::Run;

#[args(paged)]
pub(crate) struct ListArgs {
    /// The crawl.
    run_ref: Id<Run>,
    /// Conditions that must all hold.
    filter: Option<List<Condition, 0, 10>>,
    /// The fields to show; the address always is.
    columns: Option<List<Text<1, 40>, 0, 20>>,
    /// The field to sort by, with `-` before it for the greatest first. Without it, the order of fetching.
    sort: Option<Text<1, 41>>,
}

/// Pages of a crawl.
#[page]
pub(crate) struct Pages {
    /// The chosen fields of each; one without a value is left out.
    pages: Vec<Map<String, Value>>,
    /// How many there are in all; null when the crawl is too large to be looked through in one call.
    total: Option<u64>,
}

/// Lists crawled pages with a typed filter over some 60 fields and chosen columns.
///
/// A filter on `status`, `depth` or `indexability` alone is answered by an index at any size. Other filters look
/// through 25,000 pages in one call and go on with the cursor, or through 2,500 while the crawl still runs. As many can be
/// sorted at once: narrow a larger crawl by one of those three fields.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["which pages return 404", "list crawled pages with missing titles", "show noindex pages", "pages with thin content"],
    examples = [
        { "run_ref": "run_01", "filter": [{ "field": "status", "op": "eq", "value": 404 }] },
        { "run_ref": "run_01", "filter": [{ "field": "title_length", "op": "gt", "value": 60 }], "columns": ["title", "title_length"], "sort": "-title_length" }
    ]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Pages> {
    let run = run::live(cx, &args.run_ref)?;
    let conditions = args.filter.map(List::into_vec).unwrap_or_default();
    let filter = Filter::new(&conditions, &fields::asked())?;
    let columns = columns(args.columns)?;
    let sort = args.sort.as_ref().map(|it| filter::sort_of(it.as_str(), &fields::asked())).transpose()?;
    let base = conditions.iter().find_map(indexed);
    let by_index = sort.is_none() && conditions.len() == usize::from(base.is_some());
    let asked = Asked { cx, run: &run.id, base, filter, limit: args.limit.into(), cursor: args.cursor };
    let shelves = Shelves::whole(cx, run.id.as_str());
    let selection = if by_index { asked.by_index(shelves.as_ref())? } else { chosen(&asked, shelves, sort)? };
    let Selection { rows, total, next } = selection;
    let pages = rows.into_iter().map(|row| pick(row, &columns)).collect();
    Ok(Pages { pages, total, next_cursor: next })
}

/// Row by row where an index leaves few rows or there are no columns, else by columns; a list goes on the way it began.
fn chosen(asked: &Asked<'_>, shelves: Option<Shelves>, sort: Option<Sort>) -> Result<Selection> {
    let by_rows = match &asked.cursor {
        Some(cursor) if sort.is_none() => !shelves::is_own(cursor),
        _ => asked.base.is_some() && asked.count(shelves.as_ref()) <= LOOKED_AT,
    };
    let shelves = shelves.filter(|_| !by_rows);
    match (shelves, sort) {
        (Some(shelves), Some(sort)) => shelves::sorted(asked, &shelves.pages, sort),
        (Some(shelves), None) => shelves::looked_through(asked, &shelves.pages),
        (None, Some(sort)) => asked.sorted(sort),
        (None, None) => asked.looked_through(),
    }
}

fn columns(wanted: Option<List<Text<1, 40>, 0, 20>>) -> Result<Vec<&'static str>> {
    let wanted = wanted.map(List::into_vec).unwrap_or_default();
    if wanted.is_empty() {
        return Ok(fields::SHOWN.to_vec());
    }
    let mut columns = vec!["url"];
    for (at, name) in wanted.iter().enumerate() {
        let (field, _) = filter::field(name.as_str(), &fields::asked(), &format!("/columns/{at}"))?;
        if !columns.contains(&field) {
            columns.push(field);
        }
    }
    Ok(columns)
}

/// The condition that an index answers, if this is one.
fn indexed(condition: &Condition) -> Option<Base> {
    let (index, field) = match condition.field.as_str() {
        "status" => ("run_status", "status"),
        "depth" => ("run_depth", "depth"),
        "indexability" => ("run_indexability", "indexability"),
        _ => return None,
    };
    let value = condition.value.clone()?;
    let fits = if field == "indexability" { value.is_string() } else { value.is_u64() };
    (condition.op == Op::Eq && fits).then_some(Base { index, field, value })
}

fn pick(mut row: Map<String, Value>, columns: &[&str]) -> Map<String, Value> {
    columns.iter().filter_map(|name| row.remove_entry(*name)).collect()
}
