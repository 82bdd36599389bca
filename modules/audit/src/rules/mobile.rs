//! Rules about use on a phone.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "mobile.viewport_missing" Mobile Warning Page Low 95 Page(viewport_missing);
    title "The page does not fit itself to a phone";
    why "Without a viewport a phone draws the page at desktop width and shrinks it until nothing can be read.";
    fix "cms.content.update" "Add <meta name=viewport content='width=device-width, initial-scale=1'>.";
    see "https://developer.chrome.com/docs/lighthouse/pwa/viewport";

    "mobile.viewport_fixed" Mobile Warning Page Low 92 Page(viewport_fixed);
    title "The page is drawn at a fixed width";
    why "A width in pixels fits one screen; on any other the page scrolls sideways.";
    fix "cms.content.update" "Write width=device-width.";
    see "https://developer.chrome.com/docs/lighthouse/pwa/viewport";

    "mobile.zoom_forbidden" Mobile Notice Page Low 92 Page(zoom_forbidden);
    title "Visitors may not zoom";
    why "People who need larger letters cannot get them (WCAG 2.2, 1.4.4).";
    fix "cms.content.update" "Leave out user-scalable=no and a maximum-scale below 5.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/resize-text";

    "mobile.viewport_scale" Mobile Notice Page Low 82 Page(viewport_scale);
    title "The page opens zoomed";
    why "An initial scale other than 1 shows part of the page too large, or all of it too small.";
    fix "cms.content.update" "Write initial-scale=1.";
    see "https://developer.chrome.com/docs/lighthouse/pwa/viewport";

    "mobile.viewport_unreadable" Mobile Notice Page Low 85 Page(viewport_unreadable);
    title "The viewport has keys that browsers do not know";
    why "What is misspelled, or set in another way than key=value, is passed over.";
    fix "cms.content.update" "Write width=device-width, initial-scale=1.";
    see "https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/meta/name/viewport";
}

const ELEMENT: &str = "<meta name=\"viewport\">";

/// The value of one key of a viewport, in lower case.
fn value(page: &PageFacts, key: &str) -> Option<String> {
    let viewport = page.viewport.as_deref()?.to_lowercase();
    let pairs = viewport.split([',', ';']).filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (name.trim(), value.trim()))
        .find(|(name, _)| *name == key)
        .map(|(_, value)| value.to_owned())
}

fn viewport_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.viewport
        .as_deref()
        .is_none_or(|it| it.trim().is_empty())
        .then(|| Evidence::absent(ELEMENT).expected("width=device-width, initial-scale=1"))
}

fn viewport_fixed(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let width = value(page, "width")?;
    width.parse::<f64>().is_ok().then(|| Evidence::at(ELEMENT, format!("width={width}")).expected("width=device-width"))
}

fn zoom_forbidden(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let fixed = value(page, "user-scalable").filter(|it| matches!(it.as_str(), "no" | "0"));
    let small = value(page, "maximum-scale").filter(|it| it.parse::<f64>().is_ok_and(|scale| scale < 5.0));
    let found = fixed.map(|it| format!("user-scalable={it}")).or(small.map(|it| format!("maximum-scale={it}")))?;
    Some(Evidence::at(ELEMENT, found).expected("zoom up to five times"))
}

fn viewport_scale(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let scale = value(page, "initial-scale")?;
    scale
        .parse::<f64>()
        .is_ok_and(|it| !(0.99..=1.01).contains(&it))
        .then(|| Evidence::at(ELEMENT, format!("initial-scale={scale}")).expected("initial-scale=1"))
}

fn viewport_unreadable(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const KEYS: [&str; 11] = [
        "width",
        "height",
        "initial-scale",
        "minimum-scale",
        "maximum-scale",
        "user-scalable",
        "viewport-fit",
        "interactive-widget",
        "shrink-to-fit",
        "minimal-ui",
        "target-densitydpi",
    ];
    let viewport = page.viewport.as_deref()?.to_lowercase();
    let known = |part: &str| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        KEYS.contains(&key.trim()) && (!value.trim().is_empty() || key.trim() == "minimal-ui")
    };
    let part = viewport.split([',', ';']).map(str::trim).find(|part| !part.is_empty() && !known(part))?;
    Some(Evidence::at(ELEMENT, part).expected("width=device-width, initial-scale=1"))
}
