//! One link from another website, as it is stored and merged.

use serde::{Deserialize, Serialize};

/// What is known of a link beside its text, as bits.
pub(crate) mod flag {
    pub(crate) const NOFOLLOW: u16 = 1;
    pub(crate) const UGC: u16 = 2;
    pub(crate) const SPONSORED: u16 = 4;
    pub(crate) const IMAGE: u16 = 8;
    pub(crate) const REDIRECT: u16 = 16;
    pub(crate) const FRAME: u16 = 32;
    pub(crate) const FORM: u16 = 64;
    pub(crate) const CANONICAL: u16 = 128;
    pub(crate) const SPAM: u16 = 256;
}

/// A day that is not known.
pub(crate) const NO_DAY: i32 = i32::MIN;

/// A tool that links come from.
pub(crate) const TOOLS: [&str; 7] = ["gsc", "bing", "ahrefs", "semrush", "moz", "majestic", "other"];

/// One link.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Link {
    /// The page that links, normalised.
    pub(crate) source: String,
    /// The own page that it leads to, normalised; empty where nobody said it.
    pub(crate) target: String,
    pub(crate) anchor: String,
    pub(crate) title: String,
    pub(crate) language: String,
    pub(crate) flags: u16,
    /// Days since 1970: first seen, last seen, lost; [`NO_DAY`] for one that is not known.
    pub(crate) first: i32,
    pub(crate) last: i32,
    pub(crate) lost: i32,
    /// The tools that know it, as bits in the order of [`TOOLS`].
    pub(crate) tools: u8,
    /// Links to other websites on the page, where a tool says it.
    pub(crate) external: Option<u32>,
    /// The status of the page, where a tool says it.
    pub(crate) status: Option<u16>,
    /// The rating of the linking domain by Ahrefs (DR), Semrush (AS), Moz (DA) and Majestic (TF), each 0 to 100.
    pub(crate) ratings: [Option<u8>; 4],
}

impl Link {
    pub(crate) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Whether it hands anything on, as far as its attributes say.
    pub(crate) fn is_followed(&self) -> bool {
        !self.has(flag::NOFOLLOW | flag::UGC | flag::SPONSORED)
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost != NO_DAY
    }

    /// The registrable domain of the page that links; its host where it has none.
    pub(crate) fn domain(&self) -> &str {
        let host = host(&self.source);
        kit::url::registrable_domain(host).unwrap_or(host)
    }

    /// What it is sorted and merged by.
    pub(crate) fn key(&self) -> (&str, &str) {
        (bare(&self.source), bare(&self.target))
    }

    /// The names of the tools that know it.
    pub(crate) fn tool_names(&self) -> Vec<String> {
        let known = TOOLS.iter().enumerate().filter(|(at, _)| self.tools & (1 << at) != 0);
        known.map(|(_, name)| (*name).to_owned()).collect()
    }

    /// Joins what another file says of the same link. The flags, text and title of the one that was seen last hold; an older one
    /// never makes a lost link live.
    pub(crate) fn join(&mut self, other: Self) {
        let newer = other.last >= self.last;
        let (first, last) = (earliest(self.first, other.first), self.last.max(other.last));
        let tools = self.tools | other.tools;
        let mut ratings = self.ratings;
        for (own, theirs) in ratings.iter_mut().zip(other.ratings) {
            if theirs.is_some() && (newer || own.is_none()) {
                *own = theirs;
            }
        }
        if newer {
            let kept = std::mem::take(self);
            *self = other;
            self.anchor = chosen(std::mem::take(&mut self.anchor), kept.anchor);
            self.title = chosen(std::mem::take(&mut self.title), kept.title);
            self.language = chosen(std::mem::take(&mut self.language), kept.language);
            self.target = chosen(std::mem::take(&mut self.target), kept.target);
            self.external = self.external.or(kept.external);
            self.status = self.status.or(kept.status);
            // A list of live links does not know when others were lost.
            if kept.lost != NO_DAY && kept.lost >= self.last {
                self.lost = self.lost.max(kept.lost);
            }
        } else {
            self.anchor = chosen(std::mem::take(&mut self.anchor), other.anchor);
            self.title = chosen(std::mem::take(&mut self.title), other.title);
            self.language = chosen(std::mem::take(&mut self.language), other.language);
        }
        (self.first, self.last, self.tools, self.ratings) = (first, last, tools, ratings);
    }
}

fn chosen(first: String, second: String) -> String {
    if first.is_empty() { second } else { first }
}

fn earliest(a: i32, b: i32) -> i32 {
    match (a, b) {
        (NO_DAY, known) | (known, NO_DAY) => known,
        _ => a.min(b),
    }
}

/// An address without its scheme and `www.`: the same page under another spelling is the same page.
pub(crate) fn bare(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |it| it.1);
    rest.strip_prefix("www.").unwrap_or(rest)
}

/// The host of an address.
pub(crate) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |it| it.1);
    let end = rest.find(['/', '?', '#', ':']).unwrap_or(rest.len());
    &rest[..end]
}
