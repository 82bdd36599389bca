//! The operation `backlinks.network.detect`.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{IsQueued, json};
use site::Site;

use super::evidence::Evidence;
use super::work::{self, Payload};
use crate::given::{Given, hash};
use crate::link::NO_DAY;

/// Domains of one job.
const MOST: usize = 2_000;
/// Targets of a domain whose timing is held against others.
const TARGETS: usize = 5;
/// Days within which first links to one target are taken for one push.
const WINDOW: i32 = 3;

#[args]
pub(crate) struct Detect {
    /// The website.
    site_id: Id<Site>,
    /// These referring domains; the 2,000 with the most links when left out.
    domains: Option<List<Domain, 2, 2_000>>,
}

/// A search that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// Domains that are looked at.
    domains: u64,
    /// Domains of the argument that do not link.
    unknown_domains: Vec<String>,
}

/// Groups referring domains that look commonly run: shared name servers, addresses, analytics or ad ids, templates (DOM fingerprint) and link timing, with strength of evidence.
///
/// One page and the names of each domain are looked at. Two domains belong together when they share an id or things of two kinds,
/// rarer than chance explains; what very many domains share, such as a big host, counts for nothing. A group is a fact about what is
/// shared: an agency's websites look like that too. Scores of backlinks.quality.score then take it into account.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = 2_000, unit = "domains"),
    queued(step = "detect"),
    result_operation = "account.job.get",
    side_effects = ["fetches a page of each domain", "stores the groups"],
    needs = ["web", "dns", "store", "jobs"],
    phrasings = ["find link networks", "are these links from a PBN", "which linking sites belong together", "detect private blog networks"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "domains": ["a.example", "b.example", "c.example"] }]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Answer<Started>> {
    let given = Given::of(cx, &args.site_id)?;
    let asked: BTreeSet<String> = args
        .domains
        .iter()
        .flat_map(|it| it.iter())
        .map(|it| crate::link::registrable(it.as_str()).to_owned())
        .collect();
    let mut found: BTreeMap<String, (u64, Evidence)> = BTreeMap::new();
    let mut all: BTreeSet<u64> = BTreeSet::new();
    given.links.each(|link| {
        all.insert(hash(&link.domain()));
        if !asked.is_empty() && !asked.contains(link.domain()) {
            return;
        }
        if !found.contains_key(link.domain()) {
            let domain = link.domain().to_owned();
            let evidence = Evidence { domain: domain.clone(), page: link.source.clone(), ..Evidence::default() };
            found.insert(domain, (0, evidence));
        }
        let Some((links, it)) = found.get_mut(link.domain()) else { return };
        *links += 1;
        let target = hash(&crate::link::bare(&link.target));
        if link.first != NO_DAY && !link.target.is_empty() {
            match it.timing.iter().position(|it| it.0 == target) {
                Some(at) => it.timing[at].1 = it.timing[at].1.min(link.first),
                None if it.timing.len() < TARGETS => it.timing.push((target, link.first)),
                None => {}
            }
        }
    })?;
    let unknown_domains = asked.iter().filter(|it| !found.contains_key(*it)).cloned().collect();
    let mut chosen: Vec<(u64, Evidence)> = found.into_values().collect();
    chosen.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.domain.cmp(&b.1.domain)));
    chosen.truncate(MOST);
    let mut evidence: Vec<Evidence> = chosen.into_iter().map(|it| it.1).collect();
    evidence.iter_mut().flat_map(|it| &mut it.timing).for_each(|it| it.1 = it.1.div_euclid(WINDOW));
    if evidence.len() < 2 {
        let message = "two domains or more that link are needed";
        return Err(Fault::conflict("too_few_domains", message).at("/domains"));
    }
    work::keep(cx, &given.site.id, &evidence)?;
    let (count, whole) = (evidence.len() as u64, all.len() as u64);
    let job_ref = cx.jobs().enqueue("detect", &Payload { site_id: given.site.id.clone(), domains: count, whole })?;
    let started = Started { job_ref, state: IsQueued::Queued, domains: count, unknown_domains };
    Ok(Answer::new(started).units(count))
}

/// The call that searches, for those that want its result.
pub(crate) fn suggested(site: &Id<Site>) -> (&'static str, sdk::serde_json::Value) {
    ("backlinks.network.detect", json!({ "site_id": site }))
}
