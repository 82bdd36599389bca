//! Connections as one run sees and changes them.

use std::collections::BTreeMap;

use model::id::ConnectionId;

use super::change::ConnectionChange;
use super::{Connection, ConnectionState, MOST, Sealed};
use crate::records::{RecordsError, Workspace};

/// What a run has read or wants of connections, by reference.
pub(crate) type Touched = BTreeMap<String, State>;

/// A connection before and after.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The stored version; none: it is new.
    base: Option<Connection>,
    /// None: it is to be removed.
    wanted: Option<Connection>,
    /// A secret that takes the place of the stored one.
    secret: Option<Sealed>,
}

impl State {
    fn is_changed(&self) -> bool {
        self.base != self.wanted || self.secret.is_some()
    }
}

/// A connection to be added.
#[derive(Clone, Debug)]
pub struct NewConnection {
    /// Its reference; made by the caller, since its secret is sealed with it.
    pub id: ConnectionId,
    /// Of `catalog/connections.toml`.
    pub kind: String,
    /// What the customer calls it.
    pub name: String,
    /// What replaces the provider's address.
    pub endpoint: Option<String>,
}

/// What is to be different of a connection; what is none stays.
#[derive(Clone, Debug, Default)]
pub struct ConnectionPatch {
    /// What the customer calls it.
    pub name: Option<String>,
    /// What replaces the provider's address.
    pub endpoint: Option<String>,
    /// Thousandths of a request in a second.
    pub pace: Option<u64>,
    /// A JSON object.
    pub settings: Option<String>,
    /// How it does.
    pub state: Option<ConnectionState>,
}

