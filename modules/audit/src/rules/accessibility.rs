//! Rules about what keeps people out who do not see, hear or move as others do.
//!
//! Names and labels that they need are what search engines and assistants read too.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "accessibility.field_unlabelled",
        area: Area::Accessibility,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Fields have no label",
        explanation: "Who does not see the page is not told what to type; voice control cannot name the field (WCAG 4.1.2).",
        advice: "Give each field a label element, or an aria-label.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/labels-or-instructions",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 88,
        check: Check::Page(field_unlabelled),
    },
    Rule {
        id: "accessibility.button_unnamed",
        area: Area::Accessibility,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Buttons have no name",
        explanation: "A button with nothing but a drawing is read out as \"button\" (WCAG 4.1.2).",
        advice: "Write a text into the button, or an aria-label.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 88,
        check: Check::Page(button_unnamed),
    },
    Rule {
        id: "accessibility.frame_untitled",
        area: Area::Accessibility,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Frames have no title",
        explanation: "Screen readers announce a frame by its title; without one nobody knows what is in it (WCAG 4.1.2).",
        advice: "Add a title to each iframe.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(frame_untitled),
    },
    Rule {
        id: "accessibility.video_uncaptioned",
        area: Area::Accessibility,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A video has no captions",
        explanation: "Who cannot hear gets nothing of it, and search engines cannot read what is said (WCAG 1.2.2).",
        advice: "Add a track with captions.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/captions-prerecorded",
        operation: "onpage.markup.validate",
        effort: Effort::High,
        confidence: 75,
        check: Check::Page(video_uncaptioned),
    },
    Rule {
        id: "accessibility.sound_by_itself",
        area: Area::Accessibility,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Sound plays by itself",
        explanation: "It drowns the screen reader, and most visitors leave (WCAG 1.4.2).",
        advice: "Start muted, or wait for a click.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/audio-control",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(sound_by_itself),
    },
    Rule {
        id: "accessibility.tab_order",
        area: Area::Accessibility,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Elements stand in an order of their own",
        explanation: "A tabindex above 0 makes the keyboard jump about the page (WCAG 2.4.3).",
        advice: "Use 0 or -1, and let the order of the page be the order of the keyboard.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/focus-order",
        operation: "onpage.markup.validate",
        effort: Effort::Medium,
        confidence: 80,
        check: Check::Page(tab_order),
    },
    Rule {
        id: "accessibility.main_missing",
        area: Area::Accessibility,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page does not mark its main part",
        explanation: "Who goes from landmark to landmark cannot skip to the content, and programs must guess which text matters.",
        advice: "Put the content into one main element.",
        reference: "https://www.w3.org/WAI/ARIA/apg/practices/landmark-regions/",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 65,
        check: Check::Page(main_missing),
    },
    Rule {
        id: "accessibility.id_repeated",
        area: Area::Accessibility,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "One id belongs to several elements",
        explanation: "Labels, links and scripts that name the id reach the first of them only (HTML 3.2.6).",
        advice: "Give each element an id of its own.",
        reference: "https://html.spec.whatwg.org/multipage/dom.html#the-id-attribute",
        operation: "onpage.markup.validate",
        effort: Effort::Medium,
        confidence: 72,
        check: Check::Page(id_repeated),
    },
];

/// Elements of one sort, the first of them as it is written.
fn counted(page: &PageFacts, name: &str, element: &str, count: u32, expected: &str) -> Option<Evidence> {
    let first = page.markup.first(name).unwrap_or(element);
    let value = format!("{count} {} like it", if count == 1 { "element" } else { "elements" });
    (count > 0).then(|| Evidence::at(first, value).expected(expected).count(count as usize))
}

fn field_unlabelled(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    counted(page, "fields_unnamed", "<input>", page.markup.fields_unnamed, "a label")
}

fn button_unnamed(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    counted(page, "buttons_unnamed", "<button>", page.markup.buttons_unnamed, "a text or an aria-label")
}

fn frame_untitled(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    counted(page, "frames_untitled", "<iframe>", page.markup.frames_untitled, "a title")
}

fn video_uncaptioned(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    counted(page, "videos_uncaptioned", "<video>", page.markup.videos_uncaptioned, "a track with captions")
}

fn sound_by_itself(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    counted(page, "autoplaying", "autoplay", page.markup.autoplaying, "muted, or no autoplay")
}

fn tab_order(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    counted(page, "tab_ordered", "tabindex", page.markup.tab_ordered, "0 or -1")
}

fn main_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // Pages read before they were counted say nothing of it; a page without text has other faults.
    (page.markup.mains == Some(0) && page.body_word_count > 0 && !page.truncated)
        .then(|| Evidence::absent("<main>").expected("one"))
}

fn id_repeated(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let repeated = &page.markup.ids_repeated;
    let first = repeated.first()?;
    Some(Evidence::at(format!("id=\"{first}\""), repeated.join(", ")).expected("once").count(repeated.len()))
}
