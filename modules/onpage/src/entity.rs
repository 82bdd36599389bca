//! The operation `onpage.entity.extract`; `gather` collects the evidence.

mod gather;

use kit::names::Kind;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::json;
use sdk::{Llm, Prompt};

use crate::source;
use gather::Found;
use site::live::Seen;

#[args]
pub(crate) struct Extract {
    /// A page whose main text, links and structured data are read. Either this or `text`.
    url: Option<Url>,
    /// The text.
    text: Option<Text<0, 50_000>>,
    /// Lets the customer's language model say what each name is.
    #[default(false)]
    use_llm: bool,
    /// At most this many.
    #[default(30)]
    limit: Count<5, 100>,
    /// The language; found by itself when left out.
    language: Option<Language>,
    /// Which of the language model's models; one that fits when it is left out.
    model: Option<Text<1, 128>>,
}

#[value]
pub(crate) struct Extracted {
    /// The most salient first.
    entities: Vec<Entity>,
    language: String,
    /// The language model that refined the types.
    model: Option<String>,
    page: Option<Seen>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[value]
pub(crate) struct Entity {
    name: String,
    #[serde(rename = "type")]
    kind: Kind,
    /// The share in all that was found, from 0 to 1; all together are 1.
    salience: f64,
    /// How often it stands in the text.
    mentions: u32,
    evidence: Vec<Evidence>,
}

/// Where a name shows itself.
#[value]
pub(crate) enum Evidence {
    StructuredData,
    Title,
    Heading,
    /// By its capital letters in running text.
    Capitalisation,
    /// A list of places and organizations has it.
    Gazetteer,
    /// The text of a link.
    LinkText,
    /// The language model said what it is.
    Llm,
}

/// Finds named things on a page from structured data, capitalisation patterns, a gazetteer and link text, with salience by
/// frequency, position and links; the LLM connection refines types when asked.
///
/// Salience grows with the logarithm of the mentions, with how early the first one stands, and with structured data, title,
/// headings and links. A language model is only asked what found names are: names that it brings in are not taken.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 3),
    needs = ["web", "connection:llm?"],
    outside = [llm],
    phrasings = [
        "which people and companies does this page mention",
        "extract entities from a text",
        "named entities of a page",
        "what things is this page about",
    ],
    examples = [
        { "url": "https://shop.example/guides/lamps" },
        { "text": "Ada Lovelace lived in London and wrote to Charles Babbage.", "limit": 5 }
    ]
)]
pub(crate) fn extract(cx: &Cx, args: Extract) -> Result<Extracted> {
    let llm = args
        .use_llm
        .then(|| Llm::connect(cx, "/use_llm", "use_llm asks your language model", args.model.as_deref()))
        .transpose()?;
    let source = source::of(cx, args.url.as_ref(), args.text.as_deref(), true)?;
    let language = source.language(args.language.as_ref());
    let text = source.text();
    let mut found = gather::found(&text, source.page(), &language);
    found.truncate(usize::from(args.limit));
    let mut degraded = Vec::new();
    if let Some(llm) = llm.as_ref().filter(|_| !found.is_empty())
        && let Some(missing) = refine(cx, llm, &text, &mut found)?
    {
        degraded.push(missing);
    }
    let all: f64 = found.iter().map(|it| it.weight).sum();
    let keywords: Vec<&str> =
        found.iter().map(|it| it.name.as_str()).filter(|it| it.chars().count() >= 2).take(10).collect();
    let next = source.page().filter(|_| !keywords.is_empty()).map(|page| {
        Fix::new("onpage.keyword.usage", json!({ "url": page.facts.final_url, "keywords": keywords }))
            .because("shows where the page uses these names")
    });
    let entity = |it: &Found| Entity {
        name: it.name.clone(),
        kind: it.kind,
        salience: kit::statistics::round(it.weight / all, 4),
        mentions: it.mentions,
        evidence: it.evidence.iter().copied().collect(),
    };
    Ok(Extracted {
        next: next.into_iter().collect(),
        entities: found.iter().map(entity).collect(),
        language,
        model: llm.map(|it| it.model),
        page: source.seen(),
        degraded,
    })
}

/// Asks what each name is. Answers for names that were not asked for are left out.
fn refine(cx: &Cx, llm: &Llm, text: &str, found: &mut [Found]) -> Result<Option<Degraded>> {
    #[value]
    struct Said {
        entities: Vec<One>,
    }
    #[value]
    struct One {
        number: usize,
        #[serde(rename = "type")]
        kind: Kind,
    }
    let sentences = kit::sentence::sentences(text);
    let names: Vec<_> = found
        .iter()
        .enumerate()
        .map(|(number, it)| {
            let context = sentences.iter().find(|sentence| sentence.contains(it.name.as_str()));
            json!({ "number": number, "name": it.name, "context": context.map(|it| kit::text::clip(it, 300)) })
        })
        .collect();
    let prompt = Prompt::new("Say for each numbered name what type of thing it is, judged by its context.")
        .data(&json!({ "names": names }));
    let kinds = ["person", "organization", "place", "product", "event", "work", "other"];
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["entities"],
        "properties": { "entities": { "type": "array", "minItems": found.len(), "items": {
            "type": "object", "additionalProperties": false, "required": ["number", "type"],
            "properties": {
                "number": { "type": "integer", "minimum": 0, "maximum": found.len() - 1 },
                "type": { "type": "string", "enum": kinds }
            }
        } } }
    });
    let said: Said = llm.ask(cx, &prompt, "entities", &schema)?;
    let mut strangers = 0;
    for one in said.entities {
        match found.get_mut(one.number) {
            // What the page itself declares is not overruled.
            Some(it) if it.evidence.contains(&Evidence::StructuredData) && it.kind != Kind::Other => {}
            Some(it) => {
                it.kind = one.kind;
                it.evidence.insert(Evidence::Llm);
            }
            None => strangers += 1,
        }
    }
    let why = format!("{strangers} answers were about names that nobody asked for");
    Ok((strangers > 0).then(|| Degraded::new("llm_types", why)))
}

#[cfg(test)]
mod tests;
