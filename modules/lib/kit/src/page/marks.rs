//! How the markup of a page is read: names, labels, targets, and what is outdated.

use std::collections::HashSet;
use std::fmt::Write as _;

use html5ever::Attribute;

use super::markup::Markup;
use super::walk::Place;
use crate::dom::{Data, Dom, NodeId, attribute};
use crate::text::clip;

/// The most values kept of one sort.
const MOST: usize = 10;
/// The most ids and references of one page that are looked at.
const MOST_IDS: usize = 20_000;
/// The most buttons whose names are looked for.
const MOST_BUTTONS: usize = 300;
/// Elements that the HTML standard calls obsolete and browsers may drop (HTML 16.2).
const OBSOLETE: &[&str] = &[
    "acronym", "applet", "basefont", "bgsound", "big", "blink", "center", "dir", "font", "frame", "frameset",
    "marquee", "nobr", "noframes", "spacer", "strike", "tt",
];

/// What is collected on the way and can be judged only at the end.
#[derive(Default)]
pub(super) struct Marks {
    ids: HashSet<String>,
    names: HashSet<String>,
    labelled: HashSet<String>,
    /// Fields that only a label elsewhere can name, by their ids.
    fields: Vec<(String, String)>,
    fragments: Vec<String>,
    buttons: usize,
}

impl Marks {
    /// Looks at one element of the body.
    pub(super) fn enter(
        &mut self,
        markup: &mut Markup,
        dom: &Dom,
        id: NodeId,
        name: &str,
        attrs: &[Attribute],
        place: Place,
    ) {
        let has = |key: &str| attribute(attrs, key).is_some_and(|value| !value.trim().is_empty());
        if let Some(own) = attribute(attrs, "id").map(|own| clip(own.trim(), 100)).filter(|own| !own.is_empty())
            && self.ids.len() < MOST_IDS
            && !self.ids.insert(own.to_owned())
            && markup.ids_repeated.len() < MOST
            && !markup.ids_repeated.iter().any(|known| known == own)
        {
            markup.ids_repeated.push(own.to_owned());
        }
        let ordered = attribute(attrs, "tabindex").and_then(|value| value.trim().parse::<i32>().ok());
        if ordered.is_some_and(|value| value > 0) {
            markup.tab_ordered += 1;
            markup.note("tab_ordered", || tag(name, attrs));
        }
        if OBSOLETE.contains(&name) && !markup.obsolete.iter().any(|known| known == name) {
            markup.obsolete.push(name.to_owned());
        }
        let main = name == "main" || attribute(attrs, "role").is_some_and(|role| role.trim() == "main");
        *markup.mains.get_or_insert(0) += u32::from(main && !has("hidden") && attribute(attrs, "hidden").is_none());
        let named = has("aria-label") || has("aria-labelledby") || has("title");
        match name {
            "a" => self.anchor(attrs),
            "label" => {
                if let Some(target) = attribute(attrs, "for").filter(|_| self.labelled.len() < MOST_IDS) {
                    self.labelled.insert(clip(target.trim(), 100).to_owned());
                }
            }
            "input" => {
                let kind = attribute(attrs, "type").unwrap_or_default().trim().to_ascii_lowercase();
                match kind.as_str() {
                    "hidden" | "submit" | "reset" => {}
                    "button" => unnamed_button(markup, name, attrs, !named && !has("value")),
                    "image" => unnamed_button(markup, name, attrs, !named && !has("alt")),
                    _ => self.field(markup, name, attrs, named || place.in_label),
                }
            }
            "select" | "textarea" => self.field(markup, name, attrs, named || place.in_label),
            "button" => {
                self.buttons += 1;
                let silent = !named && self.buttons <= MOST_BUTTONS && !speaks(dom, id);
                unnamed_button(markup, name, attrs, silent);
            }
            "iframe" => {
                let hidden = attribute(attrs, "aria-hidden") == Some("true")
                    || ["width", "height"].iter().all(|key| matches!(attribute(attrs, key), Some("0" | "1")))
                    || attribute(attrs, "style").is_some_and(|style| style.replace(' ', "").contains("display:none"));
                let lazy = attribute(attrs, "loading").is_some_and(|value| value.trim().eq_ignore_ascii_case("lazy"));
                let seen = !place.in_noscript && !hidden;
                if seen && !named {
                    markup.frames_untitled += 1;
                    markup.note("frames_untitled", || tag(name, attrs));
                }
                markup.frames_eager += u32::from(seen && !lazy && has("src"));
            }
            "video" | "audio" => {
                let sounds = attribute(attrs, "muted").is_none();
                if sounds && attribute(attrs, "autoplay").is_some() {
                    markup.autoplaying += 1;
                    markup.note("autoplaying", || tag(name, attrs));
                }
                if name == "video" && sounds && !captioned(dom, id) {
                    markup.videos_uncaptioned += 1;
                    markup.note("videos_uncaptioned", || tag(name, attrs));
                }
            }
            "embed" | "object" | "applet" => plugin(markup, name, attrs),
            _ => {}
        }
    }

