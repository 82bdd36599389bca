//! The record of what is right, as it is stored.

use sdk::prelude::*;

use super::compare::Truth;
use crate::address::Address;
use crate::week::Period;

/// The canonical record of a location, under the location's own reference.
#[record(collection = "nap", thing = "location", reference = "location_ref", index(country))]
pub(crate) struct Nap {
    pub(crate) name: String,
    pub(crate) address: Address,
    /// In its international form.
    pub(crate) phone: String,
    pub(crate) website: Option<String>,
    /// Other names that it goes by.
    pub(crate) aliases: Vec<String>,
    /// Null when none were given.
    pub(crate) hours: Option<Vec<Period>>,
    pub(crate) country: String,
    /// When it was set, in milliseconds since 1970 UTC.
    pub(crate) set_ms: u64,
}

impl Nap {
    /// What others are compared with.
    pub(crate) fn truth(&self) -> Truth<'_> {
        let names = std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str));
        Truth { names: names.collect(), address: &self.address, phone: &self.phone, website: self.website.as_deref() }
    }
}

/// The record of a location.
///
/// # Errors
/// 409 `nap_required` when there is none.
pub(crate) fn required(cx: &Cx, location: &str) -> Result<Stored<Nap>> {
    cx.records::<Nap>().find(&Id::new(location)).ok_or_else(|| {
        let message =
            "there is no record of name, address and phone number of this location; listings.nap.set makes it";
        Fault::conflict("nap_required", message).at("/location_ref")
    })
}
