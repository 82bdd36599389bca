//! The operation `ai_visibility.share_of_voice.report`.

use std::collections::{BTreeMap, BTreeSet};

use kit::statistics::{false_discovery, round};
use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use site::Site;

use crate::brand;
use crate::figures::paired;
use crate::measured::{self, Method};
use crate::stored::Tally;

/// The share of answers in which a name has to stand that is no configured brand.
const UNKNOWN: f64 = 0.05;
/// Names that are told.
const NAMES: usize = 20;

/// What shares are grouped by.
#[value]
pub(crate) enum By {
    Topic,
    Model,
}

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
    /// What shares are grouped by.
    #[default("topic")]
    by: By,
}

/// The share of a brand within a group.
#[value]
pub(crate) struct Share {
    /// The topic or model; null where prompts have no topic.
    key: Option<String>,
    brand: String,
    own: bool,
    /// From 0 to 1: of all mentions, weighted by order, mean over answers with any brand, then over prompts.
    share: f64,
    /// Prompts with an answer that names any brand.
    n: u64,
}

/// How a brand's share has changed.
#[value]
pub(crate) struct Change {
    brand: String,
    own: bool,
    /// The share of the later half less that of the earlier half, over the prompts of both.
    delta: f64,
    earlier: f64,
    later: f64,
    /// By flipped signs, two-sided; null under six prompts of both halves.
    p: Option<f64>,
    /// The same for all brands together (Benjamini and Hochberg).
    q: Option<f64>,
    /// Prompts and models of both halves.
    n: u64,
}

/// A name that is no brand of the set.
#[value]
pub(crate) struct Unknown {
    name: String,
    /// Answers at the heads of whose lists it stands.
    answers: u64,
    share: f64,
}

/// The report.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    by: By,
    /// Group by group, the greatest first.
    shares: Vec<Share>,
    /// Of all brands, the greatest change first; empty where the period has runs in one half alone.
    change: Vec<Change>,
    /// The first day of the later half.
    later_from: Day,
    /// Prompts and models that are in one half alone, left out of `change`.
    unpaired: u64,
    /// At the heads of lists in one of twenty answers or more.
    unknown_brands: Vec<Unknown>,
    sampling: Method,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Reports share of voice among all detected brands, weighted by order of mention, with trend and significance of change.
///
/// In an answer a brand weighs 1/log2(1 + r) at rank r. The change is between the two halves of the period, paired by prompt and
/// model, so that other prompts or models change nothing.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["share of voice in AI answers", "do we gain on competitors in chatgpt", "brands I do not track that AI recommends", "is the change in AI mentions significant"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "by": "model", "from": "2026-07-01", "to": "2026-09-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let site = site::get(cx, &args.site_id)?;
    let set = brand::required(cx, &site)?;
    let (from, to) = measured::period(cx, args.from, args.to)?;
    let mut read = measured::tallies(cx, &site, from, to);
    let own = |name: &str| set.brands.iter().any(|it| it.own && it.name == name);
    let names: Vec<&str> = set.brands.iter().map(|it| it.name.as_str()).collect();
    let mut groups: BTreeMap<Option<String>, Vec<&Tally>> = BTreeMap::new();
    for tally in &read.tallies {
        let key = match args.by {
            By::Topic => Some(tally.topic.clone()).filter(|it| !it.is_empty()),
            By::Model => Some(tally.model.clone()),
        };
        groups.entry(key).or_default().push(tally);
    }
    let mut rows = Vec::new();
    for (key, tallies) in groups {
        let shares = by_prompt(&tallies);
        let mut of: Vec<Share> = names
            .iter()
            .filter(|_| !shares.is_empty())
            .map(|name| Share {
                key: key.clone(),
                brand: (*name).to_owned(),
                own: own(name),
                share: round(mean(shares.values(), name), 6),
                n: shares.len() as u64,
            })
            .collect();
        of.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.brand.cmp(&b.brand)));
        rows.extend(of);
    }
    let (later_from, change, unpaired) = change(&read.tallies, &names, from, to, &own);
    if change.is_empty() && !read.tallies.is_empty() {
        let why = "both halves of the period need a run with the same prompts and models before a change can be told";
        read.degraded.push(Degraded::new("change", why));
    }
    let unknown_brands = unknown(&read.tallies);
    let mut next = Vec::new();
    if let Some(first) = unknown_brands.first() {
        let mut brands = json!(set.brands);
        if let Some(all) = brands.as_array_mut().filter(|it| it.len() < 30) {
            all.push(json!({ "name": first.name }));
            let arguments = json!({ "site_id": site.id, "brands": brands });
            next.push(Next::new(
                "ai_visibility.brand.set",
                arguments,
                "tracks the name that answers recommend most and that is no brand of yours",
            ));
        }
    }
    let method = read
        .method("share of mentions weighted by 1/log2(1 + rank), mean over answers with any brand, then over prompts");
    let degraded = read.degraded;
    Ok(Reported {
        from,
        to,
        by: args.by,
        shares: rows,
        change,
        later_from,
        unpaired,
        unknown_brands,
        sampling: method,
        next,
        degraded,
    })
}

