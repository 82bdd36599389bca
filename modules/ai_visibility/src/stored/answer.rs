//! An answer and the sources it cites, as they are stored.

use sdk::prelude::*;

use super::{Measured, Stage};

/// Where in an answer a brand is named.
#[value]
pub(crate) enum Zone {
    /// In a sentence.
    Sentence,
    /// In the words of a link.
    Link,
    /// In a row of a table.
    Table,
}

/// A brand in an answer.
#[value]
pub(crate) struct Mention {
    /// The brand.
    pub(crate) brand: String,
    /// Where its first mention begins, in characters.
    pub(crate) start: u32,
    /// Where it ends.
    pub(crate) end: u32,
    /// Where that is.
    pub(crate) zone: Zone,
    /// The place of its first mention among the brands, or in the numbered list that names it.
    pub(crate) rank: u32,
    /// How often it is named.
    pub(crate) times: u32,
    /// From 0 to 1: how early, how high in the first list, and how often.
    pub(crate) prominence: f64,
    /// How friendly the clauses are that name it, from -1 to 1; none in a language that is not read.
    pub(crate) tone: Option<f64>,
    /// The sentences that name it, at most three.
    pub(crate) sentences: Vec<String>,
}

/// How an answer ended.
#[value]
pub(crate) enum Finish {
    /// To its end.
    Stop,
    /// Cut at the most tokens.
    Length,
    /// Stopped by the provider's filter.
    Filter,
    /// The model declined.
    Refused,
}

/// An answer of a model. Its text is the blob `answer/<id>`.
#[record(
    collection = "answers",
    thing = "answer",
    reference = "answer_ref",
    index(run, n),
    index(site_id, at_ms),
    index(site_id, prompt, at_ms),
    index(site_id, model, at_ms)
)]
pub(crate) struct Answer {
    /// The website.
    pub(crate) site_id: String,
    /// The run.
    pub(crate) run: String,
    /// Its place in the run: by prompt, connection and sample.
    pub(crate) n: u32,
    /// The prompt.
    pub(crate) prompt: String,
    /// The version of the prompt.
    pub(crate) prompt_version: u32,
    /// What was asked, as it was put to the model.
    pub(crate) question: String,
    /// What the prompt is about.
    pub(crate) topic: String,
    /// Where somebody stands who asks it.
    pub(crate) stage: Option<Stage>,
    /// The country that was asked from.
    pub(crate) country: Option<String>,
    /// The language of the answer, ISO 639-1.
    pub(crate) language: Option<String>,
    /// The model, as it answered.
    pub(crate) model: String,
    /// The model, as it was asked for.
    pub(crate) asked_model: String,
    /// The connection.
    pub(crate) connection: String,
    /// What is measured.
    pub(crate) measured: Measured,
    /// Which of the repeats, from 1.
    pub(crate) sample: u32,
    /// When it was answered.
    pub(crate) at_ms: u64,
    /// How it ended.
    pub(crate) finish: Finish,
    /// Characters of the text.
    pub(crate) length: u32,
    /// Whether the text was longer than what is kept of it.
    pub(crate) clipped: bool,
    /// Whether the web was searched; none where nobody tells.
    pub(crate) searched: Option<bool>,
    /// Whether a search was asked for.
    pub(crate) web_search: bool,
    /// What the model searched for.
    pub(crate) searched_for: Vec<String>,
    /// Tokens of the question and of what was searched.
    pub(crate) tokens_in: u64,
    /// Tokens of the answer.
    pub(crate) tokens_out: u64,
    /// The version of the brands that it was read with.
    pub(crate) brands_version: u32,
    /// The way of reading.
    pub(crate) detection: u32,
    /// Brands that it names, in order.
    pub(crate) mentions: Vec<Mention>,
    /// Names at the heads of its lists that are no configured brand.
    pub(crate) unknown: Vec<String>,
    /// Sources that it cites.
    pub(crate) sources: u32,
}

/// The texts of old answers: brands, sentences, sources and figures stay.
pub(crate) const ANSWER_TEXTS: sdk::Raw = sdk::Raw {
    name: "answer_texts",
    words: "the whole texts of answers; brands, the sentences that name them, sources and figures stay",
    collection: "answers",
    dated: "at_ms",
    rows: false,
    blobs: &["answer/{id}"],
};

/// The id of an answer.
pub(crate) fn answer_id(run: &str, n: u32) -> Id<Answer> {
    Id::new(format!("{run}-{n}"))
}

/// The blob with the text of an answer.
pub(crate) fn text_key(answer: &Id<Answer>) -> String {
    format!("answer/{answer}")
}

/// How it is known that an answer has a source.
#[value]
pub(crate) enum SourceKind {
    /// The provider names it.
    Cited,
    /// The text links to it.
    Linked,
}

/// A source of an answer.
#[record(
    collection = "citations",
    thing = "citation",
    reference = "citation_ref",
    index(answer),
    index(site_id, at_ms),
    index(site_id, domain, at_ms)
)]
pub(crate) struct Citation {
    /// The website.
    pub(crate) site_id: String,
    /// The answer.
    pub(crate) answer: String,
    /// The run.
    pub(crate) run: String,
    /// The prompt.
    pub(crate) prompt: String,
    /// The model, as it answered.
    pub(crate) model: String,
    /// When it was answered.
    pub(crate) at_ms: u64,
    /// Its place among the sources of the answer, from 1.
    pub(crate) place: u32,
    /// The address, without what only counts visits.
    pub(crate) url: String,
    /// The domain that somebody can register.
    pub(crate) domain: String,
    /// What the provider says that the page is called.
    pub(crate) title: Option<String>,
    /// How it is known.
    pub(crate) kind: SourceKind,
    /// The span of the text that it stands for, in characters.
    pub(crate) span: Option<(u32, u32)>,
}
