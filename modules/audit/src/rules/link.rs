//! Rules about the links that one page has.

pub(super) mod form;

use kit::page::{Link, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "links.none" Links Warning Page Medium 90 Page(none);
    title "The page links to no other page of the site";
    why "Visitors and crawlers who arrive here can only go back.";
    fix "links.suggestion.for_page" "Link to the pages a reader wants next.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.too_many" Links Notice Page Medium 55 Page(too_many);
    at "links" links;
    title "The page has a great many links";
    why "Each link gets a smaller share of attention and authority.";
    fix "links.graph.simulate" "Move long lists to pages of their own.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.uncrawlable" Links Warning Page Medium 80 Page(uncrawlable);
    title "Some links hold no address";
    why "Crawlers follow a link only by its href; a script behind it is not followed.";
    fix "onpage.link.check" "Put the address into the href and let the script take over the click.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.empty_anchor" Links Notice Page Medium 85 Page(empty_anchor);
    title "Some links have no text";
    why "A link without a text tells neither readers nor crawlers where it leads (WCAG 2.2, 2.4.4).";
    fix "onpage.link.check" "Give the link a text, its picture an alt, or the link an aria-label.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context";

    "links.generic_anchor" Links Notice Page Medium 85 Links(generic_anchor);
    title "Some links say only 'click here'";
    why "The words of a link describe its target; generic ones describe nothing.";
    fix "links.anchor.report" "Name the target in the link.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.nofollow_internal" Links Warning Page Low 80 Page(nofollow_internal);
    title "Links to the own site are nofollow";
    why "A nofollow inside the site throws authority away instead of sending it elsewhere.";
    fix "links.leak.report" "Remove nofollow from links to your own pages.";
    see "https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links";

    "links.insecure" Links Warning Page Low 90 Page(insecure);
    title "A secure page links to insecure pages of the site";
    why "Each such link goes through a redirect and can be read and changed on the way.";
    fix "cms.link.replace" "Write https in the links.";
    see "https://web.dev/articles/enable-https";

    "links.local" Links Error Page Low 97 Page(local);
    title "The page links to a machine of its makers";
    why "Addresses such as localhost or 192.168.0.5 work on the desk of the developer only.";
    fix "cms.link.replace" "Replace the address by the public one.";
    see "https://www.rfc-editor.org/rfc/rfc6761";
}

fn none(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.link_counts.internal == 0 && !page.truncated)
        .then(|| Evidence::at("<a href>", "0 internal links").expected("at least one"))
}

fn too_many(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let all = page.link_counts.internal + page.link_counts.external;
    let limit = site.limits.links;
    (all > limit).then(|| Evidence::at("<a href>", links(all)).expected(format!("{limit} or fewer")))
}

/// A number of links of one sort, with the first of them as it is written.
fn some(page: &PageFacts, count: u32, expected: &str, name: &str) -> Option<Evidence> {
    let first = page.markup.first(name).map_or_else(|| "<a href>".to_owned(), str::to_owned);
    (count > 0).then(|| Evidence::at(first, links(count)).expected(expected).count(count as usize))
}

fn links(count: u32) -> String {
    format!("{count} {}", if count == 1 { "link" } else { "links" })
}

fn uncrawlable(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.uncrawlable, "an http or https address", "uncrawlable")
}

fn empty_anchor(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.empty_anchor, "a text", "empty_anchor")
}

/// Whether the text of a link says anything of its target.
#[must_use]
pub(crate) fn says_something(anchor: &str) -> bool {
    !anchor.trim().is_empty() && !kit::anchor::is_generic(anchor)
}

fn generic_anchor(links: &[Link]) -> Option<Evidence> {
    let generic =
        |link: &&Link| !link.url.is_empty() && !link.anchor.trim().is_empty() && !says_something(&link.anchor);
    let count = links.iter().filter(generic).count();
    let first = links.iter().find(generic)?;
    Some(
        Evidence::at(format!("<a href>{}</a>", first.anchor), &first.href)
            .expected("a text that names the target")
            .count(count),
    )
}

fn nofollow_internal(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.internal_nofollow, "no nofollow", "internal_nofollow")
}

fn insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.insecure, "https", "insecure")
}

fn local(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some(page, page.link_counts.local, "a public address", "local")
}
