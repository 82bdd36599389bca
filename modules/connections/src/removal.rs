//! The operation `connections.remove`.

use sdk::json;
use sdk::prelude::*;

use crate::account;
use crate::dependents::{self, Dependent};
use crate::stored::{Check, Connection, Mapping};

/// Dependents that a refusal shows.
const SHOWN: usize = 20;

#[args]
pub(crate) struct Remove {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
    /// Whether what depends on it may stop working.
    #[default(false)]
    acknowledge_dependents: bool,
}

/// What is gone.
#[value]
pub(crate) struct Removed {
    removed: Id<Connection>,
    /// Whether the credential was revoked at the provider too. False: do that there, if nothing else uses it.
    provider_revoked: bool,
    /// What has stopped working.
    paused: Vec<Dependent>,
}

/// Removes a connection: revokes the token at the provider where it documents that, destroys the secret and pauses its dependents after an explicit acknowledgement.
///
/// Without `acknowledge_dependents` a connection that something depends on is refused with 409 and the list of what
/// does. Only tokens of a consent can be revoked from here; keys and passwords are revoked at the provider.
#[operation(
    write,
    scope = "connections:manage",
    cost = write,
    needs = ["store", "connection:any"],
    side_effects = ["destroys the credential", "revokes a consent at the provider", "unbinds the connection's properties from websites"],
    phrasings = ["disconnect an account", "remove my API key", "delete the WordPress connection", "forget my password"],
    examples = [{ "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba", "acknowledge_dependents": true }]
)]
pub(crate) fn remove(cx: &Cx, args: Remove) -> Result<Removed> {
    let id = args.connection_ref;
    account::found(cx, &id)?;
    let paused = dependents::of(cx, &id);
    if !paused.is_empty() && !args.acknowledge_dependents {
        let message =
            format!("{} things depend on this connection; acknowledge_dependents lets them stop", paused.len());
        let shown: Vec<_> = paused.iter().take(SHOWN).collect();
        let detail = json!({ "count": paused.len(), "dependents": shown });
        return Err(Fault::conflict("has_dependents", message).at("/acknowledge_dependents").detail(detail));
    }
    cx.records::<Mapping>().by("connection_ref").equals(&id).remove();
    if let Some(check) = cx.records::<Check>().find(&id.cast()) {
        cx.records::<Check>().remove(&check)?;
    }
    let provider_revoked = cx.vault().revoke(id.as_str());
    cx.vault().remove(id.as_str()).map_err(|error| account::refusal(error, &id))?;
    Ok(Removed { removed: id, provider_revoked, paused })
}
