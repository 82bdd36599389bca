//! What a step sets aside for the end of the crawl: texts, facts and links in packs, one of each a step.

use kit::crawled::{PageRecord, TextAt};
use kit::page::{Document, Link, Place};
use kit::text::sha256;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use super::crawl::Crawl;
use super::resources::Use;
use super::visit::Read;
use crate::stored::Extracted;

/// Bytes of texts in one pack after which the step ends.
const MOST_TEXT: usize = 4 << 20;
/// Characters of one text.
const LONGEST_TEXT: usize = 600_000;
/// Links of one page that carry authority.
const MOST_TARGETS: usize = 2_000;

/// What one step sets aside.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// JSON lines of [`Text`].
    text: Vec<u8>,
    /// JSON lines of [`Line`].
    facts: Vec<u8>,
    /// For each page: hash u64, count u32, hashes u64 of what it links to; little-endian.
    graph: Vec<u8>,
}

/// A page in a pack of facts: what comparisons and summaries need.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The address.
    #[serde(rename = "u")]
    pub(crate) url: String,
    /// The status.
    #[serde(rename = "s")]
    pub(crate) status: u16,
    /// Links from a starting address.
    #[serde(rename = "d")]
    pub(crate) depth: u32,
    /// What decides whether it may be indexed, as a word.
    #[serde(rename = "i")]
    pub(crate) reason: String,
    /// Words of the main text.
    #[serde(rename = "w")]
    pub(crate) words: u32,
    /// A hash of the title.
    #[serde(rename = "t")]
    pub(crate) title: u32,
    /// A hash of the canonical.
    #[serde(rename = "c")]
    pub(crate) canonical: u32,
    /// A hash of the main text; 0 without one.
    #[serde(rename = "h")]
    pub(crate) content: u64,
    /// The fingerprint of the main text; 0 without one.
    #[serde(rename = "f")]
    pub(crate) simhash: u64,
    /// The primary part of the language that the page declares.
    #[serde(rename = "l", default, skip_serializing_if = "String::is_empty")]
    pub(crate) language: String,
    /// For each extraction rule a hash of what it found; 0 for nothing.
    #[serde(rename = "x", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) values: Vec<u64>,
}

/// A page in a pack of texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Text {
    /// The address.
    pub(crate) url: String,
    /// The first title.
    pub(crate) title: String,
    /// All headings, one a line.
    pub(crate) headings: String,
    /// The main text.
    pub(crate) plain: String,
    /// The main text as Markdown.
    pub(crate) markdown: String,
}

/// The main text of a page, plain and as Markdown.
#[derive(Debug, Default)]
pub(crate) struct MainText {
    pub(crate) plain: String,
    pub(crate) markdown: String,
}

impl MainText {
    /// Of an answer that was HTML; nothing of any other.
    pub(crate) fn of(document: Option<&Document>, url: &str) -> Self {
        let Some(Document { dom, .. }) = document else { return Self::default() };
        let content = kit::extract::content(dom);
        let plain = kit::extract::plain(&kit::extract::blocks(dom, &content));
        let markdown = kit::markdown::write(dom, &content, kit::url::Url::parse(url).ok().as_ref());
        Self { plain, markdown }
    }
}

/// The blob of a pack of texts.
pub(crate) fn text_blob(run: &str, pack: u32) -> String {
    format!("text/{run}/{pack}")
}

/// The blob of a pack of facts.
pub(crate) fn facts_blob(run: &str, pack: u32) -> String {
    format!("facts/{run}/{pack}")
}

/// The blob of a pack of links.
pub(crate) fn graph_blob(run: &str, pack: u32) -> String {
    format!("graph/{run}/{pack}")
}

/// The number by which packs know an address, or another text.
pub(crate) fn number(text: &str) -> u64 {
    let hash = sha256(text.as_bytes());
    hash[..8].try_into().map_or(0, u64::from_be_bytes)
}

#[expect(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
pub(crate) fn short(text: &str) -> u32 {
    if text.is_empty() { 0 } else { number(text) as u32 | 1 }
}

