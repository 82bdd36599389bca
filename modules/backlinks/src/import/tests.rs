//! Imports: everybody's exports, merged into one profile.

use sdk::json;

use crate::trial::{ahrefs, call, import, pairs, website};

#[test]
fn exports_of_every_tool_are_read_by_their_columns() {
    let cases = [
        (
            "ahrefs",
            "Referring page URL\tTarget URL\tAnchor\tDomain rating\tNofollow\tFirst seen\nhttps://a.example/1\thttps://shop.example/\tLamp\t55\ttrue\t2026-01-02\n",
        ),
        (
            "semrush",
            "Source url,Target url,Anchor,Page ascore,Nofollow,Sitewide,First seen\nhttps://a.example/1,https://shop.example/,Lamp,55,true,false,2026-01-02\n",
        ),
        (
            "moz",
            "URL;Target URL;Anchor Text;DA;Link Type;Date First Seen\na.example/1;shop.example/;Lamp;55;nofollow;2026-01-02\n",
        ),
        (
            "majestic",
            "Source URL,Target URL,Anchor Text,SourceTrustFlow,FlagNoFollow,Source First Found Date\nhttps://a.example/1,https://shop.example/,Lamp,55,1,2026-01-02\n",
        ),
        ("bing", "Source Url,Target Url,Anchor Text\nhttps://a.example/1,https://shop.example/,Lamp\n"),
    ];
    for (tool, csv) in cases {
        let fake = website();
        let done = import(&fake, csv);
        assert_eq!((&done["tool"], &done["links"], &done["new_links"]), (&json!(tool), &json!(1), &json!(1)), "{done}");
        let listed = call(&fake, "backlinks.link.list", &json!({}));
        let link = &listed["links"][0];
        assert_eq!(
            (&link["anchor"], &link["domain"], &link["tools"]),
            (&json!("Lamp"), &json!("a.example"), &json!([tool]))
        );
        if tool != "bing" {
            let told = (&link["rating"], &link["rel_nofollow"], &link["first_seen"]);
            assert_eq!(told, (&json!(55), &json!(true), &json!("2026-01-02")), "{tool}");
        }
    }
}

#[test]
fn files_of_several_tools_are_one_profile() {
    let fake = website();
    let first = ahrefs(&[
        ("https://a.example/1", "/lamps", "lamps", "50,false,2026-01-05,2026-08-01,"),
        ("https://b.example/1", "/lamps", "here", "20,true,2026-02-05,2026-08-01,"),
        ("https://c.example/1", "/", "Lamp Shop", "70,false,2026-03-05,2026-08-01,"),
        ("https://shop.example/blog", "/", "home", "70,false,2026-03-05,2026-08-01,"),
        ("not an address", "/", "x", "1,false,,,"),
    ]);
    let done = import(&fake, &first);
    assert_eq!(
        (&done["links"], &done["own_pages"], &done["rejected_total"]),
        (&json!(3), &json!(1), &json!(1)),
        "{done}"
    );
    assert_eq!(done["rejected"][0]["reason"], "no_address");
    // The same link by another spelling, earlier and lost since; and new ones on both sides of what is there.
    let second = "Source url,Target url,Anchor,Page ascore,Nofollow,First seen,Last seen,Lost link\n\
        http://www.a.example/1,https://shop.example/lamps,desk lamps,44,false,2025-12-01,2026-09-01,true\n\
        https://aa.example/,https://shop.example/,x,10,false,2026-09-01,2026-09-01,false\n\
        https://z.example/,https://shop.example/,y,10,false,2026-09-01,2026-09-01,false\n";
    let done = import(&fake, second);
    assert_eq!(
        (&done["links"], &done["new_links"], &done["merged_links"]),
        (&json!(5), &json!(2), &json!(1)),
        "{done}"
    );
    let listed = call(
        &fake,
        "backlinks.link.list",
        &json!({ "filter": [{ "field": "domain", "op": "eq", "value": "a.example" }] }),
    );
    let link = &listed["links"][0];
    assert_eq!(
        (&link["first_seen"], &link["last_seen"], &link["anchor"]),
        (&json!("2025-12-01"), &json!("2026-09-01"), &json!("desk lamps"))
    );
    assert_eq!(
        (&link["lost_on"], &link["rating"], &link["tools"]),
        (&json!("2026-09-01"), &json!(50), &json!(["ahrefs", "semrush"])),
        "{link}"
    );
    // An older list of live links brings nothing back.
    import(&fake, &first);
    let again =
        call(&fake, "backlinks.link.list", &json!({ "filter": [{ "field": "lost", "op": "eq", "value": true }] }));
    assert_eq!((&again["total"], &again["links"][0]["domain"]), (&json!(1), &json!("a.example")));
    assert_eq!(pairs(&fake).len(), 5);
}

