//! The operation `ai_visibility.sentiment.report`.

mod themes;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Llm, Prompt, json};
use site::Site;

use crate::answer::list::brand;
use crate::brand;
use crate::brand::reading::Reader;
use crate::measured::{begins, earlier, is_current};
use crate::stored::Answer;
use themes::{Said, Theme};

/// Answers that one report looks at.
const MOST: usize = 5_000;
/// Sentences of one call of a model, and its calls.
const SENTENCES: usize = 20;
const CALLS: usize = 32;

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
    /// A brand of the set; the website's own when left out.
    brand: Option<Text<1, 80>>,
    /// Have your language model label the sentences too, 640 at most.
    #[default(false)]
    use_llm: bool,
}

/// A tone.
#[value]
pub(crate) enum Tone {
    Positive,
    Neutral,
    Negative,
    /// Praise and blame; by a language model alone.
    Mixed,
}

/// Clauses by their tone.
#[value]
#[derive(Default)]
pub(crate) struct Tones {
    positive: u64,
    neutral: u64,
    negative: u64,
    /// By a language model alone.
    two_sided: u64,
    /// Clauses in a language that is not read.
    unsupported_language: u64,
    /// From -1 to 1, mean over clauses that were read; null without.
    mean: Option<f64>,
    /// Clauses that were read.
    n: u64,
}

/// What a model's labels come to.
#[value]
pub(crate) struct Labels {
    tone: Tones,
    /// The share of sentences to which both give the same tone.
    agreement: Option<f64>,
    /// Sentences that were labelled.
    n: u64,
    /// The model.
    model: String,
}

/// The report.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    /// The brands that it is about.
    brands: Vec<String>,
    /// By lexicon.
    tone: Tones,
    /// By the language model, when asked for.
    labels: Option<Labels>,
    /// In three answers or more; those of the most answers first.
    themes: Vec<Theme>,
    /// Answers that name the brands.
    answers: u64,
    /// How tones are read, and how well that was measured.
    #[own]
    labelling: String,
    degraded: Vec<Degraded>,
}

/// Reports tone and recurring pros and cons about each brand from mention sentences by lexicon scoring, or LLM labels when asked, with quotes.
///
/// A clause is a sentence cut at words of contrast and at commas that part it from another brand. English is read by VADER, German,
/// French and Spanish by word lists with negation. A model gets the sentences as data and answers with labels alone.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store", "connection:llm?"],
    outside = ["llm GET /models", "llm POST /chat/completions query"],
    phrasings = ["what does chatgpt say about my brand", "pros and cons of us in AI answers", "is AI friendly about our competitor", "tone of AI answers"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "brand": "Bright Ltd", "use_llm": true }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let site = site::get(cx, &args.site_id)?;
    let set = brand::required(cx, &site)?;
    let (from, to) = crate::measured::period(cx, args.from, args.to)?;
    let brands: Vec<String> = match brand(cx, &site, args.brand.as_ref())? {
        Some(one) => vec![one],
        None => set.brands.iter().filter(|it| it.own).map(|it| it.name.clone()).collect(),
    };
    let query = cx.records::<Answer>().by("site_id_at_ms").equals(&site.id);
    let query = query.at_least(begins(from)).below(begins(to.plus(1))).descending();
    let all: Vec<Stored<Answer>> = query.scan().take(MOST).collect();
    let mut degraded = Vec::new();
    if all.len() == MOST {
        degraded.push(Degraded::new("answers", "the newest 5,000 answers of the period are looked at"));
    }
    let (all, old): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| is_current(it, &set));
    degraded.extend(earlier(old.len() as u64));
    let reader = Reader::new(&set.brands);
    let (mut said, mut tone, mut answers) = (Vec::<Said>::new(), Tones::default(), 0);
    let mut sum = 0.0;
    for answer in &all {
        let mine: Vec<_> = answer.mentions.iter().filter(|it| brands.contains(&it.brand)).collect();
        answers += u64::from(!mine.is_empty());
        let language = answer.language.as_deref().unwrap_or_default();
        for (mention, sentence) in mine.iter().flat_map(|it| it.sentences.iter().map(move |sentence| (it, sentence))) {
            for clause in reader.clauses(sentence, language, &mention.brand) {
                let score = reader.score(clause, language);
                match score {
                    None => tone.unsupported_language += 1,
                    Some(score) => {
                        *of(&mut tone, tone_of(score)) += 1;
                        tone.n += 1;
                        sum += score;
                    }
                }
                said.push(Said::new(answer, sentence, clause, language, score));
            }
        }
    }
    tone.mean = (tone.n > 0).then(|| kit::statistics::round(sum / kit::number::as_number(tone.n), 4));
    if answers == 0 && old.is_empty() {
        degraded.push(Degraded::new("tone", "no answer of the period names the brand"));
    }
    let labels = if args.use_llm { labels(cx, &said, &mut degraded)? } else { None };
    let method = "VADER for English, word lists with negation for German, French and Spanish; not measured against labels by people".to_owned();
    let themes = themes::themes(&said, &themes::words_of(&set.brands));
    Ok(Reported { from, to, brands, tone, labels, themes, answers, labelling: method, degraded })
}

