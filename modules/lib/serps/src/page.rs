//! A result page, read from the provider's answer and kept compact.

use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::{Feature, feature};

/// Organic results of a page that are kept.
const MAX_RESULTS: usize = 200;
/// Characters of a title.
const MAX_TITLE: usize = 120;
/// References of an element that are kept.
const MAX_REFERENCES: usize = 12;
/// Questions and suggestions of an element that are kept.
const MAX_TEXTS: usize = 8;

/// An organic result.
#[value]
#[derive(Default)]
pub struct Result {
    /// Its place among the organic results, from 1.
    pub position: u32,
    /// Its place among all elements of the page, from 1; null when the provider does not say it.
    pub absolute: Option<u32>,
    /// The address.
    pub url: String,
    /// The title, cut to 120 characters.
    pub title: String,
    /// Pixels from the top of the page, when they were asked for.
    pub pixels: Option<u32>,
    /// Whether links to pages of the same site stand below it.
    pub sitelinks: bool,
}

/// An element beside the organic results.
#[value]
pub struct Element {
    /// What it is.
    pub feature: Feature,
    /// The provider's name of it.
    pub kind: String,
    /// Its place among all elements of the page, from 1; null when the provider does not say it.
    pub absolute: Option<u32>,
    /// Addresses that it shows or quotes, at most 12.
    pub urls: Vec<String>,
    /// Its questions or searches, at most 8.
    pub texts: Vec<String>,
}

/// What a search engine showed for a keyword.
#[value]
#[derive(Default)]
pub struct Page {
    /// Organic results, the first ones first, each place once.
    pub results: Vec<Result>,
    /// The other elements in their order.
    pub elements: Vec<Element>,
}

impl Page {
    /// Reads the provider's result: `rank_group` of the type `organic` is the position, `rank_absolute` the place among all
    /// elements. Links below a result are no results of their own.
    #[must_use]
    pub fn read(result: &Value) -> Self {
        let items = result["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut page = Self::default();
        for item in items {
            let kind = item["type"].as_str().unwrap_or_default();
            match feature(kind) {
                None => page.results.extend(organic(item)),
                Some(feature) => page.elements.push(element(feature, kind, item)),
            }
            if item["is_featured_snippet"] == true && !page.has(Feature::FeaturedSnippet) {
                page.elements.push(element(Feature::FeaturedSnippet, "featured_snippet", item));
            }
        }
        page.results.sort_by_key(|it| it.position);
        page.results.dedup_by_key(|it| it.position);
        page.results.truncate(MAX_RESULTS);
        page
    }

    /// Whether it has an element of a kind.
    #[must_use]
    pub fn has(&self, wanted: Feature) -> bool {
        self.elements.iter().any(|it| it.feature == wanted)
    }

    /// The kinds of its elements, each once.
    #[must_use]
    pub fn features(&self) -> Vec<Feature> {
        let mut features: Vec<Feature> = self.elements.iter().map(|it| it.feature).collect();
        if self.results.iter().any(|it| it.sitelinks) {
            features.push(Feature::Sitelinks);
        }
        features.sort();
        features.dedup();
        features
    }

    /// The questions that others ask.
    pub fn questions(&self) -> impl Iterator<Item = &str> {
        let boxes = self.elements.iter().filter(|it| it.feature == Feature::PeopleAlsoAsk);
        boxes.flat_map(|it| it.texts.iter().map(String::as_str))
    }

    /// The best result that holds.
    #[must_use]
    pub fn best(&self, holds: impl Fn(&str) -> bool) -> Option<&Result> {
        self.results.iter().find(|it| holds(&it.url))
    }
}

fn number(item: &Value, name: &str) -> Option<u32> {
    item[name].as_u64().and_then(|it| u32::try_from(it).ok()).filter(|it| *it > 0)
}

fn organic(item: &Value) -> Option<Result> {
    let url = item["url"].as_str().filter(|it| it.len() <= 2_048)?;
    Some(Result {
        position: number(item, "rank_group")?,
        absolute: number(item, "rank_absolute"),
        url: url.to_owned(),
        title: kit::text::collapse_to(item["title"].as_str().unwrap_or_default(), MAX_TITLE),
        pixels: item["rectangle"]["y"].as_f64().map(whole),
        sitelinks: item["links"].as_array().is_some_and(|it| !it.is_empty()),
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded below and above")]
fn whole(pixels: f64) -> u32 {
    pixels.clamp(0.0, 1e9).round() as u32
}

fn element(feature: Feature, kind: &str, item: &Value) -> Element {
    let mut element = Element {
        feature,
        kind: kind.chars().take(40).collect(),
        absolute: number(item, "rank_absolute"),
        urls: Vec::new(),
        texts: Vec::new(),
    };
    gather(item, &mut element, 0);
    element
}

/// Addresses and questions of an element and what is in it, four levels deep.
fn gather(item: &Value, element: &mut Element, depth: u32) {
    if depth > 4 {
        return;
    }
    if let Some(url) = item["url"].as_str().filter(|it| it.starts_with("http") && it.len() <= 2_048)
        && element.urls.len() < MAX_REFERENCES
        && !element.urls.iter().any(|it| it == url)
    {
        element.urls.push(url.to_owned());
    }
    let text = item.as_str().or_else(|| item["title"].as_str().filter(|_| depth > 0));
    if let Some(text) = text.filter(|_| matches!(element.feature, Feature::PeopleAlsoAsk | Feature::RelatedSearches))
        && element.texts.len() < MAX_TEXTS
    {
        element.texts.push(kit::text::collapse_to(text, MAX_TITLE));
    }
    for inner in ["items", "references", "links", "expanded_element"] {
        item[inner].as_array().into_iter().flatten().for_each(|it| gather(it, element, depth + 1));
    }
}
