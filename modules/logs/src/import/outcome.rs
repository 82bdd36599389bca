//! The result of an import.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Next, json};

use super::claims::Lists;
use super::state::State;
use super::stream::Broken;
use super::work::DAYS;
use crate::stored::{DayLines, Import, RejectedLine, Rejections};

/// The result of an import.
#[value]
pub(crate) struct Outcome {
    import_ref: Id<Import>,
    /// Lines of the file that were read.
    lines: u64,
    /// Lines that are requests.
    parsed: u64,
    /// Requests that were counted: not those of hours that were counted before, and not those out of the period.
    counted: u64,
    /// Requests of other hosts, which are not this website's.
    other_hosts: u64,
    /// Hours that were left out: sent before, or less of them than before.
    skipped_hours: u64,
    rejections: Rejections,
    /// The first 20 lines that are no requests.
    rejected: Vec<RejectedLine>,
    /// Days with requests of this file.
    days: Vec<DayLines>,
    days_total: u64,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// The lines of each day that were counted.
pub(super) fn days(state: &State) -> Vec<DayLines> {
    let mut days: BTreeMap<i32, u64> = BTreeMap::new();
    for (first, taken) in &state.taken {
        for (day, hours) in (0_i32..).zip(taken) {
            for hour in (0..24_u32).filter(|hour| hours & (1 << hour) != 0) {
                let at = u32::try_from(first + day).unwrap_or(0) * 24 + hour;
                *days.entry(first + day).or_default() += state.hours.get(&at).map_or(0, |it| it.lines);
            }
        }
    }
    days.into_iter().map(|(day, lines)| DayLines { date: Day::from_epoch(day), lines }).collect()
}

pub(super) fn outcome(cx: &Cx, import: &Stored<Import>, state: &State, mut days: Vec<DayLines>) -> Outcome {
    let mut degraded: Vec<Degraded> = Lists::stored(cx).degraded().into_iter().collect();
    if let Some(broken) = state.broken {
        let what = match broken {
            Broken::Corrupt => "its packed bytes cannot be unpacked from there on",
            Broken::Checksum => "a packed part of it has another check sum than it says",
            Broken::Unsupported => "it is packed in a way that is not read here",
        };
        let why = format!("the file was read up to line {} alone: {what}", state.lines());
        degraded.push(Degraded::new("file", why));
    } else if !state.whole {
        let why = format!(
            "{} lines were read, as many as credits were held for, or the file ends in the middle of a packed part; import it \
             again and the rest is taken",
            state.lines()
        );
        degraded.push(Degraded::new("file", why));
    }
    if state.stream.trailing > 0 {
        let why = format!("{} bytes behind the last packed part are none", state.stream.trailing);
        degraded.push(Degraded::new("file", why));
    }
    if state.private * 2 > state.parsed && state.parsed > 0 {
        let why = "most lines come from addresses of a private network, those of a proxy; bots cannot be verified by them. Log \
                   the visitor's address, or save the source with real_ip `forwarded`";
        degraded.push(Degraded::new("addresses", why));
    }
    if state.others > 0 && state.others == state.parsed {
        let why = "every line is of another host than this website's; save the source with its `hosts`";
        degraded.push(Degraded::new("hosts", why));
    }
    let site = json!({ "site_id": import.site_id });
    let mut next = Vec::new();
    if import.pending > 0 {
        next.push(Next::new(
            "logs.bot.verify",
            site.clone(),
            "verifies the claimed bots that no published range decides",
        ));
    }
    if import.counted > 0 {
        next.push(Next::new("logs.crawl_budget.report", site, "shows what search engines spend their requests on"));
    }
    let days_total = days.len() as u64;
    days.truncate(DAYS);
    Outcome {
        import_ref: import.id.clone(),
        lines: import.lines,
        parsed: import.parsed,
        counted: import.counted,
        other_hosts: import.other_hosts,
        skipped_hours: import.skipped_hours,
        rejections: import.rejections.clone(),
        rejected: import.rejected.clone(),
        days,
        days_total,
        degraded,
        next,
    }
}
