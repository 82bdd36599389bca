//! The book as tables: accounts and holds are read once, and what moved is written once.

use std::collections::HashMap;

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{AnyConnection, Row as _};

use super::caps;
use super::name::{Name, day};
use super::purse::{Account, Held, Purse, Standing};
use super::{Book, Transfer};
use crate::StoreError;
use crate::database::mutant::{self, Mutant};
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::{Listed, Script};

const ACCOUNTS: Listed = Listed {
    before: "SELECT customer, account, debits_pending, debits_posted, credits_pending, credits_posted, version \
             FROM account WHERE (customer, account) IN (",
    columns: &[Text, Text],
    after: ")",
};
const BALANCES: Listed = Listed {
    before: "INSERT INTO account \
             (customer, account, limited, debits_pending, debits_posted, credits_pending, credits_posted, version) ",
    columns: &[Text, Text, Whole, Whole, Whole, Whole, Whole, Whole],
    // Whoever holds the customer's lock is the only one to write; should the lock ever fail, this finds it.
    after: " ON CONFLICT (customer, account) DO UPDATE SET debits_pending = excluded.debits_pending, \
            debits_posted = excluded.debits_posted, credits_pending = excluded.credits_pending, \
            credits_posted = excluded.credits_posted, version = excluded.version \
            WHERE account.version = excluded.version - 1",
};
const TRANSFERS: Listed = Listed {
    before: "INSERT INTO transfer (customer, transfer, kind, resolves, debit, credit, amount, code, at) ",
    columns: &[Text, Text, Text, Text, Text, Text, Whole, Text, Whole],
    after: "",
};
const HOLDS: Listed = Listed {
    before: "SELECT customer, hold, day, allowance, points, credits, code, grant_id, site FROM hold WHERE (customer, hold) IN (",
    columns: &[Text, Text],
    after: ")",
};
const HELD: Listed = Listed {
    before: "INSERT INTO hold (customer, hold, day, allowance, points, credits, code, expires_at, grant_id, site) ",
    columns: &[Text, Text, Whole, Whole, Whole, Whole, Text, Whole, Text, Text],
    after: "",
};
const RESOLVED: Listed =
    Listed { before: "DELETE FROM hold WHERE (customer, hold) IN (", columns: &[Text, Text], after: ")" };

const FIXED: [Name; 7] = [
    Name::Points,
    Name::Credits,
    Name::PointsGranted,
    Name::PointsBought,
    Name::PointsUsed,
    Name::CreditsBought,
    Name::CreditsSpent,
];

/// Refuses what a script has not written whole: of its rows only a balance can be somebody else's by now.
pub(crate) fn all_written(whole: bool) -> Result<(), StoreError> {
    match whole || mutant::is(Mutant::Condition) {
        true => Ok(()),
        false => Err(StoreError::Inconsistent("a balance that somebody else has written")),
    }
}

impl Book {
    /// Reads the accounts of these customers for these moments, and these holds.
    pub(crate) async fn load(
        connection: &mut AnyConnection,
        customers: &[(CustomerId, Moment)],
        holds: &[(CustomerId, String)],
    ) -> Result<Self, StoreError> {
        Self::go_on(connection, HashMap::new(), customers, holds).await
    }

