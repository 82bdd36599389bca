//! What shows who runs a domain: ids in its pages, how they are built, where it is hosted and named, and when it began to link.

use kit::dom::Dom;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

/// Depth of the paths of elements that make a fingerprint.
const DEPTH: usize = 6;
/// Elements below which a page says nothing of its template.
const FEWEST: usize = 30;
/// Elements that are read.
const MOST: usize = 5_000;

/// What is known of a domain.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    pub(crate) domain: String,
    /// The page that was read; its host is looked up.
    pub(crate) page: String,
    pub(crate) ids: Vec<String>,
    pub(crate) fingerprint: Option<u64>,
    /// Networks of its addresses: /24 and /48.
    pub(crate) networks: Vec<String>,
    /// Its name servers, sorted, as one key.
    pub(crate) servers: Vec<String>,
    /// Targets with the 3 days in which it first linked to each.
    pub(crate) timing: Vec<(u64, i32)>,
    /// Whether its page, and its names, could be looked at.
    pub(crate) was_read: bool,
    pub(crate) was_named: bool,
}

/// A kind of evidence.
#[value]
pub(crate) enum Kind {
    /// An id of analytics, advertising or a tag manager in the page.
    Id,
    /// The template of the page: the order of its elements.
    Template,
    /// The network of its address: /24, or /48 of IPv6.
    Address,
    /// Its set of name servers.
    NameServers,
    /// The same target linked to first within the same 3 days.
    Timing,
}

impl Kind {
    /// How much a shared key of the kind weighs.
    pub(crate) const fn weight(self) -> f64 {
        match self {
            Self::Id => 1.0,
            Self::Template => 0.6,
            Self::Address => 0.4,
            Self::NameServers => 0.3,
            Self::Timing => 0.2,
        }
    }
}

/// The ids of analytics, advertising and tag managers in a page: Universal Analytics by its account, Analytics 4, Tag Manager,
/// AdSense.
pub(crate) fn ids(html: &str) -> Vec<String> {
    const MARKS: [(&str, usize, usize); 4] = [("UA-", 4, 10), ("G-", 8, 12), ("GTM-", 4, 9), ("pub-", 10, 20)];
    let mut found: Vec<String> = Vec::new();
    for (mark, fewest, most) in MARKS {
        for (at, _) in html.match_indices(mark) {
            let before = html[..at].chars().next_back();
            let is_inside = |it: char| it.is_ascii_alphanumeric() || it == '-' && mark != "pub-";
            if before.is_some_and(is_inside) {
                continue;
            }
            let digits_only = matches!(mark, "UA-" | "pub-");
            let fits = |it: &char| {
                if digits_only { it.is_ascii_digit() } else { it.is_ascii_uppercase() || it.is_ascii_digit() }
            };
            let rest = &html[at + mark.len()..];
            let id: String = rest.chars().take_while(fits).take(most + 1).collect();
            let after = rest[id.len()..].chars().next();
            let is_cut = after.is_some_and(|it| it.is_ascii_alphanumeric());
            let has_digit = id.chars().any(|it| it.is_ascii_digit());
            if (fewest..=most).contains(&id.len()) && !is_cut && has_digit {
                found.push(format!("{mark}{id}"));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The fingerprint of a template: a `SimHash` over runs of three paths of elements, names of classes left aside. None for a page
/// with too few elements.
pub(crate) fn fingerprint(dom: &Dom) -> Option<u64> {
    let mut paths: Vec<u64> = Vec::new();
    let root = dom.elements("html").next()?;
    for node in dom.descendants(root).filter(|it| !dom.name(*it).is_empty()).take(MOST) {
        let above: Vec<&str> = dom.ancestors(node).map(|it| dom.name(it)).filter(|it| !it.is_empty()).collect();
        if above.len() >= DEPTH {
            continue;
        }
        let names = above.into_iter().rev().chain([dom.name(node)]);
        paths.push(crate::given::hash(&names.collect::<Vec<_>>().join(">")));
    }
    if paths.len() < FEWEST {
        return None;
    }
    let mut runs: Vec<u64> = paths.windows(3).map(|it| crate::given::hash(&it)).collect();
    runs.sort_unstable();
    runs.dedup();
    Some(kit::simhash::of_features(runs.into_iter()))
}

/// The network of an address: /24 of IPv4, /48 of IPv6.
pub(crate) fn network(address: &str) -> Option<String> {
    match address.parse().ok()? {
        std::net::IpAddr::V4(it) => {
            let [a, b, c, _] = it.octets();
            Some(format!("{a}.{b}.{c}.0/24"))
        }
        std::net::IpAddr::V6(it) => {
            let [a, b, c, ..] = it.segments();
            Some(format!("{a:x}:{b:x}:{c:x}::/48"))
        }
    }
}
