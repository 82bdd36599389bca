//! Accounts at registrars: the names that they hold, and what is set and ordered there.

mod name_com;
mod porkbun;

use sdk::prelude::*;
use sdk::{Connection, ConnectionState, Need, Send};
use serde_json::Value;

/// What a registrar is needed for.
pub(crate) const NEED: Need = Need::key("name_com", &["an API token of the account"]);
/// Domains of one page of theirs.
pub(crate) const PAGE: usize = 1_000;
/// Pages of one registrar that are read.
pub(crate) const PAGES: usize = 5;
/// Bytes of an answer that are read.
const BYTES: u32 = 4 << 20;

/// The marker of references to sets of contacts that a registrar keeps.
pub(crate) enum Contacts {}

/// A name as a registrar tells of it.
pub(crate) struct Told {
    pub(crate) domain: String,
    pub(crate) expires_at: Option<Moment>,
    pub(crate) auto_renew: Option<bool>,
    pub(crate) locked: Option<bool>,
    pub(crate) privacy: Option<bool>,
    pub(crate) nameservers: Vec<String>,
}

/// What is done with a name.
#[value]
pub(crate) enum Action {
    Register,
    Renew,
    Transfer,
}

/// Prices for a name in cents of a US dollar, as both registrars have them.
pub(crate) struct Prices {
    /// For all years together; none where the registrar does not sell it.
    pub(crate) cents: Option<u64>,
    /// A year later on.
    pub(crate) renewal: Option<u64>,
    pub(crate) premium: bool,
    /// Whether the years after the first are counted here, since the registrar names one alone.
    pub(crate) estimated: bool,
    /// Why it is not sold.
    pub(crate) blocked: Vec<String>,
}

/// A key of a zone as its parent has it (RFC 4034, 5).
#[value]
pub(crate) struct DsRecord {
    pub(crate) key_tag: u16,
    pub(crate) algorithm: u8,
    pub(crate) digest_type: u8,
    pub(crate) digest: String,
}

/// An order as the registrar took it.
pub(crate) struct Order {
    pub(crate) number: Option<String>,
    pub(crate) paid: Option<u64>,
}

/// An account.
pub(crate) struct Registrar<'a> {
    cx: &'a Cx,
    pub(crate) connection: Connection,
}

impl<'a> Registrar<'a> {
    /// The accounts of the customer, those that still answer first; with `wanted` that one alone.
    ///
    /// # Errors
    /// 422 `connection_required`, 404 `connection_not_found`.
    pub(crate) fn all(cx: &'a Cx, wanted: Option<&Id<Connection>>, pointer: &str) -> Result<Vec<Self>> {
        let mut all = cx.connections().of("registrar");
        if let Some(wanted) = wanted {
            all.retain(|it| it.reference == wanted.as_str());
            if all.is_empty() {
                let message = "there is no such connection to a registrar; connections.list shows those that there are";
                return Err(Fault::not_found("connection_not_found", message).at("/connection_ref"));
            }
        }
        if all.is_empty() {
            return Err(NEED.missing(pointer, "domains are held at your registrar: name_com or porkbun"));
        }
        all.sort_by_key(|it| u8::from(it.state == ConnectionState::Expired));
        Ok(all.into_iter().map(|connection| Self { cx, connection }).collect())
    }

    /// The account that holds a domain, and what it says of it.
    ///
    /// # Errors
    /// 422 `connection_required`, 404 `domain_not_held`; what a registrar refuses, when none of the others has it.
    pub(crate) fn holding(cx: &'a Cx, domain: &str) -> Result<(Self, Told)> {
        let mut refused = None;
        for registrar in Self::all(cx, None, "/domain")? {
            match registrar.find(domain) {
                Ok(Some(told)) => return Ok((registrar, told)),
                Ok(None) => {}
                Err(fault) => _ = refused.get_or_insert(fault),
            }
        }
        let message = "none of the connected registrars holds this domain; domains.list shows those that they hold";
        Err(refused.unwrap_or_else(|| Fault::not_found("domain_not_held", message).at("/domain")))
    }

