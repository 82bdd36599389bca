//! Published lists of address ranges, and what they say of a claimed bot.

use std::net::IpAddr;

use bots::{Bot, Ranges};
use rustc_hash::FxHashMap;
use sdk::prelude::*;
use sdk::{Degraded, Request};
use visits::Verdict;

use crate::stored::RangeList;

/// Milliseconds for which a list is good.
const FRESH_MS: u64 = 86_400_000;
/// Milliseconds after which a list no longer says that an address is not of it.
const STALE_MS: u64 = 7 * 86_400_000;
/// Bytes of a list.
const MAX_BYTES: u32 = 4 << 20;

/// The lists of all operators that could be had.
pub(crate) struct Lists {
    lists: FxHashMap<&'static str, (Ranges, bool)>,
    /// Lists that could not be had, or are old.
    pub(crate) missing: Vec<&'static str>,
}

impl Lists {
    /// Those that are stored.
    pub(crate) fn stored(cx: &Cx) -> Self {
        let now = cx.now().millis();
        let (mut lists, mut missing) = (FxHashMap::default(), Vec::new());
        for url in bots::lists() {
            let known = cx.records::<RangeList>().find(&id(url));
            let ranges = known.as_ref().and_then(|_| {
                let bytes = cx.blobs().read(&blob(url), 0, MAX_BYTES)?;
                Ranges::read(std::str::from_utf8(&bytes).ok()?).ok()
            });
            match known.zip(ranges) {
                Some((known, ranges)) => {
                    let is_new = now.saturating_sub(known.fetched_ms) <= STALE_MS;
                    if !is_new {
                        missing.push(url);
                    }
                    lists.insert(url, (ranges, is_new));
                }
                None => missing.push(url),
            }
        }
        Self { lists, missing }
    }

    /// Whether a bot is who it says it is, and whether a name of its address could still tell.
    pub(crate) fn judge(&self, bot: &Bot, address: Option<IpAddr>) -> (Verdict, bool) {
        let Some(address) = address else { return (Verdict::Unverified, false) };
        let known = bot.lists.iter().filter_map(|it| self.lists.get(it));
        let (mut all_new, mut any) = (true, false);
        for (ranges, is_new) in known {
            if ranges.contains(address) {
                return (Verdict::Verified, false);
            }
            any = true;
            all_new &= *is_new;
        }
        let complete = any && all_new && bot.lists.iter().all(|it| self.lists.contains_key(it));
        match (bot.suffixes.is_empty(), complete) {
            (false, _) => (Verdict::Unverified, true),
            (true, true) => (Verdict::Spoofed, false),
            // A list that comes later can tell.
            (true, false) => (Verdict::Unverified, bot.is_verifiable()),
        }
    }

    /// What could not be told for want of lists.
    pub(crate) fn degraded(&self) -> Option<Degraded> {
        let operators: std::collections::BTreeSet<&str> = bots::all()
            .iter()
            .filter(|bot| bot.lists.iter().any(|it| self.missing.contains(it)))
            .map(|bot| bot.operator)
            .collect();
        if operators.is_empty() {
            return None;
        }
        let names = operators.into_iter().collect::<Vec<_>>().join(", ");
        let why = format!(
            "the published address ranges of {names} could not be had; bots of theirs stay unverified until they can"
        );
        Some(Degraded::new("address ranges", why))
    }
}

/// Fetches the lists that are older than a day, all of them where `anew`.
///
/// # Errors
/// The host's refusal of a blob.
pub(crate) fn refresh(cx: &Cx) -> Result<()> {
    let now = cx.now().millis();
    let lists = cx.records::<RangeList>();
    let old = bots::lists()
        .into_iter()
        .filter(|url| lists.find(&id(url)).is_none_or(|it| now.saturating_sub(it.fetched_ms) > FRESH_MS));
    let wanted: Vec<(&str, Url)> = old.filter_map(|it| Some((it, it.parse().ok()?))).collect();
    let requests =
        wanted.iter().map(|(_, url)| Request::get(url).max_bytes(MAX_BYTES).follow(5).timeout(10_000).any_age());
    let answers = cx.web().fetch_many(requests);
    for ((url, _), answer) in wanted.iter().zip(answers) {
        let Ok(answer) = answer else { continue };
        if answer.status != 200 || answer.truncated {
            continue;
        }
        let text = answer.text();
        let Ok(ranges) = Ranges::read(&text) else { continue };
        let prefixes = ranges.prefixes() as u64;
        // A list that lost more than half of itself is broken: the old one stays.
        if lists.find(&id(url)).is_some_and(|before| prefixes * 2 < before.prefixes) {
            continue;
        }
        cx.blobs().write(&blob(url), text.as_bytes())?;
        let list = RangeList { url: (*url).to_owned(), fetched_ms: now, prefixes };
        lists.put_many_as([(&id(url), &list)])?;
    }
    Ok(())
}

fn id(url: &str) -> Id<RangeList> {
    Id::new(kit::text::hex(&kit::text::sha256(url.as_bytes())[..12]))
}

fn blob(url: &str) -> String {
    format!("lists/{}", id(url))
}
