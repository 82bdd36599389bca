//! Imports: what is counted, what is left out, and what a broken file does.

use kit::pack::Visits;
use sdk::prelude::*;
use sdk::{Fake, json};
use search::Period;
use visits::{Key, Store, Verdict};

use crate::trial::{self, CHROME, GOOGLE, GOOGLEBOT, GPTBOT, OPENAI, STRANGER, from, gzip, import, line, source};

/// Everything that is stored of September, as texts.
fn stored(fake: &Fake) -> Vec<String> {
    let store = Store::own(fake, &Id::new(trial::SITE));
    let day = |text: &str| text.parse::<Day>().expect("a day");
    let period = Period { first: day("2026-08-01"), last: day("2026-09-30") };
    let mut rows = Vec::new();
    store
        .days(period, b"", |key, day, it: Visits| {
            let text = match key {
                Key::Bot { url, family, verdict, status } => {
                    format!("{} {family} {verdict:?} {status}", url.replace(trial::SHOP, ""))
                }
                Key::People { folder, status } => format!("people {folder} {status}"),
                Key::Referral { product, url } => format!("{product} sent to {}", url.replace(trial::SHOP, "")),
                Key::Impostor { family, network, mark } => format!("no {family}: {network} {}", mark.len()),
            };
            rows.push(format!("{day} {text}: {}", it.hits));
        })
        .expect("readable");
    rows
}

const FIRST: &str = "01/Sep/2026:10:20:30";

#[test]
fn requests_are_counted_by_day_bot_and_status_and_bots_are_verified() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let file = [
        line(GOOGLE, FIRST, "/a", 200, GOOGLEBOT),
        line(GOOGLE, "01/Sep/2026:11:20:30", "/a", 200, GOOGLEBOT),
        line(GOOGLE, "02/Sep/2026:11:20:30", "/a", 404, GOOGLEBOT),
        line(STRANGER, "02/Sep/2026:11:20:31", "/a", 200, GOOGLEBOT),
        line(OPENAI, "02/Sep/2026:11:20:32", "/b", 200, GPTBOT),
        line(STRANGER, "02/Sep/2026:11:20:33", "/b", 200, GPTBOT),
        line(STRANGER, "02/Sep/2026:11:20:34", "/blog/x", 200, CHROME),
        line(STRANGER, "02/Sep/2026:11:20:35", "/c", 200, "AcmeFetcher/2.0 (+https://acme.example)"),
        from(STRANGER, "02/Sep/2026:11:20:36", "/b?utm_source=chatgpt.com", 200, CHROME, "https://chatgpt.com/"),
    ]
    .concat();
    let done = import(&fake, &source, file.as_bytes());
    assert_eq!((&done["lines"], &done["parsed"], &done["counted"]), (&json!(9), &json!(9), &json!(9)), "{done}");
    let expected = [
        "2026-09-01 /a googlebot Verified 200: 2",
        "2026-09-02 /a googlebot Verified 404: 1",
        "2026-09-02 /a googlebot Unverified 200: 1",
        "2026-09-02 /b gptbot Verified 200: 1",
        "2026-09-02 /b gptbot Spoofed 200: 1",
        "2026-09-02 /c ?acmefetcher Unverified 200: 1",
        "2026-09-02 people / 200: 1",
        "2026-09-02 people /blog/ 200: 1",
        "2026-09-02 chatgpt sent to /b: 1",
        "2026-09-02 no gptbot: 203.0.113.0/24 12: 1",
    ];
    let mut rows = stored(&fake);
    rows.sort();
    let mut expected: Vec<String> = expected.iter().map(|it| (*it).to_owned()).collect();
    expected.sort();
    assert_eq!(rows, expected);
    let newest = Store::own(&fake, &Id::new(trial::SITE)).newest_of("https://shop.example/a").expect("readable");
    assert_eq!(newest.len(), 1);
    let (family, it) = &newest[0];
    let second = |text: &str| text.parse::<Moment>().expect("a time").millis() / 1_000;
    assert_eq!(family, "googlebot");
    assert_eq!((it.first, it.last), (second("2026-09-01T10:20:30Z"), second("2026-09-02T11:20:31Z")));
    assert_eq!((it.first_verified, it.last_verified), (it.first, second("2026-09-02T11:20:30Z")));
    assert!(done["next"].to_string().contains("logs.bot.verify"), "a name of the address can still tell: {done}");
    assert!(!done.to_string().contains(STRANGER), "{done}");
}

