//! Counts the answers of a run: one tally for each prompt and connection, and answers that were read with other brands are read anew.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::brand::Brand;
use crate::brand::reading::Reader;
use crate::stored::{Answer, Citation, DETECTION, OfBrand, Run, Tally, tally_id, text_key};

/// Answers that are counted in one step; reading one anew costs more.
const ANSWERS: (u64, u64) = (400, 80);
/// Bytes of a text.
const MAX_TEXT: u32 = 32 * 1024;
/// Names of no configured brand that a tally keeps.
const UNKNOWN: usize = 20;

/// Counts answers from a place on; the next place, or none when all are counted.
pub(crate) fn tally(
    cx: &Cx,
    run: &Stored<Run>,
    brands: &[Brand],
    set_version: u32,
    domains: &[String],
    from: u32,
) -> Result<Option<u32>> {
    let samples = run.samples.max(1);
    let first = cx.records::<Answer>().by("run_n").equals(&run.id).at_least(from).first();
    let Some(first) = first else { return Ok(None) };
    let is_old = first.brands_version != set_version || first.detection != DETECTION;
    let most = if is_old { ANSWERS.1 } else { ANSWERS.0 };
    let page = cx.records::<Answer>().by("run_n").equals(&run.id).at_least(from).page(most, None)?;
    let is_last = page.next.is_none();
    let reader = Reader::new(brands);
    let mut groups: BTreeMap<u32, Vec<Stored<Answer>>> = BTreeMap::new();
    for answer in page.items {
        groups.entry(answer.n / samples).or_default().push(answer);
    }
    // The last group may go on behind the page.
    let next = if is_last { None } else { groups.keys().next_back().copied() };
    if let Some(open) = next.filter(|_| groups.len() > 1) {
        groups.remove(&open);
    }
    let (mut rows, mut tallies) = (Vec::new(), Vec::new());
    for (n, mut answers) in groups {
        for answer in &mut answers {
            if answer.brands_version != set_version || answer.detection != DETECTION {
                read_again(cx, &reader, answer, set_version);
                rows.push((answer.id.clone(), answer.it.clone()));
            }
        }
        let own = own_sources(cx, &answers, domains);
        tallies.push((tally_id(run.id.as_str(), n), of(run, n, &answers, &own)));
    }
    if !rows.is_empty() {
        cx.records::<Answer>().put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
    }
    cx.records::<Tally>().put_many_as(tallies.iter().map(|(id, it)| (id, it)))?;
    Ok(next
        .map(|group| if tallies.iter().any(|(_, it)| it.n == group) { (group + 1) * samples } else { group * samples }))
}

/// Reads an answer with the brands of now.
fn read_again(cx: &Cx, reader: &Reader<'_>, answer: &mut Stored<Answer>, set_version: u32) {
    // A text that was cleared away cannot be read again: what was read of it stays.
    if let Some(bytes) = cx.blobs().read(&text_key(&answer.id), 0, MAX_TEXT) {
        let text = String::from_utf8_lossy(&bytes);
        let reading = reader.read(&text, answer.language.as_deref().unwrap_or_default());
        (answer.it.mentions, answer.it.unknown) = (reading.mentions, reading.unknown);
    }
    (answer.it.brands_version, answer.it.detection) = (set_version, DETECTION);
}

/// For each answer whether it cites a page of the website.
fn own_sources(cx: &Cx, answers: &[Stored<Answer>], domains: &[String]) -> Vec<bool> {
    let cites = |answer: &Stored<Answer>| {
        answer.sources > 0
            && cx
                .records::<Citation>()
                .by("answer")
                .equals(&answer.id)
                .scan()
                .any(|it| domains.iter().any(|domain| is_of(&it.url, domain)))
    };
    answers.iter().map(cites).collect()
}

/// Whether an address is at a domain or below it.
pub(crate) fn is_of(url: &str, domain: &str) -> bool {
    let host = kit::url::Url::parse(url).ok().and_then(|it| it.host_str().map(str::to_ascii_lowercase));
    let domain = domain.strip_prefix("www.").unwrap_or(domain);
    host.is_some_and(|host| host == domain || host.strip_suffix(domain).is_some_and(|it| it.ends_with('.')))
}

fn of(run: &Stored<Run>, n: u32, answers: &[Stored<Answer>], own: &[bool]) -> Tally {
    let small = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let count = |holds: &dyn Fn(&Answer) -> bool| small(answers.iter().filter(|it| holds(it)).count());
    let mut tally = Tally {
        site_id: run.site_id.clone(),
        run: run.id.to_string(),
        n,
        at_ms: run.created_ms,
        answers: small(answers.len()),
        searched: count(&|it| it.searched == Some(true)),
        cite_own: small(own.iter().filter(|it| **it).count()),
        with_sources: count(&|it| it.sources > 0),
        with_brands: count(&|it| !it.mentions.is_empty()),
        ..Tally::default()
    };
    if let Some(first) = answers.first() {
        tally.prompt.clone_from(&first.prompt);
        tally.prompt_version = first.prompt_version;
        tally.topic.clone_from(&first.topic);
        tally.stage = first.stage;
        tally.country.clone_from(&first.country);
        tally.model.clone_from(&first.model);
        tally.measured = Some(first.measured);
        (tally.brands_version, tally.detection) = (first.brands_version, first.detection);
    }
    let mut unknown: BTreeMap<&str, u32> = BTreeMap::new();
    for answer in answers {
        let weight = |rank: u32| 1.0 / (1.0 + f64::from(rank.max(1))).log2();
        let all: f64 = answer.mentions.iter().map(|it| weight(it.rank)).sum();
        let mut set = Vec::with_capacity(answer.mentions.len());
        for mention in &answer.mentions {
            let place = match tally.brands.iter().position(|it| it.brand == mention.brand) {
                Some(place) => place,
                None => {
                    tally.brands.push(OfBrand { brand: mention.brand.clone(), ..OfBrand::default() });
                    tally.brands.len() - 1
                }
            };
            set.push(small(place));
            let brand = &mut tally.brands[place];
            brand.answers += 1;
            brand.ranks += mention.rank;
            brand.prominence += mention.prominence;
            brand.share += weight(mention.rank) / all;
            if let Some(tone) = mention.tone {
                brand.tone += tone;
                brand.toned += 1;
            }
        }
        set.sort_unstable();
        tally.sets.push(set);
        answer.unknown.iter().for_each(|name| *unknown.entry(name).or_default() += 1);
    }
    let mut unknown: Vec<(String, u32)> = unknown.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    unknown.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    unknown.truncate(UNKNOWN);
    tally.unknown = unknown;
    tally
}
