//! The job of reviews: some pages of 50 a step, the removed ones after a whole list.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Next, Progress, Send, json};

use super::stored::{ReplyState, Review, SyncState, review_id};
use super::themes::themes;
use crate::google;
use crate::place::Place;
use crate::post::read::moment;
use crate::profile;
use crate::stored::Location;

/// Pages of 50 of one step, and of one location.
const PAGES_OF_STEP: usize = 8;
const PAGES: u32 = 400;
/// Tries of a page that came to nothing.
const TRIES: u32 = 3;
/// Milliseconds for which the text of a removed review is kept.
const KEPT: u64 = 30 * 86_400_000;
/// Characters of a text that are kept.
const MOST: usize = 4_096;
const STARS: [&str; 5] = ["ONE", "TWO", "THREE", "FOUR", "FIVE"];

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) locations: Vec<Id<Location>>,
}

/// What became of the reviews of a location.
#[value]
pub(crate) struct OfLocation {
    location_ref: Id<Location>,
    reviews: u64,
    /// Google's own count.
    google_total: Option<u64>,
    average: Option<f64>,
    /// Whether the whole list was read: removed ones are found by a whole one alone.
    complete: bool,
    #[own]
    failure: Option<String>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// The location that is read.
    at: usize,
    /// When its list was begun.
    began_ms: u64,
    token: String,
    pages: u32,
    reviews: u64,
    tries: u32,
    google_total: Option<u64>,
    average: Option<f64>,
    new: u64,
    edited: u64,
    removed: u64,
    done: Vec<OfLocation>,
}

/// The sync.
#[value]
pub(crate) struct Outcome {
    new: u64,
    edited: u64,
    removed: u64,
    locations: Vec<OfLocation>,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Reads some pages, or ends.
#[step]
pub(crate) fn reviews(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let reader = tone::Reader::default();
    let mut wait = 0;
    for _ in 0..PAGES_OF_STEP {
        let Some(reference) = payload.locations.get(state.at).cloned() else { break };
        let place = Place::find(cx, &reference, &format!("/location_refs/{}", state.at));
        let page = place.and_then(|place| state.page(cx, &place, &reader));
        match page {
            Ok(true) => state.end(cx, &reference, None)?,
            Ok(false) => {}
            Err(fault) if fault.code == "provider_access_pending" => return Err(fault),
            Err(_) if state.tries < TRIES => {
                state.tries += 1;
                wait = 20_000;
                break;
            }
            Err(fault) => state.end(cx, &reference, Some(format!("{}: {}", fault.code, fault.message)))?,
        }
    }
    let count = payload.locations.len();
    if state.at < count {
        let progress = Progress::new(state.done.len() as u64, count as u64, "reading reviews");
        return Ok(Step::next(state, progress).after(wait));
    }
    Ok(finish(state))
}

fn finish(state: Checkpoint) -> Step<Checkpoint, Progress, Outcome> {
    let degraded = state.done.iter().filter(|it| !it.complete).map(|it| {
        let why = it.failure.clone().unwrap_or_else(|| "the list has more than 20,000 reviews".to_owned());
        Degraded::new(format!("reviews of {}", it.location_ref), why)
    });
    let next = state.done.first().map(|it| {
        let arguments = json!({ "location_ref": it.location_ref });
        Next::new("listings.review.report", arguments, "reports rating, themes, speed of answers and bursts")
    });
    let units = state.done.iter().filter(|it| it.failure.is_none()).count() as u64;
    let outcome = Outcome {
        new: state.new,
        edited: state.edited,
        removed: state.removed,
        degraded: degraded.collect(),
        next: next.into_iter().collect(),
        locations: state.done,
    };
    let progress = Progress::new(units, units, "done");
    Step::done(outcome, progress).units(units)
}

impl Checkpoint {
    /// Reads one page; whether it was the last.
    fn page(&mut self, cx: &Cx, place: &Place, reader: &tone::Reader) -> Result<bool> {
        if self.began_ms == 0 {
            self.began_ms = cx.now().millis();
        }
        let path = format!("{}/reviews", place.v4());
        let mut request = Send::get(&place.connection, path)
            .service("v4")
            .query("pageSize", 50)
            .query("orderBy", "updateTime desc")
            .timeout(20_000);
        if !self.token.is_empty() {
            request = request.query("pageToken", &self.token);
        }
        let answer = google::answered(cx.connections().send(&request), "/location_refs")?;
        let location = place.reference();
        let mut rows: Vec<(Id<Review>, Review)> = Vec::new();
        for given in answer["reviews"].as_array().into_iter().flatten() {
            let Some(id) = given["reviewId"].as_str() else { continue };
            let key = review_id(location.as_str(), id);
            let before = cx.records::<Review>().find(&key);
            let row = self.read(reader, &location, id, given, before.as_ref());
            rows.push((key, row));
        }
        self.reviews += rows.len() as u64;
        if !rows.is_empty() {
            cx.records::<Review>().put_many_as(rows.iter().map(|(id, row)| (id, row)))?;
        }
        self.google_total = answer["totalReviewCount"].as_u64();
        self.average = answer["averageRating"].as_f64();
        self.pages += 1;
        self.tries = 0;
        self.token = answer["nextPageToken"].as_str().unwrap_or_default().to_owned();
        Ok(self.token.is_empty() || self.pages >= PAGES)
    }

