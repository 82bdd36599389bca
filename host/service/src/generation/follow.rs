//! Follows the revision that an operator has activated: on every host, within seconds, whole or not at all.

use std::sync::Arc;
use std::time::Duration;

use sandbox::Sandbox;
use store::StoreError;
use store::serving::{Served, Standing};
use tokio::sync::watch;
use tokio::time::Instant;

use super::Generation;
use crate::generation::Revisions;

/// How often it is asked which revision is to be served.
const EVERY: Duration = Duration::from_secs(1);
/// How long a revision that could not be loaded is left alone.
const AGAIN: Duration = Duration::from_secs(60);

/// Makes the generation of a revision, or says why not: of these bytes where they are known. Compiling takes a while, so it runs beside everything else.
pub type Loader = Arc<dyn Fn(&Sandbox, &Served) -> Result<Generation, String> + Send + Sync>;

impl Revisions {
    /// Says how a revision is loaded; without it, the one that this host began with is served to the end.
    pub fn follow(&self, loader: Loader) {
        // It is said once, when a host starts.
        let _before = self.core.0.loader.set(loader);
    }

    /// Follows until told to stop. Calls in flight finish on the generation they began with.
    pub async fn follow_catalog(&self, mut stop: watch::Receiver<bool>) {
        let Some(loader) = self.core.0.loader.get().cloned() else { return };
        let mut failed: Option<(Served, Instant)> = None;
        while !*stop.borrow() {
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                _ = stop.changed() => {}
            }
            let wanted = match self.core.store().serving.served().await {
                Ok(Some(wanted)) => wanted,
                // What cannot be asked has not changed.
                Ok(None) | Err(_) => continue,
            };
            if self.core.catalog().current().is(&wanted)
                || failed.as_ref().is_some_and(|(revision, at)| *revision == wanted && at.elapsed() < AGAIN)
            {
                continue;
            }
            let (loader, sandbox, revision) = (loader.clone(), self.core.sandbox().clone(), wanted.clone());
            let loaded = tokio::task::spawn_blocking(move || loader(&sandbox, &revision)).await;
            let loaded = match loaded.unwrap_or_else(|error| Err(error.to_string())) {
                Ok(generation) => self.prepared(generation, &stop).await,
                Err(reason) => Err(reason),
            };
            match loaded {
                Ok(generation) => {
                    self.leaves_force(self.core.catalog().current());
                    self.core.catalog().activate(generation);
                    failed = None;
                    tracing::info!(revision = wanted.date, "another revision of the catalog is in force");
                }
                Err(reason) => {
                    tracing::error!(revision = wanted.date, reason, "the activated revision cannot be served here");
                    failed = Some((wanted, Instant::now()));
                }
            }
        }
    }

    /// The generation, when all that its modules ask of what is stored can be answered. A host that is to stop does not wait
    /// for that: another one goes on.
    async fn prepared(&self, generation: Generation, stop: &watch::Receiver<bool>) -> Result<Generation, String> {
        let generation = self.not_replaced(generation).await?;
        let ready = async {
            let upgrades = generation.upgrades(self.core.sandbox());
            self.core.store().records.declare_indexes(&generation.stored(), upgrades).await?;
            while !*stop.borrow() && self.core.store().records.index_more().await?.is_some() {}
            Ok::<_, StoreError>(())
        };
        match ready.await {
            Ok(()) if *stop.borrow() => Err("this host stops".to_owned()),
            Ok(()) => Ok(generation),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The generation, unless other bytes of the same revision came into force after it: this node's folder is older
    /// than what was activated.
    async fn not_replaced(&self, generation: Generation) -> Result<Generation, String> {
        match self.core.store().serving.standing(&generation.api_version, &generation.digest).await {
            Ok(Standing::Replaced) => Err("the folder of this node has older locks of it".to_owned()),
            Ok(Standing::First | Standing::Current | Standing::Other) => Ok(generation),
            Err(error) => Err(error.to_string()),
        }
    }
}
