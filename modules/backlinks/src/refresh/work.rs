//! The job of a refresh: asks for links page by page, then merges them.

use dataforseo::{Account, money};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Money, Next, Progress, json};
use site::Site;

use crate::import::merging::Merging;
use crate::link::{Link, NO_DAY, TOOLS, flag, is_own};
use crate::stored::{Links, Profile, packed, unpacked};
use crate::subject::subject;

/// Why an account is needed.
pub(super) const WHY: &str = "links come from the index of DataForSEO, which is asked by your own account";
const ENDPOINT: &str = "backlinks/backlinks/live";
const DOMAINS: &str = "backlinks/referring_domains/live";
/// Domains that a result lists.
const LISTED: usize = 100;
/// Links of one question, and how far an offset goes; beyond that the provider's token goes on.
const PAGE: u64 = 1_000;
const MOST_OFFSET: u64 = 20_000;
/// Questions of one step.
const OF_STEP: u32 = 5;
/// Tries of one question.
const MAX_TRIES: u32 = 4;
/// What the first question is reckoned to cost, in millionths of a dollar, as documented in 2026-11.
const TASK_MICROS: u64 = 20_000;
const ROW_MICROS: u64 = 30;
const MAX_BLOB: u32 = 8 << 20;
/// The place of the provider among the ratings of a link.
const RATING: usize = 4;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) max_links: u64,
    pub(super) cost_cap: Option<f64>,
    /// The day of the last refresh.
    pub(super) since: Option<Day>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// Whether the lost links are asked for, after the live ones.
    is_lost: bool,
    /// Whether all was asked.
    is_asked: bool,
    /// Rows of this list that came, and the provider's token that goes on.
    offset: u64,
    token: Option<String>,
    /// Links that came in all, and the blobs that they wait in.
    came: u64,
    blobs: u32,
    tries: u32,
    questions: u64,
    cost_micros: u64,
    /// Links that began, and that ended, since the last refresh.
    new: u64,
    lost: u64,
    /// Links that the provider has in all.
    total: Option<u64>,
    /// Referring domains, and how many the provider has.
    beyond: Vec<Beyond>,
    domains_total: Option<u64>,
    degraded: Vec<Degraded>,
    merging: Option<Merging>,
}

/// A domain that links, of which no link came.
#[value]
pub(crate) struct Beyond {
    domain: String,
    /// The provider's rank, 0 to 100.
    rating: Option<u8>,
    links: Option<u64>,
}

