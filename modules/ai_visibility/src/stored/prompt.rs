//! A prompt, and how a run asks it.

use sdk::prelude::*;

/// Where somebody stands who asks.
#[value]
pub(crate) enum Stage {
    /// Wants to understand.
    Learn,
    /// Weighs one against another.
    Compare,
    /// Wants to buy.
    Choose,
    /// Has it and wants to use it.
    Use,
}

/// A prompt that is put to models.
#[record(
    collection = "prompts",
    thing = "prompt",
    reference = "prompt_ref",
    index(site_id, topic),
    index(site_id, text_hash)
)]
pub(crate) struct Prompt {
    /// The website.
    pub(crate) site_id: String,
    /// What is asked.
    pub(crate) text: String,
    /// Of the text as it is compared, the country, the language and the persona.
    pub(crate) text_hash: String,
    /// What it is about; empty where nobody said.
    pub(crate) topic: String,
    /// The country that is asked from, ISO 3166-1.
    pub(crate) country: Option<String>,
    /// Its language, ISO 639-1.
    pub(crate) language: Option<String>,
    /// A sentence that is put before it.
    pub(crate) persona: Option<String>,
    /// Where somebody stands who asks it.
    pub(crate) stage: Option<Stage>,
    /// Counts up with every change of its words.
    pub(crate) prompt_version: u32,
    /// When it was added.
    pub(crate) created_ms: u64,
}

impl Prompt {
    /// All that is put to a model.
    pub(crate) fn question(&self) -> String {
        match self.persona.as_deref().map(str::trim).filter(|it| !it.is_empty()) {
            Some(persona) if persona.ends_with(['.', '!', '?', '。']) => format!("{persona} {}", self.text),
            Some(persona) => format!("{persona}. {}", self.text),
            None => self.text.clone(),
        }
    }
}

/// A prompt as a run asks it: what becomes of the prompt meanwhile does not matter.
#[value]
pub(crate) struct Question {
    /// The prompt.
    pub(crate) prompt: String,
    /// Its version.
    pub(crate) prompt_version: u32,
    /// All that is put to a model.
    pub(crate) text: String,
    /// What it is about.
    pub(crate) topic: String,
    /// Where somebody stands who asks it.
    pub(crate) stage: Option<Stage>,
    /// The country that is asked from.
    pub(crate) country: Option<String>,
    /// Its language.
    pub(crate) language: Option<String>,
}

/// The blob with the questions of a run.
pub(crate) fn questions_key(run: &str) -> String {
    format!("prompts/{run}")
}
