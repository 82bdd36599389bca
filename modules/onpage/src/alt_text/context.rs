//! What stands around a picture and says what it shows.

use kit::dom::{Dom, NodeId};
use kit::url::{Url, is_local};
use sdk::prelude::*;

use crate::image::judge;
use crate::live::Live;
use crate::suggest::capital;

/// What a suggestion stands on.
#[value]
pub(crate) enum Basis {
    /// The present `alt` is good.
    Present,
    /// The caption of its figure.
    Caption,
    /// Its `aria-label` or `title`.
    Label,
    /// Where its link leads.
    LinkTarget,
    FileName,
    /// The heading that it stands under.
    Heading,
    /// The language model saw it.
    Llm,
    /// It is only decoration.
    Decorative,
    /// Nothing says what it shows.
    None,
}

/// A picture with its surroundings.
pub(super) struct Picture {
    /// Resolved; `data:` for one inside the page.
    pub(super) src: String,
    pub(super) alt: Option<String>,
    pub(super) caption: Option<String>,
    pub(super) heading: Option<String>,
    /// What is known of the target of its link, when it is all that the link holds.
    pub(super) link: Option<String>,
    label: Option<String>,
    decorative: bool,
}

/// Names of files that only adorn.
const ADORNING: &[&str] =
    &["spacer", "pixel", "blank", "divider", "separator", "bullet", "shadow", "transparent", "bg", "1x1"];

/// The pictures of a page in document order.
pub(super) fn pictures(page: &Live) -> Vec<Picture> {
    let dom = &page.dom;
    let mut heading = None;
    let mut sources = judge::pictures(page).into_iter();
    let mut out = Vec::new();
    for id in dom.descendants(0) {
        match dom.name(id) {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => heading = said(dom.text(id).trim_end_matches('¶')),
            "img" => {
                let Some(source) = sources.next() else { break };
                out.push(picture(dom, id, source, heading.clone()));
            }
            _ => {}
        }
    }
    out
}

fn picture(dom: &Dom, id: NodeId, source: judge::Picture, heading: Option<String>) -> Picture {
    let figure = dom.ancestors(id).find(|it| dom.name(*it) == "figure");
    let caption = figure.and_then(|figure| dom.descendants(figure).find(|it| dom.name(*it) == "figcaption"));
    let caption = caption.and_then(|it| said(&dom.text(it)));
    let link = dom.ancestors(id).find(|it| dom.name(*it) == "a");
    let alone = link.filter(|it| dom.text(*it).is_empty());
    let target = alone.and_then(|it| {
        let named = dom.attribute(it, "aria-label").or_else(|| dom.attribute(it, "title")).and_then(said);
        named.or_else(|| words(judge::name(dom.attribute(it, "href").unwrap_or_default().trim_end_matches('/'))))
    });
    let is = |name: &str, values: &[&str]| dom.attribute(id, name).is_some_and(|it| values.contains(&it.trim()));
    let tiny = |it: Option<u32>| it.is_some_and(|it| it <= 3);
    let file = judge::name(&source.src).to_ascii_lowercase();
    let adorns = is("role", &["presentation", "none"])
        || is("aria-hidden", &["true"])
        || source.alt.as_deref() == Some("") && caption.is_none()
        || tiny(source.shown.0)
        || tiny(source.shown.1)
        || file.split(['-', '_', '.']).any(|it| ADORNING.contains(&it));
    Picture {
        label: dom.attribute(id, "aria-label").or_else(|| dom.attribute(id, "title")).and_then(said),
        // What a link holds alone is its name, whatever it looks like.
        decorative: adorns && alone.is_none(),
        src: source.src,
        alt: source.alt,
        link: target,
        caption,
        heading,
    }
}

impl Picture {
    /// The best that the page itself says of the picture, and where it says so.
    pub(super) fn said(&self) -> (Basis, Option<String>) {
        if self.decorative {
            return (Basis::Decorative, Some(String::new()));
        }
        let file = words(judge::name(&self.src)).filter(|_| !judge::is_meaningless(judge::name(&self.src)));
        let choices = [
            (Basis::Present, self.alt.clone().filter(|it| self.is_good(it))),
            (Basis::Caption, self.caption.clone()),
            (Basis::Label, self.label.clone()),
            (Basis::LinkTarget, self.link.clone()),
            (Basis::FileName, file.filter(|it| it.contains(' '))),
            (Basis::Heading, self.heading.clone()),
        ];
        let found = choices.into_iter().find_map(|(basis, text)| Some((basis, Some(text?))));
        found.unwrap_or((Basis::None, None))
    }

    /// Whether an `alt` needs no other.
    fn is_good(&self, alt: &str) -> bool {
        let name = judge::name(&self.src).to_lowercase();
        let lower = alt.to_lowercase();
        let file = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg", ".avif"].iter().any(|it| lower.ends_with(it));
        let vague = ["image", "picture", "photo", "img", "logo", "icon", "bild", "foto"].contains(&lower.trim());
        (3..=125).contains(&alt.chars().count()) && !file && !vague && lower != name
    }

    /// Whether a language model elsewhere can fetch it, and should.
    pub(super) fn can_be_shown(&self) -> bool {
        let Ok(url) = Url::parse(&self.src) else { return false };
        let path = url.path().to_ascii_lowercase();
        !self.decorative && matches!(url.scheme(), "http" | "https") && !is_local(&url) && !path.ends_with(".svg")
    }
}

fn said(text: &str) -> Option<String> {
    Some(kit::text::collapse(text)).filter(|it| it.chars().any(char::is_alphanumeric))
}

/// The words of a file's name or a path's end; none when it has no letters.
fn words(name: &str) -> Option<String> {
    let words: Vec<&str> = name
        .split(['-', '_', '+', ' ', '.'])
        .filter(|it| !it.is_empty() && !it.chars().all(|c| c.is_ascii_digit() || c == 'x'))
        .collect();
    let text = words.join(" ").replace("%20", " ");
    (text.chars().filter(|it| it.is_alphabetic()).count() >= 3 && !text.contains('%')).then(|| capital(&text))
}
