//! The operation `links.suggestion.decide`.

use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::stored::{Stand, Suggestion};

/// What somebody decides.
#[value]
pub(crate) enum Decision {
    /// To be put in.
    Approve,
    /// Not wanted; later runs leave the pair of pages out.
    Reject,
}

/// One decision.
#[args]
pub(crate) struct Decided {
    /// The suggestion.
    suggestion_ref: Id<Suggestion>,
    /// What is decided.
    decision: Decision,
    /// Other words of the sentence for the link, as they stand in it.
    anchor: Option<Text<1, 200>>,
}

#[args]
pub(crate) struct Decide {
    /// Decisions; the last one on a suggestion holds.
    decisions: List<Decided, 1, 200>,
}

/// A decision that could not be taken.
#[value]
pub(crate) struct Invalid {
    suggestion_ref: Id<Suggestion>,
    /// `applied`, `lost` or `anchor_not_in_sentence`.
    reason: String,
    /// What is allowed.
    message: String,
}

/// What was decided.
#[value]
pub(crate) struct Outcome {
    /// Suggestions that are approved now.
    approved: u32,
    /// Suggestions that are rejected now.
    rejected: u32,
    /// Decisions that could not be taken; the others were.
    invalid: Vec<Invalid>,
    /// The call that puts approved links in; empty without any.
    next: Vec<Next>,
}

/// Approves, edits the anchor of, or rejects link suggestions in bulk; rejections teach the next run to skip the pair.
///
/// Each can be decided again until its link is put in. A reference that is not yours refuses all of them.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["changes the state of link suggestions"],
    needs = ["store"],
    phrasings = [
        "approve these internal links",
        "I do not want this link suggestion",
        "change the anchor text of a suggested link",
    ],
    examples = [
        { "decisions": [{ "suggestion_ref": "sug-01", "decision": "approve" }] },
        { "decisions": [
            { "suggestion_ref": "sug-01", "decision": "approve", "anchor": "oak tables" },
            { "suggestion_ref": "sug-02", "decision": "reject" }
        ] }
    ]
)]
pub(crate) fn decide(cx: &Cx, args: Decide) -> Result<Outcome> {
    let mut outcome = Outcome { approved: 0, rejected: 0, invalid: Vec::new(), next: Vec::new() };
    let (mut refs, mut site) = (Vec::new(), String::new());
    for (at, decided) in args.decisions.into_iter().enumerate() {
        let Decided { suggestion_ref, decision, anchor } = decided;
        let mut row = cx
            .records::<Suggestion>()
            .get(&suggestion_ref)
            .map_err(|fault| fault.at(format!("/decisions/{at}/suggestion_ref")))?;
        let invalid = match row.state {
            Stand::Applied => Some(("applied", "its link is in the content already")),
            Stand::Lost => Some(("lost", "its sentence or link is gone; another run may suggest it again")),
            _ if anchor.as_ref().is_some_and(|it| !row.sentence.contains(it.as_str()) || it.trim().is_empty()) => Some(
                ("anchor_not_in_sentence", "the anchor must be words of the sentence, exactly as they stand in it"),
            ),
            _ => None,
        };
        if let Some((reason, message)) = invalid {
            let (reason, message) = (reason.to_owned(), message.to_owned());
            outcome.invalid.push(Invalid { suggestion_ref, reason, message });
            continue;
        }
        row.it.decided_ms = Some(cx.now().millis());
        if let Some(anchor) = anchor {
            row.it.anchor = anchor.into_string();
        }
        row.it.state = match decision {
            Decision::Approve => Stand::Approved,
            Decision::Reject => Stand::Rejected,
        };
        let row = cx.records::<Suggestion>().save(row)?;
        if row.state == Stand::Approved {
            outcome.approved += 1;
            site.clone_from(&row.site_id);
            refs.push(row);
        } else {
            outcome.rejected += 1;
        }
    }
    let refs: Vec<Id<Suggestion>> = refs.into_iter().filter(|row| row.site_id == site).map(|row| row.id).collect();
    if !refs.is_empty() {
        let arguments = json!({ "site_id": site, "suggestion_refs": refs });
        outcome.next.push(Next::new("links.suggestion.apply", arguments, "puts the approved links into the content"));
    }
    Ok(outcome)
}
