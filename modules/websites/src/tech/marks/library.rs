//! The fingerprints of script and style libraries, and of fonts from elsewhere.

use super::super::mark::Category::{Fonts, Library};
use super::super::mark::{Mark, attribute, class, inline, link, mark, script};

pub(super) const MARKS: &[Mark] = &[
    mark(
        "jQuery",
        Library,
        &[
            script("jquery-", 80).version("jquery-"),
            script("/jquery.js", 90),
            script("jquery.min.js", 92),
            script("/jquery/", 75).version("jquery/"),
            script("jquery.slim", 90),
        ],
    ),
    mark(
        "jQuery UI",
        Library,
        &[script("jquery-ui", 94).version("jquery-ui-"), link("jquery-ui", 80), script("jquery.ui", 85)],
    ),
    mark(
        "Bootstrap",
        Library,
        &[
            link("bootstrap.min.css", 92),
            link("/bootstrap/", 70).version("bootstrap/"),
            link("bootstrap.css", 88),
            script("bootstrap.bundle", 92),
            script("bootstrap.min.js", 92),
            link("/bootstrap@", 95).version("bootstrap@"),
        ],
    ),
    mark("Tailwind CSS", Library, &[script("cdn.tailwindcss.com", 97), link("tailwind", 75)]),
    mark("Foundation", Library, &[link("foundation.min.css", 90), script("foundation.min.js", 90)]),
    mark("Lodash", Library, &[script("lodash", 92).version("lodash@")]),
    mark("Underscore.js", Library, &[script("underscore", 88).version("underscore-")]),
    mark("Modernizr", Library, &[script("modernizr", 93).version("modernizr-")]),
    mark(
        "RequireJS",
        Library,
        &[script("require.min.js", 85), script("/require.js", 80), attribute("data-requiremodule", 80)],
    ),
    mark("MathJax", Library, &[script("mathjax", 94).version("mathjax@"), inline("MathJax.Hub.Config", 90)]),
    mark("KaTeX", Library, &[script("katex", 90).version("katex@"), link("katex", 88).version("katex@")]),
    mark(
        "highlight.js",
        Library,
        &[
            script("highlight.min.js", 85),
            script("highlight.pack.js", 90),
            inline("hljs.highlightAll", 90),
            inline("hljs.initHighlightingOnLoad", 92),
        ],
    ),
    mark("Prism", Library, &[script("prism.js", 85), script("prismjs", 92), link("prism.css", 80)]),
    mark("D3", Library, &[script("/d3.min.js", 88), script("d3.v", 90).version("d3.v"), script("d3js.org", 92)]),
    mark("Swiper", Library, &[script("swiper", 80), class("swiper-wrapper", 75), link("swiper", 80)]),
    mark("GSAP", Library, &[script("gsap", 88), script("tweenmax", 88)]),
    mark("core-js", Library, &[script("core-js", 80), script("polyfill.io", 40)]),
    mark(
        "Font Awesome",
        Fonts,
        &[
            link("font-awesome", 92).version("font-awesome/"),
            link("fontawesome", 90),
            script("kit.fontawesome.com", 97),
            link("use.fontawesome.com", 97),
        ],
    ),
    mark("Google Fonts", Fonts, &[link("fonts.googleapis.com", 96), link("fonts.gstatic.com", 85)]),
    mark("Adobe Fonts", Fonts, &[link("use.typekit.net", 96), script("use.typekit.net", 96)]),
];
