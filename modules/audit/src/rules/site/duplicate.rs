//! Rules about pages that say the same: titles, descriptions, headings, texts, addresses.

use std::collections::BTreeMap;

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "title.duplicate" Metadata Warning Indexable Medium 90 Site(titles);
    title "Several pages share one title";
    why "Search engines and people tell results apart by their titles; pages with the same one compete with each other.";
    fix "cms.seo_meta.bulk_update" "Give each page a title that names what only this page has.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.boilerplate" Metadata Warning Indexable Low 85 Site(boilerplate);
    title "The title is only what all titles end with";
    why "The name of the website alone does not say what this page offers.";
    fix "onpage.title.suggest" "Put the subject of the page before the name of the website.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "description.duplicate" Metadata Notice Indexable Medium 85 Site(descriptions);
    title "Several pages share one description";
    why "A description that fits several pages describes none of them, and search engines then write their own.";
    fix "cms.seo_meta.bulk_update" "Write a description for each page, or leave it out where it would only repeat.";
    see "https://developers.google.com/search/docs/appearance/snippet";

    "heading.h1_duplicate" Headings Notice Indexable Medium 70 Site(headings);
    title "Several pages share one main heading";
    why "Readers who land on two pages with the same heading cannot tell where they are.";
    fix "cms.content.update" "Give each page a main heading of its own.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "content.duplicate" Content Warning Indexable Medium 95 Site(texts);
    title "Several pages have the very same text";
    why "Search engines keep one of them and drop the others; which one is then not your choice.";
    fix "cms.redirect.upsert" "Keep one page and point the others to it with a redirect or a canonical link.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "url.variant_duplicate" Url Warning Indexable Low 90 Site(addresses);
    title "Two addresses differ only in case or a final slash";
    why "Both answer, both can be indexed, and links are split between them (RFC 3986 section 6.2.2 makes them different addresses).";
    fix "cms.redirect.upsert" "Choose one form, redirect the other to it, and link to the chosen one only.";
    see "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2";
}

fn titles(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    shared(index, "<title>", |entry| folded(&entry.title), |entry| entry.title.clone())
}

/// What stands between the parts of a title.
const BETWEEN: [&str; 6] = [" | ", " - ", " – ", " — ", " · ", " » "];
/// Pages that are needed before a part can be called the same everywhere.
const EVERYWHERE: usize = 4;

fn boilerplate(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let parts = |title: &str| -> Vec<String> {
        let parts = BETWEEN.iter().fold(vec![title.to_owned()], |parts, between| {
            parts.iter().flat_map(|part| part.split(between)).map(str::to_owned).collect()
        });
        parts.iter().map(|part| folded(part)).filter(|part| !part.is_empty()).collect()
    };
    let titled: Vec<&Entry> = index.indexable().filter(|entry| !entry.title.is_empty()).collect();
    let mut pages: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &titled {
        let mut own = parts(&entry.title);
        own.sort();
        own.dedup();
        // A title without parts is no proof that its text is the name of the website.
        for part in own.into_iter().filter(|part| folded(&entry.title) != *part) {
            *pages.entry(part).or_default() += 1;
        }
    }
    let name = pages.into_iter().max_by_key(|(_, count)| *count);
    let Some((name, _)) = name.filter(|(_, count)| *count >= EVERYWHERE && 2 * count >= titled.len()) else {
        return Vec::new();
    };
    let bare = titled.into_iter().filter(|entry| {
        let home = kit::url::path_and_query(&entry.url) == "/";
        !home && parts(&entry.title).iter().all(|part| *part == name)
    });
    bare.map(|entry| Finding {
        url: entry.url.clone(),
        evidence: Evidence::at("<title>", &entry.title).expected("more than the name that other titles end with"),
    })
    .collect()
}

fn descriptions(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    shared(index, "<meta name=\"description\">", |entry| folded(&entry.description), |entry| entry.description.clone())
}

fn headings(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    shared(index, "<h1>", |entry| folded(&entry.heading), |entry| entry.heading.clone())
}

fn texts(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    shared(index, "main text", |entry| entry.text_hash.clone(), |entry| format!("{} words", entry.words))
}

fn addresses(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    shared(
        index,
        "address",
        |entry| {
            let (path, query) =
                entry.url.split_once('?').map_or((entry.url.as_str(), ""), |(path, query)| (path, query));
            format!("{}?{query}", path.trim_end_matches('/').to_lowercase())
        },
        |entry| entry.url.clone(),
    )
}

/// Upper and lower case and the width of spaces do not make a text another text.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Each page whose `key` another page has too; pages with an empty key are left out.
fn shared(index: &SiteIndex, element: &str, key: fn(&Entry) -> String, value: fn(&Entry) -> String) -> Vec<Finding> {
    let mut groups: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in index.indexable() {
        let key = key(entry);
        if !key.is_empty() {
            groups.entry(key).or_default().push(entry);
        }
    }
    let mut findings = Vec::new();
    for group in groups.values().filter(|group| group.len() > 1) {
        for (position, entry) in group.iter().enumerate() {
            let twin = group[usize::from(position == 0)];
            findings.push(Finding {
                url: entry.url.clone(),
                evidence: Evidence::at(element, value(entry))
                    .expected(format!("differs from {}", twin.url))
                    .count(group.len()),
            });
        }
    }
    findings
}
