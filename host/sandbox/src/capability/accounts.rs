//! `accounts`: what may be known of the customer's accounts at providers, what is spent there, and the cap of a day.

use catalog::kinds;
use model::clock::Moment;
use serde_json::Value;
use store::{Connection, Spent};

use crate::bindings::accounts;
use crate::provider::answer::Trouble;
use crate::provider::request;
use crate::state::State;
use crate::stop::Stop;

/// Accounts and currencies that one run notes spending of.
const MOST_NOTED: usize = 64;
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

impl accounts::Host for State {
    async fn describe(&mut self, reference: String) -> wasmtime::Result<Option<accounts::About>> {
        self.enter()?;
        let Some(connection) = self.described(&reference).await? else { return Ok(None) };
        let spent_micros = self.spent_today(&connection).await?;
        let endpoint_host = connection.endpoint.as_deref().and_then(request::host);
        let settings = connection.settings.clone();
        let mut sender = None;
        if kinds::kind(&connection.kind).is_some_and(kinds::Kind::takes_mail) {
            sender = self
                .credential(connection)
                .await?
                .ok()
                .and_then(|(_, credential)| credential.sender().map(|it| it.to_string()));
        }
        Ok(Some(accounts::About { sender, endpoint_host, settings, spent_micros }))
    }

    async fn note_spent(&mut self, reference: String, micros: u64, currency: String) -> wasmtime::Result<bool> {
        self.enter()?;
        let is_currency = currency.len() == 3 && currency.bytes().all(|it| it.is_ascii_uppercase());
        if !is_currency || self.described(&reference).await?.is_none() {
            return Ok(false);
        }
        let known = self.spent.iter_mut().find(|it| it.connection == reference && it.currency == currency);
        if let Some(known) = known {
            known.micros = known.micros.saturating_add(micros);
            return Ok(true);
        }
        if self.spent.len() == MOST_NOTED {
            return Ok(false);
        }
        self.spent.push(Spent { connection: reference, currency, micros });
        Ok(true)
    }
}

impl State {
    /// An account of a kind that the operation needs.
    async fn described(&mut self, reference: &str) -> wasmtime::Result<Option<Connection>> {
        let found = self.span.bound(self.workspace.connection(reference)).await;
        Ok(self.known(found)?.ok().flatten().filter(|it| self.rights.connects(&it.kind)))
    }

    /// What was spent through a connection in this UTC day, this run included.
    async fn spent_today(&mut self, connection: &Connection) -> wasmtime::Result<u64> {
        let store = self.workspace.store().clone();
        let day = store.database.now().0.div_euclid(DAY);
        let id = connection.id.as_str();
        let rows = self.span.bound(store.connections.connection_spending(&self.customer, id, day, day)).await;
        let rows = match rows {
            Ok(Ok(rows)) => rows,
            Ok(Err(error)) => return Err(self.end(Stop::Unavailable(error))),
            Err(stop) => return Err(self.end(stop)),
        };
        let before = rows.iter().map(|it| it.micros);
        // What an earlier attempt has noted is among what was stored, and this one notes it again.
        let again = match self.sends.clone() {
            Some(sends) => {
                let noted = self.span.bound(store.connections.noted(&self.customer, sends.run(), id)).await;
                match noted {
                    Ok(Ok(micros)) => micros,
                    Ok(Err(error)) => return Err(self.end(Stop::Unavailable(error))),
                    Err(stop) => return Err(self.end(stop)),
                }
            }
            None => 0,
        };
        let here = self.spent.iter().filter(|it| it.connection == id).map(|it| it.micros).fold(0, u64::saturating_add);
        Ok(before.fold(here.saturating_sub(again), u64::saturating_add))
    }

    /// The refusal of a request that may cost something, once the connection's `daily_cost_cap` is reached.
    pub(super) async fn beyond_cap(&mut self, connection: &Connection) -> wasmtime::Result<Option<Trouble>> {
        let Some(cap) = cap(&connection.settings) else { return Ok(None) };
        let spent = self.spent_today(connection).await?;
        Ok((spent >= cap).then(|| Trouble::Limited(Some(left_of_day(self.workspace.store().database.now())))))
    }
}

/// The `daily_cost_cap` of a connection's settings, in millionths.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded above and below")]
fn cap(settings: &str) -> Option<u64> {
    let settings: Value = serde_json::from_str(settings).ok()?;
    let cap = settings.get("daily_cost_cap")?.as_f64()?;
    Some((cap.clamp(0.0, 1e9) * 1e6).round() as u64)
}

/// Seconds until the next UTC day.
fn left_of_day(now: Moment) -> u32 {
    let left = DAY - now.0.rem_euclid(DAY);
    u32::try_from(left.div_euclid(1_000) + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{cap, left_of_day};
    use model::clock::Moment;

    #[test]
    fn a_cap_is_read_in_millionths_and_none_is_no_cap() {
        assert_eq!(cap(r#"{"daily_cost_cap":2.5,"defaults":{}}"#), Some(2_500_000));
        assert_eq!(cap(r#"{"daily_cost_cap":0}"#), Some(0));
        assert_eq!((cap("{}"), cap("")), (None, None));
    }

    #[test]
    fn a_capped_connection_waits_until_the_next_utc_day() {
        assert_eq!(left_of_day(Moment(86_400_000 * 3)), 86_401);
        assert_eq!(left_of_day(Moment(86_400_000 * 4 - 1)), 1);
    }
}
