//! What a website is about, by the words of its pages, and how alike another page is.

use kit::terms::Analyzer;
use kit::tfidf::{Frequencies, Vector, cosine};
use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use site::Site;
use site::pages::Crawl;

use crate::stored::{packed, unpacked};

/// Pages that are read, and terms that are kept.
const PAGES: usize = 300;
const TERMS: usize = 1_500;
const MAX_BLOB: u32 = 1 << 20;

/// The terms of a website.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Topic {
    /// The language of most pages.
    pub(crate) language: String,
    documents: u32,
    /// Term, weight in the website, and in how many of its pages it is.
    terms: Vec<(String, f64, u32)>,
}

impl Topic {
    /// Those of the newest crawl, by titles, descriptions and first headings; none without a crawl.
    pub(crate) fn of_crawl(cx: &Cx, site: &Id<Site>) -> Option<Self> {
        let crawl = Crawl::newest(cx, site)?;
        let pages: Vec<_> = crawl.pages(0).filter(|it| it.indexable).take(PAGES).collect();
        let mut languages: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
        pages.iter().for_each(|it| *languages.entry(kit::language::primary(&it.language)).or_default() += 1);
        let language = languages.into_iter().max_by_key(|it| it.1)?.0;
        let analyzer = Analyzer::new(&language);
        let texts = pages.iter().map(|it| {
            [&it.title, &it.h1, &it.description].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
        });
        Some(Self::new(language, texts.map(|it| analyzer.stems(&it)).collect()))
    }

    /// That of documents of stems.
    pub(crate) fn new(language: String, documents: Vec<Vec<String>>) -> Self {
        let frequencies = Frequencies::of(&documents);
        let mut sum = Vector::new();
        for document in &documents {
            for (term, weight) in frequencies.vector(document) {
                *sum.entry(term).or_default() += weight;
            }
        }
        let mut terms: Vec<(String, f64, u32)> = sum
            .into_iter()
            .map(|(term, weight)| {
                let count = frequencies.count(&term);
                (term, weight, count)
            })
            .collect();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        terms.truncate(TERMS);
        Self { language, documents: frequencies.documents(), terms }
    }

    /// Keeps it for the steps of a job.
    ///
    /// # Errors
    /// The host's refusal of the blob.
    pub(crate) fn keep(self, cx: &Cx, site: &Id<Site>) -> Result<()> {
        cx.blobs().write(&format!("topic/{site}"), &packed(&[self]))
    }

    /// What was kept.
    pub(crate) fn kept(cx: &Cx, site: &Id<Site>) -> Option<Self> {
        let bytes = cx.blobs().read(&format!("topic/{site}"), 0, MAX_BLOB)?;
        unpacked::<Self>(&bytes)?.pop().filter(|it| !it.terms.is_empty())
    }

    /// How it compares texts.
    pub(crate) fn measure(&self) -> Measure<'_> {
        let site: Vector = self.terms.iter().map(|it| (it.0.clone(), it.1)).collect();
        Measure { topic: self, analyzer: Analyzer::new(&self.language), site: unit(site) }
    }
}

/// Compares texts with a website.
pub(crate) struct Measure<'a> {
    topic: &'a Topic,
    analyzer: Analyzer,
    site: Vector,
}

impl Measure<'_> {
    /// The cosine of a text and the website, in percent; none for a text without words.
    pub(crate) fn similarity(&self, text: &str) -> Option<u8> {
        let mut vector = Vector::new();
        for stem in self.analyzer.stems(text) {
            *vector.entry(stem).or_default() += 1.0;
        }
        if vector.is_empty() {
            return None;
        }
        for (term, weight) in &mut vector {
            let count = self.topic.terms.iter().find(|it| it.0 == *term).map_or(0, |it| it.2);
            *weight *= (f64::from(1 + self.topic.documents) / f64::from(1 + count)).ln() + 1.0;
        }
        u8::try_from(kit::number::as_count((cosine(&unit(vector), &self.site) * 100.0).clamp(0.0, 100.0))).ok()
    }
}

fn unit(mut vector: Vector) -> Vector {
    let length = vector.values().map(|it| it * it).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.values_mut().for_each(|it| *it /= length);
    }
    vector
}
