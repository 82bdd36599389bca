//! The operation `connections.update`.

use sdk::prelude::*;
use sdk::serde_json::{self, Map, Value};
use sdk::{ConnectionChange, VaultError, json};

use crate::account;
use crate::listed::{self, Entry};
use crate::stored::Connection;

/// Members that are left out stay as they are.
#[args]
pub(crate) struct Update {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
    /// What to call it.
    name: Option<Text<1, 80>>,
    /// Another path at the same host; for another host the secret is entered again, with `connections.secret.rotate`.
    endpoint: Option<Text<1, 2_048>>,
    /// The most requests a second.
    max_rps: Option<Decimal<100, 50_000>>,
    /// The most that may be spent at the provider in a UTC day, in the provider's currency.
    daily_cost_cap: Option<Decimal<0, 1_000_000_000>>,
    /// Default arguments of operations that use it, by name; replaces those before.
    defaults: Option<Map<String, Value>>,
}

/// The connection as it is now.
#[value]
pub(crate) struct Updated {
    connection: Entry,
}

/// Renames a connection or changes its endpoint, request-rate cap, daily provider-cost cap and default settings without touching the secret.
///
/// The host holds every request of the connection to `max_rps`, from all operations together. Once
/// what was spent in a UTC day reaches `daily_cost_cap`, nothing that may cost is sent until the next one. `defaults` are
/// what operations take where the call says nothing: of a language model `model`, which is asked where a call names the
/// connection, and `price_in`, `price_out` (for a million tokens), `price_search` (for one search) and `currency`, so that its
/// cost is known. A secret does not follow to another
/// host: `connections.secret.rotate` takes the new address with the secret.
#[operation(
    write,
    scope = "connections:manage",
    cost = write,
    needs = ["store"],
    side_effects = ["changes a connection's name, endpoint, caps or defaults"],
    phrasings = [
        "rename a connection",
        "limit requests per second to a provider",
        "set a daily spending cap for DataForSEO",
        "change the default model",
    ],
    examples = [
        { "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba", "max_rps": 2.5 },
        { "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba", "name": "Writer", "defaults": { "model": "gpt-5-mini" } }
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let id = &args.connection_ref;
    let before = account::found(cx, id)?;
    let nothing = args.name.is_none()
        && args.endpoint.is_none()
        && args.max_rps.is_none()
        && args.daily_cost_cap.is_none()
        && args.defaults.is_none();
    if nothing {
        let message = "name at least one of name, endpoint, max_rps, daily_cost_cap and defaults";
        return Err(Fault::invalid("", "nothing_to_change", message));
    }
    let mut settings = listed::settings(&before);
    if let Some(cap) = args.daily_cost_cap {
        settings.insert("daily_cost_cap".to_owned(), json!(cap.get()));
    }
    if let Some(defaults) = args.defaults {
        settings.insert("defaults".to_owned(), Value::Object(defaults));
    }
    let change = ConnectionChange {
        name: args.name.map(|it| it.trim().to_owned()),
        endpoint: args.endpoint.map(Text::into_string),
        pace: args.max_rps.map(thousandths),
        settings: Some(serde_json::to_string(&settings).expect("a JSON object can be written")),
        state: None,
    };
    let updated = cx.vault().update(id.as_str(), &change).map_err(|error| match error {
        VaultError::Invalid((Some(part), why)) if part == "endpoint" => {
            let detail = json!({ "change_with": "connections.secret.rotate" });
            Fault::invalid("/endpoint", "invalid_endpoint", why).detail(detail)
        }
        error => account::refusal(error, id),
    })?;
    Ok(Updated { connection: listed::entry(cx, updated) })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0.1 to 50 by its type: at most 50,000 thousandths"
)]
fn thousandths(rate: Decimal<100, 50_000>) -> u32 {
    (rate.get() * 1_000.0).round() as u32
}
