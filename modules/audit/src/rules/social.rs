//! Rules about how a page looks when it is shared.

pub(super) mod detail;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "social.no_card" Social Notice Indexable Low 85 Page(no_card);
    title "The page has no share card";
    why "Without Open Graph tags each network guesses a title and a picture.";
    fix "onpage.social.preview" "Add og:title, og:type, og:image and og:url.";
    see "https://ogp.me/";

    "social.incomplete" Social Notice Indexable Low 85 Page(incomplete);
    title "The share card is incomplete";
    why "The Open Graph protocol requires title, type, image and url on every page.";
    fix "onpage.social.preview" "Add the properties that are missing.";
    see "https://ogp.me/#metadata";

    "social.image_relative" Social Notice Page Low 92 Page(image_relative);
    title "The picture of the share card has a relative address";
    why "Networks fetch the picture from elsewhere and need its whole address.";
    fix "onpage.social.preview" "Write the whole address, with scheme and host.";
    see "https://ogp.me/#types";

    "social.url_differs" Social Notice Page Low 75 Page(url_differs);
    title "The share card names another address than the canonical";
    why "Shares and likes are counted for og:url; they then go to another page.";
    fix "onpage.social.preview" "Write the canonical address into og:url.";
    see "https://ogp.me/#metadata";
}

fn property<'a>(page: &'a PageFacts, name: &str) -> Option<&'a str> {
    page.open_graph
        .iter()
        .find(|(property, content)| property == name && !content.trim().is_empty())
        .map(|(_, content)| content.as_str())
}

fn no_card(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.open_graph.is_empty() && page.twitter.is_empty())
        .then(|| Evidence::absent("<meta property=\"og:title\">").expected("og:title, og:type, og:image, og:url"))
}

fn incomplete(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    if page.open_graph.is_empty() {
        return None;
    }
    let missing = ["og:title", "og:type", "og:image", "og:url"]
        .into_iter()
        .filter(|it| property(page, it).is_none())
        .collect::<Vec<_>>();
    let first = missing.first()?;
    Some(Evidence::absent(format!("<meta property=\"{first}\">")).expected(missing.join(", ")).count(missing.len()))
}

fn image_relative(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let image = property(page, "og:image").filter(|it| !it.contains("://"))?;
    Some(Evidence::at("<meta property=\"og:image\">", image).expected("an address with scheme and host"))
}

fn url_differs(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let url = property(page, "og:url").filter(|it| it.contains("://"))?;
    let canonical = page.canonicals.iter().find_map(|it| it.url.as_deref())?;
    let bare = |url: &str| url.trim_end_matches('/').to_lowercase();
    (bare(url) != bare(canonical)).then(|| Evidence::at("<meta property=\"og:url\">", url).expected(canonical))
}
