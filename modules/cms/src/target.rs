//! The item that an argument means, and the WordPress that it is in.

use sdk::prelude::*;
use site::Site;
use wordpress::{Installation, Item};

/// What a WordPress is needed for.
const WHY: &str = "the website's WordPress is read and changed";

/// An item as `cms.content.list` gives it, or the address that it is shown at.
pub(crate) type ItemRef = Text<1, 2_048>;

/// The marker of references to items.
pub(crate) enum Thing {}

/// A website with its WordPress.
pub(crate) struct Target {
    pub(crate) site: Stored<Site>,
    pub(crate) installation: Installation,
}

impl Target {
    /// The WordPress of a website.
    pub(crate) fn of(cx: &Cx, site_id: &Id<Site>) -> Result<Self> {
        let site = site::get(cx, site_id)?;
        let installation = Installation::of(cx, &site, WHY)?;
        Ok(Self { site, installation })
    }

    /// The item that a text means; 404 `item_not_found` at `pointer`.
    pub(crate) fn item(&self, cx: &Cx, text: &str, pointer: &str) -> Result<Item> {
        self.installation.meant(cx, text)?.ok_or_else(|| missing(pointer))
    }
}

/// The refusal of an item that is not there.
pub(crate) fn missing(pointer: &str) -> Fault {
    let message =
        "the WordPress of this website has no such item, or it is in the trash; cms.content.list shows its items";
    Fault::not_found("item_not_found", message).at(pointer)
}

/// The reference of an item.
pub(crate) fn reference(item: &Item) -> Id<Thing> {
    Id::new(item.at.to_string())
}
