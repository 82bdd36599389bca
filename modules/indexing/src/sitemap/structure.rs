//! Which elements a sitemap may have where, by the schemas of sitemaps.org and Google's documents.

use super::fault::{Code, Fault, Faults};
use super::xml::Kind;

/// Children of an address, in the order of the schema.
const URL: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// What each element of an extension needs, and what it may have once (Google's documents; `video:` names 2026).
const EXTENSIONS: &[(&str, &[&str], &[&str])] = &[
    (
        "image:image",
        &["image:loc"],
        &["image:loc", "image:caption", "image:title", "image:geo_location", "image:license"],
    ),
    (
        "news:news",
        &["news:publication", "news:publication_date", "news:title"],
        &[
            "news:publication",
            "news:publication_date",
            "news:title",
            "news:access",
            "news:genres",
            "news:keywords",
            "news:stock_tickers",
        ],
    ),
    ("news:publication", &["news:name", "news:language"], &["news:name", "news:language"]),
    (
        "video:video",
        &["video:thumbnail_loc", "video:title", "video:description"],
        &[
            "video:thumbnail_loc",
            "video:title",
            "video:description",
            "video:content_loc",
            "video:player_loc",
            "video:duration",
            "video:expiration_date",
            "video:rating",
            "video:view_count",
            "video:publication_date",
            "video:family_friendly",
            "video:restriction",
            "video:platform",
            "video:requires_subscription",
            "video:uploader",
            "video:live",
            "video:category",
            "video:gallery_loc",
            "video:content_segment_loc",
            "video:id",
        ],
    ),
];

/// Elements of an extension that may be there more than once.
const REPEATED: [&str; 4] = ["video:tag", "video:price", "video:category", "video:content_segment_loc"];

/// Checks an element against what stands before it.
pub(super) fn child(parent: &str, before: &[String], name: &str, line: u32, kind: Kind, faults: &mut Faults) {
    let mut tell = |code: Code, message: String| faults.push(Fault::new(code, line, message));
    let foreign = name.contains(':') || name.starts_with(['?', '!']);
    match parent {
        "urlset" | "sitemapindex" => {
            let wanted = if parent == "urlset" { "url" } else { "sitemap" };
            if name != wanted {
                // Elements of other namespaces may stand before the first entry of a urlset.
                let allowed =
                    parent == "urlset" && foreign && !name.starts_with('!') && before.iter().all(|it| it != "url");
                if !allowed {
                    tell(Code::UnexpectedElement, format!("<{}> has no place in <{parent}>", plain(name)));
                } else if name.starts_with('?') {
                    tell(
                        Code::UnknownExtension,
                        format!("<{}> is of a namespace that search engines do not know", plain(name)),
                    );
                }
            }
        }
        "url" | "sitemap" => {
            let known = if parent == "url" { &URL[..] } else { &URL[..2] };
            let place = |it: &str| known.iter().position(|known| *known == it);
            match place(name) {
                Some(_) if before.iter().any(|it| it == name) => {
                    tell(Code::RepeatedElement, format!("a second <{name}> in one <{parent}>"));
                }
                Some(at) => {
                    if before.iter().any(|it| place(it).is_none_or(|other| other > at)) {
                        tell(Code::ElementOrder, format!("the schema wants <{name}> before what stands before it"));
                    }
                }
                None if !foreign || name.starts_with('!') || parent == "sitemap" => {
                    tell(Code::UnexpectedElement, format!("<{}> has no place in <{parent}>", plain(name)));
                }
                None if name.starts_with('?') => {
                    tell(
                        Code::UnknownExtension,
                        format!("<{}> is of a namespace that search engines do not know", plain(name)),
                    );
                }
                None => {
                    let expected = ["image:image", "video:video", "news:news", "xhtml:link"].contains(&name);
                    if !expected || kind != Kind::UrlSet {
                        tell(Code::ExtensionInvalid, format!("<{name}> has no place in <{parent}>"));
                    }
                    if name == "news:news" && before.iter().any(|it| it == name) {
                        tell(Code::ExtensionInvalid, "an address has one <news:news> at most".to_owned());
                    }
                }
            }
        }
        _ => {
            let Some((_, _, may)) = EXTENSIONS.iter().find(|(it, _, _)| *it == parent) else {
                let leaf = URL.contains(&parent);
                if leaf {
                    tell(Code::UnexpectedElement, format!("<{parent}> holds text, not <{}>", plain(name)));
                }
                return;
            };
            if !may.contains(&name) && !REPEATED.contains(&name) {
                tell(Code::ExtensionInvalid, format!("<{}> has no place in <{parent}>", plain(name)));
            } else if before.iter().any(|it| it == name) && !REPEATED.contains(&name) {
                tell(Code::ExtensionInvalid, format!("a second <{name}> in one <{parent}>"));
            }
        }
    }
}

/// Checks an element when it ends: what is missing in it, and text where none belongs.
pub(super) fn complete(name: &str, children: &[String], text: &str, line: u32, faults: &mut Faults) {
    let holds_elements = matches!(name, "urlset" | "sitemapindex" | "url" | "sitemap");
    if holds_elements && !text.is_empty() {
        let message = format!("text stands in <{name}> beside its elements");
        faults.push(Fault::new(Code::UnexpectedText, line, message));
    }
    if matches!(name, "url" | "sitemap") && !children.iter().any(|it| it == "loc") {
        faults.push(Fault::new(Code::MissingElement, line, format!("<{name}> has no <loc>")));
    }
    if let Some((_, needed, _)) = EXTENSIONS.iter().find(|(it, _, _)| *it == name) {
        for missing in needed.iter().filter(|it| !children.iter().any(|child| child == *it)) {
            faults.push(Fault::new(Code::ExtensionInvalid, line, format!("<{name}> has no <{missing}>")));
        }
        let place = ["video:content_loc", "video:player_loc"];
        if name == "video:video" && !children.iter().any(|it| place.contains(&it.as_str())) {
            let message = "<video:video> has neither <video:content_loc> nor <video:player_loc>".to_owned();
            faults.push(Fault::new(Code::ExtensionInvalid, line, message));
        }
    }
}

/// A name without the marks of this reader.
fn plain(name: &str) -> &str {
    name.trim_start_matches(['?', '!'])
}
