//! The operation `cms.redirect.map.export`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Run;

use super::rules::{Format, Plan, Written, csv};
use super::{Map, Row, Verdict, ready, rows};
use crate::crawled;

/// Addresses of the new website that are read.
const KNOWN: usize = 40_000;
/// Bytes of one part.
const PART: usize = 2 << 20;

#[args]
pub(crate) struct Export {
    /// The map, as `cms.redirect.map.build` named it.
    map_ref: Id<Map>,
    format: Format,
    /// Which part of the rules, of a large map.
    #[default(1)]
    part: Count<1, 100>,
}

/// A pattern that stands for many addresses.
#[value]
pub(crate) struct Merged {
    /// A regular expression of paths.
    pattern: String,
    /// Where it sends them; `$1` is what the group matched.
    to: String,
    /// Addresses that it stands for.
    stands_for: u64,
}

/// Rules of a redirect map.
#[value]
pub(crate) struct Exported {
    /// The text to put where its first line says.
    rules: String,
    /// Rules in this part; rows for a CSV.
    count: u64,
    /// Addresses that the rules of all parts redirect; all rows for a CSV.
    addresses: u64,
    /// Patterns among the rules. One is written only when every known address that it matches goes exactly where it sends it.
    merged_patterns: Vec<Merged>,
    part: u64,
    /// Parts that these rules have.
    parts_total: u64,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Exports a redirect map as nginx, Apache, Caddy, Netlify, Cloudflare bulk or CSV rules with merged pattern rules where safe.
///
/// Rules have the matched rows; the CSV has all, with what is for review and what has no target.
#[operation(
    read,
    scope = "assets:read",
    cost = bulk(unit = "addresses", most = 20_000),
    needs = ["store"],
    phrasings = [
        "give me the redirects as nginx rules",
        "export the redirect map for apache",
        "htaccess lines for the relaunch",
        "redirect map as csv for review",
    ],
    examples = [{ "map_ref": "map_01", "format": "nginx" }, { "map_ref": "map_01", "format": "csv", "part": 2 }]
)]
pub(crate) fn export(cx: &Cx, args: Export) -> Result<Answer<Exported>> {
    let map = ready(cx, &args.map_ref)?;
    let all: Vec<Row> = rows(cx, &map).collect();
    let part = u64::from(args.part);
    let mut degraded = Vec::new();
    let (written, parts, addresses, merged) = if args.format == Format::Csv {
        let parts = parted(&all, |row| row.from.len() + row.to.as_ref().map_or(0, String::len) + 120);
        let at = here(part, parts.len())?;
        (csv(&all[parts[at].clone()], at == 0), parts.len(), all.len(), Vec::new())
    } else {
        rules(cx, &map, &all, &args, &mut degraded)?
    };
    if written.left_out > 0 {
        let why = format!(
            "{} addresses have no rule in this format, such as those with a query; the CSV has them",
            written.left_out
        );
        degraded.push(Degraded::new("rules", why));
    }
    let mut next: Vec<Next> = Vec::new();
    if part < parts as u64 {
        let arguments = json!({ "map_ref": map.id, "format": args.format, "part": part + 1 });
        next.push(Fix::new("cms.redirect.map.export", arguments).because("has the next part of the rules"));
    } else {
        let test = Fix::new("cms.redirect.map.test", json!({ "map_ref": map.id }));
        next.push(test.because("follows the redirects when the rules are in place"));
    }
    let exported = Exported {
        rules: written.text,
        count: written.count as u64,
        addresses: addresses as u64,
        merged_patterns: merged,
        part,
        parts_total: parts as u64,
        degraded,
        next,
    };
    let units = exported.count;
    Ok(Answer::new(exported).units(units))
}

/// The rules of a part, how many parts there are, how many addresses all of them redirect, and the patterns.
fn rules(
    cx: &Cx,
    map: &Map,
    all: &[Row],
    args: &Export,
    degraded: &mut Vec<Degraded>,
) -> Result<(Written, usize, usize, Vec<Merged>)> {
    let mut moved = Vec::new();
    for row in all.iter().filter(|row| row.verdict == Verdict::Matched) {
        moved.extend(row.to.clone().map(|to| (row.from.clone(), to)));
    }
    let mut known: Vec<String> = all.iter().map(|row| row.from.clone()).collect();
    // Addresses of another host never meet these rules.
    let host = |url: &str| kit::url::Url::parse(url).ok().map(|it| kit::url::origin(&it));
    let shared = moved.iter().any(|(from, _)| host(from) == host(&map.new_origin));
    let mut is_known = true;
    if shared {
        let addresses = cx.records::<crawled::Row>().by("run_seq").equals(&map.new_run).scan().take(KNOWN + 1);
        let before = known.len();
        known.extend(addresses.map(|it| it.into_inner().url));
        if known.len() - before > KNOWN {
            is_known = false;
            let why = format!(
                "the new website has more than {KNOWN} addresses on the same host; patterns may catch some, so none were merged"
            );
            degraded.push(Degraded::new("merged_patterns", why));
        }
    }
    if shared && cx.records::<Run>().find(&Id::new(map.new_run.as_str())).is_none() {
        is_known = false;
        let why = "the crawl of the new website was deleted: patterns may catch addresses of it, so none were merged";
        degraded.push(Degraded::new("merged_patterns", why));
    }
    let merges = is_known && args.format != Format::Cloudflare;
    let mut plan = match args.format {
        Format::Netlify if merges => Plan::with_splats_alone(&moved, &known),
        _ => Plan::of(&moved, &known, merges),
    };
    if plan.conflicts > 0 {
        let why = format!(
            "{} addresses differ from others in the host alone and lead elsewhere; give each host rules of its own",
            plan.conflicts
        );
        degraded.push(Degraded::new("rules", why));
    }
    if plan.itself > 0 {
        let why = format!(
            "{} addresses differ from their targets in the scheme or www alone: a rule for each would lead in a circle; redirect the whole host",
            plan.itself
        );
        degraded.push(Degraded::new("rules", why));
    }
    let merged = plan.patterns.iter().map(|it| Merged {
        pattern: it.shown(),
        to: it.shown_target(),
        stands_for: it.stands_for as u64,
    });
    let merged: Vec<Merged> = merged.collect();
    let covered: usize = plan.patterns.iter().map(|it| it.stands_for).sum();
    let addresses = plan.exact.len() + covered;
    let parts = parted(&plan.exact, |rule| rule.size());
    let at = here(u64::from(args.part), parts.len())?;
    let several = (parts.len() > 1).then(|| u64::from(args.part));
    plan.exact = plan.exact.drain(parts[at].clone()).collect();
    if at > 0 {
        plan.patterns.clear();
    }
    Ok((plan.write(args.format, several), parts.len(), addresses, merged))
}

/// Where each part begins and ends, by the bytes of its lines; one part at least.
fn parted<T>(all: &[T], bytes: impl Fn(&T) -> usize) -> Vec<std::ops::Range<usize>> {
    let (mut parts, mut from, mut sum) = (Vec::new(), 0, 0);
    for (at, it) in all.iter().enumerate() {
        sum += bytes(it);
        if sum > PART && at > from {
            parts.push(from..at);
            (from, sum) = (at, bytes(it));
        }
    }
    parts.push(from..all.len());
    parts
}

fn here(part: u64, parts: usize) -> Result<usize> {
    let at = usize::try_from(part - 1).unwrap_or(usize::MAX);
    if at < parts {
        return Ok(at);
    }
    Err(Fault::invalid("/part", "no_such_part", format!("these rules have {parts} parts")))
}
