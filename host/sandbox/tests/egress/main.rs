//! The guard of the outside where packets could leave: in a world in which every address answers and counts.

use std::net::IpAddr;
use std::time::Duration;

use sandbox::OutboundPolicy;
use sandbox::egress::{Decision, Failure, Fetch, Fetched, Freshness, Guard, Verdict};
use url::{Url, form_urlencoded};

mod names;
#[path = "../../src/egress/tests/table.rs"]
mod table;
mod world;

use table::{Case, cases, urls, word};
use world::{World, attempts};

fn guard() -> Guard {
    Guard::new(OutboundPolicy::default()).expect("a guard")
}

async fn asked(guard: &Guard, url: &str) -> (Result<Fetched, Failure>, Vec<Decision>) {
    let fetch = Fetch {
        head: false,
        url: url.to_owned(),
        headers: Vec::new(),
        follow: 3,
        max_bytes: 1_024,
        timeout: Duration::from_secs(10),
        freshness: Freshness::Fresh,
        within: None,
    };
    let mut trail = Vec::new();
    (guard.fetch(fetch, &mut trail).await, trail)
}

/// Whether a page came, or, from a server that does not speak TLS, at least the right failure.
fn came(page: &Result<Fetched, Failure>, secure: bool) -> bool {
    if secure { page.as_ref().err() == Some(&Failure::Tls) } else { page.as_ref().is_ok_and(|page| page.body == b"ok") }
}

fn words(trail: &[Decision]) -> Vec<String> {
    trail.iter().map(|decision| word(decision.verdict)).collect()
}

/// Where a permitted case must have gone: to its own address, or to the one that every name has.
fn place(url: &Url) -> (IpAddr, u16) {
    let host = url.host_str().expect("a host").trim_matches(['[', ']']);
    let address = host.parse().unwrap_or_else(|_| names::PUBLIC.parse().expect("an address"));
    (address, url.port_or_known_default().expect("a port"))
}

