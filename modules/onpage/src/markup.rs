//! The operation `onpage.markup.validate`: faults of HTML that change what search engines read.

mod head;
mod open;
mod scan;

use std::collections::BTreeMap;

use kit::dom::Dom;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;

use self::open::Slip;
use crate::live::{self, Live};
use site::live::Seen;

/// Google reads this much of an HTML page (Google Search Central, “Googlebot”).
const READ: u64 = 15 << 20;
/// More is slow everywhere.
const LARGE: u64 = 2 << 20;
/// What comes of an element that stands where it may not.
const NESTING: &str = "readers of the page may see another structure than you do";

#[args]
pub(crate) struct Validate {
    /// The page; with `html` its address only.
    url: Url,
    /// The source to look at instead of fetching the page. A call takes 256 KiB of arguments.
    html: Option<Text<0, 2_000_000>>,
}

#[value]
pub(crate) struct Validated {
    /// In the order of the source; at most 200.
    faults: Vec<Wrong>,
    /// The element, or `text`, that closes the head before `</head>`.
    head_closed_by: Option<String>,
    bytes: u64,
    elements: u32,
    /// How deep elements are nested at most.
    nesting: u32,
    /// The page, or what it was given as.
    page: Seen,
    /// What shows the outcome after the fix.
    /// What to do next.
    next: Vec<Next>,
}

#[value]
struct Wrong {
    kind: Kind,
    /// From 1.
    line: u32,
    element: String,
    /// What it does to the reading of the page.
    effect: String,
}

#[value]
pub(crate) enum Kind {
    HeadClosedEarly,
    MetaInBody,
    CanonicalInBody,
    HreflangInBody,
    TitleInBody,
    DuplicateId,
    DuplicateTitle,
    DuplicateDescription,
    DuplicateCanonical,
    MissingTitle,
    MissingDoctype,
    /// An element inside another that may not hold it.
    InvalidNesting,
    /// A closing tag without its element, or an element that is never closed.
    Unclosed,
    BadBase,
    LateBase,
    LateCharset,
    Oversized,
    TooDeep,
}

/// Finds HTML faults that break SEO parsing: elements that close the head early, meta or canonical in the body, duplicate ids
/// and titles, invalid nesting, bad base href and oversized documents.
///
/// The source is parsed by the rules of the HTML standard, so that elements stand where a browser and a search engine see them.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "is my html broken",
        "why does google ignore my canonical",
        "what closes the head too early",
        "duplicate ids on a page",
    ],
    examples = [
        { "url": "https://shop.example/lamps" },
        { "url": "https://shop.example/lamps", "html": "<!doctype html><title>Lamps</title><div></div><link rel=canonical href=/lamps>" }
    ]
)]
pub(crate) fn validate(cx: &Cx, args: Validate) -> Result<Validated> {
    let page = match &args.html {
        Some(html) => live::of_source(cx, &args.url, html),
        None => live::page(cx, &args.url, "/url")?,
    };
    let mut faults = Faults { out: Vec::new() };
    faults.of_head(&page);
    faults.of_ids(&page.dom);
    faults.of_nesting(&page.dom);
    faults.of_source(&page.html);
    faults.of_size(&page);
    faults.out.sort_by_key(|it| (it.line, it.kind));
    faults.out.truncate(200);
    let next = if faults.out.is_empty() {
        Vec::new()
    } else {
        vec![Fix::on("audit.page.check", &page.facts.final_url).because("checks the page against all page rules")]
    };
    Ok(Validated {
        faults: faults.out,
        head_closed_by: page.facts.head_end.closed_by.clone(),
        bytes: page.facts.html_bytes,
        elements: page.facts.elements,
        nesting: page.facts.nesting,
        page: page.seen(),
        next,
    })
}

struct Faults {
    out: Vec<Wrong>,
}

impl Faults {
    fn add(&mut self, kind: Kind, line: u32, element: &str, effect: &str) {
        self.out.push(Wrong {
            kind,
            line,
            element: kit::text::clip(element, 200).to_owned(),
            effect: effect.to_owned(),
        });
    }

    fn of_ids(&mut self, dom: &Dom) {
        let mut known: BTreeMap<&str, u32> = BTreeMap::new();
        for id in dom.descendants(0) {
            let Some(name) = dom.attribute(id, "id").filter(|it| !it.is_empty()) else { continue };
            let times = known.entry(name).or_default();
            *times += 1;
            if *times == 2 {
                self.add(
                    Kind::DuplicateId,
                    dom.node(id).line,
                    &format!("{} id={name}", dom.name(id)),
                    "a link to the fragment leads to the first only",
                );
            }
        }
    }

    fn of_nesting(&mut self, dom: &Dom) {
        for id in dom.descendants(0) {
            let name = dom.name(id);
            let parent = dom.parent(id).map_or("", |it| dom.name(it));
            let inside = |names: &[&str]| {
                dom.ancestors(id).find(|it| names.contains(&dom.name(*it))).map(|it| dom.name(it).to_owned())
            };
            let outer = match name {
                "a" | "button" | "select" | "iframe" | "label" => {
                    inside(&["a", "button"]).filter(|it| !(name == "label" && it == "a"))
                }
                "form" => inside(&["form"]),
                "main" => inside(&["article", "aside", "footer", "header", "nav", "main"]),
                "li" => (!matches!(parent, "ul" | "ol" | "menu")).then(|| parent.to_owned()),
                "ul" | "ol" | "table" | "div" | "p" => matches!(parent, "ul" | "ol").then(|| parent.to_owned()),
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => inside(&["h1", "h2", "h3", "h4", "h5", "h6"]),
                "dt" | "dd" => (!matches!(parent, "dl" | "div")).then(|| parent.to_owned()),
                _ => None,
            };
            if let Some(outer) = outer {
                self.add(Kind::InvalidNesting, dom.node(id).line, &format!("{name} in {outer}"), NESTING);
            }
        }
    }

    fn of_source(&mut self, html: &str) {
        for slip in open::slips(html) {
            match slip {
                Slip::Unclosed(line, tag) => {
                    self.add(
                        Kind::Unclosed,
                        line,
                        &tag,
                        "elements after it may stand in another place than they seem to",
                    );
                }
                Slip::Misplaced(line, what) => self.add(Kind::InvalidNesting, line, &what, NESTING),
            }
        }
    }

    fn of_size(&mut self, page: &Live) {
        let bytes = page.facts.html_bytes;
        if bytes > READ {
            self.add(Kind::Oversized, 1, "html", "Google reads the first 15 MB only");
        } else if bytes > LARGE || page.facts.truncated {
            self.add(Kind::Oversized, 1, "html", "crawlers and people wait for it; what stands late may not be read");
        }
        if page.facts.nesting > 512 {
            self.add(Kind::TooDeep, 1, "html", "browsers flatten what is nested deeper than 512");
        }
    }
}

#[cfg(test)]
mod tests;