#[test]
fn packed_files_of_several_members_are_the_same_as_plain_ones() {
    let text: String = (0..3_000)
        .map(|at| {
            line(
                GOOGLE,
                &format!("01/Sep/2026:10:{:02}:{:02}", at / 60 % 60, at % 60),
                &format!("/p{}", at % 700),
                200,
                GOOGLEBOT,
            )
        })
        .collect();
    let plain = trial::website();
    import(&plain, &source(&plain, &json!({})), text.as_bytes());
    let packed = trial::website();
    let (first, second) = text.split_at(text.len() / 2);
    let file = [gzip(first), gzip(second)].concat();
    let done = import(&packed, &source(&packed, &json!({})), &file);
    assert_eq!(done["lines"], 3_000);
    assert_eq!(done["degraded"], json!([]), "{done}");
    assert_eq!(stored(&packed), stored(&plain));
    assert_eq!(stored(&plain).len(), 700);
}

#[test]
fn a_file_that_unpacks_to_a_thousand_times_its_size_is_read_in_small_steps() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let lines: String =
        (0..10).map(|at| line(GOOGLE, &format!("01/Sep/2026:10:20:{at:02}"), "/a", 200, GOOGLEBOT)).collect();
    let text = lines + &"a".repeat(24 << 20);
    let mut file = gzip("")[..10].to_vec();
    file.extend(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 1));
    file.extend(crc32fast::hash(text.as_bytes()).to_le_bytes());
    file.extend(u32::try_from(text.len()).expect("small").to_le_bytes());
    assert!(file.len() < text.len() / 100, "{} bytes", file.len());
    let upload = fake.hand_over("text/plain", &file);
    let started = trial::call(&fake, "logs.import.run", &json!({ "source_ref": source, "upload_ref": upload }));
    let mut steps = 0;
    while fake.work_one_step() {
        steps += 1;
    }
    let done = trial::ended(&fake, &started).expect("an import");
    assert_eq!((&done["counted"], &done["rejections"]["too_long"]), (&json!(10), &json!(1)), "{done}");
    assert!(steps >= 8, "each step unpacks little: {steps}");
}

#[test]
fn a_file_that_breaks_is_counted_up_to_there_and_said() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let text = line(GOOGLE, FIRST, "/a", 200, GOOGLEBOT);
    let mut broken = gzip(&text);
    let at = broken.len() - 6;
    broken[at] ^= 1;
    let done = import(&fake, &source, &broken);
    assert_eq!((&done["counted"], &done["degraded"][0]["what"]), (&json!(1), &json!("file")), "{done}");
    let again = line(GOOGLE, "03/Sep/2026:10:20:30", "/a", 200, GOOGLEBOT);
    let cut = gzip(&again);
    let done = import(&fake, &source, &cut[..cut.len() - 4]);
    assert!(done["degraded"].to_string().contains("in the middle of a packed part"), "{done}");
    // Not whole: it may be sent again.
    let done = import(&fake, &source, &cut);
    assert_eq!((&done["counted"], &done["skipped_hours"]), (&json!(0), &json!(1)), "{done}");
}

