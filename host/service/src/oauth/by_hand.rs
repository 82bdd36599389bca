//! Bearer tokens that a customer or an operator makes by hand, for programs without a browser.

use std::time::Duration;

use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use model::scope::ScopeSet;
use model::token::{Purpose, Secret};
use store::StoreError;
use store::identity::approvals::{Approval, Handout};
use store::identity::grants::NewGrant;
use store::identity::tokens::{NewToken, TokenKind};

use crate::oauth::Authority;

/// How long such a token lasts if nobody says.
pub const USUAL_LIFE: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How long it may last.
pub const LONGEST_LIFE: Duration = Duration::from_secs(366 * 24 * 60 * 60);
/// Characters of its name.
pub const LONGEST_NAME: usize = 80;

/// A token, shown this once.
#[derive(Clone, Debug)]
pub struct HandMade {
    /// The token.
    pub secret: Secret,
    /// By which it can be revoked.
    pub grant: GrantId,
    /// Its last moment.
    pub expires_at: Moment,
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum NotIssued {
    /// No such customer, or one that is suspended or erased.
    #[error("there is no such customer, or the account is closed")]
    NoCustomer,
    /// Nothing would be permitted.
    #[error("a token needs at least one scope")]
    NoScope,
    /// Longer than [`LONGEST_LIFE`], or nothing.
    #[error("a token lasts from one minute to 366 days")]
    Lifetime,
    /// Empty or longer than [`LONGEST_NAME`].
    #[error("a token needs a name of at most 80 characters")]
    Name,
    /// The first token activates external access, and the credits do not suffice.
    #[error("activation costs {credits} credits and the account has {}; add {} credits", milli(*.available_milli), milli(credits * 1_000 - available_milli))]
    Short {
        /// Credits it costs.
        credits: u64,
        /// Thousandths of a credit that the customer has.
        available_milli: u64,
    },
    /// The store cannot be reached.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Thousandths as a number with as many decimals as it needs.
pub fn milli(amount: u64) -> String {
    match (amount / 1_000, amount % 1_000) {
        (whole, 0) => whole.to_string(),
        (whole, part) => format!("{whole}.{part:03}").trim_end_matches('0').to_owned(),
    }
}

impl Authority {
    /// Makes a token; the customer's first activates external access, for 100 credits.
    ///
    /// # Errors
    /// Says what is missing.
    pub async fn issue_token(
        &self,
        customer: &CustomerId,
        scopes: ScopeSet,
        name: &str,
        lifetime: Duration,
    ) -> Result<HandMade, NotIssued> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(NotIssued::Name);
        }
        if scopes.is_empty() {
            return Err(NotIssued::NoScope);
        }
        if !(Duration::from_secs(60)..=LONGEST_LIFE).contains(&lifetime) {
            return Err(NotIssued::Lifetime);
        }
        let now = self.clock().now();
        let secret = Secret::new(Purpose::Access, self.entropy());
        let expires_at = now.plus(lifetime);
        let grant = NewGrant {
            id: GrantId::new(self.entropy()),
            customer: customer.clone(),
            client: None,
            name: name.to_owned(),
            scopes: scopes.clone(),
            // Made for this deployment, whatever address it has: there is no client that could be fooled.
            resource: String::new(),
        };
        let id = grant.id.clone();
        let token = NewToken { hash: secret.hash(), kind: TokenKind::Access, scopes, expires_at };
        let line = self.line("token.issued", customer, Some(&id), id.as_str(), now);
        match self.store().identity.approve(grant, Handout::Token(token), line, now).await? {
            Approval::Done => Ok(HandMade { secret, grant: id, expires_at }),
            Approval::Short { needed_milli, available_milli } => {
                Err(NotIssued::Short { credits: needed_milli.div_ceil(1_000), available_milli })
            }
            Approval::Closed => Err(NotIssued::NoCustomer),
        }
    }
}
