//! The operation `cms.redirect.upsert`.

mod states;

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Site;
use site::live::{self, Reach};

use super::graph::{Edge, Why};
use super::held::{Held, Redirects};
use super::{Code, Redirect, Source, place};
use crate::batch::Batch;
use crate::change::redirect_change;
use states::{FETCHED, States};

/// Redirects of one call; `next` goes on with the rest.
const MOST: usize = 100;
/// Sources that are visited after they were saved.
const VISITED: usize = 20;
/// A redirect that is to be.
#[args]
pub(crate) struct Wanted {
    /// An address of the website, or a path of it. Never a pattern.
    from: Text<1, 2_048>,
    /// Where it leads: an address, or a path of the website. Left out for 410.
    to: Option<Text<1, 2_048>>,
    /// What it answers.
    #[default(301)]
    code: Code,
}

#[args]
pub(crate) struct Upsert {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Redirects; one of the same source is changed.
    redirects: List<Wanted, 1, 500>,
}

/// A redirect that leads to the end of its chain instead of what was asked, or of what it led to before.
#[value]
pub(crate) struct Flattened {
    from: String,
    /// Where it was to lead, or led.
    instead_of: String,
    /// Where it leads.
    to: String,
}

/// Why a redirect was refused.
#[value]
pub(crate) enum Reason {
    /// The source is not of this website.
    NotOfSite,
    /// It leads to itself.
    Itself,
    /// It closes a circle.
    Loop,
    /// The source stands twice in the call.
    NamedTwice,
    /// A status of 410 has no target, and every other one has.
    TargetAndCode,
    /// The source answers 200 and can be found: a redirect would hide it.
    IsLivePage,
    /// The target does not answer 200.
    TargetStatus,
    /// The target is not to be found.
    TargetNoindex,
    /// The target is gone for good, by another redirect.
    TargetGone,
    /// The website refused it.
    NotSaved,
}

/// A redirect that was refused.
#[value]
pub(crate) struct Refused {
    from: String,
    reason: Reason,
    /// What was found.
    evidence: String,
}

/// A redirect that was saved.
#[value]
pub(crate) struct Saved {
    redirect_ref: Id<Redirect>,
    from: String,
    to: Option<String>,
    code: u16,
    /// Whether a visitor is sent there now; null when it was not visited.
    verified: Option<bool>,
}

