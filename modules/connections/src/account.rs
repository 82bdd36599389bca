//! Finding a connection, and what the vault says no to, in the words of a refusal.

use sdk::prelude::*;
use sdk::{ConnectionDetails, ConnectionKind, VaultError, json};

use crate::stored::Connection;

/// The connection of this reference; 404 when the customer has none.
pub(crate) fn found(cx: &Cx, reference: &Id<Connection>) -> Result<ConnectionDetails> {
    cx.vault().get(reference.as_str()).ok_or_else(|| missing(reference))
}

/// 404: there is no such connection.
pub(crate) fn missing(reference: &Id<Connection>) -> Fault {
    let message = format!("there is no connection {:.64}", reference.as_str());
    Fault::not_found("connection_not_found", message).at("/connection_ref")
}

/// How a kind is connected.
pub(crate) fn described(cx: &Cx, kind: &str) -> Option<ConnectionKind> {
    cx.vault().kinds().into_iter().find(|it| it.name == kind)
}

/// Whether an account of this kind is connected by what a person enters, and not by a consent alone.
pub(crate) fn is_entered(kind: &ConnectionKind) -> bool {
    !kind.fields.is_empty()
}

/// Whether the customer consents at the provider, and enters nothing.
pub(crate) fn is_consented(kind: &ConnectionKind) -> bool {
    kind.auth.iter().any(|auth| auth == "oauth")
}

/// What the vault refuses.
pub(crate) fn refusal(error: VaultError, reference: &Id<Connection>) -> Fault {
    match error {
        VaultError::Missing => missing(reference),
        VaultError::NoSuchKind => Fault::invalid("/kind", "unknown_kind", "there is no such kind of connection"),
        VaultError::Invalid((Some(part), why)) if part == "endpoint" => {
            Fault::invalid("/endpoint", "invalid_endpoint", why)
        }
        VaultError::Invalid((Some(part), why)) if part == "name" => Fault::invalid("/name", "invalid_name", why),
        VaultError::Invalid((Some(part), why)) if part == "pace" => Fault::invalid("/max_rps", "invalid_pace", why),
        VaultError::Invalid((Some(part), why)) if part == "settings" => {
            Fault::invalid("/defaults", "invalid_defaults", why)
        }
        VaultError::Invalid((Some(field), why)) => {
            let pointer = format!("/credentials/{}", field.replace('~', "~0").replace('/', "~1"));
            Fault::invalid(pointer, "malformed_credential", why)
        }
        VaultError::Invalid((None, why)) => Fault::invalid("/credentials", "malformed_credential", why),
        VaultError::Full => {
            let message = "no more connections can be added; remove one first";
            Fault::conflict("too_many_connections", message).detail(json!({ "remove_with": "connections.remove" }))
        }
    }
}
