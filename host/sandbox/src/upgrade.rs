//! Brings older records into the form of their collection: the module does it, without anything of the host's and without
//! knowing whose records they are.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use model::clock::Moment;
use model::contract::Kind;
use model::edges::{Edges, UploadLimits};
use model::id::CustomerId;
use model::keys::KeyRing;
use model::limits::Limits;
use model::manifest::FIRST_FORM;
use serde::Deserialize;
use serde_json::json;
use store::{BoxFuture, ModuleSchema, Older, Store, Upgrades, Workspace};

use crate::cancel::Cancel;
use crate::export::Export;
use crate::invocation::Invocation;
use crate::module::Module;
use crate::moving::Moving;
use crate::secrets::Secrets;
use crate::stop::Stop;
use crate::{Sandbox, run};

/// Bytes of records that one call is given. A record alone may have more.
const BYTES: usize = 256 << 10;
/// Fuel and time of one call: whoever asks holds the place to write meanwhile, and everybody's writes wait for it.
const FUEL: u64 = 500_000_000;
const WALL: Duration = Duration::from_secs(2);

/// The upgrades of a generation's modules.
pub struct Upgrader {
    sandbox: Sandbox,
    /// By collection: its module, and the form of its records.
    modules: HashMap<String, (Arc<Module>, u32)>,
}

#[derive(Deserialize)]
struct Said {
    records: Vec<String>,
}

impl Upgrader {
    /// Over the collections of these modules that have more forms than one.
    pub fn new<'a>(sandbox: &Sandbox, modules: impl Iterator<Item = &'a Arc<Module>>) -> Self {
        let of = |module: &'a Arc<Module>| {
            let later = module.manifest.collections.iter().filter(|it| it.form > FIRST_FORM);
            later.map(|it| (format!("{}.{}", module.name, it.name), (Arc::clone(module), it.form)))
        };
        Self { sandbox: sandbox.clone(), modules: modules.flat_map(of).collect() }
    }

    async fn ask(
        &self,
        store: &Store,
        (module, collection): (&Arc<Module>, &str),
        records: &[Older],
    ) -> Result<Vec<String>, String> {
        let (customer, now) = (CustomerId::from("nobody"), Moment(0));
        let nothing = ModuleSchema { module: module.name.to_string(), ..ModuleSchema::default() };
        let invocation = Invocation {
            module: Arc::clone(module),
            export: Export::Upgrade,
            started_by: None,
            kind: Kind::Read,
            queued: false,
            limits: Limits { fuel: FUEL, wall: WALL, ..Limits::step() },
            arguments: json!({ "collection": collection, "records": records }).to_string(),
            workspace: Workspace::open(store, customer.clone(), Arc::new(nothing), now),
            now,
            seed: [0; 32],
            customer,
            owned: None,
            keys: KeyRing::of([0; 32]),
            sends: None,
            edges: Arc::new(Edges { public_url: "".into(), uploads: UploadLimits::default() }),
            platform: None,
            offer: None,
            secrets: Secrets::default(),
            // Whoever asks may hold the one place to write: nothing that runs in its turn is waited for.
            slot: None,
            record: false,
            cancel: Cancel::default(),
        };
        let answer = self.sandbox.apart(invocation).await.outcome.map_err(|stop| match stop {
            Stop::Fault(fault) => fault.code,
            stop => stop.code().to_owned(),
        })?;
        serde_json::from_str(&answer.data)
            .map(|said: Said| said.records)
            .map_err(|_| "it answers with no records".into())
    }
}

impl Sandbox {
    /// Runs a function at once, outside of what customers share.
    async fn apart(&self, invocation: Invocation) -> crate::Run {
        let inner = Arc::clone(&self.0);
        let runtime = self.0.runtime.as_ref().expect("taken only when the sandbox goes").handle().clone();
        let running = async move {
            let held = inner.memory.open(&invocation.customer);
            run::run(Arc::clone(&inner.guard), Arc::clone(&inner.tokens), held, invocation).await
        };
        Moving::at_once(running, runtime).await
    }
}

impl Upgrades for Upgrader {
    fn form(&self, collection: &str) -> Option<u32> {
        self.modules.get(collection).map(|(_, form)| *form)
    }

    fn upgrade<'a>(
        &'a self,
        store: &'a Store,
        collection: &'a str,
        records: Vec<Older>,
    ) -> BoxFuture<'a, Result<Vec<String>, String>> {
        Box::pin(async move {
            let (module, _) = self.modules.get(collection).ok_or("no module has it")?;
            let name = collection.split_once('.').map_or(collection, |(_, name)| name);
            let mut upgraded = Vec::with_capacity(records.len());
            let mut rest = records.as_slice();
            while !rest.is_empty() {
                let mut bytes = 0;
                let fits = |it: &&Older| {
                    bytes += it.record.len();
                    bytes <= BYTES
                };
                let (now, later) = rest.split_at(rest.iter().take_while(fits).count().max(1));
                let said = self.ask(store, (module, name), now).await?;
                if said.len() != now.len() {
                    return Err("it answers with another number of records".to_owned());
                }
                upgraded.extend(said);
                rest = later;
            }
            Ok(upgraded)
        })
    }
}

impl fmt::Debug for Upgrader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.modules.keys()).finish()
    }
}