/// What was saved and what was not.
#[value]
pub(crate) struct Upserted {
    saved: Vec<Saved>,
    flattened: Vec<Flattened>,
    refused: Vec<Refused>,
    /// What `cms.change.rollback` takes these changes back by.
    batch_ref: Id<Batch>,
    /// Whether the website's own plugin holds them. Else they are kept here and do nothing by themselves: install the Redirection
    /// plugin, or add them to your server by hand.
    are_live: bool,
    /// Redirects of the call that it did not get to; `next` goes on.
    left: u64,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Creates or changes redirects after refusing loops, flattening chains and checking each target answers 200 and is indexable.
///
/// A redirect leads to the end of its chain, and what led to its source leads there too. One call saves up to 100.
#[operation(
    write,
    scope = "assets:write",
    cost = bulk(unit = "redirects", most = redirects),
    side_effects = ["makes and changes redirects of your website"],
    needs = ["store", "web", "connection:wordpress?"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/rankmath/v1",
        "wordpress GET /wp-json/redirection/v1/redirect",
        "wordpress GET /wp-json/redirection/v1/group",
        "wordpress POST /wp-json/redirection/v1/redirect change",
        "wordpress POST /wp-json/redirection/v1/redirect/* change",
    ],
    phrasings = [
        "redirect this old address to the new page",
        "add a 301 for these urls",
        "mark the page as gone",
        "fix the redirect chain",
    ],
    examples = [
        { "site_id": "4503599627370496", "redirects": [{ "from": "/old-lamp", "to": "https://shop.example/lamps" }, { "from": "/sold-out", "code": 410 }] }
    ]
)]
pub(crate) fn upsert(cx: &Cx, args: Upsert) -> Result<Answer<Upserted>> {
    let site = site::get(cx, &args.site_id)?;
    let mut redirects = Redirects::of(cx, &site)?;
    let all = args.redirects.into_vec();
    let left = all.len().saturating_sub(MOST);
    let (now, later) = all.split_at(all.len().min(MOST));
    let (planned, mut refused) = planned(&redirects, now);
    let mut degraded = Vec::new();
    let states =
        States::of(cx, &site, planned.iter().flat_map(|it| [Some(it.from_url.clone()), it.to_url.clone()]).flatten());
    if states.unknown > 0 {
        degraded.push(Degraded::new(
            "targets",
            format!(
                "{} addresses were not looked at: no crawl of this week knows them, and {FETCHED} are fetched at most",
                states.unknown
            ),
        ));
    }
    let mut graph = redirects.graph();
    let batch = wordpress::batch(cx);
    let (mut saved, mut flattened, mut seq) = (Vec::new(), Vec::new(), 0);
    for it in &planned {
        if let Some((reason, evidence)) = states.against(it) {
            refused.push(Refused { from: it.from.as_str().to_owned(), reason, evidence });
            continue;
        }
        let taken = match graph.take(&Edge { from: it.from.key(), to: it.to.clone() }) {
            Ok(taken) => taken,
            Err(why) => {
                let (reason, evidence) = match why {
                    Why::Itself => (Reason::Itself, "its target is its source"),
                    Why::Loop => (Reason::Loop, "its target leads back to its source, or into a circle"),
                    Why::TargetGone => (Reason::TargetGone, "another redirect says that the target is gone"),
                };
                refused.push(Refused { from: it.from.as_str().to_owned(), reason, evidence: evidence.to_owned() });
                continue;
            }
        };
        // The text that was asked, unless the chain ends elsewhere.
        let to = match (&taken.to, &it.to) {
            (Some(end), Some(asked)) if end != asked => {
                let end = redirects.whole(end);
                flattened.push(Flattened {
                    from: it.from.as_str().to_owned(),
                    instead_of: it.to_text.clone().unwrap_or_default(),
                    to: end.clone(),
                });
                Some(end)
            }
            _ => it.to_text.clone(),
        };
        let mut saves = vec![(it.from.clone(), to.clone(), it.code.number())];
        for source in &taken.pulled {
            let known = redirects.all.iter().find(|held| super::key(&held.from) == *source).cloned();
            let Some(Held { from, to: Some(led), code, .. }) = known else { continue };
            let (Some(from), Some(end)) = (Source::of(&redirects.origin, &from), to.clone()) else { continue };
            flattened.push(Flattened { from: from.as_str().to_owned(), instead_of: led, to: end.clone() });
            saves.push((from, Some(end), code));
        }
        for (place, (from, to, code)) in saves.into_iter().enumerate() {
            let before = redirects.find(from.as_str()).cloned();
            let held = match redirects.save(&from, to.as_deref(), code) {
                Ok(held) => held,
                // What was saved stands, with its records.
                Err(fault) if seq == 0 && saved.is_empty() => return Err(fault),
                Err(fault) => {
                    let evidence = format!("{}: {}", fault.code, fault.message);
                    refused.push(Refused { from: from.as_str().to_owned(), reason: Reason::NotSaved, evidence });
                    continue;
                }
            };
            redirect_change(
                cx,
                &site,
                &redirects,
                "cms.redirect.upsert",
                &batch,
                seq,
                before.as_ref(),
                Some(&held),
                None,
            )?;
            seq += 1;
            if place == 0 {
                saved.push(Saved {
                    redirect_ref: Id::new(held.id.clone()),
                    from: held.from.clone(),
                    to: held.to.clone(),
                    code: held.code,
                    verified: None,
                });
            }
        }
    }
    if redirects.are_live() {
        visit(cx, &redirects, &mut saved);
    } else {
        degraded.push(Degraded::new(
            "are_live",
            "no Redirection plugin holds redirects here; they are kept and do nothing by themselves",
        ));
    }
    let mut next = Vec::new();
    if left > 0 {
        let rest: Vec<_> = later.iter().map(Wanted::json).collect();
        next.push(
            Fix::new("cms.redirect.upsert", json!({ "site_id": site.id, "redirects": rest })).because("saves the rest"),
        );
    }
    if seq > 0 {
        next.push(
            Fix::new("cms.change.rollback", json!({ "site_id": site.id, "batch_ref": batch }))
                .because("takes these changes back"),
        );
    }
    next.push(Fix::new("cms.redirect.list", json!({ "site_id": site.id })).because("shows all redirects"));
    let (are_live, batch_ref) = (redirects.are_live(), Id::new(batch));
    let units = saved.len() as u64;
    let answer = Upserted { saved, flattened, refused, batch_ref, are_live, left: left as u64, next, degraded };
    Ok(Answer::new(answer).units(units))
}

