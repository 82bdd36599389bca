//! The job of a search for networks: some domains a step, then groups.

use sdk::prelude::*;
use sdk::{Degraded, Progress, Question};
use site::Site;

use super::evidence::{Evidence, fingerprint, ids, network};
use super::groups::groups;
use super::stored::{Group, Networks};
use crate::link::host;
use crate::stored::{packed, unpacked};

/// Domains that are looked at together, and of one step.
const TOGETHER: usize = 8;
const OF_STEP: usize = 48;
/// Milliseconds after which a step takes no more.
const LONGEST: u64 = 30_000;
/// Bytes of all pages of a step, beyond which no more are fetched, and of one page.
const MOST_BYTES: usize = 12 << 20;
const PAGE_BYTES: u32 = 512 << 10;
const MAX_BLOB: u32 = 8 << 20;
/// Groups that a result lists.
const LISTED: usize = 200;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) domains: u64,
    /// Domains that link in all.
    pub(super) whole: u64,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    at: usize,
}

/// The result of a search.
#[value]
pub(crate) struct Outcome {
    /// The strongest first, at most 200.
    groups: Vec<Group>,
    groups_total: u64,
    /// Domains that were looked at, and those that are in a group.
    domains: u64,
    grouped_domains: u64,
    degraded: Vec<Degraded>,
}

/// Keeps what is known.
///
/// # Errors
/// The host's refusal of the blob.
pub(super) fn keep(cx: &Cx, site: &Id<Site>, evidence: &[Evidence]) -> Result<()> {
    cx.blobs().write(&format!("evidence/{site}"), &packed(evidence))
}

/// Looks at some domains, or ends.
#[step]
pub(crate) fn detect(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut at = checkpoint.map_or(0, |it| it.at);
    let bytes = cx.blobs().read(&format!("evidence/{}", payload.site_id), 0, MAX_BLOB);
    let mut all: Vec<Evidence> = bytes
        .and_then(|it| unpacked(&it))
        .ok_or_else(|| Fault::unavailable("storage_damaged", "the domains cannot be read; start the search again"))?;
    if at >= all.len() {
        return finish(cx, &payload, all);
    }
    let end = all.len().min(at + OF_STEP);
    let mut bytes = 0;
    while at < end && cx.elapsed() < LONGEST && bytes < MOST_BYTES {
        let to = end.min(at + TOGETHER);
        bytes += look(cx, &mut all[at..to]);
        at = to;
    }
    keep(cx, &payload.site_id, &all)?;
    Ok(Step::next(Checkpoint { at }, Progress::new(at as u64, payload.domains, "looking at domains")))
}

/// Looks at the page and the names of some domains; bytes that were read.
fn look(cx: &Cx, some: &mut [Evidence]) -> usize {
    let urls: Vec<Option<Url>> = some.iter().map(|it| it.page.parse().ok()).collect();
    let asked: Vec<(usize, &Url)> = urls.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?))).collect();
    let reach = site::live::Reach::bytes(PAGE_BYTES);
    let answers = cx.web().fetch_many(asked.iter().map(|it| site::live::request(it.1, reach)));
    let mut bytes = 0;
    for ((at, _), answer) in asked.iter().zip(&answers) {
        let Ok(answer) = answer else { continue };
        if !answer.is_success() || !answer.header("content-type").is_none_or(|it| it.contains("html")) {
            continue;
        }
        bytes += answer.body.len();
        let html = answer.text();
        let it = &mut some[*at];
        it.was_read = true;
        it.ids = ids(&html);
        it.fingerprint = fingerprint(&kit::dom::Dom::parse(&html));
    }
    let questions = some.iter().flat_map(|it| {
        let own = host(&it.page);
        [Question::new(&it.domain, "NS"), Question::new(own, "A"), Question::new(own, "AAAA")]
    });
    let told = cx.dns().lookup_many(questions);
    for (it, told) in some.iter_mut().zip(told.chunks(3)) {
        let texts = |at: usize, kind: &str| -> Vec<String> {
            let Some(Ok(answer)) = told.get(at) else { return Vec::new() };
            let of_kind = answer.entries.iter().filter(|it| it.kind == kind);
            of_kind.map(|it| it.text.trim_end_matches('.').to_lowercase()).collect()
        };
        it.was_named = told.iter().any(|it| matches!(it, Ok(it) if it.outcome != sdk::Outcome::Failed));
        it.servers = texts(0, "NS");
        it.servers.sort();
        it.networks = texts(1, "A").iter().chain(&texts(2, "AAAA")).filter_map(|it| network(it)).collect();
        it.networks.sort();
        it.networks.dedup();
    }
    bytes
}

fn finish(cx: &Cx, payload: &Payload, all: Vec<Evidence>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let whole = usize::try_from(payload.whole).unwrap_or(all.len());
    let found = groups(&all, whole);
    let mut networks = Networks { at_ms: cx.now().millis(), ..Networks::default() };
    networks.alone = all.iter().filter(|it| it.was_read && it.was_named).map(|it| it.domain.clone()).collect();
    let mut grouped_domains = 0;
    for it in found {
        let domains: Vec<String> = it.members.iter().map(|at| all[*at].domain.clone()).collect();
        domains.iter().for_each(|it| _ = networks.alone.remove(it));
        grouped_domains += domains.len() as u64;
        let note = it.by_container.then(|| {
            "they share nothing but a tag manager's container, which an agency uses for all its clients".to_owned()
        });
        let strength = kit::statistics::round(it.strength, 3);
        networks.groups.push(Group { domains, shared: it.shared, strength, note });
    }
    networks.keep(cx, &payload.site_id)?;
    keep(cx, &payload.site_id, &[])?;
    let mut degraded = Vec::new();
    let unread = all.iter().filter(|it| !it.was_read).count();
    if unread > 0 {
        let why = format!("the pages of {unread} domains could not be read, so their ids and templates are not known");
        degraded.push(Degraded::new("pages", why));
    }
    let unnamed = all.iter().filter(|it| !it.was_named).count();
    if unnamed > 0 {
        let why = format!("the name system said nothing of {unnamed} domains");
        degraded.push(Degraded::new("names", why));
    }
    let groups_total = networks.groups.len() as u64;
    networks.groups.truncate(LISTED);
    let outcome =
        Outcome { groups: networks.groups, groups_total, domains: payload.domains, grouped_domains, degraded };
    Ok(Step::done(outcome, Progress::new(payload.domains, payload.domains, "done")).units(payload.domains))
}
