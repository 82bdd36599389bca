//! The operation `ai_visibility.fanout.expand`.

pub(crate) mod passages;
mod patterns;

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Answer, Basis, Degraded, Llm, Next, Prompt, json};
use site::Site;

use crate::prompt::key;
use crate::stored::Answer as Given;
use passages::Shelf;

/// Answers whose searches are read.
const ANSWERS: usize = 2_000;
/// Sub-questions of a model.
const MOST: usize = 30;
/// The share of words from which two sub-questions are the same.
const SAME: f64 = 0.8;

#[args]
pub(crate) struct Expand {
    /// The website.
    site_id: Id<Site>,
    /// What somebody asks.
    prompt: Text<5, 500>,
    /// Have your language model write sub-questions too.
    #[default(false)]
    use_llm: bool,
    /// The most sub-questions.
    #[default(12)]
    limit: Count<3, 30>,
}

/// Where a sub-question comes from.
#[value]
pub(crate) enum Origin {
    /// A model searched for it when it answered a tracked prompt.
    Observed,
    /// The customer's language model.
    Model,
    /// A sentence of the type of question.
    Pattern,
}

/// A sub-question.
#[value]
pub(crate) struct Subquery {
    text: String,
    source: Origin,
    /// The page whose passage answers it best; null where none has a word of it.
    best_url: Option<String>,
    passage: Option<String>,
    /// BM25 of the passage.
    score: Option<f64>,
    /// What questions on other things score on the same passage, 95 of 100 at most.
    threshold: Option<f64>,
    /// Whether the passage answers it: above the threshold, and with six of ten of its words in one window; null without a crawl.
    covered: Option<bool>,
}

/// Sub-questions.
#[value]
pub(crate) struct Expanded {
    prompt: String,
    /// The type of question that patterns were taken from.
    kind: patterns::Kind,
    /// What models searched for first.
    subqueries: Vec<Subquery>,
    covered: u64,
    basis: Option<Basis>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Expands a prompt into the sub-questions an assistant would search for, by patterns or the LLM connection, and shows which of the website's passages answer each (BM25).
///
/// Passages are windows of 80 words of the newest crawl's texts. What models really searched for, as stored answers know it, comes
/// before anything made up. How well `covered` agrees with people was not measured.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "subqueries"),
    needs = ["store", "connection:llm?"],
    outside = ["llm GET /models", "llm POST /chat/completions query"],
    phrasings = ["what does chatgpt search for to answer this", "query fan-out of a prompt", "which sub-questions do my pages answer", "passages missing for AI answers"],
    examples = [
        { "site_id": "4503599627370496", "prompt": "What are the best reading lamps?" },
        { "site_id": "4503599627370496", "prompt": "How do I choose a desk lamp?", "use_llm": true, "limit": 20 },
    ]
)]
pub(crate) fn expand(cx: &Cx, args: Expand) -> Result<Answer<Expanded>> {
    let site = site::get(cx, &args.site_id)?;
    let prompt = kit::text::collapse(args.prompt.as_str());
    let language = kit::language::detect(&prompt).map_or("en", |it| it.language);
    let mut degraded = Vec::new();
    let kind = patterns::kind(&prompt, language);
    let most = usize::try_from(args.limit.get()).unwrap_or(0);
    let mut found: Vec<(String, Origin)> =
        observed(cx, &site, &prompt).into_iter().map(|it| (it, Origin::Observed)).collect();
    if args.use_llm {
        found.extend(by_model(cx, &prompt, &mut degraded)?.into_iter().map(|it| (it, Origin::Model)));
    }
    let year = cx.now().day().civil().0;
    found.extend(patterns::expand(&prompt, kind, language, year).into_iter().map(|it| (it, Origin::Pattern)));
    let found = distinct(found, language, most);
    let shelf = Shelf::open(cx, &site, &prompt);
    if shelf.is_none() {
        let missing = Degraded::new(
            "passages",
            "no crawl of this website has a search index, so that nothing is known of its passages",
        );
        degraded.push(missing.supplied_by("crawl.run.start", json!({ "site_id": site.id })));
    }
    let subqueries: Vec<Subquery> =
        found.into_iter().map(|(text, source)| subquery(cx, shelf.as_ref(), text, source)).collect();
    let covered = subqueries.iter().filter(|it| it.covered == Some(true)).count() as u64;
    let mut next = Vec::new();
    if let Some(open) = subqueries.iter().find(|it| it.covered == Some(false) && it.best_url.is_some()) {
        let url = open.best_url.as_deref().unwrap_or_default();
        let keyword = kit::text::clip(&open.text, 120);
        next.push(Next::new(
            "onpage.keyword.usage",
            json!({ "url": url, "keywords": [keyword] }),
            "shows where the nearest page has the words of the first open sub-question",
        ));
    }
    let count = subqueries.len() as u64;
    let basis = shelf.map(|it| it.basis);
    Ok(Answer::new(Expanded { prompt, kind, subqueries, covered, basis, next, degraded }).units(count))
}

