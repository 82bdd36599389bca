//! Rules about pages that can be indexed although hardly anybody means them to be.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::{authority, is_trial, split};

rules! {
    "indexability.trial_open" Indexability Warning Indexable Low 78 Page(trial_open);
    title "A trial version of the website can be indexed";
    why "A copy that is meant for its makers competes with the website itself and shows what is not ready.";
    fix "indexing.robots.compose" "Put the copy behind a password, or answer with noindex.";
    see "https://developers.google.com/search/docs/crawling-indexing/block-indexing";

    "indexability.internal_search" Indexability Warning Indexable Low 78 Page(internal_search);
    title "A page of search results can be indexed";
    why "Each word that anybody types makes another such page; Google asks to keep them from being crawled.";
    fix "indexing.robots.compose" "Disallow the search in robots.txt, or answer with noindex.";
    see "https://developers.google.com/search/docs/essentials/spam-policies";

    "indexability.service_page" Indexability Notice Indexable Low 65 Page(service_page);
    title "A page for customers only can be indexed";
    why "Baskets, checkouts, accounts and logins hold nothing to be found and take visits that lead nowhere.";
    fix "cms.seo_meta.update" "Answer with noindex.";
    see "https://developers.google.com/search/docs/crawling-indexing/block-indexing";
}

fn trial_open(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let host = authority(&page.final_url)?.split(':').next()?;
    is_trial(host).then(|| Evidence::at("host", host).expected("noindex, or a password"))
}

fn internal_search(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, query) = split(&page.final_url)?;
    let asked = |names: &[&str]| {
        query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .any(|(name, value)| names.contains(&name) && !value.is_empty())
    };
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_lowercase();
    let searching =
        matches!(last.as_str(), "search" | "suche" | "recherche" | "buscar" | "searchresults" | "catalogsearch");
    let found = asked(&["s"]) && matches!(path, "/" | "/index.php")
        || (searching || path.contains("/catalogsearch/"))
            && asked(&["q", "s", "query", "search", "keyword", "keywords", "term"]);
    found.then(|| Evidence::at("address", &page.final_url).expected("noindex, or disallowed in robots.txt"))
}

/// Last parts of addresses of pages that serve customers and hold nothing to be found.
const PLACES: [&str; 14] = [
    "cart",
    "basket",
    "checkout",
    "login",
    "signin",
    "sign-in",
    "my-account",
    "wp-login.php",
    "warenkorb",
    "kasse",
    "anmelden",
    "panier",
    "lost-password",
    "forgot-password",
];
/// Parts of addresses below which nothing is meant to be found either.
const BELOW: [&str; 17] = [
    "account",
    "admin",
    "wp-admin",
    "wishlist",
    "compare",
    "register",
    "signup",
    "sign-up",
    "search",
    "konto",
    "print",
    "print.html",
    "thanks",
    "thank-you",
    "404",
    "404.html",
    "feed",
];

/// Whether an address is one that no website wants to be found at: a basket, a sign-in, its own search.
pub(crate) fn is_service_page(url: &str) -> bool {
    let Some((path, _)) = split(url) else { return false };
    let mut parts = path.split('/').filter(|part| !part.is_empty()).map(str::to_lowercase);
    parts.any(|part| PLACES.contains(&part.as_str()) || BELOW.contains(&part.as_str()))
}

fn service_page(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    let last = path.trim_end_matches('/').rsplit('/').next()?.to_lowercase();
    PLACES.contains(&last.as_str()).then(|| Evidence::at("path", path).expected("noindex"))
}
