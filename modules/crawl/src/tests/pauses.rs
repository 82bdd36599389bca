//! What a site asks of a crawl's pace, and what its sitemap says of the start page.

use super::*;

/// An address beside the others: its path, its status and its headers.
type Odd<'a> = (&'a str, u16, &'a [(&'a str, &'a str)]);

/// Seconds that a crawl of a start page, forty pages and those of `more` takes.
fn seconds(more: &[Odd<'_>]) -> f64 {
    let fake = fake();
    let links: String = (0..40).map(|at| format!("<a href=/p{at}>p</a>")).collect();
    let others: String = more.iter().map(|(path, ..)| format!("<a href={path}>o</a>")).collect();
    serve(&fake, &[("/", &format!("{others}{links}"))]);
    for at in 0..40 {
        serve(&fake, &[(&format!("/p{at}"), "<title>Page</title>")]);
    }
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    for (path, status, headers) in more {
        fake.serve(&format!("https://shop.example{path}"), *status, headers, b"");
    }
    let run = crawl(&fake, json!({}));
    assert_eq!(get(&fake, &run)["totals"]["fetched"], 41 + more.len());
    let row = fake.rows::<Run>().remove(0).0.clone();
    (row.finished_ms.expect("ended") - row.started_ms.expect("begun")) as f64 / 1_000.0
}

#[test]
fn a_site_that_asks_for_a_pause_has_it_once_and_the_crawl_goes_on_at_its_pace() {
    let plain = seconds(&[]);
    let paused = seconds(&[("/busy", 503, &[("retry-after", "5")])]);
    assert!((plain + 5.0..plain + 60.0).contains(&paused), "{plain} s, with one pause {paused} s");
    let long = seconds(&[("/busy", 503, &[("retry-after", "120")])]);
    assert!((plain + 120.0..plain + 180.0).contains(&long), "{plain} s, with one long pause {long} s");
    let faults: Vec<(String, u16)> = (0..12).map(|at| (format!("/fault{at}"), 500)).collect();
    let faults: Vec<Odd<'_>> = faults.iter().map(|(path, it)| (path.as_str(), *it, &[][..])).collect();
    let faulty = seconds(&faults);
    assert!(faulty < plain + 90.0, "{plain} s, with twelve faults {faulty} s");
}

#[test]
fn a_start_page_that_the_sitemap_names_is_known_to_be_in_it() {
    let fake = fake();
    serve(&fake, &[("/", "<a href=/a>a</a>"), ("/a", "<title>A</title>")]);
    fake.serve("https://shop.example/robots.txt", 200, &[], b"Sitemap: https://shop.example/sitemap.xml");
    let sitemap = b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://shop.example/</loc></url></urlset>";
    fake.serve("https://shop.example/sitemap.xml", 200, &[("content-type", "application/xml")], sitemap);
    let run = crawl(&fake, json!({}));
    assert_eq!(get(&fake, &run)["totals"]["in_sitemaps"], 1);
    let named: Vec<(String, bool)> =
        fake.rows::<crate::stored::Page>().iter().map(|it| (it.0.url.clone(), it.0.in_sitemap)).collect();
    assert!(
        named.contains(&("https://shop.example/".into(), true))
            && named.contains(&("https://shop.example/a".into(), false))
    );
}