/// The shares of a prompt: sums over its answers with any brand.
#[derive(Default)]
struct Shares<'a> {
    brands: BTreeMap<&'a str, f64>,
    answers: f64,
}

fn by_prompt<'a>(tallies: &[&'a Tally]) -> BTreeMap<&'a str, Shares<'a>> {
    let mut out: BTreeMap<&str, Shares<'_>> = BTreeMap::new();
    for tally in tallies.iter().filter(|it| it.with_brands > 0) {
        add(out.entry(&tally.prompt).or_default(), tally);
    }
    out
}

fn add<'a>(shares: &mut Shares<'a>, tally: &'a Tally) {
    shares.answers += f64::from(tally.with_brands);
    for brand in &tally.brands {
        *shares.brands.entry(&brand.brand).or_default() += brand.share;
    }
}

#[expect(clippy::cast_precision_loss, reason = "prompts of a report")]
fn mean<'a>(all: impl ExactSizeIterator<Item = &'a Shares<'a>>, brand: &str) -> f64 {
    let count = all.len() as f64;
    all.map(|it| it.brands.get(brand).copied().unwrap_or(0.0) / it.answers).sum::<f64>() / count
}

fn change(
    tallies: &[Tally],
    names: &[&str],
    from: Day,
    to: Day,
    own: &dyn Fn(&str) -> bool,
) -> (Day, Vec<Change>, u64) {
    let later_from = from.plus((to.since_epoch() - from.since_epoch() + 1) / 2);
    let middle = measured::begins(later_from);
    let mut halves: [BTreeMap<(&str, &str), Shares<'_>>; 2] = [BTreeMap::new(), BTreeMap::new()];
    let mut asked: [BTreeSet<(&str, &str)>; 2] = [BTreeSet::new(), BTreeSet::new()];
    for tally in tallies {
        let half = usize::from(tally.at_ms >= middle);
        let key = (tally.prompt.as_str(), tally.model.as_str());
        asked[half].insert(key);
        if tally.with_brands > 0 {
            add(halves[half].entry(key).or_default(), tally);
        }
    }
    let unpaired = asked[0].symmetric_difference(&asked[1]).count() as u64;
    let both: Vec<(&str, &str)> = halves[0].keys().filter(|it| halves[1].contains_key(*it)).copied().collect();
    if both.is_empty() {
        return (later_from, Vec::new(), unpaired);
    }
    // One difference for each prompt: models of one prompt agree.
    let mut prompts: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    both.iter().for_each(|it| prompts.entry(it.0).or_default().push(*it));
    let share = |half: usize, key: &(&str, &str), name: &str| {
        halves[half].get(key).map_or(0.0, |it| it.brands.get(name).copied().unwrap_or(0.0) / it.answers)
    };
    let mut out: Vec<Change> = names
        .iter()
        .map(|name| {
            let of = |half: usize, keys: &Vec<(&str, &str)>| {
                kit::statistics::mean(&keys.iter().map(|key| share(half, key, name)).collect::<Vec<_>>())
            };
            let pairs: Vec<(f64, f64)> = prompts.values().map(|keys| (of(0, keys), of(1, keys))).collect();
            let differences: Vec<f64> = pairs.iter().map(|(earlier, later)| later - earlier).collect();
            let all = |part: fn(&(f64, f64)) -> f64| kit::statistics::mean(&pairs.iter().map(part).collect::<Vec<_>>());
            Change {
                brand: (*name).to_owned(),
                own: own(name),
                delta: round(kit::statistics::mean(&differences), 6),
                earlier: round(all(|it| it.0), 6),
                later: round(all(|it| it.1), 6),
                p: paired::p(&differences).map(|it| round(it, 6)),
                q: None,
                n: both.len() as u64,
            }
        })
        .collect();
    let known: Vec<f64> = out.iter().filter_map(|it| it.p).collect();
    for (it, q) in out.iter_mut().filter(|it| it.p.is_some()).zip(false_discovery(&known)) {
        it.q = Some(round(q, 6));
    }
    out.sort_by(|a, b| b.delta.abs().total_cmp(&a.delta.abs()).then_with(|| a.brand.cmp(&b.brand)));
    (later_from, out, unpaired)
}

#[expect(clippy::cast_precision_loss, reason = "answers of a report")]
fn unknown(tallies: &[Tally]) -> Vec<Unknown> {
    let answers: u64 = tallies.iter().map(|it| u64::from(it.answers)).sum();
    let mut names: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, count) in tallies.iter().flat_map(|it| &it.unknown) {
        *names.entry(name).or_default() += u64::from(*count);
    }
    let of = |(name, count): (&str, u64)| Unknown {
        name: name.to_owned(),
        answers: count,
        share: round(count as f64 / answers.max(1) as f64, 6),
    };
    let mut out: Vec<Unknown> = names.into_iter().map(of).filter(|it| it.share >= UNKNOWN).collect();
    out.sort_by(|a, b| b.answers.cmp(&a.answers).then_with(|| a.name.cmp(&b.name)));
    out.truncate(NAMES);
    out
}