#[test]
fn a_link_without_a_target_joins_what_others_know_of_its_page() {
    let fake = website();
    let console = "Linking page,Last crawled\nhttps://a.example/1,2026-09-10\nhttps://only.example/,2026-09-11\n";
    let done = import(&fake, console);
    assert_eq!((&done["tool"], &done["links"]), (&json!("gsc"), &json!(2)), "{done}");
    import(
        &fake,
        &ahrefs(&[
            ("https://a.example/1", "/lamps", "lamps", "50,false,2026-01-05,2026-08-01,"),
            ("https://a.example/1", "/", "shop", "50,false,2026-01-05,2026-08-01,"),
        ]),
    );
    assert_eq!(pairs(&fake), ["https://a.example/1 /", "https://a.example/1 /lamps", "https://only.example/ -"]);
    let listed = call(&fake, "backlinks.link.list", &json!({}));
    let of = |at: usize, member: &str| listed["links"][at][member].clone();
    assert_eq!(
        (of(1, "anchor"), of(1, "last_seen"), of(1, "tools")),
        (json!("lamps"), json!("2026-09-10"), json!(["gsc", "ahrefs"]))
    );
    import(&fake, console);
    assert_eq!(pairs(&fake).len(), 3, "nothing stands twice");
}

#[test]
fn what_is_no_list_of_links_is_refused_with_what_it_is() {
    let fake = website();
    let refused =
        |csv: &str| fake.refusal("backlinks.import.run", json!({ "site_id": crate::trial::SITE, "csv": csv })).code;
    assert_eq!(refused("Site,Linking pages,Target pages\na.example,4,2\n"), "counts_only");
    assert_eq!(refused("keyword,volume\nlamp,10\n"), "no_header");
    assert_eq!(refused("PK\u{3}\u{4}rest"), "not_text");
    assert_eq!(refused("Source url,First seen\nhttps://a.example/,03/04/2026\n"), "ambiguous_dates");
    assert_eq!(
        fake.refusal("backlinks.link.list", json!({ "site_id": crate::trial::SITE })).code,
        "links_not_imported"
    );
    let file = "Source Url,Target Url,Anchor Text\nhttps://a.example/,https://shop.example/,x\n";
    let upload = fake.hand_over("text/csv", file.as_bytes());
    call(&fake, "backlinks.import.run", &json!({ "upload_ref": upload }));
    let running = fake.refusal("backlinks.import.run", json!({ "site_id": crate::trial::SITE, "csv": file }));
    assert_eq!((running.code.as_str(), running.pointer.as_deref()), ("import_running", Some("/site_id")));
}

