//! What an SEO plugin holds of an item, read and written in the plugin's own keys.
//!
//! Yoast registers three meta keys for REST, for posts alone. Rank Math registers none; its editor writes by
//! `POST /rankmath/v1/updateMeta`, which is promised to nobody. AIOSEO adds the field `aioseo_meta_data` to items. Keys that
//! a plugin does not register can be registered by the site's owner; [`bridge`] is the text of a plugin that does.

mod detect;
mod keys;
mod store;

use sdk::prelude::*;

pub use detect::{Seo, bridge, detect};
pub use store::{intend, put, stored};

/// An SEO plugin.
#[value]
pub enum Plugin {
    /// Yoast SEO.
    Yoast,
    /// Rank Math.
    RankMath,
    /// All in One SEO.
    Aioseo,
}

/// How the fields of a plugin are written.
#[value]
pub enum How {
    /// Meta keys of the item.
    Meta,
    /// The plugin's own endpoint.
    Endpoint,
    /// A field of the item.
    Field,
}

/// What can be held of an item.
#[value]
pub enum Name {
    /// The title tag.
    Title,
    /// The meta description.
    Description,
    /// The canonical address.
    Canonical,
    /// The robots meta tag.
    Robots,
    /// The title for social networks.
    OgTitle,
    /// The description for social networks.
    OgDescription,
    /// The picture for social networks.
    OgImage,
}

impl Name {
    /// All.
    pub const ALL: [Self; 7] = [
        Self::Title,
        Self::Description,
        Self::Canonical,
        Self::Robots,
        Self::OgTitle,
        Self::OgDescription,
        Self::OgImage,
    ];
}

/// Directives that plugins hold beside the default, which is to index and to follow.
pub const DIRECTIVES: [&str; 7] = ["index", "noindex", "follow", "nofollow", "noarchive", "nosnippet", "noimageindex"];

/// SEO fields of an item: null where nothing is held or the field cannot be read, as `readable` of [`Seo`] says.
#[value]
#[derive(Default)]
pub struct Values {
    /// The title tag; it may hold the plugin's variables, such as `%%title%%`.
    pub title: Option<String>,
    /// The meta description; it may hold variables.
    pub description: Option<String>,
    /// The canonical address.
    pub canonical: Option<String>,
    /// Directives of the robots meta tag; empty for the site's default.
    pub robots: Option<Vec<String>>,
    /// The title for social networks.
    pub og_title: Option<String>,
    /// The description for social networks.
    pub og_description: Option<String>,
    /// The picture for social networks.
    pub og_image: Option<String>,
}

impl Values {
    /// The fields that are set.
    #[must_use]
    pub fn names(&self) -> Vec<Name> {
        let has = |name: &Name| match name {
            Name::Title => self.title.is_some(),
            Name::Description => self.description.is_some(),
            Name::Canonical => self.canonical.is_some(),
            Name::Robots => self.robots.is_some(),
            Name::OgTitle => self.og_title.is_some(),
            Name::OgDescription => self.og_description.is_some(),
            Name::OgImage => self.og_image.is_some(),
        };
        Name::ALL.into_iter().filter(has).collect()
    }

    pub(crate) fn text(&self, name: Name) -> Option<&String> {
        match name {
            Name::Title => self.title.as_ref(),
            Name::Description => self.description.as_ref(),
            Name::Canonical => self.canonical.as_ref(),
            Name::OgTitle => self.og_title.as_ref(),
            Name::OgDescription => self.og_description.as_ref(),
            Name::OgImage => self.og_image.as_ref(),
            Name::Robots => None,
        }
    }

    pub(crate) fn set_text(&mut self, name: Name, text: String) {
        let place = match name {
            Name::Title => &mut self.title,
            Name::Description => &mut self.description,
            Name::Canonical => &mut self.canonical,
            Name::OgTitle => &mut self.og_title,
            Name::OgDescription => &mut self.og_description,
            Name::OgImage => &mut self.og_image,
            Name::Robots => return,
        };
        *place = Some(text);
    }
}

/// Whether a text holds variables of a plugin, so that it says nothing about what a page shows.
#[must_use]
pub fn is_template(plugin: Plugin, text: &str) -> bool {
    let between = |mark: &str| {
        let mut parts = text.split(mark);
        parts.next();
        parts
            .next()
            .is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'('))
            && text.matches(mark).count() > 1
    };
    match plugin {
        Plugin::Yoast => between("%%"),
        Plugin::RankMath => between("%"),
        Plugin::Aioseo => {
            let variable = |it: &str| it.starts_with(|c: char| c.is_ascii_lowercase()) && it.contains('_');
            text.split('#').skip(1).any(|it| variable(it.split(' ').next().unwrap_or_default()))
        }
    }
}
