//! The website behind an audit.

use sdk::prelude::*;

use crate::stored::Site;

/// The website of this id; 404 `website_not_found` without one.
pub(crate) fn get(cx: &Cx, id: &str) -> Result<Stored<Site>> {
    cx.records::<Site>().get(&Id::new(id))
}
