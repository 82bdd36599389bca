//! Tests of `: crawling`.

use super::*;

#[test]
fn a_small_site_is_fetched_nearest_first_and_every_link_is_recorded() {
    let fake = fake();
    serve(
        &fake,
        &[
            (
                "/",
                "<title>Home</title><nav><a href=/a>A</a></nav><a href=/b#x>B</a><a href=https://other.example/>O</a>",
            ),
            ("/a", "<a href=/c>C</a><a href=/>Home</a>"),
            ("/b", "<a href=/a>A</a>"),
            ("/c", "<p>end"),
        ],
    );
    fake.serve("https://other.example/", 200, &[], b"");
    fake.serve("https://other.example/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    assert_eq!(paths(&fake), [("/".into(), 200), ("/a".into(), 200), ("/b".into(), 200), ("/c".into(), 200)]);
    let view = get(&fake, &run);
    assert_eq!((view["state"].as_str(), view["stop_reason"].as_str()), (Some("succeeded"), Some("completed")));
    assert_eq!(view["totals"]["fetched"], 4);
    assert_eq!(view["totals"]["links"], 6);
    assert_eq!(view["depth_histogram"], json!([1, 2, 1]));
    assert_eq!(view["status_counts"], json!({ "200": 4 }));
    assert_eq!(view["robots"]["state"], "missing");
    assert_eq!(fake.rows::<Linked>().len(), 6);
    let external = &fake.rows::<External>()[0];
    assert_eq!(
        (external.0.url.as_str(), external.0.state.as_str(), external.0.status),
        ("https://other.example/", "checked", 200)
    );
    assert!(fake.blobs().read(fake.rows::<Page>()[0].0.html_blob.as_deref().expect("kept"), 0, 100).is_some());
}

#[test]
fn robots_txt_is_obeyed_and_what_it_forbids_is_recorded_without_being_asked_for() {
    let fake = fake();
    serve(&fake, &[("/", "<a href=/private/x>p</a><a href=/open>o</a>"), ("/open", ""), ("/private/x", "secret")]);
    fake.serve(
        "https://shop.example/robots.txt",
        200,
        &[],
        b"User-agent: *\nDisallow: /\n\nUser-agent: EspalierBot\nDisallow: /private\nCrawl-delay: 0.2\n",
    );
    let run = crawl(&fake, json!({}));
    assert!(!fake.requested().contains(&"https://shop.example/private/x".to_owned()));
    let blocked = fake.rows::<Page>().into_iter().find(|page| page.0.url.ends_with("/private/x")).expect("recorded");
    assert_eq!((blocked.0.status, blocked.0.facts.failure.as_deref()), (0, Some("robots")));
    let view = get(&fake, &run);
    assert_eq!((view["totals"]["fetched"].as_u64(), view["totals"]["blocked"].as_u64()), (Some(2), Some(1)));
    assert_eq!(view["pace"]["floor_ms"], 200);
    assert_eq!(view["robots"]["crawl_delay_ms"], 200);
}

#[test]
fn a_crawl_delay_binds_everybody_but_the_proven_owner() {
    let proven = |verified| Site { verification: Some(Verification { verified }), ..site() };
    let arguments = json!({ "site_id": "81", "rate_rps": 10, "lift_crawl_delay": true });
    for site in [site(), proven(false)] {
        let fault = crate::fake().with_as("81", site).refusal("crawl.run.start", arguments.clone());
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("ownership_unproven", Some("/lift_crawl_delay")));
    }
    let fake = crate::fake().with_as("81", proven(true));
    serve(&fake, &[("/", "x")]);
    fake.serve("https://shop.example/robots.txt", 200, &[], b"User-agent: *\nDisallow: /no\nCrawl-delay: 9\n");
    let run = crawl(&fake, json!({ "lift_crawl_delay": true }));
    let view = get(&fake, &run);
    assert_eq!((&view["pace"]["floor_ms"], &view["robots"]["crawl_delay_ms"]), (&json!(100), &json!(9000)));
    assert_eq!(view["settings"]["lift_crawl_delay"], true);
}

