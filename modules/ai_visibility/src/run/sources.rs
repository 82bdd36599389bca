//! The sources of an answer: addresses as people know them, each once.

use kit::url::{Url, is_tracking};
use sdk::Cited;

use crate::brand::markup::Markup;
use crate::stored::SourceKind;

/// Sources that are kept of one answer.
const MAX: usize = 60;

/// A source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) url: String,
    pub(crate) domain: String,
    pub(crate) title: Option<String>,
    pub(crate) kind: SourceKind,
    /// In characters of the text.
    pub(crate) span: Option<(u32, u32)>,
}

/// What the provider names, then what the text links to.
pub(crate) fn sources(text: &str, cited: &[Cited]) -> Vec<Source> {
    let mut out: Vec<Source> = Vec::new();
    let small = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    for it in cited {
        let title =
            it.title.as_deref().map(|it| kit::text::clip(it.trim(), 200).to_owned()).filter(|it| !it.is_empty());
        let span = it.span.map(|(from, to)| (small(from), small(to)));
        add(&mut out, &it.url, title, SourceKind::Cited, span);
    }
    for (words, address) in Markup::of(text).targets {
        let before = |byte: usize| small(text[..byte].chars().count());
        let span = Some((before(words.start), before(words.end)));
        let label = text[words].trim();
        let title = (!label.starts_with("http")).then(|| kit::text::clip(label, 200).to_owned());
        add(&mut out, &address, title.filter(|it| !it.is_empty()), SourceKind::Linked, span);
    }
    out
}

fn add(out: &mut Vec<Source>, address: &str, title: Option<String>, kind: SourceKind, span: Option<(u32, u32)>) {
    let Some(url) = clean(address) else { return };
    let Some(domain) = serps::registrable(&url) else { return };
    if let Some(known) = out.iter_mut().find(|it| it.url == url) {
        known.title = known.title.take().or(title);
        known.span = known.span.or(span);
    } else if out.len() < MAX {
        out.push(Source { url, domain, title, kind, span });
    }
}

/// An address without what only counts visits and without the wrappers of search engines; nothing is fetched for it.
pub(crate) fn clean(address: &str) -> Option<String> {
    let mut url = Url::parse(address.trim()).ok().filter(|it| matches!(it.scheme(), "http" | "https"))?;
    if let Some(inner) = unwrapped(&url) {
        url = inner;
    }
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracking(name))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    if kept.is_empty() {
        url.set_query(None);
    } else if kept.len() != url.query_pairs().count() {
        url.query_pairs_mut().clear().extend_pairs(kept);
    }
    // Assistants point at words of a page with a text fragment.
    url.set_fragment(None);
    let text = url.to_string();
    (text.len() <= kit::url::LONGEST).then_some(text)
}

/// The address within a search engine's redirect, by the patterns that are known.
fn unwrapped(url: &Url) -> Option<Url> {
    let host = url.host_str()?.trim_start_matches("www.");
    let name = match (host, url.path()) {
        (host, "/url") if host.starts_with("google.") => ["q", "url"],
        ("duckduckgo.com", "/l/") => ["uddg", "u"],
        ("l.facebook.com", "/l.php") => ["u", "url"],
        _ => return None,
    };
    let inner = url.query_pairs().find(|(it, _)| name.contains(&it.as_ref()))?.1.into_owned();
    Url::parse(&inner).ok().filter(|it| matches!(it.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_visits_and_wrappers_of_search_engines_are_taken_off() {
        let of = |it: &str| clean(it).unwrap();
        assert_eq!(of("https://shop.example/a?utm_source=openai"), "https://shop.example/a");
        assert_eq!(
            of("https://shop.example/a?id=7&utm_source=chatgpt.com#:~:text=Lamps"),
            "https://shop.example/a?id=7"
        );
        assert_eq!(of("https://www.google.com/url?q=https://shop.example/b&sa=U"), "https://shop.example/b");
        assert_eq!(clean("ftp://shop.example/"), None);
        assert_eq!(clean("javascript:alert(1)"), None);
    }

    #[test]
    fn a_source_that_is_cited_and_linked_is_one_source() {
        let text = "See [the guide](https://shop.example/guide) and https://b.example/x.";
        let cited = [Cited {
            url: "https://shop.example/guide?utm_source=openai".to_owned(),
            title: None,
            span: Some((0, 10)),
        }];
        let found = sources(text, &cited);
        let shown: Vec<(&str, SourceKind)> = found.iter().map(|it| (it.url.as_str(), it.kind)).collect();
        assert_eq!(
            shown,
            [("https://shop.example/guide", SourceKind::Cited), ("https://b.example/x", SourceKind::Linked)]
        );
        assert_eq!((found[0].title.as_deref(), found[0].span), (Some("the guide"), Some((0, 10))));
    }
}
