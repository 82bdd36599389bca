//! Periods, keys and what is read of what was written.

use std::collections::BTreeMap;

use kit::pack::Search;
use sdk::prelude::*;

use crate::{Cut, Entry, Figures, Month, Period, Row, SearchType, key, parts, replace};

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn period(first: &str, last: &str) -> Period {
    Period { first: day(first), last: day(last) }
}

#[test]
fn months_of_a_period_have_the_bits_of_its_days() {
    let months: Vec<(String, u32)> = period("2025-12-30", "2026-02-02")
        .months()
        .map(|it| (it.to_string(), it.mask(period("2025-12-30", "2026-02-02"))))
        .collect();
    assert_eq!(
        months,
        [("2025-12".to_owned(), 0b11 << 29), ("2026-01".to_owned(), 0x7fff_ffff), ("2026-02".to_owned(), 0b11)]
    );
    let february = Month::of(day("2024-02-29"));
    assert_eq!((february.last(), february.all().count_ones()), (day("2024-02-29"), 29));
    assert_eq!((february.previous().to_string(), february.bit(day("2024-03-01"))), ("2024-01".to_owned(), 0));
    assert_eq!(february.day(28), day("2024-02-29"));
}

#[test]
fn the_period_before_has_the_same_weekdays() {
    let month = period("2026-09-01", "2026-09-30");
    let before = month.previous();
    assert_eq!(before, period("2026-07-28", "2026-08-26"));
    assert_eq!((month.first.since_epoch() - before.first.since_epoch()) % 7, 0);
    assert!(before.last < month.first);
    assert_eq!(period("2026-09-01", "2026-09-02").previous(), period("2026-08-30", "2026-08-31"));
    assert_eq!(period("2026-09-01", "2026-09-28").previous().length(), 28);
}

#[test]
fn a_zero_byte_in_a_query_does_not_split_its_key() {
    assert_eq!(parts(&key(["https://shop.example/", "red\0lamp"])), ("https://shop.example/", "redlamp"));
    assert_eq!(parts(&key(["lamp"])), ("lamp", ""));
}

#[test]
fn a_pack_may_hold_the_keys_between_its_first_and_last() {
    let entry = Entry { first: "b/1".to_owned(), last: "d".to_owned(), ..Entry::default() };
    for (prefix, held) in
        [("", true), ("a", false), ("b", true), ("b/", true), ("c", true), ("d", true), ("d/1", false), ("e", false)]
    {
        assert_eq!(entry.may_hold(prefix.as_bytes()), held, "{prefix}");
    }
}

fn nothing() -> sdk::Module {
    let (operations, routes, steps) = (Vec::new(), Vec::new(), Vec::new());
    let (collections, raw, untrusted) = (Vec::new(), Vec::new(), Vec::new());
    sdk::Module { name: "search_console", operations, routes, steps, collections, raw, untrusted }
}

fn rows(keys: &[&str], days: &[u8], impressions: u64) -> Vec<Row> {
    let figures = Search { impressions, clicks: 1, positions: impressions * 3 };
    keys.iter().map(|it| (key([*it]), days.iter().map(|day| (*day, figures)).collect())).collect()
}

#[test]
fn what_is_stored_is_read_by_day_by_sum_and_by_prefix() {
    let fake = sdk::Fake::new(nothing());
    let site = Id::new("81");
    let figures = Figures::own(&fake, &site, SearchType::Web);
    let (august, september) = (Month::of(day("2026-08-01")), Month::of(day("2026-09-01")));
    replace(&figures, august, Cut::Pages, (0b111, 0b1), rows(&["/a", "/b"], &[0, 1, 2], 10)).expect("stored");
    replace(&figures, september, Cut::Pages, (0b11, 0), rows(&["/b", "/c"], &[0, 1], 5)).expect("stored");
    let both = period("2026-08-02", "2026-09-30");
    let mut by_day: BTreeMap<(String, String), u64> = BTreeMap::new();
    figures
        .by_day(Cut::Pages, both, b"", |key, day, it| {
            by_day.insert((parts(key).0.to_owned(), day.to_string()), it.impressions);
        })
        .expect("few bytes");
    assert_eq!(by_day.len(), 2 * 2 + 2 * 2);
    assert_eq!(by_day[&("/b".to_owned(), "2026-08-03".to_owned())], 10);
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    figures
        .sums(Cut::Pages, both, b"/b", |key, it| *sums.entry(parts(key).0.to_owned()).or_default() += it.impressions)
        .expect("few bytes");
    assert_eq!(sums, BTreeMap::from([("/b".to_owned(), 30)]));
    assert_eq!(figures.stored_days(Cut::Pages, both), 4);
    assert_eq!(figures.stored_days(Cut::Queries, both), 0);
    assert_eq!(figures.index(august, Cut::Pages).expect("an index").capped, 1);
}

