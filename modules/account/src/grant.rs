//! The operations `account.grant.list` and `account.grant.revoke`.

use sdk::prelude::*;
use sdk::{PlatformAction, PlatformQuestion};

use crate::platform::grants::{Grants as Known, Revoked as Gone};
use crate::platform::{about, cursor, moment, paging};

/// What an application may do in the customer's name; the service keeps it.
pub(crate) enum Grant {}

#[args(paged)]
pub(crate) struct List {}

/// Live grants.
#[page]
pub(crate) struct Grants {
    grants: Vec<Shown>,
}

/// A grant without its tokens.
#[value]
pub(crate) struct Shown {
    /// For `account.grant.revoke`.
    grant_ref: Id<Grant>,
    /// How the application calls itself.
    client_name: String,
    /// `oauth`: a person consented in a browser; `bearer`: a token was issued by hand.
    kind: String,
    /// What it may do.
    scopes: Vec<String>,
    created_at: Moment,
    /// Null when it was never used.
    last_used_at: Option<Moment>,
    /// When it can no longer be renewed; null when it does not end by itself.
    expires_at: Option<Moment>,
}

/// Lists active OAuth grant families with client name, granted scopes, creation, last use and refresh expiry; tokens are never shown.
///
/// The newest first. A grant that was revoked or has expired is not listed.
#[operation(
    read,
    scope = "account:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which apps have access to my account",
        "list connected applications",
        "who can act in my name",
        "show active tokens and their permissions",
    ],
    examples = [{}, { "limit": 100 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Grants> {
    let page: Known = cx.platform().ask(&PlatformQuestion::Grants(paging(args.limit, args.cursor.as_ref())))?;
    let grants = page.grants.into_iter().map(|it| Shown {
        grant_ref: Id::new(it.grant_ref),
        client_name: it.client_name,
        kind: it.kind,
        scopes: it.scopes,
        created_at: Moment::from_millis(it.created_at),
        last_used_at: moment(it.last_used_at),
        expires_at: moment(it.expires_at),
    });
    Ok(Grants { grants: grants.collect(), next_cursor: cursor(page.next) })
}

#[args]
pub(crate) struct Revoke {
    /// The grant, as listed.
    grant_ref: Id<Grant>,
}

/// A grant that ended.
#[value]
pub(crate) struct Revoked {
    /// Always true: a grant that cannot be revoked is a refusal.
    revoked: bool,
    /// Access and refresh tokens that ended with it.
    tokens_revoked: u64,
}

/// Revokes one OAuth grant family with every access and refresh token in it at once.
///
/// The application has to be connected anew. The grant that makes this very call can be revoked too; its next call is
/// refused with 401.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    needs = ["store"],
    side_effects = ["the application loses its access at once and for good"],
    phrasings = [
        "disconnect an app from my account",
        "revoke access of a client",
        "log an agent out",
        "invalidate a stolen token",
    ],
    examples = [{ "grant_ref": "grt_4fzzzxjylrxeu7yx2kphqvjzba" }]
)]
pub(crate) fn revoke(cx: &Cx, args: Revoke) -> Result<Revoked> {
    let wanted = PlatformAction::RevokeGrant(args.grant_ref.as_str().to_owned());
    let gone: Gone = cx.platform().act(&wanted).map_err(about("/grant_ref"))?;
    Ok(Revoked { revoked: true, tokens_revoked: gone.tokens_revoked })
}
