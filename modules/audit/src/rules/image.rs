//! Rules about pictures.

pub(super) mod delivery;
pub(super) mod text;

use kit::page::{Image, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "image.alt_missing",
        area: Area::Images,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Pictures have no alternative text",
        explanation: "Screen readers read the file name instead (WCAG 2.2, 1.1.1), and picture search has nothing to go by.",
        advice: "Describe each picture in its alt; give decoration an empty one.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/non-text-content",
        operation: "cms.alt_text.bulk_update",
        effort: Effort::Medium,
        confidence: 90,
        check: Check::Page(alt_missing),
    },
    Rule {
        id: "image.alt_too_long",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("characters", alt_characters)),
        title: "An alternative text is a paragraph",
        explanation: "An alt is read in one breath; long descriptions belong into the text.",
        advice: "Shorten the alt and describe the picture in a caption.",
        reference: "https://www.w3.org/WAI/tutorials/images/complex/",
        operation: "cms.alt_text.bulk_update",
        effort: Effort::Low,
        confidence: 75,
        check: Check::Page(alt_too_long),
    },
    Rule {
        id: "image.alt_file_name",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "An alternative text is a file name",
        explanation: "A name such as IMG_0042.jpg describes nothing.",
        advice: "Describe what the picture shows.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/non-text-content",
        operation: "onpage.alt_text.suggest",
        effort: Effort::Medium,
        confidence: 95,
        check: Check::Page(alt_file_name),
    },
    Rule {
        id: "image.linked_without_alt",
        area: Area::Images,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A linked picture has no text",
        explanation: "The alt of a picture is the text of the link around it; without it the link has none.",
        advice: "Say in the alt where the link leads.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        operation: "cms.alt_text.bulk_update",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(linked_without_alt),
    },
    Rule {
        id: "image.size_missing",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Pictures do not say how large they are",
        explanation: "The text jumps when a picture without width and height arrives.",
        advice: "Add width and height to each picture.",
        reference: "https://web.dev/articles/optimize-cls",
        operation: "onpage.image.check",
        effort: Effort::Medium,
        confidence: 75,
        check: Check::Page(size_missing),
    },
    Rule {
        id: "image.legacy_format",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A picture is in a format browsers read badly",
        explanation: "BMP and TIFF are large, and most browsers show no TIFF.",
        advice: "Convert the picture to AVIF, WebP, JPEG or PNG.",
        reference: "https://developers.google.com/search/docs/appearance/google-images",
        operation: "onpage.image.check",
        effort: Effort::Medium,
        confidence: 95,
        check: Check::Page(legacy_format),
    },
    Rule {
        id: "image.first_lazy",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The first picture is loaded lazily",
        explanation: "The first picture is mostly seen at once; loading=lazy delays just the one that counts for the paint.",
        advice: "Remove loading=lazy from pictures at the top.",
        reference: "https://web.dev/articles/lcp-lazy-loading",
        operation: "onpage.image.check",
        effort: Effort::Low,
        confidence: 55,
        check: Check::Page(first_lazy),
    },
    Rule {
        id: "image.not_lazy",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Pictures far down the page load at once",
        explanation: "Pictures that nobody has scrolled to take bandwidth from those that are seen first.",
        advice: "Add loading=lazy to pictures below the first screen.",
        reference: "https://web.dev/articles/browser-level-image-lazy-loading",
        operation: "onpage.image.check",
        effort: Effort::Low,
        confidence: 60,
        check: Check::Page(not_lazy),
    },
];

/// Pictures before this position are likely seen without scrolling.
const SEEN: usize = 4;

fn some(
    page: &PageFacts,
    count: u32,
    value: impl Fn(&Image) -> String,
    expected: &str,
    which: impl Fn(&Image) -> bool,
) -> Option<Evidence> {
    let first = page.images.iter().find(|image| which(image));
    let element = first.map_or_else(|| "<img>".to_owned(), |image| format!("<img src=\"{}\">", image.src));
    (count > 0)
        .then(|| Evidence::at(element, first.map(value).unwrap_or_default()).expected(expected).count(count as usize))
}

/// The first picture of a sort among those that are kept, with how many there are.
fn some_of(
    page: &PageFacts,
    expected: &str,
    value: impl Fn(&Image) -> String,
    which: impl Fn(&&Image) -> bool,
) -> Option<Evidence> {
    let count = page.images.iter().filter(&which).count();
    let first = page.images.iter().find(which)?;
    Some(Evidence::at(format!("<img src=\"{}\">", first.src), value(first)).expected(expected).count(count))
}

fn number(page: &PageFacts, which: impl Fn(&Image) -> bool) -> u32 {
    u32::try_from(page.images.iter().filter(|image| which(image)).count()).unwrap_or(u32::MAX)
}

fn alt_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.images_without_alt, |_| String::new(), "an alt attribute", |image| image.alt.is_none())
}

fn alt_too_long(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.alt_characters as usize;
    let long = |image: &Image| image.alt.as_deref().is_some_and(|alt| alt.chars().count() > limit);
    some(
        page,
        number(page, long),
        |image| image.alt.clone().unwrap_or_default(),
        &format!("{limit} characters or fewer"),
        long,
    )
}

fn alt_file_name(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let named = |image: &Image| {
        let alt = image.alt.as_deref().unwrap_or_default().trim().to_lowercase();
        let dotted =
            [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif"].iter().any(|ending| alt.ends_with(ending));
        let camera = ["img_", "dsc_", "dscn", "screenshot_"].iter().any(|start| alt.starts_with(start));
        !alt.contains(' ') && (dotted || camera)
    };
    some(page, number(page, named), |image| image.alt.clone().unwrap_or_default(), "what the picture shows", named)
}

fn linked_without_alt(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // Only when the link has no other text is its picture's alt the text of the link.
    if page.link_counts.empty_anchor == 0 {
        return None;
    }
    let silent = |image: &Image| image.linked && image.alt.as_deref().is_none_or(|alt| alt.trim().is_empty());
    some(page, number(page, silent), |_| String::new(), "where the link leads", silent)
}

fn size_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let no_size = |image: &Image| image.width.is_none() || image.height.is_none();
    some(page, page.images_without_size, |_| String::new(), "width and height", no_size)
}

fn legacy_format(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let legacy = |image: &Image| {
        let path = image.src.split(['?', '#']).next().unwrap_or_default().to_lowercase();
        [".bmp", ".tif", ".tiff"].iter().any(|ending| path.ends_with(ending))
    };
    some(page, number(page, legacy), |image| image.src.clone(), "AVIF, WebP, JPEG or PNG", legacy)
}

fn first_lazy(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.images.first().filter(|image| image.loading.as_deref() == Some("lazy"))?;
    Some(Evidence::at(format!("<img src=\"{}\">", first.src), "loading=lazy").expected("loading=eager, or nothing"))
}

fn not_lazy(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let eager = |image: &&Image| image.loading.as_deref() != Some("lazy") && image.src != "data:";
    let mut late = page.images.iter().skip(SEEN).filter(eager);
    let first = late.next()?;
    let evidence = Evidence::at(format!("<img src=\"{}\">", first.src), first.loading.as_deref().unwrap_or_default());
    Some(evidence.expected("loading=lazy").count(1 + late.count()))
}
