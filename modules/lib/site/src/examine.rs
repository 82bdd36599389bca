//! Calls that examine and mend a page for a keyword.

use sdk::{Fix, json};

/// The bounds of a keyword that a page is scored for, in characters.
const CHARACTERS: std::ops::RangeInclusive<usize> = 2..=120;

/// What examines a page: for a keyword by `onpage.page.score`, else as a whole by `audit.page.check`. `None` where that is not
/// served, and for what is no web address.
#[must_use]
pub fn examine(url: &str, keyword: Option<&str>) -> Option<Fix> {
    if !url.starts_with("http") {
        return None;
    }
    match keyword.filter(|it| CHARACTERS.contains(&it.chars().count())) {
        Some(keyword) => Fix::new("onpage.page.score", json!({ "url": url, "keyword": keyword })).if_served(),
        None => Fix::on("audit.page.check", url).if_served(),
    }
}

/// What proposes titles for a page that searches show and too few click. `None` where that is not served, and for what is no web
/// address.
#[must_use]
pub fn retitle(url: &str, keyword: Option<&str>) -> Option<Fix> {
    let mut arguments = json!({ "url": url });
    if let Some(keyword) = keyword.filter(|it| CHARACTERS.contains(&it.chars().count())) {
        arguments["keyword"] = json!(keyword);
    }
    url.starts_with("http").then(|| Fix::new("onpage.title.suggest", arguments))?.if_served()
}
