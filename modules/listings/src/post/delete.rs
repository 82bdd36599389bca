//! The operation `listings.post.delete`.

use sdk::Send;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

use super::read;
use super::stored::{OwnPost, State, schedule_name};
use crate::google;
use crate::place::Place;
use crate::stored::{Change, Location};

#[args]
pub(crate) struct One {
    /// A post, as listings.post.list shows it.
    post_ref: Id<OwnPost>,
}

/// What became of the post.
#[value]
pub(crate) struct Deleted {
    /// Always true.
    deleted: bool,
    /// Its text, so that it can be published again.
    text: Option<String>,
    /// Null for one that was only scheduled.
    change_ref: Option<Id<Change>>,
}

/// Deletes a published post or cancels a scheduled one.
///
/// A post that was made elsewhere can be deleted too. One that is gone already is deleted.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = live(most = 4),
    side_effects = ["removes a post from Google"],
    needs = ["store", "jobs", "connection:google_business_profile"],
    outside = [
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/localPosts/*",
        "google_business_profile.v4 DELETE /v4/accounts/*/locations/*/localPosts/* remove",
    ],
    phrasings = ["delete a google post", "cancel a scheduled post", "take a post off my profile"],
    examples = [{ "post_ref": "post_01" }, { "post_ref": "1000~108800001.4503600001.con_1" }]
)]
pub(crate) fn delete(cx: &Cx, args: One) -> Result<Deleted> {
    let stored = cx.records::<OwnPost>().find(&args.post_ref);
    if let Some(post) = stored.as_ref().filter(|it| it.state == State::Scheduled) {
        cx.schedules().remove(&schedule_name(post.id.as_str()));
        return ended(cx, post.clone(), None);
    }
    let (location, id) = at_google(&args.post_ref, stored.as_ref())?;
    let place = Place::find(cx, &location, "/post_ref")?;
    let path = format!("{}/localPosts/{id}", place.v4());
    let there = cx.connections().send(&Send::get(&place.connection, path.clone()).service("v4"));
    let there = match google::answered(there, "/post_ref") {
        Ok(there) => Some(there),
        Err(fault) if fault.code == "not_found_at_google" => None,
        Err(fault) => return Err(fault),
    };
    let Some(there) = there else {
        return match stored {
            Some(post) => ended(cx, post, None),
            None => Err(Fault::not_found("post_not_found", "there is no such post; listings.post.list shows them")
                .at("/post_ref")),
        };
    };
    let sent = cx.connections().send(&Send::delete(&place.connection, path).service("v4"));
    match google::answered(sent, "/post_ref") {
        Ok(_) => {}
        Err(fault) if fault.code == "not_found_at_google" => {}
        Err(fault) => return Err(fault),
    }
    let change = Change {
        location: location.to_string(),
        at_ms: cx.now().millis(),
        operation: "listings.post.delete".to_owned(),
        fields: vec!["localPosts".to_owned()],
        before: there.clone(),
        after: Value::Null,
    };
    let change_ref = Some(cx.records::<Change>().insert(change)?.id);
    match stored {
        Some(post) => ended(cx, post, change_ref),
        None => Ok(Deleted { deleted: true, text: read::post(&there).map(|it| it.text), change_ref }),
    }
}

fn ended(cx: &Cx, mut post: Stored<OwnPost>, change_ref: Option<Id<Change>>) -> Result<Deleted> {
    post.it.state = State::Deleted;
    let text = Some(post.text.clone());
    cx.records::<OwnPost>().save(post)?;
    Ok(Deleted { deleted: true, text, change_ref })
}

/// The location and Google's identifier of a post.
fn at_google(reference: &Id<OwnPost>, stored: Option<&Stored<OwnPost>>) -> Result<(Id<Location>, String)> {
    let missing = || {
        let message = "there is no such post; listings.post.list shows them";
        Fault::not_found("post_not_found", message).at("/post_ref").detail(json!({ "post_ref": reference }))
    };
    let (id, location) = match stored {
        Some(post) => {
            (post.name.as_deref().and_then(|it| it.rsplit('/').next()).unwrap_or_default(), post.location.as_str())
        }
        None => reference.as_str().split_once('~').ok_or_else(missing)?,
    };
    let is_plain = !id.is_empty() && id.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it));
    is_plain.then(|| (Id::new(location), id.to_owned())).ok_or_else(missing)
}
