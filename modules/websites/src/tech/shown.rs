//! What an answer shows of the technologies behind it, and whether it shows a sign.

use std::collections::{BTreeMap, BTreeSet};

use kit::dom::{Data, Dom};

use super::mark::{Place, Sign};

/// Bytes of scripts on the page that are looked through.
const SCRIPTS: usize = 256 << 10;
/// Addresses kept of each kind.
const ADDRESSES: usize = 400;
/// Ids, classes and attributes kept of each kind.
const NAMES: usize = 4_000;
/// Characters of a value in evidence.
const VALUE: usize = 160;

/// What an answer shows.
#[derive(Default)]
pub(crate) struct Shown {
    headers: Vec<(String, String)>,
    cookies: BTreeSet<String>,
    scripts: Vec<Address>,
    links: Vec<Address>,
    embeds: Vec<Address>,
    metas: Vec<(String, String)>,
    ids: BTreeSet<String>,
    classes: BTreeSet<String>,
    attributes: BTreeMap<String, String>,
    inline: String,
}

/// An address as it stands in the page, and in small letters.
struct Address {
    written: String,
    folded: String,
}

/// A sign that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Where: `header server`, `cookie`, `script src`, ….
    pub(crate) place: String,
    /// The value, shortened.
    pub(crate) value: String,
    /// The version that it tells.
    pub(crate) version: Option<String>,
}

impl Shown {
    /// Reads the headers and the tree of a page. Of cookies only the names are kept.
    pub(crate) fn of(headers: &[(String, String)], dom: &Dom) -> Self {
        let mut shown = Self::default();
        for (name, value) in headers {
            let name = name.to_ascii_lowercase();
            if name == "set-cookie" {
                shown.cookies.extend(value.split('=').next().map(|it| it.trim().to_owned()));
            } else {
                shown.headers.push((name, value.clone()));
            }
        }
        for node in dom.descendants(0) {
            if let Data::Element { name, .. } = &dom.node(node).data {
                shown.element(dom, node, &name.local);
            }
        }
        shown
    }

    fn element(&mut self, dom: &Dom, node: kit::dom::NodeId, name: &str) {
        let of = |attribute: &str| dom.attribute(node, attribute);
        match name {
            "script" => match of("src") {
                Some(src) => keep(&mut self.scripts, src),
                None if self.inline.len() < SCRIPTS => {
                    self.inline.push_str(kit::text::clip(&dom.own_text(node), SCRIPTS));
                    self.inline.push('\n');
                }
                None => {}
            },
            "link" => of("href").into_iter().for_each(|it| keep(&mut self.links, it)),
            "img" | "iframe" => of("src").into_iter().for_each(|it| keep(&mut self.embeds, it)),
            "meta" => {
                let called = of("name").or_else(|| of("property")).or_else(|| of("http-equiv"));
                if let (Some(called), Some(content)) = (called, of("content"))
                    && self.metas.len() < ADDRESSES
                {
                    self.metas.push((called.trim().to_ascii_lowercase(), content.trim().to_owned()));
                }
            }
            _ => {}
        }
        for attribute in dom.attributes(node) {
            match &*attribute.name.local {
                "id" if self.ids.len() < NAMES => drop(self.ids.insert(attribute.value.to_string())),
                "class" if self.classes.len() < NAMES => {
                    self.classes.extend(attribute.value.split_whitespace().map(str::to_owned));
                }
                "id" | "class" | "src" | "href" | "content" | "style" => {}
                other if self.attributes.len() < NAMES => {
                    self.attributes.entry(other.to_owned()).or_insert_with(|| attribute.value.to_string());
                }
                _ => {}
            }
        }
    }

