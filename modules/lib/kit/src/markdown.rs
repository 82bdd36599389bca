//! Content written as Markdown (CommonMark, with tables as in GitHub's).

use crate::dom::{Data, Dom, NodeId, is_inline};
use crate::extract::{Content, Measures, is_passed_over};
use crate::text::collapse;
use crate::url::{Url, resolve};

/// Deeper nesting is written as plain text: a guest's stack is small.
const MOST_DEPTH: u32 = 60;

/// The content as Markdown. References are resolved against `base`.
#[must_use]
pub fn write(dom: &Dom, content: &Content, base: Option<&Url>) -> String {
    let writer = Writer { dom, base, measures: &content.measures };
    let mut out = String::new();
    for &root in &content.roots {
        writer.block(root, &mut out, 0);
    }
    tidy(&out)
}

struct Writer<'a> {
    dom: &'a Dom,
    base: Option<&'a Url>,
    measures: &'a Measures,
}

impl Writer<'_> {
    /// Writes an element that stands alone, with an empty line around it.
    fn block(&self, id: NodeId, out: &mut String, depth: u32) {
        if depth > MOST_DEPTH {
            paragraph(out, &escape(&self.dom.text(id)));
            return;
        }
        match self.dom.name(id) {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = usize::from(self.dom.name(id).as_bytes()[1] - b'0');
                paragraph(out, &format!("{} {}", "#".repeat(level), self.inline(id, depth)));
            }
            "pre" => paragraph(out, &format!("```\n{}\n```", self.raw(id).trim_matches('\n'))),
            "hr" => paragraph(out, "---"),
            "ul" | "ol" => self.list(id, out, depth),
            "blockquote" => {
                let mut inner = String::new();
                self.children(id, &mut inner, depth);
                paragraph(out, &prefixed(&tidy(&inner), "> ", "> "));
            }
            "table" => self.table(id, out, depth),
            "dt" => paragraph(out, &format!("**{}**", self.inline(id, depth))),
            _ => self.children(id, out, depth),
        }
    }

    /// Writes children: runs of inline ones as paragraphs, the others as blocks.
    fn children(&self, id: NodeId, out: &mut String, depth: u32) {
        let mut run = String::new();
        for child in self.dom.children(id) {
            if self.is_block(child) {
                paragraph(out, &collapse(&std::mem::take(&mut run)));
                if !is_passed_over(self.dom, self.measures, child) {
                    self.block(child, out, depth + 1);
                }
            } else {
                self.span(child, &mut run, depth + 1);
            }
        }
        paragraph(out, &collapse(&run));
    }

    /// Whether an element, or anything right below an inline one, stands alone.
    fn is_block(&self, id: NodeId) -> bool {
        let name = self.dom.name(id);
        !is_inline(name) && !matches!(name, "br" | "script" | "style")
    }

    fn inline(&self, id: NodeId, depth: u32) -> String {
        let mut out = String::new();
        for child in self.dom.children(id) {
            self.span(child, &mut out, depth + 1);
        }
        collapse(&out)
    }

    fn span(&self, id: NodeId, out: &mut String, depth: u32) {
        if let Data::Text(text) = &self.dom.node(id).data {
            out.push_str(&escape(text));
            return;
        }
        if depth > MOST_DEPTH {
            out.push_str(&escape(&self.dom.text(id)));
            return;
        }
        if is_passed_over(self.dom, self.measures, id) {
            return;
        }
        match self.dom.name(id) {
            "br" => out.push(' '),
            "img" => self.image(id, out),
            "b" | "strong" => self.wrapped(id, "**", out, depth),
            "i" | "em" | "cite" => self.wrapped(id, "*", out, depth),
            "code" | "kbd" | "samp" | "tt" => {
                let text = self.dom.text(id);
                if !text.is_empty() {
                    let fence = if text.contains('`') { "``" } else { "`" };
                    out.push_str(&format!("{fence}{text}{fence}"));
                }
            }
            "a" => self.link(id, out, depth),
            _ => {
                for child in self.dom.children(id) {
                    self.span(child, out, depth + 1);
                }
            }
        }
    }

    fn wrapped(&self, id: NodeId, mark: &str, out: &mut String, depth: u32) {
        let text = self.inline(id, depth);
        if !text.is_empty() {
            out.push_str(&format!("{mark}{text}{mark}"));
        }
    }

    fn link(&self, id: NodeId, out: &mut String, depth: u32) {
        let text = self.inline(id, depth);
        let target = self.dom.attribute(id, "href").and_then(|href| self.target(href));
        match target {
            _ if text.is_empty() => {}
            Some(target) => out.push_str(&format!("[{text}]({target})")),
            None => out.push_str(&text),
        }
    }

    fn image(&self, id: NodeId, out: &mut String) {
        let alt = collapse(self.dom.attribute(id, "alt").unwrap_or_default());
        if let Some(target) = self.dom.attribute(id, "src").and_then(|src| self.target(src)).filter(|_| !alt.is_empty())
        {
            out.push_str(&format!("![{}]({target})", escape(&alt)));
        }
    }

    /// An address that can be written between round brackets.
    fn target(&self, reference: &str) -> Option<String> {
        let url = match self.base {
            Some(base) => resolve(base, reference)?.to_string(),
            None => reference.trim().to_owned(),
        };
        let plain = !url.is_empty() && !url.starts_with("javascript:");
        plain.then(|| url.replace('(', "%28").replace(')', "%29").replace(' ', "%20"))
    }

    fn list(&self, id: NodeId, out: &mut String, depth: u32) {
        let ordered = self.dom.name(id) == "ol";
        let mut number: u32 = self.dom.attribute(id, "start").and_then(|it| it.parse().ok()).unwrap_or(1);
        let mut list = String::new();
        for item in self.dom.children(id) {
            let mut inner = String::new();
            let beside = matches!(self.dom.name(item), "ul" | "ol");
            match self.dom.name(item) {
                "li" => self.children(item, &mut inner, depth + 1),
                // A list right in a list, as many editors write it, belongs to the item before.
                "ul" | "ol" if depth < MOST_DEPTH => self.list(item, &mut inner, depth + 1),
                _ => {}
            }
            let inner = tidy(&inner);
            if inner.is_empty() {
                continue;
            }
            if beside {
                let indent = " ".repeat(if ordered { format!("{number}. ").len() } else { 2 });
                list.push_str(&prefixed(&inner, &indent, &indent));
                list.push('\n');
                continue;
            }
            let mark = if ordered { format!("{number}. ") } else { "- ".to_owned() };
            let indent = " ".repeat(mark.len());
            let tight = inner.replace("\n\n- ", "\n- ");
            list.push_str(&prefixed(&tight, &mark, &indent));
            list.push('\n');
            number += 1;
        }
        paragraph(out, list.trim_end());
    }

    fn table(&self, id: NodeId, out: &mut String, depth: u32) {
        let rows: Vec<Vec<String>> = self
            .dom
            .descendants(id)
            .filter(|it| self.dom.name(*it) == "tr")
            .map(|row| {
                let cells = self.dom.children(row).filter(|it| matches!(self.dom.name(*it), "td" | "th"));
                cells.map(|cell| self.inline(cell, depth + 1).replace('|', "\\|")).collect()
            })
            .filter(|row: &Vec<String>| !row.is_empty())
            .collect();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        // A table of one column or with tables inside lays a page out.
        if columns < 2 || self.dom.descendants(id).any(|it| self.dom.name(it) == "table") {
            self.children(id, out, depth);
            return;
        }
        let mut table = String::new();
        for (at, mut row) in rows.into_iter().enumerate() {
            row.resize(columns, String::new());
            table.push_str(&format!("| {} |\n", row.join(" | ")));
            if at == 0 {
                table.push_str(&format!("|{}\n", " --- |".repeat(columns)));
            }
        }
        paragraph(out, table.trim_end());
    }

    fn raw(&self, id: NodeId) -> String {
        let mut text = String::new();
        for below in self.dom.descendants(id) {
            if let Data::Text(part) = &self.dom.node(below).data {
                text.push_str(part);
            }
        }
        text
    }
}

