//! The operation `onpage.snippet.preview`, and how a search result shows a title, a description and an address.

use kit::glyphs;
use kit::terms::{Analyzer, occurrences};
use sdk::Fix;
use sdk::prelude::*;
use sdk::serde_json::json;

/// Font sizes and room of a result, in pixels. Measured on results pages; search engines publish none of them.
pub(crate) const TITLE: Space = Space { desktop: (20.0, 580.0), mobile: (18.0, 656.0) };
pub(crate) const DESCRIPTION: Space = Space { desktop: (14.0, 920.0), mobile: (14.0, 680.0) };

/// Font size and room, both in pixels.
pub(crate) struct Space {
    pub(crate) desktop: (f64, f64),
    pub(crate) mobile: (f64, f64),
}

#[args]
pub(crate) struct Preview {
    /// The title to show.
    title: Option<Text<0, 300>>,
    /// The description to show.
    description: Option<Text<0, 600>>,
    /// The page's address, for the breadcrumb.
    url: Option<Url>,
    /// What the page should be found for.
    keyword: Option<Text<0, 120>>,
}

#[value]
pub(crate) struct Previewed {
    /// Width of the title at 20 px, in pixels.
    title_px: f64,
    /// Width of the description at 14 px, in pixels.
    description_px: f64,
    truncated: Truncated,
    preview: Both,
    /// The room that widths are compared with, in pixels.
    limits: Limits,
    warnings: Vec<Warning>,
}

#[value]
struct Truncated {
    desktop: Cut,
    mobile: Cut,
}

/// What does not fit.
#[value]
struct Cut {
    title: bool,
    description: bool,
}

#[value]
struct Both {
    desktop: Shown,
    mobile: Shown,
}

/// A result as it is shown.
#[value]
struct Shown {
    title: String,
    breadcrumb: Option<String>,
    description: String,
}

#[value]
struct Limits {
    title_desktop: f64,
    title_mobile: f64,
    description_desktop: f64,
    description_mobile: f64,
}

#[value]
struct Warning {
    code: Code,
    message: String,
    /// The call that mends it; null when the address is not known.
    fix: Option<Fix>,
}

#[value]
enum Code {
    TitleMissing,
    TitleTruncated,
    TitleShort,
    DescriptionMissing,
    DescriptionTruncated,
    DescriptionShort,
    /// The keyword is in the title but behind the cut.
    KeywordCut,
    KeywordNotInTitle,
    KeywordNotInDescription,
    /// The brand after the last separator is behind the cut.
    BrandCut,
}

/// Measures title and description in pixels with Arial glyph widths, shows desktop and mobile truncation and the breadcrumb,
/// and flags brand or query loss.
///
/// Nothing is fetched. Widths hold the font's kerning; the room is what results pages give today: 580 px and 920 px on a
/// desktop.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = [
        "is my title too long for google",
        "how will my snippet look in search results",
        "title tag pixel width",
        "does my meta description get cut off",
    ],
    examples = [
        { "title": "Brass desk lamps, made to last | Lampshop", "description": "Desk lamps of solid brass.", "url": "https://shop.example/lamps/desk", "keyword": "brass desk lamp" },
        { "title": "Lamps" }
    ]
)]
pub(crate) fn preview(_: &Cx, args: Preview) -> Result<Previewed> {
    if args.title.is_none() && args.description.is_none() {
        return Err(Fault::invalid("/title", "nothing_to_measure", "give a title, a description or both"));
    }
    let title = kit::text::collapse(args.title.as_deref().unwrap_or_default());
    let description = kit::text::collapse(args.description.as_deref().unwrap_or_default());
    let crumbs = args.url.as_ref().map(breadcrumb);
    let show = |title_space: (f64, f64), description_space: (f64, f64)| {
        let (title, title_cut) = glyphs::truncate(&title, title_space.0, title_space.1);
        let (description, description_cut) = glyphs::truncate(&description, description_space.0, description_space.1);
        (
            Shown { title, breadcrumb: crumbs.clone(), description },
            Cut { title: title_cut, description: description_cut },
        )
    };
    let (desktop, desktop_cut) = show(TITLE.desktop, DESCRIPTION.desktop);
    let (mobile, mobile_cut) = show(TITLE.mobile, DESCRIPTION.mobile);
    let mut warnings = Warnings { url: args.url.as_ref(), keyword: args.keyword.as_deref(), found: Vec::new() };
    if args.title.is_some() {
        warnings.of_title(&title, &desktop.title, desktop_cut.title);
    }
    if args.description.is_some() {
        warnings.of_description(&description, desktop_cut.description);
    }
    let pixels = |text: &str, size: f64| kit::statistics::round(glyphs::width(text, size), 1);
    Ok(Previewed {
        title_px: pixels(&title, TITLE.desktop.0),
        description_px: pixels(&description, DESCRIPTION.desktop.0),
        truncated: Truncated { desktop: desktop_cut, mobile: mobile_cut },
        preview: Both { desktop, mobile },
        limits: Limits {
            title_desktop: TITLE.desktop.1,
            title_mobile: TITLE.mobile.1,
            description_desktop: DESCRIPTION.desktop.1,
            description_mobile: DESCRIPTION.mobile.1,
        },
        warnings: warnings.found,
    })
}

