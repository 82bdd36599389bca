//! Pages that hold or lack a piece of text, read one after the other.

use kit::crawled::page_id;
use regex::Regex;
use sdk::Degraded;
use sdk::prelude::*;

use super::{Field, Hit, Hits, Mode, around};
use crate::stored::{Page, Run};
use crate::work::{Text, text_blob};

/// Bytes read in one call; a read may use 250 million units of fuel, an expression some twenty a byte.
const MOST_BYTES: usize = 4 << 20;
/// Packs or pages read in one call.
const MOST_READS: u32 = 400;
/// Matches counted on one page.
const MOST_COUNTED: usize = 1_000;

/// What is looked for.
pub(super) enum Test {
    /// As written, present or absent.
    Literal(String, bool),
    Regex(Regex),
}

impl Test {
    pub(super) fn of(mode: Mode, query: &str) -> Result<Self> {
        if mode != Mode::Regex {
            return Ok(Self::Literal(query.to_owned(), mode == Mode::Literal));
        }
        let built = regex::RegexBuilder::new(query).size_limit(1 << 20).multi_line(true).build();
        let message = "this is not a regular expression of RE2's kind, or too large a one";
        built.map(Self::Regex).map_err(|_| Fault::invalid("/query", "wrong_pattern", message))
    }

    /// Where the first match begins and how many there are; for what is to be absent, none when it is there.
    fn look(&self, text: &str) -> Option<(usize, u64)> {
        match self {
            Self::Literal(part, true) => {
                let first = text.find(part.as_str())?;
                Some((first, text.matches(part.as_str()).take(MOST_COUNTED).count() as u64))
            }
            Self::Literal(part, false) => (!text.contains(part.as_str())).then_some((0, 0)),
            Self::Regex(pattern) => {
                let first = pattern.find(text)?;
                Some((first.start(), pattern.find_iter(text).take(MOST_COUNTED).count() as u64))
            }
        }
    }
}

/// Looks through texts pack by pack, or through HTML page by page. A cursor is where the next call begins.
pub(super) fn look(
    cx: &Cx,
    run: &Stored<Run>,
    test: &Test,
    within: Field,
    limit: usize,
    cursor: Option<Cursor>,
) -> Result<Hits> {
    let mut looking = Looking { cx, run, test, limit, hits: Vec::new(), looked_at: 0, kept_none: 0 };
    let next_cursor = match within {
        Field::Html => looking.through_html(cursor)?,
        _ => looking.through_texts(within, cursor.as_ref())?,
    };
    let mut degraded = Vec::new();
    if looking.kept_none > 0 {
        degraded.push(Degraded::new(
            "pages",
            format!("{} HTML pages have no stored content and were not looked at", looking.kept_none),
        ));
    }
    if !run.0.settings.store_html {
        degraded
            .push(Degraded::new("pages", "this crawl ran with `store_html` off, so it kept nothing to look through"));
    }
    let Looking { hits, looked_at, .. } = looking;
    Ok(Hits { hits, total: None, looked_at, degraded, next_cursor })
}

struct Looking<'a> {
    cx: &'a Cx,
    run: &'a Stored<Run>,
    test: &'a Test,
    limit: usize,
    hits: Vec<Hit>,
    looked_at: u64,
    kept_none: u64,
}

impl Looking<'_> {
    fn through_texts(&mut self, within: Field, cursor: Option<&Cursor>) -> Result<Option<Cursor>> {
        let (mut pack, mut line) = match cursor {
            None => (0, 0),
            Some(cursor) => {
                let parts = cursor.as_str().strip_prefix("t:").and_then(|text| text.split_once(':'));
                let parts =
                    parts.and_then(|(pack, line)| Some((pack.parse::<u32>().ok()?, line.parse::<usize>().ok()?)));
                parts.ok_or_else(sdk::invalid_cursor)?
            }
        };
        let (mut bytes, mut reads) = (0, 0);
        while pack < self.run.0.packs {
            if bytes >= MOST_BYTES || reads >= MOST_READS {
                return Ok(Some(Cursor::new(format!("t:{pack}:0"))));
            }
            let texts = self.cx.blobs().read(&text_blob(self.run.id.as_str(), pack), 0, 8 << 20).unwrap_or_default();
            bytes += texts.len();
            reads += 1;
            let mut offset: usize = texts.split_inclusive(|byte| *byte == b'\n').take(line).map(<[u8]>::len).sum();
            for (at, bytes) in texts.split_inclusive(|byte| *byte == b'\n').enumerate().skip(line) {
                if self.hits.len() == self.limit {
                    return Ok(Some(Cursor::new(format!("t:{pack}:{at}"))));
                }
                if let Ok(text) = serde_json::from_slice::<Text>(bytes) {
                    self.text(within, text, pack, offset);
                }
                offset += bytes.len();
            }
            (pack, line) = (pack + 1, 0);
        }
        Ok(None)
    }

    fn text(&mut self, within: Field, text: Text, pack: u32, offset: usize) {
        self.looked_at += 1;
        let field = match within {
            Field::Title => &text.title,
            Field::Headings => &text.headings,
            Field::Text | Field::Html => &text.plain,
        };
        let Some((start, count)) = self.test.look(field) else { return };
        if self.run.0.recrawled_ms.is_some() {
            // A text that was replaced stays in its pack.
            let page = self.cx.records::<Page>().find(&Id::new(page_id(self.run.id.as_str(), &text.url)));
            let at = page.and_then(|page| page.it.0.text);
            if !at.is_some_and(|at| at.pack == pack && at.offset as usize == offset) {
                return;
            }
        }
        let snippet = around(field, start);
        self.hits.push(Hit { url: text.url, title: text.title, score: None, snippet, count });
    }

    fn through_html(&mut self, cursor: Option<Cursor>) -> Result<Option<Cursor>> {
        let mut from = match cursor {
            None => 1,
            Some(cursor) => {
                let from = cursor.as_str().strip_prefix("h:").and_then(|text| text.parse::<u64>().ok());
                from.ok_or_else(sdk::invalid_cursor)?
            }
        };
        let (mut bytes, mut reads) = (0, 0);
        loop {
            let pages =
                self.cx.records::<Page>().by("run_seq").equals(&self.run.id).at_least(from).page(20_u64, None)?;
            let at_end = pages.next.is_none();
            for page in pages.items {
                if self.hits.len() == self.limit || bytes >= MOST_BYTES || reads >= MOST_READS {
                    return Ok(Some(Cursor::new(format!("h:{}", page.0.seq))));
                }
                from = page.0.seq + 1;
                reads += 1;
                let Some(key) = &page.0.html_blob else {
                    self.kept_none += u64::from(page.0.facts.is_html);
                    continue;
                };
                let html = self.cx.blobs().read(key, 0, 8 << 20).unwrap_or_default();
                // The record itself is read too.
                bytes += html.len() + 8_192;
                self.looked_at += 1;
                let (html, _) = kit::charset::decode(&html, page.0.facts.headers.get("content-type"));
                if let Some((start, count)) = self.test.look(&html) {
                    let title = page.0.facts.titles.first().cloned().unwrap_or_default();
                    let snippet = around(&html, start);
                    self.hits.push(Hit { url: page.it.0.url, title, score: None, snippet, count });
                }
            }
            if at_end {
                return Ok(None);
            }
        }
    }
}