impl Crawl<'_> {
    /// Sets aside what a page says, and takes out of it what the website's rules ask for.
    pub(super) fn keep(&mut self, record: &mut PageRecord, links: &[Link], read: &Read) -> Result<()> {
        let values = self.extract(record, read);
        self.use_resources(record, read)?;
        let facts = &record.facts;
        if read.keep {
            let clip = |text: &str| kit::text::clip(text, LONGEST_TEXT).to_owned();
            let headings: Vec<&str> = facts.headings.iter().map(|heading| heading.text.as_str()).collect();
            let text = Text {
                url: record.url.clone(),
                title: facts.titles.first().cloned().unwrap_or_default(),
                headings: headings.join("\n"),
                plain: clip(&read.text.plain),
                markdown: clip(&read.text.markdown),
            };
            let offset = self.kept.text.len();
            if serde_json::to_writer(&mut self.kept.text, &text).is_ok() {
                let length = self.kept.text.len() - offset;
                self.kept.text.push(b'\n');
                let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
                record.text = Some(TextAt { pack: self.run.0.packs, offset: number(offset), length: number(length) });
            }
            if self.kept.text.len() > MOST_TEXT {
                self.budget.end();
            }
        }
        let facts = &record.facts;
        let canonical = facts.canonicals.iter().find(|one| one.place != Place::Body).and_then(|one| one.url.as_deref());
        let line = Line {
            url: record.url.clone(),
            status: record.status,
            depth: record.depth,
            reason: facts.indexability.reason.word().to_owned(),
            words: facts.word_count,
            title: short(facts.titles.first().map_or("", String::as_str)),
            canonical: short(canonical.unwrap_or_default()),
            content: if facts.text_sha256.is_empty() { 0 } else { number(&facts.text_sha256) },
            simhash: kit::simhash::from_hex(&facts.simhash).unwrap_or(0),
            language: facts.lang.as_deref().and_then(|lang| lang.split(['-', '_']).next()).unwrap_or("").to_lowercase(),
            values,
        };
        if serde_json::to_writer(&mut self.kept.facts, &line).is_ok() {
            self.kept.facts.push(b'\n');
        }
        self.keep_links(record, links);
        Ok(())
    }

    /// A redirect hands on all that comes to it; links that ask not to be followed hand on nothing.
    fn keep_links(&mut self, record: &PageRecord, links: &[Link]) {
        let mut targets: Vec<u64> = match &record.facts.redirect_to {
            Some(target) => vec![number(target)],
            None => {
                let internal = links.iter().filter(|link| link.internal && !link.nofollow() && !link.url.is_empty());
                internal.map(|link| number(&link.url)).collect()
            }
        };
        targets.sort_unstable();
        targets.dedup();
        targets.truncate(MOST_TARGETS);
        let graph = &mut self.kept.graph;
        graph.extend_from_slice(&number(&record.url).to_le_bytes());
        graph.extend_from_slice(&u32::try_from(targets.len()).unwrap_or(0).to_le_bytes());
        targets.iter().for_each(|target| graph.extend_from_slice(&target.to_le_bytes()));
    }

    /// Notes what a page loads, and a document as something that pages link to.
    fn use_resources(&mut self, record: &PageRecord, read: &Read) -> Result<()> {
        let facts = &record.facts;
        if !facts.is_html && (200..300).contains(&record.status) {
            return self.use_document(record);
        }
        if !read.keep && !facts.is_html {
            return Ok(());
        }
        let mut uses: Vec<Use<'_>> = Vec::new();
        for image in &facts.images {
            uses.push(Use { kind: "image", url: &image.src, blocking: false });
        }
        for resource in &facts.resources {
            uses.push(Use { kind: &resource.kind, url: &resource.url, blocking: resource.blocking });
        }
        uses.retain(|it| it.url.starts_with("http"));
        uses.sort_by(|a, b| (a.url, !a.blocking).cmp(&(b.url, !b.blocking)));
        uses.dedup_by(|a, b| a.url == b.url);
        for it in uses {
            self.use_resource(&record.url, &it)?;
        }
        Ok(())
    }

    /// The website's rules on this page; a hash of each rule's values.
    fn extract(&mut self, record: &PageRecord, read: &Read) -> Vec<u64> {
        if self.run.0.extraction.is_empty() || !record.facts.is_html || read.body.is_empty() || record.status != 200 {
            return Vec::new();
        }
        let rules = &self.run.0.extraction;
        // Rules were checked when they were saved.
        let ready = self.extraction.get_or_insert_with(|| rules.iter().filter_map(|rule| rule.ready().ok()).collect());
        if ready.len() != rules.len() {
            return Vec::new();
        }
        let (html, _) = kit::charset::decode(&read.body, record.facts.headers.get("content-type"));
        // The page is parsed a second time for selectors.
        self.budget.bytes = self.budget.bytes.saturating_sub(read.body.len() as u64);
        let found = kit::rules::apply(&html, ready);
        let mut values = std::collections::BTreeMap::new();
        let mut hashes = Vec::with_capacity(rules.len());
        for (rule, matches) in rules.iter().zip(found) {
            let texts: Vec<String> = matches.into_iter().map(|it| it.value).collect();
            hashes.push(if texts.is_empty() { 0 } else { number(&texts.join("\n")) | 1 });
            if !texts.is_empty() {
                values.insert(rule.name.clone(), texts);
            }
        }
        let run = self.run.id.as_str().to_owned();
        let id = Id::new(kit::crawled::page_id(&run, &record.url));
        self.budget.row();
        self.extracted.push((id, Extracted { run, url: record.url.clone(), values }));
        hashes
    }

    /// Writes the packs of this step.
    pub(super) fn flush_kept(&mut self) -> Result<()> {
        let Kept { text, facts, graph } = std::mem::take(&mut self.kept);
        if facts.is_empty() {
            return Ok(());
        }
        let (run, pack) = (self.reference(), self.run.0.packs);
        let blobs = self.cx.blobs();
        if !text.is_empty() {
            blobs.write(&text_blob(&run, pack), &text)?;
        }
        blobs.write(&facts_blob(&run, pack), &facts)?;
        blobs.write(&graph_blob(&run, pack), &graph)?;
        self.run.0.packs += 1;
        Ok(())
    }

    /// The bytes of a pack's blob; nothing when there is none.
    pub(super) fn pack(&self, key: &str) -> Vec<u8> {
        self.cx.blobs().read(key, 0, 8 << 20).unwrap_or_default()
    }
}
