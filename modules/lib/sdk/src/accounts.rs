//! Who the customer's accounts at providers are, what the customer set for them, and what is spent there.

use serde_json::{Map, Value};

use crate::Cx;
use crate::bindings::wit::accounts as wit;
use crate::host::Host;

/// The customer's accounts. Made by `Cx::accounts`.
pub struct Accounts<'a> {
    pub(crate) cx: &'a Cx,
}

/// What may be known of an account.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// The address that mail comes from, of an account at a submission server.
    pub sender: Option<String>,
    /// The host that is asked, where the customer named another than the provider's.
    pub endpoint_host: Option<String>,
    /// The most that may be spent there in a UTC day, in the account's currency.
    pub daily_cost_cap: Option<f64>,
    /// What the customer set as `defaults` with `connections.update`.
    pub defaults: Map<String, Value>,
    /// Spent in this UTC day so far, in millionths of the account's currency.
    pub spent_micros: u64,
}

impl Accounts<'_> {
    /// An account of a kind that the operation needs.
    pub fn about(&self, reference: &str) -> Option<About> {
        let wit::About { sender, endpoint_host, settings, spent_micros } = self.cx.host.account(reference)?;
        let mut settings: Map<String, Value> = serde_json::from_str(&settings).unwrap_or_default();
        let defaults = match settings.remove("defaults") {
            Some(Value::Object(defaults)) => defaults,
            _ => Map::new(),
        };
        let daily_cost_cap = settings.get("daily_cost_cap").and_then(Value::as_f64);
        Some(About { sender, endpoint_host, daily_cost_cap, defaults, spent_micros })
    }

    /// Adds what a request cost, in millionths of a currency (ISO 4217). It counts whatever becomes of the run; once the
    /// account's `daily_cost_cap` is reached, the host sends nothing more that may cost until the next UTC day.
    pub fn note_spent(&self, reference: &str, micros: u64, currency: &str) {
        if micros > 0 {
            self.cx.host.note_spent(reference, micros, currency);
        }
    }
}
