//! The operation `schema.eligibility.check`.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::extract::graph::Resolver;
use crate::extract::types;
use crate::google::Standing;
use crate::judge::{self, Asked};
use site::live::{self, Seen};

#[args]
pub(crate) struct Check {
    url: Url,
}

/// A feature that the page qualifies for.
#[value]
pub(crate) struct Won {
    feature: String,
    title: String,
    /// The type that leads to it.
    #[serde(rename = "type")]
    kind: String,
}

/// A feature that the page asks for and does not get.
#[value]
pub(crate) struct Blocked {
    feature: String,
    title: String,
    /// The type that leads to it.
    #[serde(rename = "type")]
    kind: String,
    /// The properties that are missing or wrong, as paths within the item; of `a|b` one is enough.
    missing: Vec<String>,
    fix: Fix,
}

/// A feature that is no longer shown for a type of the page.
#[value]
pub(crate) struct Gone {
    feature: String,
    title: String,
    #[serde(rename = "type")]
    kind: String,
    /// The day or month since when.
    since: String,
}

/// The search features of a page.
#[value]
pub(crate) struct Checked {
    eligible: Vec<Won>,
    blocked: Vec<Blocked>,
    retired: Vec<Gone>,
    /// The day of the table of Google's requirements: compared with copies of its own pages.
    rules_checked: Day,
    page: Seen,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Tests which search features a page qualifies for now, which property blocks each other, and which types it carries that search engines have retired.
///
/// To qualify is not to be shown: Google decides that for each search. A page that may not be indexed qualifies for nothing,
/// which `degraded` says.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "can my page get stars in google",
        "which rich results does this page qualify for",
        "why does my recipe not show as a rich result",
        "is my FAQ markup still useful",
    ],
    examples = [{ "url": "https://shop.example/products/lamp-1" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let page = live::page(cx, &args.url, "/url")?;
    let found = crate::live::extracted(&page);
    let url = page.facts.final_url.as_str();
    let resolver = Resolver::new(&found.items);
    // A feature that one item gets is not blocked by another of the same type that lacks something.
    let mut best: BTreeMap<&str, (String, Asked)> = BTreeMap::new();
    for item in &found.items {
        let kind = types(&item.value).first().map(|it| (*it).to_owned()).unwrap_or_default();
        for asked in judge::asked(&resolver.resolved(&item.value), cx.now().day()) {
            let better = best.get(asked.feature.id).is_none_or(|(_, it)| asked.missing.len() < it.missing.len());
            if better {
                best.insert(asked.feature.id, (kind.clone(), asked));
            }
        }
    }
    let (mut eligible, mut blocked, mut retired) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, asked) in best.into_values() {
        let (feature, title) = (asked.feature.id.to_owned(), asked.feature.title.to_owned());
        match asked.feature.standing {
            Standing::Retired(since) => retired.push(Gone { feature, title, kind, since: since.to_owned() }),
            Standing::Current if asked.missing.is_empty() => eligible.push(Won { feature, title, kind }),
            Standing::Current => {
                let fix = Fix::new("schema.page.validate", json!({ "url": url, "profile": "google" }));
                blocked.push(Blocked { feature, title, kind, missing: asked.missing, fix });
            }
        }
    }
    let mut degraded = crate::live::missing(&page, &found);
    if page.facts.indexability.verdict == kit::page::Verdict::NotIndexable {
        let why = "the page may not be indexed as it is, so that no feature can be shown for it until that changes";
        degraded.push(Degraded::new("index", why));
    }
    let next = if found.items.is_empty() {
        vec![Fix::on("schema.type.suggest", url).because("proposes types that fit the page")]
    } else {
        Vec::new()
    };
    Ok(Checked {
        eligible,
        blocked,
        retired,
        rules_checked: crate::google::checked(),
        page: page.seen(),
        next,
        degraded,
    })
}

#[cfg(test)]
mod tests;
