//! Consent: what the customer is asked, and what their answer makes.

use std::time::Duration;

use model::id::{CustomerId, GrantId};
use model::legible::is_invisible;
use model::token::{Purpose, Secret};
use model::usage::ACTIVATION_CREDITS;
use store::StoreError;
use store::identity::approvals::{Approval, Handout};
use store::identity::clients::Client;
use store::identity::grants::{NewCode, NewGrant};
use store::identity::sessions::Session;
use unicode_normalization::UnicodeNormalization as _;

use crate::oauth::Authority;
use crate::oauth::authorize::{AuthorizationRequest, Back, Decision, decide, named_client};
use crate::oauth::fault::{Code, Fault};

/// How long a code may be exchanged: a minute (the bar of RFC 6749 4.1.2 is ten).
pub const CODE_LIFE: Duration = Duration::from_secs(60);

/// What approving costs beside the use that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// Nothing: external access is active.
    Nothing,
    /// The one activation.
    Activation {
        /// Credits.
        credits: u64,
        /// Thousandths of a credit that the customer has.
        available_milli: u64,
    },
}

impl Price {
    /// Whether the balance is enough.
    pub fn is_covered(self) -> bool {
        match self {
            Price::Nothing => true,
            Price::Activation { credits, available_milli } => available_milli >= credits * 1_000,
        }
    }
}

/// How an approval ended.
#[derive(Clone, Debug)]
pub enum Approved {
    /// The browser goes here, with a code.
    To(String),
    /// The activation could not be paid; nothing was made.
    Short {
        /// Credits it costs.
        credits: u64,
        /// Thousandths of a credit that the customer has.
        available_milli: u64,
    },
}

impl Authority {
    /// Reads the query of an authorization request. Changes nothing, however often it is asked.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn authorization(&self, query: &str) -> Result<Decision, StoreError> {
        let client = match named_client(query) {
            Some(id) => self.find_client(&id).await?,
            None => None,
        };
        Ok(decide(query, client, &self.config().mcp_url()))
    }

    /// What the customer would be charged now for their first connection.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn price(&self, customer: &CustomerId) -> Result<Price, StoreError> {
        let activated =
            self.store().identity.customer(customer).await?.is_some_and(|customer| customer.activated_at.is_some());
        if activated {
            return Ok(Price::Nothing);
        }
        let balance = self.store().money.balance(customer, self.clock().now()).await?;
        Ok(Price::Activation { credits: ACTIVATION_CREDITS, available_milli: balance.credits_milli })
    }

    /// Approves: the grant, its code and, the first time, the activation charge, in one transaction.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn approve(&self, session: &Session, request: &AuthorizationRequest) -> Result<Approved, StoreError> {
        let now = self.clock().now();
        let secret = Secret::new(Purpose::Code, self.entropy());
        let grant = NewGrant {
            id: GrantId::new(self.entropy()),
            customer: session.customer.clone(),
            client: Some(request.client.id.clone()),
            name: shown_name(&request.client),
            scopes: request.scopes.clone(),
            resource: request.resource.clone(),
        };
        let code = NewCode {
            hash: secret.hash(),
            redirect_uri: request.redirect_uri.as_str().to_owned(),
            redirect_given: request.redirect_given,
            challenge: request.challenge.as_str().to_owned(),
            expires_at: now.plus(CODE_LIFE),
        };
        let client = request.client.id.clone();
        let line = self.line("oauth.consent.approved", &session.customer, Some(&grant.id), client.as_str(), now);
        match self.store().identity.approve(grant, Handout::Code(client, code), line, now).await? {
            Approval::Done => {}
            Approval::Short { needed_milli, available_milli } => {
                return Ok(Approved::Short { credits: needed_milli.div_ceil(1_000), available_milli });
            }
            Approval::Closed => {
                let fault = Fault::new(Code::AccessDenied, "the account is closed");
                let state = request.state.clone();
                let back = Back { redirect_uri: request.redirect_uri.clone(), state, fault };
                return Ok(Approved::To(self.back(&back)));
            }
        }
        let mut parameters = vec![("code", secret.reveal())];
        parameters.extend(request.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", &self.config().public_url));
        Ok(Approved::To(request.redirect_uri.with(&parameters)))
    }

    /// Denies: the address that tells the client so.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn deny(&self, session: &Session, request: &AuthorizationRequest) -> Result<String, StoreError> {
        let now = self.clock().now();
        let line = self.line("oauth.consent.denied", &session.customer, None, request.client.id.as_str(), now);
        self.store().calls.audit(line).await?;
        let fault = Fault::new(Code::AccessDenied, "the customer denied the request");
        let state = request.state.clone();
        Ok(self.back(&Back { redirect_uri: request.redirect_uri.clone(), state, fault }))
    }

    /// The address that brings an error back to the client, with `state` unchanged and `iss` (RFC 9207).
    pub fn back(&self, back: &Back) -> String {
        let mut parameters = vec![("error", back.fault.code.as_str()), ("error_description", &*back.fault.description)];
        parameters.extend(back.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", &self.config().public_url));
        back.redirect_uri.with(&parameters)
    }
}

/// The name a client gave itself, fit to be shown: in its compatible form (NFKC), so that it looks like what it is;
/// no control, direction or invisible characters; at most 80.
pub fn shown_name(client: &Client) -> String {
    let name = client.metadata.client_name.as_deref().unwrap_or_default();
    let name: String =
        name.nfkc().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_invisible(*c)).collect();
    let name: String = name.trim().chars().take(LONGEST_NAME).collect();
    let name = match name.trim_end() {
        "" => "An application without a name",
        name => name,
    };
    // Whose document it is, is all that is certain of a client that is described by one.
    match client.id.as_str().strip_prefix("https://").and_then(|rest| rest.split('/').next()) {
        Some(host) => format!("{name} ({host})"),
        None => name.to_owned(),
    }
}

/// Characters of a name that is shown.
const LONGEST_NAME: usize = 80;

#[cfg(test)]
mod tests;