#[test]
fn lines_that_were_sent_before_are_counted_once() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let hour = |hour: u32, lines: u32| -> String {
        (0..lines)
            .map(|at| {
                line(GOOGLE, &format!("01/Sep/2026:{hour:02}:{:02}:{:02}", at / 60, at % 60), "/a", 200, GOOGLEBOT)
            })
            .collect()
    };
    let all = [hour(10, 100), hour(11, 50)].concat();
    import(&fake, &source, all.as_bytes());
    let upload = fake.hand_over("text/plain", all.as_bytes());
    let same = fake.refusal("logs.import.run", json!({ "source_ref": source, "upload_ref": upload }));
    assert_eq!((same.code.as_str(), same.pointer.as_deref()), ("duplicate_file", Some("/upload_ref")));
    // The rotated log, with more of the last hour and a new one: the first hour is known, the second has grown.
    let more = [hour(10, 100), hour(11, 80), hour(12, 10)].concat();
    let done = import(&fake, &source, more.as_bytes());
    assert_eq!((&done["counted"], &done["skipped_hours"]), (&json!(90), &json!(1)), "{done}");
    assert_eq!(stored(&fake), ["2026-09-01 /a googlebot Verified 200: 190"]);
    // Less of an hour than was counted changes nothing.
    let less = hour(11, 20);
    assert_eq!(import(&fake, &source, less.as_bytes())["counted"], 0);
    assert_eq!(stored(&fake), ["2026-09-01 /a googlebot Verified 200: 190"]);
    // What follows within the hour is added: the log was rotated in its middle.
    let rest: String =
        (0..5).map(|at| line(GOOGLE, &format!("01/Sep/2026:12:30:{at:02}"), "/a", 200, GOOGLEBOT)).collect();
    import(&fake, &source, rest.as_bytes());
    assert_eq!(stored(&fake), ["2026-09-01 /a googlebot Verified 200: 195"]);
    // The same lines of another server are others.
    let upload = fake.hand_over("text/plain", format!("{all}\n").as_bytes());
    let other = json!({ "source_ref": source, "upload_ref": upload, "stream": "web-2" });
    assert_eq!(trial::ran(&fake, &other).expect("an import")["counted"], 150);
    assert_eq!(stored(&fake), ["2026-09-01 /a googlebot Verified 200: 345"]);
}

#[test]
fn a_part_that_was_imported_first_does_not_stand_in_the_way_of_the_whole() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let file: String =
        (1..=4).map(|day| line(GOOGLE, &format!("{day:02}/Sep/2026:10:00:00"), "/a", 200, GOOGLEBOT)).collect();
    let upload = fake.hand_over("text/plain", file.as_bytes());
    let some = json!({ "source_ref": source, "upload_ref": upload, "from": "2026-09-02", "to": "2026-09-03" });
    assert_eq!(trial::ran(&fake, &some).expect("an import")["counted"], 2);
    let all = json!({ "source_ref": source, "upload_ref": upload });
    let done = trial::ran(&fake, &all).expect("an import");
    assert_eq!((&done["counted"], &done["skipped_hours"]), (&json!(2), &json!(2)), "{done}");
    assert_eq!(stored(&fake).len(), 4);
}

#[test]
fn other_hosts_other_days_and_other_formats_are_left_out() {
    let fake = trial::website();
    let vhosts = source(&fake, &json!({ "name": "all", "format": "vhost_combined" }));
    let file = format!(
        "www.shop.example {}blog.example {}",
        line(GOOGLE, FIRST, "/a", 200, GOOGLEBOT),
        line(GOOGLE, FIRST, "/b", 200, GOOGLEBOT)
    );
    let upload = fake.hand_over("text/plain", file.as_bytes());
    let arguments = json!({ "source_ref": vhosts, "upload_ref": upload, "from": "2026-09-01", "to": "2026-09-01" });
    let done = trial::ran(&fake, &arguments).expect("an import");
    assert_eq!((&done["counted"], &done["other_hosts"]), (&json!(2), &json!(1)), "{done}");
    assert_eq!(stored(&fake), ["2026-09-01 https://www.shop.example/a googlebot Verified 200: 1"]);
    let web = source(&fake, &json!({}));
    let upload = fake.hand_over("text/plain", b"no line\nof it\n");
    let wrong = trial::ran(&fake, &json!({ "source_ref": web, "upload_ref": upload })).expect_err("a refusal");
    assert_eq!(wrong.code, "wrong_format");
    assert!(wrong.message.contains("logs.format.detect"), "{}", wrong.message);
    let upload = fake.hand_over("text/plain", line(GOOGLE, "05/Sep/2026:10:00:00", "/a", 200, GOOGLEBOT).as_bytes());
    let arguments = json!({ "source_ref": web, "upload_ref": upload, "to": "2026-09-04" });
    assert_eq!(trial::ran(&fake, &arguments).expect("an import")["counted"], 0);
}

