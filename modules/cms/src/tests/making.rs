//! Items that are made, published, taken back and thrown away.

use sdk::json;
use sdk::serde_json::Value;
use simulators::Blog;

use crate::trial::Trial;

fn draft(trial: &Trial, more: &Value) -> Value {
    let mut arguments =
        json!({ "title": "Clean brass lamps", "body": "# Brass\n\nSalt & a *soft* cloth.", "format": "markdown" });
    arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    trial.call("cms.content.create", &arguments)
}

#[test]
fn a_draft_is_made_of_markdown_with_terms_by_name_and_seo_fields() {
    let trial = Trial::new(Blog::of_editor());
    let made = draft(
        &trial,
        &json!({ "slug": "clean-brass", "terms": { "categories": ["guides"], "tags": ["brass", "Polish & salt"] },
        "seo": { "title": "How to clean brass", "description": "Salt, vinegar and a cloth." } }),
    );
    assert_eq!(
        (&made["item"]["status"], &made["item"]["slug"], &made["degraded"]),
        (&json!("draft"), &json!("clean-brass"), &json!([]))
    );
    let stored = trial.stored(made["item_ref"].as_str().expect("a reference"));
    assert!(stored["content"]["raw"].as_str().is_some_and(|it| it.contains("<!-- wp:heading {\"level\":1} -->")));
    assert_eq!(stored["meta"]["_yoast_wpseo_title"], "How to clean brass");
    assert_eq!(stored["categories"], json!([2]), "the category that is there, in whatever case");
    assert_eq!(stored["tags"].as_array().map(Vec::len), Some(2));
    // The same names again make no new terms.
    let again = draft(&trial, &json!({ "terms": { "tags": ["polish & salt"] } }));
    let tags = trial.stored(again["item_ref"].as_str().expect("a reference"))["tags"].clone();
    assert!(stored["tags"].as_array().expect("tags").contains(&tags[0]));
    // Undone, it is in the trash.
    let undone = trial.call("cms.change.rollback", &json!({ "change_ref": made["change_ref"] }));
    assert_eq!((&undone["restored"], &undone["conflicts"]), (&json!(1), &json!([])));
    assert_eq!(trial.refusal("cms.content.get", &json!({ "item_ref": made["item_ref"] })).code, "item_not_found");
}

#[test]
fn what_runs_is_left_out_of_a_draft_and_told() {
    let trial = Trial::new(Blog::of_editor());
    let made = draft(&trial, &json!({ "format": "html", "body": "<p onclick=\"x()\">Hi</p><script>steal()</script>" }));
    assert_eq!(made["warnings"], json!(["left out: script"]));
    let stored = trial.stored(made["item_ref"].as_str().expect("a reference"));
    assert_eq!(stored["content"]["raw"], "<!-- wp:paragraph -->\n<p>Hi</p>\n<!-- /wp:paragraph -->");
}

#[test]
fn a_draft_with_faults_is_published_only_when_its_checks_are_no_bar() {
    let trial = Trial::new(Blog::of_editor());
    let body = "<h1>Twice</h1><p>See <a href=\"https://shop.example/no-such-page\">this</a>.</p><img src=\"https://shop.example/a.gif\">";
    let made = draft(&trial, &json!({ "format": "html", "body": body }));
    let item = made["item_ref"].clone();
    let refused = trial.refusal("cms.content.publish", &json!({ "item_ref": item, "checks": "block" }));
    assert_eq!(refused.code, "checks_failed");
    let detail: Value = sdk::serde_json::from_str(refused.detail.as_deref().expect("a detail")).expect("JSON");
    assert_eq!(detail["check_results"][0]["check"], "links_answer");
    assert_eq!(trial.stored(item.as_str().expect("a reference"))["status"], "draft", "nothing was changed");
    let published = trial.call("cms.content.publish", &json!({ "item_ref": item }));
    let failed = |name: &str| {
        published["check_results"]
            .as_array()
            .expect("results")
            .iter()
            .any(|it| it["check"] == name && it["passed"] == false)
    };
    assert!(failed("links_answer") && failed("one_h1") && failed("description_present") && !failed("title_unique"));
    assert_eq!((&published["status"], &published["verified"]), (&json!("publish"), &json!(true)));
    assert_eq!(trial.page(published["url"].as_str().expect("a url").trim_start_matches("https://shop.example")).0, 200);
}

