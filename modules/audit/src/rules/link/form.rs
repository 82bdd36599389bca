//! Rules about links that were written wrongly.

use kit::page::{Link, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::{authority, host, is_trial};

rules! {
    "links.malformed" Links Warning Page Low 92 Links(malformed);
    title "A link was put together wrongly";
    why "An address without its scheme, or with two, leads to a page that is not there.";
    fix "cms.link.replace" "Write the whole address, or a path that begins with a slash.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.hash_route" Links Warning Page High 80 Links(hash_route);
    title "Links lead to routes behind a hash";
    why "What follows # is never sent to a server; to search engines all such pages are one.";
    fix "onpage.render_risk.check" "Give each view an address of its own by the History API.";
    see "https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics";

    "links.to_trial" Links Warning Page Low 85 Links(to_trial);
    title "The page links to a trial version of the website";
    why "Visitors and search engines are led to a copy that is meant for its makers.";
    fix "cms.link.replace" "Link to the live address.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.anchor_is_address" Links Notice Indexable Low 55 Links(anchor_is_address);
    title "A link inside the site shows its address as text";
    why "An address says less of its target than words do, to readers and to search engines.";
    fix "links.anchor.report" "Let the text of the link name its target.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.one_text_two_targets" Links Notice Indexable Low 50 Links(one_text_two_targets);
    title "One link text leads to different pages";
    why "Readers who go from link to link hear the same words for different things (WCAG 2.4.9).";
    fix "links.anchor.report" "Let each text name its own target.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-link-only";

    "links.broken_fragment" Links Notice Page Low 85 Page(broken_fragment);
    title "A link leads to a place that the page does not have";
    why "Nothing happens when it is clicked; tables of contents lose their entries that way.";
    fix "onpage.link.check" "Give the place the id that the link names, or correct the link.";
    see "https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment";

    "links.tracked_inside" Links Notice Page Low 92 Page(tracked_inside);
    title "Links inside the site carry campaign parameters";
    why "Each click begins a new visit in most analytics and covers up where the visitor came from.";
    fix "cms.link.replace" "Take the parameters off links inside the site.";
    see "https://support.google.com/analytics/answer/10917952";
}

fn shown(link: &Link) -> Evidence {
    Evidence::at(format!("<a href>{}</a>", link.anchor), &link.href)
}

/// The first link of a sort, with how many there are.
fn some(links: &[Link], expected: &str, which: impl Fn(&&Link) -> bool) -> Option<Evidence> {
    let count = links.iter().filter(&which).count();
    let first = links.iter().find(which)?;
    Some(shown(first).expected(expected).count(count))
}

fn malformed(links: &[Link]) -> Option<Evidence> {
    some(links, "one whole address, or a path", |link| {
        let scheme = |part: &str| matches!(part, "http" | "https" | "http:" | "https:" | "www");
        let lost = authority(&link.url).is_some_and(scheme);
        // `www.shop.example/lamps` without a scheme is a path to a browser.
        let path = link.url.split_once("://").map_or("", |(_, rest)| rest).split(['?', '#']).next().unwrap_or_default();
        let named = path.split('/').skip(1).any(|part| {
            scheme(part) && part.ends_with(':') || part.strip_prefix("www.").is_some_and(|rest| rest.contains('.'))
        });
        // Archives and proxies have whole addresses in their paths.
        lost || (named && link.internal)
    })
}

fn hash_route(links: &[Link]) -> Option<Evidence> {
    some(links, "a path in place of the hash", |link| {
        link.internal && link.fragment.as_deref().is_some_and(|it| it.starts_with(['/', '!']))
    })
}

fn to_trial(links: &[Link]) -> Option<Evidence> {
    // Somebody else's trial version is their own matter; where the page stands its own links tell.
    let own = links.iter().find(|it| it.internal && !it.url.is_empty()).and_then(|it| host(&it.url))?;
    let domain = kit::url::registrable_domain(own.split(':').next()?)?;
    let live = !is_trial(own);
    some(links, "the live address", |link| {
        let name = authority(&link.url).and_then(|it| it.split(':').next()).unwrap_or_default();
        live && !link.internal && is_trial(name) && kit::url::registrable_domain(name) == Some(domain)
    })
}

fn anchor_is_address(links: &[Link]) -> Option<Evidence> {
    some(links, "a text that names the target", |link| {
        link.internal && (link.anchor.starts_with("http://") || link.anchor.starts_with("https://"))
    })
}

fn one_text_two_targets(links: &[Link]) -> Option<Evidence> {
    let mut known = std::collections::HashMap::new();
    let mut first = None;
    let mut count = 0;
    // Menus and footers say things again; in the text a reader has nothing but the words.
    let inside = links.iter().filter(|it| it.internal && it.placement == kit::page::Placement::Main && !it.image);
    for link in inside.filter(|it| crate::rules::says_something(&it.anchor)) {
        let before = known.entry(link.anchor.to_lowercase()).or_insert(link);
        if before.url != link.url {
            count += 1;
            first = first.or(Some((link, *before)));
        }
    }
    let (link, before) = first?;
    Some(shown(link).expected(format!("another text than the link to {}", before.url)).count(count))
}

fn broken_fragment(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let missing = &page.markup.fragments_missing;
    let first = missing.first()?;
    Some(
        Evidence::at("<a href>", format!("#{first}"))
            .expected(format!("an element with id=\"{first}\""))
            .count(missing.len()),
    )
}

fn tracked_inside(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.markup.link_tracked.as_deref()?;
    Some(Evidence::at("<a href>", first).expected("no utm parameters").count(page.markup.links_tracked as usize))
}
