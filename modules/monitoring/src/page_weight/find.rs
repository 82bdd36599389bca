//! What is found wrong with the files of a page, each with what it would save.

use kit::number::{as_count, as_number};
use sdk::json;
use sdk::{Fix, Severity};
use site::live::Live;

use super::Finding;
use super::gather::{Kind, Loaded};

/// Bytes below which packing saves nothing.
const SMALL: u64 = 1_400;
/// Bytes a pixel above which a picture is heavier than it need be, and what one of a good format has.
const HEAVY_PIXEL: f64 = 1.5;
const GOOD_PIXEL: f64 = 0.3;
/// Seconds for which a file that does not change should be kept.
const WEEK: u64 = 7 * 86_400;
/// Bytes of all pictures, scripts and the page together from which it is heavy.
const HEAVY_SCRIPTS: u64 = 500_000;
/// Files that a finding names.
const NAMED: usize = 10;

/// All findings, those that save the most first.
pub(super) fn findings(
    page: &Live,
    document: &Loaded,
    loaded: &[Loaded],
    is_third: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let url = &page.facts.final_url;
    let headers = || Fix::new("monitoring.headers.check", json!({ "url": url })).if_served();
    let images = || Fix::new("onpage.image.check", json!({ "url": url })).if_served();
    let mut out = Vec::new();
    let good = |it: &&Loaded| it.status < 400;

    let unpacked: Vec<&Loaded> = loaded
        .iter()
        .chain([document])
        .filter(good)
        .filter(|it| {
            !it.is_packed
                && it.plain_bytes > SMALL
                && it.packed_bytes.is_some_and(|packed| packed * 10 < it.plain_bytes * 9)
        })
        .collect();
    let saved = unpacked.iter().map(|it| it.plain_bytes - it.packed_bytes.unwrap_or(it.plain_bytes)).sum::<u64>();
    tell(&mut out, "not_compressed", Severity::Error, &unpacked, Some(saved), headers(), |count| {
        format!("{count} texts are sent unpacked; gzip alone would save that much, br more")
    });

    let heavy: Vec<&Loaded> = loaded
        .iter()
        .filter(good)
        .filter(|it| {
            it.kind == Kind::Image && it.pixels.is_some_and(|pixels| pixels > 0 && per_pixel(it, pixels) > HEAVY_PIXEL)
        })
        .collect();
    let saved =
        heavy.iter().map(|it| it.bytes.saturating_sub(as_count(as_number(it.pixels.unwrap_or(0)) * GOOD_PIXEL))).sum();
    tell(&mut out, "heavy_images", Severity::Error, &heavy, Some(saved), images(), |count| {
        format!(
            "{count} pictures have more than 1.5 bytes for each pixel that is shown; a picture of the shown size in AVIF or WebP has about 0.3"
        )
    });

    let blocking: Vec<&Loaded> = loaded.iter().filter(good).filter(|it| it.blocking).collect();
    let lab = || Fix::new("monitoring.psi.run", json!({ "urls": [url] })).if_served();
    tell(&mut out, "render_blocking", Severity::Warning, &blocking, None, lab(), |count| {
        format!(
            "{count} files hold up the first paint; load scripts with defer or async, and styles of other media with `media`"
        )
    });

    let short: Vec<&Loaded> = loaded
        .iter()
        .filter(good)
        .filter(|it| !is_third(&it.url) && it.kind != Kind::Frame && kept_seconds(it).is_none_or(|it| it < WEEK))
        .collect();
    tell(&mut out, "short_caching", Severity::Warning, &short, None, headers(), |count| {
        format!("{count} own files may be kept for less than a week, so visitors who come back load them again")
    });

    let broken: Vec<&Loaded> = loaded.iter().filter(|it| it.status >= 400).collect();
    let check = Fix::new("onpage.link.check", json!({ "url": url })).if_served();
    tell(&mut out, "broken_files", Severity::Error, &broken, None, check, |count| {
        format!("{count} files that the page declares are not there")
    });

    let preloads: Vec<&str> =
        page.facts.resources.iter().filter(|it| it.kind == "preload").map(|it| it.url.as_str()).collect();
    let unused: Vec<&Loaded> =
        loaded.iter().filter(|it| preloads.contains(&it.url.as_str()) && !is_named(page, it)).collect();
    let saved = unused.iter().map(|it| it.bytes).sum();
    tell(&mut out, "unused_preload", Severity::Warning, &unused, Some(saved), None, |count| {
        format!("{count} files are loaded early and then named nowhere in the page")
    });

    let scripts: Vec<&Loaded> = loaded.iter().filter(good).filter(|it| it.kind == Kind::Script).collect();
    if scripts.iter().map(|it| it.bytes).sum::<u64>() > HEAVY_SCRIPTS {
        tell(&mut out, "heavy_scripts", Severity::Warning, &scripts, None, lab(), |count| {
            format!("{count} scripts have more than 500 KB together, which phones take seconds to run")
        });
    }
    out.sort_by(|a, b| {
        b.saved_bytes.cmp(&a.saved_bytes).then(a.severity.cmp(&b.severity)).then_with(|| a.problem.cmp(&b.problem))
    });
    out
}

fn tell(
    out: &mut Vec<Finding>,
    problem: &str,
    severity: Severity,
    of: &[&Loaded],
    saved_bytes: Option<u64>,
    fix: Option<Fix>,
    message: impl Fn(usize) -> String,
) {
    if of.is_empty() {
        return;
    }
    let mut named: Vec<&Loaded> = of.to_vec();
    named.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.url.cmp(&b.url)));
    out.push(Finding {
        problem: problem.to_owned(),
        severity,
        message: message(of.len()),
        saved_bytes,
        urls: named.iter().take(NAMED).map(|it| it.url.clone()).collect(),
        affected: of.len() as u64,
        fix,
    });
}

fn per_pixel(it: &Loaded, pixels: u64) -> f64 {
    as_number(it.bytes) / as_number(pixels)
}

/// For how many seconds a file may be kept; none where nothing says it.
fn kept_seconds(it: &Loaded) -> Option<u64> {
    let Some(control) = &it.cache_control else { return it.expires.then_some(u64::MAX) };
    let control = control.to_ascii_lowercase();
    if control.contains("no-store") || control.contains("no-cache") {
        return Some(0);
    }
    control.split(',').find_map(|it| it.trim().strip_prefix("max-age=")?.trim_matches('"').parse().ok())
}

/// Whether the page names a preloaded file once more: as a script, style, picture or font of a style sheet. What only a style sheet
/// names is taken for used.
fn is_named(page: &Live, it: &Loaded) -> bool {
    let last = it.url.rsplit('/').next().unwrap_or_default();
    let is_elsewhere = page.facts.resources.iter().any(|of| of.url == it.url && of.kind != "preload")
        || page.facts.images.iter().any(|of| of.src == it.url);
    is_elsewhere || it.kind == Kind::Font || page.html.matches(last).count() > 1
}
