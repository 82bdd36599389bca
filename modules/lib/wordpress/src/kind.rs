//! Types of items and taxonomies of an installation.

use sdk::Send;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Installation;

/// Seconds for which types are remembered.
const REMEMBERED: u32 = 3_600;

/// A type of items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kind {
    /// Its name for programs: `post`.
    pub slug: String,
    /// Its name for people.
    #[serde(default)]
    pub name: String,
    /// Its path: `posts`.
    #[serde(rename = "rest_base", default)]
    pub base: String,
    /// Whether an item can be below another.
    #[serde(default)]
    pub hierarchical: bool,
    /// Its taxonomies, by their names for programs.
    #[serde(default)]
    pub taxonomies: Vec<String>,
}

/// A taxonomy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Taxonomy {
    /// Its name for programs: `post_tag`.
    pub slug: String,
    /// Its name for people.
    #[serde(default)]
    pub name: String,
    /// Its path: `tags`.
    #[serde(rename = "rest_base", default)]
    pub base: String,
    /// Types that have it.
    #[serde(default)]
    pub types: Vec<String>,
}

/// Types that hold no pages: media, menus, blocks and parts of the theme.
const INNER: [&str; 8] = [
    "attachment",
    "nav_menu_item",
    "wp_block",
    "wp_template",
    "wp_template_part",
    "wp_global_styles",
    "wp_navigation",
    "wp_font_family",
];

impl Installation {
    /// The types whose items are pages.
    ///
    /// # Errors
    /// What the provider refused.
    pub fn kinds(&self, cx: &Cx) -> Result<Vec<Kind>> {
        let all: Vec<Kind> = self.remembered(cx, "types")?;
        Ok(all
            .into_iter()
            .filter(|it| !INNER.contains(&it.slug.as_str()) && !it.base.is_empty() && !it.base.contains('/'))
            .collect())
    }

    /// The type of this name or path; 404 `type_not_found` at `/type`.
    ///
    /// # Errors
    /// See above; what the provider refused.
    pub fn kind(&self, cx: &Cx, name: &str) -> Result<Kind> {
        let kinds = self.kinds(cx)?;
        let names: Vec<&str> = kinds.iter().map(|it| it.slug.as_str()).collect();
        let message =
            format!("this WordPress has no type `{name}` that is shown over REST; it has {}", names.join(", "));
        let missing = Fault::not_found("type_not_found", message).at("/type");
        kinds.into_iter().find(|it| it.slug == name || it.base == name).ok_or(missing)
    }

    /// All taxonomies.
    ///
    /// # Errors
    /// What the provider refused.
    pub fn taxonomies(&self, cx: &Cx) -> Result<Vec<Taxonomy>> {
        self.remembered(cx, "taxonomies")
    }

    /// A list that WordPress writes as an object by names.
    fn remembered<T: serde::de::DeserializeOwned + Serialize>(&self, cx: &Cx, what: &str) -> Result<Vec<T>> {
        let key = format!("wordpress/{what}/{}", self.connection);
        if let Some(known) = cx.cache().get::<Vec<T>>(&key) {
            return Ok(known);
        }
        let request = Send::get(&self.connection, format!("/wp-json/wp/v2/{what}"));
        let members: Map<String, Value> = cx.connections().send(&request)?.accepted()?.json()?;
        let all: Vec<T> = members.into_iter().filter_map(|(_, it)| serde_json::from_value(it).ok()).collect();
        cx.cache().put(&key, &all, REMEMBERED);
        Ok(all)
    }
}
