//! What a page's links and media say: the trail to it, its video, the profiles of whom it is about.

use kit::dom::{Data, NodeId};
use serde_json::Value;

use super::place::selector;
use super::{Fact, Visible};

/// Hosts of profiles: what links to them from a page about somebody is theirs.
const PROFILES: &[&str] = &[
    "facebook.com",
    "instagram.com",
    "linkedin.com",
    "x.com",
    "twitter.com",
    "youtube.com",
    "tiktok.com",
    "pinterest.com",
    "github.com",
    "gitlab.com",
    "mastodon.social",
    "bsky.app",
    "threads.net",
    "xing.com",
    "wikipedia.org",
    "wikidata.org",
    "crunchbase.com",
    "trustpilot.com",
    "yelp.com",
    "medium.com",
    "vimeo.com",
    "reddit.com",
    "t.me",
    "discord.gg",
];

/// A step of a trail: its name, and its address where it has one.
pub(crate) type Step = (String, Option<String>);

impl Visible<'_> {
    /// The steps of a trail: names with addresses, the page itself last perhaps without one.
    pub(crate) fn trail(&self) -> Option<(Vec<Step>, String)> {
        let dom = self.dom();
        let root = self.elements().find(|id| {
            let says =
                |name: &str| dom.attribute(*id, name).is_some_and(|it| it.to_ascii_lowercase().contains("breadcrumb"));
            matches!(dom.name(*id), "nav" | "ol" | "ul" | "div" | "p")
                && (says("class") || says("aria-label") || says("id"))
        })?;
        let mut steps: Vec<Step> = Vec::new();
        for id in dom.descendants(root) {
            let linked = dom.ancestors(id).take_while(|it| *it != root).any(|it| dom.name(it) == "a");
            match &dom.node(id).data {
                Data::Element { .. } if dom.name(id) == "a" => {
                    let name = dom.text(id);
                    if !name.is_empty() {
                        steps.push((name, self.address(id, "href")));
                    }
                }
                Data::Text(part) if !linked => {
                    let name = part
                        .trim_matches(|it: char| it.is_whitespace() || matches!(it, '/' | '>' | '›' | '»' | '→' | '|'));
                    if name.chars().any(char::is_alphanumeric) {
                        steps.push((kit::text::collapse(name), None));
                    }
                }
                _ => {}
            }
        }
        steps.truncate(12);
        (steps.len() >= 2).then(|| (steps, selector(dom, root)))
    }

    /// A video: where it is played from, and its picture.
    pub(crate) fn video(&self) -> Option<(&'static str, Fact, Option<Fact>)> {
        let dom = self.dom();
        for id in self.elements() {
            match dom.name(id) {
                "video" => {
                    let source = dom.descendants(id).find(|it| dom.name(*it) == "source");
                    let address = self.address(id, "src").or_else(|| self.address(source?, "src"));
                    if let Some(address) = address {
                        return Some((
                            "contentUrl",
                            self.fact(id, address),
                            self.address(id, "poster").map(|it| self.fact(id, it)),
                        ));
                    }
                }
                "iframe" => {
                    let address = self.address(id, "src").unwrap_or_default();
                    if ["youtube.com/embed", "youtube-nocookie.com/embed", "player.vimeo.com"]
                        .iter()
                        .any(|it| address.contains(it))
                    {
                        return Some(("embedUrl", self.fact(id, address), None));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Addresses of profiles that the content links to.
    pub(crate) fn profiles(&self) -> Option<Fact> {
        let dom = self.dom();
        let links: Vec<(NodeId, String)> = self
            .elements()
            .filter(|id| {
                dom.name(*id) == "a" && dom.ancestors(*id).any(|it| matches!(dom.name(it), "main" | "article"))
            })
            .filter_map(|id| Some((id, self.address(id, "href")?)))
            .filter(|(_, url)| is_profile(url))
            .take(20)
            .collect();
        let first = links.first()?.0;
        Some(self.fact(first, links.into_iter().map(|(_, url)| Value::from(url)).collect::<Vec<_>>()))
    }
}

/// Whether an address is one of a profile.
pub(crate) fn is_profile(url: &str) -> bool {
    let Ok(parsed) = kit::url::Url::parse(url) else { return false };
    let host = kit::url::bare_host(&parsed);
    let known = PROFILES.iter().any(|it| host == *it || host.ends_with(&format!(".{it}")));
    let shares = ["/share", "/intent", "/sharer", "/dialog"].iter().any(|it| parsed.path().starts_with(it));
    known && parsed.path().len() > 1 && !shares
}
