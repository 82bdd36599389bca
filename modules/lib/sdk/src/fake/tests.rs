//! The rules of the host, kept by the fake, on a small module of notes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use crate::prelude::*;
use crate::{Collection, Export, Failure, Fake, JobState, Module};

#[record(collection = "notes", index(topic, rank))]
struct Note {
    topic: Text<1, 20>,
    rank: i64,
}

#[args]
struct Find {
    topic: Text<1, 20>,
    #[default(2)]
    limit: Count<1, 100>,
    cursor: Option<Cursor>,
    at_least: Option<i64>,
    below: Option<i64>,
    #[default(false)]
    last_first: bool,
}

#[page]
struct Notes {
    notes: Vec<Stored<Note>>,
}

/// Finds notes.
#[operation(read, scope = "assets:read", cost = list)]
fn find(cx: &Cx, args: Find) -> Result<Notes> {
    let mut query = cx.records::<Note>().by("topic_rank").equals(&args.topic);
    if let Some(rank) = args.at_least {
        query = query.at_least(rank);
    }
    if let Some(rank) = args.below {
        query = query.below(rank);
    }
    if args.last_first {
        query = query.descending();
    }
    Ok(query.page(args.limit, args.cursor)?.into())
}

#[args]
struct Add {
    ranks: List<i64, 1, 5_000>,
    /// Refuse after writing.
    #[default(false)]
    refuse: bool,
}

#[value]
struct Added {
    added: u32,
}

/// Adds notes.
///
/// Many at once.
#[operation(write, scope = "assets:write", cost = bulk(most = ranks), side_effects = ["adds notes"], examples = [{ "ranks": [1] }])]
fn add(cx: &Cx, args: Add) -> Result<Answer<Added>> {
    let rows: Vec<_> = args.ranks.iter().map(|rank| note("a", *rank)).collect();
    let added = cx.records().put_many(&rows)?;
    if args.refuse {
        return Err(Fault::conflict("refused_late", "after writing"));
    }
    Ok(Answer::new(Added { added }).units(u64::from(added)))
}

/// Writes although it is a read.
#[operation(read, scope = "assets:read", cost = indexed_read)]
fn sneak(cx: &Cx, _: sdk::value::Nothing) -> Result<Added> {
    cx.records().insert(note("a", 1))?;
    Ok(Added { added: 1 })
}

#[value]
struct Started {
    job_ref: Id<Job>,
}

/// Counts down in steps.
#[operation(
    job,
    scopes = ["seo:analyze"],
    cost = job(unit = "counts", every = 50, most = from),
    queued(step = "count"),
    result_operation = "notes.find",
    native_price(unit = "counts", every = 10, credits_milli = 500, most = from, otherwise = 5)
)]
fn start(cx: &Cx, args: Start) -> Result<Started> {
    Ok(Started { job_ref: cx.jobs().enqueue("count", &args)? })
}

#[args]
struct Start {
    from: Count<0, 100>,
}

#[value]
struct Left {
    left: i64,
}

/// One count a step; 13 is bad luck.
#[step]
fn count(cx: &Cx, payload: Start, checkpoint: Option<Left>) -> Result<Step<Left, Left, Left>> {
    let left = checkpoint.map_or(payload.from.get(), |it| it.left);
    cx.records().insert(note("count", left))?;
    match left {
        13 => Err(Fault::unavailable("bad_luck", "thirteen")),
        0 => Ok(Step::done(Left { left }, Left { left })),
        _ => Ok(Step::next(Left { left: left - 1 }, Left { left }).after(1_000).units(1)),
    }
}

fn note(topic: &str, rank: i64) -> Note {
    Note { topic: topic.parse().unwrap(), rank }
}

fn module() -> Module {
    Module {
        name: "notes",
        operations: vec![
            Export { id: "notes.find", name: "find", it: find::operation() },
            Export { id: "notes.add", name: "add", it: add::operation() },
            Export { id: "notes.sneak", name: "sneak", it: sneak::operation() },
            Export { id: "notes.start", name: "start", it: start::operation() },
        ],
        routes: Vec::new(),
        steps: vec![Export { id: "notes.count", name: "count", it: count::step() }],
        collections: vec![Collection::of::<Note>()],
        raw: Vec::new(),
        untrusted: Vec::new(),
    }
}

