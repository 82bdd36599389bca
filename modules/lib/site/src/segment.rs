//! Segments: named groups of a website's addresses.

pub use kit::segments::Segment as Rules;

use kit::segments::{Address, Rule};
use sdk::prelude::*;

use crate::Site;

/// A segment, as `websites.segment.set` keeps it.
#[foreign(collection = "websites.segments", thing = "segment", index(site_id))]
pub struct Segment {
    /// The website.
    pub site_id: Id<Site>,
    /// How it is called.
    pub name: String,
    /// What its addresses have in common.
    pub rules: Vec<Rule>,
}

impl Segment {
    /// Its rules, ready to be asked; none when they can no longer be read.
    #[must_use]
    pub fn ready(&self) -> Option<Rules> {
        Rules::new(&self.rules).ok()
    }
}

/// The segments of a website, in the order of being set.
pub fn segments<'a>(cx: &'a Cx, site: &Id<Site>) -> impl Iterator<Item = Stored<Segment>> + use<'a> {
    cx.records::<Segment>().by("site_id").equals(site).scan()
}

/// The rules of the segment of the argument `segment_ref`, if it was given.
///
/// # Errors
/// 404 `segment_not_found` for one of another website, 409 `segment_unreadable` for rules that no longer read.
pub fn rules(cx: &Cx, site: &str, segment: Option<&Id<Segment>>) -> Result<Option<Rules>> {
    let Some(segment) = segment else { return Ok(None) };
    let found = cx.records::<Segment>().get(segment).map_err(|fault| fault.at("/segment_ref"))?;
    if found.site_id.as_str() != site {
        return Err(Fault::not_found("segment_not_found", "this segment is of another website").at("/segment_ref"));
    }
    let unreadable = || {
        let message = "the rules of this segment no longer read; set it anew with websites.segment.set";
        Fault::conflict("segment_unreadable", message).at("/segment_ref")
    };
    found.ready().map(Some).ok_or_else(unreadable)
}

/// Whether rules hold the address of a page.
#[must_use]
pub fn holds(rules: &Rules, url: &str) -> bool {
    rules.holds(Address { url, content_type: Some("text/html") })
}

/// Whether an address is in a segment, or there is none to be in.
#[must_use]
pub fn held(rules: Option<&Rules>, url: &str) -> bool {
    rules.is_none_or(|rules| holds(rules, url))
}
