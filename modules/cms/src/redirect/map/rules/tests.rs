//! Rules as text: what is merged, what must not be, and what a format cannot say. Real servers read them in `tests/it`.

use super::{Format, Plan};

const OLD: &str = "https://old.example";
const NEW: &str = "https://new.example";

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(from, to)| (format!("{OLD}{from}"), format!("{NEW}{to}"))).collect()
}

fn sources(moved: &[(String, String)]) -> Vec<String> {
    moved.iter().map(|(from, _)| from.clone()).collect()
}

fn shown(plan: &Plan) -> Vec<(String, String, usize)> {
    plan.patterns.iter().map(|it| (it.shown(), it.shown_target(), it.stands_for)).collect()
}

#[test]
fn a_folder_that_moves_whole_is_one_rule() {
    let names = ["ash", "elm", "fir", "oak", "yew"];
    let moved: Vec<(String, String)> =
        names.iter().map(|it| (format!("{OLD}/shop/{it}.html"), format!("{NEW}/trees/{it}"))).collect();
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert_eq!(shown(&plan), [(r"^/shop/([^/]+)\.html$".to_owned(), format!("{NEW}/trees/$1"), 5)]);
    assert!(plan.exact.is_empty());
    let nginx = plan.write(Format::Nginx, None);
    assert_eq!(nginx.count, 1);
    assert!(
        nginx.text.contains(r#""~^/shop/(?<stays>[^/?]+)\.html(?:\?|$)" "https://new.example/trees/$stays";"#),
        "{}",
        nginx.text
    );
}

#[test]
fn a_known_address_that_would_go_elsewhere_keeps_a_pattern_from_being_written() {
    let names = ["ash", "elm", "fir", "oak", "yew"];
    let mut moved: Vec<(String, String)> =
        names.iter().map(|it| (format!("{OLD}/shop/{it}.html"), format!("{NEW}/trees/{it}"))).collect();
    let with = |address: &str| {
        let mut known = sources(&moved);
        known.push(format!("{OLD}{address}"));
        Plan::of(&moved, &known, true).patterns.len()
    };
    // One without a target; one whose query makes it another page; one elsewhere does no harm.
    assert_eq!((with("/shop/contact.html"), with("/shop/oak.html?print=1"), with("/about.html")), (0, 0, 1));
    moved.push((format!("{OLD}/shop/cart.html"), format!("{NEW}/checkout")));
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert_eq!((plan.patterns.len(), plan.exact.len()), (0, 6));
    // Four are too few.
    assert!(Plan::of(&moved[..4], &sources(&moved[..4]), true).patterns.is_empty());
}

#[test]
fn letters_of_other_languages_stay_what_they_are_in_patterns() {
    let moved: Vec<(String, String)> =
        (0..5).map(|at| (format!("{OLD}/f%C3%BCr/w{at}.htm"), format!("{NEW}/%C3%BCber/w{at}/"))).collect();
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert_eq!(plan.patterns.len(), 1);
    // Apache decodes the path before, and encodes the target after.
    let apache = plan.write(Format::Apache, None).text;
    assert!(apache.contains(r#"RedirectMatch 301 "^/für/([^/]+)\.htm$" "https://new.example/über/$1/""#), "{apache}");
    let nginx = plan.write(Format::Nginx, None).text;
    assert!(
        nginx.contains(r#""~^/f%C3%BCr/(?<stays>[^/?]+)\.htm(?:\?|$)" "https://new.example/%C3%BCber/$stays/""#),
        "{nginx}"
    );
}

#[test]
fn days_in_addresses_are_one_rule() {
    let moved: Vec<(String, String)> = (1..9)
        .map(|at| (format!("{OLD}/blog/20{:02}/{at:02}/0{at}/post-{at}/", 10 + at), format!("{NEW}/journal/post-{at}")))
        .collect();
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert_eq!(
        shown(&plan),
        [("^/blog/[0-9]{4}/[0-9]{2}/[0-9]{2}/([^/]+)/$".to_owned(), format!("{NEW}/journal/$1"), 8)]
    );
}

#[test]
fn a_pattern_never_catches_the_new_website_on_the_same_host() {
    let names = ["ash", "elm", "fir", "oak", "yew"];
    let moved: Vec<(String, String)> =
        names.iter().map(|it| (format!("{OLD}/{it}"), format!("{OLD}/trees/{it}"))).collect();
    let known: Vec<String> = moved.iter().flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
    let plan = Plan::of(&moved, &known, true);
    // ^/([^/]+)$ does not match what is one folder deeper.
    assert_eq!(shown(&plan), [("^/([^/]+)$".to_owned(), format!("{OLD}/trees/$1"), 5)]);
    let mut more = known.clone();
    more.push(format!("{OLD}/imprint"));
    assert!(Plan::of(&moved, &more, true).patterns.is_empty());
    assert!(plan.same_host && plan.write(Format::Netlify, None).text.is_empty());
}

#[test]
fn addresses_that_differ_in_letters_or_queries_alone_are_told_apart() {
    let moved = pairs(&[
        ("/About", "/one"),
        ("/about", "/two"),
        ("/p.php?id=1", "/first"),
        ("/p.php", "/all"),
        ("/c?x=1", "/x"),
    ]);
    let plan = Plan::of(&moved, &sources(&moved), true);
    let nginx = plan.write(Format::Nginx, None).text;
    for line in [
        r#""~^/About$" "https://new.example/one";"#,
        r#""~^/about$" "https://new.example/two";"#,
        r#""~^/p\.php\?id=1$" "https://new.example/first";"#,
        r#""~^/p\.php$" "https://new.example/all";"#,
    ] {
        assert!(nginx.contains(line), "{line}\n{nginx}");
    }
    let apache = plan.write(Format::Apache, None).text;
    assert!(apache.contains("RewriteCond \"%{QUERY_STRING}\" \"^id=1$\"\nRewriteRule \"^/?p\\.php$\""), "{apache}");
    let cloudflare = plan.write(Format::Cloudflare, None);
    assert_eq!((cloudflare.count, cloudflare.left_out), (3, 2));
    assert_eq!(cloudflare.text.lines().next(), Some("old.example/About,https://new.example/one,301"));
    let netlify = plan.write(Format::Netlify, None);
    assert_eq!((netlify.count, netlify.left_out), (3, 2));
    assert_eq!(netlify.text.lines().next(), Some("/About https://new.example/one 301"));
}

#[test]
fn of_two_hosts_that_send_one_path_to_two_places_the_first_is_written() {
    let mut moved = pairs(&[("/a", "/one"), ("/b", "/two")]);
    moved.push(("https://shop.old.example/a".to_owned(), format!("{NEW}/other")));
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert_eq!((plan.conflicts, plan.exact.len()), (1, 2));
}

#[test]
fn nothing_that_an_address_holds_becomes_part_of_a_configuration() {
    let odd = [
        "/a%22b",
        "/a%5Cb",
        "/a%7Bb%7D",
        "/a$b",
        "/a%0Ab",
        "/a;b",
        "/(a)",
        "/a%60b",
        "/%E2%82%AC",
        "/a%FFb",
        "/a*b",
        "/:a",
        "/a%20b",
    ];
    let moved: Vec<(String, String)> =
        odd.iter().map(|it| (format!("{OLD}{it}"), format!("{NEW}{it}?x={{y}}$1"))).collect();
    let plan = Plan::of(&moved, &sources(&moved), true);
    for format in [Format::Nginx, Format::Caddy, Format::Apache] {
        let written = plan.write(format, None);
        assert_eq!(written.count + written.left_out, odd.len(), "{format:?}");
        for line in written.text.lines().filter(|line| line.contains("new.example")) {
            let to = line.split(NEW).nth(1).expect("a target");
            assert!(!to.contains("$1") && !to.contains("{y}"), "{line}");
            assert!(line.is_ascii() || line.contains('€'), "{line}");
        }
    }
}

#[test]
fn nothing_is_written_that_leads_in_a_circle() {
    let moved = [
        ("http://old.example/a", "https://old.example/a"),
        ("https://www.old.example/b?x=1", "https://old.example/b?x=1"),
        ("https://old.example/About", "https://old.example/about/"),
        ("https://old.example/c", "https://old.example/d"),
    ]
    .map(|(from, to)| (from.to_owned(), to.to_owned()));
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert_eq!((plan.itself, plan.exact.len()), (2, 2));
    // A last slash and the case of letters are nothing to Netlify.
    let netlify = plan.write(Format::Netlify, None);
    assert_eq!((netlify.text.as_str(), netlify.left_out), ("/c https://old.example/d 301!\n", 1));
    assert_eq!(plan.write(Format::Nginx, None).count, 2);
}

#[test]
fn twenty_thousand_addresses_of_one_path_are_told_apart_at_once() {
    let mut moved: Vec<(String, String)> =
        (0..20_000).map(|at| (format!("{OLD}/p.php?id={at}"), format!("{NEW}/all"))).collect();
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert!(plan.exact.iter().all(|rule| !rule.narrow), "all of them go to one place");
    moved.push((format!("{OLD}/P.php"), format!("{NEW}/other")));
    let plan = Plan::of(&moved, &sources(&moved), true);
    assert!(plan.exact.iter().all(|rule| rule.narrow));
}
