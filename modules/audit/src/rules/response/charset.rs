//! Rules about how the encoding of a page is declared.

use kit::page::{CharsetSource, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "response.charset_conflict" Response Warning Page Low 92 Page(conflict);
    title "Header and markup name different encodings";
    why "The header wins; a reader who saves the page, or another server, goes by the markup and sees broken letters.";
    fix "onpage.markup.validate" "Name utf-8 in both.";
    see "https://html.spec.whatwg.org/multipage/semantics.html#charset";

    "response.charset_not_utf8" Response Notice Page Medium 85 Page(not_utf8);
    title "The page is not in UTF-8";
    why "The HTML standard asks for UTF-8; forms and scripts of pages in other encodings lose letters.";
    fix "onpage.markup.validate" "Save and declare the page as UTF-8.";
    see "https://html.spec.whatwg.org/multipage/semantics.html#charset";

    "response.charset_late" Response Notice Page Low 90 Page(late);
    title "The encoding is declared too late";
    why "A declaration behind the first 1,024 bytes does not count; browsers guess, or read the page twice.";
    fix "onpage.markup.validate" "Make the declaration the first element of the head.";
    see "https://html.spec.whatwg.org/multipage/semantics.html#charset";
}

/// Labels of one encoding: UTF-8 has two that are common.
fn same(a: &str, b: &str) -> bool {
    let plain = |label: &str| if label == "utf8" { "utf-8".to_owned() } else { label.to_owned() };
    plain(a) == plain(b)
}

fn conflict(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let declared = page.charset.declared.as_deref().filter(|_| page.charset.source == CharsetSource::Header)?;
    let label = page.meta_charsets.iter().find(|label| !same(label, declared))?;
    Some(Evidence::at("<meta charset>", label).expected(declared))
}

fn not_utf8(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let told = matches!(page.charset.source, CharsetSource::Header | CharsetSource::Meta);
    let declared = page.charset.declared.as_deref().unwrap_or(&page.charset.name);
    (told && !page.charset.name.is_empty() && page.charset.name != "utf-8")
        .then(|| Evidence::at("charset", declared).expected("utf-8"))
}

fn late(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let label = page.meta_charsets.first().filter(|_| page.meta_charset_late)?;
    // A charset in the header counts before the markup does.
    (page.charset.source != CharsetSource::Header && page.charset.source != CharsetSource::Bom)
        .then(|| Evidence::at("<meta charset>", label).expected("within the first 1,024 bytes"))
}
