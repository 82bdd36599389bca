//! The operation `indexing.url.check`; `chain` walks what stands between an address and the index.

pub(crate) mod chain;
pub(crate) mod inspecting;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;

use chain::{Block, Link};

#[args]
pub(crate) struct Check {
    /// The page.
    url: Url,
    /// The crawler that is asked for, by its product token.
    #[default("Googlebot")]
    agent: Text<1, 60>,
}

/// Whether an address may be indexed.
#[value]
pub(crate) struct Checked {
    /// Whether a search engine may show it; null when the page was not looked at, and `degraded` says why.
    indexable: Option<bool>,
    /// What stands against it first; none when nothing does.
    first_block: Option<Block>,
    /// Every link of the chain, in order.
    chain: Vec<Link>,
    /// What to do.
    advice: String,
    /// The address that answered, after redirects.
    final_url: String,
    /// Its status; 0 without an answer.
    status: u16,
    /// What acts on it.
    next: Vec<Next>,
    checked_at: Moment,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Gives one URL's indexability verdict by walking the chain robots, status, redirect, meta and header directives, canonical, login wall and soft 404, with the first blocking cause.
///
/// The page is fetched as EspalierBot; rules and directives are read as the crawler that `agent` names would. A soft 404
/// is a page that is nine tenths the same as what a made-up address of the website answers, or says that it is none.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 3),
    needs = ["web"],
    phrasings = [
        "why is this page not indexed",
        "can google index this URL",
        "is my page noindex",
        "check if this page is a soft 404",
        "what blocks this page from search",
    ],
    examples = [{ "url": "https://shop.example/lamps" }, { "url": "https://shop.example/lamps", "agent": "Bingbot" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let walked = chain::walk(cx, &args.url, args.agent.as_str())?;
    let first_block = walked.chain.iter().find(|it| it.passed == Some(false)).map(|it| it.step);
    let advice = match (first_block, walked.verdict()) {
        (Some(block), _) => block.advice(),
        (None, Some(_)) => "nothing stands against this page",
        (None, None) => "the page was not looked at, so nothing is said of it; let EspalierBot in by robots.txt, or look at it yourself",
    }
    .to_owned();
    let url = args.url.as_str();
    let next = match first_block {
        Some(Block::Robots) => {
            vec![
                Fix::new("indexing.robots.test", sdk::json!({ "urls": [url], "agents": [args.agent] }))
                    .because("shows the rule that forbids the page"),
            ]
        }
        Some(Block::Canonical | Block::Meta | Block::Header) => {
            vec![Fix::on("audit.page.check", url).because("shows the directives of the page and what to change")]
        }
        Some(Block::Redirect) => vec![
            Fix::on("indexing.url.check", &walked.final_url).because("checks the address that the redirects end at"),
        ],
        _ => Vec::new(),
    };
    Ok(Checked {
        indexable: walked.verdict(),
        first_block,
        chain: walked.chain,
        advice,
        final_url: walked.final_url,
        status: walked.status,
        next,
        checked_at: cx.now(),
        degraded: walked.degraded,
    })
}

#[cfg(test)]
mod tests;