    /// A review as it is stored, and what is new about it.
    fn read(
        &mut self,
        reader: &tone::Reader,
        location: &Id<Location>,
        id: &str,
        given: &Value,
        before: Option<&Stored<Review>>,
    ) -> Review {
        let at = |value: &Value| value.as_str().and_then(moment).map(Moment::millis);
        let stars = STARS.iter().position(|it| given["starRating"] == *it).map_or(0, |it| it + 1);
        let stars = u32::try_from(stars).unwrap_or(0);
        let text = given["comment"].as_str().map(original).filter(|it| !it.is_empty());
        let text = text.map(|it| kit::text::clip(it, MOST).to_owned());
        let text_hash = text.as_ref().map(|it| kit::text::hex(&kit::text::sha256(it.as_bytes())[..8]));
        let language = text.as_ref().and_then(|it| kit::language::detect(it)).map(|it| it.language.to_owned());
        let edited =
            before.is_some_and(|it| it.stars != stars || (it.text_hash != text_hash && it.removed_ms.is_none()));
        match before {
            None => self.new += 1,
            Some(_) if edited => self.edited += 1,
            Some(_) => {}
        }
        let name = given["reviewer"]["displayName"].as_str().filter(|_| given["reviewer"]["isAnonymous"] != true);
        let said = text.as_ref().zip(language.as_ref()).map(|(text, language)| themes(reader, text, language));
        let reply = given["reviewReply"]["comment"].as_str().map(str::to_owned);
        let updated_ms = at(&given["updateTime"]).unwrap_or(self.began_ms);
        Review {
            location: location.to_string(),
            review_id: id.to_owned(),
            created_ms: at(&given["createTime"]).unwrap_or(updated_ms),
            updated_ms,
            stars,
            text,
            text_hash,
            language,
            themes: said.unwrap_or_default(),
            initials: name.map(initials),
            reviewer_hash: name
                .map(|it| kit::text::hex(&kit::text::sha256(format!("{location}\n{it}").as_bytes())[..8])),
            reply_ms: at(&given["reviewReply"]["updateTime"]),
            reply_state: match (given["reviewReply"]["reviewReplyState"].as_str(), &reply) {
                (_, None) => ReplyState::None,
                (Some("PENDING"), _) => ReplyState::Pending,
                (Some("REJECTED"), _) => ReplyState::Rejected,
                _ => ReplyState::Replied,
            },
            reply,
            pictures: u32::try_from(given["reviewMediaItems"].as_array().map_or(0, Vec::len)).unwrap_or(0),
            stars_before: if edited { before.map(|it| it.stars) } else { before.and_then(|it| it.stars_before) },
            edited_ms: if edited { Some(self.began_ms) } else { before.and_then(|it| it.edited_ms) },
            removed_ms: None,
            seen_ms: self.began_ms,
        }
    }

