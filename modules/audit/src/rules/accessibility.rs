//! Rules about what keeps people out who do not see, hear or move as others do.
//!
//! Names and labels that they need are what search engines and assistants read too.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "accessibility.field_unlabelled" Accessibility Warning Page Low 88 Page(field_unlabelled);
    title "Fields have no label";
    why "Who does not see the page is not told what to type; voice control cannot name the field (WCAG 4.1.2).";
    fix "onpage.markup.validate" "Give each field a label element, or an aria-label.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/labels-or-instructions";

    "accessibility.button_unnamed" Accessibility Warning Page Low 88 Page(button_unnamed);
    title "Buttons have no name";
    why "A button with nothing but a drawing is read out as \"button\" (WCAG 4.1.2).";
    fix "onpage.markup.validate" "Write a text into the button, or an aria-label.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/name-role-value";

    "accessibility.frame_untitled" Accessibility Notice Page Low 85 Page(frame_untitled);
    title "Frames have no title";
    why "Screen readers announce a frame by its title; without one nobody knows what is in it (WCAG 4.1.2).";
    fix "onpage.markup.validate" "Add a title to each iframe.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/name-role-value";

    "accessibility.video_uncaptioned" Accessibility Notice Page High 75 Page(video_uncaptioned);
    title "A video has no captions";
    why "Who cannot hear gets nothing of it, and search engines cannot read what is said (WCAG 1.2.2).";
    fix "onpage.markup.validate" "Add a track with captions.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/captions-prerecorded";

    "accessibility.sound_by_itself" Accessibility Notice Page Low 85 Page(sound_by_itself);
    title "Sound plays by itself";
    why "It drowns the screen reader, and most visitors leave (WCAG 1.4.2).";
    fix "onpage.markup.validate" "Start muted, or wait for a click.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/audio-control";

    "accessibility.tab_order" Accessibility Notice Page Medium 80 Page(tab_order);
    title "Elements stand in an order of their own";
    why "A tabindex above 0 makes the keyboard jump about the page (WCAG 2.4.3).";
    fix "onpage.markup.validate" "Use 0 or -1, and let the order of the page be the order of the keyboard.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/focus-order";

    "accessibility.main_missing" Accessibility Notice Page Low 65 Page(main_missing);
    title "The page does not mark its main part";
    why "Who goes from landmark to landmark cannot skip to the content, and programs must guess which text matters.";
    fix "onpage.markup.validate" "Put the content into one main element.";
    see "https://www.w3.org/WAI/ARIA/apg/practices/landmark-regions/";

    "accessibility.id_repeated" Accessibility Notice Page Medium 72 Page(id_repeated);
    title "One id belongs to several elements";
    why "Labels, links and scripts that name the id reach the first of them only (HTML 3.2.6).";
    fix "onpage.markup.validate" "Give each element an id of its own.";
    see "https://html.spec.whatwg.org/multipage/dom.html#the-id-attribute";
}

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