/// The result of a refresh.
#[value]
pub(crate) struct Outcome {
    /// Links that came.
    fetched: u64,
    /// Of these, links that the provider saw first after the last refresh; all without one.
    new: u64,
    /// Links that it lost since.
    lost: u64,
    /// Live links that it has in all.
    provider_total: Option<u64>,
    /// Referring domains that it has in all.
    provider_domains: Option<u64>,
    /// The strongest of these of which no link is stored, at most 100.
    domains_beyond: Vec<Beyond>,
    /// What is stored now.
    links: u64,
    domains: u64,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Asks some questions, merges some parts, or ends.
#[step]
pub(crate) fn refresh(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let site = site::get(cx, &payload.site_id)?;
    if let Some(mut merging) = state.merging.take() {
        if merging.is_done() {
            return finish(cx, &payload, &state, &merging);
        }
        let progress = merging.step(cx, &site.id)?;
        state.merging = Some(merging);
        return Ok(Step::next(state, progress));
    }
    if state.is_asked {
        let mut links: Vec<Link> = Vec::new();
        for part in 0..state.blobs {
            let bytes = cx.blobs().read(&blob(&site.id, part), 0, MAX_BLOB);
            links.extend(bytes.and_then(|it| unpacked::<Link>(&it)).ok_or_else(|| {
                Fault::unavailable("storage_damaged", "what came cannot be read; start the refresh again")
            })?);
            cx.blobs().remove(&blob(&site.id, part))?;
        }
        let merging = Merging::of(cx, &site.id, links)?;
        let progress = merging.progress(Links::of(cx, &site.id).profile.parts);
        return Ok(Step::next(Checkpoint { merging: Some(merging), ..state }, progress));
    }
    ask(cx, &payload, &site, state)
}

fn blob(site: &Id<Site>, part: u32) -> String {
    format!("came/{site}/{part}")
}

/// Asks some questions.
fn ask(
    cx: &Cx,
    payload: &Payload,
    site: &Stored<Site>,
    mut state: Checkpoint,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let account = Account::required(cx, "/site_id", WHY)?;
    let (mut links, before, mut wait): (Vec<Link>, u64, u32) = (Vec::new(), state.came, 0);
    for _ in 0..OF_STEP {
        let left = payload.max_links.saturating_sub(state.offset);
        if state.is_asked {
            break;
        }
        if left == 0 || state.offset >= payload.max_links {
            state.end_list(payload);
            continue;
        }
        if state.is_beyond(payload, PAGE.min(left.max(100))) {
            let why = format!("the cap of costs was reached after {} links", state.came);
            state.degraded.push(Degraded::new("links", why));
            state.is_asked = true;
            break;
        }
        match account.ask(ENDPOINT, &question(site, payload, &state, left)) {
            Ok(answer) => {
                state.cost_micros += answer.cost_micros;
                (state.tries, state.questions) = (0, state.questions + 1);
                let items = answer.items();
                if !state.is_lost {
                    state.total = answer.total().or(state.total);
                }
                for item in items {
                    let Some(link) = link(item, site, cx.now().day()) else { continue };
                    state.count(&link, payload);
                    links.push(link);
                }
                let count = items.len() as u64;
                (state.came, state.offset) = (state.came + count, state.offset + count);
                state.token =
                    answer.results.first().and_then(|it| it["search_after_token"].as_str()).map(str::to_owned);
                let is_cut = state.offset >= MOST_OFFSET && state.token.is_none() && count == PAGE.min(left);
                if is_cut {
                    let why = format!("the provider gives no token that goes on behind {MOST_OFFSET} links");
                    state.degraded.push(Degraded::new("links", why));
                }
                if count < PAGE.min(left.max(1)) || is_cut {
                    state.end_list(payload);
                }
            }
            Err(refusal) if refusal.passes() && state.tries < MAX_TRIES => {
                state.tries += 1;
                wait = 5_000 << state.tries.min(4);
                break;
            }
            Err(refusal) => {
                let fault = refusal.fault("/site_id");
                if state.came == 0 {
                    return Err(fault);
                }
                state.degraded.push(Degraded::new("links", format!("{}: {}", fault.code, fault.message)));
                state.is_asked = true;
                break;
            }
        }
    }
    if state.is_asked && state.beyond.is_empty() && !state.is_beyond(payload, PAGE) {
        state.ask_domains(&account, site);
    }
    if !links.is_empty() {
        cx.blobs().write(&blob(&site.id, state.blobs), &packed(&links))?;
        state.blobs += 1;
    }
    let total = state.total.map_or(payload.max_links, |it| it.min(payload.max_links));
    let progress = Progress::new(state.came, total, "asking for links");
    let units = state.came - before;
    Ok(Step::next(state, progress).units(units).after(wait))
}

impl Checkpoint {
    /// Goes on with the next list: after the live links, those that were lost since the last refresh.
    fn end_list(&mut self, payload: &Payload) {
        if self.is_lost || payload.since.is_none() {
            self.is_asked = true;
        }
        (self.is_lost, self.offset, self.token) = (true, 0, None);
    }

    /// Asks for the referring domains; without an answer, nothing is said of those beyond the links that came.
    fn ask_domains(&mut self, account: &Account<'_>, site: &Site) {
        let task = json!({
            "target": site.domain.trim_start_matches("www."),
            "limit": PAGE,
            "rank_scale": "one_hundred",
            "include_subdomains": true,
            "exclude_internal_backlinks": true,
            "order_by": ["rank,desc"],
        });
        let Ok(answer) = account.ask(DOMAINS, &task) else { return };
        (self.cost_micros, self.questions) = (self.cost_micros + answer.cost_micros, self.questions + 1);
        self.domains_total = answer.total();
        let read = |item: &Value| {
            let rating = item["rank"].as_u64().and_then(|it| u8::try_from(it.min(100)).ok());
            Some(Beyond { domain: item["domain"].as_str()?.to_owned(), rating, links: item["backlinks"].as_u64() })
        };
        self.beyond = answer.items().iter().filter_map(read).collect();
    }

    /// Whether the next question may cost more than is left of the cap.
    fn is_beyond(&self, payload: &Payload, rows: u64) -> bool {
        dataforseo::is_beyond(payload.cost_cap, self.cost_micros, self.questions, TASK_MICROS + rows * ROW_MICROS)
    }

