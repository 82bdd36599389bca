//! The operation `ai_visibility.prompt.add`.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Next, json};
use site::Site;

use super::{MAX_PROMPTS, key, of_site};
use crate::stored::{Prompt, Stage};

/// A prompt to be added.
#[args]
pub(crate) struct New {
    /// What is asked, as a person would put it.
    text: Text<5, 500>,
    /// What it is about; reports group by it.
    topic: Option<Text<1, 120>>,
    /// The country that is asked from, where a model searches the web.
    country: Option<Country>,
    /// Its language; found by its words when left out.
    language: Option<Language>,
    /// A sentence that is put before it, such as `I am a student.`; it is part of what is asked and shown with every answer.
    persona: Option<Text<1, 200>>,
    /// Where somebody stands who asks it.
    stage: Option<Stage>,
}

#[args]
pub(crate) struct Add {
    /// The website.
    site_id: Id<Site>,
    /// The prompts.
    prompts: List<New, 1, 200>,
}

/// A prompt that is there already.
#[value]
pub(crate) struct Merged {
    /// Its place in `prompts`, from 0.
    prompt: u32,
    /// The one that it is merged with.
    prompt_ref: Id<Prompt>,
    /// The words of that one.
    text: String,
    /// The share of words that both have, from 0.9 to 1.
    similarity: f64,
}

/// What was added.
#[value]
pub(crate) struct Added {
    /// New prompts.
    added: u64,
    merged: Vec<Merged>,
    /// In the order of `prompts`: the new one, or the one that it was merged with.
    prompt_refs: Vec<Id<Prompt>>,
    next: Vec<Next>,
}

/// A known prompt as new ones are compared with it.
struct Known {
    id: Id<Prompt>,
    text: String,
    hash: String,
    words: BTreeSet<String>,
    place: (Option<String>, Option<String>),
}

/// Adds prompts with topic, market, language, persona and stage; near-duplicates by normalised text are merged.
///
/// Two prompts are the same when they share nine of ten words in the same country and language with the same persona. A
/// website has 2,000 prompts at most.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["adds prompts to the website"],
    needs = ["store"],
    phrasings = ["track these questions in chatgpt", "add prompts to AI visibility", "import a list of prompts", "which prompts are duplicates"],
    examples = [
        { "site_id": "4503599627370496", "prompts": [{ "text": "What are the best reading lamps?", "topic": "reading lamps", "stage": "compare" }] },
        { "site_id": "4503599627370496", "prompts": [{ "text": "Wo kann ich Leselampen kaufen?", "country": "DE", "language": "de", "persona": "Ich bin Student." }] },
    ]
)]
pub(crate) fn add(cx: &Cx, args: Add) -> Result<Added> {
    let site = site::get(cx, &args.site_id)?;
    let mut known: Vec<Known> = of_site(cx, &site.id).map(known).collect();
    let (mut merged, mut prompt_refs, mut added) = (Vec::new(), Vec::new(), 0);
    for (at, new) in (0_u32..).zip(args.prompts.iter()) {
        let text = kit::text::collapse(new.text.as_str());
        let words: BTreeSet<String> = key::words(&text).into_iter().collect();
        if words.is_empty() {
            return Err(Fault::invalid(format!("/prompts/{at}/text"), "no_words", "a prompt has words in it"));
        }
        let language = new.language.as_ref().map(|it| it.primary().to_owned());
        let language = language.or_else(|| kit::language::detect(&text).map(|it| it.language.to_owned()));
        let country = new.country.map(|it| it.to_string());
        let persona = new.persona.as_ref().map(|it| kit::text::collapse(it.as_str()));
        let hash = key::hash(&text, country.as_deref(), language.as_deref(), persona.as_deref());
        let place = (country.clone(), language.clone());
        if let Some((it, similarity)) = same(&known, &hash, &words, &place, persona.is_none()) {
            let (prompt_ref, text) = (it.id.clone(), it.text.clone());
            prompt_refs.push(prompt_ref.clone());
            merged.push(Merged { prompt: at, prompt_ref, text, similarity });
            continue;
        }
        if known.len() >= MAX_PROMPTS {
            let message =
                format!("a website has {MAX_PROMPTS} prompts at most; remove some with ai_visibility.prompt.remove");
            return Err(Fault::conflict("too_many_prompts", message)
                .at(format!("/prompts/{at}"))
                .detail(json!({ "allowed": MAX_PROMPTS })));
        }
        let prompt = Prompt {
            site_id: site.id.to_string(),
            text: text.clone(),
            text_hash: hash.clone(),
            topic: new.topic.as_ref().map(|it| kit::text::collapse(it.as_str())).unwrap_or_default(),
            country,
            language,
            persona,
            stage: new.stage,
            prompt_version: 1,
            created_ms: cx.now().millis(),
        };
        let stored = cx.records::<Prompt>().insert(prompt)?;
        added += 1;
        prompt_refs.push(stored.id.clone());
        known.push(Known { id: stored.id, text, hash, words, place });
    }
    let next =
        Next::new("ai_visibility.prompt.list", json!({ "site_id": site.id }), "shows the prompts with their rates");
    Ok(Added { added, merged, prompt_refs, next: vec![next] })
}

fn known(prompt: Stored<Prompt>) -> Known {
    let Stored { id, it, .. } = prompt;
    // Prompts with a persona are told apart by their hash alone.
    let words = if it.persona.is_none() { key::words(&it.text).into_iter().collect() } else { BTreeSet::new() };
    Known { id, words, text: it.text, hash: it.text_hash, place: (it.country, it.language) }
}

/// The known prompt that a new one is, with the share of common words.
fn same<'a>(
    known: &'a [Known],
    hash: &str,
    words: &BTreeSet<String>,
    place: &(Option<String>, Option<String>),
    plain: bool,
) -> Option<(&'a Known, f64)> {
    if let Some(it) = known.iter().find(|it| it.hash == hash) {
        return Some((it, 1.0));
    }
    let near = |it: &'a Known| key::likeness(words, &it.words).map(|share| (it, kit::statistics::round(share, 4)));
    known.iter().filter(|it| plain && &it.place == place).filter_map(near).max_by(|a, b| a.1.total_cmp(&b.1))
}