#[test]
fn a_pack_that_is_missing_is_an_error_and_never_a_smaller_sum() {
    let fake = sdk::Fake::new(nothing());
    let site = Id::new("81");
    let figures = Figures::own(&fake, &site, SearchType::Web);
    let month = Month::of(day("2026-08-01"));
    replace(&figures, month, Cut::Pages, (0b1, 0), rows(&["/a"], &[0], 10)).expect("stored");
    for kind in ["", "s"] {
        fake.blobs().write(&figures.blob(month, Cut::Pages, &format!("1/{kind}0")), b"").expect("emptied");
    }
    let august = period("2026-08-01", "2026-08-31");
    let damaged = Err(crate::ReadError::Damaged(month));
    assert_eq!(figures.by_day(Cut::Pages, august, b"", |_, _, _| {}), damaged);
    assert_eq!(figures.sums(Cut::Pages, august, b"", |_, _| {}), damaged);
    let refused = replace(&figures, month, Cut::Pages, (0b10, 0), rows(&["/b"], &[1], 5)).expect_err("it is missing");
    assert_eq!(refused.code, "storage_damaged");
    assert_eq!(figures.index(month, Cut::Pages).expect("an index").written, 1);
}

#[test]
fn clicks_of_a_page_are_those_of_the_last_28_days_by_its_normal_address() {
    let fake = sdk::Fake::new(nothing());
    let figures = |clicks| Search { impressions: 100, clicks, positions: 300 };
    let row = |day: &str, page: &str, clicks| (self::day(day), page.to_owned(), figures(clicks));
    assert!(crate::Clicks::newest(&fake, &Id::new("81")).is_none());
    let rows = [
        row("2026-08-20", "https://shop.example/a", 90),
        row("2026-09-01", "https://shop.example/a", 5),
        row("2026-09-20", "https://shop.example/%61", 2),
        row("2026-09-20", "https://shop.example/b", 1),
    ];
    crate::trial::store_pages(&fake, "81", &rows);
    let clicks = crate::Clicks::newest(&fake, &Id::new("81")).expect("clicks");
    assert_eq!((clicks.of("https://shop.example/a"), clicks.of("https://shop.example/b"), clicks.of("/c")), (7, 1, 0));
    assert_eq!((clicks.period.last, clicks.pages().count()), (day("2026-09-20"), 2));
}

#[test]
fn figures_are_compared_between_the_borders_of_known_faults_and_clicks_everywhere() {
    use kit::anomalies::Metric;

    let around = |metric, at: &str| {
        let (first, last) = crate::comparable(metric, day(at));
        (first.map(|it| it.to_string()), last.map(|it| it.to_string()))
    };
    let text = |it: &str| Some(it.to_owned());
    assert_eq!(around(Metric::Position, "2026-06-01"), (text("2026-04-28"), None));
    assert_eq!(around(Metric::Impressions, "2026-04-27"), (text("2025-09-19"), text("2026-04-27")));
    assert_eq!(around(Metric::Impressions, "2025-01-01"), (None, text("2025-05-12")));
    assert_eq!(around(Metric::Clicks, "2026-04-27"), (None, None));
    assert!(
        crate::is_wrong(Metric::Impressions, day("2026-04-27")) && !crate::is_wrong(Metric::Clicks, day("2026-04-27"))
    );
    assert_eq!(crate::measurement(period("2026-04-20", "2026-05-20")).len(), 1);
}

#[test]
fn queries_of_a_page_are_those_of_its_own_address_by_clicks() {
    let fake = sdk::Fake::new(nothing());
    let site = Id::new("81");
    assert!(crate::page_queries(&fake, &site, "https://shop.example/a", 5).is_none(), "nobody looked");
    let figures = |clicks, impressions| Search { clicks, impressions, positions: impressions * 4 };
    let row = |page: &str, query: &str, it| (day("2026-09-20"), page.to_owned(), query.to_owned(), it);
    let rows = [
        row("https://shop.example/a", "desk lamp", figures(5, 50)),
        row("https://shop.example/a", "lamp", figures(0, 900)),
        row("https://shop.example/a", "oil lamp", figures(9, 40)),
        row("https://shop.example/a/b", "wall lamp", figures(90, 900)),
    ];
    crate::trial::store_queries(&fake, "81", &rows);
    let found = |url: &str, most| crate::page_queries(&fake, &site, url, most).expect("figures");
    let queries = found("https://shop.example/a#top", 2);
    assert_eq!(queries.iter().map(|it| it.query.as_str()).collect::<Vec<_>>(), ["oil lamp", "desk lamp"]);
    assert!((queries[0].position - 4.0).abs() < 1e-9 && queries[0].clicks == 9);
    assert!(found("https://shop.example/c", 2).is_empty());
}

#[test]
fn writing_the_same_days_again_changes_no_pack_and_empties_those_of_two_writings_ago() {
    let fake = sdk::Fake::new(nothing());
    let site = Id::new("81");
    let figures = Figures::own(&fake, &site, SearchType::Web);
    let month = Month::of(day("2026-08-01"));
    let write = || replace(&figures, month, Cut::Queries, (0b1, 0), rows(&["lamp", "oil"], &[0], 7)).expect("stored");
    let first = write();
    let read = |written: u32, kind: &str| {
        fake.blobs().read(&figures.blob(month, Cut::Queries, &format!("{written}/{kind}0")), 0, 1 << 20)
    };
    let (pack, sums) = (read(1, ""), read(1, "s"));
    assert_eq!(write(), first);
    assert_eq!((read(2, ""), read(2, "s")), (pack.clone(), sums));
    assert!(read(1, "").is_some_and(|bytes| !bytes.is_empty()), "a reader that began before finds its packs");
    write();
    assert_eq!((read(1, ""), read(3, "")), (Some(Vec::new()), pack));
    let days = replace(&figures, month, Cut::Queries, (0b1, 0), Vec::new()).expect("stored");
    assert_eq!((days.rows, figures.index(month, Cut::Queries).expect("an index").days), (0, 1));
}
