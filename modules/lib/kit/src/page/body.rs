//! Headings, links, pictures, scripts, frames and forms.

use std::collections::HashSet;

use html5ever::Attribute;

use super::facts::PageFacts;
use super::head::resource;
use super::marks::tag;
use super::parts::{FormFact, Heading, Image, Link};
use super::read::resolved;
use super::structured::fill;
use super::walk::{Place, Walk};
use crate::dom::{NodeId, attribute};
use crate::text::{clip, collapse, collapse_to};
use crate::url::{LONGEST, is_local, normal, resolve, same_site};

/// The most links kept of a page.
pub const MOST_LINKS: usize = 22_000;
const MOST_HEADINGS: usize = 300;
const MOST_IMAGES: usize = 300;
const MOST_FORMS: usize = 20;

/// Elements whose text is being collected.
#[derive(Default)]
pub(super) struct Open {
    heading: Option<(NodeId, u8, String)>,
    link: Option<OpenLink>,
    internal: HashSet<String>,
    external: HashSet<String>,
}

struct OpenLink {
    owner: NodeId,
    link: Link,
    text: String,
    alt: String,
    label: String,
}

impl Open {
    /// Text inside whatever is open.
    pub(super) fn text(&mut self, text: &str) {
        if let Some((_, _, heading)) = &mut self.heading {
            heading.push_str(text);
        }
        if let Some(open) = &mut self.link
            && open.text.len() < 4_000
        {
            open.text.push_str(text);
        }
    }

    pub(super) fn count(self, facts: &mut PageFacts) {
        facts.link_counts.internal_distinct = u32::try_from(self.internal.len()).unwrap_or(u32::MAX);
        facts.link_counts.external_distinct = u32::try_from(self.external.len()).unwrap_or(u32::MAX);
    }
}

pub(super) fn enter(walk: &mut Walk<'_>, id: NodeId, name: &str, attrs: &[Attribute], place: Place) {
    match name {
        "a" | "area" => open_link(walk, id, attrs, place),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            walk.open.heading = Some((id, name.as_bytes()[1] - b'0', String::new()));
        }
        "br" => walk.open.text(" "),
        "img" => image(walk, attrs, place),
        "source" if !place.in_picture => media(walk, attrs),
        "video" | "audio" | "track" => media(walk, attrs),
        "iframe" | "frame" => {
            walk.facts.iframes += 1;
            let url = attribute(attrs, "src").and_then(|src| resolved(&walk.base, src));
            resource(walk, "frame", url, attrs, false);
        }
        "embed" | "object" => {
            let url =
                attribute(attrs, "src").or_else(|| attribute(attrs, "data")).and_then(|src| resolved(&walk.base, src));
            resource(walk, "object", url, attrs, false);
        }
        "form" => {
            let action = attribute(attrs, "action").filter(|action| !action.trim().is_empty());
            let action = action.map_or_else(|| normal(walk.address), |action| resolved(&walk.base, action));
            let post = attribute(attrs, "method").is_some_and(|it| it.trim().eq_ignore_ascii_case("post"));
            let form = FormFact { action: action.unwrap_or_default(), password: false, post };
            let forms = &mut walk.facts.forms;
            if forms.len() < MOST_FORMS {
                forms.push(form);
            } else if let Some(at) = forms.iter().position(|it| !is_open(&it.action)).filter(|_| is_open(&form.action))
            {
                // Of a page with many forms, those that send in the open are kept.
                forms.remove(at);
                forms.push(form);
            }
        }
        "input" | "button" => {
            let is_password = attribute(attrs, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("password"));
            let instead = attribute(attrs, "formaction").and_then(|action| resolved(&walk.base, action));
            if let Some(form) = walk.facts.forms.last_mut() {
                form.password |= is_password;
                // A button may send the form elsewhere (HTML 4.10.18.6); what is sent in the open counts.
                if let Some(instead) = instead.filter(|it| is_open(it)) {
                    form.action = instead;
                }
            }
        }
        "time" => match attribute(attrs, "itemprop") {
            Some("datePublished") => fill(&mut walk.facts.published, attribute(attrs, "datetime")),
            Some("dateModified") => fill(&mut walk.facts.modified, attribute(attrs, "datetime")),
            _ => {}
        },
        _ => {}
    }
}

