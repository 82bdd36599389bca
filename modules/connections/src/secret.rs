//! The operation `connections.secret.rotate`.

use sdk::Credentials;
use sdk::prelude::*;

use crate::account;
use crate::diagnosis::Code;
use crate::stored::Connection;
use crate::test::{self, Tested};

#[args]
pub(crate) struct Rotate {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
    /// The kind's fields as an object of texts.
    credentials: Credentials,
    /// Another endpoint that the new secret is for; the one before when left out.
    endpoint: Option<Text<1, 2_048>>,
}

/// Whether the secret is another one now.
#[value]
pub(crate) struct Rotated {
    /// False: the one before is still in place.
    rotated: bool,
    /// How the provider took the new one; none when the kind has no test.
    test: Option<Tested>,
    /// When; none when it was not.
    rotated_at: Option<Moment>,
}

/// Replaces the secret atomically: tests the new one against the provider first and keeps the old one when the test fails.
///
/// A new secret that the provider does not accept, or that could not be tried because the provider did not answer, is
/// dropped: `rotated` is false, `test.error` says why, and the connection works as before. One that is accepted stays,
/// also when the account lacks a permission. A kind without a test takes the new secret as it is.
#[operation(
    write,
    scope = "connections:manage",
    cost = live(most = 2),
    needs = ["store", "connection:any"],
    side_effects = ["replaces the credential if the provider accepts the new one", "asks the provider once"],
    outside = [jmap_session],
    phrasings = [
        "change the password of a connection",
        "replace my API key",
        "rotate the secret",
        "my token expired, here is a new one",
    ],
    examples = [{
        "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba",
        "credentials": { "username": "editor", "application_password": "abcd EFGH 1234 ijkl MNOP 6789" }
    }]
)]
pub(crate) fn rotate(cx: &Cx, args: Rotate) -> Result<Rotated> {
    let id = &args.connection_ref;
    let before = account::found(cx, id)?;
    let kind = account::described(cx, &before.kind);
    let refusal = |error| account::refusal(error, id);
    cx.vault().replace(id.as_str(), args.endpoint.as_deref(), &args.credentials).map_err(refusal)?;
    let Some(kind) = kind.filter(|it| it.can_be_probed) else {
        return Ok(Rotated { rotated: true, test: None, rotated_at: Some(cx.now()) });
    };
    // The endpoint may be another one now.
    let connection = account::found(cx, id)?;
    let diagnosis = test::probe(cx, &connection, &kind.permissions);
    let wrong = diagnosis.trouble.as_ref().is_some_and(|it| it.code == Code::WrongAccount);
    let rotated = diagnosis.accepted && !wrong;
    if rotated {
        test::note(cx, id, &diagnosis)?;
    } else {
        cx.vault().withdraw(id.as_str()).map_err(refusal)?;
    }
    let rotated_at = rotated.then(|| cx.now());
    Ok(Rotated { rotated, test: Some(test::tested(cx, diagnosis)), rotated_at })
}
