//! The operation `crawl.trap.detect`.

use kit::traps::{Parameter, Reason, Report, Seen};
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;
use serde_json::Value;

use crate::run;
use crate::stored::{Row, Run};

/// Addresses of an unfinished crawl that one call looks at.
const LOOKED_AT: usize = 3_000;

#[args]
pub(crate) struct Detect {
    /// The crawl.
    run_ref: Id<Run>,
}

/// A family of addresses that keeps crawlers busy.
#[value]
pub(crate) struct Found {
    /// The family: a path with `{n}`, `{date}` and `{hex}` for what varies, and names of parameters.
    pattern: String,
    /// Addresses of it that are known, fetched or not.
    urls: u64,
    /// Of these, fetched with a text.
    fetched: u64,
    /// Different texts among them.
    distinct: u64,
    /// Why it is a trap.
    reason: Reason,
    /// A few of them.
    sample: Vec<String>,
    /// A crawl that leaves the family out.
    fix: Fix,
}

/// Traps and parameters of a site.
#[value]
pub(crate) struct Detected {
    /// The largest first.
    traps: Vec<Found>,
    /// Parameters, the most used first, with what they do: `changes` the text, `nothing`, or `unknown`.
    parameters: Vec<Parameter>,
    /// Addresses that were looked at, fetched ones and known ones that were not.
    looked_at: u64,
    /// When the crawl was summarised; null while it runs.
    summarised_at: Option<Moment>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Finds crawl traps: calendars, sessions, tracking, sorting, facets, repeated folders, many addresses of one text.
///
/// Addresses are grouped by the template of their path and by parameters. A family counts as a trap when different texts
/// for each address fall below a fifth, when folders repeat, when dates go on and on, or when filters are combined; a
/// parameter's effect is told from addresses that differ in it alone. `fix` starts a crawl without the family; on the
/// site itself robots.txt, canonicals or plain links without the parameter help search engines in the same way.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = ["find crawl traps", "is there an infinite calendar on my site", "which url parameters do nothing", "why does the crawl never end", "crawl budget wasted by filters"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Detected> {
    let run = run::live(cx, &args.run_ref)?;
    let (report, looked_at, summarised_at, degraded) = match run::summary(cx, &run) {
        Ok(summary) => {
            let report = serde_json::from_str(&summary.traps).unwrap_or_default();
            (report, summary.looked_at, Some(Moment::from_millis(summary.built_ms)), summary.degraded)
        }
        Err(_) => of_rows(cx, &run),
    };
    let Report { traps, parameters } = report;
    let site_id = &run.0.site_id;
    let settings = &run.0.settings;
    let traps = traps.into_iter().map(|trap| {
        let mut exclude: Vec<&String> = settings.exclude.iter().collect();
        exclude.extend(trap.exclude.iter().filter(|pattern| !settings.exclude.contains(pattern)));
        exclude.truncate(50);
        let arguments = json!({ "site_id": site_id, "max_pages": settings.max_pages, "exclude": exclude });
        Found {
            fix: Fix::new("crawl.run.start", arguments),
            pattern: trap.pattern,
            urls: trap.urls,
            fetched: trap.fetched,
            distinct: trap.distinct,
            reason: trap.reason,
            sample: trap.sample,
        }
    });
    Ok(Detected { traps: traps.collect(), parameters, looked_at, summarised_at, degraded })
}

/// From the first rows of a crawl that has no summary.
fn of_rows(cx: &Cx, run: &Stored<Run>) -> (Report, u64, Option<Moment>, Vec<Degraded>) {
    let text =
        |row: &serde_json::Map<String, Value>, name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
    let rows: Vec<(String, Option<u64>)> = cx
        .records::<Row>()
        .by("run_seq")
        .equals(&run.id)
        .scan()
        .take(LOOKED_AT)
        .filter_map(|row| {
            let content = text(&row.0, "text_sha256").and_then(|hash| u64::from_str_radix(hash.get(..16)?, 16).ok());
            Some((text(&row.0, "url")?, content))
        })
        .collect();
    let seen: Vec<Seen<'_>> = rows.iter().map(|(url, content)| Seen { url, content: *content }).collect();
    let degraded = vec![Degraded::new(
        "pages",
        format!("the crawl has not been summarised, so only its first {} addresses were looked at", seen.len()),
    )];
    (kit::traps::detect(&seen), seen.len() as u64, None, degraded)
}
