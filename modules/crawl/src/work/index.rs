//! The search index of a crawl: segments of some thousand texts each, made from the packs of texts.

use std::collections::{BTreeMap, HashMap};

use kit::inverted::{Whole, Writer, vocabulary};
use sdk::prelude::*;

use super::Phase;
use super::crawl::Crawl;
use super::keep::{Line, Text, facts_blob, text_blob};
use crate::stored::Summary;

/// Texts of one segment.
const MOST_TEXTS: usize = 2_000;
/// Bytes of texts that one step indexes.
const MOST_BYTES: usize = 10 << 20;
/// Bytes of segments whose words are counted together.
const MOST_COUNTED: usize = 50 << 20;
/// Packs of facts that the language is taken from.
const LANGUAGE_PACKS: u32 = 20;

/// The blob of a segment.
pub(crate) fn segment_blob(run: &str, segment: usize) -> String {
    format!("index/{run}/{segment}")
}

/// The blob that says where the texts of a segment stand: pack, offset and length of each, u32 little-endian.
pub(crate) fn places_blob(run: &str, segment: usize) -> String {
    format!("places/{run}/{segment}")
}

impl Crawl<'_> {
    /// Adds one segment; ends the phase when every pack is indexed.
    pub(super) fn index_texts(&mut self) -> Result<()> {
        if !self.has_room()? {
            return Ok(());
        }
        let run = self.reference();
        let mut summary = self.summary();
        if summary.language.is_empty() {
            summary.language = self.language();
        }
        let mut writer = Writer::new(&summary.language);
        let (mut places, mut bytes) = (Vec::new(), 0);
        while summary.indexed < self.run.0.packs && writer.len() < MOST_TEXTS && bytes < MOST_BYTES {
            self.budget.call();
            let pack = self.pack(&text_blob(&run, summary.indexed));
            bytes += pack.len();
            let mut offset = 0;
            for line in pack.split_inclusive(|byte| *byte == b'\n') {
                let length = line.len() - usize::from(line.ends_with(b"\n"));
                if let Ok(text) = serde_json::from_slice::<Text>(&line[..length]) {
                    writer.add(&format!("{}\n{}", text.title, text.plain));
                    for value in [summary.indexed as usize, offset, length] {
                        places.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
                    }
                }
                offset += line.len();
            }
            summary.indexed += 1;
        }
        if !writer.is_empty() {
            let segment = summary.segments.len();
            summary.segments.push(u32::try_from(writer.len()).unwrap_or(u32::MAX));
            self.cx.blobs().write(&places_blob(&run, segment), &places)?;
            let bytes = writer.finish();
            self.cx.blobs().write(&segment_blob(&run, segment), &bytes)?;
        }
        let ended = summary.indexed >= self.run.0.packs;
        if ended {
            if bytes > MOST_BYTES / 2 {
                // The next step counts words with a fresh allowance.
                self.budget.end();
            } else {
                count_words(self, &run, &mut summary);
                self.point.phase = Phase::Summary;
            }
        } else {
            self.budget.end();
        }
        self.save_summary(summary)
    }

    /// What is worked out so far.
    pub(super) fn summary(&mut self) -> Summary {
        self.budget.call();
        self.cx.records::<Summary>().find(&self.run.id.cast()).map(Stored::into_inner).unwrap_or_default()
    }

    pub(super) fn save_summary(&mut self, summary: Summary) -> Result<()> {
        self.budget.call();
        let id: Id<Summary> = self.run.id.cast();
        self.cx.records::<Summary>().put_many_as([(&id, &summary)])?;
        Ok(())
    }

    /// The language that most pages declare; English when none does.
    fn language(&mut self) -> String {
        let run = self.reference();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for pack in 0..self.run.0.packs.min(LANGUAGE_PACKS) {
            self.budget.call();
            for line in lines(&self.pack(&facts_blob(&run, pack))) {
                if !line.language.is_empty() {
                    *counts.entry(line.language).or_default() += 1;
                }
            }
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map_or_else(|| "en".to_owned(), |(language, _)| language)
    }
}

fn count_words(crawl: &mut Crawl<'_>, run: &str, summary: &mut Summary) {
    let mut holders: HashMap<u64, u64> = HashMap::new();
    let (mut texts, mut terms, mut bytes) = (0, 0, 0);
    for segment in 0..summary.segments.len() {
        crawl.budget.call();
        let segment = crawl.pack(&segment_blob(run, segment));
        bytes += segment.len();
        texts += segment.get(4..8).and_then(|it| it.try_into().ok()).map_or(0, u32::from_le_bytes);
        terms += segment.get(8..16).and_then(|it| it.try_into().ok()).map_or(0, u64::from_le_bytes);
        if bytes <= MOST_COUNTED {
            vocabulary(&segment).for_each(|(hash, count)| *holders.entry(hash).or_default() += u64::from(count));
        }
    }
    // In an order of its own, so that the sum is the same in a replay.
    let mut counts: Vec<u64> = holders.into_values().collect();
    counts.sort_unstable();
    summary.search = Whole::of(u64::from(texts), terms, counts.into_iter());
}

/// The pages of a pack of facts.
pub(crate) fn lines(pack: &[u8]) -> impl Iterator<Item = Line> + '_ {
    pack.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}
