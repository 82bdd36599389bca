//! Kept here: the pages of a crawl, listed and one by one.

pub(crate) mod content;
pub(crate) mod finding;
mod glance;

use kit::crawled::{Found, page_id};
use kit::page::{Hop, Indexability, PageFacts};
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::fields;
use crate::filter::{self, Condition, Filter, Op};
use crate::run;
use crate::stored::{Page as Crawled, Run, Written};
use glance::{glance, whole};

/// Rows that one call looks through when no index answers alone.
const LOOKED_AT: u64 = 2_500;
/// Bytes of rows after which a call goes on with the cursor even so: rows may be long, and a read has its bounds.
const LOOKED_BYTES: usize = 8 << 20;
/// Rows asked for at once while looking.
const CHUNK: u64 = 250;
/// Redirects followed when a chain is shown.
const MOST_HOPS: usize = 10;

/// What `crawl.page.list` takes.
#[args]
pub(crate) struct ListArgs {
    /// The crawl.
    run_ref: Id<Run>,
    /// Conditions that must all hold.
    filter: Option<List<Condition, 0, 10>>,
    /// The fields to show; the address always is.
    columns: Option<List<Text<1, 40>, 0, 20>>,
    /// The field to sort by, with `-` before it for the greatest first. Without it, the order of fetching.
    sort: Option<Text<1, 41>>,
    /// At most this many.
    #[default(25)]
    limit: Count<1, 100>,
    /// The `next_cursor` of the page before.
    cursor: Option<Cursor>,
}

/// Pages of a crawl.
#[page]
pub(crate) struct Pages {
    /// The chosen fields of each; one without a value is left out.
    pages: Vec<Map<String, Value>>,
    /// How many there are in all; absent when the crawl is too large to be looked through in one call.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
}

/// Lists crawled pages with a typed filter over some 60 fields and chosen columns.
///
/// A filter on `status`, `depth` or `indexability` alone is answered by an index at any size. Other filters look
/// through 2,500 rows in one call and go on with the cursor; sorting needs a selection of at most 2,500 rows.
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
    let columns = columns(args.columns)?;
    let sort = args.sort.as_ref().map(sort_of).transpose()?;
    let (base, rest) = split(conditions);
    let filter = Filter::new(&rest)?;
    let limit = u64::from(args.limit);
    let (rows, total, next) = match sort {
        Some((field, greatest_first)) => {
            sorted(cx, &run.id, &base, &filter, field, greatest_first, limit, args.cursor)?
        }
        None if filter.is_empty() => {
            let total = query(cx, &run.id, &base).count();
            let page = query(cx, &run.id, &base).page(limit, args.cursor)?;
            (page.items.into_iter().map(|row| whole(&row.it)).collect(), Some(total), page.next)
        }
        None => looked_through(cx, &run.id, &base, &filter, limit, args.cursor)?,
    };
    let pages = rows.into_iter().map(|row| pick(row, &columns)).collect();
    Ok(Pages { pages, total, next_cursor: next })
}

fn columns(wanted: Option<List<Text<1, 40>, 0, 20>>) -> Result<Vec<&'static str>> {
    let wanted = wanted.map(List::into_vec).unwrap_or_default();
    if wanted.is_empty() {
        return Ok(fields::SHOWN.to_vec());
    }
    let mut columns = vec!["url"];
    for (at, name) in wanted.iter().enumerate() {
        let field = fields::find(name.as_str()).ok_or_else(|| {
            let message = format!("there is no field {:.40}; the fields are {}", name.as_str(), filter::names());
            Fault::invalid(format!("/columns/{at}"), "unknown_field", message)
        })?;
        if !columns.contains(&field.name) {
            columns.push(field.name);
        }
    }
    Ok(columns)
}

fn sort_of(text: &Text<1, 41>) -> Result<(&'static str, bool)> {
    let (name, greatest_first) = text.as_str().strip_prefix('-').map_or((text.as_str(), false), |name| (name, true));
    let field = fields::find(name).ok_or_else(|| {
        let message = format!("there is no field {name:.40}; the fields are {}", filter::names());
        Fault::invalid("/sort", "unknown_field", message)
    })?;
    Ok((field.name, greatest_first))
}

