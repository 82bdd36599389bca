//! The operation `links.broken.list`.

use kit::outcome::Outcome;
use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;

use crate::basis;
use crate::stored::{Broken, Scope, Source};
use site::Run;

/// Which broken links.
#[value]
pub(crate) enum Which {
    Internal,
    External,
    All,
}

#[args(paged)]
pub(crate) struct List {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
    /// To pages of the website, to other websites, or both.
    #[default("all")]
    scope: Which,
}

/// A target that fails.
#[value]
pub(crate) struct Row {
    /// Where the links lead.
    target: String,
    /// How it answered; 0 without an answer.
    status: u16,
    /// Why there was no answer.
    failure: Option<String>,
    /// Whether it answered with an error, its name does not exist, or no answer came.
    outcome: Outcome,
    /// Whether it is on the website.
    scope: Scope,
    /// Links to it.
    links: u32,
    /// Pages that link to it, at most 50.
    sources: Vec<Source>,
    /// The page that most likely took its place.
    replacement: Option<String>,
    /// How sure that is, 0 to 1.
    confidence: Option<f64>,
    /// What says so: `redirect_history`, `address` or `address_and_title`.
    found_by: Option<String>,
    /// What mends it.
    fix: Fix,
}

/// Links that lead to nothing.
#[page]
pub(crate) struct Links {
    /// The most linked first.
    links: Vec<Row>,
    /// What the list stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists broken internal and external links with every source and a suggested replacement found by path edit distance, redirect history and content match.
///
/// A link is broken when its target was asked and answers 4xx or 5xx, has a name that does not exist, or does not answer.
/// What answers 401, 403, 407, 429, 451 or 999 keeps crawlers out and is not listed: `degraded` says how many.
///
/// A replacement is where an earlier crawl saw the address redirect to, else the page whose address, and title where an
/// earlier crawl knew it, is most like it. Replacements are looked for among pages of the website only.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "list all broken links on my website",
        "which pages link to 404s",
        "where should my dead links point instead",
        "find dead outbound links",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "scope": "internal", "limit": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Links> {
    let graph = basis::graph(cx, &args.run_ref)?;
    let records = cx.records::<Broken>();
    let query = match args.scope {
        Which::All => records.by("graph_rank").equals(&graph.id),
        Which::Internal => records.by("graph_scope_rank").equals(&graph.id).equals(Scope::Internal),
        Which::External => records.by("graph_scope_rank").equals(&graph.id).equals(Scope::External),
    };
    let page = query.page(args.limit, args.cursor)?;
    let basis = basis::of(cx, &graph);
    let links = page.items.into_iter().map(|it| row(it.into_inner())).collect();
    let mut degraded = graph.degraded.clone();
    if graph.blocked > 0 {
        let (many, are) =
            if graph.blocked == 1 { ("address answers", "it is") } else { ("addresses answer", "they are") };
        let words = "that crawlers are kept out (401, 403, 407, 429, 451 or 999); people may see what is there, so";
        degraded.push(Degraded::new("blocked", format!("{} linked {many} {words} {are} not listed", graph.blocked)));
    }
    Ok(Links { links, basis, degraded, next_cursor: page.next })
}

fn row(it: Broken) -> Row {
    let fix = match (it.scope, it.sources.first()) {
        (Scope::External, Some(source)) => Fix::on("onpage.link.check", &source.url),
        _ => Fix::on("crawl.url.fetch", &it.target),
    };
    Row {
        fix,
        outcome: Outcome::of(it.status, it.failure.as_deref()),
        target: it.target,
        status: it.status,
        failure: it.failure,
        scope: it.scope,
        links: it.links,
        sources: it.sources,
        replacement: it.replacement,
        confidence: it.confidence,
        found_by: it.found_by,
    }
}

#[cfg(test)]
mod tests;