#[tokio::test]
async fn each_case_opens_the_connection_that_it_says_and_no_other() {
    if !world::enter("each_case_opens_the_connection_that_it_says_and_no_other") {
        return;
    }
    let (world, guard, mut wrong) = (World::start().await, guard(), Vec::new());
    for case in urls() {
        let before = attempts();
        let (page, trail) = asked(&guard, &case.asked).await;
        let (tried, dialled, questions) = (attempts() - before, world.dialled(), world.names.asked());
        let fine = if case.is_permitted() {
            let url = Url::parse(&case.asked).expect("a URL");
            came(&page, url.scheme() == "https") && tried == 1 && dialled == [place(&url)]
        } else {
            page.is_err_and(|failure| failure.to_string() == "refused") && tried == 0 && questions.is_empty()
        };
        if !fine || words(&trail) != [case.expected.as_str()] {
            wrong.push(format!("{case:?}: {tried} tried, {dialled:?}, {questions:?}, {trail:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a redirect can say it: absolute, and in bytes that a header carries unchanged.
fn can_be_a_location(case: &Case) -> bool {
    let plain = !case.asked.contains(|letter: char| letter.is_control()) && case.asked.trim() == case.asked;
    let scheme = case.asked.split_once(':').filter(|(scheme, _)| {
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '+' || letter == '-')
    });
    let relative = scheme.is_some_and(|(scheme, rest)| scheme.eq_ignore_ascii_case("http") && !rest.starts_with("//"));
    plain && scheme.is_some() && !relative && case.asked.len() < 4_000
}

#[tokio::test]
async fn each_case_holds_behind_a_redirect() {
    if !world::enter("each_case_holds_behind_a_redirect") {
        return;
    }
    let (world, guard, mut wrong) = (World::start().await, guard(), Vec::new());
    let cases = urls().into_iter().filter(can_be_a_location).collect::<Vec<_>>();
    assert!(cases.len() > 500, "{} cases", cases.len());
    for case in cases {
        let location = form_urlencoded::byte_serialize(case.asked.as_bytes()).collect::<String>();
        let before = attempts();
        let (page, trail) = asked(&guard, &format!("http://start.example/go?{location}")).await;
        let (tried, dialled) = (attempts() - before, world.dialled());
        let start = (names::PUBLIC.parse().expect("an address"), 80);
        let fine = if case.is_permitted() {
            let url = Url::parse(&case.asked).expect("a URL");
            came(&page, url.scheme() == "https") && tried == 2 && dialled == [start, place(&url)]
        } else {
            page.is_err_and(|failure| failure.to_string() == "refused") && tried == 1 && dialled == [start]
        };
        if !fine || words(&trail) != ["permitted", case.expected.as_str()] {
            wrong.push(format!("{case:?}: {tried} tried, {dialled:?}, {trail:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn no_answer_of_a_name_server_leads_inside() {
    if !world::enter("no_answer_of_a_name_server_leads_inside") {
        return;
    }
    let (world, guard, mut wrong) = (World::start().await, guard(), Vec::new());
    for case in cases(include_str!("../../src/egress/tests/answers.txt")) {
        let (name, line) = case.asked.split_once(' ').unwrap_or((&case.asked, ""));
        world.names.know(name, line);
        let before = attempts();
        let (page, trail) = asked(&guard, &format!("http://{name}/")).await;
        let (tried, dialled, questions) = (attempts() - before, world.dialled(), world.names.asked());
        // The name is asked for once for each type, as it is: no search list, no second look. Only an answer beyond the
        // first buffer of the C library is asked for by it again, into a larger one.
        let twice = questions.len() == 4 && line.contains("count=");
        let once = (questions.len() == 2 || twice) && questions.iter().all(|(asked, _)| asked == name);
        let first = line.split("then ").next().unwrap_or_default();
        let fine = if case.is_permitted() {
            let given = |address: &IpAddr| {
                first.contains("count=") || first.split(' ').any(|word| word.parse::<IpAddr>() == Ok(*address))
            };
            came(&page, false) && tried == 1 && dialled.iter().all(|(address, port)| given(address) && *port == 80)
        } else {
            let failure = if line.is_empty() { Failure::Unresolved } else { Failure::Refused };
            page.is_err_and(|found| found == failure) && tried == 0
        };
        if !fine || !once || words(&trail) != [case.expected.as_str()] {
            wrong.push(format!("{case:?}: {tried} tried, {dialled:?}, {questions:?}, {trail:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_name_that_changes_between_two_redirects_is_judged_anew() {
    if !world::enter("a_name_that_changes_between_two_redirects_is_judged_anew") {
        return;
    }
    let (world, guard) = (World::start().await, guard());
    for (number, later) in
        ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1"].iter().enumerate()
    {
        let name = format!("turn{number}.example");
        let first = if later.contains(':') { "2606:4700::1111" } else { names::PUBLIC };
        world.names.know(&name, &format!("{first} then {later}"));
        let before = attempts();
        let (page, trail) = asked(&guard, &format!("http://{name}/go?%2Fnext")).await;
        assert_eq!(page.expect_err("no page"), Failure::Refused, "{later}");
        assert!(matches!(trail[1].verdict, Verdict::Address(_)), "{later}: {trail:?}");
        assert_eq!(
            (attempts() - before, world.dialled()),
            (1, vec![(first.parse().expect("an address"), 80)]),
            "{later}"
        );
        world.names.asked();
    }
}

#[tokio::test]
async fn this_machine_is_not_asked_at_its_public_addresses() {
    if !world::enter("this_machine_is_not_asked_at_its_public_addresses") {
        return;
    }
    let (world, guard) = (World::start().await, guard());
    world.names.know("own.example", "192.0.9.9");
    world.names.know("own6.example", "2606:4700:9::9");
    for url in ["http://192.0.9.9/", "http://[2606:4700:9::9]/", "http://own.example/", "http://own6.example/"] {
        let (page, trail) = asked(&guard, url).await;
        assert_eq!(page.expect_err("no page"), Failure::Refused, "{url}");
        assert_eq!(words(&trail), ["address:own"], "{url}");
    }
    assert_eq!((attempts(), world.dialled()), (0, vec![]));
    for url in ["http://192.0.9.8/", "http://[2606:4700:9::8]/"] {
        assert!(came(&asked(&guard, url).await.0, false), "{url}");
    }
}

#[tokio::test]
async fn without_the_guard_every_address_would_be_reached() {
    if !world::enter("without_the_guard_every_address_would_be_reached") {
        return;
    }
    let world = World::start().await;
    let opened = ["0.0.0.0/0", "::/0"].map(|range| range.parse().expect("a range")).to_vec();
    let open = Guard::new(OutboundPolicy { allow_private: opened, ..OutboundPolicy::default() }).expect("a guard");
    for url in [
        "http://127.1/",
        "http://10.0.0.1/",
        "http://0xa9fea9fe/",
        "http://192.168.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001::1]/",
        "http://[fd00:ec2::254]/",
        "http://metadata.google.internal/",
    ] {
        let before = attempts();
        assert!(came(&asked(&open, url).await.0, false), "{url}");
        assert_eq!((attempts() - before, world.dialled().len()), (1, 1), "{url}");
    }
}
