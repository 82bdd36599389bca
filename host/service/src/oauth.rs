//! The authorization server: who may come in, and with what. Endpoints are in `web`, SQL is in `store`;
//! the rules of RFC 6749, 6750, 7009, 7591, 7636, 8252, 8414, 8707, 9207, 9700 and 9728 are here.

pub mod authorize;
pub mod bearer;
pub mod by_hand;
pub mod client_document;
pub mod connections;
pub mod consent;
pub mod customers;
pub mod device;
pub mod fault;
pub mod form;
pub mod password;
pub mod pkce;
pub mod redirect;
mod refresh;
pub mod register;
pub mod revoke;
pub mod seal;
pub mod session;
mod shares;
pub mod throttle;
pub mod token;
pub mod token_request;
pub mod upstream;

// What the pages show of the store's rows; `web` itself has no store.
pub use store::edges::shares::HeldShare;
pub use store::identity::grants::{Ended, GrantState, StoredGrant};
pub use store::identity::sessions::Session;
pub use store::{Balance, BuyError, StoreError};

use std::sync::Arc;

use model::audit::Audit;
use model::clock::{Clock, Entropy, Moment};
use model::grant::Grant;
use model::id::{CustomerId, GrantId};
use model::refusal::Refusal;
use model::token::Secret;
use store::Store;

use crate::Service;
use crate::config::Config;
use crate::limits::Limiter;
use crate::oauth::bearer::Bearers;
use crate::oauth::password::Passwords;
use crate::oauth::refresh::Rotations;

/// The authorization server: cheap to clone. It needs neither catalog nor sandbox, so an operator's commands
/// make one of their own.
#[derive(Clone)]
pub struct Authority(Arc<Rooms>);

struct Rooms {
    store: Store,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    config: Config,
    bearers: Bearers,
    passwords: Passwords,
    limiter: Limiter,
    rotations: Rotations,
}

impl Authority {
    /// The authority over the customers of this store.
    pub fn new(store: Store, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>, config: Config) -> Self {
        let passwords = Passwords::new(&*entropy);
        let limiter = Limiter::new(&config.limits);
        Self(Arc::new(Rooms {
            store,
            clock,
            entropy,
            config,
            bearers: Bearers::default(),
            passwords,
            limiter,
            rotations: Rotations::default(),
        }))
    }

    /// Where the service is, and how it behaves.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The time.
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// Randomness.
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.0.entropy
    }

    pub(crate) fn bearers(&self) -> &Bearers {
        &self.0.bearers
    }

    pub(crate) fn limiter(&self) -> &Limiter {
        &self.0.limiter
    }

    pub(crate) fn rotations(&self) -> &Rotations {
        &self.0.rotations
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.0.passwords
    }

    /// Removes what has expired. Any node may call it at any time; every few minutes is enough.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn sweep(&self) -> Result<(), StoreError> {
        let now = self.clock().now();
        self.store().identity.sweep_identity(now).await?;
        self.store().identity.reap_clients(now).await?;
        self.store().identity.sweep_erased(now).await?;
        Ok(())
    }

    /// A line of the customer's trail.
    pub(crate) fn line(
        &self,
        event: &str,
        customer: &CustomerId,
        grant: Option<&GrantId>,
        subject: impl Into<String>,
        now: Moment,
    ) -> Audit {
        Audit {
            at: now,
            customer: customer.clone(),
            request: None,
            grant: grant.cloned(),
            event: event.to_owned(),
            subject: subject.into(),
            outcome: "ok".to_owned(),
            points: 0,
            detail: serde_json::json!({}),
        }
    }
}

impl Service {
    /// What the bearer of this token may do.
    ///
    /// # Errors
    /// 401 `invalid_token`, 403 `access_inactive`, 503.
    pub async fn bearer(&self, token: &Secret) -> Result<Grant, Refusal> {
        self.core.authority().bearer(token).await
    }
}
