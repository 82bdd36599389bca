//! The operation `logs.bot.verify`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{IsQueued, json};
use site::Site;
use visits::{Shelf, Visits};

use crate::given::Given;
use crate::import::work;
use crate::stored::{Import, Verification};

pub(crate) mod job;
mod moved;

/// Imports whose claims are looked at.
const IMPORTS: usize = 50;
/// Addresses that one job looks up.
const MOST: usize = 10_000;

#[args]
pub(crate) struct Verify {
    /// The website, as listed.
    site_id: Id<Site>,
    /// These families alone; all when left out.
    families: Option<List<Text<1, 40>, 1, 20>>,
    /// The first day whose verified and spoofed parts are reported; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// A verification that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// Addresses that wait to be looked up, at most.
    addresses: u64,
}

/// What the job works on.
#[value]
pub(crate) struct Payload {
    site_id: Id<Site>,
    families: Vec<String>,
    from: Day,
    to: Day,
}

/// Verifies claimed bots by published address ranges and forward-confirmed reverse DNS at import time and reports spoofed share and top impostor networks.
///
/// Imports verify by published ranges already. This looks up the names of the addresses that wait: one is the operator's when its
/// name ends as documented and leads back to it. Addresses wait for 7 days after their import; sources with `ip` `drop` keep none.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = 10_000, unit = "addresses"),
    queued(step = "verify"),
    result_operation = "account.job.get",
    side_effects = ["changes what is stored of claimed bots from unverified to verified or spoofed"],
    needs = ["dns", "web", "store", "jobs"],
    phrasings = ["verify googlebot", "is this really googlebot", "fake googlebot in my logs", "find spoofed bots"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "families": ["googlebot", "yandexbot"] }]
)]
pub(crate) fn verify(cx: &Cx, args: Verify) -> Result<Answer<Started>> {
    let given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let mut families = Vec::new();
    for (at, name) in args.families.iter().flat_map(|it| it.iter()).enumerate() {
        families.push(crate::given::family(name.as_str(), &format!("/families/{at}"))?.family.to_owned());
    }
    let id: Id<Verification> = given.site.id.cast();
    let verifications = cx.records::<Verification>();
    if let Some(other) = verifications.find(&id)
        && work::is_alive(cx, Some(&Id::new(other.job_ref.clone())))
    {
        let message = "the bots of this website are being verified; account.job.get follows it";
        return Err(Fault::conflict("verification_running", message)
            .at("/site_id")
            .detail(json!({ "job_ref": other.job_ref })));
    }
    let addresses = claimed(cx, &given.site.id, &families)?.0.len() as u64;
    let payload = Payload { site_id: given.site.id.clone(), families, from: given.period.first, to: given.period.last };
    let job_ref = cx.jobs().enqueue("verify", &payload)?;
    let verification = Verification { at_ms: cx.now().millis(), job_ref: job_ref.to_string() };
    verifications.put_many_as([(&id, &verification)])?;
    let started = Started { job_ref, state: IsQueued::Queued, addresses };
    Ok(Answer::new(started).units(addresses))
}

/// Imports with claims that wait, the newest first.
fn waiting(cx: &Cx, site: &Id<Site>) -> Vec<Stored<Import>> {
    let all = cx.records::<Import>().by("site_id_created_ms").equals(site).descending();
    all.scan().take(IMPORTS).filter(|it| it.pending > 0).collect()
}

fn shelf<'a>(cx: &'a Cx, import: &Id<Import>, at: u32) -> Shelf<'a> {
    Shelf::of(cx, format!("claims/{import}/{at}"))
}

/// Addresses that wait with their families.
type Open = Vec<(String, Vec<String>)>;

/// Addresses that wait, and how many requests are of those beyond the bound.
fn claimed(cx: &Cx, site: &Id<Site>, families: &[String]) -> Result<(Open, u64)> {
    let mut open: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut dropped = 0;
    for import in waiting(cx, site) {
        for at in 0..import.pending {
            let shelf = shelf(cx, &import.id, at);
            let read = shelf.read::<Visits>(&shelf.index(), b"", |reader| {
                let Some(claim) = Claim::read(reader.key()) else { return true };
                if !families.is_empty() && !families.iter().any(|it| it == claim.family) {
                    return true;
                }
                if !open.contains_key(claim.address) && open.len() == MOST {
                    dropped += 1;
                    return true;
                }
                let of = open.entry(claim.address.to_owned()).or_default();
                if !of.iter().any(|it| it == claim.family) {
                    of.push(claim.family.to_owned());
                }
                true
            });
            read.map_err(visits::Damaged::fault)?;
        }
    }
    Ok((open.into_iter().collect(), dropped))
}

/// A claim, as an import keeps it.
struct Claim<'a> {
    address: &'a str,
    family: &'a str,
    url: &'a str,
    status: u16,
    day: Day,
}

impl<'a> Claim<'a> {
    fn read(key: &'a [u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(key).ok()?.split('\0');
        let (address, family, url) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { address, family, url, status: parts.next()?.parse().ok()?, day: parts.next()?.parse().ok()? })
    }
}
