//! Thirteen websites with the small faults that most have and one planted fault each: the planted one is told first.

use std::fmt::Write as _;

use kit::crawled::RobotsSummary;
use sdk::json;

use crate::trial::{Crawl, SITE, audit, website};

/// Sections of the shop, each with five products.
const SECTIONS: [&str; 6] = ["table-lamps", "floor-lamps", "wall-lamps", "bulbs", "shades", "outdoor"];
const PRODUCTS: usize = 5;

/// One page before it is served.
#[derive(Clone)]
struct Page {
    path: String,
    clicks: u32,
    status: u16,
    location: Option<String>,
    title: String,
    head: String,
    main: String,
    /// Answers nothing, for this reason.
    failure: Option<&'static str>,
}

/// A shop as shops are: no header that guards visitors, a told version, no share cards, descriptions missing here and there,
/// pictures without texts, "read more" links.
fn shop() -> Vec<Page> {
    let mut pages = vec![page("/", 0, "Lamps for every room - Shop Example", 0)];
    for (at, section) in SECTIONS.iter().enumerate() {
        let title = format!("{} for bright evenings - Shop Example", section.replace('-', " "));
        pages.push(page(&format!("/{section}/"), 1, &title, at + 1));
        for number in 0..PRODUCTS {
            let title = format!("Model {} of our {} - Shop Example", 100 * at + number, section.replace('-', " "));
            pages.push(page(&format!("/{section}/model-{number}"), 2, &title, 10 * at + number));
        }
    }
    pages.push(page("/about", 1, "Who makes the lamps of Shop Example", 3));
    pages.push(page("/cart", 1, "Your basket at Shop Example", 4));
    pages
}

fn page(path: &str, clicks: u32, title: &str, seed: usize) -> Page {
    let words =
        ["brass", "glass", "linen", "switch", "cable", "warm", "light", "reading", "corner", "dimmer", "made", "hand"];
    let mut text = String::new();
    for at in 0..220 {
        let word = words[(at * 7 + seed * 13 + at * at % 5 * (seed + 3)) % words.len()];
        let _ = write!(text, "{word}{}", if at % 11 == 10 { ". The " } else { " " });
    }
    let description = if seed.is_multiple_of(3) {
        String::new()
    } else {
        format!(
            "<meta name=description content=\"{title}: what it is made of, how it is sent, and how long it lasts.\">"
        )
    };
    Page {
        path: path.to_owned(),
        clicks,
        status: 200,
        location: None,
        title: format!("<title>{title}</title>"),
        head: format!("<meta charset=utf-8><meta name=viewport content=\"width=device-width\">{description}"),
        main: format!(
            "<h1>{title}</h1><p>{text}</p><img src=/p/{seed}.jpg width=9 height=9><a href=/about>read more</a>"
        ),
        failure: None,
    }
}

fn serve(crawl: &mut Crawl<'_>, page: &Page) {
    crawl.clicks(page.clicks);
    if let Some(failure) = page.failure {
        crawl.unanswered(&page.path, failure);
        return;
    }
    let mut links = String::new();
    for section in SECTIONS {
        let _ = write!(links, "<a href=/{section}/>{}</a> ", section.replace('-', " "));
        if page.path == format!("/{section}/") {
            for number in 0..PRODUCTS {
                let _ = write!(links, "<a href=/{section}/model-{number}>Model {number} of {section}</a> ");
            }
        }
    }
    let Page { title, head, main, .. } = page;
    let is_shell = main.starts_with("<div id=root>");
    let nav = format!("<nav><a href=/>Home</a> {links}<a href=/about>About us</a> <a href=/cart>Basket</a></nav>");
    let nav = if is_shell { "" } else { nav.as_str() };
    let html =
        format!("<!doctype html><html lang=en><head>{title}{head}</head><body>{nav}<main>{main}</main></body></html>");
    let mut headers = vec![("content-type", "text/html; charset=utf-8"), ("server", "nginx/1.18.0")];
    headers.extend(page.location.as_deref().map(|to| ("location", to)));
    let body = if page.status == 200 { html.as_str() } else { "" };
    crawl.page(&page.path, page.status, &headers, body);
}

/// The rules of the list of opportunities for a website, the first one first.
fn ranked(pages: &[Page], robots: RobotsSummary) -> Vec<String> {
    let fake = website();
    let mut crawl = Crawl::begin_with(&fake, "run-1", robots);
    pages.iter().for_each(|page| serve(&mut crawl, page));
    audit(&fake, json!({ "run_ref": "run-1" }));
    let listed = fake.call("audit.opportunities.list", json!({ "site_id": SITE, "limit": 100 })).unwrap();
    listed["opportunities"].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap().to_owned()).collect()
}

/// Changes the pages of the shop that fit.
fn with(fits: impl Fn(&Page) -> bool, change: impl Fn(&mut Page)) -> Vec<Page> {
    let mut pages = shop();
    pages.iter_mut().filter(|page| fits(page)).for_each(change);
    pages
}

fn is_product(page: &Page) -> bool {
    page.clicks == 2
}

