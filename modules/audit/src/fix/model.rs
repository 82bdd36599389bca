//! What the customer's language model writes: asked once for all pages, and checked before it is a choice.

use std::collections::HashSet;

use kit::page::PageFacts;
use sdk::Degraded;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use sdk::{Llm, Prompt};

use super::draft::{Choice, Draft, Field, Page, Part, Source};

/// Texts that one question asks for.
const TEXTS: usize = 60;
/// Pictures that the model is shown.
const SHOWN: usize = 16;

/// What the model says.
#[value]
struct Written {
    texts: Vec<One>,
}

#[value]
struct One {
    number: usize,
    text: String,
}

/// Puts what the model writes before the other choices; what was left out, in words.
pub(super) fn write(cx: &Cx, llm: &Llm, drafts: &mut [Draft]) -> Result<Vec<Degraded>> {
    let places = drafts.iter().enumerate().flat_map(|(at, draft)| (0..draft.parts.len()).map(move |part| (at, part)));
    let places: Vec<(usize, usize)> = places.collect();
    let Some(field) = places.first().map(|(at, part)| drafts[*at].parts[*part].field) else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    if places.len() > TEXTS {
        out.push(Degraded::new(
            "texts",
            format!("the language model was asked for the first {TEXTS} of {} texts", places.len()),
        ));
    }
    let asked = &places[..places.len().min(TEXTS)];
    let mut prompt = Prompt::new(task(field));
    let mut shown = 0;
    for (number, (at, part)) in asked.iter().enumerate() {
        let (page, part) = (&drafts[*at].page, &drafts[*at].parts[*part]);
        prompt = prompt.data(&material(number, page, part));
        let picture = part.target.as_deref().filter(|it| it.starts_with("http") && !it.contains(".svg"));
        if let Some(picture) = picture.filter(|_| shown < SHOWN) {
            shown += 1;
            prompt = prompt.image(picture);
        }
    }
    let written: Written = llm.ask(cx, &prompt, "texts", &schema(asked.len()))?;
    let mut refused: Vec<&'static str> = Vec::new();
    for one in written.texts {
        let Some((at, part)) = asked.get(one.number) else { continue };
        let draft = &mut drafts[*at];
        match checked(&one.text, &draft.page.record.facts, field == Field::Alt) {
            Ok(text) => draft.parts[*part].choices.insert(0, Choice::new(text, 0.7, Source::Llm)),
            Err(why) => refused.push(why),
        }
    }
    if !refused.is_empty() {
        refused.sort_unstable();
        let why = format!("{} texts of the language model were left out: {}", refused.len(), refused.join(", "));
        out.push(Degraded::new("texts", why));
    }
    Ok(out)
}

fn task(field: Field) -> &'static str {
    match field {
        Field::Title => {
            "Write for each numbered page a title in the page's language, at most 58 characters, that says what this page \
             offers and differs from the titles of the others."
        }
        Field::Description => {
            "Write for each numbered page a meta description in the page's language, one or two whole sentences of together 60 \
             to 150 characters, that says what the reader finds and differs from those of the others."
        }
        Field::Alt => {
            "Write for each numbered picture the text alternative that a listener needs in its place on the page, in the \
             page's language, at most 120 characters, without words such as image of."
        }
        _ => "Write for each numbered page its main heading in the page's language, at most 70 characters.",
    }
}

fn material(number: usize, page: &Page, part: &Part) -> Value {
    let facts = &page.record.facts;
    let headings: Vec<&str> = facts.headings.iter().map(|it| it.text.as_str()).take(8).collect();
    json!({
        "number": number,
        "language": facts.lang,
        "present": part.current,
        "picture": part.target,
        "title": facts.titles.first(),
        "headings": headings,
        "text": facts.excerpt,
    })
}

fn schema(most: usize) -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["texts"],
        "properties": { "texts": { "type": "array", "items": {
            "type": "object", "additionalProperties": false, "required": ["number", "text"],
            "properties": { "number": { "type": "integer", "minimum": 0, "maximum": most - 1 }, "text": { "type": "string" } }
        } } }
    })
}

/// The text as one line, or why it cannot be used: a page's text may try to speak through the machine. What a picture
/// shows may hold other numbers than the page.
fn checked(text: &str, facts: &PageFacts, picture: bool) -> Result<String, &'static str> {
    let line = kit::written::line(text, |_| false)?;
    if picture {
        return Ok(line);
    }
    let headings = facts.headings.iter().map(|it| it.text.as_str());
    let said = facts
        .titles
        .iter()
        .chain(&facts.descriptions)
        .map(String::as_str)
        .chain(headings)
        .chain([facts.excerpt.as_str()]);
    let said = said.collect::<Vec<_>>().join(" ").to_lowercase();
    let said: HashSet<&str> = kit::text::words(&said).collect();
    kit::written::numbers(&line, |word| said.contains(word))?;
    Ok(line)
}
