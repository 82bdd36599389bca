//! The operation `listings.review.reply.draft`.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Llm, Next, Prompt, json};

use super::{review, templates};
use crate::review::lint;
use crate::review::stored::{ReplyState, Review, Tone};
use crate::review::themes::Theme;

#[args]
pub(crate) struct Draft {
    /// Reviews, as listed.
    review_refs: List<Id<Review>, 1, 20>,
    /// Have your language model write them, within the same rules.
    #[default(false)]
    use_llm: bool,
    /// How it should sound, such as `short and warm`; for the model alone.
    tone: Option<Text<1, 60>>,
}

/// A draft.
#[value]
pub(crate) struct Drafted {
    review_ref: Id<Review>,
    text: String,
    /// What it speaks of.
    theme: Option<Theme>,
    /// The language that it is written in.
    language: String,
    by_llm: bool,
    #[own]
    warnings: Vec<String>,
}

/// Drafts.
#[value]
pub(crate) struct Drafts {
    drafts: Vec<Drafted>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Drafts replies that name the point raised, avoid private data and follow the voice rules, by template or LLM connection.
///
/// A draft never has the name of the author, which is not stored. A model's text that has private data, an incentive or a wish to change the review
/// is dropped for the template. Templates are there in English, German, French and Spanish.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = review_refs, unit = "drafts"),
    needs = ["store", "connection:llm"],
    outside = ["llm GET /models", "llm POST /chat/completions query"],
    phrasings = ["draft replies to my reviews", "answer a bad review", "write an answer to a google review"],
    examples = [{ "review_refs": ["5f2b9c1de0a74b3f8c6d2e1a9b7c4d5e"] }]
)]
pub(crate) fn draft(cx: &Cx, args: Draft) -> Result<Drafts> {
    let mut reviews = Vec::new();
    for (at, reference) in args.review_refs.iter().enumerate() {
        reviews.push(review(cx, reference, &format!("/review_refs/{at}"))?);
    }
    let mut drafts: Vec<Drafted> = reviews.iter().map(by_template).collect();
    let mut degraded = Vec::new();
    if args.use_llm {
        match by_model(cx, &reviews, args.tone.as_ref().map(Text::as_str)) {
            Ok(texts) => {
                for (draft, text) in drafts.iter_mut().zip(texts) {
                    let problems = lint::in_reply(&text);
                    match problems.first() {
                        None if !text.is_empty() => {
                            draft.text = text;
                            draft.by_llm = true;
                        }
                        None => {}
                        Some(problem) => {
                            draft.warnings.push(format!("the model's text was dropped: {}", problem.words()))
                        }
                    }
                }
            }
            Err(fault) if fault.code == "connection_required" => return Err(fault),
            Err(fault) => degraded.push(Degraded::new("drafts", format!("the model wrote none: {}", fault.message))),
        }
    }
    let first = drafts.iter().zip(&reviews).find(|(_, review)| review.removed_ms.is_none());
    let next = first.map(|(draft, _)| {
        let arguments = json!({ "review_ref": draft.review_ref, "text": draft.text });
        Next::new("listings.review.reply.publish", arguments, "publishes the first draft, once you have read it")
    });
    Ok(Drafts { drafts, next: next.into_iter().collect(), degraded })
}

fn by_template(review: &Stored<Review>) -> Drafted {
    let language = review.language.clone().filter(|it| templates::has(it));
    let mut warnings = Vec::new();
    if let (Some(other), None) = (&review.language, &language) {
        warnings.push(format!("there is no template in the language of the review ({other}): this one is English"));
    }
    if review.removed_ms.is_some() {
        warnings.push("Google no longer shows this review".to_owned());
    }
    if review.reply_state != ReplyState::None {
        warnings.push("it has an answer already, which would be replaced".to_owned());
    }
    let wanted = if review.stars >= 4 { Tone::Positive } else { Tone::Negative };
    let theme = review.themes.iter().find(|it| it.tone == Some(wanted)).or(review.themes.first()).map(|it| it.theme);
    let language = language.unwrap_or_else(|| "en".to_owned());
    // Of the identifier, which is a hash.
    let way = usize::from(review.id.as_str().bytes().last().unwrap_or(0));
    let text = templates::answer(review.stars, theme, &language, way);
    Drafted { review_ref: review.id.clone(), text, theme, language, by_llm: false, warnings }
}

/// Texts of the customer's model; the reviews are data for it.
fn by_model(cx: &Cx, reviews: &[Stored<Review>], tone: Option<&str>) -> Result<Vec<String>> {
    #[derive(serde::Deserialize)]
    struct Written {
        replies: Vec<String>,
    }
    let llm = Llm::connect(cx, "/use_llm", "a language model writes the drafts", None)?;
    let task = "For each review of the list, in its order, write the owner's public answer, in the language of the review, 15 to 60 words. Name the \
         point that is raised. No names, no telephone numbers, no addresses, no order or booking numbers, nothing about what this person \
         bought, booked or suffers from. Offer nothing. Do not ask for the review to be changed. Admit no legal fault. `tone` says how it should sound.";
    let rows: Vec<Value> =
        reviews.iter().map(|it| json!({ "stars": it.stars, "text": it.text, "language": it.language })).collect();
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["replies"],
        "properties": { "replies": { "type": "array", "items": { "type": "string" } } },
    });
    let prompt = Prompt::new(task).data(&json!({ "tone": tone, "reviews": rows }));
    let written: Written = llm.ask(cx, &prompt, "replies", &schema)?;
    let mut texts: Vec<String> =
        written.replies.into_iter().map(|it| kit::text::clip(it.trim(), 4_000).to_owned()).collect();
    texts.resize(reviews.len(), String::new());
    Ok(texts)
}