#[test]
fn a_profile_is_summed_up_and_its_domains_are_listed() {
    let fake = website();
    let mut rows: Vec<(String, &str, &str, &str)> = (0..60)
        .map(|at| (format!("https://blog.example/{at:02}"), "/", "Lamp Shop", "30,false,2026-08-05,2026-09-01,"))
        .collect();
    rows.push(("https://news.example.co.uk/a".to_owned(), "/lamps", "lamps", "80,true,2026-09-02,2026-09-03,"));
    let rows: Vec<(&str, &str, &str, &str)> = rows.iter().map(|it| (it.0.as_str(), it.1, it.2, it.3)).collect();
    import(&fake, &ahrefs(&rows));
    let summed = call(&fake, "backlinks.profile.get", &json!({}));
    let totals = &summed["totals"];
    assert_eq!(
        (&totals["links"], &totals["domains"], &totals["sitewide_groups"]),
        (&json!(61), &json!(2), &json!(1)),
        "{summed}"
    );
    assert_eq!((&totals["followed_domain_share"], &totals["target_pages"]), (&json!(0.5), &json!(2)));
    let growth = json!([{ "calendar_month": "2026-08", "new_links": 60, "new_domains": 1, "lost_links": 0 }, { "calendar_month": "2026-09", "new_links": 1, "new_domains": 1, "lost_links": 0 }]);
    assert_eq!(summed["growth"], growth);
    assert_eq!(summed["mix"]["endings"][1]["name"], "co.uk");
    let domains = call(&fake, "backlinks.domain.list", &json!({}));
    assert_eq!(
        (&domains["total"], &domains["domains"][0]["domain"], &domains["domains"][0]["rating"]),
        (&json!(2), &json!("example.co.uk"), &json!(80)),
        "{domains}"
    );
    let some =
        call(&fake, "backlinks.domain.list", &json!({ "filter": [{ "field": "links", "op": "gt", "value": 10 }] }));
    assert_eq!((&some["total"], &some["domains"][0]["anchor_texts"]), (&json!(1), &json!(["Lamp Shop"])));
    let sorted = call(&fake, "backlinks.link.list", &json!({ "sort": "-rating", "limit": 1 }));
    assert_eq!(sorted["links"][0]["domain"], "example.co.uk");
}

#[test]
fn a_call_without_a_file_opens_an_upload_and_waits_for_it() {
    let fake = website();
    let opened = call(&fake, "backlinks.import.run", &json!({}));
    assert!(opened["upload"]["url"].as_str().is_some_and(|it| it.starts_with("http")), "{opened}");
    assert!(fake.work_one_step(), "it waits");
    let job = fake.jobs().get(&sdk::value::Id::new(opened["job_ref"].as_str().expect("a job"))).expect("the job");
    assert!(job.result::<sdk::serde_json::Value>().is_none() && job.fault().is_none(), "{:?}", job.state);
    // Nobody sent it in time.
    fake.set_now(sdk::value::Moment::from_millis(fake.now().millis() + 2 * 3_600_000));
    while fake.work_one_step() {}
    let job = fake.jobs().get(&sdk::value::Id::new(opened["job_ref"].as_str().expect("a job"))).expect("the job");
    assert_eq!(job.fault().map(|it| it.0), Some("upload_gone".to_owned()));
}

#[test]
fn a_page_with_links_to_many_pages_is_joined_with_itself_wherever_parts_end() {
    let fake = website();
    let targets: Vec<String> = (0..4).map(|at| format!("/p{at}")).collect();
    let file = |pages: &[&str]| {
        let rows = pages.iter().flat_map(|page| targets.iter().map(move |target| (*page, target.as_str())));
        let rows: Vec<_> =
            rows.map(|(page, target)| (page, target, "lamps", "40,false,2026-01-01,2026-09-01,")).collect();
        ahrefs(&rows)
    };
    let pages = ["https://a.example/", "https://b.example/", "https://c.example/", "https://d.example/"];
    assert_eq!(import(&fake, &file(&pages))["links"], 16);
    let again = import(&fake, &file(&[pages[1], pages[2], "https://e.example/"]));
    assert_eq!((&again["links"], &again["new_links"], &again["merged_links"]), (&json!(20), &json!(4), &json!(8)));
    let mut listed = pairs(&fake);
    listed.dedup();
    assert_eq!(listed.len(), 20);
}
