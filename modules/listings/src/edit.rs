//! Changes of a profile: looked at first, tried at the provider, made, read back and recorded.
//!
//! Source: locations.patch with `updateMask` and `validateOnly`. Google takes ten edits a minute of one profile.

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Send, SendFailure, json};

use crate::google;
use crate::place::Place;
use crate::profile;
use crate::stored::Change;

/// A change that is wanted.
#[derive(Debug)]
pub(crate) struct Edit<'e> {
    pub(crate) place: &'e Place,
    pub(crate) operation: &'e str,
    /// The argument that Google's refusal is about.
    pub(crate) pointer: &'e str,
    /// The profile as it was read in this call.
    pub(crate) before: &'e Value,
    /// The members that are written, as Google names them, with their values.
    pub(crate) fields: Map<String, Value>,
}

/// What became of a change.
#[derive(Debug)]
pub(crate) struct Made {
    /// The profile afterwards.
    pub(crate) after: Value,
    /// Null where nothing was to be changed, or the change was only tried.
    pub(crate) change_ref: Option<Id<Change>>,
}

/// Refuses a change of a profile that is another one by now.
pub(crate) fn unchanged(before: &Value, hash: &str) -> Result<()> {
    let now = profile::edit_hash(before);
    if now == hash {
        return Ok(());
    }
    let message = "the profile was changed since it was read; listings.location.get shows it as it is";
    Err(Fault::conflict("edit_conflict", message).at("/edit_hash").detail(json!({ "edit_hash": now })))
}

impl Edit<'_> {
    /// Tries the change at Google, and makes it unless `only_tried`. What is there already is not written.
    pub(crate) fn make(mut self, cx: &Cx, only_tried: bool) -> Result<Made> {
        self.fields.retain(|name, value| self.before[name.as_str()] != *value);
        self.write(cx, only_tried)
    }

    /// Writes the values also where they stand already: so an owner answers an edit of Google.
    pub(crate) fn make_again(self, cx: &Cx) -> Result<Made> {
        self.write(cx, false)
    }

    fn write(self, cx: &Cx, only_tried: bool) -> Result<Made> {
        if self.fields.is_empty() {
            return Ok(Made { after: self.before.clone(), change_ref: None });
        }
        google::answered(cx.connections().send(&self.request().query("validateOnly", true)), self.pointer)?;
        if only_tried {
            let mut after = self.before.clone();
            for (name, value) in &self.fields {
                after[name.as_str()] = value.clone();
            }
            return Ok(Made { after, change_ref: None });
        }
        let sent = cx.connections().send(&self.request());
        // After a lost answer the profile is looked at: the same change is never sent twice by itself.
        let after = match sent {
            Err(SendFailure::UnknownOutcome | SendFailure::Timeout) => {
                let now = self.place.read(cx, self.pointer)?;
                // Values that stood there before say nothing.
                if self.holds(self.before) || !self.holds(&now) {
                    let message = "Google did not answer, and the change is not seen in the profile; look at \
                                   listings.location.get before you make it again";
                    return Err(Fault::unavailable("provider_error", message));
                }
                now
            }
            sent => {
                let answer = google::answered(sent, self.pointer)?;
                // The change is made: it is recorded also when the profile cannot be read now.
                self.place.read(cx, self.pointer).unwrap_or(answer)
            }
        };
        let change = Change {
            location: self.place.reference().to_string(),
            at_ms: cx.now().millis(),
            operation: self.operation.to_owned(),
            before: self.of(self.before),
            after: self.of(&after),
            fields: self.fields.into_iter().map(|it| it.0).collect(),
        };
        profile::keep(cx, self.place, &after)?;
        let change_ref = cx.records::<Change>().insert(change)?.id;
        Ok(Made { after, change_ref: Some(change_ref) })
    }

    fn request(&self) -> Send {
        let mask: Vec<&str> = self.fields.keys().map(String::as_str).collect();
        Send::patch(&self.place.connection, self.place.v1())
            .query("updateMask", mask.join(","))
            .json(&self.fields)
            .timeout(20_000)
    }

    fn holds(&self, now: &Value) -> bool {
        self.fields.iter().all(|(name, value)| now[name.as_str()] == *value)
    }

    fn of(&self, profile: &Value) -> Value {
        let part = self.fields.keys().map(|name| (name.clone(), profile[name.as_str()].clone()));
        Value::Object(part.collect())
    }
}
