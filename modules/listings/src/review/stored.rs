//! Reviews, as they are stored: without who wrote them.

use sdk::prelude::*;

use super::themes::Theme;

/// Whether a review has an answer.
#[value]
pub(crate) enum ReplyState {
    None,
    Replied,
    /// Google looks into the answer.
    Pending,
    /// Google refused the answer.
    Rejected,
}

/// A theme of a review with the tone of its clause.
#[value]
#[derive(Eq)]
pub(crate) struct Said {
    pub(crate) theme: Theme,
    /// Null in a language whose tone is not read.
    pub(crate) tone: Option<Tone>,
}

/// The tone of a clause.
#[value]
pub(crate) enum Tone {
    Positive,
    Neutral,
    Negative,
}

impl From<tone::Tone> for Tone {
    fn from(it: tone::Tone) -> Self {
        match it {
            tone::Tone::Positive => Self::Positive,
            tone::Tone::Neutral => Self::Neutral,
            tone::Tone::Negative => Self::Negative,
        }
    }
}

/// A review. Its id is made of the location and Google's identifier.
#[record(
    collection = "reviews",
    thing = "review",
    reference = "review_ref",
    index(location, updated_ms),
    index(location, seen_ms),
    index(location, created_ms),
    index(updated_ms),
    index(created_ms)
)]
pub(crate) struct Review {
    /// The location.
    pub(crate) location: String,
    /// Google's identifier.
    pub(crate) review_id: String,
    /// When it was written, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// When it was changed last.
    pub(crate) updated_ms: u64,
    /// From 1 to 5.
    pub(crate) stars: u32,
    /// In the language it was written in; dropped 30 days after the review was removed.
    pub(crate) text: Option<String>,
    /// What tells another text.
    pub(crate) text_hash: Option<String>,
    /// ISO 639-1.
    pub(crate) language: Option<String>,
    pub(crate) themes: Vec<Said>,
    /// The initials of who wrote it.
    pub(crate) initials: Option<String>,
    /// What tells whether two reviews are of one person; the name itself is not kept.
    pub(crate) reviewer_hash: Option<String>,
    pub(crate) reply: Option<String>,
    pub(crate) reply_ms: Option<u64>,
    pub(crate) reply_state: ReplyState,
    /// How many pictures it has.
    pub(crate) pictures: u32,
    /// The stars before it was edited last.
    pub(crate) stars_before: Option<u32>,
    /// When an edit was seen last.
    pub(crate) edited_ms: Option<u64>,
    /// When it was no longer in a whole list.
    pub(crate) removed_ms: Option<u64>,
    /// The sync that saw it last.
    pub(crate) seen_ms: u64,
}

/// The id of a review.
pub(crate) fn review_id(location: &str, id: &str) -> Id<Review> {
    let digest = kit::text::sha256(format!("{location}\n{id}").as_bytes());
    Id::new(kit::text::hex(&digest[..16]))
}

/// What is known of the reviews of a location, under its reference.
#[record(collection = "review_syncs", thing = "location", reference = "location_ref")]
pub(crate) struct SyncState {
    /// When the last whole list was read.
    pub(crate) complete_ms: Option<u64>,
    /// Reviews by Google's own count.
    pub(crate) total: u64,
    /// The mean of stars by Google.
    pub(crate) average: Option<f64>,
}