impl Wanted {
    fn json(&self) -> sdk::serde_json::Value {
        let mut it = json!({ "from": self.from, "code": self.code });
        if let Some(to) = &self.to {
            it["to"] = json!(to);
        }
        it
    }
}

/// A redirect whose words were read.
struct Planned {
    from: Source,
    /// The source as an address.
    from_url: String,
    /// The target as a place of the graph, as it was written, and as an address.
    to: Option<String>,
    to_text: Option<String>,
    to_url: Option<String>,
    code: Code,
}

/// Reads the words of redirects.
fn planned(redirects: &Redirects<'_>, wanted: &[Wanted]) -> (Vec<Planned>, Vec<Refused>) {
    let (mut planned, mut refused): (Vec<Planned>, Vec<Refused>) = (Vec::new(), Vec::new());
    for it in wanted {
        let mut refuse = |reason, evidence: &str| {
            refused.push(Refused { from: it.from.as_str().to_owned(), reason, evidence: evidence.to_owned() });
        };
        let Some(from) = Source::of(&redirects.origin, it.from.as_str()) else {
            refuse(Reason::NotOfSite, "the source is not an address of this website");
            continue;
        };
        if planned.iter().any(|other| other.from.key() == from.key()) {
            refuse(Reason::NamedTwice, "another redirect of this call has the source");
            continue;
        }
        if it.to.is_some() == (it.code == Code::GONE) {
            refuse(Reason::TargetAndCode, "a 410 has no target, and every other code has one");
            continue;
        }
        let to = it.to.as_ref().map(|to| to.as_str().to_owned());
        let url = |text: &str| kit::url::resolve_normal(&redirects.origin, text);
        let to_place = to.as_deref().and_then(|to| place(&redirects.origin, to));
        if to.is_some() && to_place.is_none() {
            refuse(Reason::TargetStatus, "the target is no web address");
            continue;
        }
        if to_place.as_deref() == Some(from.key().as_str()) {
            refuse(Reason::Itself, "its target is its source");
            continue;
        }
        let from_url = url(from.as_str()).unwrap_or_default();
        let to_url = to.as_deref().and_then(url);
        planned.push(Planned { from, from_url, to: to_place, to_text: to, to_url, code: it.code });
    }
    (planned, refused)
}

/// Looks whether visitors are sent where they should be.
fn visit(cx: &Cx, redirects: &Redirects<'_>, saved: &mut [Saved]) {
    let url = |text: &str| kit::url::resolve_normal(&redirects.origin, text);
    let looked: Vec<(usize, Url)> = saved
        .iter()
        .enumerate()
        .filter_map(|(place, it)| Some((place, url(&it.from)?.parse().ok()?)))
        .take(VISITED)
        .collect();
    let urls: Vec<Url> = looked.iter().map(|(_, url)| url.clone()).collect();
    let answers = live::unfollowed(cx, &urls, Reach::bytes(1 << 10));
    for ((place, _), facts) in looked.iter().zip(answers) {
        let Some(it) = saved.get_mut(*place) else { continue };
        if facts.status != 0 {
            let leads = facts.redirect_to.as_deref().map(str::to_owned) == it.to.as_deref().and_then(url);
            it.verified = Some(facts.status == it.code && leads);
        }
    }
}
