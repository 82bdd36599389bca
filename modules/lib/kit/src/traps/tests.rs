//! Tests of `traps`.

use super::*;

/// Addresses with the number of their text; 0 was not fetched.
fn detected(site: &[(String, u64)]) -> Report {
    let seen: Vec<Seen<'_>> =
        site.iter().map(|(url, content)| Seen { url, content: (*content > 0).then_some(*content) }).collect();
    detect(&seen)
}

fn page(path: impl std::fmt::Display, content: u64) -> (String, u64) {
    (format!("https://shop.example{path}"), content)
}

/// An address and what its page holds.
type Found = (String, u64);

/// A site of forty ordinary pages.
fn ordinary() -> Vec<Found> {
    (1..=40).map(|n| page(format!("/guides/topic-{n}"), 10_000 + n)).collect()
}

#[test]
fn each_planted_trap_is_found_with_its_reason() {
    let planted: Vec<(&str, Reason, Vec<Found>)> = vec![
        (
            "calendar in the path",
            Reason::Calendar,
            (0..60).map(|n| page(format!("/calendar/{}/{:02}/", 2020 + n / 12, 1 + n % 12), 5)).collect(),
        ),
        (
            "calendar in a parameter",
            Reason::Calendar,
            (0..40)
                .map(|n| page(format!("/events?month={}-{:02}", 2025 + n / 12, 1 + n % 12), if n < 10 { 6 } else { 0 }))
                .collect(),
        ),
        ("session", Reason::Session, (0..20).map(|n| page(format!("/cart?sid=a8f3c0d1e2b4a6c{n:03}x"), 7)).collect()),
        ("tracking", Reason::Tracking, (0..12).map(|n| page(format!("/landing?ref=partner{n}"), 8)).collect()),
        (
            "sorting",
            Reason::Sorting,
            (0..12)
                .map(|n| {
                    page(
                        format!(
                            "/list?sort={}",
                            ["price", "name", "date", "stock"][n % 4].to_owned() + &"x".repeat(n / 4)
                        ),
                        100 + n as u64,
                    )
                })
                .collect(),
        ),
        ("facets", Reason::Facets, facets()),
        (
            "relative links",
            Reason::RepeatedSegments,
            (3..15).map(|n| page(format!("/{}end", "blog/tags/".repeat(n)), n as u64)).collect(),
        ),
        (
            "endless pages",
            Reason::SameContent,
            (1..60).map(|n| page(format!("/news/page/{n}"), if n < 5 { n } else { 9 })).collect(),
        ),
    ];
    for (name, reason, trap) in planted {
        let mut site = ordinary();
        site.extend(trap);
        let report = detected(&site);
        let reasons: Vec<Reason> = report.traps.iter().map(|trap| trap.reason).collect();
        assert_eq!(reasons, [reason], "{name}: {:#?}", report.traps);
        let trap = &report.traps[0];
        assert!(!trap.exclude.is_empty() && !trap.sample.is_empty(), "{name}");
        let patterns = crate::scope::Patterns { include: &[], exclude: &trap.exclude };
        assert!(
            trap.sample.iter().all(|url| patterns.left(url).is_some()),
            "{name}: {:?} {:?}",
            trap.exclude,
            trap.sample
        );
        let kept = site.iter().take(40).all(|(url, _)| patterns.left(url).is_none());
        assert!(kept, "{name}: {:?} keeps ordinary pages out", trap.exclude);
    }
}

fn facets() -> Vec<(String, u64)> {
    let mut out = Vec::new();
    for color in ["", "color=red", "color=blue", "color=green"] {
        for size in ["", "size=s", "size=m", "size=l"] {
            for brand in ["", "brand=x", "brand=y", "brand=z"] {
                let query: Vec<&str> = [color, size, brand].into_iter().filter(|it| !it.is_empty()).collect();
                let content = 1 + out.len() as u64;
                out.push(page(format!("/shoes?{}", query.join("&")).trim_end_matches('?'), content));
            }
        }
    }
    out
}

#[test]
fn honest_sites_have_no_traps() {
    let sites: Vec<Vec<(String, u64)>> = vec![
        ordinary(),
        // A blog with dated addresses, each with a text of its own.
        (0..200)
            .map(|n| page(format!("/{}/{:02}/{:02}/post-{n}", 2018 + n / 40, 1 + n % 12, 1 + n % 28), 1 + n))
            .collect(),
        // Products by number, in paths and in a parameter.
        (1..300)
            .map(|n| if n % 2 == 0 { page(format!("/p/{n}"), n) } else { page(format!("/item?id={n}"), n) })
            .collect(),
        // Archives in pages, each with other entries.
        (1..50).map(|n| page(format!("/news?page={n}"), n)).collect(),
        // Two languages by parameter.
        (1..40)
            .flat_map(|n| [page(format!("/a{n}?lang=de"), 2 * n), page(format!("/a{n}?lang=en"), 2 * n + 1)])
            .collect(),
    ];
    for site in sites {
        let report = detected(&site);
        assert!(report.traps.is_empty(), "{:#?}", report.traps);
    }
}

#[test]
fn a_parameter_is_told_by_pages_that_differ_in_it_alone() {
    let mut site = ordinary();
    site.extend((0..10).flat_map(|n| [page(format!("/a{n}?print=1"), n + 1), page(format!("/a{n}"), n + 1)]));
    site.extend((0..10).map(|n| page(format!("/b?id={n}"), 100 + n)));
    site.push(page("/c?lonely=1", 500));
    let report = detected(&site);
    let effect = |name: &str| report.parameters.iter().find(|it| it.name == name).map(|it| (it.effect, it.distinct));
    assert_eq!(effect("print"), Some((Effect::Nothing, 1)));
    assert_eq!(effect("id"), Some((Effect::Changes, 10)));
    assert_eq!(effect("lonely"), Some((Effect::Unknown, 1)));
}

#[test]
fn an_address_has_a_family() {
    let cases = [
        ("https://shop.example/", "/"),
        ("https://shop.example/lamps/desk", "/lamps/desk"),
        ("https://shop.example/lamps/", "/lamps/"),
        ("https://shop.example/product/1234", "/product/{n}"),
        ("https://shop.example/blog/2026/09/30/page-12", "/blog/{date}/{date}/{date}/page-{n}"),
        ("https://shop.example/lamps?sort=a&color=b&sort=c", "/lamps?color&sort"),
    ];
    for (url, wanted) in cases {
        assert_eq!(super::family(url), wanted);
    }
}
