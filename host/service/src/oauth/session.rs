//! Signing in and out of the portal. A session is a cookie whose secret is stored only as a hash.

use std::time::Duration;

use model::clock::Moment;
use model::id::{CustomerId, SessionId};
use model::token::{Purpose, Secret};
use store::StoreError;
use store::identity::sessions::Session;

use crate::limits::Standing;
use crate::oauth::Authority;
use crate::oauth::fault::Fault;
use crate::oauth::password::Password;
use crate::oauth::throttle::Door;

/// How long a session lasts, whatever is done in it.
pub const LIFE: Duration = Duration::from_secs(12 * 60 * 60);

/// How a sign-in ended.
#[derive(Clone, Debug)]
pub enum SignIn {
    /// The new cookie; whatever the browser had before is worth nothing now.
    In(Secret),
    /// Wrong, and it is not said what.
    Refused,
    /// Right, and the account is closed.
    Closed,
    /// Tried too often.
    Wait(Standing),
}

impl Authority {
    /// Checks e-mail and password and opens a session under a new secret. `device` is the cookie of a browser that has
    /// signed in before.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn sign_in(
        &self,
        email: &str,
        password: Password,
        address: &str,
        before: Option<&Secret>,
        device: Option<&str>,
    ) -> Result<SignIn, Fault> {
        let now = self.clock().now();
        let email = normal_email(email);
        let device = device.and_then(|token| self.device(&email, token));
        let door = match &device {
            Some(device) => Door::KnownDevice { account: &email, device },
            None => Door::SignIn { account: &email, address },
        };
        match self.admit(door, now).await {
            Ok(()) => {}
            Err(Fault { limit: Some(standing), .. }) => return Ok(SignIn::Wait(*standing)),
            Err(fault) => return Err(fault),
        }
        let credentials = self.store().identity.credentials(&email).await?;
        let stored = credentials.as_ref().and_then(|credentials| credentials.password.clone());
        let matches = self.passwords().verify(password, stored).await;
        let customer = match credentials {
            Some(credentials) if matches => credentials.customer,
            Some(_) | None => return Ok(SignIn::Refused),
        };
        match customer.state {
            store::identity::customers::CustomerState::Active => {}
            // Whoever has the password may know.
            store::identity::customers::CustomerState::Suspended { .. } => return Ok(SignIn::Closed),
            store::identity::customers::CustomerState::Erased { .. } => return Ok(SignIn::Refused),
        }
        self.readmit(door).await?;
        Ok(SignIn::In(self.open_session(customer.id, before, "password", now).await?))
    }

    /// Opens a session under a new secret; what the browser had before is worth nothing from then on.
    pub(crate) async fn open_session(
        &self,
        customer: CustomerId,
        before: Option<&Secret>,
        by: &str,
        now: Moment,
    ) -> Result<Secret, StoreError> {
        let secret = Secret::new(Purpose::Session, self.entropy());
        let id = SessionId::new(self.entropy());
        let mut line = self.line("portal.signed_in", &customer, None, id.as_str(), now);
        line.detail = serde_json::json!({ "by": by });
        let before = before.map(Secret::hash);
        self.store().identity.open_session(id, customer, secret.hash(), before, now, now.plus(LIFE)).await?;
        self.store().calls.audit(line).await?;
        Ok(secret)
    }

    /// The live session of this cookie.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn session(&self, cookie: &Secret) -> Result<Option<Session>, StoreError> {
        self.store().identity.session(&cookie.hash(), self.clock().now()).await
    }

    /// Ends the session of this cookie.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn sign_out(&self, cookie: &Secret) -> Result<(), StoreError> {
        self.store().identity.close_session(cookie.hash()).await
    }
}

/// An e-mail as it is stored and compared.
pub fn normal_email(text: &str) -> String {
    text.trim().to_lowercase()
}
