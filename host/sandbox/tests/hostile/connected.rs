//! A guest of two customers who have connections: its sandbox, their store, and how a credential comes into it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use model::audit::Audit;
use model::clock::{FixedClock, SeededEntropy};
use model::id::{ConnectionId, CustomerId, RequestId};
use model::keys::{Key, KeyRing};
use sandbox::{Config, Invocation, Module, OutboundPolicy, Run, Sandbox};
use store::{Claimed, KeyClaim, NewConnection, Place, Right, Sealed, Sends, Settlement, Store, Wanted, Workspace};

use crate::guest::{NOW, component, invocation, lock, manifest, text};

/// Whose calls run.
pub(crate) const CUSTOMER: &str = "cus_test";

/// What was entered for a connection, and what for.
#[derive(Clone, Copy)]
pub(crate) struct Entered<'a> {
    pub(crate) kind: &'a str,
    /// Names and values of the credential.
    pub(crate) fields: [(&'a str, &'a str); 2],
    /// The place that it was entered for.
    pub(crate) origin: &'a str,
}

/// A guest with what stands behind it.
pub(crate) struct Connected {
    pub(crate) sandbox: Sandbox,
    pub(crate) module: Arc<Module>,
    pub(crate) store: Store,
}

/// What a run answered.
pub(crate) fn said(run: &Run) -> &str {
    run.outcome.as_ref().map(|answer| answer.data.as_str()).unwrap_or_else(|stop| panic!("{stop:?}"))
}

/// A ring with one key under this id.
pub(crate) fn ring(id: &str) -> KeyRing {
    KeyRing::new(vec![Key::new(id, "", [9; 32])]).expect("a ring")
}

impl Connected {
    /// The guest of this name, to whom these names lead to this address.
    pub(crate) async fn open(guest: &str, names: [&str; 2], address: SocketAddr) -> Self {
        let resolve = names.map(|name| (name.to_owned(), address)).into();
        let outbound = OutboundPolicy { resolve, ..OutboundPolicy::default() };
        let sandbox = Sandbox::new(Config { concurrent: 4, outbound, ..Config::default() }).expect("a sandbox");
        let text = text(guest);
        let component = component(text, &manifest(text));
        let module = sandbox.load(&component, &lock(&component), BTreeMap::new()).expect("the guest loads");
        let entropy = Arc::new(SeededEntropy::new([3; 32]));
        let store = Store::memory(Arc::new(FixedClock::at(NOW)), entropy).await.expect("a store in memory");
        Self { sandbox, module, store }
    }

    /// Adds a connection with this endpoint, whatever its credential was entered for.
    pub(crate) async fn connect(&self, customer: &str, reference: &str, endpoint: &str, entered: Entered<'_>) {
        let customer = CustomerId::from(customer);
        self.store.identity.add_customer(customer.clone(), format!("{customer}@example.com"), None, NOW).await.ok();
        let id = ConnectionId::from(reference);
        let fields = entered.fields.into_iter().collect::<BTreeMap<_, _>>();
        let secret = serde_json::json!({ "fields": fields, "origin": entered.origin });
        let place = Place { customer: &customer, connection: &id, kind: entered.kind, version: 1 };
        let sealed = Sealed::seal(&ring("a"), place, secret.to_string().as_bytes(), &SeededEntropy::new([5; 32]));
        let (kind, name) = (entered.kind.to_owned(), "Mine".to_owned());
        let new = NewConnection { id, kind, name, endpoint: Some(endpoint.to_owned()) };
        let mut workspace = self.workspace(&customer);
        workspace.add_connection(new, sealed.expect("it seals")).await.expect("it is added");
        self.settle(&format!("{reference}_{endpoint}"), workspace, customer).await;
    }

    /// Moves the customer's connection to another endpoint, as if somebody had changed it in the database.
    pub(crate) async fn lead_astray(&self, reference: &str, endpoint: &str, entered: Entered<'_>) {
        let customer = CustomerId::from(CUSTOMER);
        let mut changed = self.workspace(&customer);
        changed.remove_connection(reference).await.expect("it was there");
        self.settle("gone", changed, customer).await;
        self.connect(CUSTOMER, reference, endpoint, entered).await;
    }

    /// Commits what a workspace has collected.
    async fn settle(&self, request: &str, workspace: Workspace, customer: CustomerId) {
        let request = RequestId::from(format!("req_{request}"));
        let audit = Audit {
            at: NOW,
            customer: customer.clone(),
            request: Some(request.clone()),
            grant: None,
            event: "operation.executed".to_owned(),
            subject: "connections.add".to_owned(),
            outcome: "ok".to_owned(),
            points: 0,
            detail: serde_json::Value::Null,
        };
        let settlement = Settlement {
            customer,
            grant: None,
            request,
            operation: "connections.add".to_owned(),
            site: None,
            now: NOW,
            api_version: "2026-09-28".into(),
            points: 0,
            hold: None,
            hold_for_job: None,
            changes: workspace.into_changes(),
            answer: None,
            claim: None,
            audit,
        };
        self.store.calls.settle(settlement).await.expect("it settles");
    }

    fn workspace(&self, customer: &CustomerId) -> Workspace {
        Workspace::open(&self.store, customer.clone(), self.module.schema.clone(), NOW)
    }

    /// Runs a call of the customer's without a journal.
    pub(crate) async fn run(&self, operation: &str) -> Run {
        self.sandbox.run(self.invocation(operation).await).await
    }

    /// A call of the customer's, without a journal.
    pub(crate) async fn invocation(&self, operation: &str) -> Invocation {
        let workspace = self.workspace(&CustomerId::from(CUSTOMER));
        Invocation { workspace, keys: ring("a"), ..invocation(&self.module, operation).await }
    }

    /// The right to run an operation once, as a call under a key of its own has it.
    pub(crate) async fn claim(&self, operation: &str) -> KeyClaim {
        let wanted = Wanted {
            customer: CustomerId::from(CUSTOMER),
            key: format!("key-of-{operation}"),
            fingerprint: "same".to_owned(),
            operation: format!("hostile.{operation}"),
            request: RequestId::from(format!("req_{operation}")),
            now: NOW,
            lease: Duration::from_secs(60),
        };
        let Ok(Claimed::Ours(claim)) = self.store.calls.claim(wanted).await else { panic!("the key is free") };
        claim
    }

    /// The journal of what is sent under that right.
    pub(crate) async fn journal(&self, claim: KeyClaim) -> Sends {
        let customer = CustomerId::from(CUSTOMER);
        Sends::open(&self.store, &customer, Right::Key(claim), NOW, [7; 32]).await.expect("a journal")
    }
}