/// The condition that an index answers, and the others.
fn split(mut conditions: Vec<Condition>) -> (Option<(&'static str, Value)>, Vec<Condition>) {
    let indexed = |condition: &Condition| {
        let index = match condition.field.as_str() {
            "status" => "run_status",
            "depth" => "run_depth",
            "indexability" => "run_indexability",
            _ => return None,
        };
        let value = condition.value.clone()?;
        let fits = if index == "run_indexability" { value.is_string() } else { value.is_u64() };
        (condition.op == Op::Eq && fits).then_some((index, value))
    };
    let found = conditions.iter().enumerate().find_map(|(at, condition)| indexed(condition).map(|base| (at, base)));
    match found {
        Some((at, base)) => {
            conditions.remove(at);
            (Some(base), conditions)
        }
        None => (None, conditions),
    }
}

fn query<'a>(cx: &'a Cx, run: &Id<Run>, base: &Option<(&'static str, Value)>) -> sdk::Query<'a, Written> {
    match base {
        Some((index, value)) => cx.records::<Written>().by(index).equals(run).equals(value),
        None => cx.records::<Written>().by("run_seq").equals(run),
    }
}

type Selection = (Vec<Map<String, Value>>, Option<u64>, Option<Cursor>);

#[expect(clippy::too_many_arguments, reason = "the parts of one question, each named at its only caller")]
fn sorted(
    cx: &Cx,
    run: &Id<Run>,
    base: &Option<(&'static str, Value)>,
    filter: &Filter,
    field: &'static str,
    greatest_first: bool,
    limit: u64,
    cursor: Option<Cursor>,
) -> Result<Selection> {
    if query(cx, run, base).count() > LOOKED_AT {
        let message =
            format!("only {LOOKED_AT} rows can be sorted at once; narrow them by status, depth or indexability");
        return Err(Fault::invalid("/sort", "sort_too_wide", message));
    }
    let from = match cursor {
        Some(cursor) => {
            cursor.as_str().strip_prefix("o:").and_then(|text| text.parse::<usize>().ok()).ok_or_else(foreign_cursor)?
        }
        None => 0,
    };
    let wanted = [filter.fields(), vec![field, "seq"]].concat();
    let seen = query(cx, run, base).scan().map(|row| (glance(&row.it, &wanted), row.it));
    let mut rows: Vec<(Map<String, Value>, Written)> = seen.filter(|(seen, _)| filter.holds(seen)).collect();
    rows.sort_by(|(a, _), (b, _)| {
        let order = filter::order(a.get(field), b.get(field));
        // Missing values stay last whichever way it is sorted.
        let order =
            if greatest_first && a.contains_key(field) == b.contains_key(field) { order.reverse() } else { order };
        order.then_with(|| filter::order(a.get("seq"), b.get("seq")))
    });
    let total = rows.len();
    let end = from.saturating_add(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = (end < total).then(|| Cursor::new(format!("o:{end}")));
    let shown = rows.iter().skip(from).take(end - from).map(|(_, row)| whole(row)).collect();
    Ok((shown, Some(total as u64), next))
}

/// Goes through the rows in chunks; a cursor is where a chunk began and how many of its rows are done.
fn looked_through(
    cx: &Cx,
    run: &Id<Run>,
    base: &Option<(&'static str, Value)>,
    filter: &Filter,
    limit: u64,
    cursor: Option<Cursor>,
) -> Result<Selection> {
    let to_count = cursor.is_none() && query(cx, run, base).count() <= LOOKED_AT;
    let (mut chunk, mut done) = match &cursor {
        None => (None, 0),
        Some(cursor) => {
            let (done, chunk) = cursor.as_str().split_once(':').ok_or_else(foreign_cursor)?;
            let done: usize = done.parse().map_err(|_| foreign_cursor())?;
            ((!chunk.is_empty()).then(|| Cursor::new(chunk)), done)
        }
    };
    let (mut found, mut matched, mut looked, mut bytes) = (Vec::new(), 0_u64, 0_u64, 0);
    let (mut next, wanted) = (None, filter.fields());
    loop {
        let page = query(cx, run, base).page(CHUNK, chunk.clone())?;
        for (at, row) in page.items.into_iter().enumerate().skip(done) {
            looked += 1;
            bytes += row.it.text().len();
            if !filter.holds(&glance(&row.it, &wanted)) {
                continue;
            }
            matched += 1;
            if (found.len() as u64) < limit {
                found.push(whole(&row.it));
            } else if next.is_none() {
                next = Some(position(at, chunk.as_ref()));
            }
        }
        let at_end = page.next.is_none();
        let full = next.is_some() && !to_count;
        if at_end || looked >= LOOKED_AT || bytes >= LOOKED_BYTES || full {
            let total = (to_count && at_end).then_some(matched);
            let next = next.or_else(|| page.next.as_ref().map(|chunk| position(0, Some(chunk))));
            return Ok((found, total, next));
        }
        (chunk, done) = (page.next, 0);
    }
}

fn position(done: usize, chunk: Option<&Cursor>) -> Cursor {
    Cursor::new(format!("{done}:{}", chunk.map_or("", Cursor::as_str)))
}

fn foreign_cursor() -> Fault {
    Fault::invalid("/cursor", "invalid_cursor", "the cursor is not one of this list; start without it")
}

fn pick(mut row: Map<String, Value>, columns: &[&str]) -> Map<String, Value> {
    columns.iter().filter_map(|name| row.remove_entry(*name)).collect()
}

/// What `crawl.page.get` takes.
#[args]
pub(crate) struct Get {
    /// The crawl; without it the latest that has pages.
    run_ref: Option<Id<Run>>,
    /// The address; it is normalised as the crawl does.
    url: Url,
}

/// Everything recorded about one address.
#[value]
pub(crate) struct Whole {
    /// The crawl.
    run_ref: Id<Run>,
    /// What was recorded; links are listed by crawl.link.list.
    page: PageFacts,
    /// Links from a starting address.
    depth: u32,
    /// How it became known.
    found: Found,
    /// The page it was first found on.
    #[serde(skip_serializing_if = "Option::is_none")]
    referrer: Option<String>,
    /// Whether a sitemap names it.
    in_sitemap: bool,
    /// When it was fetched.
    fetched: Moment,
    /// The redirects that begin here and the address they end at, each as recorded by the crawl.
    chain: Vec<Hop>,
    /// The head in one look.
    head: Head,
    /// Whether it may be indexed, and what decides it.
    indexability: Indexability,
    /// How many links of the crawl lead here.
    inlinks: u64,
}

/// The elements of a head that search engines read first.
#[value]
pub(crate) struct Head {
    /// The first title.
    title: Option<String>,
    /// The first description.
    description: Option<String>,
    /// The canonical that counts.
    canonical: Option<String>,
    /// Robots directives of markup and header.
    robots: Vec<String>,
    /// The language of the page.
    lang: Option<String>,
}

/// Returns everything recorded about one crawled URL: response chain, headers, head, headings, hashes, indexability.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["what did the crawl find on this page", "why is this url not indexable", "show headings and canonical of a page"],
    examples = [{ "url": "https://shop.example/" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Whole> {
    let run = run::given(cx, args.run_ref.as_ref())?;
    let url = run::normal(&args.url);
    let page = cx.records::<Crawled>().find(&Id::new(page_id(run.id.as_str(), &url)));
    let page = page.ok_or_else(|| {
        Fault::not_found("page_not_found", "this crawl has no such address; crawl.page.list shows those it has")
            .at("/url")
    })?;
    let page = page.into_inner().0;
    let inlinks = cx.records::<crate::stored::Linked>().by("run_target").equals(&run.id).equals(&url).count();
    let facts = page.facts;
    let head = Head {
        title: facts.titles.first().cloned(),
        description: facts.descriptions.first().cloned(),
        canonical: facts
            .canonicals
            .iter()
            .find(|one| one.place != kit::page::Place::Body)
            .and_then(|one| one.url.clone()),
        robots: facts.meta_robots.iter().chain(&facts.x_robots_tag).cloned().collect(),
        lang: facts.lang.clone(),
    };
    Ok(Whole {
        chain: chain(cx, run.id.as_str(), &facts),
        run_ref: run.id,
        depth: page.depth,
        found: page.found,
        referrer: page.referrer,
        in_sitemap: page.in_sitemap,
        fetched: Moment::from_millis(page.fetched_ms),
        head,
        indexability: facts.indexability,
        inlinks,
        page: facts,
    })
}

/// Follows recorded redirects to their end, a circle or an address that was not fetched.
pub(crate) fn chain(cx: &Cx, run: &str, facts: &PageFacts) -> Vec<Hop> {
    let mut hops: Vec<Hop> = Vec::new();
    let (mut url, mut status, mut next) = (facts.url.clone(), facts.status, facts.redirect_to.clone());
    while let Some(target) = next {
        hops.push(Hop { url: url.clone(), status, location: target.clone() });
        if hops.len() >= MOST_HOPS || hops.iter().any(|hop| hop.url == target) {
            break;
        }
        let Some(page) = cx.records::<Crawled>().find(&Id::new(page_id(run, &target))) else { break };
        (url, status, next) = (target, page.0.status, page.it.0.facts.redirect_to);
        if next.is_none() {
            hops.push(Hop { url: url.clone(), status, location: String::new() });
        }
    }
    hops
}