fn subquery(cx: &Cx, shelf: Option<&Shelf>, text: String, source: Origin) -> Subquery {
    let best = shelf.and_then(|it| it.best(cx, &text));
    let covered = match (shelf, &best) {
        (None, _) => None,
        (Some(_), None) => Some(false),
        (Some(_), Some(best)) => Some(best.covered),
    };
    Subquery {
        source,
        covered,
        score: best.as_ref().map(|it| kit::statistics::round(it.score, 3)),
        threshold: best.as_ref().map(|it| kit::statistics::round(it.threshold, 3)),
        best_url: best.as_ref().map(|it| it.url.clone()),
        passage: best.map(|it| it.passage),
        text,
    }
}

/// What models searched for when they answered prompts like this one.
fn observed(cx: &Cx, site: &Stored<Site>, prompt: &str) -> Vec<String> {
    let wanted: BTreeSet<String> = key::words(prompt).into_iter().collect();
    let rows = cx.records::<Given>().by("site_id_at_ms").equals(&site.id).descending().scan().take(ANSWERS);
    let mut out: Vec<String> = Vec::new();
    for answer in rows {
        let own: BTreeSet<String> = key::words(&answer.question).into_iter().collect();
        let shared = own.intersection(&wanted).count();
        // The same question, or nearly.
        if shared * 10 < wanted.len().max(own.len()) * 7 {
            continue;
        }
        for search in &answer.searched_for {
            if out.len() < MOST && !out.contains(search) {
                out.push(search.clone());
            }
        }
    }
    out
}

/// Sub-questions of the customer's model; the prompt is data for it.
fn by_model(cx: &Cx, prompt: &str, degraded: &mut Vec<Degraded>) -> Result<Vec<String>> {
    #[derive(serde::Deserialize)]
    struct Written {
        questions: Vec<String>,
    }
    let llm = Llm::connect(cx, "/use_llm", "a language model writes sub-questions", None)?;
    let task = "List up to 20 short searches that somebody would make to answer the question well: definitions, prices, comparisons, \
                problems, requirements. Write them in the language of the question, each under 100 characters, no two alike.";
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["questions"],
        "properties": { "questions": { "type": "array", "items": { "type": "string" } } },
    });
    match llm.ask::<Written>(cx, &Prompt::new(task).data(&json!({ "question": prompt })), "questions", &schema) {
        Ok(written) => {
            let plain = |it: &String| kit::text::clip(&kit::text::collapse(it), 100).to_owned();
            Ok(written.questions.iter().map(plain).filter(|it| it.chars().count() > 3).take(MOST).collect())
        }
        Err(fault) if fault.code == "connection_required" => Err(fault),
        Err(fault) => {
            degraded.push(Degraded::new("subqueries", format!("the model wrote none: {}", fault.message)));
            Ok(Vec::new())
        }
    }
}

/// Each sub-question once, by the stems of its words.
fn distinct(found: Vec<(String, Origin)>, language: &str, most: usize) -> Vec<(String, Origin)> {
    let analyzer = kit::terms::Analyzer::new(language);
    let mut known: Vec<BTreeSet<String>> = Vec::new();
    let mut out = Vec::new();
    for (text, source) in found {
        let stems: BTreeSet<String> = analyzer.query(&text).into_iter().collect();
        let alike = |other: &BTreeSet<String>| {
            let shared = stems.intersection(other).count();
            let all = stems.len() + other.len() - shared;
            #[expect(clippy::cast_precision_loss, reason = "words of a question")]
            let share = if all == 0 { 1.0 } else { shared as f64 / all as f64 };
            share >= SAME
        };
        if out.len() < most && !known.iter().any(alike) {
            known.push(stems);
            out.push((text, source));
        }
    }
    out
}