impl Workspace {
    /// The customer's connections as this run sees them, of one kind or of all.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn connections(&mut self, kind: Option<&str>) -> Result<Vec<Connection>, RecordsError> {
        let stored = self.store().connections.connections(self.customer()).await?;
        let mut seen: BTreeMap<String, Connection> =
            stored.into_iter().map(|it| (it.id.as_str().to_owned(), it)).collect();
        for (id, state) in self.vault() {
            match &state.wanted {
                Some(wanted) => seen.insert(id.clone(), wanted.clone()),
                None => seen.remove(id),
            };
        }
        let of_kind: Vec<Connection> =
            seen.into_values().filter(|it| kind.is_none_or(|kind| it.kind == kind)).collect();
        self.count_read(of_kind.len());
        Ok(of_kind)
    }

    /// One connection as this run sees it.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn connection(&mut self, id: &str) -> Result<Option<Connection>, RecordsError> {
        self.count_read(1);
        match self.vault().get(id) {
            Some(state) => Ok(state.wanted.clone()),
            None => Ok(self.store().connections.connection(self.customer(), id).await?),
        }
    }

    /// A connection with its sealed secret, as this run sees them.
    ///
    /// # Errors
    /// `Conflict` when this run has changed it and another call has just replaced its secret; or the database is not
    /// there.
    pub async fn connection_with_secret(&mut self, id: &str) -> Result<Option<(Connection, Sealed)>, RecordsError> {
        self.count_read(1);
        let Some(state) = self.vault().get(id) else {
            return Ok(self.store().connections.connection_with_secret(self.customer(), id).await?);
        };
        let Some(connection) = state.wanted.clone() else { return Ok(None) };
        let secret = match state.secret.clone() {
            Some(secret) => secret,
            None => {
                let stored = self.store().connections.sealed(self.customer(), id, connection.secret).await?;
                stored.ok_or(RecordsError::Conflict)?
            }
        };
        Ok(Some((connection, secret)))
    }

    /// The version that a secret is to be sealed for which takes the place of the present one.
    ///
    /// # Errors
    /// `Missing`, or the database is not there.
    pub async fn next_secret(&mut self, id: &str) -> Result<u64, RecordsError> {
        let state = self.touch_connection(id).await?;
        if state.wanted.is_none() {
            return Err(RecordsError::Missing);
        }
        Ok(next_secret(&state))
    }

    /// Adds a connection with its secret, which was sealed for version 1.
    ///
    /// # Errors
    /// `Malformed` when there are [`MOST`] already, or the database is not there.
    pub async fn add_connection(&mut self, new: NewConnection, secret: Sealed) -> Result<Connection, RecordsError> {
        if self.connections(None).await?.len() >= MOST {
            return Err(RecordsError::Malformed(format!("a customer has at most {MOST} connections")));
        }
        let NewConnection { id, kind, name, endpoint } = new;
        let now = self.moment();
        let connection = Connection {
            id,
            version: 1,
            kind,
            name,
            endpoint,
            state: ConnectionState::Untested,
            pace: None,
            settings: "{}".to_owned(),
            secret: 1,
            created_at: now,
            changed_at: now,
            answered_at: None,
        };
        let state = State { base: None, wanted: Some(connection.clone()), secret: Some(secret) };
        self.want_connection(state);
        Ok(connection)
    }

    /// Puts another secret in the place of the present one. It was sealed for the version after.
    ///
    /// # Errors
    /// `Missing`, or the database is not there.
    pub async fn replace_secret(
        &mut self,
        id: &str,
        endpoint: Option<String>,
        secret: Sealed,
    ) -> Result<Connection, RecordsError> {
        let state = self.touch_connection(id).await?;
        let mut connection = state.wanted.clone().ok_or(RecordsError::Missing)?;
        connection.secret = next_secret(&state);
        connection.endpoint = endpoint.or(connection.endpoint);
        connection.state = ConnectionState::Untested;
        Ok(self.change_connection(state, connection, Some(secret)))
    }

    /// Takes a replacement of this run back: the secret and the endpoint are the stored ones again.
    ///
    /// # Errors
    /// `Missing` when this run has replaced nothing.
    pub async fn withdraw_secret(&mut self, id: &str) -> Result<Connection, RecordsError> {
        let state = self.touch_connection(id).await?;
        let (Some(base), Some(mut connection), Some(_)) = (&state.base, state.wanted.clone(), &state.secret) else {
            return Err(RecordsError::Missing);
        };
        (connection.secret, connection.state) = (base.secret, base.state);
        connection.endpoint.clone_from(&base.endpoint);
        let state = State { secret: None, ..state };
        Ok(self.change_connection(state, connection, None))
    }

    /// Changes what is not secret.
    ///
    /// # Errors
    /// `Missing`, or the database is not there.
    pub async fn update_connection(&mut self, id: &str, patch: ConnectionPatch) -> Result<Connection, RecordsError> {
        let state = self.touch_connection(id).await?;
        let mut connection = state.wanted.clone().ok_or(RecordsError::Missing)?;
        let ConnectionPatch { name, endpoint, pace, settings, state: does } = patch;
        connection.name = name.unwrap_or(connection.name);
        connection.endpoint = endpoint.or(connection.endpoint);
        connection.pace = pace.or(connection.pace);
        connection.settings = settings.unwrap_or(connection.settings);
        if does == Some(ConnectionState::Ok) {
            connection.answered_at = Some(self.moment());
        }
        connection.state = does.unwrap_or(connection.state);
        let secret = state.secret.clone();
        Ok(self.change_connection(state, connection, secret))
    }

    /// Takes a connection and its secret away.
    ///
    /// # Errors
    /// `Missing`, or the database is not there.
    pub async fn remove_connection(&mut self, id: &str) -> Result<(), RecordsError> {
        let state = self.touch_connection(id).await?;
        if state.wanted.is_none() {
            return Err(RecordsError::Missing);
        }
        self.count_written(0);
        self.vault_mut().insert(id.to_owned(), State { wanted: None, secret: None, ..state });
        Ok(())
    }

    async fn touch_connection(&mut self, id: &str) -> Result<State, RecordsError> {
        if let Some(state) = self.vault().get(id) {
            return Ok(state.clone());
        }
        let base = self.store().connections.connection(self.customer(), id).await?;
        self.count_read(1);
        Ok(State { wanted: base.clone(), base, secret: None })
    }

    fn change_connection(&mut self, state: State, mut wanted: Connection, secret: Option<Sealed>) -> Connection {
        wanted.version = 1 + state.base.as_ref().map_or(0, |base| base.version);
        wanted.changed_at = self.moment();
        self.want_connection(State { base: state.base, wanted: Some(wanted.clone()), secret });
        wanted
    }

    fn want_connection(&mut self, state: State) {
        let Some(wanted) = &state.wanted else { return };
        let id = wanted.id.as_str().to_owned();
        self.count_written(wanted.name.len() + wanted.settings.len());
        self.vault_mut().insert(id, state);
    }
}

/// The version that a replacement of this run is sealed for.
fn next_secret(state: &State) -> u64 {
    1 + state.base.as_ref().map_or(0, |base| base.secret)
}

/// What is to be committed of these.
pub(crate) fn changes(touched: Touched) -> Vec<ConnectionChange> {
    let changed = touched.into_iter().filter(|(_, state)| state.is_changed());
    let change = |(id, state): (String, State)| ConnectionChange {
        id,
        expects: state.base.map(|base| base.version),
        becomes: state.wanted,
        secret: state.secret,
    };
    changed.map(change).collect()
}