/// VADER's own bounds.
fn tone_of(score: f64) -> Tone {
    match score {
        score if score >= 0.05 => Tone::Positive,
        score if score <= -0.05 => Tone::Negative,
        _ => Tone::Neutral,
    }
}

fn of(tones: &mut Tones, tone: Tone) -> &mut u64 {
    match tone {
        Tone::Positive => &mut tones.positive,
        Tone::Neutral => &mut tones.neutral,
        Tone::Negative => &mut tones.negative,
        Tone::Mixed => &mut tones.two_sided,
    }
}

/// Labels of the customer's model; the sentences are data for it.
fn labels(cx: &Cx, said: &[Said], degraded: &mut Vec<Degraded>) -> Result<Option<Labels>> {
    #[derive(serde::Deserialize)]
    struct Written {
        labels: Vec<Tone>,
    }
    let llm = Llm::connect(cx, "/use_llm", "a language model labels the sentences", None)?;
    let task = "For each item of the list, in its order, say how the sentence speaks of the brand: positive, neutral, negative, \
                or mixed for praise and blame in one. Judge nothing but the words of the sentence.";
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["labels"],
        "properties": { "labels": { "type": "array", "items": { "type": "string", "enum": ["positive", "neutral", "negative", "mixed"] } } },
    });
    let mut distinct: Vec<&Said> = Vec::new();
    for it in said {
        if distinct.len() < SENTENCES * CALLS && distinct.iter().all(|known| known.clause != it.clause) {
            distinct.push(it);
        }
    }
    let (mut tones, mut same, mut both) = (Tones::default(), 0_u64, 0_u64);
    for some in distinct.chunks(SENTENCES) {
        let rows: Vec<Value> = some.iter().map(|it| json!({ "sentence": it.clause })).collect();
        let prompt = Prompt::new(task).data(&json!({ "items": rows }));
        let written: Written = match llm.ask(cx, &prompt, "labels", &schema) {
            Ok(written) => written,
            Err(fault) => {
                degraded.push(Degraded::new("labels", format!("the model labelled a part alone: {}", fault.message)));
                break;
            }
        };
        if written.labels.len() != some.len() {
            degraded.push(Degraded::new(
                "labels",
                "the model gave another number of labels than sentences; these are left out",
            ));
            continue;
        }
        for (it, label) in some.iter().zip(written.labels) {
            *of(&mut tones, label) += 1;
            tones.n += 1;
            if let Some(score) = it.score {
                both += 1;
                same += u64::from(tone_of(score) == label);
            }
        }
    }
    let agreement =
        (both > 0).then(|| kit::statistics::round(kit::number::as_number(same) / kit::number::as_number(both), 4));
    Ok(Some(Labels { n: tones.n, tone: tones, agreement, model: llm.model }))
}