    /// The name of the registrar for people.
    pub(crate) fn title(&self) -> &'static str {
        if self.is_name_com() { "Name.com" } else { "Porkbun" }
    }

    fn is_name_com(&self) -> bool {
        self.connection.kind == "name_com"
    }

    /// Names of one page, and whether there are more.
    pub(crate) fn page(&self, page: usize) -> Result<(Vec<Told>, bool)> {
        if self.is_name_com() { name_com::page(self, page) } else { porkbun::page(self, page) }
    }

    /// What the account says of a domain; none where it does not hold it.
    pub(crate) fn find(&self, domain: &str) -> Result<Option<Told>> {
        if self.is_name_com() { name_com::find(self, domain) } else { porkbun::find(self, domain) }
    }

    /// Sets the name servers.
    pub(crate) fn set_nameservers(&self, domain: &str, servers: &[String]) -> Result<()> {
        if self.is_name_com() {
            name_com::set_nameservers(self, domain, servers)
        } else {
            porkbun::set_nameservers(self, domain, servers)
        }
    }

    /// Sets what is given; the names of what this registrar cannot set over its interface.
    pub(crate) fn set(
        &self,
        domain: &str,
        auto_renew: Option<bool>,
        locked: Option<bool>,
        privacy: Option<bool>,
    ) -> Result<Vec<&'static str>> {
        if self.is_name_com() {
            name_com::set(self, domain, auto_renew, locked, privacy).map(|()| Vec::new())
        } else {
            porkbun::set(self, domain, auto_renew, locked, privacy)
        }
    }

    /// What an action costs for so many years.
    pub(crate) fn prices(&self, domain: &str, action: Action, years: u64) -> Result<Prices> {
        if self.is_name_com() {
            name_com::prices(self, domain, action, years)
        } else {
            porkbun::prices(self, domain, action, years)
        }
    }

    /// Orders at this price. Under the same key of the host it is done once.
    ///
    /// # Errors
    /// [`sdk::SendFailure::UnknownOutcome`] as a fault; 409 `order_refused` with the registrar's words.
    pub(crate) fn order(
        &self,
        domain: &str,
        action: Action,
        years: u64,
        cents: u64,
        code: Option<&str>,
    ) -> Result<Order> {
        if self.is_name_com() {
            name_com::order(self, domain, action, years, cents, code)
        } else {
            porkbun::order(self, domain, action, cents, code)
        }
    }

    /// The state of a transfer in the registrar's words; none where it knows of none.
    pub(crate) fn transfer(&self, domain: &str) -> Result<Option<String>> {
        if self.is_name_com() { name_com::transfer(self, domain) } else { porkbun::transfer(self, domain) }
    }

    /// The keys of the zone that the registrar has handed to the parent.
    pub(crate) fn keys(&self, domain: &str) -> Result<Vec<DsRecord>> {
        if self.is_name_com() { name_com::keys(self, domain) } else { porkbun::keys(self, domain) }
    }

    /// Hands a key to the parent.
    pub(crate) fn add_key(&self, domain: &str, key: &DsRecord) -> Result<()> {
        if self.is_name_com() { name_com::add_key(self, domain, key) } else { porkbun::add_key(self, domain, key) }
    }

    /// Takes a key away from the parent.
    pub(crate) fn remove_key(&self, domain: &str, key: &DsRecord) -> Result<()> {
        if self.is_name_com() {
            name_com::remove_key(self, domain, key)
        } else {
            porkbun::remove_key(self, domain, key)
        }
    }

    /// Asks; none for 404.
    fn ask(&self, send: Send) -> Result<Option<Value>> {
        let sent = self.cx.connections().send(&send.max_bytes(BYTES))?;
        if sent.status == 404 {
            return Ok(None);
        }
        sent.accepted()?.json::<Value>().map(Some).map_err(Fault::from)
    }
}

/// What a registrar says against an order or a setting, for people: its own words, bounded.
fn words(text: Option<&str>) -> String {
    let text = text.unwrap_or("it gives no reason");
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// Cents of an amount in dollars, such as `12.99`; none where it is none.
fn cents(value: &Value) -> Option<u64> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let part: String = part.chars().chain("00".chars()).take(2).collect();
    whole.replace(',', "").parse::<u64>().ok()?.checked_mul(100)?.checked_add(part.parse().ok()?)
}

/// Dollars of cents, as text.
pub(crate) fn dollars(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn name(value: &Value) -> Option<String> {
    Some(value.as_str()?.trim_end_matches('.').to_ascii_lowercase()).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{cents, dollars};
    use sdk::json;

    #[test]
    fn amounts_are_read_to_the_cent() {
        for (value, wanted) in [
            (json!(12.99), Some(1_299)),
            (json!("12.9"), Some(1_290)),
            (json!(1299), Some(129_900)),
            (json!("1,299.00"), Some(129_900)),
            (json!(0.29), Some(29)),
            (json!("free"), None),
            (json!(null), None),
        ] {
            assert_eq!(cents(&value), wanted, "{value}");
        }
        assert_eq!((dollars(1_299), dollars(5)), ("12.99".to_owned(), "0.05".to_owned()));
    }
}
