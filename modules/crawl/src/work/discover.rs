//! What happens to an address when it becomes known.

use kit::crawled::{ExternalRecord, Found};
use kit::page::Link;
use kit::scope::{Left, Patterns};
use kit::url::normalize;
use sdk::prelude::*;

use super::Aside;
use super::crawl::Crawl;
use crate::stored::{External, Frontier, Known, Linked};

/// Redirects in a row that are followed, as Google does ("How HTTP status codes affect Google's crawlers").
const MOST_HOPS: u32 = 10;
/// Addresses that only a sitemap or a page's head names come after everything that links reach.
const AFTER_LINKS: u64 = 1_000;
/// How far left in a rank the class (the depth) stands; below it is the order of discovery.
pub(crate) const CLASS: u32 = 40;
/// Bytes of links that wait for the next step.
const MOST_ASIDE: usize = 7 << 20;
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

/// The blob of links that wait for the next step of a run.
fn aside(run: &str) -> String {
    format!("aside/{run}")
}

impl Crawl<'_> {
    /// Puts an address of the site in the queue, unless it is known or out of scope.
    pub(crate) fn discover(&mut self, url: &str, lead: &Lead) -> Result<()> {
        let Some(url) = normalize(url) else { return Ok(()) };
        let id = self.id(&url);
        let is_late = !lead.found.is_linked();
        // A sitemap may name what is known from elsewhere: that is then noted.
        if self.seen.contains(&id) && !is_late {
            return Ok(());
        }
        self.budget.call();
        let known = match self.frontier.get(&id) {
            Some(known) => Some(known.clone()),
            None => self.cx.records::<Frontier>().find(&Id::new(id.clone())).map(Stored::into_inner),
        };
        if let Some(mut known) = known {
            let nearer = !known.found.is_linked() && known.state == Known::Queued && !is_late;
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
            if !is_late {
                self.seen.insert(id);
            }
            return Ok(());
        }
        if lead.depth > self.run.0.settings.max_depth {
            self.point.too_deep = true;
            self.run.0.totals.too_deep += 1;
            return Ok(());
        }
        if lead.hops > MOST_HOPS {
            self.run.0.totals.too_many_hops += 1;
            return Ok(());
        }
        let most = u64::from(self.run.0.settings.max_pages) * KNOWN_PER_PAGE + 10_000;
        if self.point.order > most {
            self.run.0.totals.beyond_known += 1;
            self.point.too_many = true;
            return Ok(());
        }
        let settings = &self.run.0.settings;
        let patterns = Patterns { include: &settings.include, exclude: &settings.exclude };
        // A starting address is wanted whatever the patterns say.
        let left = if lead.found == Found::Seed { None } else { patterns.left(&url) };
        let state = if left.is_some() { Known::LeftOut } else { Known::Queued };
        let totals = &mut self.run.0.totals;
        totals.skipped += u64::from(left.is_some());
        totals.skipped_excluded += u64::from(left == Some(Left::Excluded));
        totals.skipped_not_included += u64::from(left == Some(Left::NotIncluded));
        totals.skipped_traps += u64::from(left == Some(Left::Trap));
        self.run.0.totals.in_sitemaps += u64::from(lead.in_sitemap);
        let rank = self.rank(lead);
        let Lead { depth, found, referrer, in_sitemap, hops } = lead.clone();
        let run = self.reference();
        self.budget.row();
        self.frontier
            .insert(id.clone(), Frontier { run, state, rank, url, depth, found, referrer, in_sitemap, hops, tries: 0 });
        if !is_late {
            self.seen.insert(id);
        }
        Ok(())
    }

    /// The place in the queue of the address that is discovered next.
    fn rank(&mut self, lead: &Lead) -> u64 {
        self.point.order += 1;
        let class = if lead.found.is_linked() { u64::from(lead.depth) } else { AFTER_LINKS };
        (class << CLASS) | self.point.order
    }

    /// Records the links of a page and follows those that stay on the site. What does not fit into this step waits for
    /// the next one.
    pub(crate) fn take_links(&mut self, url: &str, depth: u32, links: Vec<Link>) -> Result<()> {
        let mut rest = links.into_iter().filter(|link| !link.url.is_empty());
        while !self.budget.is_spent() {
            let Some(link) = rest.next() else { return Ok(()) };
            self.take_link(url, depth, link)?;
        }
        self.leave_links(url, depth, rest)
    }

    fn take_link(&mut self, url: &str, depth: u32, link: Link) -> Result<()> {
        let scope = if link.internal { "internal" } else { "external" };
        *self.run.0.link_counts.entry(format!("{scope}.{}", link.placement.word())).or_default() += 1;
        self.run.0.totals.links += 1;
        self.budget.row();
        if link.internal {
            self.run.0.totals.internal_links += 1;
            let referrer = Some(url.to_owned());
            let lead = Lead { depth: depth + 1, found: Found::Link, referrer, in_sitemap: false, hops: 0 };
            self.discover(&link.url, &lead)?;
        } else {
            self.note_external(&link.url);
        }
        self.links.push(Linked(kit::crawled::LinkRecord {
            run: self.reference(),
            source: url.to_owned(),
            target: link.url,
            anchor: link.anchor,
            rel: link.rel,
            placement: link.placement,
            internal: link.internal,
            image: link.image,
            fragment: link.fragment,
        }));
        Ok(())
    }

    /// Puts links aside for the next step.
    fn leave_links(&mut self, url: &str, depth: u32, rest: impl Iterator<Item = Link>) -> Result<()> {
        let mut text = String::new();
        for link in rest {
            // A recorded link has its resolved address; nothing keeps how it is written in the page.
            let line = serde_json::to_string(&Link { href: String::new(), ..link }).unwrap_or_default();
            if text.len() + line.len() >= MOST_ASIDE {
                self.drop_links(1);
                continue;
            }
            text.push_str(&line);
            text.push('\n');
        }
        if text.is_empty() {
            return Ok(());
        }
        self.cx.blobs().write(&aside(&self.reference()), text.as_bytes())?;
        self.point.aside = Some(Aside { url: url.to_owned(), depth });
        self.budget.end();
        Ok(())
    }

    /// Goes on with links that a step before put aside.
    pub(crate) fn take_aside(&mut self, from: &Aside) -> Result<()> {
        self.budget.call();
        let bytes = self.cx.blobs().read(&aside(&self.reference()), 0, 8 << 20).unwrap_or_default();
        self.budget.bytes = self.budget.bytes.saturating_sub(bytes.len() as u64);
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let links = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
        self.take_links(&from.url, from.depth, links)?;
        if self.point.aside.is_none() {
            self.cx.blobs().remove(&aside(&self.reference()))?;
        }
        Ok(())
    }

    /// Counts links that a bound leaves out, so that the crawl does not count as complete.
    pub(crate) fn drop_links(&mut self, count: u64) {
        self.run.0.totals.links_dropped += count;
        self.point.too_many |= count > 0;
    }

    /// Remembers an address outside the site.
    pub(super) fn note_external(&mut self, url: &str) {
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
