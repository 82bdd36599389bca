//! Posts that this module made or is to make.

use sdk::prelude::*;

use super::read::Type;

/// Where a post stands.
#[value]
pub(crate) enum State {
    /// It is made at its moment.
    Scheduled,
    /// It is on the profile.
    Published,
    /// It was taken away.
    Deleted,
}

/// A post.
#[record(
    collection = "posts",
    thing = "post",
    reference = "post_ref",
    index(location, state, at_ms),
    index(location, name)
)]
pub(crate) struct OwnPost {
    /// The location.
    pub(crate) location: String,
    pub(crate) state: State,
    /// When it is or was published, in milliseconds since 1970 UTC.
    pub(crate) at_ms: u64,
    pub(crate) text: String,
    pub(crate) kind: Type,
    pub(crate) link: Option<String>,
    /// Google's name of it, once it is published.
    pub(crate) name: Option<String>,
}

/// The name of the schedule of a post.
pub(crate) fn schedule_name(post: &str) -> String {
    format!("post:{}", kit::text::clip(post, 58))
}

/// The reference of a post that this module did not make: that of its location and Google's identifier of it.
pub(crate) fn foreign(location: &str, name: &str) -> Id<OwnPost> {
    let id = name.rsplit('/').next().unwrap_or_default();
    Id::new(format!("{id}~{location}"))
}
