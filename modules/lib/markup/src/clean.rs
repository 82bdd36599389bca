//! HTML from what somebody wrote: rendered from Markdown where it is that, bounded, and rewritten from a list of what may
//! stand.
//!
//! `ammonia` does the same, and tests compare with it, but its time grows with the square of the references in a text.

use std::collections::BTreeSet;
use std::fmt;

use kit::dom::{Data, Dom, NodeId};
use pulldown_cmark::{Event, Options, Parser, html};

use crate::allowed::{is_allowed, is_left_out, is_void, value};
use crate::{MAX_BYTES, MAX_LEVELS};

/// Names of elements and attributes that a report of what was left out lists, at most.
const MAX_DROPPED: usize = 20;
/// The namespace of elements that are neither drawings nor formulas.
const HTML: &str = "http://www.w3.org/1999/xhtml";

/// A body that is safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Sanitised HTML, at most [`MAX_BYTES`] bytes.
    pub html: String,
    /// Names of elements that were left out, and `on…` for handlers of events; at most 20, in order.
    pub dropped: Vec<String>,
}

/// Why a body cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// As HTML it has more than [`MAX_BYTES`] bytes.
    TooLarge,
    /// Its elements are nested deeper than [`MAX_LEVELS`], or are more than a document may have.
    TooComplex,
}

/// Sanitised HTML of HTML: without scripts, styles, forms, frames, comments and handlers of events.
///
/// # Errors
/// A body that is too large before or after cleaning, or nested too deeply.
pub fn of_html(written: &str) -> Result<Body, Refusal> {
    if written.len() > MAX_BYTES {
        return Err(Refusal::TooLarge);
    }
    let dom = Dom::parse(written);
    if dom.cut || dom.deepest > MAX_LEVELS {
        return Err(Refusal::TooComplex);
    }
    let mut cleaner = Cleaner { dom: &dom, html: String::with_capacity(written.len()), dropped: BTreeSet::new() };
    cleaner.document();
    if cleaner.html.len() > MAX_BYTES {
        return Err(Refusal::TooLarge);
    }
    let dropped = cleaner.dropped.into_iter().map(|it| kit::text::clip(&it, 40).to_owned()).collect();
    Ok(Body { html: cleaner.html, dropped })
}

/// Sanitised HTML of Markdown, which may hold HTML.
///
/// # Errors
/// As [`of_html`], for the HTML that it is rendered to.
pub fn of_markdown(written: &str) -> Result<Body, Refusal> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let (mut nesting, mut is_deep) = (0_u32, false);
    let events = Parser::new_ext(written, options).take_while(|event| {
        match event {
            Event::Start(_) => nesting += 1,
            Event::End(_) => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        is_deep = nesting > MAX_LEVELS;
        !is_deep
    });
    // A row of a table is filled up to its header, so that few bytes can become many.
    let mut rendered = Bounded(String::with_capacity(written.len() * 3 / 2));
    let fits = html::write_html_fmt(&mut rendered, events).is_ok();
    match (fits, is_deep) {
        (_, true) => Err(Refusal::TooComplex),
        (false, _) => Err(Refusal::TooLarge),
        (true, false) => of_html(&rendered.0),
    }
}

/// HTML that stops growing at [`MAX_BYTES`].
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

struct Cleaner<'a> {
    dom: &'a Dom,
    html: String,
    dropped: BTreeSet<String>,
}

impl Cleaner<'_> {
    /// Writes all that may stand of a document.
    fn document(&mut self) {
        // Elements that are written and still open.
        let mut open: Vec<NodeId> = Vec::new();
        let mut next = self.dom.first_child(0);
        while let Some(id) = next {
            let inside = match &self.dom.node(id).data {
                Data::Text(text) => {
                    escape(text, &mut self.html);
                    false
                }
                Data::Element { name, .. } => self.begin(id, &name.local, &*name.ns == HTML, &mut open),
                Data::Document | Data::Other => false,
            };
            next = self.dom.first_child(id).filter(|_| inside).or_else(|| self.up(id, &mut open));
        }
    }

    /// Writes the start of an element, where it may stand; whether what is within it is looked at.
    fn begin(&mut self, id: NodeId, name: &str, is_html: bool, open: &mut Vec<NodeId>) -> bool {
        for attribute in self.dom.attributes(id) {
            if attribute.name.local.starts_with("on") {
                self.drop("on…");
            }
        }
        if !is_html || is_left_out(name) {
            if name != "head" {
                self.drop(name);
            }
            return false;
        }
        if !is_allowed(name) {
            if !matches!(name, "html" | "body") {
                self.drop(name);
            }
            return true;
        }
        self.html.push('<');
        self.html.push_str(name);
        for attribute in self.dom.attributes(id) {
            if let Some(value) = value(name, &attribute.name.local, &attribute.value) {
                self.html.push(' ');
                self.html.push_str(&attribute.name.local);
                self.html.push_str("=\"");
                escape(value, &mut self.html);
                self.html.push('"');
            }
        }
        self.html.push('>');
        if is_void(name) {
            return false;
        }
        // The parser takes the first line break of preformatted text away.
        let first = self.dom.first_child(id);
        if name == "pre"
            && matches!(first.map(|it| &self.dom.node(it).data), Some(Data::Text(text)) if text.starts_with('\n'))
        {
            self.html.push('\n');
        }
        match first {
            Some(_) => open.push(id),
            None => self.end(id),
        }
        true
    }

    /// What follows a node, with the end of each element that is left.
    fn up(&mut self, id: NodeId, open: &mut Vec<NodeId>) -> Option<NodeId> {
        let mut at = id;
        loop {
            if let Some(left) = open.pop_if(|it| *it == at) {
                self.end(left);
            }
            if let Some(next) = self.dom.next_sibling(at) {
                return Some(next);
            }
            at = self.dom.parent(at)?;
        }
    }

    fn end(&mut self, id: NodeId) {
        self.html.push_str("</");
        self.html.push_str(self.dom.name(id));
        self.html.push('>');
    }

    fn drop(&mut self, name: &str) {
        if self.dropped.len() < MAX_DROPPED && !self.dropped.contains(name) {
            self.dropped.insert(name.to_owned());
        }
    }
}

/// Adds text, or the value of an attribute, as HTML is serialised.
fn escape(text: &str, html: &mut String) {
    for sign in text.chars() {
        match sign {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            sign => html.push(sign),
        }
    }
}
