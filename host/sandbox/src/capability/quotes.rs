//! `quotes`: prices that are valid until the end of the next UTC day, sealed with the newest key of the host.

use hmac::{Hmac, KeyInit, Mac};
use model::clock::Moment;
use model::keys::{Key, KeyRing};
use model::token::hex;
use sha2::Sha256;

use crate::bindings::quotes;
use crate::state::State;
use crate::stop::{LimitKind, Stop};

/// Bytes of the terms of a quote.
const MOST_TERMS: usize = 1 << 20;
const DAY: i64 = 86_400_000;
/// Hex characters of the day at the start of a seal.
const DAY_HEX: usize = 8;
/// Hex characters of the code after the day: 224 bits, so that a seal has 64 characters like a plain SHA-256 hash.
const CODE_HEX: usize = 56;

impl quotes::Host for State {
    fn seal(&mut self, terms: String) -> wasmtime::Result<quotes::Quote> {
        self.enter_sealing(&terms)?;
        let (hash, expires) = self.sealer().seal(&terms, self.now);
        Ok(quotes::Quote { hash, expires: u64::try_from(expires.0).unwrap_or(0) })
    }

    fn check(&mut self, terms: String, hash: String) -> wasmtime::Result<quotes::Verdict> {
        self.enter_sealing(&terms)?;
        Ok(match self.sealer().expiry(&terms, &hash) {
            Some(expires) if self.now < expires => quotes::Verdict::Valid,
            Some(_) => quotes::Verdict::Expired,
            None => quotes::Verdict::Changed,
        })
    }
}

impl State {
    /// As [`State::enter`], before anything is done with the terms.
    fn enter_sealing(&mut self, terms: &str) -> wasmtime::Result<()> {
        self.used.sealed = self.used.sealed.saturating_add(terms.len() as u64);
        if terms.len() > MOST_TERMS {
            return Err(self.end(Stop::Limit(LimitKind::Transfer)));
        }
        self.enter()
    }

    fn sealer(&self) -> Sealer<'_> {
        Sealer {
            keys: &self.keys,
            customer: self.customer.as_str(),
            module: &self.module.name,
            price_version: &self.module.price_version,
        }
    }
}

/// The customer, module and prices that a seal covers.
struct Sealer<'a> {
    keys: &'a KeyRing,
    customer: &'a str,
    module: &'a str,
    price_version: &'a str,
}

impl Sealer<'_> {
    /// A seal and its expiry.
    fn seal(&self, terms: &str, now: Moment) -> (String, Moment) {
        let end = now.0.div_euclid(DAY) + 2;
        (self.code(self.keys.newest(), terms, end), Moment(end * DAY))
    }

    /// The expiry of the seal, if it covers exactly these terms.
    fn expiry(&self, terms: &str, hash: &str) -> Option<Moment> {
        let day = hash.get(..DAY_HEX)?;
        let end = i64::from(u32::from_str_radix(day, 16).ok()?);
        // A seal has no room for a key id. The ring is short, so try each key.
        let sealed = |key| same(self.code(key, terms, end).as_bytes(), hash.as_bytes());
        self.keys.newest_first().any(sealed).then_some(Moment(end * DAY))
    }

    /// A code over customer, module, price version, day and the canonical terms. Each part has its length as a prefix,
    /// so that no two different lists of parts have the same encoding.
    fn code(&self, key: &Key, terms: &str, end: i64) -> String {
        let canonical = serde_json::from_str::<serde_json::Value>(terms)
            .map_or_else(|_| terms.as_bytes().to_vec(), |terms| model::canonical::write(&terms));
        let mut code = Hmac::<Sha256>::new_from_slice(key.reveal()).expect("a code takes a key of any length");
        let parts: [&[u8]; 6] = [
            b"espalier quote 1",
            self.customer.as_bytes(),
            self.module.as_bytes(),
            self.price_version.as_bytes(),
            &end.to_be_bytes(),
            &canonical,
        ];
        for part in parts {
            code.update(&(part.len() as u64).to_be_bytes());
            code.update(part);
        }
        let code = hex(&code.finalize().into_bytes());
        format!("{end:08x}{}", &code[..CODE_HEX])
    }
}

/// Compares in constant time.
fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.iter().zip(right).fold(0, |sum, (left, right)| sum | (left ^ right)) == 0
}

#[cfg(test)]
mod tests;
