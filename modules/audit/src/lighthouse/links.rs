//! The two audits that look at `<link>` elements and the header `Link`: `hreflang` and `canonical`.

use std::collections::BTreeSet;

use kit::url::Url;

use super::Item;
use super::audits::{Failed, Served, item};

/// Language subtags of two and of three letters, a bit each: first `aa` to `zz`, then `aaa` to `zzz`. Made by
/// `tests/references/lighthouse` from the IANA language subtag registry, as axe-core holds it.
static SUBTAGS: &[u8] = include_bytes!("languages.bin");

/// One `<link>` of the head, or one of the header.
struct Link {
    rel: String,
    /// As written.
    raw: String,
    /// What it leads to.
    url: Option<Url>,
    hreflang: String,
}

fn all(served: &Served<'_>) -> Vec<Link> {
    let dom = served.dom;
    let attribute = |id, name: &str| dom.attribute(id, name).unwrap_or_default().to_owned();
    let written = dom.elements("link").filter(|id| served.in_head(*id)).map(|id| {
        let raw = attribute(id, "href");
        Link {
            rel: attribute(id, "rel").to_lowercase(),
            url: served.resolve(&raw).filter(|_| !raw.is_empty()),
            raw,
            hreflang: attribute(id, "hreflang"),
        }
    });
    let mut links: Vec<Link> = written.collect();
    for value in served.header("link") {
        links.extend(kit::page::link_header(value).into_iter().map(|it| Link {
            rel: it.rel.to_lowercase(),
            url: served.base.join(&it.target).ok(),
            raw: it.target,
            hreflang: it.hreflang.unwrap_or_default(),
        }));
    }
    links
}

/// Language versions whose code or address cannot be used.
pub(super) fn hreflang(served: &Served<'_>) -> Vec<Item> {
    let versions = all(served).into_iter().filter(|it| it.rel == "alternate" && !it.hreflang.is_empty());
    let mut items = Vec::new();
    for link in versions {
        let shown = format!("<link rel=\"alternate\" hreflang=\"{}\" href=\"{}\">", link.hreflang, link.raw);
        let absolute = ["http:", "https:"].iter().any(|it| link.raw.to_lowercase().starts_with(it));
        let reasons = [
            (!is_language(&link.hreflang)).then_some("its language is none"),
            (!absolute).then_some("its address is not absolute"),
        ];
        let reasons: Vec<&str> = reasons.into_iter().flatten().collect();
        if !reasons.is_empty() {
            items.push(item(shown, reasons.join("; ")));
        }
    }
    items
}

/// Whether the language of a code is in the registry; script and region are not looked at.
pub(super) fn is_language(code: &str) -> bool {
    if code.eq_ignore_ascii_case("x-default") {
        return true;
    }
    let language = code.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let letters: Vec<usize> =
        language.bytes().map_while(|it| it.is_ascii_lowercase().then(|| usize::from(it - b'a'))).collect();
    let place = match letters[..] {
        [a, b] if language.len() == 2 => a * 26 + b,
        [a, b, c] if language.len() == 3 => 26 * 26 + (a * 26 + b) * 26 + c,
        _ => return false,
    };
    SUBTAGS.get(place / 8).is_some_and(|byte| byte & (1 << (place % 8)) != 0)
}

/// What is wrong with the canonical; does not apply where there is none.
pub(super) fn canonical(served: &Served<'_>) -> Failed {
    let links = all(served);
    let named = || links.iter().filter(|it| it.rel == "canonical" && !it.raw.is_empty());
    let is_absolute = |link: &Link| Url::parse(link.raw.trim()).is_ok();
    if let Some(link) = named().rfind(|it| it.url.is_none()) {
        return Some(vec![item(&link.raw, "it is no address")]);
    }
    if let Some(link) = named().rfind(|it| !is_absolute(it)) {
        return Some(vec![item(&link.raw, "it is not absolute")]);
    }
    let targets: BTreeSet<&str> = named().filter_map(|it| it.url.as_ref().map(|url| url.as_str())).collect();
    let target = match targets.len() {
        0 => return None,
        1 => Url::parse(targets.first()?).ok()?,
        _ => {
            return Some(targets.into_iter().map(|it| item(it, "the page names more than one")).collect());
        }
    };
    let versions: BTreeSet<&str> = links
        .iter()
        .filter(|it| it.rel == "alternate" && !it.hreflang.is_empty())
        .filter_map(|it| it.url.as_ref().map(|url| url.as_str()))
        .collect();
    let base = served.base;
    if versions.contains(base.as_str()) && versions.contains(target.as_str()) && *base != target {
        return Some(vec![item(target.as_str(), "it is another language version of the page")]);
    }
    if target.origin() == base.origin() && target.path() == "/" && base.path() != "/" {
        return Some(vec![item(target.as_str(), "it is the home page")]);
    }
    Some(Vec::new())
}
