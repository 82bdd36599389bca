//! What `wordpress` promises, against the simulated blog and its other editors.

use sdk::json;
use sdk::serde_json::{Value, from_str};
use simulators::Blog;

use crate::change::{What, Why};
use crate::seo::{self, How, Name, Plugin, Values};
use crate::trial::{Loss, Trial};
use crate::{Listing, Patch, Reference, Undone, create, intend, put_back, trash, write};

fn why() -> Why {
    Why::call("81", "cms.content.update", What::Fields, "bat_1")
}

fn content(text: &str) -> Patch {
    Patch { content: Some(text.to_owned()), ..Patch::default() }
}

fn undo(trial: &Trial, force: bool) -> Undone {
    let last = trial.changes().pop().expect("a change");
    put_back(&trial.fake, &last, None, force, &why()).expect("an answer")
}

#[test]
fn an_item_is_found_by_its_address_and_read_by_its_reference() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    assert_eq!(
        (item.at.base.as_str(), item.fields.slug.as_str(), item.fields.status.as_str()),
        ("posts", "lamp-1", "publish")
    );
    assert!(item.rights.unfiltered_html && item.terms.contains_key("categories"));
    let blog = trial.installation();
    let by = |text: &str| blog.meant(&trial.fake, text).expect("an answer").map(|it| it.at.id);
    let id = Some(item.at.id);
    for (text, found) in [
        (item.at.to_string(), id),
        ("https://www.shop.example/LAMP-1".to_owned(), id),
        (format!("https://shop.example/?p={}", item.at.id), id),
        ("https://shop.example/lamp-1/more".to_owned(), None),
        ("https://mall.example/lamp-1/".to_owned(), None),
        ("https://shop.example/".to_owned(), None),
        (item.at.to_string().replace("con_1", "con_2"), None),
        ("con_1/posts/../users/1".to_owned(), None),
        ("con_1/users/1".to_owned(), None),
        ("lamp-1".to_owned(), None),
    ] {
        assert_eq!(by(&text), found, "{text}");
    }
    assert_eq!(Reference::read(&item.at.to_string()), Some(item.at));
}

#[test]
fn lists_are_paged_and_count_all() {
    let trial = Trial::new(Blog::of_editor());
    let blog = trial.installation();
    let page =
        |page| blog.list(&trial.fake, "posts", &Listing { per_page: 5, page, ..Listing::default() }).expect("a page");
    let (first, second) = (page(1), page(2));
    assert!(first.total > 10 && first.items.len() == 5 && first.items[0].at != second.items[0].at);
    assert_eq!(page(1_000).items, Vec::new());
    let refused = blog.list(&trial.fake, "lampshades", &Listing::default()).unwrap_err();
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("type_not_found", Some("/type")));
}

#[test]
fn what_somebody_else_changed_since_it_was_read_is_never_written_over() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    trial.edit(&item, &json!({ "content": "<p>Theirs.</p>" }));
    let refused = write(&trial.fake, &item, &content("<p>Ours.</p>"), &why()).unwrap_err();
    assert_eq!(refused.code, "edit_conflict");
    let detail: Value = from_str(refused.detail.as_deref().expect("a detail")).expect("JSON");
    assert_eq!(detail["differs"], json!(["content"]));
    assert_eq!(trial.item("/lamp-1/").fields.content, "<p>Theirs.</p>");
    // Another member is not in the way.
    let title = Patch { title: Some("A better lamp".to_owned()), ..Patch::default() };
    assert!(write(&trial.fake, &item, &title, &why()).expect("a write").exact);
    assert_eq!(trial.changes().len(), 1);
}

