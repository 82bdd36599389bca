//! `ai_visibility.citation.*`: the sources that answers cite.

pub(crate) mod kinds;
pub(crate) mod list;
pub(crate) mod state;

use sdk::Degraded;
use sdk::prelude::*;
use site::Site;

use crate::brand::BrandSet;
use crate::measured::begins;
use crate::stored::Citation;

/// Citations that one report reads.
const MOST: usize = 20_000;

/// The citations of a period.
pub(crate) fn of_period(
    cx: &Cx,
    site: &Stored<Site>,
    from: Day,
    to: Day,
    degraded: &mut Vec<Degraded>,
) -> Vec<Stored<Citation>> {
    let query = cx.records::<Citation>().by("site_id_at_ms").equals(&site.id);
    let query = query.at_least(begins(from)).below(begins(to.plus(1))).descending();
    let all: Vec<Stored<Citation>> = query.scan().take(MOST).collect();
    if all.len() == MOST {
        degraded.push(Degraded::new("citations", "the newest 20,000 citations of the period are read"));
    }
    all
}

/// The domains of the website and of each competitor, with the brand's name.
pub(crate) struct Domains {
    pub(crate) own: Vec<String>,
    pub(crate) others: Vec<(String, String)>,
}

impl Domains {
    /// Those of the brands that are set, and the website's own.
    pub(crate) fn of(cx: &Cx, site: &Stored<Site>) -> Self {
        let set = cx.records::<BrandSet>().find(&site.id.cast()).map(Stored::into_inner);
        let brands = set.map(|it| it.brands).unwrap_or_default();
        let mut own: Vec<String> = brands.iter().filter(|it| it.own).flat_map(|it| it.domains.clone()).collect();
        own.push(site.domain.clone());
        let others = brands
            .iter()
            .filter(|it| !it.own)
            .flat_map(|brand| brand.domains.iter().map(|domain| (domain.clone(), brand.name.clone())))
            .collect();
        Self { own, others }
    }

    /// Whether an address is the website's.
    pub(crate) fn is_own(&self, url: &str) -> bool {
        self.own.iter().any(|domain| crate::run::work::tally::is_of(url, domain))
    }

    /// The competitor that an address belongs to.
    pub(crate) fn competitor(&self, url: &str) -> Option<&str> {
        let of = |it: &&(String, String)| crate::run::work::tally::is_of(url, &it.0);
        self.others.iter().find(of).map(|it| it.1.as_str())
    }
}
