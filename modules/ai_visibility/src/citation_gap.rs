//! The operation `ai_visibility.citation_gap.analyze`.

use std::collections::{BTreeMap, BTreeSet};

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Answer, Degraded, Fix, Request, json};
use site::Site;

use crate::brand;
use crate::citation::kinds::{self, Kind};
use crate::citation::state::{self, Seen};
use crate::citation::{Domains, of_period};
use crate::measured::{begins, earlier, is_current, period};
use crate::stored::Answer as Given;

/// Answers that are read.
const MOST: usize = 12_000;
/// Sources that are asked whether they are there.
const CHECKED: usize = 100;
/// Prompts that are named.
const PROMPTS: usize = 5;

#[args]
pub(crate) struct Analyze {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
    /// The most sources.
    #[default(100)]
    limit: Count<10, 500>,
}

/// A source that the website is missing in.
#[value]
pub(crate) struct Source {
    url: String,
    domain: String,
    title: Option<String>,
    #[serde(rename = "type")]
    kind: Kind,
    /// Brands that the answers name which cite it.
    competitors: Vec<String>,
    /// Prompts whose answers cite it and do not name the website.
    prompts: u64,
    /// Some of them.
    prompt_examples: Vec<String>,
    /// Answers that cite it, name a competitor and do not name the website.
    answers: u64,
    /// The share of answers without the website that cite it, over the share of those with it; null where none with it is known.
    lift: Option<f64>,
    /// Whether it answers; null where its robots.txt or a refusal keeps us from knowing, or where it was not looked at.
    still_live: Option<bool>,
    /// Its status; 0 without an answer.
    status: Option<u16>,
    /// What would get the website in.
    #[own]
    advice: String,
    /// A call that begins with it; null where nothing here does.
    fix: Option<Fix>,
}

/// The gap.
#[value]
pub(crate) struct Analyzed {
    from: Day,
    to: Day,
    /// The one that most prompts cite first, weighted by lift.
    sources: Vec<Source>,
    /// Sources in all.
    total: u64,
    /// Answers that name a competitor and not the website.
    answers_without: u64,
    /// Answers that name the website.
    answers_with: u64,
    degraded: Vec<Degraded>,
}

/// What was gathered of a source.
#[derive(Default)]
struct Gathered {
    without: BTreeSet<String>,
    with: u64,
    prompts: BTreeSet<String>,
    questions: BTreeSet<String>,
    topics: BTreeSet<String>,
    competitors: BTreeSet<String>,
    domain: String,
    title: Option<String>,
}

/// Finds sources that answers cite when competitors appear and the website does not, typed (review, forum, directory, media, reference) with the step that would get included.
///
/// The first hundred are asked whether they still answer, within their robots.txt. Nothing here advises to write as somebody else: in a
/// forum one takes part under one's own name.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "sources"),
    needs = ["store", "web"],
    phrasings = ["which sources mention competitors but not us in AI answers", "perplexity quotes sites with our rivals and without us", "citation gap of AI answers", "where do we need to get in to be recommended by AI"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "from": "2026-08-01", "limit": 20 }]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Answer<Analyzed>> {
    let site = site::get(cx, &args.site_id)?;
    let set = brand::required(cx, &site)?;
    let (from, to) = period(cx, args.from, args.to)?;
    let mut degraded = Vec::new();
    let own: Vec<&str> = set.brands.iter().filter(|it| it.own).map(|it| it.name.as_str()).collect();
    let query = cx.records::<Given>().by("site_id_at_ms").equals(&site.id);
    let query = query.at_least(begins(from)).below(begins(to.plus(1))).descending();
    let answers: Vec<Stored<Given>> = query.scan().take(MOST).collect();
    if answers.len() == MOST {
        degraded.push(Degraded::new("answers", "the newest 12,000 answers of the period are read"));
    }
    let (answers, old): (Vec<_>, Vec<_>) = answers.into_iter().partition(|it| is_current(it, &set));
    degraded.extend(earlier(old.len() as u64));
    let names_own = |it: &Given| it.mentions.iter().any(|mention| own.contains(&mention.brand.as_str()));
    let (mut with, mut without): (BTreeSet<&str>, BTreeMap<&str, &Given>) = Default::default();
    for it in &answers {
        if names_own(it) {
            with.insert(it.id.as_str());
        } else if !it.mentions.is_empty() {
            without.insert(it.id.as_str(), &it.it);
        }
    }
    let domains = Domains::of(cx, &site);
    let mut found: BTreeMap<String, Gathered> = BTreeMap::new();
    for it in of_period(cx, &site, from, to, &mut degraded) {
        if domains.is_own(&it.url) && !without.contains_key(it.answer.as_str()) {
            continue;
        }
        let gathered = found.entry(it.url.clone()).or_default();
        gathered.domain.clone_from(&it.domain);
        gathered.title = gathered.title.take().or_else(|| it.title.clone());
        if with.contains(it.answer.as_str()) {
            gathered.with += 1;
        } else if let Some(answer) = without.get(it.answer.as_str()) {
            gathered.without.insert(it.answer.clone());
            gathered.prompts.insert(it.prompt.clone());
            gathered.questions.insert(answer.question.clone());
            gathered.topics.insert(answer.topic.clone());
            gathered.competitors.extend(answer.mentions.iter().map(|mention| mention.brand.clone()));
        }
    }
    found.retain(|_, it| !it.without.is_empty());
    if without.is_empty() && old.is_empty() {
        let why = if answers.is_empty() {
            "no answer of the period is stored"
        } else {
            "no answer names a competitor without the website"
        };
        degraded.push(Degraded::new("sources", why));
    }
    let total = found.len() as u64;
    let mut rows: Vec<(f64, Source)> =
        found.into_iter().map(|(url, it)| source(&site, url, it, &domains, with.len(), without.len())).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.url.cmp(&b.1.url)));
    rows.truncate(usize::try_from(args.limit.get()).unwrap_or(0));
    let mut sources: Vec<Source> = rows.into_iter().map(|it| it.1).collect();
    look(cx, &mut sources, &mut degraded);
    let count = sources.len() as u64;
    let (answers_without, answers_with) = (without.len() as u64, with.len() as u64);
    Ok(Answer::new(Analyzed { from, to, sources, total, answers_without, answers_with, degraded }).units(count))
}

