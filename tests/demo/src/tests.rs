//! The manifest is true: each fault is where it says, and what is not listed is right.

use std::collections::BTreeSet;
use std::io::Read;

use crate::{Answer, Evidence, FAULTS, Fault, HOST, addresses, answer, pages};

fn body(path: &str) -> String {
    String::from_utf8_lossy(&answer(path).body).into_owned()
}

fn main_part(path: &str) -> String {
    let body = body(path);
    let main = body.split("<main>").nth(1).and_then(|rest| rest.split("</main>").next()).unwrap_or_default();
    main.split_once("</h1>").map_or(main, |(_, rest)| rest).to_owned()
}

fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
}

fn seen(fault: &Fault) -> bool {
    let (answer, text) = (answer(fault.path), body(fault.path));
    match fault.evidence {
        Evidence::Has(part) => text.contains(part),
        Evidence::Lacks(part) => answer.status == 200 && !text.contains(part),
        Evidence::Twice(part) => text.matches(part).count() > 1,
        Evidence::At(path, part) => body(path).contains(part),
        Evidence::NotAt(path, part) => answer.status == 200 && !body(path).contains(part),
        Evidence::Status(status) => answer.status == status,
        Evidence::Header(name, part) => header(&answer, name).is_some_and(|value| value.contains(part)),
        Evidence::NoHeader(name) => answer.status == 200 && header(&answer, name).is_none(),
        Evidence::Bytes(most) => answer.body.len() > most,
        Evidence::Short(least) => main_part(fault.path).len() < least,
        Evidence::SameMain(path) => main_part(path) == main_part(fault.path) && path != fault.path,
    }
}

#[test]
fn every_planted_fault_is_there() {
    let missing: Vec<_> = FAULTS.iter().filter(|fault| !seen(fault)).map(|fault| (fault.id, fault.path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let kinds: BTreeSet<_> = FAULTS.iter().map(|fault| fault.id).collect();
    assert!(kinds.len() >= 40 && kinds.len() == FAULTS.len(), "{} kinds", kinds.len());
}

#[test]
fn the_shop_has_hundreds_of_pages_in_two_languages() {
    let german = pages().iter().filter(|page| page.language == "de").count();
    assert!(pages().len() >= 300 && german >= 100, "{} pages, {german} in German", pages().len());
    let paths: BTreeSet<_> = pages().iter().map(|page| &page.path).collect();
    assert_eq!(paths.len(), pages().len(), "each once");
}

/// Links of a page: to addresses of the shop, without fragments.
fn links(path: &str) -> Vec<String> {
    let body = body(path);
    let hrefs = body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let own = hrefs.filter_map(|href| {
        href.strip_prefix(&format!("http://{HOST}")).or_else(|| href.starts_with('/').then_some(href))
    });
    own.map(|href| href.split('#').next().unwrap_or(href).replace("&amp;", "&"))
        .filter(|href| !href.is_empty())
        .collect()
}

#[test]
fn only_listed_links_are_broken() {
    let mut broken = BTreeSet::new();
    for path in addresses()
        .filter(|path| header(&answer(path), "content-type").is_some_and(|kind| kind.starts_with("text/html")))
    {
        broken.extend(links(path).into_iter().filter(|to| answer(to).status == 404));
    }
    assert_eq!(broken, BTreeSet::from(["/missing", "/products/lamp-3-gone", "/fr/shop/lampe-3"].map(str::to_owned)));
}

#[test]
fn every_page_but_the_listed_orphan_is_reached_from_the_start() {
    let (mut reached, mut next) = (BTreeSet::from(["/".to_owned()]), vec!["/".to_owned()]);
    while let Some(path) = next.pop() {
        let to = header(&answer(&path), "location").map(str::to_owned);
        let refresh = body(&path).contains("http-equiv=\"refresh\"").then(|| "/blog".to_owned());
        for link in links(&path).into_iter().chain(to).chain(refresh) {
            if reached.insert(link.clone()) {
                next.push(link);
            }
        }
    }
    let lost: Vec<_> = pages().iter().map(|page| &page.path).filter(|path| !reached.contains(*path)).collect();
    assert_eq!(lost, ["/orphan"]);
}

#[test]
fn titles_and_descriptions_are_unique_except_where_listed() {
    let twice = |of: fn(&crate::Listed) -> &String| {
        let mut seen = BTreeSet::new();
        pages()
            .iter()
            .filter(|page| !of(page).is_empty())
            .filter(|page| !seen.insert((page.language, of(page).clone())))
            .map(|page| page.path.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(twice(|page| &page.title), ["/products"]);
    assert_eq!(twice(|page| &page.description), ["/shop/desk-lamp-7"]);
}

#[test]
fn the_sitemaps_name_every_page_that_wants_to_be_found() {
    let packed = answer("/sitemap-shop.xml.gz").body;
    let mut shop = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut shop).expect("gzip");
    let all = [shop, body("/sitemap-pages.xml"), body("/sitemap-blog.xml"), body("/sitemap-de.xml")].concat();
    for page in pages() {
        assert!(all.contains(&format!("<loc>http://{HOST}{}</loc>", page.path)), "{}", page.path);
    }
    assert_eq!(body("/sitemap.xml").matches("<sitemap>").count(), 4);
}
