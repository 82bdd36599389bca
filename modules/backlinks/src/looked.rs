//! What the last look at each linking page found: stored beside the links, and laid over them when they are read.

use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use site::Site;

use crate::link::{Link, NO_DAY, bare, flag};
use crate::stored::Shelf;

/// Pages of one part.
pub(crate) const OF_PART: usize = if cfg!(test) { 2 } else { 2_000 };
/// Pages of a website whose looks are kept, at most.
pub(crate) const MOST_PAGES: usize = 200_000;

/// How a page that links answered.
#[value]
#[derive(Default)]
pub(crate) enum Answered {
    /// It answered with HTML that was read.
    Read,
    /// It answered 404 or 410, or its name does not exist.
    Gone,
    /// Its robots.txt forbids it: nobody looked.
    Disallowed,
    /// It makes its text with scripts, which nobody ran.
    NotRendered,
    /// It was read in part only, and the link was not in that part.
    InPart,
    /// It answered with something that is no HTML.
    NotHtml,
    /// It answered that programs are kept out, with a failure, or not at all.
    #[default]
    Unanswered,
}

/// What is known of one link.
#[value]
#[derive(Default)]
pub(crate) enum State {
    /// It is on the page.
    Live,
    /// It was not there at the last look; one more on another day makes it lost.
    Missing,
    /// Two looks on different days did not find it, or one and a tool.
    Lost,
    /// The page could not be looked at.
    #[default]
    Unknown,
}

/// A page that links, as it was at the last look.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Page {
    /// Normalised.
    pub(crate) source: String,
    /// Days since 1970.
    pub(crate) day: i32,
    pub(crate) answered: Answered,
    /// 0 where it did not answer.
    pub(crate) status: u16,
    /// Where its redirects led; empty without any.
    pub(crate) landed: String,
    /// Why search engines may not show it, in the words of `kit::page::Reason`; `ok` where they may.
    pub(crate) reason: String,
    pub(crate) language: String,
    /// Different addresses of other websites that it links to, and their domains.
    pub(crate) external: u32,
    pub(crate) external_domains: u32,
    /// Groups of texts of these links that share no word.
    pub(crate) topics: u32,
    /// Words of spam in its title and texts of links.
    pub(crate) spam_terms: u32,
    /// How alike it is to the website, in percent; none where that cannot be told.
    pub(crate) similarity: Option<u8>,
    /// Sorted by what the target is without scheme and `www.`.
    pub(crate) links: Vec<PageLink>,
}

/// A link as it was at the last look.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PageLink {
    /// As the profile has it; where that names none, what was found.
    pub(crate) target: String,
    pub(crate) state: State,
    /// The day since which it is so.
    pub(crate) since: i32,
    /// The day of the first look in a row that did not find it.
    pub(crate) missed: i32,
    pub(crate) anchor: String,
    /// Of `nofollow`, `ugc`, `sponsored`, image, frame and canonical.
    pub(crate) flags: u16,
    /// In the words of `kit::page::Placement`; empty where it is not in the text.
    pub(crate) placement: String,
    /// Where it leads first, where that is another address that redirects to the target.
    pub(crate) via: String,
}

/// The looks of a website. Its id is the website.
#[record(collection = "looks", thing = "look")]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Looks {
    pub(crate) written: u32,
    pub(crate) parts: u32,
    pub(crate) pages: u64,
    /// When the last verification ended.
    pub(crate) at_ms: u64,
    /// The verification that is at work.
    pub(crate) job_ref: Option<Id<Job>>,
}

/// The stored looks of a website.
pub(crate) struct Looked<'a> {
    cx: &'a Cx,
    id: Id<Looks>,
    shelf: Shelf<'a>,
    pub(crate) looks: Looks,
}

impl<'a> Looked<'a> {
    /// Those of a website.
    pub(crate) fn of(cx: &'a Cx, site: &Id<Site>) -> Self {
        let id: Id<Looks> = site.cast();
        let looks = cx.records::<Looks>().find(&id).map(Stored::into_inner).unwrap_or_default();
        Self { cx, id, shelf: Shelf::of(cx, format!("looks/{site}")), looks }
    }

