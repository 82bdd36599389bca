//! HTML and Markdown as blocks of the WordPress editor.
//!
//! HTML is cleaned first, as WordPress does for posts. Sources: developer.wordpress.org/block-editor (the markup of core blocks),
//! spec.commonmark.org.

use std::collections::BTreeSet;

use ammonia::Builder;
use pulldown_cmark::{Options, Parser, html};

/// Elements without an end tag (HTML, 13.1.2).
const VOID: [&str; 8] = ["br", "hr", "img", "input", "source", "track", "wbr", "col"];
/// Hosts whose frames stay.
const FRAMES: [&str; 5] =
    ["www.youtube.com", "youtube.com", "www.youtube-nocookie.com", "player.vimeo.com", "vimeo.com"];

/// A content that can be written.
pub(crate) struct Made {
    /// The content.
    pub(crate) content: String,
    /// What was changed on the way.
    pub(crate) warnings: Vec<String>,
}

/// Markdown as HTML: CommonMark with tables and strikethrough.
pub(crate) fn of_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut out, Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH));
    out
}

/// HTML without scripts, styles, forms and event attributes; frames of video hosts stay.
pub(crate) fn cleaned(html: &str) -> Made {
    let mut cleaner = Builder::default();
    cleaner
        .add_generic_attributes(["id", "class"])
        .add_tags(["iframe", "figure", "figcaption", "video", "audio", "source"])
        .add_tag_attributes("iframe", ["src", "width", "height", "title", "allowfullscreen"])
        .add_tag_attributes("img", ["srcset", "sizes", "loading"])
        .add_tag_attributes("a", ["target"])
        .add_tag_attributes("video", ["src", "controls", "poster", "width", "height"])
        .add_tag_attributes("audio", ["src", "controls"])
        .add_tag_attributes("source", ["src", "type"])
        .link_rel(None)
        .strip_comments(true)
        .attribute_filter(|element, attribute, value| {
            let is_video = || {
                ["https://", "//"]
                    .iter()
                    .filter_map(|it| value.strip_prefix(it))
                    .any(|rest| FRAMES.contains(&rest.split('/').next().unwrap_or_default()))
            };
            if element == "iframe" && attribute == "src" && !is_video() {
                return None;
            }
            Some(value.into())
        });
    let content = cleaner.clean(html).to_string();
    // A frame without an address shows nothing.
    let content = content.replace("<iframe></iframe>", "");
    let mut warnings = Vec::new();
    let lower = html.to_lowercase();
    let dropped: Vec<&str> = ["script", "style", "form", "input", "object", "embed", "iframe"]
        .into_iter()
        .filter(|tag| lower.matches(&format!("<{tag}")).count() > content.matches(&format!("<{tag}")).count())
        .collect();
    if !dropped.is_empty() {
        warnings.push(format!("left out: {}", dropped.join(", ")));
    }
    Made { content, warnings }
}

/// Cleaned HTML as blocks. What fits no block is a block of HTML, and is told.
pub(crate) fn of_html(html: &str) -> Made {
    let Made { content, mut warnings } = cleaned(html);
    let mut other = BTreeSet::new();
    let content = blocks(&content, &mut other);
    if !other.is_empty() {
        let names: Vec<&str> = other.iter().map(String::as_str).collect();
        warnings.push(format!("kept as a block of HTML: {}", names.join(", ")));
    }
    Made { content, warnings }
}

/// A piece of a well-formed fragment.
struct Piece<'a> {
    /// The element's name; none for text.
    name: Option<&'a str>,
    /// All of it, its own tags included.
    whole: &'a str,
    /// What is between its tags.
    inner: &'a str,
}

/// The pieces of a fragment, as the cleaner writes it: tags in small letters, every element closed.
fn pieces(html: &str) -> Vec<Piece<'_>> {
    let mut all = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let Some(at) = rest.find('<') else {
            all.push(Piece { name: None, whole: rest, inner: rest });
            break;
        };
        if at > 0 {
            all.push(Piece { name: None, whole: &rest[..at], inner: &rest[..at] });
            rest = &rest[at..];
        }
        let end = element(rest);
        let (whole, after) = rest.split_at(end);
        let name_end = whole[1..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(whole.len(), |it| it + 1);
        let name = &whole[1..name_end];
        let from = whole.find('>').map_or(whole.len(), |it| it + 1);
        let to = whole.rfind("</").filter(|it| *it >= from).unwrap_or(whole.len().max(from));
        all.push(Piece { name: Some(name), whole, inner: &whole[from.min(to)..to] });
        rest = after;
    }
    all
}

/// Where the element that a text begins with ends.
fn element(html: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0_usize);
    while let Some(open) = html[at..].find('<').map(|it| it + at) {
        let Some(close) = html[open..].find('>').map(|it| it + open + 1) else { return html.len() };
        let tag = &html[open + 1..close - 1];
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        match tag.starts_with('/') {
            true => depth = depth.saturating_sub(1),
            false if VOID.contains(&name) => {}
            false => depth += 1,
        }
        at = close;
        if depth == 0 {
            return at;
        }
    }
    html.len()
}