/// The address as results show it: host and folders.
pub(crate) fn breadcrumb(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let folders = url.path_segments().into_iter().flatten().filter(|it| !it.is_empty());
    folders.fold(host.to_owned(), |crumbs, folder| format!("{crumbs} › {}", kit::text::clip(folder, 40)))
}

struct Warnings<'a> {
    url: Option<&'a Url>,
    keyword: Option<&'a str>,
    found: Vec<Warning>,
}

impl Warnings<'_> {
    fn add(&mut self, code: Code, message: impl Into<String>, operation: &str) {
        let fix = self.url.map(|url| {
            let mut arguments = json!({ "url": url });
            if let Some(keyword) = self.keyword.filter(|it| !it.is_empty()) {
                arguments["keyword"] = json!(keyword);
            }
            Fix::new(operation, arguments)
        });
        self.found.push(Warning { code, message: message.into(), fix });
    }

    fn of_title(&mut self, title: &str, shown: &str, cut: bool) {
        const ACT: &str = "onpage.title.suggest";
        if title.is_empty() {
            return self.add(Code::TitleMissing, "the title is empty", ACT);
        }
        if cut {
            self.add(Code::TitleTruncated, "the title is wider than a desktop result", ACT);
        } else if glyphs::width(title, TITLE.desktop.0) < 200.0 {
            self.add(Code::TitleShort, "the title leaves most of its room unused", ACT);
        }
        if let Some(keyword) = self.keyword {
            match (holds(title, keyword), holds(shown, keyword)) {
                (false, _) => self.add(Code::KeywordNotInTitle, format!("{keyword} is not in the title"), ACT),
                (true, false) => self.add(Code::KeywordCut, format!("{keyword} is cut off the title"), ACT),
                _ => {}
            }
        }
        let brand =
            [" | ", " - ", " – ", " — ", " · "].iter().filter_map(|it| title.rsplit_once(it)).map(|it| it.1).next();
        if let Some(brand) = brand.filter(|brand| cut && !shown.contains(*brand)) {
            self.add(Code::BrandCut, format!("{brand} is cut off the title"), ACT);
        }
    }

    fn of_description(&mut self, description: &str, cut: bool) {
        const ACT: &str = "onpage.description.suggest";
        if description.is_empty() {
            return self.add(Code::DescriptionMissing, "the description is empty", ACT);
        }
        if cut {
            self.add(Code::DescriptionTruncated, "the description is longer than a desktop result shows", ACT);
        } else if glyphs::width(description, DESCRIPTION.desktop.0) < 400.0 {
            self.add(Code::DescriptionShort, "the description leaves most of its room unused", ACT);
        }
        if let Some(keyword) = self.keyword.filter(|it| !holds(description, it)) {
            self.add(Code::KeywordNotInDescription, format!("{keyword} is not in the description"), ACT);
        }
    }
}

/// Whether a text holds all words of a keyword, in any inflection and order.
pub(crate) fn holds(text: &str, keyword: &str) -> bool {
    let language = kit::language::detect(text).map_or("en", |it| it.language);
    let analyzer = Analyzer::new(language);
    let (stems, wanted) = (analyzer.query(text), analyzer.query(keyword));
    wanted.iter().all(|it| stems.contains(it)) || occurrences(&stems, &wanted).next().is_some()
}

#[cfg(test)]
mod tests;