    /// All pages in their order, part by part.
    pub(crate) fn walk(self) -> Walk<'a> {
        Walk { looked: self, part: 0, pages: Vec::new(), at: 0 }
    }

    /// Calls `each` with all pages in their order.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn each(&self, mut each: impl FnMut(Page)) -> Result<()> {
        for part in 0..self.looks.parts {
            self.shelf.read::<Page>(self.looks.written, part)?.into_iter().for_each(&mut each);
        }
        Ok(())
    }

    /// Keeps which job is at work.
    ///
    /// # Errors
    /// The host's refusal of the record.
    pub(crate) fn started(mut self, job: Id<Job>) -> Result<()> {
        self.looks.job_ref = Some(job);
        self.save()
    }

    /// Joins new looks; the oldest go where there are more than are kept. How many went.
    ///
    /// # Errors
    /// 503 `storage_damaged`, and the host's refusal of a blob.
    pub(crate) fn join(mut self, mut new: Vec<Page>) -> Result<usize> {
        new.sort_by(|a, b| bare(&a.source).cmp(bare(&b.source)));
        let mut all: Vec<Page> = Vec::new();
        let mut fresh = new.into_iter().peekable();
        for part in 0..self.looks.parts {
            for old in self.shelf.read::<Page>(self.looks.written, part)? {
                while let Some(it) = fresh.next_if(|it| bare(&it.source) < bare(&old.source)) {
                    all.push(it);
                }
                match fresh.next_if(|it| bare(&it.source) == bare(&old.source)) {
                    Some(newer) => all.push(with_others(newer, old)),
                    None => all.push(old),
                }
            }
        }
        all.extend(fresh);
        let mut gone = 0;
        if all.len() > MOST_PAGES {
            let mut days: Vec<i32> = all.iter().map(|it| it.day).collect();
            let (_, oldest, _) = days.select_nth_unstable(all.len() - MOST_PAGES);
            let (oldest, before) = (*oldest, all.len());
            all.retain(|it| it.day > oldest);
            gone = before - all.len();
        }
        let (before, parts) = (self.looks.written, self.looks.parts);
        self.looks.written += 1;
        self.looks.parts = 0;
        for part in all.chunks(OF_PART) {
            self.shelf.write(self.looks.written, self.looks.parts, part)?;
            self.looks.parts += 1;
        }
        self.shelf.empty(before, parts)?;
        self.looks.pages = all.len() as u64;
        self.looks.at_ms = self.cx.now().millis();
        self.looks.job_ref = None;
        self.save()?;
        Ok(gone)
    }

    fn save(&self) -> Result<()> {
        self.cx.records::<Looks>().put_many_as([(&self.id, &self.looks)])?;
        Ok(())
    }
}

/// A new look with the links of the page that this one was not for.
fn with_others(mut newer: Page, old: Page) -> Page {
    for it in old.links {
        if newer.links.iter().all(|other| bare(&other.target) != bare(&it.target)) {
            newer.links.push(it);
        }
    }
    newer.links.sort_by(|a, b| bare(&a.target).cmp(bare(&b.target)));
    newer
}

/// Goes through stored pages in their order.
pub(crate) struct Walk<'a> {
    looked: Looked<'a>,
    part: u32,
    pages: Vec<Page>,
    at: usize,
}

impl Walk<'_> {
    /// The page of a link and its place among the links of that page; links come in their order.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn find(&mut self, link: &Link) -> Result<Option<(&Page, &PageLink)>> {
        let (source, target) = link.key();
        loop {
            if self.at == self.pages.len() {
                if self.part == self.looked.looks.parts {
                    return Ok(None);
                }
                self.pages = self.looked.shelf.read(self.looked.looks.written, self.part)?;
                (self.part, self.at) = (self.part + 1, 0);
                continue;
            }
            match bare(&self.pages[self.at].source).cmp(source) {
                std::cmp::Ordering::Less => self.at += 1,
                std::cmp::Ordering::Greater => return Ok(None),
                std::cmp::Ordering::Equal => break,
            }
        }
        let page = &self.pages[self.at];
        let place = match target {
            // Nobody named a target: what was found on the page is it.
            "" => page.links.iter().position(|it| it.state == State::Live).or(Some(0)),
            _ => page.links.binary_search_by(|it| bare(&it.target).cmp(target)).ok(),
        };
        Ok(place.and_then(|at| page.links.get(at)).map(|link| (page, link)))
    }
}

/// What the last look says of a link, and what the tools had said.
pub(crate) struct Look<'a> {
    pub(crate) page: &'a Page,
    pub(crate) link: &'a PageLink,
    /// The short name of the link as it is stored.
    pub(crate) reference: String,
    was_followed: bool,
    /// Whether no tool names where it leads.
    is_aimless: bool,
    /// Whether no tool has seen it since.
    is_newest: bool,
}

impl<'a> Look<'a> {
    /// The look that was found for a stored link.
    pub(crate) fn of((page, seen): (&'a Page, &'a PageLink), link: &Link) -> Self {
        Self {
            page,
            link: seen,
            reference: link.reference(),
            was_followed: link.is_followed(),
            is_aimless: link.target.is_empty(),
            is_newest: page.day >= link.last,
        }
    }

    /// The target of the link as it is stored: empty where no tool names one.
    pub(crate) fn stored_target(&self) -> &str {
        if self.is_aimless { "" } else { &self.link.target }
    }

    /// Lays it over what the tools said. A tool that has seen the link since is right, and one that lost it after is too.
    pub(crate) fn lay_over(&self, link: &mut Link) {
        if link.target.is_empty() {
            link.target.clone_from(&self.link.target);
        }
        if !self.is_newest {
            return;
        }
        match self.link.state {
            State::Live => {
                const LOOKED_AT: u16 = flag::UNFOLLOWED | flag::IMAGE;
                if link.lost <= self.page.day {
                    link.lost = NO_DAY;
                }
                link.last = link.last.max(self.page.day);
                link.flags = link.flags & !LOOKED_AT | self.link.flags & LOOKED_AT;
                if !self.link.anchor.is_empty() {
                    link.anchor.clone_from(&self.link.anchor);
                }
            }
            State::Lost if link.lost == NO_DAY => link.lost = self.link.missed,
            State::Lost | State::Missing | State::Unknown => {}
        }
        if self.page.status > 0 {
            link.status = Some(self.page.status);
        }
    }

    /// Whether a look that is newer than the tools found that the link asks not to be followed, which it did not before.
    pub(crate) fn is_nofollowed(&self) -> bool {
        let is_unfollowed = self.link.flags & flag::UNFOLLOWED != 0;
        self.is_newest && self.was_followed && self.link.state == State::Live && is_unfollowed
    }
}