    fn count(&mut self, link: &Link, payload: &Payload) {
        let since = payload.since.map(Day::since_epoch);
        self.new += u64::from(!link.is_lost() && since.is_none_or(|since| link.first > since));
        self.lost += u64::from(link.is_lost());
    }
}

fn question(site: &Site, payload: &Payload, state: &Checkpoint, left: u64) -> Value {
    let limit = if state.is_lost { PAGE } else { PAGE.min(left) };
    let mut task = json!({
        "target": site.domain.trim_start_matches("www."),
        "mode": "as_is",
        "limit": limit,
        "rank_scale": "one_hundred",
        "include_subdomains": true,
        "exclude_internal_backlinks": true,
        "backlinks_status_type": if state.is_lost { "lost" } else { "live" },
        "order_by": ["rank,desc"],
    });
    if let Some(since) = payload.since.filter(|_| state.is_lost) {
        task["filters"] = json!([["last_seen", ">", format!("{since} 00:00:00 +00:00")]]);
    }
    match &state.token {
        Some(token) if state.offset >= MOST_OFFSET => task["search_after_token"] = json!(token),
        _ => task["offset"] = json!(state.offset),
    }
    task
}

/// A link as the provider tells it; none of one that does not lead to the website.
fn link(item: &Value, site: &Site, today: Day) -> Option<Link> {
    let text = |member: &str| item[member].as_str().unwrap_or_default();
    let source = kit::url::normalize(text("url_from"))?;
    let target = kit::url::normalize(text("url_to")).filter(|it| is_own(site, it))?;
    if site.has(&source) {
        return None;
    }
    let day =
        |member: &str| text(member).get(..10).and_then(|it| it.parse::<Day>().ok()).map_or(NO_DAY, Day::since_epoch);
    let has = |name: &str| item["attributes"].as_array().is_some_and(|it| it.iter().any(|it| it == name));
    let kind = text("item_type");
    let flags = [
        (flag::UGC, has("ugc")),
        (flag::SPONSORED, has("sponsored")),
        (flag::NOFOLLOW, has("nofollow") || item["dofollow"] == false && !has("ugc") && !has("sponsored")),
        (flag::IMAGE, kind == "image"),
        (flag::CANONICAL, kind == "canonical" || kind == "alternate"),
        (flag::REDIRECT, kind == "redirect" || item["is_indirect_link"] == true),
    ];
    let count = |member: &str| item[member].as_u64().and_then(|it| u32::try_from(it).ok());
    let mut ratings = [None; 5];
    ratings[RATING] = item["domain_from_rank"].as_u64().and_then(|it| u8::try_from(it.min(100)).ok());
    let last = day("last_seen");
    let known = |text: &str| kit::text::collapse_to(text, 300);
    Some(Link {
        source,
        target,
        anchor: known(if text("anchor").is_empty() { text("alt") } else { text("anchor") }),
        title: known(text("page_from_title")),
        language: kit::language::primary(text("page_from_language")).chars().take(8).collect(),
        flags: flags.iter().filter(|it| it.1).fold(0, |bits, it| bits | it.0),
        first: day("first_seen"),
        last,
        lost: if item["is_lost"] == true { if last == NO_DAY { today.since_epoch() } else { last } } else { NO_DAY },
        tools: 1 << (TOOLS.len() - 1),
        external: count("page_from_external_links"),
        status: count("page_from_status_code").and_then(|it| u16::try_from(it).ok()),
        ratings,
        domain_bytes: 0,
    })
}

fn finish(
    cx: &Cx,
    payload: &Payload,
    state: &Checkpoint,
    merging: &Merging,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let subject = subject(cx, &payload.site_id, None)?;
    let mut profile = merging.finish(cx, &subject, TOOLS.len() - 1)?;
    profile.refreshed_ms = Some(cx.now().millis());
    let id: Id<Profile> = subject.id.cast();
    cx.records::<Profile>().put_many_as([(&id, &profile)])?;
    let site_id = json!({ "site_id": payload.site_id });
    let mut degraded = state.degraded.clone();
    if let Some(total) = state.total.filter(|it| *it > payload.max_links) {
        let why = format!("the provider has {total} links, and the {} strongest were asked for", payload.max_links);
        let more = json!({ "site_id": payload.site_id, "max_links": total.min(100_000) });
        degraded.push(Degraded::new("links", why).supplied_by("backlinks.refresh.run", more));
    }
    let mut beyond = state.beyond.clone();
    let mut known: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
    Links::of(cx, &subject.id).each(|link| {
        if !known.contains(link.domain()) {
            known.insert(link.domain().to_owned());
        }
    })?;
    beyond.retain(|it| !known.contains(it.domain.as_str()));
    beyond.truncate(LISTED);
    let outcome = Outcome {
        provider_domains: state.domains_total,
        domains_beyond: beyond,
        fetched: state.came,
        new: state.new,
        lost: state.lost,
        provider_total: state.total,
        links: profile.links,
        domains: profile.domains,
        provider_cost: money(state.cost_micros),
        degraded,
        next: vec![Next::new("backlinks.change.report", site_id, "shows what came and went")],
    };
    Ok(Step::done(outcome, Progress::new(state.came, state.came, "done")))
}
