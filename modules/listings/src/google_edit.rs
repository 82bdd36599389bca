//! The operation `listings.google_edit.resolve`.

use sdk::prelude::*;
use sdk::serde_json::Map;

use crate::edit::Edit;
use crate::location::get::google_edits;
use crate::place::Place;
use crate::stored::{Change, Location};

/// Whose value is kept.
#[value]
pub(crate) enum Keep {
    /// Your own: it is written again.
    Ours,
    /// Google's: it is written as yours.
    Google,
}

/// A decision.
#[value]
pub(crate) struct Decision {
    /// A field of `google_edits` of listings.location.get.
    pub(crate) field: Text<1, 60>,
    pub(crate) keep: Keep,
}

/// What became of a decision.
#[value]
pub(crate) enum Became {
    /// It is written.
    Written,
    /// Google shows your value: there is nothing to decide any more.
    AlreadyGone,
}

/// A decision and what became of it.
#[value]
pub(crate) struct Resolved {
    #[own]
    field: String,
    keep: Keep,
    became: Became,
}

#[args]
pub(crate) struct Resolve {
    /// The location, as listed.
    location_ref: Id<Location>,
    decisions: List<Decision, 1, 30>,
}

/// The decisions.
#[value]
pub(crate) struct Done {
    resolved: Vec<Resolved>,
    /// Null when nothing was left to write.
    change_ref: Option<Id<Change>>,
}

/// Accepts or rejects field changes Google made to a location by writing the chosen value back.
///
/// Google shows edits of its own and of its users until the owner writes the field again; keep `google` to accept one.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 6),
    side_effects = ["changes the business profile that everybody sees on Google"],
    needs = ["store", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile GET /v1/locations/*:getGoogleUpdated",
        "google_business_profile PATCH /v1/locations/* change",
    ],
    phrasings = ["reject google's changes to my profile", "accept the edit that google suggested", "google changed my phone number"],
    examples = [{ "location_ref": "108800001.4503600002.con_1", "decisions": [{ "field": "phoneNumbers", "keep": "ours" }] }]
)]
pub(crate) fn resolve(cx: &Cx, args: Resolve) -> Result<Done> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    for (at, it) in args.decisions.iter().enumerate() {
        if args.decisions.iter().take(at).any(|other| other.field == it.field) {
            return Err(Fault::invalid(
                format!("/decisions/{at}/field"),
                "decision_twice",
                "this field is decided twice",
            ));
        }
    }
    let before = place.read(cx, "/location_ref")?;
    let edits = google_edits(cx, &place, &before)?;
    let (mut fields, mut resolved) = (Map::new(), Vec::new());
    for it in args.decisions.iter() {
        let edit = edits.iter().find(|edit| edit.field == it.field.as_str());
        if let Some(edit) = edit {
            let value = if it.keep == Keep::Ours { &edit.ours } else { &edit.google };
            fields.insert(edit.field.clone(), value.clone());
        }
        resolved.push(Resolved {
            field: it.field.to_string(),
            keep: it.keep,
            became: if edit.is_some() { Became::Written } else { Became::AlreadyGone },
        });
    }
    let edit = Edit {
        place: &place,
        operation: "listings.google_edit.resolve",
        pointer: "/decisions",
        before: &before,
        fields,
    };
    let made = edit.make_again(cx)?;
    Ok(Done { resolved, change_ref: made.change_ref })
}
