//! When an address really changed, by what crawls saw of its text.

use std::collections::HashMap;

use sdk::Degraded;
use sdk::prelude::*;

use crate::sitemap::datetime;
use addresses::Known;
use site::Run;

/// Earlier crawls that are looked at.
const CRAWLS: usize = 3;

/// The texts of earlier crawls, the newest crawl first.
pub(crate) struct History(Vec<HashMap<String, (String, u64)>>);

impl History {
    /// The crawls of a website before one of them.
    pub(crate) fn of(cx: &Cx, run: &Stored<Run>, degraded: &mut Vec<Degraded>) -> Self {
        let before = site::ended_at(run).millis();
        let site = Id::new(run.0.site_id.clone());
        let earlier = site::crawls(cx, &site);
        let earlier: Vec<_> =
            earlier.filter(|it| it.id != run.id && site::ended_at(it).millis() < before).take(CRAWLS).collect();
        if earlier.is_empty() {
            degraded.push(Degraded::new(
                "lastmod",
                "there is no earlier crawl to compare with; only declared dates are known",
            ));
        }
        let texts = |run: &Stored<Run>| {
            let pages = addresses::of(cx, &run.id).all.into_iter().filter(|it| !it.text_sha256.is_empty());
            pages.map(|it| (it.url, (it.text_sha256, it.fetched_ms))).collect()
        };
        Self(earlier.iter().map(texts).collect())
    }

    /// The moment at which the text of a page was first seen after another one, and whether an earlier crawl had it.
    fn observed(&self, page: &Known) -> Option<u64> {
        let mut since = page.fetched_ms;
        for crawl in &self.0 {
            match crawl.get(&page.url) {
                Some((text, fetched)) if *text == page.text_sha256 => since = *fetched,
                // Another text before: the change came between the two crawls.
                Some(_) => return Some(since),
                None => {}
            }
        }
        None
    }

    /// The day of the last change: observed, else declared; none where neither is known.
    pub(crate) fn changed(&self, page: &Known, now: Moment) -> Option<Day> {
        if let Some(seen) = self.observed(page) {
            return Some(Moment::from_millis(seen).day());
        }
        let declared = page.modified.as_deref().and_then(|it| datetime::read(it.trim()))?;
        let millis = u64::try_from(declared.millis).ok()?;
        // A date that is yet to come, or after the page was fetched, is none.
        (millis <= page.fetched_ms.min(now.millis())).then(|| Moment::from_millis(millis).day())
    }

    /// How a date in a sitemap stands to what was seen: `stale` when the text changed after it, `untrue` when it says a
    /// change that no crawl saw; none when nothing speaks against it. Whole days are compared.
    pub(crate) fn judge(&self, page: &Known, lastmod: Day) -> Option<(&'static str, Day)> {
        if let Some(seen) = self.observed(page) {
            // The change came after the crawl that saw another text.
            let before = self.0.iter().filter_map(|it| it.get(&page.url)).find(|it| it.0 != page.text_sha256);
            let before = before.map(|(_, fetched)| Moment::from_millis(*fetched).day());
            return before
                .filter(|before| lastmod < *before)
                .map(|_| ("lastmod_stale", Moment::from_millis(seen).day()));
        }
        let oldest = self.0.iter().rev().find_map(|it| it.get(&page.url)).filter(|it| it.0 == page.text_sha256)?;
        let first = Moment::from_millis(oldest.1).day();
        let fetched = Moment::from_millis(page.fetched_ms).day();
        (lastmod > first && lastmod <= fetched).then_some(("lastmod_untrue", first))
    }
}
