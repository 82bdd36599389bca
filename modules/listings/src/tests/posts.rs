//! Posts and photos.

use super::*;

const TEXT: &str = "Bring a lamp that went dark: we mend it on Saturdays.";

#[test]
fn a_post_is_published_with_marks_listed_and_taken_away() {
    let google = Google::shop();
    let fake = google.fake();
    let link = "https://shop.example/guides/mending";
    let done = fake
        .call("listings.post.publish", json!({ "location_refs": [LOCATION, LOCATION], "text": TEXT, "link": link }))
        .unwrap();
    assert_eq!(done["post_refs"].as_array().unwrap().len(), 1, "a location is posted to once");
    assert!(done["link"].as_str().unwrap().ends_with("?utm_source=google&utm_medium=organic&utm_campaign=gbp-post"));
    fake.serve(done["link"].as_str().unwrap(), 404, &[], b"");
    let listed = called(&fake, "listings.post.list", json!({}));
    let row = &listed["posts"][0];
    assert_eq!(
        (&row["post_ref"], &row["state"], &row["link_status"], &row["link_ok"]),
        (&done["post_refs"][0], &json!("live"), &json!(404), &json!(false))
    );
    let deleted = fake.call("listings.post.delete", json!({ "post_ref": row["post_ref"] })).unwrap();
    assert_eq!((&deleted["deleted"], &deleted["text"]), (&json!(true), &json!(TEXT)));
    assert_eq!(called(&fake, "listings.post.list", json!({}))["total"], 0);
    assert_eq!(
        fake.call("listings.post.delete", json!({ "post_ref": row["post_ref"] })).unwrap()["deleted"],
        true,
        "again"
    );
}

#[test]
fn a_post_made_elsewhere_can_be_deleted_by_the_reference_of_the_list() {
    let google = Google::shop();
    let name = "accounts/108800001/locations/4503600001/localPosts/1000";
    google.held.borrow_mut().insert(
        name.to_owned(),
        json!({ "name": name, "summary": "Old.", "state": "LIVE", "createTime": "2026-05-02T08:00:00Z" }),
    );
    let fake = google.fake();
    let reference = called(&fake, "listings.post.list", json!({}))["posts"][0]["post_ref"].clone();
    let deleted = fake.call("listings.post.delete", json!({ "post_ref": reference })).unwrap();
    assert_eq!(deleted["text"], "Old.");
    assert!(google.held.borrow().is_empty());
    let gone = fake.refusal("listings.post.delete", json!({ "post_ref": reference }));
    assert_eq!((gone.code.as_str(), gone.pointer.as_deref()), ("post_not_found", Some("/post_ref")));
    for wrong in ["nothing", "a/b~108800001.4503600001.con_1", "1000~108800001.4503600001.con_2"] {
        let fault = fake.refusal("listings.post.delete", json!({ "post_ref": wrong }));
        assert!(fault.code.ends_with("_not_found"), "{wrong}: {fault:?}");
    }
}

#[test]
fn a_post_is_scheduled_as_one_call_made_at_its_moment_and_cancelled() {
    let google = Google::shop();
    let fake = google.fake();
    let arguments = json!({ "location_refs": [LOCATION], "text": TEXT, "publish_at": "2026-10-01T08:00:00Z" });
    let done = fake.call("listings.post.publish", arguments).unwrap();
    assert_eq!((&done["scheduled"], google.changes.borrow().len()), (&json!(true), 0));
    let post = done["post_refs"][0].as_str().unwrap().to_owned();
    let entry = fake.once(&format!("post:{post}")).expect("a schedule");
    assert_eq!(entry.calls[0].operation, "listings.post.publish");
    let listed = called(&fake, "listings.post.list", json!({}));
    assert_eq!(
        (&listed["posts"][0]["state"], &listed["posts"][0]["published_at"]),
        (&json!("scheduled"), &json!("2026-10-01T08:00:00.000Z"))
    );
    // Its moment comes: the host makes the call, and the scheduled post is the published one.
    fake.set_now("2026-10-01T08:00:00Z".parse().unwrap());
    let made =
        fake.call("listings.post.publish", sdk::serde_json::from_str(&entry.calls[0].arguments).unwrap()).unwrap();
    assert_eq!(made["post_refs"][0], json!(post));
    let second = json!({ "location_refs": [LOCATION], "text": "Another one.", "publish_at": "2026-10-05T08:00:00Z" });
    let post = fake.call("listings.post.publish", second).unwrap()["post_refs"][0].clone();
    fake.call("listings.post.delete", json!({ "post_ref": post })).unwrap();
    assert!(fake.once(&format!("post:{}", post.as_str().unwrap())).is_none(), "the schedule is gone");
}

#[test]
fn what_google_would_refuse_is_refused_before_any_location_gets_it() {
    let google = Google::shop();
    let fake = google.fake();
    let wrong = |arguments: Value| {
        let mut whole = json!({ "location_refs": [LOCATION], "text": TEXT });
        whole.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        let fault = fake.refusal("listings.post.publish", whole);
        (fault.code, fault.pointer)
    };
    assert_eq!(wrong(json!({ "text": "Call 020 7946 0101!!!" })), at("post_refused", "/text"));
    assert_eq!(wrong(json!({ "type": "offer" })), at("period_required", "/start"));
    assert_eq!(
        wrong(json!({ "type": "event", "start": "2026-10-02T08:00:00Z", "end": "2026-10-01T08:00:00Z" })),
        at("reversed_period", "/end")
    );
    assert_eq!(wrong(json!({ "publish_at": "2026-09-01T08:00:00Z" })), at("not_in_reach", "/publish_at"));
    assert_eq!(
        wrong(json!({ "location_refs": [LOCATION, "1.2.con_9"] })),
        at("location_not_found", "/location_refs/1")
    );
    fake.serve("https://shop.example/a.gif", 200, &[], b"GIF89a");
    assert_eq!(wrong(json!({ "image_url": "https://shop.example/a.gif" })), at("image_refused", "/image_url"));
    assert!(google.changes.borrow().is_empty());
}

