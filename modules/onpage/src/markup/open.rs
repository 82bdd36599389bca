//! Which elements the source opens, closes and nests as a parser would not: its repairs leave no trace in the tree.

use super::scan::{Tag, Tags};

/// The most slips that are told.
const MOST: usize = 50;
/// Elements whose end may be left out (HTML 13.1.2.4).
const OPTIONAL: &[&str] = &[
    "html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup", "caption", "thead",
    "tbody", "tfoot", "tr", "td", "th",
];
/// Elements that stand in tables alone.
const PARTS: &[&str] = &["caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"];
/// Elements that only parts, scripts and forms may stand in (HTML 13.2.6.4.9).
const ROWS: &[&str] = &["table", "tbody", "thead", "tfoot", "tr"];
/// Elements that end an open paragraph (HTML 13.2.6.4.7).
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "ul",
];
/// Elements beyond which a parser does not look for an open one (HTML 13.2.4.2).
const BOUNDS: &[&str] =
    &["applet", "caption", "html", "table", "td", "th", "marquee", "object", "template", "svg", "math"];
const HEADINGS: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6"];

/// What a parser had to repair.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// `<name>` that is never closed, or `</name>` that closes nothing.
    Unclosed(u32, String),
    /// An element where none of its kind may begin.
    Misplaced(u32, String),
}

/// The slips of a source, at most 50, in the order in which they come to light.
pub(super) fn slips(html: &str) -> Vec<Slip> {
    let mut open = Open::default();
    for tag in Tags::of(html) {
        if tag.closing {
            open.close(&tag)
        } else {
            open.begin(&tag)
        }
        if open.out.len() >= MOST {
            break;
        }
    }
    let rest = std::mem::take(&mut open.stack);
    open.tell_unclosed(rest);
    open.out.truncate(MOST);
    open.out
}

#[derive(Default)]
struct Open {
    stack: Vec<(u32, String)>,
    /// How many `svg` and `math` are open: in them a slash ends an element, and other rules hold.
    foreign: u32,
    out: Vec<Slip>,
}

impl Open {
    fn begin(&mut self, tag: &Tag) {
        let name = tag.name.as_str();
        if matches!(name, "svg" | "math") && !tag.itself {
            self.foreign += 1;
        }
        if self.foreign == 0 && !self.takes(tag) {
            return;
        }
        if !(tag.void || tag.raw || tag.itself && (self.foreign > 0 || matches!(name, "svg" | "math"))) {
            self.stack.push((tag.line, tag.name.clone()));
        }
    }

    /// Whether an element begins here as written; tells what speaks against it and ends what it ends.
    fn takes(&mut self, tag: &Tag) -> bool {
        let name = tag.name.as_str();
        let misplaced = |within: &str| Slip::Misplaced(tag.line, format!("{name} in {within}"));
        if PARTS.contains(&name) {
            let outside = !self.stack.iter().any(|(_, it)| it == "table");
            // A cell of a row that stands outside of a table is told with its row.
            if outside && !matches!(self.out.last(), Some(Slip::Misplaced(line, _)) if *line == tag.line) {
                self.out.push(Slip::Misplaced(tag.line, format!("{name} outside of table")));
            }
            return !outside;
        }
        let top = self.stack.last().map_or("", |(_, it)| it.as_str());
        let allowed = matches!(name, "script" | "style" | "template" | "form" | "input" | "table");
        if ROWS.contains(&top) && !allowed {
            self.out.push(misplaced(top));
        }
        if BLOCKS.contains(&name)
            && let Some(at) = self.within("p", &["button"])
        {
            self.stack.remove(at);
        }
        if HEADINGS.contains(&name)
            && let Some((_, outer)) = self.stack.pop_if(|(_, it)| HEADINGS.contains(&it.as_str()))
        {
            self.out.push(misplaced(&outer));
        }
        if matches!(name, "a" | "button")
            && let Some(at) = self.within(name, &[])
        {
            self.out.push(misplaced(name));
            self.stack.remove(at);
        }
        if name == "form" && self.stack.iter().any(|(_, it)| it == "form") {
            self.out.push(misplaced("form"));
            return false;
        }
        true
    }

