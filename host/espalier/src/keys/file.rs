//! A key ring as text.

use anyhow::{Context as _, bail};
use model::keys::{KEY, Key, KeyRing};
use model::token::{hex, unhex};
use serde::{Deserialize, Serialize};

/// What a person who opens the file should know.
const HEAD: &str = "# The key ring of Espalier: the last key seals, all of them open. Keep it like a password.\n\
                    # `espalier keys rotate` adds a key. A key that is taken out opens nothing any more.\n\n";

/// The only purpose there is, for those who list keys.
pub const PURPOSE: &str = "seal";

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ring {
    key: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    purpose: Purpose,
    created: String,
    secret: String,
}

/// What a key is for.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Purpose {
    /// Quotes and forms.
    Seal,
}

/// The text of a ring.
pub(super) fn write(keys: &[Key]) -> anyhow::Result<String> {
    let entry = |key: &Key| Entry {
        id: key.id.clone(),
        purpose: Purpose::Seal,
        created: key.created.clone(),
        secret: hex(key.reveal()),
    };
    Ok(HEAD.to_owned() + &toml::to_string(&Ring { key: keys.iter().map(entry).collect() })?)
}

/// The ring of a text. The causes stay out of the error: they quote the text, and the text is secret.
pub(super) fn parse(text: &str) -> anyhow::Result<KeyRing> {
    let ring: Ring = toml::from_str(text)
        .map_err(|_| anyhow::anyhow!("it must have [[key]] tables with id, purpose, created and secret"))?;
    let mut keys: Vec<Key> = Vec::with_capacity(ring.key.len());
    for Entry { id, purpose: Purpose::Seal, created, secret } in ring.key {
        let Some(secret) = unhex(&secret).and_then(|secret| secret.try_into().ok()) else {
            bail!("the secret of {id} is not {} hexadecimal digits", 2 * KEY)
        };
        if keys.iter().any(|earlier| earlier.id == id) {
            bail!("it has {id} twice");
        }
        keys.push(Key::new(id, created, secret));
    }
    KeyRing::new(keys).context("it has no key")
}
