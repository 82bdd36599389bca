//! The keys of each plugin.

use super::{Name, Plugin};

/// The key of a field: a meta key, or a member of what AIOSEO holds. Robots have several keys; this is the first.
pub(super) const fn key(plugin: Plugin, name: Name) -> Option<&'static str> {
    Some(match (plugin, name) {
        (Plugin::Yoast, Name::Title) => "_yoast_wpseo_title",
        (Plugin::Yoast, Name::Description) => "_yoast_wpseo_metadesc",
        (Plugin::Yoast, Name::Canonical) => "_yoast_wpseo_canonical",
        (Plugin::Yoast, Name::Robots) => YOAST_NOINDEX,
        (Plugin::Yoast, Name::OgTitle) => "_yoast_wpseo_opengraph-title",
        (Plugin::Yoast, Name::OgDescription) => "_yoast_wpseo_opengraph-description",
        (Plugin::Yoast, Name::OgImage) => "_yoast_wpseo_opengraph-image",
        (Plugin::RankMath, Name::Title) => "rank_math_title",
        (Plugin::RankMath, Name::Description) => "rank_math_description",
        (Plugin::RankMath, Name::Canonical) => "rank_math_canonical_url",
        (Plugin::RankMath, Name::Robots) => "rank_math_robots",
        (Plugin::RankMath, Name::OgTitle) => "rank_math_facebook_title",
        (Plugin::RankMath, Name::OgDescription) => "rank_math_facebook_description",
        (Plugin::RankMath, Name::OgImage) => "rank_math_facebook_image",
        (Plugin::Aioseo, Name::Title) => "title",
        (Plugin::Aioseo, Name::Description) => "description",
        (Plugin::Aioseo, Name::Canonical) => "canonical_url",
        (Plugin::Aioseo, Name::Robots) => "robots_default",
        (Plugin::Aioseo, Name::OgTitle) => "og_title",
        (Plugin::Aioseo, Name::OgDescription) => "og_description",
        // What it takes for a picture is made of a source and an address.
        (Plugin::Aioseo, Name::OgImage) => return None,
    })
}

/// `0` the default of the type, `1` noindex, `2` index.
pub(super) const YOAST_NOINDEX: &str = "_yoast_wpseo_meta-robots-noindex";
/// `0` follow, `1` nofollow.
pub(super) const YOAST_NOFOLLOW: &str = "_yoast_wpseo_meta-robots-nofollow";
/// Directives beside, with commas.
pub(super) const YOAST_ADVANCED: &str = "_yoast_wpseo_meta-robots-adv";
