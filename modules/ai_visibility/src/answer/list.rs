//! The operation `ai_visibility.answer.list`.

use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;

use crate::brand::BrandSet;
use crate::brand::folded::fold;
use crate::stored::{Answer, DETECTION, Finish, Measured, Mention, Prompt, Run};

/// Answers that one call looks at.
const MOST: usize = 3_000;

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
    /// Answers to this prompt.
    prompt_ref: Option<Id<Prompt>>,
    /// Answers of this model, as it answered.
    model: Option<Text<1, 120>>,
    /// A brand of the set.
    brand: Option<Text<1, 80>>,
    /// With `brand`: answers that name it, or that do not. Without: answers that name any brand, or none.
    present: Option<bool>,
    /// Answers of this run.
    run_ref: Option<Id<Run>>,
}

/// A brand in an answer.
#[value]
pub(crate) struct Named {
    brand: String,
    /// The place of its first mention.
    rank: u32,
    times: u32,
    prominence: f64,
    /// From -1 to 1; null in a language that is not read.
    tone: Option<f64>,
}

/// An answer.
#[value]
pub(crate) struct Row {
    answer_ref: Id<Answer>,
    run_ref: Id<Run>,
    prompt_ref: Id<Prompt>,
    /// What was asked, as it was put to the model.
    question: String,
    /// The model, as it answered.
    model: String,
    measured: Measured,
    answered_at: Moment,
    /// Which of the repeats.
    sample: u32,
    language: Option<String>,
    finish: Finish,
    /// Characters of the text.
    length: u32,
    /// Whether the web was searched; null where nobody tells.
    searched: Option<bool>,
    /// In the order of first mention.
    brands: Vec<Named>,
    /// Sources that it cites.
    sources: u32,
}

/// Answers.
#[page]
pub(crate) struct Rows {
    /// The newest first.
    answers: Vec<Row>,
    /// Of the answers that were looked at.
    total: u64,
    degraded: Vec<Degraded>,
}

/// Lists stored answers with detected brands, rank of first mention, sentiment and sources, filterable by prompt, model, brand present or absent.
///
/// The newest 3,000 of the website, the prompt, the model or the run are looked at.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["show AI answers without my brand", "what did chatgpt answer about us", "answers of one model", "answers where a competitor is named"],
    examples = [{ "site_id": "4503599627370496", "brand": "Lamp Shop", "present": false }, { "site_id": "4503599627370496", "run_ref": "run_01", "limit": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let site = site::get(cx, &args.site_id)?;
    let brand = brand(cx, &site, args.brand.as_ref())?;
    let records = cx.records::<Answer>();
    let query = match (&args.run_ref, &args.prompt_ref, &args.model) {
        (Some(run), _, _) => {
            let found = cx.records::<Run>().find(run).filter(|it| it.site_id == site.id.as_str());
            if found.is_none() {
                let message = "no run of this website has this reference; ai_visibility.run.list shows them";
                return Err(Fault::not_found("visibility_run_not_found", message).at("/run_ref"));
            }
            records.by("run_n").equals(run)
        }
        (None, Some(prompt), _) => records.by("site_id_prompt_at_ms").equals(&site.id).equals(prompt).descending(),
        (None, None, Some(model)) => {
            records.by("site_id_model_at_ms").equals(&site.id).equals(model.as_str()).descending()
        }
        (None, None, None) => records.by("site_id_at_ms").equals(&site.id).descending(),
    };
    let looked: Vec<Stored<Answer>> = query.scan().take(MOST).collect();
    let mut degraded = Vec::new();
    if looked.len() == MOST {
        degraded
            .push(Degraded::new("answers", "3,000 answers are looked at; name a run, a prompt or a model for others"));
    }
    let version = cx.records::<BrandSet>().find(&site.id.cast()).map(|it| it.set_version);
    let old =
        looked.iter().filter(|it| version.is_some_and(|v| v != it.brands_version) || it.detection != DETECTION).count();
    if old > 0 {
        let why = format!("{old} answers were read with earlier brands; the next run reads them anew");
        degraded.push(Degraded::new("brands", why));
    }
    let holds = |it: &Stored<Answer>| {
        let names = |mention: &Mention| brand.as_ref().is_none_or(|brand| &mention.brand == brand);
        args.prompt_ref.as_ref().is_none_or(|prompt| it.prompt == prompt.as_str())
            && args.model.as_ref().is_none_or(|model| it.model == model.as_str())
            && match (args.present, &brand) {
                (Some(wanted), _) => it.mentions.iter().any(names) == wanted,
                (None, Some(_)) => it.mentions.iter().any(names),
                (None, None) => true,
            }
    };
    let mut rows: Vec<Stored<Answer>> = looked.into_iter().filter(holds).collect();
    rows.sort_by(|a, b| b.at_ms.cmp(&a.at_ms).then(a.n.cmp(&b.n)));
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    let mut out: Vec<Row> = page.items.into_iter().map(row).collect();
    out.shrink_to_fit();
    Ok(Rows { answers: out, next_cursor: page.next, total, degraded })
}

/// The brand of the set that a name means.
pub(crate) fn brand(cx: &Cx, site: &Stored<Site>, name: Option<&Text<1, 80>>) -> Result<Option<String>> {
    let Some(name) = name else { return Ok(None) };
    let set = crate::brand::required(cx, site)?;
    let wanted = fold(name.trim());
    let found = set.brands.iter().find(|it| it.names().any(|own| fold(own) == wanted));
    let brand = found.map(|it| it.name.clone()).ok_or_else(|| {
        let known: Vec<&String> = set.brands.iter().map(|it| &it.name).collect();
        Fault::invalid("/brand", "unknown_brand", "no brand of the set has this name")
            .detail(json!({ "allowed": known }))
    })?;
    Ok(Some(brand))
}

fn row(stored: Stored<Answer>) -> Row {
    let Stored { id, it, .. } = stored;
    let named = |it: Mention| Named {
        brand: it.brand,
        rank: it.rank,
        times: it.times,
        prominence: it.prominence,
        tone: it.tone,
    };
    Row {
        answer_ref: id,
        run_ref: Id::new(it.run),
        prompt_ref: Id::new(it.prompt),
        question: it.question,
        model: it.model,
        measured: it.measured,
        answered_at: Moment::from_millis(it.at_ms),
        sample: it.sample,
        language: it.language,
        finish: it.finish,
        length: it.length,
        searched: it.searched,
        brands: it.mentions.into_iter().map(named).collect(),
        sources: it.sources,
    }
}
