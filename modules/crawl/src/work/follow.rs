//! Where a page leads beside its links: a redirect, its canonical, and the addresses that its head names.

use std::collections::BTreeSet;

use kit::crawled::{Found, PageRecord};
use kit::page::Place;
use kit::url::{Url, same_site};
use sdk::prelude::*;

use super::crawl::Crawl;
use super::discover::Lead;

/// Language versions that are looked at, of one page: as many as audits judge.
const MOST_VERSIONS: usize = 80;

impl Crawl<'_> {
    /// Follows what a page names, so that whoever judges it knows whether that is there.
    pub(super) fn follow(&mut self, record: &PageRecord, hops: u32) -> Result<()> {
        let referrer = Some(record.url.clone());
        if let Some(target) = record.facts.redirect_to.clone() {
            let lead =
                Lead { depth: record.depth, found: Found::Redirect, referrer, in_sitemap: false, hops: hops + 1 };
            return self.take_lead(&target, &lead);
        }
        let facts = &record.facts;
        let canonical = facts.canonicals.iter().find(|one| one.place != Place::Body).and_then(|one| one.url.clone());
        let lead = Lead { depth: record.depth + 1, found: Found::Canonical, referrer, in_sitemap: false, hops: 0 };
        if let Some(target) = canonical.filter(|url| *url != record.url) {
            self.take_lead(&target, &lead)?;
        }
        // What a page names is judged, so it is looked at.
        let versions = facts.hreflang.iter().filter(|it| it.place != Place::Body).filter_map(|it| it.url.as_ref());
        let beside = [&facts.next, &facts.prev, &facts.amphtml].into_iter().flatten();
        let named: BTreeSet<String> = beside.chain(versions.take(MOST_VERSIONS)).cloned().collect();
        let lead = Lead { found: Found::Named, ..lead };
        for target in named.iter().filter(|url| **url != record.url) {
            if self.budget.is_spent() {
                break;
            }
            self.take_lead(target, &lead)?;
        }
        Ok(())
    }

    /// Takes an address inside the site or out of it.
    fn take_lead(&mut self, url: &str, lead: &Lead) -> Result<()> {
        match Url::parse(url) {
            Ok(target) if same_site(&self.origin, &target) => self.discover(url, lead),
            Ok(_) => {
                self.note_external(url);
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }
}
