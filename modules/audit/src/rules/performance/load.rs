//! Rules about what a page makes the browser load.

use kit::page::{PageFacts, Resource};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};
use crate::rules::fact::host;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "performance.scripts_many",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("scripts", scripts)),
        title: "The page loads a great many scripts",
        explanation: "Each script is fetched, read and run before the page can be used in peace.",
        advice: "Remove what is not needed, and join what is.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/bootup-time",
        operation: "monitoring.page_weight.check",
        effort: Effort::High,
        confidence: 60,
        check: Check::Page(scripts_many),
    },
    Rule {
        id: "performance.styles_many",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("style sheets", styles)),
        title: "The page loads a great many style sheets",
        explanation: "Each style sheet holds up the first paint until it has come.",
        advice: "Join style sheets and load what a page does not need later.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/unused-css-rules",
        operation: "monitoring.page_weight.check",
        effort: Effort::Medium,
        confidence: 60,
        check: Check::Page(styles_many),
    },
    Rule {
        id: "performance.hosts_many",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("hosts", foreign_hosts)),
        title: "The page loads from many other hosts",
        explanation: "Each host costs a lookup and a handshake, and each can be down or slow.",
        advice: "Load from your own host what does not have to come from others.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/third-party-summary",
        operation: "monitoring.page_weight.check",
        effort: Effort::High,
        confidence: 60,
        check: Check::Page(hosts_many),
    },
    Rule {
        id: "performance.blocking_foreign",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A script of another host holds up the page",
        explanation: "While that host is slow or down the page stays white.",
        advice: "Load it with async or defer.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/render-blocking-resources",
        operation: "monitoring.psi.run",
        effort: Effort::Low,
        confidence: 75,
        check: Check::Page(blocking_foreign),
    },
    Rule {
        id: "performance.twice_loaded",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page loads one script twice",
        explanation: "It is run twice: counters count twice, and buttons do things twice.",
        advice: "Remove one of the two.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/duplicated-javascript",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 82,
        check: Check::Page(twice_loaded),
    },
    Rule {
        id: "performance.dead_service",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page loads from a service that has ended",
        explanation: "The script does nothing any more, or fails, and every visitor waits for it.",
        advice: "Remove it.",
        reference: "https://support.google.com/analytics/answer/11583528",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(dead_service),
    },
    Rule {
        id: "performance.preload_aimless",
        area: Area::Performance,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A preload does not say what it is for",
        explanation: "Without a known \"as\" the file is fetched at the wrong time, or twice.",
        advice: "Write as=font, as=style, as=script or as=image.",
        reference: "https://web.dev/articles/preload-critical-assets",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(preload_aimless),
    },
    Rule {
        id: "performance.font_twice",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A font is loaded early and then loaded again",
        explanation: "Fonts are always asked for across origins; a preload without crossorigin does not fit, and the font is fetched twice.",
        advice: "Add crossorigin to the preload.",
        reference: "https://web.dev/articles/preload-critical-assets",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(font_twice),
    },
    Rule {
        id: "performance.frames_eager",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("frames", eager_frames)),
        title: "Frames load at once",
        explanation: "Maps and videos in frames load megabytes before anybody scrolls to them.",
        advice: "Add loading=lazy, or show a picture until it is clicked.",
        reference: "https://web.dev/articles/iframe-lazy-loading",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 60,
        check: Check::Page(frames_eager),
    },
];

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
