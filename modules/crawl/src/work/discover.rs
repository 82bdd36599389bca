//! What happens to an address when it becomes known.

use kit::crawled::{ExternalRecord, Found, PageRecord};
use kit::page::Link;
use kit::scope::Patterns;
use kit::url::{Url, normalize, same_site};
use sdk::prelude::*;

use super::crawl::Crawl;
use crate::stored::{External, Frontier, Known, Linked};

/// Redirects in a row that are followed.
const MOST_HOPS: u32 = 5;
/// Addresses that only a sitemap names come after everything that links reach.
const AFTER_LINKS: u64 = 1_000;
/// How far left in a rank the class (the depth) stands; below it is the order of discovery.
pub(crate) const CLASS: u32 = 40;
/// Known addresses, for each page that may be fetched: past this a site is taken for endless.
const KNOWN_PER_PAGE: u64 = 20;

/// Where an address came from.
#[derive(Debug, Clone)]
pub(crate) struct Lead {
    pub(crate) depth: u32,
    pub(crate) found: Found,
    pub(crate) referrer: Option<String>,
    pub(crate) in_sitemap: bool,
    pub(crate) hops: u32,
}

impl Crawl<'_> {
    /// Puts an address of the site in the queue, unless it is known or out of scope.
    pub(crate) fn discover(&mut self, url: &str, lead: &Lead) -> Result<()> {
        let Some(url) = normalize(url) else { return Ok(()) };
        let id = self.id(&url);
        if self.seen.contains(&id) {
            return Ok(());
        }
        if self.budget.is_spent() {
            self.run.0.totals.skipped += 1;
            return Ok(());
        }
        let by_sitemap = lead.found == Found::Sitemap;
        self.budget.call();
        let known = match self.frontier.get(&id) {
            Some(known) => Some(known.clone()),
            None => self.cx.records::<Frontier>().find(&Id::new(id.clone())).map(Stored::into_inner),
        };
        if let Some(mut known) = known {
            let nearer = known.found == Found::Sitemap && known.state == Known::Queued && !by_sitemap;
            if nearer && lead.depth <= self.run.0.settings.max_depth {
                let rank = self.rank(lead);
                known = Frontier {
                    rank,
                    depth: lead.depth,
                    found: lead.found,
                    referrer: lead.referrer.clone(),
                    hops: lead.hops,
                    ..known
                };
                self.frontier.insert(id.clone(), known);
            } else if lead.in_sitemap && !known.in_sitemap && known.state == Known::Queued {
                known.in_sitemap = true;
                self.run.0.totals.in_sitemaps += 1;
                self.frontier.insert(id.clone(), known);
            }
            if !by_sitemap {
                self.seen.insert(id);
            }
            return Ok(());
        }
        if lead.depth > self.run.0.settings.max_depth {
            self.point.too_deep = true;
            return Ok(());
        }
        let most = u64::from(self.run.0.settings.max_pages) * KNOWN_PER_PAGE + 10_000;
        if lead.hops > MOST_HOPS || self.point.order > most {
            return Ok(());
        }
        let settings = &self.run.0.settings;
        let patterns = Patterns { include: &settings.include, exclude: &settings.exclude };
        // A starting address is wanted whatever the patterns say.
        let left = lead.found != Found::Seed && patterns.left(&url).is_some();
        let state = if left { Known::LeftOut } else { Known::Queued };
        self.run.0.totals.skipped += u64::from(left);
        self.run.0.totals.in_sitemaps += u64::from(lead.in_sitemap);
        let rank = self.rank(lead);
        let Lead { depth, found, referrer, in_sitemap, hops } = lead.clone();
        let run = self.reference();
        self.budget.row();
        self.frontier
            .insert(id.clone(), Frontier { run, state, rank, url, depth, found, referrer, in_sitemap, hops, tries: 0 });
        if !by_sitemap {
            self.seen.insert(id);
        }
        Ok(())
    }

    /// The place in the queue of the address that is discovered next.
    fn rank(&mut self, lead: &Lead) -> u64 {
        self.point.order += 1;
        let class = if lead.found == Found::Sitemap { AFTER_LINKS } else { u64::from(lead.depth) };
        (class << CLASS) | self.point.order
    }

    /// Records the links of a page and follows those that stay on the site.
    pub(crate) fn take_links(&mut self, page: &PageRecord, links: Vec<Link>) -> Result<()> {
        let run = self.reference();
        self.budget.reserve(links.len());
        for link in links {
            if link.url.is_empty() {
                continue;
            }
            let scope = if link.internal { "internal" } else { "external" };
            *self.run.0.link_counts.entry(format!("{scope}.{}", link.placement.word())).or_default() += 1;
            self.run.0.totals.links += 1;
            if link.internal {
                self.run.0.totals.internal_links += 1;
                let lead = Lead {
                    depth: page.depth + 1,
                    found: Found::Link,
                    referrer: Some(page.url.clone()),
                    in_sitemap: false,
                    hops: 0,
                };
                self.discover(&link.url, &lead)?;
            } else {
                self.note_external(&link.url);
            }
            self.links.push(Linked(kit::crawled::LinkRecord {
                run: run.clone(),
                source: page.url.clone(),
                target: link.url,
                anchor: link.anchor,
                rel: link.rel,
                placement: link.placement,
                internal: link.internal,
                image: link.image,
                fragment: link.fragment,
            }));
        }
        Ok(())
    }

    /// Follows a redirect or a canonical, inside the site or out of it.
    pub(crate) fn take_lead(&mut self, url: &str, lead: &Lead) -> Result<()> {
        match Url::parse(url) {
            Ok(target) if same_site(&self.origin, &target) => self.discover(url, lead),
            Ok(_) => {
                self.note_external(url);
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }

    /// Remembers an address outside the site.
    fn note_external(&mut self, url: &str) {
        let id = self.id(url);
        if self.seen.contains(&id) || self.budget.is_spent() {
            return;
        }
        self.seen.insert(id.clone());
        self.budget.call();
        if self.cx.records::<External>().find(&Id::new(id.clone())).is_some() {
            return;
        }
        self.run.0.totals.external_urls += 1;
        self.budget.row();
        let record = ExternalRecord {
            run: self.reference(),
            url: url.to_owned(),
            state: "waiting".to_owned(),
            ..ExternalRecord::default()
        };
        self.externals.insert(id, External(record));
    }
}
