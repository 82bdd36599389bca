//! Links that are suggested on a site that nobody here wrote, held against what a reader said of each: would an editor of the
//! site take it? `suggestions.tsv` beside this has all that was said.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use futures_util::{StreamExt as _, stream};
use scraper::{Html, Selector};
use serde_json::{Value, json};
use tests::host::Host;
use tests::{needs, site};

use super::Built;

const LABELS: &str = include_str!("suggestions.tsv");
const ORIGIN: &str = "http://docs.example";
/// Of the library's pages those to `s`: with all of them the crawl would take a third longer.
const LIBRARY: std::ops::RangeInclusive<char> = 'a'..='s';
/// What was suggested when the labels were made, less what another order of the crawl may cost.
const FEWEST: usize = 20;

/// Debian's `python3-doc` as it was read for the labels. Another version has other sentences.
fn documentation() -> Option<PathBuf> {
    let found = Some(PathBuf::from("/usr/share/doc/python3.11/html")).filter(|it| it.join("index.html").is_file());
    if found.is_none() {
        needs::skip("the documentation of Python 3.11", "apt-get install python3.11-doc");
    }
    found
}

/// What the crawl may follow.
fn include() -> Vec<String> {
    let library = LIBRARY.map(|letter| format!("/library/{letter}"));
    ["/howto/", "/faq/", "/whatsnew/", "/library/index.html$"].map(str::to_owned).into_iter().chain(library).collect()
}

/// The pages that are asked about.
fn pages(folder: &Path) -> BTreeSet<String> {
    let of = |part: &str| {
        let entries = std::fs::read_dir(folder.join(part)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let names = names.filter(|name| name.ends_with(".html"));
        names.map(|name| format!("/{part}/{name}")).collect::<Vec<_>>()
    };
    let library =
        of("library").into_iter().filter(|path| path["/library/".len()..].starts_with(|it| LIBRARY.contains(&it)));
    ["howto", "faq", "whatsnew"].into_iter().flat_map(of).chain(library).collect()
}

/// A suggestion as the labels know it: source, anchor, target.
type Named = (String, String, String);

/// What the reader said: whether each is good.
fn labels() -> BTreeMap<Named, bool> {
    let rows = LABELS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let label = |row: Vec<&str>| match row[..] {
        [source, anchor, target, said @ ("good" | "bad"), _] => {
            ((source.to_owned(), anchor.to_owned(), target.to_owned()), said == "good")
        }
        _ => panic!("{row:?}"),
    };
    rows.map(label).collect()
}

/// The words of a page, with one space between them.
fn words(folder: &Path, path: &str) -> String {
    let page = Html::parse_document(&std::fs::read_to_string(folder.join(&path[1..])).expect("a page"));
    let body = Selector::parse("body").expect("a selector");
    one_spaced(&page.select(&body).flat_map(|it| it.text()).collect::<String>())
}

fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test(flavor = "multi_thread")]
async fn most_suggested_links_are_ones_that_an_editor_would_take() {
    let Some(folder) = documentation() else { return };
    let served = site::serve_folder(folder.clone()).await;
    let host = Host::start_with(|options| options.map("docs.example", served.address)).await;
    let built = Built::of(host, "docs.example", json!({ "include": include(), "max_pages": 400 })).await;
    let pages = pages(&folder);
    assert!(pages.len() >= 100, "{}", pages.len());

    let ask = |path: String| {
        let (ada, site) = (built.ada.clone(), built.site.clone());
        async move {
            let of_page = json!({ "site_id": site, "url": format!("{ORIGIN}{path}"), "direction": "out" });
            ada.read("links.suggestion.for_page", of_page).await.data()["suggestions"].clone()
        }
    };
    let answers: Vec<Value> = stream::iter(pages).map(ask).buffer_unordered(2).collect().await;
    let path =
        |url: &Value| url.as_str().and_then(|it| it.strip_prefix(ORIGIN)).expect("a page of the site").to_owned();
    let mut found: BTreeMap<Named, String> = BTreeMap::new();
    for it in answers.iter().flat_map(|it| it.as_array().expect("suggestions")) {
        let text = |member: &str| it[member].as_str().expect("a text").to_owned();
        found.insert((path(&it["source"]), text("anchor"), path(&it["target"])), text("sentence"));
    }

    for ((source, anchor, _), sentence) in &found {
        assert!(sentence.contains(anchor), "{anchor}: {sentence}");
        let page = words(&folder, source);
        assert!(page.contains(&one_spaced(sentence)) && page.contains(anchor), "{source}: {sentence}");
    }
    let labels = labels();
    let good = found.keys().filter(|it| labels.get(*it) == Some(&true)).count();
    let new: Vec<&Named> = found.keys().filter(|it| !labels.contains_key(*it)).collect();
    assert!(found.len() >= FEWEST, "{found:#?}");
    assert!(good * 10 >= found.len() * 7, "{good} of {} are good; nobody has read {new:#?}", found.len());
    built.host.verify_ledger().await;
}
