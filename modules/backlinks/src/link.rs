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
    /// Any of those that ask not to be followed.
    pub(crate) const UNFOLLOWED: u16 = NOFOLLOW | UGC | SPONSORED;
}

/// The names of the tools that know a link.
pub(crate) fn tool_names(link: &Link) -> impl Iterator<Item = &'static str> {
    let tools = link.tools;
    TOOLS.iter().enumerate().filter(move |(at, _)| tools & (1 << at) != 0).map(|(_, name)| *name)
}

/// The attributes that ask not to follow a link, by their names in `rel`.
pub(crate) fn rels(flags: u16) -> impl Iterator<Item = &'static str> {
    const NAMES: [(u16, &str); 3] = [(flag::NOFOLLOW, "nofollow"), (flag::UGC, "ugc"), (flag::SPONSORED, "sponsored")];
    NAMES.iter().filter(move |it| flags & it.0 != 0).map(|it| it.1)
}

/// Whether two texts of links are the same but for case and white space.
pub(crate) fn same_text(a: &str, b: &str) -> bool {
    let folded = |text: &str| kit::text::collapse(&text.to_lowercase());
    folded(a) == folded(b)
}

/// A day that is not known.
pub(crate) const NO_DAY: i32 = i32::MIN;

/// A tool that links come from.
pub(crate) const TOOLS: [&str; 8] = ["gsc", "bing", "ahrefs", "semrush", "moz", "majestic", "other", "dataforseo"];

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
    /// The rating of the linking domain by Ahrefs (DR), Semrush (AS), Moz (DA), Majestic (TF) and DataForSEO (rank), each 0 to 100.
    pub(crate) ratings: [Option<u8>; 5],
    /// Bytes of its registrable domain, which its host ends with; 0 where that was not looked up.
    #[serde(skip)]
    pub(crate) domain_bytes: usize,
}

impl Link {
    pub(crate) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Whether it hands anything on, as far as its attributes say.
    pub(crate) fn is_followed(&self) -> bool {
        !self.has(flag::UNFOLLOWED)
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost != NO_DAY
    }

    /// The registrable domain of the page that links; its host where it has none.
    pub(crate) fn domain(&self) -> &str {
        match self.domain_bytes {
            0 => registrable(&self.source),
            bytes => {
                let host = host(&self.source);
                &host[host.len() - bytes..]
            }
        }
    }

    /// Looks its domain up, once for all links of a host: `last` is the host of the link before, and what was found.
    pub(crate) fn look_up_domain(&mut self, last: &mut (String, usize)) {
        let host = host(&self.source);
        if last.0 != host {
            *last = (host.to_owned(), self.domain().len());
        }
        self.domain_bytes = last.1;
    }

    /// What it is sorted and merged by.
    pub(crate) fn key(&self) -> (&str, &str) {
        (bare(&self.source), bare(&self.target))
    }

    /// A short name for it that stays: 64 bits over its key (FNV-1a; two of a million links share one with a probability of one in
    /// 30 million).
    pub(crate) fn reference(&self) -> String {
        let (source, target) = self.key();
        let bytes = source.bytes().chain([0]).chain(target.bytes());
        let hash =
            bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        format!("{hash:016x}")
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

/// Whether an address is of the website, or of a host below its domain.
pub(crate) fn is_own(site: &site::Site, url: &str) -> bool {
    let own = host(&site.origin);
    let own = kit::url::registrable_domain(own).unwrap_or(own);
    let of = host(url);
    site.has(url) || of.strip_suffix(own).is_some_and(|it| it.is_empty() || it.ends_with('.'))
}

/// The registrable domain of an address; its host where it has none.
pub(crate) fn registrable(url: &str) -> &str {
    let host = host(url);
    kit::url::registrable_domain(host).unwrap_or(host)
}