    /// Goes on from the balances that are known, and reads the others.
    pub(crate) async fn go_on(
        connection: &mut AnyConnection,
        known: HashMap<CustomerId, Purse>,
        customers: &[(CustomerId, Moment)],
        holds: &[(CustomerId, String)],
    ) -> Result<Self, StoreError> {
        let mut book = Self { purses: known, transfers: Vec::new() };
        let mut wanted: Vec<(CustomerId, Name)> = Vec::new();
        for row in HOLDS.fetch(connection, holds, |hold| hold).await? {
            let customer = CustomerId::from(row.try_get::<String, _>("customer")?);
            let held = Held {
                day: row.try_get("day")?,
                allowance: row.try_get("allowance")?,
                points: row.try_get("points")?,
                credits: row.try_get("credits")?,
                code: row.try_get("code")?,
                grant: row.try_get::<Option<String>, _>("grant_id")?.map(Into::into),
                site: row.try_get("site")?,
                expires_at: None,
            };
            let id: String = row.try_get("hold")?;
            if !book.purse(&customer).holds.iter().any(|(known, _, _)| *known == id) {
                book.want(&mut wanted, &customer, Name::Allowance(held.day));
                book.purse(&customer).holds.push((id, held, Standing::Stored));
            }
        }
        for (customer, now) in customers {
            for name in FIXED {
                book.want(&mut wanted, customer, name);
            }
            book.want(&mut wanted, customer, Name::Allowance(day(*now)));
        }
        let mut uncapped: Vec<CustomerId> = customers
            .iter()
            .map(|(customer, _)| customer.clone())
            .filter(|customer| !book.purse(customer).capped)
            .collect();
        uncapped.sort_unstable();
        uncapped.dedup();
        let mut caps = caps::read(connection, &uncapped).await?;
        for customer in uncapped {
            let purse = book.purse(&customer);
            purse.caps = caps.remove(&customer).unwrap_or_default();
            purse.capped = true;
        }
        let named: Vec<(CustomerId, Name, String)> =
            wanted.into_iter().map(|(customer, name)| (customer, name, name.text())).collect();
        let names: HashMap<&str, Name> = named.iter().map(|(_, name, text)| (text.as_str(), *name)).collect();
        let rows = ACCOUNTS.fetch(connection, &named, |(customer, _, text)| (customer, text));
        for row in rows.await? {
            let text: String = row.try_get("account")?;
            let Some(name) = names.get(text.as_str()) else { continue };
            let customer = CustomerId::from(row.try_get::<String, _>("customer")?);
            *book.account(&customer, *name) = Account {
                debits_pending: row.try_get("debits_pending")?,
                debits_posted: row.try_get("debits_posted")?,
                credits_pending: row.try_get("credits_pending")?,
                credits_posted: row.try_get("credits_posted")?,
                version: row.try_get("version")?,
                moved: false,
            };
        }
        Ok(book)
    }

    /// Writes what moved.
    pub(crate) async fn flush(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let mut script = Script::default();
        self.write(connection, &mut script).await?;
        all_written(script.run(connection).await?)
    }

    /// Writes what is held, and leaves what moved to a script; returns the balances.
    pub(crate) async fn write(
        mut self,
        connection: &mut AnyConnection,
        script: &mut Script,
    ) -> Result<HashMap<CustomerId, Purse>, StoreError> {
        let mut balances = Vec::new();
        let (mut held, mut resolved) = (Vec::new(), Vec::new());
        for (customer, purse) in &self.purses {
            for (name, account) in purse.accounts.iter().filter(|(_, account)| account.moved) {
                if name.limited() && account.spendable() < 0 && !mutant::is(Mutant::Overdraw) {
                    return Err(StoreError::Inconsistent("an account that owes"));
                }
                balances.push((customer, *name, *account));
            }
            for (id, hold, standing) in &purse.holds {
                match standing {
                    Standing::Stored => {}
                    Standing::New => held.push((customer, id, hold)),
                    Standing::Resolved => resolved.push((customer, id)),
                }
            }
        }
        script.add(&TRANSFERS, &self.transfers, |transfer| {
            let Transfer { customer, id, kind, resolves, debit, credit, amount, code, at } = transfer;
            (customer, id, kind, resolves, debit.text(), credit.text(), amount, code, at)
        })?;
        script.add(&BALANCES, &balances, |(customer, name, account)| {
            let Account { debits_pending: dp, debits_posted: dt, credits_pending: cp, credits_posted: ct, .. } =
                account;
            (customer, name.text(), u8::from(name.limited()), dp, dt, cp, ct, account.version + 1)
        })?;
        HELD.execute(connection, &held, |(customer, id, hold)| {
            let Held { day, allowance, points, credits, code, expires_at, grant, site } = hold;
            (customer, id, day, allowance, points, credits, code, expires_at, grant, site)
        })
        .await?;
        RESOLVED.execute(connection, &resolved, |resolved| resolved).await?;
        caps::write(connection, self.purses.iter().map(|(customer, purse)| (customer, purse.caps.as_slice()))).await?;
        self.purses.values_mut().for_each(Purse::rest);
        Ok(self.purses)
    }

    /// Lists an account to be read, unless it is known.
    fn want(&mut self, wanted: &mut Vec<(CustomerId, Name)>, customer: &CustomerId, name: Name) {
        if !self.purse(customer).accounts.iter().any(|(known, _)| *known == name) {
            self.account(customer, name);
            wanted.push((customer.clone(), name));
        }
    }
}
