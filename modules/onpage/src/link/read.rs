//! The references of a page as they are written.

use kit::url::{Url as Address, is_local, normal, resolve, same_site};

use crate::live::Live;

/// A link as written.
pub(crate) struct Reference {
    pub(crate) href: String,
    pub(crate) target: Option<String>,
    pub(crate) anchor: String,
    pub(crate) rel: Vec<String>,
    pub(crate) internal: bool,
    pub(super) fragment: Option<String>,
    pub(super) local: bool,
    pub(super) insecure: bool,
    pub(super) other_scheme: bool,
}

/// Every `a` and `area` of a page that is meant as a link, in document order.
pub(crate) fn references(page: &Live) -> Vec<Reference> {
    let Ok(own) = Address::parse(&page.facts.final_url) else { return Vec::new() };
    let dom = &page.dom;
    let links = dom.descendants(0).filter(|id| matches!(dom.name(*id), "a" | "area"));
    let mut out = Vec::new();
    for id in links {
        let href = dom.attribute(id, "href");
        // An `a` without href and without a script is an anchor to link to, not a link.
        if href.is_none() && dom.attribute(id, "onclick").is_none() {
            continue;
        }
        let href = href.unwrap_or_default().trim();
        let scheme = href.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let other_scheme = href.contains(':')
            && matches!(scheme.as_str(), "mailto" | "tel" | "sms" | "data" | "blob" | "whatsapp" | "skype" | "geo");
        let resolved = if href.is_empty() { None } else { resolve(&page.base, href) };
        let alt = dom.descendants(id).filter(|it| dom.name(*it) == "img").find_map(|it| dom.attribute(it, "alt"));
        let text = dom.text(id);
        let label = [
            Some(text.as_str()),
            alt,
            dom.attribute(id, "aria-label"),
            dom.attribute(id, "title"),
            dom.attribute(id, "alt"),
        ];
        let anchor = label.into_iter().flatten().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
        out.push(Reference {
            href: kit::text::clip(href, 2_048).to_owned(),
            target: resolved.as_ref().and_then(normal),
            anchor: kit::text::collapse_to(anchor, 200),
            rel: dom
                .attribute(id, "rel")
                .map(|it| it.to_ascii_lowercase().split_ascii_whitespace().map(str::to_owned).collect())
                .unwrap_or_default(),
            internal: resolved.as_ref().is_none_or(|it| same_site(&own, it)),
            fragment: resolved.as_ref().and_then(|it| it.fragment().map(str::to_owned)).filter(|it| !it.is_empty()),
            local: resolved.as_ref().is_some_and(is_local) && !is_local(&own),
            insecure: resolved.as_ref().is_some_and(|it| it.scheme() == "http") && own.scheme() == "https",
            other_scheme,
        });
    }
    out
}