/// Blocks of a fragment. Text and inline elements between blocks become paragraphs.
fn blocks(html: &str, other: &mut BTreeSet<String>) -> String {
    const INLINE: [&str; 20] = [
        "a", "abbr", "b", "br", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small", "span",
        "strong", "sub", "sup", "u",
    ];
    let mut out: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces(html) {
        match piece.name {
            None => line.push_str(piece.whole),
            Some(name) if INLINE.contains(&name) => line.push_str(piece.whole),
            Some(name) => {
                paragraph(&mut line, &mut out);
                out.push(block(name, &piece, other));
            }
        }
    }
    paragraph(&mut line, &mut out);
    out.retain(|it| !it.is_empty());
    out.join("\n\n")
}

fn paragraph(line: &mut String, out: &mut Vec<String>) {
    let text = std::mem::take(line);
    if !text.trim().is_empty() {
        out.push(wrapped("paragraph", "", &format!("<p>{}</p>", text.trim())));
    }
}

fn wrapped(name: &str, attributes: &str, inner: &str) -> String {
    let attributes = if attributes.is_empty() { String::new() } else { format!(" {attributes}") };
    format!("<!-- wp:{name}{attributes} -->\n{inner}\n<!-- /wp:{name} -->")
}

fn block(name: &str, piece: &Piece<'_>, other: &mut BTreeSet<String>) -> String {
    let inner = piece.inner.trim();
    match name {
        "p" if inner.is_empty() => String::new(),
        "p" => match pieces(inner).as_slice() {
            [only] if only.name == Some("img") => image(only.whole),
            _ => wrapped("paragraph", "", &format!("<p>{inner}</p>")),
        },
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            let attributes = if name == "h2" { String::new() } else { format!("{{\"level\":{}}}", &name[1..]) };
            wrapped("heading", &attributes, &format!("<{name} class=\"wp-block-heading\">{inner}</{name}>"))
        }
        "ul" | "ol" => list(name, piece.inner),
        "blockquote" => wrapped(
            "quote",
            "",
            &format!("<blockquote class=\"wp-block-quote\">{}</blockquote>", blocks(piece.inner, other)),
        ),
        "pre" => match pieces(piece.inner).as_slice() {
            [only] if only.name == Some("code") => {
                wrapped("code", "", &format!("<pre class=\"wp-block-code\"><code>{}</code></pre>", only.inner))
            }
            _ => wrapped("preformatted", "", &format!("<pre class=\"wp-block-preformatted\">{}</pre>", piece.inner)),
        },
        "table" => wrapped(
            "table",
            "",
            &format!("<figure class=\"wp-block-table\"><table>{}</table></figure>", rows(piece.inner)),
        ),
        "img" => image(piece.whole),
        "hr" => wrapped("separator", "", "<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>"),
        // What only holds other things is taken apart.
        "div" | "section" | "article" | "main" | "header" | "footer" => blocks(piece.inner, other),
        _ => {
            other.insert(name.to_owned());
            wrapped("html", "", piece.whole.trim())
        }
    }
}

fn image(tag: &str) -> String {
    let tag = tag.trim_end_matches('>').trim_end_matches('/').trim_end();
    let alt = if tag.contains(" alt=") { "" } else { " alt=\"\"" };
    wrapped("image", "", &format!("<figure class=\"wp-block-image\">{tag}{alt}/></figure>"))
}

/// The rows of a table without white space between them, which the editor does not write.
fn rows(inner: &str) -> String {
    pieces(inner)
        .iter()
        .filter_map(|it| match it.name {
            None => None,
            Some(name @ ("thead" | "tbody" | "tfoot" | "tr")) => Some(format!("<{name}>{}</{name}>", rows(it.inner))),
            Some(name @ ("td" | "th")) => Some(format!("<{name}>{}</{name}>", it.inner.trim())),
            Some(_) => None,
        })
        .collect()
}

fn list(name: &str, inner: &str) -> String {
    let mut items = Vec::new();
    for piece in pieces(inner).iter().filter(|it| it.name == Some("li")) {
        let mut text = String::new();
        let mut below = String::new();
        for part in pieces(piece.inner) {
            match part.name {
                Some(inner @ ("ul" | "ol")) => below.push_str(&list(inner, part.inner)),
                // A loose list of CommonMark has paragraphs in its items.
                Some("p") if text.trim().is_empty() => text = part.inner.to_owned(),
                Some("p") => text.push_str(&format!("<br>{}", part.inner)),
                _ => text.push_str(part.whole),
            }
        }
        items.push(wrapped("list-item", "", &format!("<li>{}{below}</li>", text.trim())));
    }
    let attributes = if name == "ol" { "{\"ordered\":true}" } else { "" };
    wrapped("list", attributes, &format!("<{name} class=\"wp-block-list\">{}</{name}>", items.join("\n\n")))
}

#[cfg(test)]
mod tests;