#[expect(clippy::cast_precision_loss, reason = "answers of a report")]
fn source(
    site: &Stored<Site>,
    url: String,
    it: Gathered,
    domains: &Domains,
    with: usize,
    without: usize,
) -> (f64, Source) {
    let there = it.without.len() as f64 / without.max(1) as f64;
    let here = it.with as f64 / with.max(1) as f64;
    let lift = (with > 0 && here > 0.0).then(|| round(there / here, 3));
    // Never cited with the website counts as twice as telling as cited as often.
    let weight = it.prompts.len() as f64 * lift.unwrap_or(2.0).clamp(0.1, 2.0);
    let kind = match () {
        () if domains.is_own(&url) => Kind::Own,
        () if domains.competitor(&url).is_some() => Kind::Competitor,
        () => kinds::of(&url, &it.domain),
    };
    let topic = it.topics.iter().next().map_or("", String::as_str);
    let topic = if topic.chars().count() < 2 { it.domain.as_str() } else { topic };
    let (advice, fix) = step(site, kind, &url, &it.domain, topic);
    let source = Source {
        kind,
        competitors: it.competitors.into_iter().collect(),
        prompts: it.prompts.len() as u64,
        prompt_examples: it.questions.into_iter().take(PROMPTS).collect(),
        answers: it.without.len() as u64,
        lift,
        still_live: None,
        status: None,
        advice: advice.to_owned(),
        fix,
        domain: it.domain,
        title: it.title,
        url,
    };
    (weight, source)
}

/// What would get the website into a source, and a call that begins with it.
fn step(site: &Stored<Site>, kind: Kind, url: &str, domain: &str, topic: &str) -> (&'static str, Option<Fix>) {
    match kind {
        Kind::Own => (
            "answers cite your own page for a competitor: say on it what you offer and for whom",
            Fix::new("content.refresh.plan", json!({ "site_id": site.id, "url": url }))
                .if_served()
                .or_else(|| Fix::new("onpage.eeat.check", json!({ "url": url })).if_served()),
        ),
        Kind::Competitor => (
            "a competitor answers the question on its own page: have a page of yours that answers it better",
            Fix::new("onpage.page.compare", json!({ "url": site.origin, "competitors": [url] })).if_served(),
        ),
        Kind::Forum => ("take part as yourself where you can help; nothing posted for you in other names", None),
        Kind::Review => (
            "ask customers for honest reviews, all of them alike, and the editors to test you",
            Fix::new("listings.location.list", json!({})).if_served(),
        ),
        Kind::Directory => {
            ("have a complete and correct entry there", Fix::new("listings.location.list", json!({})).if_served())
        }
        Kind::Media => (
            "offer the authors something worth reporting",
            Fix::new("outreach.prospect.import", json!({ "site_id": site.id, "domains": [domain] }))
                .if_served()
                .or_else(|| {
                    let find = json!({ "site_id": site.id, "type": "citer", "topic": topic });
                    Fix::new("backlinks.prospect.find", find).if_served()
                }),
        ),
        Kind::Reference => (
            "say who you are in a form that machines read, and correct what is wrong by its own rules",
            Fix::new("schema.organization.generate", json!({ "site_id": site.id })).if_served(),
        ),
        Kind::Shop => ("sell there, or have the maker name you as a dealer", None),
        Kind::Unknown => ("look at the page: nothing tells what kind of source it is", None),
    }
}

/// Asks the first sources whether they are there.
fn look(cx: &Cx, sources: &mut [Source], degraded: &mut Vec<Degraded>) {
    let now = cx.now().millis();
    let mut open: Vec<usize> = Vec::new();
    for (at, source) in sources.iter_mut().enumerate().take(CHECKED) {
        match state::last(cx, &source.url) {
            Some(seen) => show(source, &seen),
            None => open.push(at),
        }
    }
    let asked: Vec<(usize, Url)> =
        open.into_iter().filter_map(|at| Some((at, sources[at].url.parse().ok()?))).collect();
    let answers = cx.web().fetch_many(asked.iter().map(|(_, url)| Request::head(url).follow(5).timeout(6_000)));
    let mut unknown = 0;
    for ((at, url), answer) in asked.into_iter().zip(answers) {
        let seen = match answer {
            Ok(answer) => Seen { status: answer.status, failure: None, at_ms: now },
            Err(failure) => Seen { status: 0, failure: Some(failure.name().to_owned()), at_ms: now },
        };
        unknown += u64::from(seen.is_live().is_none());
        state::keep(cx, url.as_str(), &seen);
        show(&mut sources[at], &seen);
    }
    if unknown > 0 {
        degraded.push(Degraded::new(
            "still_live",
            format!("{unknown} sources did not let themselves be asked, or answered with a refusal"),
        ));
    }
}

fn show(source: &mut Source, seen: &Seen) {
    (source.still_live, source.status) = (seen.is_live(), Some(seen.status));
}
