//! The operation `backlinks.quality.score`, and what other reads show of it.

pub(crate) mod formula;
mod gather;

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use site::Site;

use crate::given::{Given, day};
use formula::{Part, Scored};
use gather::Gathered;
pub(crate) use gather::{Gatherer, Seen};

#[args(paged)]
pub(crate) struct Score {
    /// The website.
    site_id: Id<Site>,
    /// These referring domains; all that were looked at when left out.
    domains: Option<List<Domain, 1, 500>>,
}

/// A domain that links.
#[value]
pub(crate) struct Row {
    domain: String,
    /// What a link from it is worth, 0 to 100; null where less than two fifths of its weights are known.
    value: Option<u8>,
    /// How much it looks like links made for search engines, 0 to 100; null as `value`.
    risk: Option<u8>,
    /// The part of the weights of both that is known.
    known_share: f64,
    /// Each with its part, its weight, and what was seen.
    factors: BTreeMap<String, Part>,
    links: u64,
    /// Pages that a look read, and the last day of one.
    pages_seen: u64,
    seen_on: Option<Day>,
    fix: Option<Fix>,
}

/// Domains with their scores.
#[page]
pub(crate) struct Rows {
    /// The most valuable first, unless domains are named.
    rows: Vec<Row>,
    total: u64,
    /// Domains of the argument that do not link.
    unknown_domains: Vec<String>,
    /// Domains that link and of which no page was read.
    unseen_domains: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Scores referring domains for value and risk from fetched evidence (topic similarity, outbound link density, indexability, spam terms, sitewide placement, link-list pages), each factor shown.
///
/// Value is made of topic (35 %), a place in the main text (20 %), indexable pages (15 %), few links to others (15 %) and the rating of
/// tools (15 %); risk of spam words (25 %), lists of links (20 %), networks (20 %), links on every page with a chosen text (15 %),
/// another language (15 %) and noindex (5 %). What is not known is left out and the rest is scaled; below two fifths there is no score.
/// It is nobody's rating but these facts; backlinks.verify.run and backlinks.network.detect gather them.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 500, unit = "domains"),
    needs = ["store"],
    phrasings = ["which backlinks are valuable", "score my referring domains", "toxic backlinks", "are these links risky"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "domains": ["blog.example"] }]
)]
pub(crate) fn score(cx: &Cx, args: Score) -> Result<Answer<Rows>> {
    let given = Given::of(cx, &args.site_id)?;
    let gathered = Gathered::of(cx, &given)?;
    let asked: Option<Vec<String>> = args.domains.as_ref().map(|it| {
        let mut seen = BTreeSet::new();
        let domains = it.iter().map(|it| crate::link::registrable(it.as_str()).to_owned());
        domains.filter(|it| seen.insert(it.clone())).collect()
    });
    let unseen_domains = gathered.domains.values().filter(|it| it.pages == 0).count() as u64;
    let mut unknown_domains = Vec::new();
    let mut rows: Vec<Row> = match asked {
        Some(asked) => {
            let mut rows = Vec::new();
            for domain in asked {
                match gathered.domains.get(&domain) {
                    Some(seen) => rows.push(row(&given.site.id, &domain, seen)),
                    None => unknown_domains.push(domain),
                }
            }
            rows
        }
        None => {
            let seen = gathered.domains.iter().filter(|it| it.1.pages > 0 || it.1.network.is_some());
            let mut rows: Vec<Row> = seen.map(|(domain, seen)| row(&given.site.id, domain, seen)).collect();
            rows.sort_by(|a, b| b.value.cmp(&a.value).then(a.risk.cmp(&b.risk)).then_with(|| a.domain.cmp(&b.domain)));
            rows
        }
    };
    let mut degraded = given.degraded;
    if unseen_domains > 0 {
        let why = format!("no page of {unseen_domains} domains was read, so little or nothing is known of them");
        let verify = json!({ "site_id": given.site.id });
        degraded.push(Degraded::new("looks", why).supplied_by("backlinks.verify.run", verify));
    }
    if !gathered.has_networks {
        let (operation, arguments) = crate::network::run::suggested(&given.site.id);
        let why = "no search for networks has ended, so whether domains are commonly run is not known";
        degraded.push(Degraded::new("networks", why).supplied_by(operation, arguments));
    }
    rows.iter_mut().for_each(|it| it.fix = it.fix.take().and_then(Fix::if_served));
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    let units = page.items.len() as u64;
    let rows = Rows {
        rows: page.items,
        next_cursor: page.next,
        total,
        unknown_domains,
        unseen_domains,
        basis: given.basis,
        degraded,
    };
    Ok(Answer::new(rows).units(units))
}

fn row(site: &Id<Site>, domain: &str, seen: &Seen) -> Row {
    let Scored { value, risk, known_share, factors } = seen.scored();
    let fix = if risk.is_some_and(|it| it >= 60) {
        Some(Fix::new("backlinks.disavow.build", json!({ "site_id": site, "domains": [domain] })))
    } else if seen.pages == 0 {
        Some(Fix::new("backlinks.verify.run", json!({ "site_id": site })))
    } else {
        None
    };
    Row {
        domain: domain.to_owned(),
        value,
        risk,
        known_share,
        factors,
        links: seen.links,
        pages_seen: seen.pages,
        seen_on: day(seen.last_look),
        fix,
    }
}

#[cfg(test)]
mod tests;