#[test]
fn no_crawl_goes_past_what_its_website_allows() {
    let prefs = json!({ "max_pages": 2, "max_depth": 1, "rate_rps": 5, "include": ["/a"], "exclude": ["/a/private"] });
    let site = Site { crawl_prefs: sdk::serde_json::from_value(prefs).expect("limits"), ..site() };
    let fake = crate::fake().with_as("81", site);
    serve(
        &fake,
        &[
            ("/", "<a href=/a>a</a><a href=/b>b</a><a href=/a/private>p</a><a href=/a/2>2</a>"),
            ("/a", "a"),
            ("/a/2", "2"),
            ("/b", "b"),
            ("/a/private", "p"),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({ "max_pages": 3, "exclude": ["/tag"] }));
    let settings = &get(&fake, &run)["settings"];
    assert_eq!(
        (&settings["max_pages"], &settings["max_depth"], &settings["rate_millirps"]),
        (&json!(2), &json!(1), &json!(5000))
    );
    assert_eq!((&settings["include"], &settings["exclude"]), (&json!(["/a"]), &json!(["/tag", "/a/private"])));
    assert_eq!(paths(&fake).iter().filter(|it| it.1 == 200).map(|it| it.0.as_str()).collect::<Vec<_>>(), ["/", "/a"]);
    // What the caller names is kept where it asks for less.
    let run = crawl(&fake, json!({ "max_pages": 1, "rate_rps": 2, "include": ["/b"] }));
    let settings = &get(&fake, &run)["settings"];
    assert_eq!(
        (&settings["max_pages"], &settings["rate_millirps"], &settings["include"]),
        (&json!(1), &json!(2000), &json!(["/b"]))
    );
}

#[test]
fn a_site_whose_robots_txt_fails_is_left_alone() {
    for (status, reason) in [(500, "robots_disallowed"), (0, "unreachable")] {
        let fake = fake();
        serve(&fake, &[("/", "x")]);
        if status > 0 {
            fake.serve("https://shop.example/robots.txt", status, &[], b"");
        }
        let run = crawl(&fake, json!({}));
        assert_eq!(get(&fake, &run)["stop_reason"], reason);
        assert!(!fake.requested().contains(&"https://shop.example/".to_owned()));
    }
}

#[test]
fn redirects_are_pages_of_their_own_and_circles_end() {
    let fake = fake();
    serve(&fake, &[("/", "<a href=/old>o</a><a href=/round>r</a><a href=/away>a</a>"), ("/new", "new")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example/old", 301, &[("location", "/newer")], b"");
    fake.serve("https://shop.example/newer", 302, &[("location", "/new?utm_source=x")], b"");
    fake.serve("https://shop.example/round", 301, &[("location", "/round2")], b"");
    fake.serve("https://shop.example/round2", 301, &[("location", "/round")], b"");
    fake.serve("https://shop.example/away", 301, &[("location", "https://other.example/x")], b"");
    let run = crawl(&fake, json!({ "check_external": false }));
    let mut found = paths(&fake);
    found.sort();
    assert_eq!(
        found,
        [("/", 200), ("/away", 301), ("/new", 200), ("/newer", 302), ("/old", 301), ("/round", 301), ("/round2", 301)]
            .map(|(path, status)| (path.to_owned(), status))
    );
    assert_eq!(get(&fake, &run)["totals"]["redirects"], 5);
    let page =
        fake.call("crawl.page.get", json!({ "run_ref": run, "url": "https://shop.example/old" })).expect("the page");
    let statuses: Vec<u64> =
        page["chain"].as_array().expect("a chain").iter().map(|hop| hop["status"].as_u64().unwrap_or(0)).collect();
    assert_eq!(statuses, [301, 302, 200]);
    let circle =
        fake.call("crawl.page.get", json!({ "run_ref": run, "url": "https://shop.example/round" })).expect("the page");
    assert_eq!(circle["chain"].as_array().map(Vec::len), Some(2));
    assert_eq!(fake.rows::<External>()[0].0.state, "waiting");
}

#[test]
fn addresses_that_only_a_sitemap_names_come_last_and_are_marked() {
    let fake = fake();
    serve(
        &fake,
        &[("/", "<a href=/linked>l</a>"), ("/linked", "x"), ("/orphan", "<a href=/deep>d</a>"), ("/deep", "")],
    );
    fake.serve("https://shop.example/robots.txt", 200, &[], b"Sitemap: /maps/index.xml\n");
    fake.serve(
        "https://shop.example/maps/index.xml",
        200,
        &[],
        b"<sitemapindex><sitemap><loc>https://shop.example/maps/1.xml</loc></sitemap></sitemapindex>",
    );
    fake.serve(
        "https://shop.example/maps/1.xml",
        200,
        &[],
        b"<urlset><url><loc>https://shop.example/orphan</loc></url><url><loc>https://shop.example/linked</loc></url><url><loc>https://other.example/no</loc></url></urlset>",
    );
    let run = crawl(&fake, json!({}));
    assert_eq!(paths(&fake).iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["/", "/linked", "/orphan", "/deep"]);
    let pages = fake.rows::<Page>();
    let of = |path: &str| {
        pages.iter().find(|page| page.0.url.ends_with(path)).map(|page| (page.0.found, page.0.in_sitemap, page.0.depth))
    };
    assert_eq!(of("/linked"), Some((Found::Link, true, 1)));
    assert_eq!(of("/orphan"), Some((Found::Sitemap, true, 0)));
    assert_eq!(of("/deep"), Some((Found::Link, false, 1)));
    assert_eq!(get(&fake, &run)["totals"]["in_sitemaps"], 2);
}

#[test]
fn a_crawl_ends_at_its_limits_and_says_which() {
    let pages: Vec<(String, String)> =
        (0..30).map(|n| (format!("/{n}"), format!("<a href=/{}>n</a>", n + 1))).collect();
    let site = || {
        let fake = fake();
        serve(&fake, &[("/", "<a href=/0>0</a>")]);
        serve(&fake, &pages.iter().map(|(path, html)| (path.as_str(), html.as_str())).collect::<Vec<_>>());
        fake.serve("https://shop.example/robots.txt", 404, &[], b"");
        fake
    };
    let limited = site();
    let run = crawl(&limited, json!({ "max_pages": 7 }));
    assert_eq!((get(&limited, &run)["stop_reason"].as_str(), paths(&limited).len()), (Some("page_limit"), 7));
    assert_eq!(get(&limited, &run)["totals"]["queued"], 1);
    let shallow = site();
    let run = crawl(&shallow, json!({ "max_depth": 3 }));
    assert_eq!((get(&shallow, &run)["stop_reason"].as_str(), paths(&shallow).len()), (Some("depth_limit"), 4));
    let whole = site();
    let run = crawl(&whole, json!({ "max_depth": 50, "max_pages": 1_000 }));
    assert_eq!(get(&whole, &run)["totals"]["errors"], 1, "the last page links to one that does not exist");
    assert_eq!(get(&whole, &run)["errors"], json!({ "unresolved": 1 }));
}

#[test]
fn steps_hold_at_most_fifty_pages_and_together_count_each_page_once() {
    let fake = fake();
    let home: String = (0..170).map(|n| format!("<a href=/p{n}>p</a>")).collect();
    serve(&fake, &[("/", &home)]);
    for n in 0..170 {
        serve(
            &fake,
            &[(
                &format!("/p{n}"),
                &format!("<title>Page {n}</title><a href=/>home</a><a href=/p{}>next</a>", (n + 1) % 170),
            )],
        );
    }
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = start(&fake, json!({}));
    let mut last = 0;
    while fake.work_one_step() {
        let fetched = get(&fake, &run)["totals"]["fetched"].as_u64().expect("a number");
        assert!(fetched - last <= 50, "{last} to {fetched}");
        last = fetched;
    }
    let view = get(&fake, &run);
    assert_eq!((view["totals"]["fetched"].as_u64(), view["totals"]["links"].as_u64()), (Some(171), Some(510)));
    assert_eq!(paths(&fake).len(), 171);
    let asked = fake.requested();
    let mut distinct = asked.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(asked.len(), distinct.len(), "nothing is asked for twice");
}

#[test]
fn patterns_and_traps_keep_addresses_out() {
    let fake = fake();
    serve(
        &fake,
        &[
            (
                "/",
                "<a href=/blog/1>1</a><a href=/blog/1?print=1>p</a><a href=/shop/1>s</a><a href=/blog/x/x/x/x/>t</a>",
            ),
            ("/blog/1", ""),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({ "include": ["/blog/"], "exclude": ["print="] }));
    assert_eq!(paths(&fake), [("/".into(), 200), ("/blog/1".into(), 200)]);
    let totals = &get(&fake, &run)["totals"];
    let by_reason = ["skipped", "skipped_excluded", "skipped_not_included", "skipped_traps"].map(|it| &totals[it]);
    assert_eq!(by_reason, [3, 1, 1, 1]);
    assert_eq!(fake.rows::<crate::stored::Frontier>().iter().filter(|row| row.state == Known::LeftOut).count(), 3);
}

#[test]
fn a_site_in_trouble_is_asked_again_more_slowly_and_given_up_after_three_times() {
    let fake = fake();
    serve(&fake, &[("/", "<a href=/busy>b</a>")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example/busy", 503, &[("retry-after", "1")], b"");
    let run = crawl(&fake, json!({}));
    assert_eq!(fake.requested().iter().filter(|url| url.ends_with("/busy")).count(), 3);
    let view = get(&fake, &run);
    assert_eq!((view["pace"]["slowdowns"].as_u64(), view["status_counts"]["503"].as_u64()), (Some(3), Some(1)));
    let pace = &view["pace"];
    assert_eq!(pace["delay_ms"].as_u64(), pace["floor_ms"].as_u64().map(|floor| 8 * floor));
}

#[test]
fn a_challenge_ends_the_crawl() {
    let fake = fake();
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example/", 403, &[("cf-mitigated", "challenge")], b"<a href=/x>x</a>");
    let run = crawl(&fake, json!({}));
    assert_eq!(get(&fake, &run)["stop_reason"], "blocked_by_challenge");
    assert_eq!(paths(&fake), [("/".into(), 403)]);
}

#[test]
fn the_pace_is_kept_between_requests() {
    let fake = fake();
    let home: String = (0..20).map(|n| format!("<a href=/{n}>p</a>")).collect();
    serve(&fake, &[("/", &home)]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = start(&fake, json!({ "rate_rps": 2, "check_external": false }));
    fake.work();
    // 21 pages, robots.txt and a sitemap, half a second apart.
    assert!(fake.elapsed() >= 22 * 500, "{}", fake.elapsed());
    assert_eq!(fake.rows::<Run>()[0].0.state, RunState::Finished);
    assert_eq!(fake.rows::<Run>()[0].0.stop_reason, Some(StopReason::Completed));
    assert_eq!(get(&fake, &run)["totals"]["fetched"], 21);
}

#[test]
fn a_stopped_crawl_keeps_what_it_has_and_fetches_nothing_more() {
    let fake = fake();
    let home: String = (0..120).map(|n| format!("<a href=/p{n}>p</a>")).collect();
    serve(&fake, &[("/", &home)]);
    for n in 0..120 {
        serve(&fake, &[(&format!("/p{n}"), "x")]);
    }
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = start(&fake, json!({}));
    fake.work_one_step();
    let stopped = fake.call("crawl.run.stop", json!({ "run_ref": run })).expect("it stops");
    assert_eq!((stopped["pages"].as_u64(), stopped["charge"].as_f64()), (Some(50), Some(0.05)));
    let asked = fake.requested().len();
    fake.work();
    assert_eq!(fake.requested().len(), asked);
    let view = get(&fake, &run);
    assert_eq!((view["state"].as_str(), view["stop_reason"].as_str()), (Some("cancelled"), Some("stopped")));
    assert_eq!(paths(&fake).len(), 50);
    assert_eq!(fake.refusal("crawl.run.stop", json!({ "run_ref": run })).code, "run_ended");
}

#[test]
fn a_page_with_endless_lists_still_fits_into_a_record() {
    let fake = fake();
    let long = "x".repeat(1_900);
    let html: String = (0..300)
        .map(|n| {
            format!("<img src=/{n}{long} alt={long}><h2>{long}</h2><link rel=alternate hreflang=de href=/{n}{long}>")
        })
        .collect();
    let link = format!("<a href=/{}>too long</a>", "y".repeat(3_000));
    serve(&fake, &[("/", &format!("{html}{link}"))]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    crawl(&fake, json!({}));
    let page = fake.rows::<Page>().remove(0).into_inner();
    assert!(serde_json::to_string(&page).expect("JSON").len() < 256 * 1024);
    assert_eq!((page.0.facts.image_count, page.0.facts.link_counts.uncrawlable), (300, 1));
}

#[test]
fn links_that_leave_the_site_are_checked_once_each_and_their_rules_are_kept() {
    let fake = fake();
    let html = "<a href=https://fine.example/1>1</a><a href=https://fine.example/2>2</a><a href=https://fine.example/1#x>1</a>\
                <a href=https://closed.example/a>a</a><a href=https://gone.example/b>b</a><a href=https://picky.example/c>c</a>";
    serve(&fake, &[("/", html)]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    for host in ["fine", "picky"] {
        fake.serve(&format!("https://{host}.example/robots.txt"), 404, &[], b"");
    }
    fake.serve("https://fine.example/1", 301, &[("location", "/one")], b"");
    fake.serve("https://fine.example/one", 200, &[], b"");
    fake.serve("https://fine.example/2", 500, &[], b"");
    fake.serve("https://closed.example/robots.txt", 200, &[], b"User-agent: *\nDisallow: /");
    fake.serve("https://picky.example/c", 405, &[], b"");
    let run = crawl(&fake, json!({}));
    let mut found: Vec<_> = fake.rows::<External>().into_iter().map(|it| it.into_inner().0).collect();
    found.sort_by(|a, b| a.url.cmp(&b.url));
    let found: Vec<_> =
        found.iter().map(|it| (it.url.as_str(), it.state.as_str(), it.status, it.failure.as_deref())).collect();
    assert_eq!(
        found,
        [
            ("https://closed.example/a", "robots", 0, None),
            ("https://fine.example/1", "checked", 200, None),
            ("https://fine.example/2", "checked", 500, None),
            ("https://gone.example/b", "checked", 0, Some("unresolved")),
            ("https://picky.example/c", "checked", 405, None),
        ]
    );
    let asked = fake.requested();
    assert_eq!(asked.iter().filter(|url| url.ends_with("fine.example/robots.txt")).count(), 1);
    assert_eq!(
        asked.iter().filter(|url| *url == "https://picky.example/c").count(),
        2,
        "headers, then the first bytes"
    );
    assert!(!asked.contains(&"https://closed.example/a".to_owned()));
    let totals = get(&fake, &run)["totals"].clone();
    assert_eq!((totals["external_urls"].as_u64(), totals["external_checked"].as_u64()), (Some(5), Some(4)));
}
