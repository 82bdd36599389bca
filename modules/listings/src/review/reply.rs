//! `listings.review.reply.*`: answers to reviews.

pub(crate) mod draft;
pub(crate) mod publish;
mod templates;

use sdk::prelude::*;

use super::stored::Review;

/// A review that is there.
pub(crate) fn review(cx: &Cx, reference: &Id<Review>, pointer: &str) -> Result<Stored<Review>> {
    cx.records::<Review>().get(reference).map_err(|fault| fault.at(pointer))
}
