//! Quotes: terms sealed by the host, checked by their hash.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::host::Host;
use crate::value::Moment;
use crate::{Cx, Fault, Result, entry};

/// Whether a hash still seals the terms.
pub use crate::bindings::wit::quotes::Verdict;

/// A seal over terms, for this customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seal {
    /// Give this back unchanged to buy on these terms.
    pub quote_hash: String,
    /// The end of the next UTC day.
    pub expires_at: Moment,
}

/// The quotes. Made by `Cx::quotes`.
pub struct Quotes<'a> {
    pub(crate) cx: &'a Cx,
}

impl Quotes<'_> {
    /// Seals the terms until the end of the next UTC day. The host adds the customer and the price version.
    pub fn seal(&self, terms: &impl Serialize) -> Seal {
        let quote = self.cx.host.seal(&entry::written(terms));
        Seal { quote_hash: quote.hash, expires_at: Moment::from_millis(quote.expires) }
    }

    /// Goes on only when the hash seals these very terms: 409 `quote_changed` or `quote_expired` otherwise.
    pub fn check(&self, terms: &impl Serialize, hash: &str) -> Result<()> {
        match self.cx.host.check(&entry::written(terms), hash) {
            Verdict::Valid => Ok(()),
            Verdict::Changed => {
                Err(Fault::conflict("quote_changed", "the terms are not those that were quoted; ask for a new quote"))
            }
            Verdict::Expired => Err(Fault::conflict("quote_expired", "the quote has expired; ask for a new one")),
        }
    }
}
