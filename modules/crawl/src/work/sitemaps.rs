//! Starting addresses from sitemaps.

use kit::crawled::Found;
use kit::sitemap;
use kit::url::{Url, resolve, same_site};
use sdk::Failure;
use sdk::prelude::*;

use super::crawl::Crawl;
use super::discover::Lead;
use super::{Pending, Phase};

/// Files of one run.
const MOST_FILES: u32 = 60;
/// Bytes of one file, before inflation.
const MOST_BYTES: u32 = 8 << 20;

impl Crawl<'_> {
    /// Reads one sitemap file, or the next part of it; ends the phase when there is none.
    pub(crate) fn read_sitemaps(&mut self) -> Result<()> {
        let Some(pending) = self.point.sitemaps.pop() else {
            self.point.phase = Phase::Pages;
            return self.flush_frontier();
        };
        let Ok(url) = Url::parse(&pending.url) else { return Ok(()) };
        if self.point.files >= MOST_FILES {
            return Ok(());
        }
        let Some(rules) = self.rules_of(&url)? else {
            self.point.sitemaps.push(pending);
            return Ok(());
        };
        if !rules.robots.allows(&pending.url) {
            return Ok(());
        }
        if !self.keep_pace() {
            self.point.sitemaps.push(pending);
            return Ok(());
        }
        self.point.files += 1;
        let answer = self.ask(&pending.url, |request| request.follow(5).max_bytes(MOST_BYTES).timeout(12_000));
        if let Err(Failure::Paced(seconds)) = answer
            && self.rest(seconds)
        {
            self.point.files -= 1;
            self.point.sitemaps.push(pending);
            return Ok(());
        }
        let Some(answer) = answer.ok().filter(Response::is_success) else { return Ok(()) };
        self.budget.bytes = self.budget.bytes.saturating_sub(answer.body.len() as u64 / 4);
        let file = sitemap::read(&answer.body);
        let room = (MOST_FILES - self.point.files) as usize;
        for entry in file.sitemaps.iter().take(room.saturating_sub(self.point.sitemaps.len())) {
            if let Some(url) = resolve(&url, &entry.url).filter(|url| same_site(&self.origin, url)) {
                self.point.sitemaps.push(Pending { url: url.into(), taken: 0 });
            }
        }
        let taken = pending.taken as usize;
        let lead =
            Lead { depth: 0, found: Found::Sitemap, referrer: Some(pending.url.clone()), in_sitemap: true, hops: 0 };
        let mut read = taken;
        for entry in file.urls.iter().skip(taken) {
            if self.budget.is_spent() {
                break;
            }
            read += 1;
            // Of the site only: a sitemap may not speak for other hosts (sitemaps.org, "Sitemap file location").
            if let Some(url) = resolve(&url, &entry.url).filter(|url| same_site(&self.origin, url)) {
                self.discover(url.as_str(), &lead)?;
            }
        }
        if file.urls.len() > read {
            // The rest does not fit into this step.
            let taken = u32::try_from(read).unwrap_or(u32::MAX);
            self.point.sitemaps.push(Pending { taken, ..pending });
            self.point.files -= 1;
        }
        self.flush_frontier()
    }
}