#[test]
fn who_saves_between_the_reading_and_the_write_gets_it_back() {
    for kind in 0..100 {
        let blog = Blog::of_editor();
        let trial = Trial::new(blog.clone());
        let item = trial.item("/lamp-1/");
        let theirs = format!("<p>Theirs, number {kind}.</p>");
        let (path, body) = (item.at.path(), json!({ "content": theirs }).to_string());
        let once = std::cell::Cell::new(false);
        trial.fake.provider_plays(move |asked| {
            if asked.method == "POST" && !once.replace(true) {
                assert_eq!(blog.ask("POST", &path, &[], body.as_bytes(), &[]).0, 200);
            }
            Some(Ok(blog.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
        });
        let refused = write(&trial.fake, &item, &content("<p>Ours.</p>"), &why()).unwrap_err();
        assert_eq!(refused.code, "edit_conflict");
        assert_eq!(trial.item("/lamp-1/").fields.content, theirs);
        assert_eq!(trial.changes().len(), 0);
    }
}

#[test]
fn a_write_whose_answer_is_lost_is_looked_for() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    trial.loss.set(Loss::Before);
    assert_eq!(write(&trial.fake, &item, &content("<p>1</p>"), &why()).unwrap_err().code, "unknown_outcome");
    trial.loss.set(Loss::After);
    assert!(write(&trial.fake, &item, &content("<p>1</p>"), &why()).expect("a write").exact);
    let title = Patch { title: Some("Once".to_owned()), slug: Some("once".to_owned()), ..Patch::default() };
    let made = create(&trial.fake, &trial.installation(), "posts", &title, "0a1b2c3d", &why()).expect("an item");
    trial.loss.set(Loss::None);
    let found = trial.installation().list(
        &trial.fake,
        "posts",
        &Listing { status: vec!["draft".to_owned()], search: Some("once".to_owned()), ..Listing::default() },
    );
    assert_eq!(found.expect("a list").items.iter().filter(|it| it.fields.title == "Once").count(), 1);
    assert_eq!(made.item.fields.status, "draft");
}

#[test]
fn a_job_keeps_what_was_there_before_it_writes_so_that_a_lost_answer_loses_nothing() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    let patch = content("<p>Ours.</p>");
    let id = intend(&trial.fake, &item, &patch, &why()).expect("a record").expect("a change");
    assert!(trial.changes()[0].pending);
    let why = Why { intent: Some(id), ..why() };
    // The write took effect, and nobody heard of it: the whole step is tried again.
    trial.edit(&item, &json!({ "content": "<p>Ours.</p>" }));
    let written = write(&trial.fake, &trial.item("/lamp-1/"), &patch, &why).expect("a write");
    assert_eq!((trial.changes().len(), trial.changes()[0].pending, written.change), (1, false, why.intent.clone()));
    assert!(matches!(undo(&trial, false), Undone::Restored(_)));
    assert_eq!(trial.item("/lamp-1/").fields, item.fields);
    // What somebody else changed between the steps is left alone.
    let id = intend(&trial.fake, &item, &patch, &why).expect("a record");
    trial.edit(&item, &json!({ "content": "<p>Theirs.</p>" }));
    let late = write(&trial.fake, &trial.item("/lamp-1/"), &patch, &Why { intent: id, ..why }).unwrap_err();
    assert_eq!(late.code, "edit_conflict");
    assert_eq!(trial.item("/lamp-1/").fields.content, "<p>Theirs.</p>");
}

#[test]
fn a_change_that_nothing_was_left_of_is_no_change() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    let id = intend(&trial.fake, &item, &content("<p>Ours.</p>"), &why()).expect("a record");
    // Between the steps somebody took out what was to be changed: nothing is left to write, and nothing was written.
    trial.edit(&item, &json!({ "content": "<p>Theirs.</p>" }));
    let why = Why { intent: id, ..why() };
    let refused = write(&trial.fake, &trial.item("/lamp-1/"), &Patch::default(), &why).unwrap_err();
    assert_eq!(refused.code, "edit_conflict");
}

#[test]
fn what_was_published_is_known_by_the_address_that_it_had_and_other_types_are_read_alone() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    let draft = Patch { status: Some("draft".to_owned()), ..Patch::default() };
    write(&trial.fake, &item, &draft, &why()).expect("a write");
    assert_eq!(trial.changes()[0].url, item.link);
    let mut other = item;
    other.at.base = "events".to_owned();
    assert_eq!(write(&trial.fake, &other, &draft, &why()).unwrap_err().code, "type_read_only");
    assert_eq!(trash(&trial.fake, &other, &why()).unwrap_err().code, "type_read_only");
}

#[test]
fn a_content_that_the_user_may_not_write_is_put_back() {
    let trial = Trial::new(Blog::of_author());
    let item = trial.item("/lamp-1/");
    assert!(!item.rights.unfiltered_html);
    let refused = write(&trial.fake, &item, &content("<p>a</p><script>1</script>"), &why()).unwrap_err();
    assert_eq!(refused.code, "unfiltered_html_missing");
    assert_eq!(trial.item("/lamp-1/").fields, item.fields);
    assert!(trial.changes().is_empty());
}