    fn close(&mut self, tag: &Tag) {
        let name = tag.name.as_str();
        if matches!(name, "svg" | "math") {
            self.foreign = self.foreign.saturating_sub(1);
        }
        let same = |it: &str| it == name || HEADINGS.contains(&name) && HEADINGS.contains(&it);
        match self.stack.iter().rposition(|(_, it)| same(it)) {
            Some(at) => {
                let inner = self.stack.drain(at..).skip(1).collect();
                self.tell_unclosed(inner);
            }
            // Its end tag alone makes a paragraph.
            None if name == "p" && self.foreign == 0 => self.tell_stray(tag),
            None if OPTIONAL.contains(&name) || tag.void => {}
            None => self.tell_stray(tag),
        }
    }

    /// Where an element of a name is open, not beyond a bound.
    fn within(&self, name: &str, bounds: &[&str]) -> Option<usize> {
        let bound = |it: &str| BOUNDS.contains(&it) || bounds.contains(&it);
        let near = self.stack.iter().enumerate().rev().take_while(|(_, (_, it))| !bound(it));
        near.filter(|(_, (_, it))| it == name).map(|(at, _)| at).next()
    }

    fn tell_unclosed(&mut self, elements: Vec<(u32, String)>) {
        let needed = elements.into_iter().filter(|(_, it)| !OPTIONAL.contains(&it.as_str()));
        self.out.extend(needed.map(|(line, it)| Slip::Unclosed(line, format!("<{it}>"))));
    }

    fn tell_stray(&mut self, tag: &Tag) {
        self.out.push(Slip::Unclosed(tag.line, format!("</{}>", tag.name)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Slip, slips};

    fn unclosed(line: u32, tag: &str) -> Slip {
        Slip::Unclosed(line, tag.to_owned())
    }

    fn misplaced(line: u32, what: &str) -> Slip {
        Slip::Misplaced(line, what.to_owned())
    }

    #[test]
    fn what_nobody_closed_is_found_with_its_line() {
        let html = "<div>\n<span>a\n<p>b<li>c\n</div>\n</section><br><img src='a>b'>";
        assert_eq!(slips(html), [unclosed(2, "<span>"), unclosed(5, "</section>")]);
        assert_eq!(slips("<script>if (a<b) {'<div>'}</script><svg><path d=''/></svg><!-- <b> -->"), []);
        assert_eq!(slips("<b>"), [unclosed(1, "<b>")]);
    }

    #[test]
    fn elements_that_a_parser_moves_or_ends_early_are_found() {
        assert_eq!(slips("<a href=/a>x <a href=/b>y</a>"), [misplaced(1, "a in a")]);
        assert_eq!(slips("<form>\n<form></form>"), [misplaced(2, "form in form")]);
        assert_eq!(slips("<h2>x\n<h3>y</h3>"), [misplaced(2, "h3 in h2")]);
        assert_eq!(slips("<table><tr><td>x</td>\n<b>y</b></tr></table>"), [misplaced(2, "b in tr")]);
        assert_eq!(slips("<div><tr><td>x</td></tr></div>"), [misplaced(1, "tr outside of table")]);
        assert_eq!(slips("<p>x<div>y</div></p>"), [unclosed(1, "</p>")]);
    }

    #[test]
    fn what_the_standard_allows_is_no_slip() {
        for html in [
            "<p>a<p>b<ul><li>c<li>d</ul><p>e</p>",
            "<table><tr><td><a href=/a>x</a><p>y<td><a href=/b>z</a></table>",
            "<table><thead><tr><th><h2>x</h2></table><table><caption><p>y</p></caption><tr><td><div>z</div></table>",
            "<a href=/a><div><h2>x</h2></div></a><a href=/b>y</a>",
            "<button><p>x</p></button><p><button>y</button></p>",
            "<h2>x</h1><svg><a><a></a></a><p/></svg>",
            "<object><a href=/a>x</a></object>",
        ] {
            assert_eq!(slips(html), [], "{html}");
        }
    }
}
