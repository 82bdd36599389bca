//! A fake vault: it keeps what may be shown of connections, and no credential at all.

use super::World;
use super::providers::Providers;
use crate::bindings::wit::connections::{Connection, State};
use crate::bindings::wit::vault::{Change, Details, Kind, Used, VaultError};

/// What the vault shows.
#[derive(Default)]
pub(super) struct Shelf {
    pub(super) kinds: Vec<Kind>,
    pub(super) details: Vec<Details>,
    pub(super) used: Vec<Used>,
    made: u32,
}

impl World {
    pub(super) fn offer(&self, kind: Kind) {
        self.vault.borrow_mut().kinds.push(kind);
    }

    pub(super) fn used(&self, used: Used) {
        self.vault.borrow_mut().used.push(used);
    }
}

impl Shelf {
    pub(super) fn put(
        &mut self,
        providers: &mut Providers,
        kind: &str,
        name: &str,
        endpoint: Option<&str>,
        now: u64,
    ) -> Result<String, VaultError> {
        if !self.kinds.iter().any(|it| it.name == kind) {
            return Err(VaultError::NoSuchKind);
        }
        self.made += 1;
        let reference = format!("con_{:016}", self.made);
        self.details.push(Details {
            reference: reference.clone(),
            kind: kind.to_owned(),
            name: name.to_owned(),
            endpoint: endpoint.map(str::to_owned),
            state: State::Untested,
            pace: None,
            settings: "{}".to_owned(),
            created: now,
            changed: now,
            answered: None,
        });
        let (kind, name) = (kind.to_owned(), name.to_owned());
        providers.add(Connection { reference: reference.clone(), kind, name, state: State::Untested });
        Ok(reference)
    }

    pub(super) fn find(&mut self, reference: &str) -> Result<&mut Details, VaultError> {
        self.details.iter_mut().find(|it| it.reference == reference).ok_or(VaultError::Missing)
    }

    pub(super) fn update(&mut self, reference: &str, change: &Change, now: u64) -> Result<Details, VaultError> {
        let details = self.find(reference)?;
        details.name = change.name.clone().unwrap_or_else(|| details.name.clone());
        details.endpoint = change.endpoint.clone().or_else(|| details.endpoint.clone());
        details.pace = change.pace.or(details.pace);
        details.settings = change.settings.clone().unwrap_or_else(|| details.settings.clone());
        details.state = change.state.unwrap_or(details.state);
        details.changed = now;
        Ok(details.clone())
    }

    pub(super) fn remove(&mut self, reference: &str) -> Result<(), VaultError> {
        self.find(reference)?;
        self.details.retain(|it| it.reference != reference);
        Ok(())
    }
}
