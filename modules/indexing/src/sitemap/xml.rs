//! A sitemap read element by element, with the line of everything and every fault against its schemas.
//!
//! Sources: sitemaps.org/protocol and its schemas of 2008-03-26; Google's documents of the image, video and news
//! extensions and of `xhtml:link` (developers.google.com/search/docs/crawling-indexing/sitemaps).

use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, XmlVersion};

use super::fault::{Code, Fault, Faults};
use super::values;

/// The namespace of the protocol.
pub(crate) const PROTOCOL: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const VIDEO: &str = "http://www.google.com/schemas/sitemap-video/1.1";
const NEWS: &str = "http://www.google.com/schemas/sitemap-news/0.9";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
/// The most images of one address (Google).
const MOST_IMAGES: u32 = 1_000;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Kind {
    /// A list of addresses.
    UrlSet,
    /// A list of further files.
    Index,
    /// Neither.
    #[default]
    Unknown,
}

/// One address of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// The line of its `<loc>`, from 1.
    pub(crate) line: u32,
    pub(crate) loc: String,
    pub(crate) lastmod: Option<String>,
    /// Language versions: code and address, as written.
    pub(crate) alternates: Vec<(String, String)>,
    pub(crate) images: u32,
    pub(crate) videos: u32,
    pub(crate) news: bool,
}

/// A file that was read.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) kind: Kind,
    pub(crate) items: Vec<Item>,
    pub(crate) faults: Faults,
}

/// What is open around the reader.
#[derive(Debug, Default)]
struct Frame {
    /// The name with the prefix that its namespace is usually given, such as `image:loc`; `?` before unknown ones.
    name: String,
    text: String,
    line: u32,
    /// Children that were seen, in order.
    children: Vec<String>,
}

/// Reads a file.
pub(crate) fn read(text: &str) -> File {
    let mut file = File::default();
    let mut reader = NsReader::from_str(text);
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut frames: Vec<Frame> = Vec::new();
    let mut item = Item::default();
    let mut ended = false;
    loop {
        let before = reader.buffer_position();
        let line = lines.at(before);
        let event = reader.read_event();
        match event {
            Err(error) => {
                let line = lines.at(reader.error_position().max(before));
                file.faults.push(Fault::new(Code::NotWellFormed, line, format!("the XML breaks off here: {error}")));
                break;
            }
            Ok(Event::Eof) => {
                if let Some(open) = frames.last() {
                    let message = format!("the file ends before </{}>", open.name);
                    file.faults.push(Fault::new(Code::NotWellFormed, line, message));
                }
                break;
            }
            Ok(Event::Start(start)) => {
                let line = lines.at_markup(before);
                if ended {
                    file.faults.push(Fault::new(Code::NotWellFormed, line, "a second root element".to_owned()));
                    break;
                }
                open(&reader, &start, line, &mut frames, &mut file, &mut item);
            }
            Ok(Event::Empty(start)) => {
                let line = lines.at_markup(before);
                open(&reader, &start, line, &mut frames, &mut file, &mut item);
                close(&mut frames, &mut file, &mut item);
                ended |= frames.is_empty();
            }
            Ok(Event::End(_)) => {
                close(&mut frames, &mut file, &mut item);
                ended |= frames.is_empty();
            }
            Ok(Event::Text(text)) => {
                let content = text.xml10_content();
                place(&mut frames, &content, line, &mut file);
            }
            Ok(Event::CData(data)) => place(&mut frames, &data.xml10_content(), line, &mut file),
            Ok(Event::GeneralRef(reference)) => {
                let name = reference.xml10_content().into_owned();
                let letter = reference.resolve_char_ref().ok().flatten();
                let known = quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned);
                match letter.map(String::from).or(known) {
                    Some(text) => place(&mut frames, &text, line, &mut file),
                    None => {
                        let message = format!("&{name}; is no entity of XML; write & as &amp;");
                        file.faults.push(Fault::new(Code::NotWellFormed, line, message));
                        break;
                    }
                }
            }
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
        }
    }
    if file.kind == Kind::Unknown && file.faults.is_empty() {
        file.faults.push(Fault::new(Code::WrongRoot, 1, "there is no urlset and no sitemapindex".to_owned()));
    }
    if file.kind != Kind::Unknown && file.items.is_empty() && !file.faults.has(Code::NotWellFormed) {
        file.faults.push(Fault::new(Code::Empty, 1, "the file lists nothing".to_owned()));
    }
    file
}

/// Lines by position, counted once.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn at(&mut self, position: u64) -> u32 {
        let position = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        if position > self.at {
            let passed = self.text.as_bytes()[self.at..position].iter().filter(|byte| **byte == b'\n').count();
            self.line += u32::try_from(passed).unwrap_or(0);
            self.at = position;
        }
        self.line
    }

    /// The line of the next `<`.
    fn at_markup(&mut self, position: u64) -> u32 {
        let from = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        let next = self.text.as_bytes()[from..].iter().position(|byte| *byte == b'<').unwrap_or(0);
        self.at(u64::try_from(from + next).unwrap_or(u64::MAX))
    }
}