/// Whether a form sends what is typed without encryption.
fn is_open(action: &str) -> bool {
    action.starts_with("http://")
}

pub(super) fn leave(walk: &mut Walk<'_>, id: NodeId) {
    if walk.open.heading.as_ref().is_some_and(|(owner, _, _)| *owner == id)
        && let Some((_, level, text)) = walk.open.heading.take()
    {
        walk.facts.heading_count += 1;
        walk.facts.h1_count += u32::from(level == 1);
        if walk.facts.headings.len() < MOST_HEADINGS {
            walk.facts.headings.push(Heading { level, text: collapse_to(&text, 300) });
        }
    }
    if walk.open.link.as_ref().is_some_and(|open| open.owner == id)
        && let Some(open) = walk.open.link.take()
    {
        close_link(walk.facts, open);
    }
}

fn open_link(walk: &mut Walk<'_>, id: NodeId, attrs: &[Attribute], place: Place) {
    let Some(href) = attribute(attrs, "href") else { return };
    let href = href.trim();
    let counts = &mut walk.facts.link_counts;
    let markup = &mut walk.facts.markup;
    let written = || tag("a", attrs);
    let scheme = href.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(scheme.as_str(), "mailto" | "tel" | "sms" | "data" | "blob" | "whatsapp" | "skype" | "geo")
        && href.contains(':')
    {
        return;
    }
    let Some(target) = resolve(&walk.base, href) else {
        counts.uncrawlable += 1;
        markup.note("uncrawlable", written);
        return;
    };
    // It leads to the page itself, which nobody means.
    if href.is_empty() {
        counts.uncrawlable += 1;
        markup.note("uncrawlable", written);
    }
    let Some(url) = normal(&target).filter(|url| url.len() <= LONGEST) else {
        counts.uncrawlable += 1;
        markup.note("uncrawlable", written);
        return;
    };
    let internal = same_site(walk.address, &target);
    let rel = attribute(attrs, "rel").map(|rel| collapse(rel).to_ascii_lowercase()).unwrap_or_default();
    let link = Link {
        href: clip(href, 2_048).to_owned(),
        url,
        anchor: String::new(),
        rel,
        placement: place.placement,
        internal,
        image: false,
        fragment: target.fragment().filter(|part| !part.is_empty()).map(|part| clip(part, 300).to_owned()),
        blank: attribute(attrs, "target").is_some_and(|target| target.eq_ignore_ascii_case("_blank")),
    };
    if internal {
        counts.internal += 1;
        if link.nofollow() {
            counts.internal_nofollow += 1;
            markup.note("internal_nofollow", written);
        }
        if target.query().is_some_and(|query| query.starts_with("utm_") || query.contains("&utm_")) {
            markup.links_tracked += 1;
            markup.link_tracked.get_or_insert_with(|| clip(href, 300).to_owned());
        }
        if target.scheme() == "http" && walk.address.scheme() == "https" {
            counts.insecure += 1;
            markup.note("insecure", written);
        }
        if !walk.open.internal.contains(&link.url) {
            walk.open.internal.insert(link.url.clone());
        }
    } else {
        counts.external += 1;
        counts.external_nofollow += u32::from(link.nofollow());
        if !walk.open.external.contains(&link.url) {
            walk.open.external.insert(link.url.clone());
        }
        if is_local(&target) && !is_local(walk.address) {
            counts.local += 1;
            markup.note("local", written);
        }
    }
    counts.same_page += u32::from(href.starts_with('#'));
    if walk.facts.byline_markup.is_none() && link.rel.split(' ').any(|token| token == "author") {
        walk.facts.byline_markup =
            attribute(attrs, "title").map(|title| collapse_to(title, 120)).filter(|title| !title.is_empty());
    }
    let label =
        attribute(attrs, "aria-label").or_else(|| attribute(attrs, "title")).or_else(|| attribute(attrs, "alt"));
    let label = label.map(|label| collapse_to(label, 200)).unwrap_or_default();
    walk.open.link = Some(OpenLink { owner: id, link, text: String::new(), alt: String::new(), label });
}

