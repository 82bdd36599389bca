//! The operation `ai_visibility.answer.get`.

use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use site::Site;

use crate::brand::BrandSet;
use crate::brand::detect::Detector;
use crate::brand::markup::Markup;
use crate::stored::{Answer, Citation, Finish, Measured, Prompt, Run, SourceKind, text_key};

/// Bytes of a text.
const MAX_TEXT: u32 = 32 * 1024;
/// Sources of an answer.
const SOURCES: usize = 100;

#[args]
pub(crate) struct Get {
    /// The answer.
    answer_ref: Id<Answer>,
}

/// A mention in the text.
#[value]
pub(crate) struct Span {
    brand: String,
    /// Where it begins, in characters of `text`.
    start: u32,
    /// Where it ends.
    end: u32,
    /// The sentence that it is in.
    sentence: String,
}

/// A source.
#[value]
pub(crate) struct Source {
    url: String,
    domain: String,
    title: Option<String>,
    kind: SourceKind,
    /// Where the words begin that it stands for, in characters of `text`; null where nobody tells.
    start: Option<u32>,
    /// Where they end.
    end: Option<u32>,
    /// Whether it is of one of the website's domains.
    own: bool,
}

/// How an answer was asked for.
#[value]
pub(crate) struct Parameters {
    /// The model, as it was asked for.
    asked_model: String,
    connection_ref: Id<sdk::Connection>,
    measured: Measured,
    /// All that was put to the model; nothing else went with it.
    question: String,
    /// Which of the repeats.
    sample: u32,
    /// Always `default`: the provider's own.
    temperature: String,
    /// Whether a search was asked for.
    web_search: bool,
    country: Option<String>,
}

/// An answer.
#[value]
pub(crate) struct View {
    answer_ref: Id<Answer>,
    run_ref: Id<Run>,
    prompt_ref: Id<Prompt>,
    site_id: Id<Site>,
    /// As the model wrote it, Markdown included; null where it was cleared away.
    text: Option<String>,
    /// Whether the text was longer than the 32 KiB that are kept.
    clipped: bool,
    /// The model, as it answered.
    model: String,
    answered_at: Moment,
    language: Option<String>,
    finish: Finish,
    /// Every mention, in order.
    mentions: Vec<Span>,
    sources: Vec<Source>,
    /// What the model searched the web for.
    searched_for: Vec<String>,
    /// Names at the heads of its lists that are no brand of the set.
    unknown_brands: Vec<String>,
    parameters: Parameters,
    tokens: crate::run::Tokens,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Returns one answer in full with highlighted mention spans, source list and the request parameters.
///
/// Spans are characters of the stored text. They are found with the brands of now.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["show the whole AI answer", "where in the answer is my brand named", "which sources did this answer cite", "how was this answer asked for"],
    examples = [{ "answer_ref": "run_01-0" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let answer = cx.records::<Answer>().get(&args.answer_ref).map_err(|fault| fault.at("/answer_ref"))?;
    let bytes = cx.blobs().read(&text_key(&answer.id), 0, MAX_TEXT).filter(|it| !it.is_empty() || answer.length == 0);
    let text = bytes.map(|it| String::from_utf8_lossy(&it).into_owned());
    let mut degraded = Vec::new();
    if text.is_none() {
        degraded.push(Degraded::new("text", "the text was cleared away; what was read of it is kept"));
    }
    let set = cx.records::<BrandSet>().find(&Id::new(answer.site_id.clone())).map(Stored::into_inner);
    let brands = set.map(|it| it.brands).unwrap_or_default();
    let site = cx.records::<Site>().find(&Id::new(answer.site_id.clone()));
    let mut domains: Vec<String> = brands.iter().filter(|it| it.own).flat_map(|it| it.domains.clone()).collect();
    domains.extend(site.map(|it| it.into_inner().domain));
    let mentions = text.as_deref().map(|text| spans(text, &brands, answer.language.as_deref())).unwrap_or_default();
    let rows = cx.records::<Citation>().by("answer").equals(&answer.id).scan().take(SOURCES);
    let mut sources: Vec<(u32, Source)> = rows.map(|it| (it.place, source(it.into_inner(), &domains))).collect();
    sources.sort_by_key(|it| it.0);
    let Stored { id, it, .. } = answer;
    let list = json!({ "site_id": it.site_id, "prompt_ref": it.prompt });
    Ok(View {
        answer_ref: id,
        run_ref: Id::new(it.run),
        prompt_ref: Id::new(it.prompt),
        site_id: Id::new(it.site_id),
        text,
        clipped: it.clipped,
        model: it.model,
        answered_at: Moment::from_millis(it.at_ms),
        language: it.language,
        finish: it.finish,
        mentions,
        sources: sources.into_iter().map(|it| it.1).collect(),
        searched_for: it.searched_for,
        unknown_brands: it.unknown,
        parameters: Parameters {
            asked_model: it.asked_model,
            connection_ref: Id::new(it.connection),
            measured: it.measured,
            question: it.question,
            sample: it.sample,
            temperature: "default".to_owned(),
            web_search: it.web_search,
            country: it.country,
        },
        tokens: crate::run::Tokens { input_tokens: it.tokens_in, output_tokens: it.tokens_out },
        next: vec![Next::new("ai_visibility.answer.list", list, "shows the other answers to this prompt")],
        degraded,
    })
}

fn spans(text: &str, brands: &[crate::brand::Brand], language: Option<&str>) -> Vec<Span> {
    let markup = Markup::of(text);
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let byte = |at: usize| starts.get(at).copied().unwrap_or(text.len());
    let sentences = kit::sentence::sentences(text);
    let base = text.as_ptr() as usize;
    let sentence = |at: usize| {
        let of = |it: &&&str| {
            let start = it.as_ptr() as usize - base;
            start <= at && at < start + it.len()
        };
        sentences.iter().find(of).map_or_else(String::new, |it| kit::text::clip(it, 400).to_owned())
    };
    let found = Detector::new(brands).find(text, language.unwrap_or_default());
    let named = found.into_iter().filter(|it| markup.zone(&(byte(it.start)..byte(it.end))).is_some());
    let small = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    named
        .map(|it| Span {
            brand: brands[it.brand].name.clone(),
            start: small(it.start),
            end: small(it.end),
            sentence: sentence(byte(it.start)),
        })
        .collect()
}

fn source(it: Citation, domains: &[String]) -> Source {
    let own = domains.iter().any(|domain| crate::run::work::tally::is_of(&it.url, domain));
    Source {
        own,
        url: it.url,
        domain: it.domain,
        title: it.title,
        kind: it.kind,
        start: it.span.map(|it| it.0),
        end: it.span.map(|it| it.1),
    }
}
