//! The operations `indexing.hreflang.validate` and `indexing.hreflang.generate`.

pub(crate) mod assign;
pub(crate) mod codes;
pub(crate) mod declared;
pub(crate) mod features;
pub(crate) mod generating;
pub(crate) mod judging;
pub(crate) mod matching;

use sdk::Degraded;
use sdk::prelude::*;

use declared::{Declared, Totals};
use judging::{Cluster, Problem};
use site::Run;

/// One of `run_ref` and `urls` is needed.
#[args]
pub(crate) struct Validate {
    /// A crawl that has ended: its pages with hreflang, some at a time.
    run_ref: Option<Id<Run>>,
    /// Pages to be fetched now instead.
    urls: Option<List<Url, 0, 50>>,
    /// Only problems of this code, such as `no_return_link`.
    problem: Option<Text<1, 60>>,
    /// Look at so many pages at most.
    #[default(25)]
    limit: Count<1, 100>,
    /// The `next_cursor` of the page before.
    cursor: Option<Cursor>,
}

/// Language versions and what is wrong with them.
#[page]
pub(crate) struct Validated {
    /// Pages that name each other.
    clusters: Vec<Cluster>,
    /// Errors first.
    problems: Vec<Problem>,
    /// Pages that were looked at.
    pages: u32,
    /// What is wrong altogether; null for pages fetched now and beyond the first 200 pages of a crawl.
    totals: Option<Totals>,
    /// When what is said was seen: the end of the crawl, or now.
    seen_at: Moment,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Validates hreflang clusters from HTML, headers and sitemaps: BCP 47 codes, return links, self-reference, x-default, canonical and status agreement, duplicates per language.
///
/// Every page that names language versions is held against what those pages name and how they answer. Of sitemaps the
/// first three that robots.txt names are read. Pages with problems come first, among the first 200 of a crawl.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "clusters"),
    needs = ["web", "store"],
    phrasings = [
        "check my hreflang tags",
        "find missing hreflang return links",
        "are my language versions linked correctly",
        "which hreflang codes are wrong",
    ],
    examples = [
        { "run_ref": "run_01" },
        { "run_ref": "run_01", "problem": "no_return_link", "limit": 100 },
        { "urls": ["https://shop.example/en/", "https://shop.example/de/"] },
    ]
)]
pub(crate) fn validate(cx: &Cx, args: Validate) -> Result<Validated> {
    if args.problem.as_ref().is_some_and(|it| !judging::CODES.contains(&it.as_str())) {
        let message = format!("problem is one of {}", judging::CODES.join(", "));
        return Err(Fault::invalid("/problem", "unknown_problem", message));
    }
    let urls: Vec<Url> = args.urls.into_iter().flatten().collect();
    let from = args.cursor.as_ref().map_or(Ok(0), sdk::position)?;
    let limit = usize::from(args.limit);
    let declared = match (&args.run_ref, urls.is_empty()) {
        (Some(run), true) => Declared::of_crawl(cx, run, from, limit)?,
        (None, false) => Declared::live(cx, &urls, from, limit)?,
        (Some(_), false) => {
            return Err(Fault::invalid("/urls", "urls_or_crawl", "give urls or run_ref, not both"));
        }
        (None, true) => return Err(Fault::invalid("/run_ref", "nothing_to_validate", "give run_ref or urls")),
    };
    let (clusters, mut problems) = judging::judge(&declared);
    if let Some(code) = &args.problem {
        problems.retain(|it| it.code == code.as_str());
    }
    problems.sort_by(|a, b| b.error.cmp(&a.error).then_with(|| a.url.cmp(&b.url)));
    let next_cursor = declared.next.map(|at| Cursor::new(at.to_string()));
    Ok(Validated {
        clusters,
        problems,
        pages: u32::try_from(declared.asked.len()).unwrap_or(u32::MAX),
        totals: declared.totals,
        seen_at: declared.seen_at,
        degraded: declared.degraded,
        next_cursor,
    })
}

#[cfg(test)]
mod tests;
