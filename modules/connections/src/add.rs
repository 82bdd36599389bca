//! The operation `connections.add`.

use sdk::Credentials;
use sdk::json;
use sdk::prelude::*;

use crate::account;
use crate::listed::State;
use crate::stored::Connection;
use crate::test::{self, Tested};

#[args]
pub(crate) struct Add {
    /// One of `connections.kind.list`.
    kind: Text<1, 40>,
    /// What to call it.
    name: Text<1, 80>,
    /// Where the API is, for kinds whose customers each have an own one.
    endpoint: Option<Text<1, 2_048>>,
    /// The kind's fields as an object of texts. They go into the vault and never come out again.
    credentials: Credentials,
    /// Whether to ask the provider at once.
    #[default(true)]
    test: bool,
}

/// A new connection.
#[value]
pub(crate) struct Added {
    connection_ref: Id<Connection>,
    /// How it does.
    state: State,
    /// How the test went; none when none was asked for or the kind has none.
    test: Option<Tested>,
}

/// Stores an API key, basic, application-password, SMTP or signed-webhook connection; the secret goes straight to the host vault and no module ever reads it back.
///
/// A provider that does not answer or says no does not refuse the connection: it is stored as `failing` or `expired`,
/// and `test.error` says what is wrong and what to do. Only a credential or an endpoint that is not one of the kind's is
/// refused with 422. Kinds that are connected by a consent at the provider are added by `connections.oauth.start`.
#[operation(
    write,
    scope = "connections:manage",
    cost = write,
    needs = ["store", "connection:any"],
    side_effects = ["stores a connection and its credential", "asks the provider once, unless test is false"],
    outside = [jmap_session],
    phrasings = [
        "connect my WordPress site",
        "add an API key",
        "link my DataForSEO account",
        "connect Cloudflare DNS",
        "store my SMTP login",
    ],
    examples = [
        {
            "kind": "wordpress",
            "name": "Blog",
            "endpoint": "https://blog.shop.example",
            "credentials": { "username": "editor", "application_password": "abcd EFGH 1234 ijkl MNOP 6789" }
        },
        { "kind": "llm", "name": "Writer", "credentials": { "api_key": "sk-example-key" }, "test": false }
    ]
)]
pub(crate) fn add(cx: &Cx, args: Add) -> Result<Added> {
    let Some(kind) = account::described(cx, &args.kind) else {
        let kinds: Vec<_> = cx.vault().kinds().into_iter().filter(account::is_entered).map(|it| it.name).collect();
        let message = "there is no such kind of connection";
        return Err(Fault::invalid("/kind", "unknown_kind", message).detail(json!({ "allowed": kinds })));
    };
    if !account::is_entered(&kind) {
        let message = "this kind is connected by a consent at the provider";
        let detail = json!({ "add_with": "connections.oauth.start" });
        return Err(Fault::invalid("/kind", "consent_required", message).detail(detail));
    }
    let name = args.name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(Fault::invalid("/name", "invalid_name", "a name has letters or digits and no control characters"));
    }
    let added = cx.vault().put(&kind.name, name, args.endpoint.as_deref(), &args.credentials);
    let connection_ref: Id<Connection> = added.map(Id::new).map_err(|error| account::refusal(error, &Id::new("")))?;
    if !(args.test && kind.can_be_probed) {
        return Ok(Added { connection_ref, state: State::Untested, test: None });
    }
    let connection = account::found(cx, &connection_ref)?;
    let diagnosis = test::probe(cx, &connection, &kind.permissions);
    let state = test::note(cx, &connection_ref, &diagnosis)?.into();
    Ok(Added { connection_ref, state, test: Some(test::tested(cx, diagnosis)) })
}
