//! Rules about what a page makes the browser load.

use kit::page::{PageFacts, Resource};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::host;

rules! {
    "performance.scripts_many" Performance Notice Page High 60 Page(scripts_many);
    at "scripts" scripts;
    title "The page loads a great many scripts";
    why "Each script is fetched, read and run before the page can be used in peace.";
    fix "monitoring.page_weight.check" "Remove what is not needed, and join what is.";
    see "https://developer.chrome.com/docs/lighthouse/performance/bootup-time";

    "performance.styles_many" Performance Notice Page Medium 60 Page(styles_many);
    at "style sheets" styles;
    title "The page loads a great many style sheets";
    why "Each style sheet holds up the first paint until it has come.";
    fix "monitoring.page_weight.check" "Join style sheets and load what a page does not need later.";
    see "https://developer.chrome.com/docs/lighthouse/performance/unused-css-rules";

    "performance.hosts_many" Performance Notice Page High 60 Page(hosts_many);
    at "hosts" foreign_hosts;
    title "The page loads from many other hosts";
    why "Each host costs a lookup and a handshake, and each can be down or slow.";
    fix "monitoring.page_weight.check" "Load from your own host what does not have to come from others.";
    see "https://developer.chrome.com/docs/lighthouse/performance/third-party-summary";

    "performance.blocking_foreign" Performance Notice Page Low 75 Page(blocking_foreign);
    title "A script of another host holds up the page";
    why "While that host is slow or down the page stays white.";
    fix "monitoring.psi.run" "Load it with async or defer.";
    see "https://developer.chrome.com/docs/lighthouse/performance/render-blocking-resources";

    "performance.twice_loaded" Performance Notice Page Low 82 Page(twice_loaded);
    title "The page loads one script twice";
    why "It is run twice: counters count twice, and buttons do things twice.";
    fix "cms.content.update" "Remove one of the two.";
    see "https://developer.chrome.com/docs/lighthouse/performance/duplicated-javascript";

    "performance.dead_service" Performance Notice Page Low 92 Page(dead_service);
    title "The page loads from a service that has ended";
    why "The script does nothing any more, or fails, and every visitor waits for it.";
    fix "cms.content.update" "Remove it.";
    see "https://support.google.com/analytics/answer/11583528";

    "performance.preload_aimless" Performance Warning Page Low 92 Page(preload_aimless);
    title "A preload does not say what it is for";
    why "Without a known \"as\" the file is fetched at the wrong time, or twice.";
    fix "cms.content.update" "Write as=font, as=style, as=script or as=image.";
    see "https://web.dev/articles/preload-critical-assets";

    "performance.font_twice" Performance Notice Page Low 92 Page(font_twice);
    title "A font is loaded early and then loaded again";
    why "Fonts are always asked for across origins; a preload without crossorigin does not fit, and the font is fetched twice.";
    fix "cms.content.update" "Add crossorigin to the preload.";
    see "https://web.dev/articles/preload-critical-assets";

    "performance.frames_eager" Performance Notice Page Low 60 Page(frames_eager);
    at "frames" eager_frames;
    title "Frames load at once";
    why "Maps and videos in frames load megabytes before anybody scrolls to them.";
    fix "cms.content.update" "Add loading=lazy, or show a picture until it is clicked.";
    see "https://web.dev/articles/iframe-lazy-loading";
}

fn kind<'a>(page: &'a PageFacts, kind: &'a str) -> impl Iterator<Item = &'a Resource> {
    page.resources.iter().filter(move |it| it.kind == kind)
}

fn scripts_many(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let (count, limit) = (kind(page, "script").count(), site.limits.scripts as usize);
    (count > limit)
        .then(|| Evidence::at("<script src>", format!("{count} scripts")).expected(format!("{limit} or fewer")))
}

fn styles_many(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let (count, limit) = (kind(page, "style").count(), site.limits.styles as usize);
    (count > limit).then(|| {
        Evidence::at("<link rel=\"stylesheet\">", format!("{count} style sheets")).expected(format!("{limit} or fewer"))
    })
}

/// The domain of an address, so that `cdn.shop.example` belongs to `shop.example`.
fn domain(url: &str) -> Option<&str> {
    let name = host(url)?.split(':').next()?;
    Some(kit::url::registrable_domain(name).unwrap_or(name))
}

fn hosts_many(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let own = domain(&page.final_url)?;
    let hosts: std::collections::BTreeSet<&str> =
        page.resources.iter().filter(|it| domain(&it.url) != Some(own)).filter_map(|it| host(&it.url)).collect();
    let limit = site.limits.foreign_hosts as usize;
    (hosts.len() > limit).then(|| {
        let names = hosts.iter().copied().collect::<Vec<_>>().join(", ");
        Evidence::at("hosts", names).expected(format!("{limit} or fewer")).count(hosts.len())
    })
}

fn blocking_foreign(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let own = domain(&page.final_url)?;
    let foreign = |it: &&Resource| it.blocking && domain(&it.url).is_some_and(|domain| domain != own);
    let count = kind(page, "script").filter(foreign).count();
    let first = kind(page, "script").find(foreign)?;
    Some(Evidence::at("<script src>", &first.url).expected("async or defer").count(count))
}

fn twice_loaded(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let mut seen = std::collections::HashSet::new();
    let again = kind(page, "script").find(|it| !seen.insert(it.url.as_str()))?;
    Some(Evidence::at("<script src>", &again.url).expected("once"))
}

/// Services that have ended: where they were, and what they were.
const ENDED: [(&str, &str); 6] = [
    ("google-analytics.com/ga.js", "Universal Analytics"),
    ("google-analytics.com/analytics.js", "Universal Analytics"),
    ("apis.google.com/js/plusone.js", "Google+"),
    ("apis.google.com/js/platform.js", "Google+ and Google Sign-In"),
    ("addthis.com/js/", "AddThis"),
    ("googleoptimize.com/optimize.js", "Google Optimize"),
];

fn dead_service(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    kind(page, "script").find_map(|script| {
        let (_, service) = ENDED.iter().find(|(place, _)| script.url.contains(place))?;
        Some(Evidence::at("<script src>", &script.url).expected(format!("no {service}, which has ended")))
    })
}

fn preload_aimless(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const AIMS: [&str; 11] =
        ["audio", "document", "embed", "fetch", "font", "image", "object", "script", "style", "track", "video"];
    let told = page.markup.mains.is_some();
    // `modulepreload` needs no `as`.
    let aimless = |it: &&Resource| match it.purpose.as_deref() {
        None => told && !it.url.split(['?', '#']).next().unwrap_or_default().ends_with("js"),
        Some(aim) => !AIMS.contains(&aim) && aim != "worker" && aim != "json",
    };
    let first = kind(page, "preload").find(aimless)?;
    let element = format!("<link rel=\"preload\" as=\"{}\">", first.purpose.as_deref().unwrap_or_default());
    Some(Evidence::at(element, &first.url).expected("as=font, style, script or image"))
}

fn font_twice(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = kind(page, "font").find(|it| !it.cors && it.purpose.is_some())?;
    Some(Evidence::at("<link rel=\"preload\" as=\"font\">", &first.url).expected("crossorigin"))
}

fn frames_eager(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let (count, limit) = (page.markup.frames_eager, site.limits.eager_frames);
    let first = kind(page, "frame").next().map(|it| it.url.as_str()).unwrap_or_default();
    (count > limit).then(|| Evidence::at("<iframe>", first).expected("loading=lazy").count(count as usize))
}
