//! Which SEO plugin an installation has, and which of its fields can be read and written.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Send};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::keys::{YOAST_NOFOLLOW, key};
use super::{How, Name, Plugin};
use crate::Installation;

/// Seconds for which what was found is remembered.
const REMEMBERED: u32 = 600;
/// Bytes of the index of all routes: 187 KB on a bare site.
const MOST_BYTES: u32 = 8 << 20;

/// The SEO plugin of an installation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Seo {
    /// None without one that is known.
    pub plugin: Option<Plugin>,
    /// How its fields are written.
    pub how: Option<How>,
    /// Fields that can be read, by the path of the type.
    pub readable: BTreeMap<String, Vec<Name>>,
    /// Fields that can be written, by the path of the type.
    pub writable: BTreeMap<String, Vec<Name>>,
    /// Namespaces of the REST interface.
    pub namespaces: Vec<String>,
    /// The name of the site.
    pub site: String,
}

#[derive(Deserialize)]
struct Index {
    #[serde(default)]
    name: String,
    #[serde(default)]
    namespaces: Vec<String>,
}

#[derive(Deserialize)]
struct Routes {
    #[serde(default)]
    routes: Map<String, Value>,
}

/// Finds the SEO plugin. Remembered for ten minutes.
///
/// # Errors
/// What the provider refused.
pub fn detect(cx: &Cx, at: &Installation) -> Result<Seo> {
    let remembered = format!("wordpress/seo/{}", at.connection);
    if let Some(known) = cx.cache().get::<Seo>(&remembered) {
        return Ok(known);
    }
    let ask = |path: &str| Send::get(&at.connection, path).max_bytes(MOST_BYTES);
    let index = ask("/wp-json").query("_fields", "name,namespaces");
    let index: Index = cx.connections().send(&index)?.accepted()?.json()?;
    let routes: Routes = cx.connections().send(&ask("/wp-json/wp/v2"))?.accepted()?.json()?;
    let arguments: BTreeMap<String, Value> = routes
        .routes
        .iter()
        .filter_map(|(route, about)| Some((base(route)?.to_owned(), posted(about)?.clone())))
        .collect();
    let has = |name: &str| index.namespaces.iter().any(|it| it == name);
    let has_field = arguments.values().any(|it| it.get("aioseo_meta_data").is_some());
    let plugin = match () {
        () if has("rankmath/v1") => Some(Plugin::RankMath),
        () if has("yoast/v1") => Some(Plugin::Yoast),
        () if has_field => Some(Plugin::Aioseo),
        () => None,
    };
    let mut seo = Seo { plugin, namespaces: index.namespaces.clone(), site: index.name, ..Seo::default() };
    let Some(plugin) = plugin else {
        cx.cache().put(&remembered, &seo, REMEMBERED);
        return Ok(seo);
    };
    let endpoint = plugin == Plugin::RankMath && {
        let routes: Routes = cx.connections().send(&ask("/wp-json/rankmath/v1"))?.accepted()?.json()?;
        routes.routes.contains_key("/rankmath/v1/updateMeta")
    };
    seo.how = Some(match plugin {
        Plugin::RankMath if endpoint => How::Endpoint,
        Plugin::Aioseo => How::Field,
        Plugin::Yoast | Plugin::RankMath => How::Meta,
    });
    for (base, arguments) in &arguments {
        let registered = |name: &Name| match plugin {
            Plugin::Aioseo => arguments.get("aioseo_meta_data").is_some() && key(plugin, *name).is_some(),
            _ => {
                let meta = |key: &str| arguments["meta"]["properties"].get(key).is_some();
                let robots = *name != Name::Robots || plugin != Plugin::Yoast || meta(YOAST_NOFOLLOW);
                key(plugin, *name).is_some_and(meta) && robots
            }
        };
        let readable: Vec<Name> = Name::ALL.into_iter().filter(|it| registered(it)).collect();
        // Core's own types are no posts for the plugins: media, blocks, menus.
        let is_content = arguments.get("content").is_some() || arguments.get("meta").is_some();
        let writable = if endpoint && is_content {
            Name::ALL.into_iter().filter(|it| key(plugin, *it).is_some()).collect()
        } else {
            readable.clone()
        };
        if !readable.is_empty() || !writable.is_empty() {
            seo.readable.insert(base.clone(), readable);
            seo.writable.insert(base.clone(), writable);
        }
    }
    cx.cache().put(&remembered, &seo, REMEMBERED);
    Ok(seo)
}

