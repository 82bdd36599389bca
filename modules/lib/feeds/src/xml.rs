//! RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use url::Url;

use crate::{Entry, Feed, MOST_ENTRIES, dates, plain, resolved};

/// What is read of an entry or of the feed itself, as it comes.
#[derive(Default)]
struct Parts {
    title: String,
    /// The page: of RSS a text, of Atom an address of the relation `alternate`.
    link: Option<String>,
    /// An id that is an address, for an entry without a link.
    id: Option<String>,
    content: String,
    summary: String,
    published: Option<i64>,
    updated: Option<i64>,
}

/// An element that is open.
struct Open {
    /// In lower case, without its prefix.
    name: String,
    prefix: String,
    base: Url,
    /// Whether markup in it is its text (`type=xhtml`), and whether its text is markup or no markup at all.
    is_markup: bool,
    is_plain: bool,
    is_permanent: bool,
}

/// Reads a feed; none for XML that is none.
pub(crate) fn read(text: &str, base: &Url) -> Option<Feed> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    reader.config_mut().allow_dangling_amp = true;
    let mut walk = Walk {
        feed: Feed::default(),
        base: base.clone(),
        open: Vec::new(),
        text: String::new(),
        own: Parts::default(),
        entry: None,
        at: 0,
    };
    let mut is_feed = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                if walk.open.is_empty() && !is_feed {
                    let name = local(&start);
                    is_feed = matches!(name.as_str(), "rss" | "rdf" | "feed" | "channel");
                    if !is_feed {
                        return None;
                    }
                }
                walk.start(&start);
            }
            Ok(Event::Empty(start)) if is_feed => {
                walk.start(&start);
                walk.end();
            }
            Ok(Event::End(_)) => walk.end(),
            Ok(Event::Text(text)) => walk.text.push_str(&text.xml10_content()),
            Ok(Event::CData(data)) => walk.cdata(&data.xml10_content()),
            Ok(Event::GeneralRef(reference)) => {
                let name = reference.xml10_content().into_owned();
                let letter = reference.resolve_char_ref().ok().flatten().map(String::from);
                let known = letter.or_else(|| quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned));
                // An entity of HTML is none of XML; readers take it all the same.
                walk.text.push_str(&known.unwrap_or_else(|| plain(&format!("&{name};"))));
            }
            Ok(Event::Eof) => break,
            Err(_) => {
                walk.feed.cut = true;
                break;
            }
            Ok(_) => {}
        }
        if walk.feed.entries.len() > MOST_ENTRIES {
            walk.feed.cut = true;
            break;
        }
    }
    walk.close();
    walk.feed.entries.truncate(MOST_ENTRIES);
    walk.feed.title = plain(&walk.own.title);
    is_feed.then_some(walk.feed)
}

fn local(start: &BytesStart<'_>) -> String {
    start.local_name().into_inner().to_ascii_lowercase()
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found =
        start.attributes().with_checks(false).flatten().find(|it| it.key.into_inner().eq_ignore_ascii_case(name))?;
    Some(plain(&String::from_utf8_lossy(found.value.as_ref().as_ref()))).filter(|it| !it.is_empty())
}

/// Goes through the elements of a feed.
struct Walk {
    feed: Feed,
    base: Url,
    open: Vec<Open>,
    /// The text of the innermost element that is read.
    text: String,
    own: Parts,
    entry: Option<Parts>,
    /// How many elements are open around the members of the entry.
    at: usize,
}

impl Walk {
    fn start(&mut self, start: &BytesStart<'_>) {
        let name = local(start);
        if self.open.last().is_some_and(|it| it.is_markup) {
            self.text.push(' ');
            self.open.push(Open {
                name: String::new(),
                prefix: String::new(),
                base: self.base(),
                is_markup: true,
                is_plain: true,
                is_permanent: true,
            });
            return;
        }
        let base =
            attribute(start, "xml:base").and_then(|it| self.base().join(&it).ok()).unwrap_or_else(|| self.base());
        let prefix = start.name().prefix().map_or(String::new(), |it| it.into_inner().to_ascii_lowercase());
        if matches!(name.as_str(), "item" | "entry") && self.entry.is_none() {
            self.entry = Some(Parts::default());
            self.at = self.open.len() + 1;
        }
        let kind = attribute(start, "type").unwrap_or_default();
        let mode = attribute(start, "mode").unwrap_or_default();
        if name == "link"
            && let Some(href) = attribute(start, "href")
        {
            let rel = attribute(start, "rel").unwrap_or_else(|| "alternate".to_owned());
            let level = self.open.len();
            let url = resolved(&base, &href).filter(|_| rel == "alternate");
            if let Some(parts) = self.parts(level) {
                parts.link = parts.link.take().or(url);
            }
        }
        let is_permanent = !attribute(start, "isPermaLink").is_some_and(|it| it.eq_ignore_ascii_case("false"));
        self.text.clear();
        self.open.push(Open {
            name,
            prefix,
            base,
            is_markup: kind == "xhtml" || kind == "application/xhtml+xml" && mode != "escaped",
            is_plain: kind == "text" || kind == "text/plain",
            is_permanent,
        });
    }

    fn base(&self) -> Url {
        self.open.last().map_or_else(|| self.base.clone(), |it| it.base.clone())
    }

    fn cdata(&mut self, data: &str) {
        self.text.push_str(data);
    }

    /// Whose members stand at a level: the entry's or the feed's own.
    fn parts(&mut self, level: usize) -> Option<&mut Parts> {
        match &mut self.entry {
            Some(entry) => (level == self.at).then_some(entry),
            None => Some(&mut self.own),
        }
    }

    fn end(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if open.name.is_empty() {
            self.text.push(' ');
            return;
        }
        let level = self.open.len();
        if self.entry.is_some() && level + 1 == self.at {
            self.close();
            return;
        }
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        if text.is_empty()
            || !matches!(open.prefix.as_str(), "" | "atom" | "rss" | "dc" | "content" | "a" | "a10" | "dcterms")
        {
            return;
        }
        let said = if open.is_plain || open.is_markup { kit::text::collapse(text) } else { plain(text) };
        let is_content = open.prefix == "content";
        let Some(parts) = self.parts(level) else { return };
        match open.name.as_str() {
            "title" if parts.title.is_empty() => parts.title = said,
            "link" => parts.link = parts.link.take().or_else(|| resolved(&open.base, text)),
            "guid" if open.is_permanent => parts.id = resolved_whole(text),
            "id" => parts.id = resolved_whole(text),
            "encoded" | "content" if is_content || open.name == "content" => parts.content = said,
            "description" | "summary" => parts.summary = said,
            "pubdate" | "published" | "issued" | "date" => {
                parts.published = parts.published.or_else(|| dates::seconds(text))
            }
            "updated" | "modified" | "created" => parts.updated = parts.updated.or_else(|| dates::seconds(text)),
            _ => {}
        }
    }

    /// The entry is at its end.
    fn close(&mut self) {
        let Some(it) = self.entry.take() else { return };
        self.feed.entries.push(Entry {
            link: it.link.or(it.id),
            title: it.title,
            text: if it.content.is_empty() { it.summary } else { it.content },
            published: it.published.or(it.updated),
        });
    }
}

/// An id that is a web address as it stands.
fn resolved_whole(text: &str) -> Option<String> {
    Url::parse(text).ok().filter(|it| matches!(it.scheme(), "http" | "https")).map(String::from)
}