#[test]
fn a_hundred_edits_are_taken_back_to_the_bytes_before() {
    let trial = Trial::new(Blog::of_editor());
    let installation = trial.installation();
    let pages = ["/lamp-1/", "/lamp-2/", "/lamp-3/"];
    for number in 0_u64..100 {
        let before = trial.item(pages[usize::try_from(number % 3).expect("a small number")]);
        let text = |what: &str| {
            format!(
                "{what} {number} \r\n\t„Grüße“ &amp; <b>🙂</b>{}",
                " ".repeat(usize::try_from(number % 5).expect("small"))
            )
        };
        let mut patch = Patch::default();
        for (bit, name) in
            ["title", "content", "excerpt", "slug", "terms.tags", "meta._yoast_wpseo_title"].iter().enumerate()
        {
            if (number + 1) & (1 << bit) != 0 || number % 7 == bit as u64 {
                let value = match *name {
                    "slug" => json!(format!("moved-{number}")),
                    "terms.tags" => json!([6 + number % 2]),
                    // Longer than what stands in a record.
                    "content" => json!(text(name).repeat(30)),
                    _ => json!(text(name)),
                };
                patch.set(name, &value);
            }
        }
        let written = write(&trial.fake, &before, &patch, &why()).expect("a write");
        assert!(written.exact && written.item.edit_hash() != before.edit_hash());
        assert!(matches!(undo(&trial, false), Undone::Restored(_)), "{number}");
        let after = installation.read(&trial.fake, &before.at).expect("an answer").expect("the item");
        assert_eq!(
            (&after.fields, &after.terms, &after.meta),
            (&before.fields, &before.terms, &before.meta),
            "{number}"
        );
        assert_eq!(after.edit_hash(), before.edit_hash());
    }
}

#[test]
fn of_an_edited_text_only_the_own_part_is_taken_out() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    let raw = item.fields.content.clone();
    let linked = raw.replacen("lifetime", "<a href=\"/x\">lifetime</a>", 1);
    assert_ne!(raw, linked);
    write(&trial.fake, &item, &content(&linked), &why()).expect("a write");
    // An editor adds a paragraph far from it.
    trial.edit(&item, &json!({ "content": format!("<p>New first words.</p>{linked}") }));
    assert!(matches!(undo(&trial, false), Undone::Part(_)));
    assert_eq!(trial.item("/lamp-1/").fields.content, format!("<p>New first words.</p>{raw}"));
    // An editor writes over the part itself.
    let item = trial.item("/lamp-2/");
    write(&trial.fake, &item, &content("<p>Ours.</p>"), &why()).expect("a write");
    trial.edit(&item, &json!({ "content": "<p>Theirs.</p>" }));
    assert_eq!(undo(&trial, false), Undone::Edited(vec!["content".to_owned()]));
    assert_eq!(trial.item("/lamp-2/").fields.content, "<p>Theirs.</p>");
    // By force it is written over, and that too can be taken back.
    assert!(matches!(undo(&trial, true), Undone::Restored(_)));
    assert_eq!(trial.item("/lamp-2/").fields.content, item.fields.content);
    assert!(matches!(undo(&trial, false), Undone::Restored(_)));
    assert_eq!(trial.item("/lamp-2/").fields.content, "<p>Theirs.</p>");
}

#[test]
fn an_item_comes_back_out_of_the_trash_under_its_own_address() {
    let trial = Trial::new(Blog::of_editor());
    let item = trial.item("/lamp-1/");
    trash(&trial.fake, &item, &why()).expect("the trash");
    assert_eq!(trial.installation().read(&trial.fake, &item.at).expect("an answer"), None);
    assert!(matches!(undo(&trial, false), Undone::Restored(_)));
    let back = trial.installation().read_any(&trial.fake, &item.at).expect("an answer").expect("the item");
    assert_eq!(back.fields, item.fields);
    // What was made goes to the trash, unless somebody has worked on it.
    let made = create(
        &trial.fake,
        &trial.installation(),
        "posts",
        &content("<p>New.</p>"),
        "11112222",
        &Why { what: What::Created, ..why() },
    )
    .expect("an item");
    trial.edit(&made.item, &json!({ "content": "<p>Worked on.</p>" }));
    assert!(matches!(undo(&trial, false), Undone::Edited(_)));
    trial.edit(&made.item, &json!({ "content": "<p>New.</p>" }));
    assert!(matches!(undo(&trial, false), Undone::Restored(_)));
}

fn switch(trial: &Trial, plugin: &str, on: bool) {
    let body = json!({ "status": if on { "active" } else { "inactive" } }).to_string();
    let said = trial.blog.ask("POST", &format!("/wp-json/wp/v2/plugins/{plugin}"), &[], body.as_bytes(), &[]);
    assert_eq!(said.0, 200);
    trial.fake.cache().put("wordpress/seo/con_1", &json!(null), 60);
}

const YOAST: &str = "wordpress-seo/wp-seo";
const RANK_MATH: &str = "seo-by-rank-math/rank-math";
const AIOSEO: &str = "all-in-one-seo-pack/all_in_one_seo_pack";
const BRIDGE: &str = "seo-keys-in-rest/seo-keys-in-rest";