fn in_section(page: &Page) -> bool {
    page.path.starts_with("/floor-lamps/")
}

fn answering(status: u16) -> impl Fn(&mut Page) {
    move |page| page.status = status
}

fn saying(head: &'static str) -> impl Fn(&mut Page) {
    move |page| page.head.push_str(head)
}

#[test]
fn the_fault_that_keeps_pages_from_being_found_is_told_first() {
    let known = RobotsSummary { status: 200, state: "found".to_owned(), ..RobotsSummary::default() };
    let away = RobotsSummary { status: 503, state: "unreachable".to_owned(), ..RobotsSummary::default() };
    let looping = |page: &mut Page| {
        (page.status, page.location) = (301, Some(format!("{}?again", page.path)));
    };
    let mut loops = with(|page| page.path.ends_with("/model-0"), looping);
    let back: Vec<Page> = loops.iter().filter(|page| page.status == 301).cloned().collect();
    for page in back {
        loops.push(Page { path: format!("{}?again", page.path), location: Some(page.path.clone()), ..page });
    }
    let mut gone = with(|page| page.path == "/bulbs/", answering(404));
    gone.retain(|page| !page.path.starts_with("/bulbs/model"));
    let mut to_gone = with(is_product, |page| {
        let _ = write!(page.head, "<link rel=canonical href=/old{}>", page.path);
    });
    let old: Vec<Page> = to_gone.iter().filter(|page| is_product(page)).cloned().collect();
    to_gone.extend(old.into_iter().map(|page| Page { path: format!("/old{}", page.path), status: 404, ..page }));
    let best = |page: &Page| page.clicks < 2;
    let noindex = "<meta name=robots content=noindex>";
    let shell = |page: &mut Page| page.main = "<div id=root></div><script src=/app.js></script>".to_owned();
    let sites: Vec<(&str, &[&str], Vec<Page>, &RobotsSummary)> = vec![
        (
            "a home page that forbids indexing",
            &["indexability.noindex"],
            with(|it| it.path == "/", saying(noindex)),
            &known,
        ),
        ("products that forbid indexing", &["indexability.noindex"], with(is_product, saying(noindex)), &known),
        (
            "a blocked section",
            &["indexability.blocked"],
            with(in_section, |page| page.failure = Some("robots")),
            &known,
        ),
        (
            "a canonical on another host",
            &["canonical.other_host"],
            with(|_| true, saying("<link rel=canonical href=https://staging.shop.example.net/>")),
            &known,
        ),
        (
            "a canonical to the home page",
            &["canonical.to_home"],
            with(is_product, saying("<link rel=canonical href=/>")),
            &known,
        ),
        ("a canonical to what is gone", &["canonical.target_error"], to_gone, &known),
        ("a section that fails", &["response.server_error"], with(in_section, answering(500)), &known),
        ("redirects in a circle", &["redirect.loop"], loops, &known),
        ("a section that is gone", &["response.client_error", "links.broken_internal"], gone, &known),
        ("no titles on the best pages", &["title.missing"], with(best, |page| page.title.clear()), &known),
        ("pages without content", &["content.empty_shell"], with(|page| page.clicks > 0, shell), &known),
        ("a robots.txt that fails", &["robots.unreachable"], shop(), &away),
        (
            "a home page that does not answer",
            &["response.no_answer"],
            with(|it| it.path == "/", |it| it.failure = Some("timeout")),
            &known,
        ),
    ];
    let (mut first, mut wrong) = (0, Vec::new());
    for (what, planted, pages, robots) in &sites {
        let rules = ranked(pages, (*robots).clone());
        let place = rules.iter().position(|rule| planted.contains(&rule.as_str()));
        first += usize::from(place == Some(0));
        if place.is_none_or(|place| place > 2) {
            wrong.push(format!("{what}: {place:?} of {:?}", &rules[..rules.len().min(6)]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(first >= 11, "the planted fault is first on {first} of {} websites", sites.len());
}

#[test]
fn headers_that_guard_visitors_are_no_opportunity_and_the_template_is_one_finding() {
    let fake = website();
    let mut crawl = Crawl::begin(&fake, "run-1");
    shop().iter().for_each(|page| serve(&mut crawl, page));
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    let listed = fake.call("audit.opportunities.list", json!({ "site_id": SITE, "limit": 100 })).unwrap();
    let rows = listed["opportunities"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["area"] != "security"), "{listed}");
    let issues = fake.call("audit.issue.list", json!({ "audit_ref": audit["audit_ref"], "limit": 100 })).unwrap();
    let told: Vec<&str> = issues["issues"].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert!(told.contains(&"security.version_told"), "it stays an issue: {told:?}");
    let generic = rows.iter().find(|row| row["rule"] == "image.alt_missing").unwrap();
    assert_eq!((&generic["template"], &generic["effort"]), (&json!(true), &json!("low")), "{generic}");
    let some = rows.iter().find(|row| row["rule"] == "description.missing").unwrap();
    assert_eq!(some["template"], false, "{some}");
    let score = audit["score"].as_f64().unwrap();
    assert!((70.0..95.0).contains(&score), "an ordinary shop has {score}");
}
