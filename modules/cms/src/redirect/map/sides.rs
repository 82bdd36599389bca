//! The two sides of a redirect map: what crawls, or a list of addresses, say of the pages of each.

use kit::migration::{Page, SAMPLE};
use kit::page::{Canonical, Heading, Indexability};
use kit::sketch::Sketch;
use sdk::prelude::*;
use sdk::schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MOST, Map, lines, read};

/// Pages of one blob: also with the longest addresses and titles it stays below [`MOST`].
const PAGES: usize = 1_000;
/// Characters of a name that count.
const NAME: usize = 300;

/// A page of a crawl, with what its place is found by.
#[foreign(collection = "crawl.pages", thing = "page", index(run, seq))]
#[serde(default)]
#[derive(Default)]
struct Crawled {
    run: String,
    seq: u64,
    url: String,
    status: u16,
    facts: Facts,
}

/// What is read of a page's facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(crate = "sdk::schemars")]
#[serde(default)]
struct Facts {
    titles: Vec<String>,
    headings: Vec<Heading>,
    lang: Option<String>,
    canonicals: Vec<Canonical>,
    indexability: Indexability,
    redirect_to: Option<String>,
    content_type: String,
    is_html: bool,
    sketch: String,
}

/// A page of either side, as a job keeps it between its steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Side {
    pub(super) url: String,
    /// Its title.
    pub(super) title: String,
    /// Its first heading of the first level.
    pub(super) h1: String,
    pub(super) lang: Option<String>,
    /// The smallest hashes of its text's sample.
    pub(super) sketch: String,
    /// Where it leads, for an address that is redirected or names another canonical one.
    pub(super) leads: Option<String>,
    /// Whether it answers and is not to be found: an address that stays, and no target.
    pub(super) hidden: bool,
}

impl Side {
    /// As the algorithm takes it.
    pub(super) fn page(&self) -> Page {
        let name = format!("{} {}", self.title, self.h1);
        Page {
            url: self.url.clone(),
            name: name.trim().to_owned(),
            language: self.lang.clone(),
            sketch: Sketch::from_text(&self.sketch).map(|it| it.smaller(SAMPLE)),
        }
    }
}

/// Which side of a map.
#[value]

pub(super) enum Which {
    Old,
    New,
}

impl Which {
    fn blob(self, map: &Id<Map>, part: u32) -> String {
        let name = if self == Self::Old { "old" } else { "new" };
        format!("redirect_maps/{map}/{name}/{part}")
    }

    /// Whether a page belongs to this side: of the old website all that visitors may have, of the new one
    /// what answers.
    fn takes(self, page: &Crawled) -> bool {
        match self {
            Self::Old => {
                let document = page.facts.is_html || page.facts.content_type == "application/pdf";
                (page.status == 200 && document) || page.facts.redirect_to.is_some()
            }
            Self::New => page.status == 200,
        }
    }

    /// Pages of a crawl after the first `skip`, as long as `goes_on`, into a blob of the side: how many were read, how many were
    /// kept, whether there are more. At most `most` are kept.
    pub(super) fn take(
        self,
        cx: &Cx,
        map: &Id<Map>,
        run: &str,
        (skip, part, most): (u64, u32, usize),
        goes_on: impl Fn() -> bool,
    ) -> Result<Taken> {
        let mut kept = Vec::new();
        let mut seq = skip;
        let mut ended = true;
        for page in cx.records::<Crawled>().by("run_seq").equals(run).at_least(skip + 1).scan() {
            if kept.len() >= PAGES.min(most) || !goes_on() {
                ended = false;
                break;
            }
            seq = page.seq;
            if self.takes(&page) {
                kept.push(side(page.into_inner()));
            }
        }
        cx.blobs().write(&self.blob(map, part), &lines(&kept))?;
        Ok(Taken { seq, kept: kept.len(), ended })
    }

    /// Keeps listed addresses as a side; how many blobs they take.
    pub(super) fn list(self, cx: &Cx, map: &Id<Map>, urls: &[String]) -> Result<u32> {
        let mut part = 0;
        for some in urls.chunks(PAGES) {
            let all: Vec<Side> = some.iter().map(|url| Side { url: url.clone(), ..Side::default() }).collect();
            cx.blobs().write(&self.blob(map, part), &lines(&all))?;
            part += 1;
        }
        Ok(part)
    }

    /// All pages of the side.
    pub(super) fn all(self, cx: &Cx, map: &Id<Map>, parts: u32) -> Vec<Side> {
        let blobs = (0..parts).map(|part| cx.blobs().read(&self.blob(map, part), 0, MOST).unwrap_or_default());
        blobs.flat_map(|bytes| read(&bytes)).collect()
    }

    /// Empties what the job kept of the side.
    pub(super) fn forget(self, cx: &Cx, map: &Id<Map>, parts: u32) -> Result<()> {
        (0..parts).try_for_each(|part| cx.blobs().remove(&self.blob(map, part)))
    }
}

/// What was taken of a crawl.
pub(super) struct Taken {
    /// The place of the last page that was read.
    pub(super) seq: u64,
    /// Pages that belong to the side.
    pub(super) kept: usize,
    /// Whether the crawl has no more.
    pub(super) ended: bool,
}

fn side(page: Crawled) -> Side {
    let facts = page.facts;
    let short = |text: &str| kit::text::collapse_to(text, NAME);
    let h1 = facts.headings.iter().find(|it| it.level == 1).map(|it| short(&it.text)).unwrap_or_default();
    let canonical = facts.canonicals.into_iter().find_map(|it| it.url).filter(|it| *it != page.url);
    let sketch = Sketch::from_text(&facts.sketch).map(|it| it.smaller(SAMPLE).to_text()).unwrap_or_default();
    let hidden = !facts.indexability.is_indexable();
    Side {
        hidden,
        title: facts.titles.first().map(|it| short(it)).unwrap_or_default(),
        h1,
        lang: facts.lang.as_deref().map(kit::language::primary).filter(|it| it.len() == 2),
        sketch,
        leads: facts.redirect_to.or(canonical),
        url: page.url,
    }
}