/// The name of an element with the usual prefix of its namespace.
fn named(reader: &NsReader<&[u8]>, start: &BytesStart<'_>) -> String {
    let (space, local) = reader.resolver().resolve_element(start.name());
    let local = local.into_inner();
    match space {
        ResolveResult::Bound(space) => match space.0.trim() {
            PROTOCOL => local.to_owned(),
            IMAGE => format!("image:{local}"),
            VIDEO => format!("video:{local}"),
            NEWS => format!("news:{local}"),
            XHTML => format!("xhtml:{local}"),
            _ => format!("?{local}"),
        },
        ResolveResult::Unbound => format!("!{local}"),
        ResolveResult::Unknown(_) => format!("!!{local}"),
    }
}

fn open(
    reader: &NsReader<&[u8]>,
    start: &BytesStart<'_>,
    line: u32,
    frames: &mut Vec<Frame>,
    file: &mut File,
    item: &mut Item,
) {
    let mut name = named(reader, start);
    if name.starts_with("!!") {
        let message = format!("the prefix of <{}> has no namespace", start.name().0);
        file.faults.push(Fault::new(Code::NotWellFormed, line, message));
    }
    if frames.is_empty() {
        let bare = name.trim_start_matches(['!', '?']).to_owned();
        file.kind = match bare.as_str() {
            "urlset" => Kind::UrlSet,
            "sitemapindex" => Kind::Index,
            _ => Kind::Unknown,
        };
        if file.kind == Kind::Unknown {
            let message = format!("the root is <{bare}>; a sitemap begins with urlset or sitemapindex");
            file.faults.push(Fault::new(Code::WrongRoot, line, message));
        } else if name != bare {
            let message = format!("the namespace of <{bare}> is not {PROTOCOL}");
            file.faults.push(Fault::new(Code::WrongNamespace, line, message));
        }
    }
    // With a root of the wrong namespace, what it holds is read as if it were right: one fault says enough.
    if file.faults.has(Code::WrongNamespace) {
        name = name.trim_start_matches(['!', '?']).to_owned();
    }
    let attributes = attributes(start, line, file);
    if let Some(parent) = frames.last_mut() {
        super::structure::child(&parent.name, &parent.children, &name, line, file.kind, &mut file.faults);
        parent.children.push(name.clone());
    }
    match name.as_str() {
        "url" | "sitemap" => *item = Item { line, ..Item::default() },
        "loc" => item.line = line,
        "image:image" => {
            item.images += 1;
            if item.images == MOST_IMAGES + 1 {
                let message = format!("an address has at most {MOST_IMAGES} images");
                file.faults.push(Fault::new(Code::ExtensionInvalid, line, message));
            }
        }
        "video:video" => item.videos += 1,
        "news:news" => item.news = true,
        "xhtml:link" => {
            if let Some(pair) = values::alternate(&attributes, line, &mut file.faults) {
                item.alternates.push(pair);
            }
        }
        _ => {}
    }
    frames.push(Frame { name, line, ..Frame::default() });
}

/// The attributes of an element, as pairs.
fn attributes(start: &BytesStart<'_>, line: u32, file: &mut File) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for attribute in start.attributes() {
        match attribute {
            Ok(it) => match it.normalized_value(XmlVersion::Implicit1_0) {
                Ok(value) => out.push((it.key.0.to_owned(), value.into_owned())),
                Err(error) => file.faults.push(Fault::new(Code::NotWellFormed, line, format!("an attribute: {error}"))),
            },
            Err(error) => file.faults.push(Fault::new(Code::NotWellFormed, line, format!("an attribute: {error}"))),
        }
    }
    out
}

fn place(frames: &mut [Frame], text: &str, line: u32, file: &mut File) {
    match frames.last_mut() {
        Some(frame) => frame.text.push_str(text),
        None if text.trim_start_matches('\u{feff}').trim().is_empty() => {}
        None => {
            file.faults.push(Fault::new(
                Code::NotWellFormed,
                line,
                "text stands outside of the root element".to_owned(),
            ));
        }
    }
}

fn close(frames: &mut Vec<Frame>, file: &mut File, item: &mut Item) {
    let Some(Frame { name, text, line, children }) = frames.pop() else { return };
    let value = text.trim();
    super::structure::complete(&name, &children, value, line, &mut file.faults);
    let parent = frames.last().map(|it| it.name.as_str());
    match (parent, name.as_str()) {
        (Some("url" | "sitemap"), "loc") => {
            values::loc(value, line, &mut file.faults);
            item.loc = value.to_owned();
        }
        (Some("url" | "sitemap"), "lastmod") => {
            values::lastmod(value, line, &mut file.faults);
            item.lastmod = Some(value.to_owned());
        }
        (Some("url"), "changefreq") => values::changefreq(value, line, &mut file.faults),
        (Some("url"), "priority") => values::priority(value, line, &mut file.faults),
        (Some("urlset"), "url") | (Some("sitemapindex"), "sitemap") => file.items.push(std::mem::take(item)),
        (_, extension) => values::extension(extension, value, line, &mut file.faults),
    }
}
