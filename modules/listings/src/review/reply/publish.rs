//! The operation `listings.review.reply.publish`.

use sdk::prelude::*;
use sdk::{Send, SendFailure, json};

use super::review;
use crate::google;
use crate::place::Place;
use crate::review::lint;
use crate::review::stored::{ReplyState, Review};
use crate::stored::Change;

#[args]
pub(crate) struct Publish {
    /// A review, as listed.
    review_ref: Id<Review>,
    /// At most 4,096 bytes; letters with marks take two or more.
    text: Text<1, 4000>,
}

/// The answer.
#[value]
pub(crate) struct Published {
    /// False when this very answer stood there already.
    published: bool,
    /// Whether another answer stood there.
    replaced: bool,
    reply_state: ReplyState,
    /// Google's reason when it refuses the answer.
    policy_violation: Option<String>,
    change_ref: Option<Id<Change>>,
    #[own]
    warnings: Vec<String>,
}

/// Publishes or replaces the owner's reply to a review after checks for private data, incentives and length.
///
/// A text with private data, an incentive or a wish to change the review is refused. The answer that stands there is looked at first.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 4),
    side_effects = ["publishes an answer that everybody sees on Google"],
    needs = ["store", "connection:google_business_profile"],
    outside = [
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/reviews/*",
        "google_business_profile.v4 PUT /v4/accounts/*/locations/*/reviews/*/reply change",
    ],
    phrasings = ["reply to a review", "publish my answer to a google review", "change my reply to a review"],
    examples = [{ "review_ref": "5f2b9c1de0a74b3f8c6d2e1a9b7c4d5e", "text": "Thank you for telling us. Please come by, so that we can put it right." }]
)]
pub(crate) fn publish(cx: &Cx, args: Publish) -> Result<Published> {
    let mut stored = review(cx, &args.review_ref, "/review_ref")?;
    let problems = lint::in_reply(args.text.as_str());
    if args.text.as_str().len() > 4_096 {
        let bytes = args.text.as_str().len();
        let message = format!("an answer has at most 4,096 bytes, and this one has {bytes}");
        return Err(Fault::invalid("/text", "too_long", message).detail(json!({ "bytes": bytes })));
    }
    if let Some(first) = problems.first() {
        let message = format!("this answer is not published: {}", first.words());
        return Err(Fault::invalid("/text", "reply_refused", message).detail(json!({ "problems": problems })));
    }
    let place = Place::find(cx, &Id::new(stored.location.as_str()), "/review_ref")?;
    let id = &stored.review_id;
    if id.is_empty() || !id.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it)) {
        return Err(SendFailure::Malformed.into());
    }
    let path = format!("{}/reviews/{id}", place.v4());
    let read = || {
        google::answered(
            cx.connections().send(&Send::get(&place.connection, path.clone()).service("v4")),
            "/review_ref",
        )
    };
    let there = read()?;
    let before = there["reviewReply"]["comment"].as_str().map(str::to_owned);
    let replaced = before.as_deref().is_some_and(|it| it != args.text.as_str());
    let mut warnings = Vec::new();
    if stored.removed_ms.is_some() {
        warnings.push("the last sync no longer saw this review, and Google has it".to_owned());
    }
    if before.as_deref() == Some(args.text.as_str()) {
        let reply_state = stored.reply_state;
        return Ok(Published {
            published: false,
            replaced: false,
            reply_state,
            policy_violation: None,
            change_ref: None,
            warnings,
        });
    }
    let put =
        Send::put(&place.connection, format!("{path}/reply")).service("v4").json(&json!({ "comment": args.text }));
    let answer = match cx.connections().send(&put) {
        // The same text again would change nothing more; whether it is there is seen.
        Err(SendFailure::UnknownOutcome | SendFailure::Timeout) => {
            let now = read()?;
            if now["reviewReply"]["comment"].as_str() != Some(args.text.as_str()) {
                return Err(Fault::unavailable(
                    "provider_error",
                    "Google did not answer, and the reply is not there; make the same call again",
                ));
            }
            now["reviewReply"].clone()
        }
        sent => google::answered(sent, "/review_ref")?,
    };
    let reply_state = match answer["reviewReplyState"].as_str() {
        Some("PENDING") => ReplyState::Pending,
        Some("REJECTED") => ReplyState::Rejected,
        _ => ReplyState::Replied,
    };
    let change = Change {
        location: stored.location.clone(),
        at_ms: cx.now().millis(),
        operation: "listings.review.reply.publish".to_owned(),
        fields: vec!["reviewReply".to_owned()],
        before: json!(before),
        after: json!(args.text),
    };
    let change_ref = Some(cx.records::<Change>().insert(change)?.id);
    stored.it.reply = Some(args.text.to_string());
    stored.it.reply_ms = Some(cx.now().millis());
    stored.it.reply_state = reply_state;
    cx.records::<Review>().save(stored)?;
    let policy_violation = answer["policyViolation"].as_str().map(str::to_owned);
    Ok(Published { published: true, replaced, reply_state, policy_violation, change_ref, warnings })
}
