//! Consents at providers, which a test gives in the place of a person.

use serde_json::{Value, json};

use super::World;
use super::vault::{Accounts, table};
use crate::bindings::wit::vault::{Consent, ConsentError, ConsentState};

/// Ten minutes.
const LIFE: u64 = 600_000;

/// A consent that was asked for, and what the connection will be.
#[derive(Clone)]
pub(super) struct Asked {
    consent: Consent,
    kind: String,
    name: String,
    scopes: Vec<String>,
}

/// The consents of the one customer.
#[derive(Default, Clone)]
pub(super) struct Consents {
    asked: Vec<Asked>,
    without_clients: bool,
}

impl Accounts {
    pub(super) fn ask_consent(
        &mut self,
        id: &str,
        now: u64,
        kind: &str,
        name: &str,
        scopes: &[String],
    ) -> Result<Consent, ConsentError> {
        let table = table();
        let Some(described) = table.get(kind) else { return Err(ConsentError::NoSuchKind) };
        let auth = described.get("auth").and_then(toml::Value::as_array);
        let oauth = auth.into_iter().flatten().find_map(|it| it.get("oauth"));
        let Some(oauth) = oauth else { return Err(ConsentError::NotByConsent) };
        let list = |name: &str| oauth.get(name).and_then(toml::Value::as_array).cloned().unwrap_or_default();
        let text = |it: toml::Value| it.as_str().map(str::to_owned);
        let usual: Vec<String> = list("scopes").into_iter().filter_map(text).collect();
        let known: Vec<String> =
            usual.iter().cloned().chain(list("other_scopes").into_iter().filter_map(text)).collect();
        if scopes.iter().any(|scope| !known.contains(scope)) {
            return Err(ConsentError::Invalid(("scopes".to_owned(), known.join(" "))));
        }
        if self.consents.without_clients {
            return Err(ConsentError::NoClient);
        }
        let consent = Consent {
            reference: id.to_owned(),
            state: ConsentState::Pending,
            url: format!("https://seo.example/connect/{id}"),
            expires: now + LIFE,
            connection: None,
            error: None,
        };
        let scopes = if scopes.is_empty() { usual } else { scopes.to_vec() };
        let asked = Asked { consent: consent.clone(), kind: kind.to_owned(), name: name.to_owned(), scopes };
        self.consents.asked.push(asked);
        Ok(consent)
    }

    pub(super) fn get_consent(&self, reference: &str, now: u64) -> Option<Consent> {
        let mut consent = self.consents.asked.iter().find(|it| it.consent.reference == reference)?.consent.clone();
        if consent.state == ConsentState::Pending && consent.expires <= now {
            consent.state = ConsentState::Expired;
        }
        Some(consent)
    }

    pub(super) fn lacking(&self, reference: &str) -> Vec<String> {
        let credentials = self.credentials(reference).unwrap_or_default();
        let words = |name: &str| -> Vec<String> {
            credentials[name].as_str().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        let granted = words("granted");
        words("asked").into_iter().filter(|scope| !granted.contains(scope)).collect()
    }

    pub(super) fn revoke(&self, reference: &str) -> bool {
        self.credentials(reference).is_some_and(|it| it.get("access_token").is_some())
    }
}

impl World {
    pub(super) fn without_clients(&self) {
        self.state.borrow_mut().accounts.consents.without_clients = true;
    }

    /// The reference of the connection that comes of it.
    pub(super) fn consent_given(&self, reference: &str, granted: &[&str]) -> String {
        let mut state = self.state.borrow_mut();
        let (id, now) = (format!("con_{}", state.make_id()), state.now);
        let accounts = &mut state.accounts;
        let asked = accounts.consents.asked.iter_mut().find(|it| it.consent.reference == reference);
        let asked = asked.expect("a consent that was asked for");
        asked.consent.state = ConsentState::Completed;
        asked.consent.connection = Some(id.clone());
        let (kind, name, scopes) = (asked.kind.clone(), asked.name.clone(), asked.scopes.join(" "));
        let credentials: Value = json!({ "access_token": "ya29.fake", "asked": scopes, "granted": granted.join(" ") });
        accounts.hold(&id, now, &kind, &name, None, credentials);
        id
    }

    pub(super) fn consent_ends(&self, reference: &str, state: ConsentState, error: &str) {
        let mut world = self.state.borrow_mut();
        let asked = world.accounts.consents.asked.iter_mut().find(|it| it.consent.reference == reference);
        let asked = asked.expect("a consent that was asked for");
        (asked.consent.state, asked.consent.error) = (state, Some(error.to_owned()));
    }
}
