//! The operation `onpage.term_gap.analyze`: the job and its step; `weigh` compares the terms.

mod weigh;

use kit::terms::Analyzer;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::Progress;
use sdk::prelude::*;
use sdk::{Job, JobState, json};

use crate::live::{self, Live};
use crate::page::beside::Section;
use crate::page::beside::terms::missing_sections;
use crate::serp::{self, Serp};
use crate::siblings;
use site::live::Seen;
use weigh::{Gap, Overuse};

/// Bytes that are read of each page.
const BYTES: u32 = 384 << 10;
/// Pages that are compared with, of those that rank.
const RANKING: usize = 10;
/// Milliseconds for which an ended analysis stands for the same question.
const FRESH: u64 = 24 * 3_600_000;

#[args]
pub(crate) struct Analyze {
    url: Url,
    /// What the page should be found for.
    keyword: Text<2, 120>,
    /// The pages to compare with; those that rank for the query when left out.
    competitors: Option<List<Url, 2, 15>>,
    /// Where the search is made; as the address's own ending says, else the United States.
    country: Option<Country>,
    /// The language; as declared or detected when left out.
    language: Option<Language>,
    /// Starts anew although the same analysis ended within the last day.
    #[default(false)]
    refresh: bool,
}

/// An analysis that was asked for: what is asked again within a day is answered from here.
#[record(collection = "analyses", thing = "analysis")]
pub(crate) struct Analysis {
    job_ref: Id<Job>,
}

/// The analysis, as far as it is.
#[value]
pub(crate) struct Analyzed {
    job_ref: Id<Job>,
    /// `queued` when this call started it; a later call with the same arguments answers with the result.
    state: JobState,
    /// Why the job failed.
    failure: Option<Failed>,
    /// Terms that the others share and the page lacks or has too seldom, the weightiest first.
    missing: Vec<Gap>,
    /// Terms that the page has far more often than any other.
    overused: Vec<Overuse>,
    /// Headings of the others whose subject no heading of the page has.
    headings: Vec<Section>,
    questions: Vec<Question>,
    language: Option<String>,
    page: Option<Seen>,
    /// The pages that were compared with.
    compared: Vec<Seen>,
    /// The day of the result page that they are from: a stored one of at most 30 days, else today's; null when they were named.
    serp_date: Option<Day>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[value]
struct Failed {
    code: String,
    message: String,
}

/// A question that people ask or another page answers.
#[value]
struct Question {
    question: String,
    /// Whether the page has a sentence or heading with all of its words.
    answered: bool,
}

/// What the job works on.
#[value]
pub(crate) struct Payload {
    url: Url,
    keyword: String,
    competitors: Vec<Url>,
    country: Option<Country>,
    language: Option<Language>,
}

/// The job's result.
#[value]
pub(crate) struct Findings {
    missing: Vec<Gap>,
    overused: Vec<Overuse>,
    headings: Vec<Section>,
    questions: Vec<Question>,
    language: String,
    page: Seen,
    compared: Vec<Seen>,
    /// Jobs of before did not tell it.
    #[serde(default)]
    serp_date: Option<Day>,
    degraded: Vec<Degraded>,
}

/// Fetches the pages ranking for a query (from a stored or live SERP, or given URLs), weighs shared terms by TF-IDF and
/// document share, and reports what the page lacks or overuses.
///
/// Without competitors the pages are those of a result page that a rank tracker has stored in the last 30 days, else of one that is
/// fetched now. Terms are words and runs of two and three of them by stem, in at least 40% of the pages. The target range is the middle half
/// of the pages' occurrences in 1,000 words. The same question within a day is answered with the analysis that was made for
/// it, also while it is being made; `refresh` makes another one.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = 16, unit = "pages"),
    queued(step = "compare"),
    result_operation = "account.job.get",
    side_effects = ["fetches the listed or ranking public pages", "asks one results page from your DataForSEO account when no competitors are given"],
    needs = ["web", "jobs", "connection:dataforseo?"],
    outside = ["dataforseo POST /v3/serp/google/organic/live/advanced query"],
    phrasings = [
        "which terms do ranking pages use that mine lacks",
        "content gap for a keyword",
        "tf-idf analysis against competitors",
        "what should my page cover to rank for this query",
    ],
    examples = [
        { "url": "https://shop.example/guides/lamps", "keyword": "brass lamp", "competitors": ["https://one.example/lamps", "https://two.example/lamps"] },
        { "url": "https://shop.example/guides/lamps", "keyword": "brass lamp", "country": "GB", "language": "en" }
    ]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Analyzed> {
    let payload = Payload {
        url: args.url.without_fragment(),
        keyword: kit::text::collapse(&args.keyword).to_lowercase(),
        competitors: args.competitors.map(List::into_vec).unwrap_or_default(),
        country: args.country,
        language: args.language,
    };
    let id: Id<Analysis> = Id::new(key(&payload));
    let known = cx.records::<Analysis>().find(&id);
    let job = known.as_ref().and_then(|it| cx.jobs().find(&it.job_ref));
    if let Some(job) = job.filter(|it| !args.refresh && stands(cx, it)) {
        return Ok(Analyzed::of(&job));
    }
    if payload.competitors.is_empty() && kept(cx, &payload)?.is_none() {
        serp::account(cx, "/competitors")?;
    }
    let job_ref = cx.jobs().enqueue("compare", &payload)?;
    if known.is_some() {
        cx.records::<Analysis>().update(&id, |it| it.job_ref = job_ref.clone())?;
    } else {
        cx.records::<Analysis>().insert_as(id, Analysis { job_ref: job_ref.clone() })?;
    }
    Ok(Analyzed::started(job_ref, JobState::Queued))
}

/// The same for the same question, whatever the order of the competitors.
fn key(payload: &Payload) -> String {
    let mut competitors: Vec<&str> = payload.competitors.iter().map(|it| it.as_str()).collect();
    competitors.sort_unstable();
    let question = json!([payload.url, payload.keyword, competitors, payload.country, payload.language]);
    kit::text::hex(&kit::text::sha256(question.to_string().as_bytes())[..16])
}

/// Whether a job answers the question still: it is at work, or ended well within a day.
fn stands(cx: &Cx, job: &Job) -> bool {
    match job.state {
        JobState::Queued | JobState::Running => true,
        JobState::Succeeded => cx.now().millis() < job.changed.millis() + FRESH,
        JobState::Failed | JobState::Cancelled => false,
    }
}

impl Analyzed {
    fn started(job_ref: Id<Job>, state: JobState) -> Self {
        Self {
            job_ref,
            state,
            failure: None,
            missing: Vec::new(),
            overused: Vec::new(),
            headings: Vec::new(),
            questions: Vec::new(),
            language: None,
            page: None,
            compared: Vec::new(),
            serp_date: None,
            next: Vec::new(),
            degraded: Vec::new(),
        }
    }

