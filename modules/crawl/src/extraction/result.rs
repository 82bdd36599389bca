//! The operation `crawl.extraction.result.list`.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::prelude::*;

use crate::run;
use crate::stored::{Coverage, Extracted, Run};

/// Pages that one call looks through.
const LOOKED_AT: u64 = 4_000;
/// Asked for at once.
const CHUNK: u64 = 200;

#[args(paged)]
pub(crate) struct ListArgs {
    /// The crawl.
    run_ref: Id<Run>,
    /// Only this rule.
    name: Option<Text<1, 40>>,
    /// Only pages on which a rule, or the named one, found nothing.
    #[default(false)]
    missing_only: bool,
}

/// What rules found on a page.
#[value]
pub(crate) struct Line {
    /// The page.
    url: String,
    /// Values by rule.
    values: BTreeMap<String, Vec<String>>,
    /// Rules that found nothing.
    missing: Vec<String>,
}

/// Extracted values of a crawl.
#[page]
pub(crate) struct Lines {
    /// By address.
    rows: Vec<Line>,
    /// How each rule did over all pages; empty while the crawl runs.
    coverage: Vec<Coverage>,
    /// Pages that rules were run on.
    pages: u64,
    /// When the crawl ended.
    ended_at: Option<Moment>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists extracted values page by page, with the coverage and the number of different values of every rule.
///
/// Rules are those that the website had when the crawl began; they run on HTML pages that answered 200. With
/// `missing_only`, up to 4,000 pages are looked through in one call; go on with the cursor.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["show extracted prices", "custom extraction results", "which pages have no sku", "list the values collected by my rules"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "name": "price", "missing_only": true }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Lines> {
    let run = run::live(cx, &args.run_ref)?;
    let mut rules: Vec<String> = run.0.extraction.iter().map(|rule| rule.name.clone()).collect();
    if rules.is_empty() {
        let message = "this crawl ran without extraction rules; save some with crawl.extraction.set and crawl again";
        return Err(Fault::conflict("no_extraction", message)
            .detail(sdk::json!({ "operation_id": "crawl.extraction.set", "site_id": run.0.site_id })));
    }
    if let Some(name) = &args.name {
        rules.retain(|rule| rule == name.as_str());
        if rules.is_empty() {
            let names: Vec<&str> = run.0.extraction.iter().map(|rule| rule.name.as_str()).collect();
            let message = format!("the rules of this crawl are {}", kit::text::clip(&names.join(", "), 300));
            return Err(Fault::not_found("rule_not_found", message).at("/name"));
        }
    }
    let query = || cx.records::<Extracted>().by("run_url").equals(&run.id);
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX);
    let (mut rows, mut looked, mut from) = (Vec::new(), 0, args.cursor);
    let next_cursor = loop {
        let wanted = if args.missing_only { CHUNK } else { (limit - rows.len()) as u64 };
        let before = from.clone();
        let page = query().page(wanted, from)?;
        let mut done = 0_u64;
        for it in page.items {
            looked += 1;
            done += 1;
            let line = line(it.into_inner(), &rules);
            if !args.missing_only || !line.missing.is_empty() {
                rows.push(line);
            }
            if rows.len() == limit {
                break;
            }
        }
        if rows.len() == limit && done < wanted && page.next.is_some() {
            // The list goes on in the middle of what was asked for: the host gives the place after as many rows.
            break query().page(done, before)?.next;
        }
        if rows.len() == limit || page.next.is_none() || looked >= LOOKED_AT {
            let rest = rows.len() == limit && page.next.is_none() && done > 0;
            break if rest { query().page(done, before)?.next } else { page.next };
        }
        from = page.next;
    };
    let summary = run::summary(cx, &run).ok();
    let mut degraded = Vec::new();
    if summary.is_none() {
        degraded.push(Degraded::new("coverage", "the crawl has not ended, so there is no coverage yet"));
    }
    let coverage = summary.map(|summary| summary.coverage).unwrap_or_default();
    Ok(Lines {
        rows,
        coverage: coverage.into_iter().filter(|it| rules.contains(&it.name)).collect(),
        pages: query().count(),
        ended_at: run.0.finished_ms.map(Moment::from_millis),
        degraded,
        next_cursor,
    })
}

fn line(it: Extracted, rules: &[String]) -> Line {
    let mut values = it.values;
    values.retain(|name, _| rules.contains(name));
    let missing = rules.iter().filter(|rule| !values.contains_key(*rule)).cloned().collect();
    Line { url: it.url, values, missing }
}
