//! Feeds, which search engines take as sitemaps: RSS 2.0 and Atom (RFC 4287).

use quick_xml::Reader;
use quick_xml::events::Event;

use super::Type;

/// What a feed is, how many entries it has, and the newest date among them as W3C Datetime day; none for no feed.
pub(crate) fn read(text: &str) -> Option<(Type, u32, Option<String>)> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
    let (mut kind, mut entries, mut newest) = (None, 0_u32, None);
    let mut dated = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                let name = start.local_name().into_inner().to_ascii_lowercase();
                if kind.is_none() {
                    kind = Some(match name.as_str() {
                        "rss" | "rdf" => Type::Rss,
                        "feed" => Type::Atom,
                        _ => return None,
                    });
                }
                entries += u32::from(matches!(name.as_str(), "item" | "entry"));
                dated = matches!(name.as_str(), "pubdate" | "updated" | "published" | "date");
            }
            Ok(Event::Text(text)) if dated => {
                newest = newest.max(kit::dates::parse(text.xml10_content().trim()));
                dated = false;
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    kind.map(|kind| (kind, entries, newest.map(|date| date.to_string())))
}
