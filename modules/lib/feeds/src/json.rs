//! JSON Feed 1.0 and 1.1 (jsonfeed.org).

use serde_json::Value;
use url::Url;

use crate::{Entry, Feed, MOST_ENTRIES, dates, plain, resolved};

/// Reads a feed; none for JSON that is none.
pub(crate) fn read(text: &str, base: &Url) -> Option<Feed> {
    let feed: Value = serde_json::from_str(text).ok()?;
    let is_feed = feed["version"].as_str().is_some_and(|it| it.contains("jsonfeed.org/version"));
    let items = feed["items"].as_array().filter(|_| is_feed)?;
    let entries = items.iter().take(MOST_ENTRIES).map(|it| {
        let text = |name: &str| it[name].as_str().unwrap_or_default();
        let content = [text("content_html"), text("content_text"), text("summary")];
        let link = [text("url"), text("external_url"), text("id")].into_iter().find(|it| !it.is_empty());
        Entry {
            link: link.and_then(|it| resolved(base, it)),
            title: plain(text("title")),
            text: plain(content.into_iter().find(|it| !it.is_empty()).unwrap_or_default()),
            published: dates::seconds(text("date_published")).or_else(|| dates::seconds(text("date_modified"))),
        }
    });
    let title = plain(feed["title"].as_str().unwrap_or_default());
    Some(Feed { title, entries: entries.collect(), cut: items.len() > MOST_ENTRIES })
}
