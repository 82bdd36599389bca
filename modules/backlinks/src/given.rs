//! What every report begins with: the website, its imported links, and how old they are.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use site::Site;

use crate::link::NO_DAY;
use crate::stored::Links;

/// Days after which an import is old.
const OLD_DAYS: u64 = 90;

/// The links of a website.
pub(crate) struct Given<'a> {
    pub(crate) site: Stored<Site>,
    pub(crate) links: Links<'a>,
    pub(crate) basis: Basis,
    pub(crate) degraded: Vec<Degraded>,
}

impl<'a> Given<'a> {
    /// Those of the argument `site_id`.
    ///
    /// # Errors
    /// 404 for a website that is not the customer's; 409 `links_not_imported`.
    pub(crate) fn of(cx: &'a Cx, site: &Id<Site>) -> Result<Self> {
        let site = site::get(cx, site)?;
        let links = Links::of(cx, &site.id);
        if links.profile.links == 0 {
            return Err(none_imported(&site.id));
        }
        let at = Moment::from_millis(links.profile.imported_ms);
        let age_seconds = cx.now().since(at) / 1_000;
        let basis = Basis { run_ref: None, at, age_seconds, complete: true };
        let mut degraded = Vec::new();
        if age_seconds > OLD_DAYS * 86_400 {
            let why = format!("the newest import is of {}; links come and go", at.day());
            degraded
                .push(Degraded::new("links", why).supplied_by("backlinks.import.run", json!({ "site_id": site.id })));
        }
        Ok(Self { site, links, basis, degraded })
    }
}

/// The refusal of what cannot be told without links.
pub(crate) fn none_imported(site: &Id<Site>) -> Fault {
    let message = "no links to this website are imported; import an export of a tool with backlinks.import.run, or fetch them with backlinks.refresh.run";
    let import = Fix::new("backlinks.import.run", json!({ "site_id": site }));
    Fault::conflict("links_not_imported", message).at("/site_id").detail(json!(import))
}

/// A day, where it is known.
pub(crate) fn day(number: i32) -> Option<Day> {
    (number != NO_DAY).then(|| Day::from_epoch(number))
}

/// A share of a whole, to four digits; none of nothing.
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    let number = kit::number::as_number;
    (whole > 0).then(|| kit::statistics::round(number(part) / number(whole), 4))
}

/// A hash of 64 bits: that two of a million values share one has a probability of one in 30 million.
pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
