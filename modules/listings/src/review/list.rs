//! The operation `listings.review.list`.

use sdk::prelude::*;
use sdk::{Degraded, Next, json};

use super::stored::{ReplyState, Review, Said, SyncState};
use super::themes::Theme;
use crate::stored::Location;

/// Reviews that one call looks at.
const MOST: usize = 5_000;

#[args(paged)]
pub(crate) struct Listing {
    /// The location, as listed; all whose reviews were synced when left out.
    location_ref: Option<Id<Location>>,
    /// These stars alone.
    rating: Option<Count<1, 5>>,
    /// With an answer, or without.
    replied: Option<bool>,
    /// Those that speak of it.
    theme: Option<Theme>,
    /// Changed on this day or later.
    from: Option<Day>,
    /// Changed on this day or before.
    to: Option<Day>,
}

/// A review.
#[value]
pub(crate) struct Row {
    pub(crate) review_ref: Id<Review>,
    location_ref: Id<Location>,
    stars: u32,
    /// In the language it was written in; null without a text, and 30 days after its removal.
    text: Option<String>,
    /// ISO 639-1.
    language: Option<String>,
    /// The initials of who wrote it; null for a guest without a name.
    initials: Option<String>,
    written_at: Moment,
    updated_at: Moment,
    age_days: u64,
    themes: Vec<Said>,
    pictures: u32,
    reply_state: ReplyState,
    reply: Option<String>,
    replied_at: Option<Moment>,
    /// The stars before it was edited.
    stars_before: Option<u32>,
    edited_at: Option<Moment>,
    /// When it was no longer in Google's list.
    removed_at: Option<Moment>,
}

/// Reviews.
#[page]
pub(crate) struct Rows {
    /// The one that was changed last first.
    reviews: Vec<Row>,
    total: u64,
    /// When the reviews of the location were last read whole; null for all locations together.
    synced_at: Option<Moment>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Lists reviews with rating, text, language, reply state, age and themes.
///
/// The 5,000 that were changed last are looked at. Themes and their tone are read in English, German, French and Spanish.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["show my google reviews", "unanswered reviews", "one star reviews of last month", "reviews about waiting"],
    examples = [{ "location_ref": "108800001.4503600001.con_1", "replied": false }, { "rating": 1, "from": "2026-08-01" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    if args.from.zip(args.to).is_some_and(|(from, to)| from > to) {
        return Err(Fault::invalid("/from", "reversed_period", "from is after to"));
    }
    let (mut degraded, mut synced_at) = (Vec::new(), None);
    let all: Vec<Stored<Review>> = match &args.location_ref {
        Some(location) => {
            synced_at = synced(cx, location, &mut degraded)?;
            cx.records::<Review>().by("location_updated_ms").equals(location).descending().scan().take(MOST).collect()
        }
        None => cx.records::<Review>().by("updated_ms").descending().scan().take(MOST).collect(),
    };
    if all.len() == MOST {
        degraded.push(Degraded::new("reviews", "the 5,000 reviews that were changed last are looked at"));
    }
    let mut all: Vec<Stored<Review>> = all.into_iter().filter(|it| holds(&args, it)).collect();
    all.sort_by_key(|it| std::cmp::Reverse(it.updated_ms));
    let total = all.len() as u64;
    let page = args.window(all)?;
    let open: Vec<&Id<Review>> = page
        .items
        .iter()
        .filter(|it| it.reply_state == ReplyState::None && it.removed_ms.is_none())
        .map(|it| &it.id)
        .take(20)
        .collect();
    let next = (!open.is_empty()).then(|| {
        Next::new(
            "listings.review.reply.draft",
            json!({ "review_refs": open }),
            "drafts answers to those that have none",
        )
    });
    let now = cx.now();
    let reviews = page.items.into_iter().map(|it| row(now, it)).collect();
    Ok(Rows { reviews, next_cursor: page.next, total, synced_at, next: next.into_iter().collect(), degraded })
}

/// When the reviews of a location were last read whole; the sync is named when they never were.
pub(crate) fn synced(cx: &Cx, location: &Id<Location>, degraded: &mut Vec<Degraded>) -> Result<Option<Moment>> {
    let state = cx.records::<SyncState>().find(&Id::new(location.as_str()));
    if state.is_none() {
        crate::place::Place::of(location.as_str()).ok_or_else(|| {
            let message = "there is no such location; listings.location.list shows them";
            Fault::not_found("location_not_found", message).at("/location_ref")
        })?;
        let missing = Degraded::new("reviews", "the reviews of this location were never read whole");
        degraded.push(missing.supplied_by("listings.review.sync", json!({ "location_refs": [location] })));
    }
    Ok(state.and_then(|it| it.complete_ms).map(Moment::from_millis))
}

fn holds(args: &Listing, it: &Review) -> bool {
    let day = Moment::from_millis(it.updated_ms).day();
    let replied = it.reply_state != ReplyState::None;
    args.rating.is_none_or(|wanted| wanted.get() == i64::from(it.stars))
        && args.replied.is_none_or(|wanted| wanted == replied)
        && args.theme.is_none_or(|wanted| it.themes.iter().any(|said| said.theme == wanted))
        && args.from.is_none_or(|from| day >= from)
        && args.to.is_none_or(|to| day <= to)
}

fn row(now: Moment, stored: Stored<Review>) -> Row {
    let review_ref = stored.id.clone();
    let it = stored.into_inner();
    let at = Moment::from_millis;
    Row {
        review_ref,
        location_ref: Id::new(it.location),
        stars: it.stars,
        text: it.text,
        language: it.language,
        initials: it.initials,
        written_at: at(it.created_ms),
        updated_at: at(it.updated_ms),
        age_days: now.since(at(it.created_ms)) / 86_400_000,
        themes: it.themes,
        pictures: it.pictures,
        reply_state: it.reply_state,
        reply: it.reply,
        replied_at: it.reply_ms.map(at),
        stars_before: it.stars_before,
        edited_at: it.edited_ms.map(at),
        removed_at: it.removed_ms.map(at),
    }
}