    fn of(job: &Job) -> Self {
        let started = Self::started(job.id.clone(), job.state);
        let failure = job.fault().map(|(code, message)| Failed { code, message });
        match job.result::<Findings>() {
            None => Self { failure, ..started },
            Some(it) => Self {
                next: next(&it),
                missing: it.missing,
                overused: it.overused,
                headings: it.headings,
                questions: it.questions,
                language: Some(it.language),
                page: Some(it.page),
                compared: it.compared,
                serp_date: it.serp_date,
                degraded: it.degraded,
                ..started
            },
        }
    }
}

/// What acts on the findings.
fn next(it: &Findings) -> Vec<Next> {
    let keywords: Vec<&str> =
        it.missing.iter().map(|it| it.term.as_str()).filter(|it| it.chars().count() >= 2).take(20).collect();
    let usage = Fix::new("onpage.keyword.usage", json!({ "url": it.page.final_url, "keywords": keywords }))
        .because("shows where the page uses the missing terms now");
    if keywords.is_empty() { Vec::new() } else { vec![usage] }
}

/// Asks what ranks, then fetches and compares.
#[step]
pub(crate) fn work(cx: &Cx, payload: Payload, checkpoint: Option<Serp>) -> Result<Step<Serp, Progress, Findings>> {
    let progress = |done: usize, total: usize| Progress::new(done as u64, total as u64, "comparing pages");
    let Some(serp) = checkpoint else {
        let serp = if payload.competitors.is_empty() {
            ranking(cx, &payload)?
        } else {
            let urls = payload.competitors.iter().map(ToString::to_string).collect();
            Serp { urls, questions: Vec::new(), date: None }
        };
        let total = serp.urls.len() + 1;
        return Ok(Step::next(serp, progress(0, total)));
    };
    let urls: Vec<Url> =
        std::iter::once(payload.url.clone()).chain(serp.urls.iter().filter_map(|it| it.parse().ok())).collect();
    let mut answers = live::pages(cx, &urls, BYTES).into_iter();
    let own = answers.next().ok_or_else(|| Fault::invalid("/url", "page_unreachable", "the page did not answer"))??;
    let (mut others, mut degraded) = (Vec::new(), Vec::new());
    for (url, answer) in urls[1..].iter().zip(answers) {
        match answer {
            Ok(page) => others.push(page),
            Err(fault) => degraded.push(Degraded::new("competitor", format!("{url}: {}", fault.message))),
        }
    }
    if others.len() < 2 {
        let message = "fewer than two of the other pages could be read; name others as competitors";
        return Err(Fault::invalid("/competitors", "no_competitors", message));
    }
    let language = own.language(payload.language.as_ref());
    let analyzer = Analyzer::new(&language);
    let website = site::of(cx, &own.facts.final_url);
    let background = match siblings::of(cx, website.as_ref()) {
        Ok(siblings) => Some(siblings::frequencies(&siblings.rows, &analyzer)),
        Err(missing) => {
            degraded.push(missing);
            None
        }
    };
    let weighed = weigh::weigh(&own, &others, &analyzer, background.as_ref());
    let result = Findings {
        missing: weighed.missing,
        overused: weighed.overused,
        headings: missing_sections(&own, &others, &analyzer),
        questions: questions(&own, &others, serp.questions, &analyzer),
        language,
        page: own.seen(),
        compared: others.iter().map(|page| page.seen()).collect(),
        serp_date: serp.date,
        degraded,
    };
    Ok(Step::done(result, progress(urls.len(), urls.len())).units(urls.len() as u64))
}

/// The pages that rank, one of each other website.
fn ranking(cx: &Cx, payload: &Payload) -> Result<Serp> {
    let mut serp = match kept(cx, payload)? {
        Some(serp) => serp,
        None => {
            let (country, language) = market(payload)?;
            serp::ask(cx, &serp::account(cx, "/competitors")?, &payload.keyword, country, &language)?
        }
    };
    let mut seen: Vec<String> = vec![domain(&payload.url)];
    serp.urls.retain(|it| {
        let Ok(url) = it.parse::<Url>() else { return false };
        let domain = domain(&url);
        let is_new = !seen.contains(&domain);
        seen.push(domain);
        is_new
    });
    serp.urls.truncate(RANKING);
    Ok(serp)
}

/// The stored result page of the question.
fn kept(cx: &Cx, payload: &Payload) -> Result<Option<Serp>> {
    let (country, language) = market(payload)?;
    let site = site::of(cx, payload.url.as_str());
    Ok(site.and_then(|it| serp::stored(cx, &it.id, &payload.keyword, country, &language)))
}

/// Where and in which language is searched.
fn market(payload: &Payload) -> Result<(Country, Language)> {
    let english = || "en".parse::<Language>().map_err(|why| Fault::invalid("/language", "no_language", why));
    let language = payload.language.clone().map_or_else(english, Ok)?;
    Ok((payload.country.unwrap_or_else(|| own_country(&payload.url)), language))
}

fn domain(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    kit::url::registrable_domain(host).unwrap_or(host).to_owned()
}

/// The country of the address's ending, else the United States.
fn own_country(url: &Url) -> Country {
    let end = url.host_str().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    let end = if end == "uk" { "gb" } else { end };
    end.parse().unwrap_or(Country::US)
}

/// Questions of the results page and of the others' headings, each once; at most 40.
fn questions(own: &Live, others: &[Live], asked: Vec<String>, analyzer: &Analyzer) -> Vec<Question> {
    let headings =
        others.iter().flat_map(|it| &it.facts.headings).map(|it| it.text.trim_end_matches('¶').trim().to_owned());
    let text = own.text();
    let held: Vec<Vec<String>> = kit::sentence::sentences(&text).into_iter().map(|it| analyzer.stems(it)).collect();
    let mut seen: Vec<Vec<String>> = Vec::new();
    let mut out = Vec::new();
    for question in asked.into_iter().chain(headings.filter(|it| it.ends_with(['?', '？']))) {
        let stems = analyzer.query(&question);
        if stems.is_empty() || seen.contains(&stems) {
            continue;
        }
        let answered = held.iter().any(|it| stems.iter().all(|stem| it.contains(stem)));
        out.push(Question { question, answered });
        seen.push(stems);
    }
    out.truncate(40);
    out
}

#[cfg(test)]
mod tests;