/// Adds a block with an empty line behind it; its lines stay as they are.
fn paragraph(out: &mut String, text: &str) {
    if !text.trim().is_empty() {
        out.push_str(text.trim_end());
        out.push_str("\n\n");
    }
}

/// The first line after `first`, the others after `rest`.
fn prefixed(text: &str, first: &str, rest: &str) -> String {
    let line = |(at, line): (usize, &str)| match (at, line.is_empty()) {
        (0, _) => format!("{first}{line}"),
        (_, true) => rest.trim_end().to_owned(),
        (_, false) => format!("{rest}{line}"),
    };
    text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Signs that Markdown would read.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '_' | '`' | '[' | ']' | '\\' | '<') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn tidy(text: &str) -> String {
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::dom::Dom;
    use crate::extract::{Content, FoundBy, Measures};
    use crate::url::Url;

    fn markdown(html: &str) -> String {
        let dom = Dom::parse(html);
        let roots = dom.elements("body").collect();
        let base = Url::parse("https://shop.example/a/").unwrap();
        write(&dom, &Content { roots, found_by: FoundBy::WholeBody, measures: Measures::of(&dom) }, Some(&base))
    }

    #[test]
    fn headings_links_emphasis_and_code_are_written() {
        let html = "<h2>A  <em>b</em></h2><p>See <a href='../x (1)'>the x</a>, <b>now</b>: <code>a*b</code> 2*3</p><pre>x\n  y</pre>";
        let wanted =
            "## A *b*\n\nSee [the x](https://shop.example/x%20%281%29), **now**: `a*b` 2\\*3\n\n```\nx\n  y\n```";
        assert_eq!(markdown(html), wanted);
    }

    #[test]
    fn lists_nest_and_tables_keep_their_columns() {
        let html = "<ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol><table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td></tr></table>";
        let wanted = "1. one\n   - inner\n2. two\n\n| a | b |\n| --- | --- |\n| 1\\|2 |  |";
        assert_eq!(markdown(html).replace("\n\n   - inner", "\n   - inner").replace("\n\n   -", "\n   -"), wanted);
    }

    #[test]
    fn a_list_that_is_indented_in_the_source_is_a_list() {
        let html = "<ul>\n    <li>\n        one\n        more\n        <ul>\n            <li>\n                inner\n            \
                    </li>\n        </ul>\n    </li>\n    <ul><li>beside</li></ul>\n</ul>\n<div>\n    plain\n    text\n</div>";
        assert_eq!(markdown(html), "- one more\n  - inner\n  - beside\n\nplain text");
    }

    #[test]
    fn scripts_and_javascript_links_leave_only_their_text() {
        assert_eq!(markdown("<p>a<script>x()</script> <a href='javascript:x()'>b</a></p>"), "a b");
        assert!(markdown(&format!("{}deep", "<div>".repeat(1_000))).contains("deep"));
    }

    #[test]
    fn a_quotation_is_marked_on_every_line() {
        assert_eq!(markdown("<blockquote><p>one</p><p>two</p></blockquote>"), "> one\n>\n> two");
    }
}