#[test]
fn each_seo_plugin_is_found_with_the_fields_that_it_lets_read_and_write() {
    let trial = Trial::new(Blog::of_editor());
    let found = || seo::detect(&trial.fake, &trial.installation()).expect("an answer");
    let three = found();
    assert_eq!((three.plugin, three.how), (Some(Plugin::Yoast), Some(How::Meta)));
    assert_eq!(three.writes("posts"), [Name::Title, Name::Description]);
    assert_eq!(three.writes("pages"), []);
    assert!(three.degraded("posts").is_some());
    switch(&trial, BRIDGE, true);
    assert_eq!((found().writes("pages"), found().degraded("pages")), (&Name::ALL[..], None));
    switch(&trial, YOAST, false);
    switch(&trial, RANK_MATH, true);
    switch(&trial, BRIDGE, false);
    let rank_math = found();
    assert_eq!((rank_math.plugin, rank_math.how), (Some(Plugin::RankMath), Some(How::Endpoint)));
    assert_eq!((rank_math.reads("posts"), rank_math.writes("posts").len()), (&[][..], 7));
    switch(&trial, RANK_MATH, false);
    assert_eq!(found().plugin, None);
    switch(&trial, AIOSEO, true);
    assert_eq!(
        (found().plugin, found().how, found().writes("pages").len()),
        (Some(Plugin::Aioseo), Some(How::Field), 6)
    );
}

#[test]
fn seo_fields_are_written_in_the_keys_of_each_plugin_and_taken_back() {
    for (plugin, bridged, readable) in [
        (YOAST, false, true),
        (YOAST, true, true),
        (RANK_MATH, false, false),
        (RANK_MATH, true, true),
        (AIOSEO, false, true),
    ] {
        let trial = Trial::new(Blog::of_editor());
        switch(&trial, YOAST, false);
        switch(&trial, plugin, true);
        switch(&trial, BRIDGE, bridged);
        let seo = seo::detect(&trial.fake, &trial.installation()).expect("an answer");
        let item = trial.item("/lamp-1/");
        let mut values = Values {
            title: Some("Brass lamps".to_owned()),
            description: Some("They last.".to_owned()),
            ..Values::default()
        };
        if seo.writes("posts").contains(&Name::Robots) {
            values.robots = Some(vec!["noindex".to_owned(), "nofollow".to_owned()]);
        }
        let why = Why { what: What::Seo, ..why() };
        seo::put(&trial.fake, &seo, &item, &values, &why).expect("a write");
        let page = String::from_utf8(trial.blog.see("/lamp-1/", "").2).expect("text");
        assert!(page.contains("<title>Brass lamps</title>") && page.contains("content=\"They last.\""), "{page}");
        assert_eq!(page.contains("noindex, nofollow"), values.robots.is_some(), "{plugin} {bridged}");
        let now = trial.item("/lamp-1/");
        if readable {
            assert_eq!(seo::stored(&seo, &now), values, "{plugin} {bridged}");
            assert!(matches!(undo(&trial, false), Undone::Restored(_)));
            let back = trial.item("/lamp-1/");
            assert_eq!(
                (&back.fields, &back.meta, &back.aioseo),
                (&item.fields, &item.meta, &item.aioseo),
                "{plugin} {bridged}"
            );
        } else {
            assert_eq!(seo::stored(&seo, &now), Values::default());
            assert_eq!(undo(&trial, false), Undone::Unknown);
        }
    }
}

#[test]
fn a_title_with_variables_of_a_plugin_is_told_from_one_without() {
    for (plugin, text, is) in [
        (Plugin::Yoast, "%%title%% %%sep%% %%sitename%%", true),
        (Plugin::Yoast, "100%% wool", false),
        (Plugin::RankMath, "%title% - %sitename%", true),
        (Plugin::RankMath, "Save 20% now", false),
        (Plugin::RankMath, "From 10% to 20% off", false),
        (Plugin::Aioseo, "#post_title #separator_sa #site_title", true),
        (Plugin::Aioseo, "Our #1 lamp", false),
    ] {
        assert_eq!(seo::is_template(plugin, text), is, "{text}");
    }
}

#[test]
fn the_bridge_registers_every_key_and_is_one_php_file() {
    for plugin in [Plugin::Yoast, Plugin::RankMath] {
        let text = seo::bridge(plugin).expect("a text");
        assert!(text.starts_with("<?php") && text.contains("edit_post") && text.contains("show_in_rest"));
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        assert_eq!(text.matches('(').count(), text.matches(')').count());
    }
    assert_eq!(seo::bridge(Plugin::Aioseo), None);
}