#[test]
fn what_cannot_be_imported_is_refused_before_anything_is_charged() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let refused = |arguments| {
        let fault = fake.refusal("logs.import.run", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    let pair = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(refused(json!({ "source_ref": "none", "upload_ref": "x" })), pair("source_not_found", "/source_ref"));
    assert_eq!(refused(json!({ "source_ref": source })), pair("file_required", "/upload_ref"));
    assert_eq!(refused(json!({ "source_ref": source, "upload_ref": "none" })), pair("upload_not_found", "/upload_ref"));
    let both = json!({ "source_ref": source, "upload_ref": "x", "url": "https://shop.example/log" });
    assert_eq!(refused(both), pair("one_source", "/url"));
    let reversed = json!({ "source_ref": source, "upload_ref": "x", "from": "2026-09-02", "to": "2026-09-01" });
    assert_eq!(refused(reversed), pair("range_reversed", "/to"));
    let zip = fake.hand_over("text/plain", b"PK\x03\x04rest");
    assert_eq!(refused(json!({ "source_ref": source, "upload_ref": zip })), pair("not_unpacked", "/upload_ref"));
    let empty = fake.hand_over("text/plain", b"");
    assert_eq!(refused(json!({ "source_ref": source, "upload_ref": empty })), pair("file_empty", "/upload_ref"));
}

#[test]
fn a_file_is_fetched_from_its_address() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let url = "https://shop.example/access.log.gz";
    fake.serve(url, 200, &[("content-type", "application/gzip")], &gzip(&line(GOOGLE, FIRST, "/a", 200, GOOGLEBOT)));
    let done = trial::ran(&fake, &json!({ "source_ref": source, "url": url })).expect("an import");
    assert_eq!(done["counted"], 1, "{done}");
    let again = trial::ran(&fake, &json!({ "source_ref": source, "url": url })).expect_err("the same file");
    assert_eq!(again.code, "duplicate_file");
    let missing = json!({ "source_ref": source, "url": "https://shop.example/none" });
    assert_eq!(trial::ran(&fake, &missing).expect_err("a refusal").code, "file_not_fetched");
}

#[test]
fn imports_are_listed_with_the_days_that_are_missing() {
    let fake = trial::website();
    let source = source(&fake, &json!({}));
    let file: String = [1, 2, 5]
        .iter()
        .map(|day| line(GOOGLE, &format!("{day:02}/Sep/2026:10:00:00"), "/a", 200, GOOGLEBOT))
        .collect();
    import(&fake, &source, file.as_bytes());
    let listed = trial::call(&fake, "logs.import.list", &json!({ "site_id": trial::SITE }));
    assert_eq!((&listed["total"], &listed["imports"][0]["state"]), (&json!(1), &json!("succeeded")), "{listed}");
    assert_eq!(listed["imports"][0]["counted"], 3);
    let gaps: Vec<&str> =
        listed["gaps"].as_array().expect("gaps").iter().filter_map(|it| it["date"].as_str()).collect();
    assert_eq!(gaps, ["2026-09-04", "2026-09-03"]);
    assert_eq!(listed["covered"][2], json!({ "date": "2026-09-05", "lines": 1 }));
    assert_eq!(fake.refusal("logs.import.list", json!({ "site_id": "1" })).code, "website_not_found");
}

#[test]
fn verdicts_are_in_the_order_of_their_digits() {
    let key = Key::Bot { url: "u", family: "f", verdict: Verdict::Spoofed, status: 200 };
    assert_eq!(Key::read(&key.bytes()), Some(key));
}
