//! The operation `links.suggestion.list`.

use kit::url::normalize;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::stored::{Stand, Suggestion};
use site::{Run, Site};

#[args(paged)]
pub(crate) struct List {
    /// The website.
    site_id: Id<Site>,
    /// Only suggestions that stand so.
    state: Option<Stand>,
    /// Only links to this page.
    target: Option<Url>,
}

/// A suggestion.
#[value]
pub(crate) struct View {
    /// What decides and puts it in.
    suggestion_ref: Id<Suggestion>,
    /// What became of it.
    state: Stand,
    /// The page that would link.
    source: String,
    /// The page that it would link to.
    target: String,
    /// The sentence, as the crawl read it.
    sentence: String,
    /// The words of it that would be the link.
    anchor: String,
    /// How well the sentence fits the target, about 0 to 1.
    relevance: f64,
    /// What the target would gain, in authority of an average page.
    expected_gain: f64,
    /// When it was found, and in which crawl.
    found_at: Moment,
    /// See `found_at`.
    run_ref: Id<Run>,
    /// When somebody decided.
    decided_at: Option<Moment>,
    /// When it was put in, and whether the live page showed it right after.
    applied_at: Option<Moment>,
    /// See `applied_at`.
    verified: Option<bool>,
    /// The record of the change, which knows the content before it.
    change_ref: Option<Id<wordpress::Change>>,
    /// The call that comes next.
    next: Vec<Next>,
}

/// Suggestions.
#[page]
pub(crate) struct Suggestions {
    /// Those that bring most first.
    suggestions: Vec<View>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists link suggestions with state, sentence in context, anchor, relevance and expected authority gain.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "show me the suggested internal links",
        "which link suggestions are waiting for me",
        "which links were added to my content",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "state": "approved" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Suggestions> {
    site::get(cx, &args.site_id)?;
    let target = args.target.as_ref().map(|url| normalize(url.as_str()).unwrap_or_else(|| url.to_string()));
    let records = cx.records::<Suggestion>();
    let query = match (args.state, target) {
        (None, None) => records.by("site_id_worth").equals(&args.site_id),
        (Some(state), None) => records.by("site_id_state_worth").equals(&args.site_id).equals(state),
        (None, Some(target)) => records.by("site_id_target_worth").equals(&args.site_id).equals(target),
        (Some(state), Some(target)) => {
            records.by("site_id_state_target_worth").equals(&args.site_id).equals(state).equals(target)
        }
    };
    let page = query.descending().page(args.limit, args.cursor)?;
    let suggestions: Vec<View> = page.items.into_iter().map(view).collect();
    let none = records.by("site_id_worth").equals(&args.site_id).first().is_none();
    let degraded = if none {
        vec![Degraded::new(
            "suggestions",
            "no suggestions were ever made for this website; links.suggestion.run makes them",
        )]
    } else {
        Vec::new()
    };
    Ok(Suggestions { suggestions, degraded, next_cursor: page.next })
}

fn view(stored: Stored<Suggestion>) -> View {
    let Stored { id, it, .. } = stored;
    let found_at = Moment::from_millis(it.found_ms);
    let next = match it.state {
        Stand::Proposed | Stand::Rejected => {
            let decision = json!({ "suggestion_ref": id, "decision": "approve" });
            Next::new("links.suggestion.decide", json!({ "decisions": [decision] }), "approves it")
        }
        Stand::Approved => {
            let arguments = json!({ "site_id": it.site_id, "suggestion_refs": [id] });
            Next::new("links.suggestion.apply", arguments, "puts the link into the content")
        }
        Stand::Applied => {
            let arguments = json!({ "site_id": it.site_id, "suggestion_refs": [id], "undo": true, "dry_run": true });
            Next::new("links.suggestion.apply", arguments, "shows what taking the link out again would change")
        }
        Stand::Lost => {
            let arguments = json!({ "site_id": it.site_id, "url": it.target, "direction": "in" });
            Next::new("links.suggestion.for_page", arguments, "looks for another place for the link")
        }
    };
    View {
        suggestion_ref: id,
        state: it.state,
        source: it.source,
        target: it.target,
        sentence: it.sentence,
        anchor: it.anchor,
        relevance: it.relevance,
        expected_gain: it.gain,
        found_at,
        run_ref: it.run_ref.into(),
        decided_at: it.decided_ms.map(Moment::from_millis),
        applied_at: it.applied.as_ref().map(|applied| Moment::from_millis(applied.at_ms)),
        verified: it.applied.as_ref().map(|applied| applied.verified),
        change_ref: it.applied.and_then(|applied| applied.change),
        next: vec![next],
    }
}