/// The type of a route that lists it: `/wp/v2/posts`.
fn base(route: &str) -> Option<&str> {
    route.strip_prefix("/wp/v2/").filter(|it| !it.is_empty() && !it.contains(['/', '(']))
}

/// The arguments of a route's POST.
fn posted(about: &Value) -> Option<&Value> {
    let posts = |it: &&Value| it["methods"].as_array().is_some_and(|all| all.iter().any(|it| it == "POST"));
    about["endpoints"].as_array()?.iter().find(posts).map(|it| &it["args"])
}

impl Seo {
    /// Fields of a type that can be read.
    #[must_use]
    pub fn reads(&self, base: &str) -> &[Name] {
        self.readable.get(base).map_or(&[], Vec::as_slice)
    }

    /// Fields of a type that can be written.
    #[must_use]
    pub fn writes(&self, base: &str) -> &[Name] {
        self.writable.get(base).map_or(&[], Vec::as_slice)
    }

    /// What is said where fields cannot be read.
    #[must_use]
    pub fn degraded(&self, base: &str) -> Option<Degraded> {
        let plugin = self.plugin?;
        let missing = Name::ALL.iter().any(|it| key(plugin, *it).is_some() && !self.reads(base).contains(it));
        let why = "the SEO plugin does not show all of its fields over REST; `bridge` of cms.site.inspect is a plugin that does";
        missing.then(|| Degraded::new("stored", why))
    }
}

/// The text of a must-use plugin that registers the keys of an SEO plugin for REST, for every type that shows itself there.
/// Its reader installs it; nothing here does.
#[must_use]
pub fn bridge(plugin: Plugin) -> Option<String> {
    let keys: Vec<&str> = match plugin {
        Plugin::Aioseo => return None,
        Plugin::Yoast => Name::ALL
            .iter()
            .filter_map(|it| key(plugin, *it))
            .chain([YOAST_NOFOLLOW, super::keys::YOAST_ADVANCED])
            .collect(),
        Plugin::RankMath => {
            Name::ALL.iter().filter_map(|it| key(plugin, *it)).filter(|it| *it != "rank_math_robots").collect()
        }
    };
    let list: Vec<String> = keys.iter().map(|it| format!("'{it}'")).collect();
    let robots = match plugin {
        Plugin::RankMath => {
            "        register_post_meta( $type, 'rank_math_robots', array( 'single' => true, 'type' => 'array', 'auth_callback' => $may,\n            'show_in_rest' => array( 'schema' => array( 'type' => 'array', 'items' => array( 'type' => 'string' ) ) ) ) );\n"
        }
        _ => "",
    };
    Some(format!(
        "<?php\n/* Plugin Name: SEO keys in REST. Put this file into wp-content/mu-plugins/. */\nadd_action( 'init', function () {{\n    $may = function ( $allowed, $key, $id ) {{ return current_user_can( 'edit_post', $id ); }};\n    foreach ( get_post_types( array( 'show_in_rest' => true ) ) as $type ) {{\n        foreach ( array( {} ) as $key ) {{\n            register_post_meta( $type, $key, array( 'single' => true, 'type' => 'string', 'show_in_rest' => true, 'auth_callback' => $may ) );\n        }}\n{robots}    }}\n}}, 99 );\n",
        list.join(", ")
    ))
}
