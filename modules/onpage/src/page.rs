//! The operation `onpage.page.score`; `beside` is `onpage.page.compare`.

pub(crate) mod beside;
mod checks;

use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;
use sdk::serde_json::json;

use crate::live;
use crate::siblings;
use checks::{Check, Ground, Group};
use site::Site;
use site::live::Seen;

#[args]
pub(crate) struct Score {
    url: Url,
    /// What the page should be found for.
    keyword: Text<2, 120>,
    /// The language; as declared or detected when left out.
    language: Option<Language>,
    /// The website it belongs to; its other titles are compared.
    site_id: Option<Id<Site>>,
}

#[value]
pub(crate) struct Scored {
    /// From 0 to 100: the points kept, of those that could be had.
    score: u32,
    checks: Vec<Row>,
    /// The checks that lost the most; at most 5.
    top_fixes: Vec<TopFix>,
    language: String,
    page: Seen,
    /// The crawl whose pages it was compared with; null without one.
    basis: Option<Basis>,
    /// Pages of it that were compared.
    site_pages: u64,
    degraded: Vec<Degraded>,
}

#[value]
struct Row {
    id: String,
    group: Group,
    /// What the check is worth.
    points: u32,
    /// What was lost of it.
    lost: u32,
    /// What was found.
    found: String,
    /// What wins the lost points; null when none are lost.
    advice: Option<String>,
    /// The call that mends it or shows more.
    fix: Option<Fix>,
}

#[value]
struct TopFix {
    id: String,
    /// Points that it wins.
    wins: u32,
    advice: String,
    /// The call that mends it or shows more.
    fix: Option<Fix>,
}

/// Scores a page for a target query over about 30 weighted checks (placement, coverage, length, structure, links, media,
/// readability, snippet), each with points lost and the change that wins them.
///
/// The weights are this service's own judgement and say so: no search engine publishes any.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "how well is my page optimised for a keyword",
        "on-page seo score",
        "what should I change on this page to rank",
        "content score for a query",
    ],
    examples = [{ "url": "https://shop.example/guides/lamps", "keyword": "brass lamp" }]
)]
pub(crate) fn score(cx: &Cx, args: Score) -> Result<Scored> {
    let website = siblings::website(cx, args.site_id.as_ref())?;
    let page = live::page(cx, &args.url, "/url")?;
    let language = page.language(args.language.as_ref());
    let mut degraded = Vec::new();
    let siblings = siblings::of(cx, website.as_ref()).map_err(|missing| degraded.push(missing)).ok();
    let ground = Ground::new(&page, &args.keyword, &language, siblings.as_ref().map(|it| it.rows.as_slice()));
    if ground.phrase.is_empty() {
        return Err(Fault::invalid("/keyword", "no_words", "the keyword holds no word"));
    }
    let rows: Vec<Row> =
        checks::run(&ground).into_iter().map(|it| row(it, &page.facts.final_url, &args.keyword)).collect();
    let possible: u32 = rows.iter().map(|it| it.points).sum();
    let lost: u32 = rows.iter().map(|it| it.lost).sum();
    let mut fixes: Vec<&Row> = rows.iter().filter(|it| it.lost > 0).collect();
    fixes.sort_by_key(|it| u32::MAX - it.lost);
    let top_fixes = fixes
        .into_iter()
        .take(5)
        .map(|it| TopFix {
            id: it.id.clone(),
            wins: it.lost,
            advice: it.advice.clone().unwrap_or_default(),
            fix: it.fix.clone(),
        })
        .collect();
    Ok(Scored {
        score: (100 * (possible - lost) + possible / 2) / possible.max(1),
        checks: rows,
        top_fixes,
        language,
        page: page.seen(),
        site_pages: siblings.as_ref().map_or(0, |it| it.rows.len() as u64),
        basis: siblings.map(|it| it.basis),
        degraded,
    })
}

fn row(check: Check, url: &str, keyword: &str) -> Row {
    let lost = check.points - check.points.min(check.kept);
    let with_keyword = || json!({ "url": url, "keyword": keyword });
    let fix = match check.operation {
        operation @ ("onpage.title.suggest" | "onpage.description.suggest") => Fix::new(operation, with_keyword()),
        operation => Fix::on(operation, url),
    };
    Row {
        id: check.id.to_owned(),
        group: check.group,
        points: check.points,
        lost,
        found: check.found,
        advice: (lost > 0).then(|| check.fix.to_owned()),
        fix: (lost > 0).then_some(fix),
    }
}

#[cfg(test)]
mod tests;