#[test]
fn a_post_whose_answer_was_lost_is_found_and_not_sent_again() {
    let google = Google::shop();
    let fake = google.fake();
    google.loses_answer.set(true);
    let done = fake.call("listings.post.publish", json!({ "location_refs": [LOCATION], "text": TEXT })).unwrap();
    assert_eq!((done["post_refs"].as_array().unwrap().len(), google.held.borrow().len()), (1, 1));
}

#[test]
fn drafts_say_what_the_page_says_and_pass_the_policy() {
    let page = r#"<title>Lamp week</title><script type="application/ld+json">{"@type":"Event","name":"Lamp week","startDate":"2026-10-05","endDate":"2026-10-10","offers":{"@type":"Offer","price":"12","priceCurrency":"GBP"}}</script>
        <main><h1>Lamp week</h1><p>For a week we show how a brass lamp is mended, from the cord to the shade, and every visitor may try it at the bench with our help.</p></main>"#;
    let fake = Google::shop().fake().serving("https://shop.example/week", page);
    let drafted =
        called(&fake, "listings.post.draft", json!({ "source_url": "https://shop.example/week", "count": 3 }));
    let drafts = drafted["drafts"].as_array().unwrap();
    assert_eq!(drafts.len(), 3);
    let first = drafts[0]["text"].as_str().unwrap();
    assert!(first.contains("2026-10-05") && first.contains("12 GBP") && first.contains("Lamp week"), "{first}");
    assert!(drafts.iter().all(|it| it["type"] == "event" && it["policy_warnings"] == json!([])), "{drafts:?}");
    assert_eq!(refused(&fake, "listings.post.draft", json!({})), at("nothing_to_say", "/topic"));
    let llm = refused(&fake, "listings.post.draft", json!({ "topic": "lamps", "use_llm": true }));
    assert_eq!(llm, at("connection_required", "/use_llm"));
}

#[test]
fn a_model_may_say_nothing_that_the_source_does_not() {
    let fake = Google::shop().fake().connected("con_2", "llm");
    fake.provider_plays(|asked| {
        let said = match asked.path {
            "/models" => json!({ "data": [{ "id": "gpt-5-mini" }] }),
            "/chat/completions" => {
                let texts = json!({ "texts": ["We mend lamps on Saturdays, come by.", "Now 70 percent cheaper for lamp repair."] });
                json!({ "choices": [{ "message": { "content": texts.to_string() }, "finish_reason": "stop" }] })
            }
            _ => return None,
        };
        Some(Ok((200, Vec::new(), said.to_string().into_bytes())))
    });
    let drafted = called(
        &fake,
        "listings.post.draft",
        json!({ "topic": "we mend lamps on Saturdays, come by", "use_llm": true, "count": 2 }),
    );
    assert_eq!(
        (&drafted["drafts"][0]["by_llm"], &drafted["dropped"]),
        (&json!(true), &json!(["`70` does not stand in the source"]))
    );
}

#[test]
fn a_photo_is_checked_uploaded_once_and_known_again() {
    let google = Google::shop();
    let fake = google.fake();
    let pictures: &[u8] = include_bytes!("../media/picture/tests/pictures.bin");
    let sizes: Vec<usize> = include_str!("../media/picture/tests/reference.tsv")
        .lines()
        .map(|it| it.rsplit('\t').next().unwrap().parse().unwrap())
        .collect();
    let nth = |at: usize| {
        let from: usize = sizes[..at].iter().sum();
        &pictures[from..from + sizes[at]]
    };
    // The trial pictures are smaller than a photo may be: a comment segment makes them heavier.
    let heavy = |bytes: &[u8]| {
        let mut all = bytes[..2].to_vec();
        all.extend([0xff, 0xfe, 0x3f, 0xff]);
        all.extend(std::iter::repeat_n(b' ', 0x3ffd));
        all.extend(&bytes[2..]);
        all
    };
    fake.serve("https://shop.example/1.jpg", 200, &[("content-type", "image/jpeg")], &heavy(nth(0)));
    fake.serve("https://shop.example/small.jpg", 200, &[], &heavy(nth(2)));
    fake.serve("https://shop.example/copy.jpg", 200, &[], &heavy(nth(3)));
    fake.serve("https://shop.example/light.jpg", 200, &[], nth(2));
    let upload = |name: &str, category: &str| json!({ "source_url": format!("https://shop.example/{name}.jpg"), "category": category });
    let failing = |name: &str, category: &str| refused(&fake, "listings.media.upload", upload(name, category));
    assert_eq!(failing("light", "product"), at("image_size", "/source_url"));
    assert_eq!(failing("small", "product"), at("image_size", "/source_url"), "150 pixels high");
    for category in ["logo", "cover"] {
        assert_eq!(failing("1", category), at("image_size", "/source_url"), "400 by 300 is no {category}");
    }
    assert!(google.changes.borrow().is_empty());
    let done = called(&fake, "listings.media.upload", upload("1", "exterior"));
    assert!(done["media_ref"].is_string() && done["duplicate_of"].is_null(), "{done}");
    let copy = called(&fake, "listings.media.upload", upload("copy", "interior"));
    assert_eq!(copy["media_ref"], Value::Null);
    assert!(copy["duplicate_of"].as_str().unwrap().contains("/media/"));
    assert_eq!(google.changes.borrow().len(), 1, "uploaded once");
}
