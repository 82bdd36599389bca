//! The operation `websites.verify.check`.

use sdk::prelude::*;

use super::Token;
use super::look::{Look, Outcome};
use crate::stored::{Method, Verification, Website};

/// Milliseconds that a proof outlives re-checks that get no answer at all: 30 days.
const GRACE: u64 = 30 * 86_400_000;

#[args]
pub(crate) struct Check {
    /// The website, as listed.
    site_id: Id<Website>,
}

/// Where one token was looked for.
#[value]
pub(crate) struct Looked {
    /// How it is to be shown.
    method: Method,
    /// Where it was looked for.
    place: String,
    /// What must stand there.
    expected: String,
    /// What stands there, or why that could not be seen.
    found: String,
    /// Whether that is the token; null where nothing could be seen.
    passed: Option<bool>,
}

/// Whether the website is the customer's.
#[value]
pub(crate) struct Checked {
    /// Whether it is proven now.
    verified: bool,
    /// How it was proven; the first method that was begun when it was not.
    method: Method,
    /// What proves it, or what is missing.
    evidence: String,
    /// When it was looked for.
    checked_at: Moment,
    /// When a proof that there was before was lost.
    lost_at: Option<Moment>,
    /// Every place, with what is expected there and what was found.
    looked: Vec<Looked>,
}

/// Looks for the ownership token over DNS or HTTP and marks the website verified, which unlocks faster crawling and custom robots handling for it.
///
/// Every method that was begun is looked at; one that is found is enough. Only what stands on the exact origin counts, or
/// what a redirect within its registrable domain leads to. A re-check that no longer finds the token takes the proof away
/// and says when; one that gets no answer at all leaves it for 30 days.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 8),
    needs = ["web", "dns"],
    side_effects = ["marks the website verified, or no longer verified"],
    phrasings = [
        "check my site verification",
        "is my website verified now",
        "I have added the TXT record, verify my domain",
        "why does my ownership verification fail",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let mut site = cx.records::<Website>().get(&args.site_id)?;
    let now = cx.now();
    let mut tokens: Vec<Stored<Token>> = cx.records::<Token>().by("site_id").equals(&site.id).scan().collect();
    if tokens.is_empty() {
        let message = "no ownership token was issued for this website; websites.verify.start issues one";
        return Err(Fault::conflict("verification_not_started", message).at("/site_id"));
    }
    tokens.retain(|token| token.proven || token.expires_at > now);
    if tokens.is_empty() {
        let message = "the ownership token has expired; websites.verify.start issues a new one";
        return Err(Fault::conflict("token_expired", message).at("/site_id"));
    }
    // What has proven the website before is looked for first.
    tokens.sort_by_key(|token| (!token.proven, token.method));
    let mut looked = Vec::new();
    let mut found = None;
    for token in &tokens {
        let look = Look::of(&site, token);
        let seen = look.go(cx);
        let passed = match &seen.outcome {
            Outcome::Found => Some(true),
            Outcome::Other => Some(false),
            Outcome::Unseen => None,
        };
        looked.push(Looked {
            method: token.method,
            place: seen.place,
            expected: look.content(),
            found: seen.found,
            passed,
        });
        if passed == Some(true) {
            found = Some(token);
            break;
        }
    }
    let before = site.verification.clone();
    let after = state(before.clone(), found.map(|token| token.method), &looked, now);
    if let Some(token) = found.filter(|token| !token.proven) {
        cx.records::<Token>().update(&token.id, |it| it.proven = true)?;
    }
    if after != before {
        site.it.verification.clone_from(&after);
        cx.records::<Website>().save(site)?;
    }
    let first = tokens.first().map_or(Method::DnsTxt, |token| token.method);
    let missing = || {
        let each = looked.iter().map(|it| format!("{}: {}", it.place, it.found));
        kit::text::clip(&each.collect::<Vec<_>>().join("; "), 1_000).to_owned()
    };
    Ok(Checked {
        verified: after.as_ref().is_some_and(|it| it.verified),
        method: after.as_ref().map_or(first, |it| it.method),
        evidence: after.as_ref().filter(|it| it.verified).map_or_else(missing, |it| it.evidence.clone()),
        checked_at: now,
        lost_at: after.and_then(|it| it.lost_at),
        looked,
    })
}

/// What a check makes of the state before it.
fn state(before: Option<Verification>, found: Option<Method>, looked: &[Looked], now: Moment) -> Option<Verification> {
    if let Some(method) = found {
        let evidence = looked.last().map(|it| format!("{}: {}", it.place, it.found)).unwrap_or_default();
        let since = before.filter(|it| it.verified).map_or(now, |it| it.verified_at);
        return Some(Verification {
            verified: true,
            method,
            evidence,
            verified_at: since,
            found_at: now,
            checked_at: now,
            lost_at: None,
        });
    }
    let mut it = before?;
    it.checked_at = now;
    let unseen = looked.iter().any(|looked| looked.method == it.method && looked.passed.is_none());
    if it.verified && !(unseen && now.since(it.found_at) <= GRACE) {
        it.verified = false;
        it.lost_at = Some(now);
    }
    Some(it)
}