fn fake() -> Fake {
    Fake::new(module())
}

fn stops(act: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(act)).expect_err("it should have been stopped");
    panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned())).unwrap()
}

fn ranks(page: &Value) -> Vec<i64> {
    page["notes"].as_array().unwrap().iter().map(|it| it["rank"].as_i64().unwrap()).collect()
}

#[test]
fn a_contract_says_all_that_the_attribute_and_the_types_say() {
    let contracts: Value = serde_json::from_str(&module().contracts()).unwrap();
    let add = &contracts["operations"][1];
    let expected = json!({
        "id": "notes.add",
        "export": "add",
        "kind": "write",
        "mode": "immediate",
        "scopes": ["assets:write"],
        "summary": "Adds notes.",
        "description": "Many at once.",
        "cost": {
            "class": "bulk",
            "base": 3,
            "per": { "unit": "items", "every": 25, "points": 1, "free": 0, "most": { "argument": "ranks", "otherwise": 5_000 } },
        },
        "side_effects": ["adds notes"],
        "arguments": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "ranks": { "type": "array", "items": { "type": "integer" }, "minItems": 1, "maxItems": 5_000 },
                "refuse": { "type": "boolean", "default": false, "description": "Refuse after writing." },
            },
            "required": ["ranks"],
        },
        "result": { "type": "object", "properties": { "added": { "type": "integer", "minimum": 0 } }, "required": ["added"] },
        "examples": [{ "ranks": [1] }],
        "needs": [],
        "phrasings": [],
        "secrets": [],
    });
    assert_eq!(*add, expected);
    let start = &contracts["operations"][3];
    assert_eq!((&start["mode"], &start["step"]), (&json!("queued"), &json!("count")));
    let price =
        json!({ "unit": "counts", "every": 10, "credits_milli": 500, "most": { "argument": "from", "otherwise": 5 } });
    assert_eq!(start["native_price"], price);
    assert_eq!(start["cost"]["per"]["most"], json!({ "argument": "from", "otherwise": 100 }));
    assert_eq!(contracts["steps"], json!([{ "name": "count", "export": "count" }]));
    let indexes = json!([{ "name": "topic_rank", "fields": ["topic", "rank"] }]);
    assert_eq!(contracts["collections"], json!([{ "name": "notes", "indexes": indexes }]));
    module().assert_whole();
}

