//! `espalier keys`: the key ring, without the keys.

use serde_json::{Value, json};

use super::Say;
use crate::cli::{Keys, Place};
use crate::keys::PURPOSE;
use crate::settings::Settings;

pub(super) fn run(place: &Place, command: &Keys, say: Say) -> anyhow::Result<()> {
    let settings = Settings::read(place)?;
    let ring = match command {
        Keys::List => settings.key_ring.open()?,
        Keys::Rotate => settings.key_ring.rotate()?,
    };
    let newest = ring.newest();
    let value: Vec<Value> = ring
        .keys()
        .iter()
        .map(|key| {
            let seals = key.id == newest.id;
            json!({ "id": key.id, "purpose": PURPOSE, "created": key.created, "seals": seals })
        })
        .collect();
    let line = |key: &model::keys::Key| {
        let does = if key.id == newest.id { "seals and opens" } else { "opens" };
        format!("{}  {PURPOSE}  {}  {does}", key.id, key.created)
    };
    let words: Vec<String> = ring.keys().iter().map(line).collect();
    say.value(&json!(value), &words.join("\n"));
    Ok(())
}
