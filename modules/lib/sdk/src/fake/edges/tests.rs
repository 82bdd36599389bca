//! The fake's shares: what they show, and to whom.

use serde_json::json;

use crate::prelude::*;
use crate::{Export, Fake, Guarded, GuardedMedia, Module, Secret, Share};

#[args]
struct Hand {
    passcode: Option<Secret>,
    #[default(true)]
    write: bool,
}

#[value]
struct Handed {
    share_ref: Id<Share>,
    url: String,
}

/// Shares the pages.
#[operation(write, scope = "assets:write", cost = write, side_effects = ["shares a file"])]
fn hand(cx: &Cx, args: Hand) -> Result<Handed> {
    if args.write {
        cx.blobs().write("pages", b"rows")?;
    }
    let mut share = Guarded::new("pages", GuardedMedia::Xlsx, 60).file_name("pages.xlsx").with_grant();
    if let Some(passcode) = &args.passcode {
        share = share.passcode(passcode);
    }
    let published = cx.shares().publish_guarded(&share)?;
    Ok(Handed { share_ref: published.id, url: published.url })
}

fn fake() -> Fake {
    Fake::new(Module {
        name: "hands",
        operations: vec![Export { id: "hands.hand", name: "hand", it: hand::operation() }],
        routes: Vec::new(),
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        untrusted: Vec::new(),
    })
}

fn share(fake: &Fake, arguments: serde_json::Value) -> Id<Share> {
    let handed = fake.reply("hands.hand", arguments).unwrap().data;
    Id::new(handed["share_ref"].as_str().unwrap())
}

#[test]
fn a_share_with_a_passcode_shows_its_blob_to_who_knows_it_and_counts_that_alone() {
    let fake = fake();
    let id = share(&fake, json!({ "passcode": "open sesame" }));
    assert_eq!((fake.look_at(&id, None), fake.look_at(&id, Some("open barley"))), (None, None));
    assert_eq!(fake.shares().get(&id).unwrap().views, 0);
    assert_eq!(fake.look_at(&id, Some("open sesame")).unwrap(), b"rows");
    assert_eq!(fake.shares().get(&id).unwrap().views, 1);
    fake.shares().revoke(&id).unwrap();
    assert_eq!(fake.look_at(&id, Some("open sesame")), None);
}

#[test]
fn a_share_without_a_passcode_shows_its_blob_to_whoever_asks() {
    let fake = fake();
    let id = share(&fake, json!({}));
    assert_eq!(fake.look_at(&id, None).unwrap(), b"rows");
}

#[test]
fn a_passcode_that_is_none_and_a_blob_that_is_not_there_share_nothing() {
    let fake = fake();
    let fault = fake.reply("hands.hand", json!({ "passcode": "short" })).unwrap_err();
    assert_eq!(fault.code, "share_refused");
    let fault = fake.reply("hands.hand", json!({ "write": false })).unwrap_err();
    assert_eq!(fault.code, "blob_not_found");
}
