//! The fingerprints of plugins and builders inside a content system.

use super::super::mark::Category::Plugin;
use super::super::mark::{Mark, class, generator, header, id, link, meta, on, script};

const ON_WORDPRESS: &[&str] = &["WordPress"];

pub(super) const MARKS: &[Mark] = &[
    on("Yoast SEO", Plugin, ON_WORDPRESS, &[class("yoast-schema-graph", 98), script("/plugins/wordpress-seo", 95)]),
    on(
        "Rank Math",
        Plugin,
        ON_WORDPRESS,
        &[class("rank-math-schema", 98), class("rank-math-schema-pro", 98), script("/plugins/seo-by-rank-math", 95)],
    ),
    on("All in One SEO", Plugin, ON_WORDPRESS, &[generator("All in One SEO (AIOSEO)"), class("aioseo-schema", 97)]),
    on(
        "Elementor",
        Plugin,
        ON_WORDPRESS,
        &[
            generator("Elementor"),
            class("elementor-section", 85),
            class("elementor-kit-*", 90),
            link("/plugins/elementor/", 95),
        ],
    ),
    on(
        "Divi",
        Plugin,
        ON_WORDPRESS,
        &[generator("Divi"), class("et_pb_section", 90), link("/themes/divi/", 95), id("et-main-area", 80)],
    ),
    on(
        "WPBakery",
        Plugin,
        ON_WORDPRESS,
        &[meta("generator", "Powered by WPBakery", 98), class("vc_row", 75), link("/plugins/js_composer/", 95)],
    ),
    on(
        "WPML",
        Plugin,
        ON_WORDPRESS,
        &[meta("generator", "WPML", 98).version("ver:"), link("/plugins/sitepress-multilingual-cms/", 95)],
    ),
    on(
        "Contact Form 7",
        Plugin,
        ON_WORDPRESS,
        &[class("wpcf7", 85), script("/plugins/contact-form-7/", 97), class("wpcf7-form", 85)],
    ),
    on("Gravity Forms", Plugin, ON_WORDPRESS, &[class("gform_wrapper", 85), script("/plugins/gravityforms/", 97)]),
    on(
        "WP Rocket",
        Plugin,
        ON_WORDPRESS,
        &[
            meta("generator", "WP Rocket", 98),
            header("x-wp-rocket", "", 90),
            script("/cache/wp-rocket/", 85),
            id("wpr-*", 40),
            class("wpr-*", 30),
        ],
    ),
    on(
        "Jetpack",
        Plugin,
        ON_WORDPRESS,
        &[script("/plugins/jetpack/", 95), script("stats.wp.com", 80), link("/plugins/jetpack/", 90)],
    ),
    on("Site Kit by Google", Plugin, ON_WORDPRESS, &[meta("generator", "Site Kit by Google", 98).version("Google")]),
    on(
        "Slider Revolution",
        Plugin,
        ON_WORDPRESS,
        &[meta("generator", "Powered by Slider Revolution", 98), script("/plugins/revslider/", 95)],
    ),
];