    /// Ends a location: after a whole list, what it no longer has was removed.
    fn end(&mut self, cx: &Cx, reference: &Id<Location>, failure: Option<String>) -> Result<()> {
        let complete =
            failure.is_none() && self.token.is_empty() && self.google_total.is_none_or(|total| self.reviews >= total);
        if complete {
            self.removed += remove(cx, reference, self.began_ms)?;
            let sync = SyncState {
                complete_ms: Some(self.began_ms),
                total: self.google_total.unwrap_or(self.reviews),
                average: self.average,
            };
            let (records, id) = (cx.records::<SyncState>(), Id::new(reference.as_str()));
            match records.find(&id) {
                Some(mut before) => {
                    before.it = sync;
                    records.save(before)?;
                }
                None => {
                    records.insert_as(id, sync)?;
                }
            }
        }
        if failure.is_none() && cx.records::<Location>().find(reference).is_none() {
            // What other modules and answers to reviews read of it.
            let read = Place::of(reference.as_str()).map(|place| (place.read(cx, "/location_refs"), place));
            if let Some((Ok(given), place)) = read {
                profile::keep(cx, &place, &given)?;
            }
        }
        self.done.push(OfLocation {
            location_ref: reference.clone(),
            reviews: self.reviews,
            google_total: self.google_total,
            average: self.average,
            complete,
            failure,
        });
        *self = Self {
            at: self.at + 1,
            new: self.new,
            edited: self.edited,
            removed: self.removed,
            done: std::mem::take(&mut self.done),
            ..Self::default()
        };
        Ok(())
    }
}

/// Marks what a whole list no longer had, and drops texts that were removed long ago.
fn remove(cx: &Cx, location: &Id<Location>, began_ms: u64) -> Result<u64> {
    let old = cx.records::<Review>().by("location_seen_ms").equals(location).below(began_ms);
    let mut removed = 0;
    let mut rows: Vec<Stored<Review>> = Vec::new();
    for mut it in old.scan() {
        let mut changed = false;
        if it.removed_ms.is_none() {
            it.it.removed_ms = Some(began_ms);
            removed += 1;
            changed = true;
        }
        if it.text.is_some() && it.removed_ms.is_some_and(|at| began_ms.saturating_sub(at) > KEPT) {
            it.it.text = None;
            it.it.reply = None;
            changed = true;
        }
        if changed {
            rows.push(it);
        }
    }
    for some in rows.chunks(500) {
        cx.records::<Review>().put_many_as(some.iter().map(|it| (&it.id, &it.it)))?;
    }
    Ok(removed)
}

/// The text as it was written: Google puts a translation beside it.
fn original(text: &str) -> &str {
    let text = text.trim();
    if let Some((_, own)) = text.split_once("(Original)") {
        return own.trim();
    }
    text.split_once("(Translated by Google)").map_or(text, |(own, translated)| {
        // The translation comes first where it is the reader's language.
        if own.trim().is_empty() { translated.trim() } else { own.trim() }
    })
}

fn initials(name: &str) -> String {
    name.split_whitespace().filter_map(|it| it.chars().next()).take(3).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_guest_are_kept_and_no_translation() {
        assert_eq!(original("Sehr gut\n\n(Translated by Google)\nVery good"), "Sehr gut");
        assert_eq!(original("(Translated by Google) Very good\n\n(Original)\nSehr gut"), "Sehr gut");
        assert_eq!(original(" Fine. "), "Fine.");
        assert_eq!(initials("Ada Lovelace"), "AL");
    }
}
