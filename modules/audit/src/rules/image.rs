//! Rules about pictures.

pub(super) mod delivery;
pub(super) mod text;

use kit::page::{Image, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "image.alt_missing" Images Warning Page Medium 90 Page(alt_missing);
    title "Pictures have no alternative text";
    why "Screen readers read the file name instead (WCAG 2.2, 1.1.1), and picture search has nothing to go by.";
    fix "cms.alt_text.bulk_update" "Describe each picture in its alt; give decoration an empty one.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/non-text-content";

    "image.alt_too_long" Images Notice Page Low 75 Page(alt_too_long);
    at "characters" alt_characters;
    title "An alternative text is a paragraph";
    why "An alt is read in one breath; long descriptions belong into the text.";
    fix "cms.alt_text.bulk_update" "Shorten the alt and describe the picture in a caption.";
    see "https://www.w3.org/WAI/tutorials/images/complex/";

    "image.alt_file_name" Images Notice Page Medium 95 Page(alt_file_name);
    title "An alternative text is a file name";
    why "A name such as IMG_0042.jpg describes nothing.";
    fix "onpage.alt_text.suggest" "Describe what the picture shows.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/non-text-content";

    "image.linked_without_alt" Images Warning Page Low 90 Page(linked_without_alt);
    title "A linked picture has no text";
    why "The alt of a picture is the text of the link around it; without it the link has none.";
    fix "cms.alt_text.bulk_update" "Say in the alt where the link leads.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "image.size_missing" Images Notice Page Medium 75 Page(size_missing);
    title "Pictures do not say how large they are";
    why "The text jumps when a picture without width and height arrives.";
    fix "onpage.image.check" "Add width and height to each picture.";
    see "https://web.dev/articles/optimize-cls";

    "image.legacy_format" Images Notice Page Medium 95 Page(legacy_format);
    title "A picture is in a format browsers read badly";
    why "BMP and TIFF are large, and most browsers show no TIFF.";
    fix "onpage.image.check" "Convert the picture to AVIF, WebP, JPEG or PNG.";
    see "https://developers.google.com/search/docs/appearance/google-images";

    "image.first_lazy" Images Notice Page Low 55 Page(first_lazy);
    title "The first picture is loaded lazily";
    why "The first picture is mostly seen at once; loading=lazy delays just the one that counts for the paint.";
    fix "onpage.image.check" "Remove loading=lazy from pictures at the top.";
    see "https://web.dev/articles/lcp-lazy-loading";

    "image.not_lazy" Images Notice Page Low 60 Page(not_lazy);
    title "Pictures far down the page load at once";
    why "Pictures that nobody has scrolled to take bandwidth from those that are seen first.";
    fix "onpage.image.check" "Add loading=lazy to pictures below the first screen.";
    see "https://web.dev/articles/browser-level-image-lazy-loading";
}

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