fn close_link(facts: &mut PageFacts, open: OpenLink) {
    let OpenLink { mut link, text, alt, label, .. } = open;
    link.anchor = collapse_to(&text, 200);
    if link.anchor.is_empty() {
        link.image = !alt.is_empty();
        link.anchor = if alt.is_empty() { label } else { collapse_to(&alt, 200) };
    }
    if link.anchor.is_empty() {
        facts.link_counts.empty_anchor += 1;
        facts.markup.note("empty_anchor", || format!("<a href=\"{}\">", clip(&link.href, 180)));
    }
    if link.rel.split(' ').any(|token| token == "author") && facts.byline_markup.is_none() && !link.anchor.is_empty() {
        facts.byline_markup = Some(link.anchor.clone());
    }
    if facts.links.len() < MOST_LINKS {
        facts.links.push(link);
    }
}

fn image(walk: &mut Walk<'_>, attrs: &[Attribute], place: Place) {
    if place.in_noscript {
        return;
    }
    let alt = attribute(attrs, "alt").map(|alt| collapse_to(alt, 300));
    if let Some(alt) = &alt {
        if let Some(open) = &mut walk.open.link {
            open.alt.push_str(alt);
            open.alt.push(' ');
        }
        if let Some((_, _, heading)) = &mut walk.open.heading {
            heading.push_str(alt);
        }
    }
    let srcset = attribute(attrs, "srcset");
    let written = attribute(attrs, "src").map(str::trim).filter(|src| !src.is_empty());
    let written = written.or_else(|| srcset.and_then(|set| set.split_whitespace().next())).unwrap_or_default();
    let src = match written {
        // An empty reference is the page itself, which is no picture.
        "" => String::new(),
        data if data.starts_with("data:") => "data:".to_owned(),
        written => resolved(&walk.base, written).unwrap_or_default(),
    };
    walk.note_insecure(&src);
    let pixels = |name| attribute(attrs, name).and_then(|value| value.trim().trim_end_matches("px").parse().ok());
    let image = Image {
        src,
        width: pixels("width"),
        height: pixels("height"),
        loading: attribute(attrs, "loading").map(str::to_ascii_lowercase),
        linked: walk.open.link.is_some(),
        responsive: srcset.is_some() || place.in_picture,
        alt,
    };
    walk.facts.image_count += 1;
    walk.facts.images_without_alt += u32::from(image.alt.is_none());
    walk.facts.images_without_size += u32::from(image.width.is_none() || image.height.is_none());
    if walk.facts.images.len() < MOST_IMAGES {
        walk.facts.images.push(image);
    }
}

fn media(walk: &mut Walk<'_>, attrs: &[Attribute]) {
    let url = attribute(attrs, "src").and_then(|src| resolved(&walk.base, src));
    resource(walk, "media", url, attrs, false);
}

pub(super) fn script(walk: &mut Walk<'_>, attrs: &[Attribute], place: Place) {
    let Some(src) = attribute(attrs, "src") else { return };
    let deferred = attribute(attrs, "async").is_some()
        || attribute(attrs, "defer").is_some()
        || attribute(attrs, "type").is_some_and(|kind| kind == "module");
    let url = resolved(&walk.base, src);
    resource(walk, "script", url, attrs, !place.in_body && !deferred);
}

impl Walk<'_> {
    /// Notes an address that a secure page fetches in the clear.
    pub(super) fn note_insecure(&mut self, url: &str) {
        let list = &mut self.facts.mixed_content;
        if self.address.scheme() == "https"
            && url.starts_with("http:")
            && list.len() < 50
            && !list.iter().any(|known| known == url)
        {
            list.push(url.to_owned());
        }
    }
}
