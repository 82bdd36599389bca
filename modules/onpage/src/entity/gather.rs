//! Names and their evidence: from structured data, running text, title, headings and links.

use std::collections::{BTreeMap, BTreeSet};

use kit::jsonld;
use kit::names::{self, Kind};

use super::Evidence;
use crate::live::Live;

/// A name with what speaks for it.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) mentions: u32,
    pub(super) weight: f64,
    pub(super) evidence: BTreeSet<Evidence>,
}

/// Everything that is named, the weightiest first.
pub(super) fn found(text: &str, page: Option<&Live>, language: &str) -> Vec<Found> {
    let mut all: BTreeMap<String, (Found, f64)> = BTreeMap::new();
    for it in names::names(text, language) {
        let mut evidence = BTreeSet::from([Evidence::Capitalisation]);
        if it.listed {
            evidence.insert(Evidence::Gazetteer);
        }
        let found = Found { name: it.name.clone(), kind: it.kind, mentions: it.mentions, weight: 0.0, evidence };
        all.insert(it.name.to_lowercase(), (found, it.first));
    }
    if let Some(page) = page {
        declared(page, text, &mut all);
        let places = Places::of(page);
        for (key, (found, _)) in &mut all {
            places.add(key, &mut found.evidence);
        }
    }
    let mut out: Vec<Found> = all
        .into_values()
        .map(|(mut it, first)| {
            it.weight = weight(&it, first);
            it
        })
        .collect();
    out.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.name.cmp(&b.name)));
    out
}

/// Mentions by their logarithm, half more for the very first words, and what else speaks for a name.
fn weight(found: &Found, first: f64) -> f64 {
    let mentions = (1.0 + f64::from(found.mentions)).ln() * (1.0 + 0.5 * (1.0 - first));
    let others: f64 = found
        .evidence
        .iter()
        .map(|it| match it {
            Evidence::Title | Evidence::StructuredData => 1.0,
            Evidence::Heading | Evidence::LinkText => 0.5,
            Evidence::Capitalisation | Evidence::Gazetteer | Evidence::Llm => 0.0,
        })
        .sum();
    mentions + others
}

/// Names that structured data declares.
fn declared(page: &Live, text: &str, all: &mut BTreeMap<String, (Found, f64)>) {
    let lower = text.to_lowercase();
    for node in jsonld::nodes(&page.dom) {
        let Some(kind) = jsonld::types(&node).find_map(kind) else { continue };
        let name = node.get("name").or_else(|| node.get("headline")).and_then(jsonld::text);
        let Some(name) = name.filter(|it| (2..=120).contains(&it.chars().count())) else { continue };
        let key = name.to_lowercase();
        let (known, _) = all.entry(key.clone()).or_insert_with(|| {
            let (mentions, first) = stands(&lower, &key);
            (Found { name, kind, mentions, weight: 0.0, evidence: BTreeSet::new() }, first)
        });
        known.kind = kind;
        known.evidence.insert(Evidence::StructuredData);
    }
}

/// How often a name stands in a text, and where first, from 0 to 1.
fn stands(lower: &str, name: &str) -> (u32, f64) {
    let edge = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric());
    let whole = |at: &usize| edge(lower[..*at].chars().next_back()) && edge(lower[at + name.len()..].chars().next());
    let found: Vec<usize> = lower.match_indices(name).map(|it| it.0).filter(whole).collect();
    #[expect(clippy::cast_precision_loss, reason = "a text has at most some hundred thousand bytes")]
    let first = found.first().map_or(1.0, |it| *it as f64 / lower.len().max(1) as f64);
    (u32::try_from(found.len()).unwrap_or(u32::MAX), first)
}

/// What a type of schema.org is; none for pages, lists and parts of them.
fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "Person" | "Patient" => Kind::Person,
        "Place"
        | "City"
        | "Country"
        | "State"
        | "AdministrativeArea"
        | "LandmarksOrHistoricalBuildings"
        | "Accommodation" => Kind::Place,
        "Product"
        | "ProductGroup"
        | "ProductModel"
        | "Vehicle"
        | "Car"
        | "SoftwareApplication"
        | "MobileApplication"
        | "WebApplication"
        | "Drug" => Kind::Product,
        "Brand" | "Organization" | "Corporation" | "Airline" | "Consortium" | "NGO" | "PoliticalParty"
        | "SportsTeam" | "LocalBusiness" | "Store" | "Restaurant" | "Hotel" | "School" | "Library" | "Hospital"
        | "BankOrCreditUnion" => Kind::Organization,
        "Book" | "Movie" | "MusicRecording" | "MusicAlbum" | "TVSeries" | "VideoGame" | "Painting" | "Play"
        | "Podcast" => Kind::Work,
        _ if name.ends_with("Organization") || name.ends_with("Business") || name.ends_with("Store") => {
            Kind::Organization
        }
        _ if name.ends_with("Event") => Kind::Event,
        _ => return None,
    })
}

/// What a page says outside its text, in lower case.
struct Places {
    title: String,
    headings: Vec<String>,
    anchors: Vec<String>,
}

impl Places {
    fn of(page: &Live) -> Self {
        let facts = &page.facts;
        let anchors = facts.links.iter().map(|it| it.anchor.to_lowercase()).filter(|it| !it.is_empty());
        Self {
            title: page.title().to_lowercase(),
            headings: facts.headings.iter().map(|it| it.text.to_lowercase()).collect(),
            anchors: anchors.collect(),
        }
    }

    /// Where else on the page a name in lower case stands.
    fn add(&self, name: &str, evidence: &mut BTreeSet<Evidence>) {
        let holds = |text: &String| stands(text, name).0 > 0;
        if holds(&self.title) {
            evidence.insert(Evidence::Title);
        }
        if self.headings.iter().any(holds) {
            evidence.insert(Evidence::Heading);
        }
        if self.anchors.iter().any(holds) {
            evidence.insert(Evidence::LinkText);
        }
    }
}
