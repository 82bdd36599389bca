//! What a reader reads of Markdown as its author's own words, at the places where it stands.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Events that are read. A row of a table is filled up to its header, so that few bytes can become many events; no text has
/// as many.
const MAX_EVENTS: usize = 1_000_000;

/// The Markdown with spaces in place of everything but prose: of code, quotations, HTML, addresses and signs. It has as many
/// bytes, so that a place in it is one of the Markdown. Line breaks within a paragraph are spaces too.
#[must_use]
pub fn prose(markdown: &str) -> String {
    let mut out: Vec<u8> = markdown.bytes().map(|it| if it == b'\n' { b'\n' } else { b' ' }).collect();
    let bytes = markdown.as_bytes();
    let mut hidden = 0_u32;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter().take(MAX_EVENTS) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::BlockQuote(_)) => hidden += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::BlockQuote(_)) => hidden = hidden.saturating_sub(1),
            Event::Text(_) if hidden == 0 => out[range.clone()].copy_from_slice(&bytes[range]),
            Event::SoftBreak if hidden == 0 => out[range].fill(b' '),
            _ => {}
        }
    }
    String::from_utf8(out).unwrap_or_default()
}