    fn anchor(&mut self, attrs: &[Attribute]) {
        if let Some(name) = attribute(attrs, "name").filter(|_| self.names.len() < MOST_IDS) {
            self.names.insert(clip(name.trim(), 100).to_owned());
        }
        let fragment = attribute(attrs, "href").and_then(|href| href.trim().strip_prefix('#'));
        // `#` and `#top` always lead to the beginning (HTML 7.4.6.4); `#/` and `#!` are routes of scripts.
        if let Some(fragment) = fragment
            && !fragment.is_empty()
            && !fragment.eq_ignore_ascii_case("top")
            && !fragment.starts_with(['/', '!', ':'])
            && fragment.len() <= 100
            && self.fragments.len() < 500
        {
            self.fragments.push(fragment.to_owned());
        }
    }

    fn field(&mut self, markup: &mut Markup, name: &str, attrs: &[Attribute], named: bool) {
        if named {
            return;
        }
        match attribute(attrs, "id").map(str::trim).filter(|id| !id.is_empty()) {
            Some(id) if self.fields.len() < MOST_IDS => {
                self.fields.push((clip(id, 100).to_owned(), tag(name, attrs)));
            }
            _ => {
                markup.fields_unnamed += 1;
                markup.note("fields_unnamed", || tag(name, attrs));
            }
        }
    }

    /// What can be said only at the end.
    pub(super) fn finish(self, markup: &mut Markup, cut: bool) {
        let Self { ids, names, labelled, fields, fragments, .. } = self;
        for (_, tag) in fields.into_iter().filter(|(id, _)| !labelled.contains(id)) {
            markup.fields_unnamed += 1;
            markup.note("fields_unnamed", || tag);
        }
        if cut {
            return;
        }
        for fragment in fragments {
            let plain = decoded(&fragment);
            let known = |it: &str| ids.contains(it) || names.contains(it);
            if !known(&fragment) && !known(&plain) && !markup.fragments_missing.contains(&fragment) {
                markup.fragments_missing.push(fragment);
            }
        }
        markup.fragments_missing.truncate(MOST);
    }
}

/// A start tag about as it is written, at most 200 bytes.
pub(super) fn tag(name: &str, attrs: &[Attribute]) -> String {
    let mut out = format!("<{name}");
    for it in attrs {
        let _ = write!(out, " {}=\"{}\"", &*it.name.local, clip(&it.value, 80));
        if out.len() > 200 {
            break;
        }
    }
    format!("{}>", clip(&out, 199))
}

fn unnamed_button(markup: &mut Markup, name: &str, attrs: &[Attribute], unnamed: bool) {
    if unnamed {
        markup.buttons_unnamed += 1;
        markup.note("buttons_unnamed", || tag(name, attrs));
    }
}

/// The text of a fragment, its percent-encoding undone (HTML 7.4.6.4 looks for that one second).
fn decoded(fragment: &str) -> String {
    let mut parts = fragment.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(&part.as_bytes()[2..]);
            }
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether something in an element can be read or read out.
fn speaks(dom: &Dom, id: NodeId) -> bool {
    let told = |at: NodeId| {
        ["alt", "aria-label", "aria-labelledby", "title"]
            .iter()
            .any(|key| dom.attribute(at, key).is_some_and(|value| !value.trim().is_empty()))
            || dom.name(at) == "title"
    };
    !dom.text(id).is_empty() || dom.descendants(id).any(told)
}

fn captioned(dom: &Dom, id: NodeId) -> bool {
    dom.children(id).any(|child| {
        matches!(&dom.node(child).data, Data::Element { name, attrs } if &*name.local == "track"
            && attribute(attrs, "kind").is_none_or(|kind| matches!(kind.trim(), "captions" | "subtitles" | "descriptions")))
    })
}

fn plugin(markup: &mut Markup, name: &str, attrs: &[Attribute]) {
    let file = ["src", "data", "code", "type"].iter().find_map(|key| attribute(attrs, key)).unwrap_or_default();
    let kind = attribute(attrs, "type").unwrap_or_default().to_ascii_lowercase();
    let path = file.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let gone = name == "applet"
        || ["shockwave-flash", "x-java", "x-silverlight", "x-director"].iter().any(|part| kind.contains(part))
        || [".swf", ".xap", ".dcr", ".class"].iter().any(|end| path.ends_with(end));
    if gone && markup.plugins.len() < MOST {
        markup.plugins.push(clip(file, 300).to_owned());
    }
}

/// Counts what a script that stands in the page holds.
pub(super) fn script(markup: &mut Markup, text: &str) {
    markup.script_bytes = markup.script_bytes.saturating_add(u32::try_from(text.len()).unwrap_or(u32::MAX));
    markup.document_write |= text.contains("document.write(") || text.contains("document.writeln(");
}

/// Counts what a style sheet that stands in the page holds.
pub(super) fn style(markup: &mut Markup, text: &str) {
    markup.style_bytes = markup.style_bytes.saturating_add(u32::try_from(text.len()).unwrap_or(u32::MAX));
    markup.style_imports += u32::try_from(text.matches("@import").count()).unwrap_or(u32::MAX);
}