    /// The proof of a sign; none when the page does not show it.
    pub(crate) fn shows(&self, sign: &Sign) -> Option<Seen> {
        let (place, value) = match sign.place {
            Place::Header(name) => {
                let holds = |(called, value): &&(String, String)| called == name && within(value, sign.needle);
                let (_, value) = self.headers.iter().find(holds)?;
                (format!("header {name}"), value.clone())
            }
            Place::Cookie => ("cookie".to_owned(), named(&self.cookies, sign.needle)?),
            Place::Script => ("script src".to_owned(), address(&self.scripts, sign)?),
            Place::Link => ("link href".to_owned(), address(&self.links, sign)?),
            Place::Embed => ("img or iframe src".to_owned(), address(&self.embeds, sign)?),
            Place::Meta(name) => {
                let begins = |(called, value): &&(String, String)| called == name && begins(value, sign.needle);
                let (_, value) = self.metas.iter().find(begins)?;
                (format!("meta {name}"), value.clone())
            }
            Place::Id => ("id".to_owned(), named(&self.ids, sign.needle)?),
            Place::Class => ("class".to_owned(), named(&self.classes, sign.needle)?),
            Place::Attribute => {
                let value = self.attributes.get(sign.needle)?;
                (format!("attribute {}", sign.needle), value.clone())
            }
            Place::Inline => {
                let at = self.inline.find(sign.needle)?;
                ("inline script".to_owned(), kit::text::clip(&self.inline[at..], VALUE).to_owned())
            }
        };
        let version = sign.version.and_then(|after| version(&value, after));
        Some(Seen { place, value: kit::text::clip(&value, VALUE).to_owned(), version })
    }
}

fn keep(addresses: &mut Vec<Address>, written: &str) {
    if addresses.len() < ADDRESSES && !written.is_empty() && !written.starts_with("data:") {
        addresses.push(Address { written: written.to_owned(), folded: written.to_ascii_lowercase() });
    }
}

fn address(addresses: &[Address], sign: &Sign) -> Option<String> {
    addresses.iter().find(|it| it.folded.contains(sign.needle)).map(|it| it.written.clone())
}

fn within(value: &str, needle: &str) -> bool {
    value.to_ascii_lowercase().contains(needle)
}

fn begins(value: &str, needle: &str) -> bool {
    value.get(..needle.len()).is_some_and(|start| start.eq_ignore_ascii_case(needle))
}

/// A name, or with a star the first that begins so.
fn named(names: &BTreeSet<String>, needle: &str) -> Option<String> {
    match needle.strip_suffix('*') {
        None => names.get(needle).cloned(),
        Some(start) => names.range(start.to_owned()..).next().filter(|name| name.starts_with(start)).cloned(),
    }
}

/// The version that follows a text: digits and points, perhaps after a space, a `v` or a slash.
/// An empty text stands for the beginning of the value.
fn version(value: &str, after: &str) -> Option<String> {
    let folded = value.to_ascii_lowercase();
    let at = folded.find(&after.to_ascii_lowercase())? + after.len();
    let rest = value.get(at..)?.trim_start_matches([' ', '/', ',', '@', '=', '"', '\'']);
    let rest = rest.strip_prefix(['v', 'V']).unwrap_or(rest);
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
    let found = rest[..end].trim_matches('.');
    (found.starts_with(|it: char| it.is_ascii_digit()) && found.len() <= 20).then(|| found.to_owned())
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_is_read_where_it_follows_and_nowhere_else() {
        let read = |value: &str, after: &str| version(value, after).unwrap_or_default();
        assert_eq!(read("WordPress 6.8.1", "WordPress"), "6.8.1");
        assert_eq!(read("nginx/1.18.0 (Ubuntu)", "nginx"), "1.18.0");
        assert_eq!(read("/js/jquery-3.7.1.min.js", "jquery-"), "3.7.1");
        assert_eq!(read("Hugo v0.120", "Hugo"), "0.120");
        assert_eq!(read("Sphinx", "Sphinx"), "");
        assert_eq!(read("WordPress.com", "WordPress"), "");
        assert_eq!(read("TYPO3 CMS", "TYPO3"), "");
    }
}