#[test]
fn an_item_waits_for_its_moment_and_a_moment_that_has_passed_is_refused() {
    let trial = Trial::new(Blog::of_editor());
    let item = draft(&trial, &json!({}))["item_ref"].clone();
    let past = trial.refusal("cms.content.publish", &json!({ "item_ref": item, "at": "2020-01-01T00:00:00Z" }));
    assert_eq!((past.code.as_str(), past.pointer.as_deref()), ("moment_passed", Some("/at")));
    let later =
        trial.call("cms.content.publish", &json!({ "item_ref": item, "at": "2090-06-01T09:00:00Z", "checks": "off" }));
    assert_eq!(
        (&later["status"], &later["publish_at"], &later["verified"]),
        (&json!("future"), &json!("2090-06-01T09:00:00.000Z"), &json!(null))
    );
    let stored = trial.stored(item.as_str().expect("a reference"));
    assert_eq!((&stored["status"], &stored["date_gmt"]), (&json!("future"), &json!("2090-06-01T09:00:00")));
}

#[test]
fn a_page_that_is_taken_back_keeps_its_links_working() {
    let trial = Trial::new(Blog::of_editor());
    let item = json!("https://shop.example/lamp-2/");
    for (to, code) in [("https://mall.example/", "url_not_of_site"), ("https://shop.example/lamp-2", "self")] {
        let refused = trial.refusal("cms.content.unpublish", &json!({ "item_ref": item, "redirect_to": to }));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some("/redirect_to")));
    }
    let done = trial
        .call("cms.content.unpublish", &json!({ "item_ref": item, "redirect_to": "https://shop.example/lamp-3/" }));
    assert_eq!((&done["status"], &done["inlinks_affected"]), (&json!("draft"), &json!(null)));
    assert!(done["redirect_ref"].is_string(), "{done}");
    assert_eq!(trial.blog.see("/lamp-2/", "").0, 301);
    trial.switch("redirection/redirection", false);
    let done = trial.call(
        "cms.content.unpublish",
        &json!({ "item_ref": "https://shop.example/lamp-4/", "redirect_to": "https://shop.example/lamp-3/" }),
    );
    assert_eq!((&done["status"], &done["redirect_ref"]), (&json!("draft"), &json!(null)));
    assert!(done["degraded"].as_array().expect("a list").iter().any(|it| it["what"] == "redirect_ref"));
}

#[test]
fn what_people_come_to_is_thrown_away_only_when_that_is_known() {
    use kit::crawled::LinkRecord;
    let trial = Trial::new(Blog::of_editor());
    let run = trial.fake.put(site::Run(site::trial::ended("81", 1)));
    let link = LinkRecord {
        run: run.id.to_string(),
        target: "https://shop.example/lamp-5/".to_owned(),
        ..LinkRecord::default()
    };
    trial.fake.put(site::Linked(link));
    let item = json!({ "item_ref": "https://shop.example/lamp-5/" });
    let refused = trial.refusal("cms.content.trash", &item);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("has_traffic", Some("/acknowledge_traffic")));
    assert_eq!(refused.detail.as_deref(), Some("{\"clicks_28d\":null,\"inlinks\":1,\"referring_domains\":null}"));
    assert_eq!(trial.page("/lamp-5/").0, 200);
    let before = trial.stored(&reference(&trial, "/lamp-5/"));
    let done = trial
        .call("cms.content.trash", &json!({ "item_ref": "https://shop.example/lamp-5/", "acknowledge_traffic": true }));
    assert_eq!((&done["trashed"], &done["inlinks"], &done["clicks_28d"]), (&json!(true), &json!(1), &json!(null)));
    assert_eq!(trial.page("/lamp-5/").0, 404);
    trial.call("cms.change.rollback", &json!({ "change_ref": done["change_ref"] }));
    assert_eq!(trial.page("/lamp-5/").0, 200);
    assert_eq!(trial.stored(&reference(&trial, "/lamp-5/")), before, "it is what it was");
    // Nobody of its own links to it, but two other websites do.
    let linked = br#"{"shop.example/lamp-6/":2}"#;
    trial.fake.blobs().write("backlinks.targets/81", linked).expect("a blob");
    let refused = trial.refusal("cms.content.trash", &json!({ "item_ref": "https://shop.example/lamp-6/" }));
    assert_eq!(refused.code, "has_traffic");
    assert!(refused.detail.is_some_and(|it| it.contains("\"referring_domains\":2")));
    trial.fake.blobs().write("backlinks.targets/81", b"").expect("a blob");
    // Nothing is at stake: nobody links to it.
    trial.call("cms.content.trash", &json!({ "item_ref": "https://shop.example/lamp-6/" }));
}

pub(super) fn reference(trial: &Trial, path: &str) -> String {
    let got =
        trial.call("cms.content.get", &json!({ "item_ref": format!("https://shop.example{path}"), "raw": false }));
    got["item"]["item_ref"].as_str().expect("a reference").to_owned()
}
