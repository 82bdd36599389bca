//! What people search for that pages are to answer: the keywords that are mapped to them.

use std::collections::HashMap;

use sdk::prelude::*;
use site::Site;

/// Keywords of a website that are read.
pub(crate) const MAX_KEYWORDS: usize = 200_000;

/// A keyword set of the module `keywords`.
#[foreign(collection = "keywords.sets", thing = "set", may_be_missing, index(site_id, folded))]
pub(crate) struct Set {
    pub(crate) site_id: String,
    pub(crate) folded: String,
}

/// The page that a keyword is mapped to.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Mapped {
    pub(crate) url: String,
}

/// A keyword of a set.
#[foreign(collection = "keywords.keywords", thing = "keyword", may_be_missing, index(set, normal))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Keyword {
    pub(crate) set: String,
    pub(crate) normal: String,
    pub(crate) target_url: Option<String>,
    pub(crate) mapped: Option<Mapped>,
    pub(crate) volume: Option<u64>,
    pub(crate) excluded: bool,
}

/// What people search for in a month.
pub(crate) struct Demand {
    /// By page, in its normal address: the sum over the keywords that are mapped to it, each keyword once.
    pub(crate) by_page: HashMap<String, u64>,
    /// Whether the website has more keywords than are read.
    pub(crate) cut: bool,
}

/// The demand for the pages of a website; `None` where no keyword with searches is mapped to one.
pub(crate) fn of(cx: &Cx, site: &Id<Site>) -> Option<Demand> {
    let mut volumes: HashMap<(String, String), u64> = HashMap::new();
    let (mut read, mut cut) = (0, false);
    for set in cx.records::<Set>().by("site_id_folded").equals(site).scan() {
        for row in cx.records::<Keyword>().by("set_normal").equals(&set.id).scan() {
            cut = read == MAX_KEYWORDS;
            if cut {
                break;
            }
            read += 1;
            let Keyword { normal, target_url, mapped, volume, excluded, .. } = row.into_inner();
            let (Some(url), Some(volume)) = (target_url.or(mapped.map(|it| it.url)), volume) else { continue };
            if !excluded && let Some(url) = kit::url::normalize(&url) {
                // Sets of several markets have the same keyword: the largest counts.
                let known = volumes.entry((url, normal)).or_default();
                *known = volume.max(*known);
            }
        }
    }
    let mut by_page: HashMap<String, u64> = HashMap::new();
    for ((url, _), volume) in volumes {
        *by_page.entry(url).or_default() += volume;
    }
    (!by_page.is_empty()).then_some(Demand { by_page, cut })
}