#[test]
fn pages_follow_each_other_without_gap_or_repetition() {
    let fake = fake();
    for rank in [3, 1, 2, 2, 2, 1] {
        fake.put(note("a", rank));
        fake.put(note("b", rank));
    }
    for (last_first, expected) in [(false, [1, 1, 2, 2, 2, 3]), (true, [3, 2, 2, 2, 1, 1])] {
        let (mut seen, mut ids, mut cursor) = (Vec::new(), Vec::new(), Value::Null);
        loop {
            let mut arguments = json!({ "topic": "a", "last_first": last_first });
            if cursor.is_string() {
                arguments["cursor"] = cursor;
            }
            let page = fake.reply("notes.find", arguments).unwrap();
            assert_eq!(page.units, page.data["notes"].as_array().unwrap().len() as u64);
            seen.extend(ranks(&page.data));
            ids.extend(page.data["notes"].as_array().unwrap().iter().map(|it| it["note_ref"].to_string()));
            cursor = page.data["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(seen, expected);
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 6);
    }
}

#[test]
fn a_range_has_its_beginning_and_not_its_end() {
    let fake = fake();
    for rank in 1..=5 {
        fake.put(note("a", rank));
    }
    let page = fake.call("notes.find", json!({ "topic": "a", "limit": 10, "at_least": 2, "below": 4 })).unwrap();
    assert_eq!(ranks(&page), [2, 3]);
}

#[test]
fn only_declared_indexes_can_be_asked() {
    let fake = fake();
    assert!(stops(|| drop(fake.records::<Note>().by("rank").first())).contains("Undeclared"));
    assert!(
        stops(|| drop(fake.records::<Note>().by("topic_rank").equals("a").equals(1).equals(2).first()))
            .contains("Malformed")
    );
}

#[test]
fn a_read_that_writes_is_stopped() {
    assert!(stops(|| drop(fake().call("notes.sneak", json!({})))).contains("a read was stopped"));
}

#[test]
fn a_refused_call_leaves_nothing_behind() {
    let fake = fake();
    assert_eq!(fake.refusal("notes.add", json!({ "ranks": [1, 2], "refuse": true })).code, "refused_late");
    assert!(fake.rows::<Note>().is_empty());
    assert_eq!(fake.reply("notes.add", json!({ "ranks": [1, 2] })).unwrap().units, 2);
    assert_eq!(fake.rows::<Note>().len(), 2);
}

#[test]
fn a_scan_reads_past_one_chunk() {
    let fake = fake();
    let all: Vec<i64> = (0..2_500).collect();
    fake.call("notes.add", json!({ "ranks": all })).unwrap();
    assert_eq!(fake.records::<Note>().all().scan().map(|it| it.rank).collect::<Vec<_>>(), all);
    assert_eq!(fake.records::<Note>().by("topic_rank").equals("a").at_least(2_000).count(), 500);
}

#[test]
fn of_two_changes_to_one_row_the_second_is_told() {
    let fake = fake();
    let notes = fake.records::<Note>();
    let stored = fake.put(note("a", 1));
    let changed = notes.update(&stored.id, |it| it.rank = 2).unwrap();
    assert_eq!((changed.version, changed.rank), (2, 2));
    assert_eq!(notes.save(stored.clone()).unwrap_err().code, "changed_meanwhile");
    assert_eq!(notes.remove(&stored).unwrap_err().code, "changed_meanwhile");
    notes.remove(&changed).unwrap();
    assert_eq!(notes.get(&stored.id).unwrap_err().code, "note_not_found");
    assert_eq!(notes.update(&stored.id, |_| ()).unwrap_err().code, "note_not_found");
    let named = notes.insert_as(Id::new("mine"), note("a", 1)).unwrap();
    assert_eq!(notes.insert_as(named.id, note("a", 1)).unwrap_err().code, "note_exists");
}

#[test]
fn a_job_goes_on_from_its_checkpoint() {
    let fake = fake();
    let job: Id<Job> = Id::new(fake.call("notes.start", json!({ "from": 2 })).unwrap()["job_ref"].as_str().unwrap());
    assert_eq!(fake.jobs().get(&job).unwrap().state, JobState::Queued);
    assert!(fake.work_one_step());
    let running = fake.jobs().get(&job).unwrap();
    assert_eq!((running.state, running.progress::<Left>()), (JobState::Running, Some(Left { left: 2 })));
    assert_eq!(fake.work(), 2);
    let done = fake.jobs().get(&job).unwrap();
    assert_eq!((done.state, done.result::<Left>()), (JobState::Succeeded, Some(Left { left: 0 })));
    assert_eq!(done.changed.since(done.created), 2_000);
    assert_eq!(fake.rows::<Note>().len(), 3);
}

#[test]
fn a_step_that_is_refused_ends_the_job_and_leaves_nothing_of_itself() {
    let fake = fake();
    let job: Id<Job> = Id::new(fake.call("notes.start", json!({ "from": 14 })).unwrap()["job_ref"].as_str().unwrap());
    fake.work();
    let failed = fake.jobs().get(&job).unwrap();
    assert_eq!(failed.fault().unwrap().0, "bad_luck");
    assert_eq!((failed.state, failed.result::<Left>()), (JobState::Failed, None));
    assert_eq!(fake.rows::<Note>().iter().map(|it| it.rank).collect::<Vec<_>>(), [14]);
}

#[test]
fn a_quote_holds_for_its_terms_and_until_the_next_day_ends() {
    let fake = fake();
    let (terms, others) = (json!({ "b": 1, "a": 2 }), json!({ "a": 2, "b": 2 }));
    let seal = fake.quotes().seal(&terms);
    assert_eq!(seal.expires_at.to_string(), "2026-09-30T00:00:00.000Z");
    fake.quotes().check(&json!({ "a": 2, "b": 1 }), &seal.quote_hash).unwrap();
    assert_eq!(fake.quotes().check(&others, &seal.quote_hash).unwrap_err().code, "quote_changed");
    fake.set_now(seal.expires_at.plus(0));
    assert_eq!(fake.quotes().check(&terms, &seal.quote_hash).unwrap_err().code, "quote_expired");
}

#[test]
fn the_cache_forgets_and_blobs_do_not() {
    let fake = fake();
    fake.cache().put("k", &json!([1]), 60);
    fake.blobs().write("b", b"0123456789").unwrap();
    assert_eq!(fake.cache().get::<Value>("k"), Some(json!([1])));
    fake.set_now(fake.now().plus(60_000));
    assert_eq!(fake.cache().get::<Value>("k"), None);
    assert_eq!(fake.blobs().read("b", 7, 10).as_deref(), Some(&b"789"[..]));
    assert_eq!(fake.blobs().read("b", 70, 10).as_deref(), Some(&b""[..]));
    assert_eq!(fake.blobs().read("c", 0, 1), None);
}

#[test]
fn blobs_are_listed_by_the_beginning_of_their_keys_and_removed() {
    let fake = fake();
    for key in ["a/1", "a/2", "a/3", "b/1"] {
        fake.blobs().write(key, b"x").unwrap();
    }
    assert_eq!(fake.blobs().keys("a/", None, 2), ["a/1", "a/2"]);
    assert_eq!(fake.blobs().keys("a/", Some("a/2"), 2), ["a/3"]);
    fake.blobs().remove("a/2").unwrap();
    fake.blobs().remove("a/2").unwrap();
    assert_eq!(fake.blobs().read("a/2", 0, 1), None);
    assert_eq!(fake.blobs().keys("a/", None, 9), ["a/1", "a/3"]);
}

#[test]
fn the_web_follows_redirects_as_far_as_it_was_told() {
    let fake = fake().serving("https://a.example/end", "<p>end");
    fake.serve("https://a.example/", 301, &[("location", "/middle")], b"");
    fake.serve("https://a.example/middle", 302, &[("location", "end")], b"");
    fake.fail("https://slow.example/", Failure::Timeout);
    let url: Url = "https://a.example".parse().unwrap();
    let response = fake.web().fetch(&Request::get(&url)).unwrap();
    assert_eq!((response.status, response.url.as_str(), response.hops.len()), (200, "https://a.example/end", 2));
    assert_eq!(response.text(), "<p>end");
    assert_eq!(fake.web().fetch(&Request::get(&url).follow(1)).unwrap_err(), Failure::Redirects);
    assert_eq!(fake.web().fetch(&Request::get(&url).follow(0)).unwrap().header("location"), Some("/middle"));
    let many = ["https://slow.example/", "https://nowhere.example/"].map(|it| Request::head(&it.parse().unwrap()));
    let failures: Vec<_> = fake.web().fetch_many(many).into_iter().map(|it| it.unwrap_err().name()).collect();
    assert_eq!(failures, ["timeout", "unresolved"]);
}

#[test]
fn mail_is_taken_unless_a_test_says_otherwise_and_never_for_who_has_left_the_list() {
    use sdk::{Letter, MailFailure};
    let fake = fake().connected("con_1", "smtp").connected("con_2", "wordpress");
    let send = |letter: &Letter| fake.mail().send(letter);
    let note = |to: &str| Letter::transactional("con_1", to, "A lamp", "Hello").answering("<a@b>", []);
    fake.mail_refuses("eve@shop.example", 550);
    let sent = send(&note("bob@shop.example").also_to("eve@shop.example")).unwrap();
    assert_eq!((sent.accepted, sent.refused[0].reply.code), (vec!["bob@shop.example".to_owned()], 550));
    assert!(matches!(send(&note("eve@shop.example")), Err(MailFailure::Rejected(_))));
    fake.unsubscribed("Bob@shop.example");
    let news = Letter::list("con_1", "bob@shop.example", "News", "Hello");
    assert_eq!(send(&news), Err(MailFailure::Unsubscribed));
    assert!(send(&note("bob@shop.example")).is_ok());
    fake.mail_fails(Some(MailFailure::UnknownOutcome));
    assert_eq!(send(&note("bob@shop.example")), Err(MailFailure::UnknownOutcome));
    let other = Letter::transactional("con_2", "bob@shop.example", "A lamp", "Hello");
    assert_eq!(send(&other), Err(MailFailure::NotConnected));
    let taken = fake.mailed();
    assert_eq!((taken.len(), taken[1].subject(), taken[1].text()), (2, "A lamp", "Hello"));
    assert_eq!(taken[0].to(), ["bob@shop.example", "eve@shop.example"]);
}

#[test]
fn a_recipient_is_asked_once_in_seven_days_and_never_after_an_answer() {
    use sdk::{Invitation, MailFailure, RecipientState};
    let fake = fake().connected("con_1", "smtp").confirmed("Ada@shop.example");
    let invite = |address: &str| fake.recipients().invite("con_1", address, "The weekly report");
    let start = fake.now();
    let days = |days: u64| sdk::value::Moment::from_millis(start.millis() + days * 86_400_000);
    assert_eq!(fake.recipients().state("bob@shop.example"), RecipientState::Unknown);
    assert_eq!(invite("Bob@shop.example"), Ok(Invitation::Invited(start)));
    fake.set_now(days(6));
    assert_eq!(invite("bob@shop.example"), Ok(Invitation::AlreadyInvited(start)));
    fake.set_now(days(7));
    assert_eq!(invite("bob@shop.example"), Ok(Invitation::Invited(days(7))));
    assert!(fake.mailed()[1].text().contains("The weekly report"));
    fake.confirms("bob@shop.example");
    assert!(fake.recipients().state("BOB@shop.example").is_confirmed());
    assert_eq!(invite("bob@shop.example"), Ok(Invitation::Confirmed(days(7))));
    fake.declines("bob@shop.example");
    assert_eq!(invite("bob@shop.example"), Ok(Invitation::Left(days(7))));
    invite("eve@shop.example").unwrap();
    fake.declines("eve@shop.example");
    fake.confirms("eve@shop.example");
    assert_eq!(invite("eve@shop.example"), Ok(Invitation::Declined(days(7))));
    fake.unsubscribed("ada@shop.example");
    assert_eq!(fake.recipients().state("ada@shop.example"), RecipientState::Left(days(7)));
    fake.mail_fails(Some(MailFailure::Timeout));
    assert_eq!(invite("carl@shop.example"), Err(MailFailure::Timeout));
    assert_eq!(fake.recipients().state("carl@shop.example"), RecipientState::Unknown);
    assert!(matches!(
        fake.recipients().invite("con_1", "carl@shop.example", "See https://evil.example"),
        Err(MailFailure::Invalid(it)) if it.member == "words"
    ));
    assert_eq!(fake.mailed().len(), 3);
    let first = fake.recipients().list(None, 2);
    let rest = fake.recipients().list(first.next.as_deref(), 2);
    let addresses = first.recipients.iter().chain(&rest.recipients).map(|it| it.address.as_str());
    let all = ["ada@shop.example", "bob@shop.example", "eve@shop.example"];
    assert_eq!((addresses.collect::<Vec<_>>(), rest.next), (all.to_vec(), None));
}

#[test]
fn chance_is_the_same_in_every_run() {
    assert_eq!(fake().random::<8>(), fake().random::<8>());
    let fake = fake();
    assert_ne!(fake.random::<8>(), fake.random::<8>());
}

#[test]
fn the_name_system_and_secure_sides_say_what_a_test_put_there() {
    use sdk::{DnsFailure, Outcome, Question, TlsFailure};
    let fake = fake();
    fake.name("shop.example", "TXT", &["v=spf1 -all"]);
    fake.answer("slow.example", "A", Err(DnsFailure::Timeout));
    let lookup = |name: &str, kind: &str| fake.dns().lookup(&Question::new(name, kind));
    let text = lookup("Shop.Example.", "txt").unwrap();
    assert_eq!(text.entries[0].joined().as_deref(), Some(&b"v=spf1 -all"[..]));
    assert_eq!(lookup("shop.example", "MX").unwrap().outcome, Outcome::NoData);
    assert_eq!(lookup("nobody.example", "A").unwrap().outcome, Outcome::NoName);
    assert_eq!(lookup("slow.example", "A").unwrap_err(), DnsFailure::Timeout);
    assert_eq!(fake.dns().authoritative(&Question::new("shop.example", "A"), 3).unwrap_err(), DnsFailure::Unresolved);
    assert_eq!(fake.tls().inspect("shop.example", 443).unwrap_err(), TlsFailure::Unresolved);
}
