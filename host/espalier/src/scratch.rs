//! A host for one command: an empty database in a folder that goes away, a customer who can pay, and one module with
//! everything that it asks for. What an author tries here reaches no deployment.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use catalog::lock::Lock;
use catalog::revision::Revision;
use model::call::{Call, Outcome};
use model::clock::{Clock as _, SystemClock, SystemEntropy};
use model::contract::Contract;
use model::grant::Grant;
use model::id::{JobId, RequestId};
use model::limits::Limits;
use model::refusal::Refusal;
use model::scope::ScopeSet;
use sandbox::inspect;
use serde_json::{Map, Value};
use service::Service;
use service::generation::Generation;
use store::{AuditLine, JobEntry};
use tempfile::TempDir;
use tokio::sync::watch;

use crate::assembly;
use crate::cli::Place;
use crate::modules::Built;
use crate::settings::{File, Settings};

/// Credits that the customer begins with: more than any example costs.
const CREDITS: u64 = 100_000;
/// How long a job may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A host with one module and one customer.
pub(crate) struct Scratch {
    service: Service,
    grant: Grant,
    contracts: Vec<Contract>,
    stop: watch::Sender<bool>,
    _folder: TempDir,
}

/// What came of a call.
pub(crate) struct Ran {
    /// The answer, or the refusal as a client sees it.
    pub(crate) ended: Result<Outcome, Refusal>,
    /// The job that it started, when it has ended.
    pub(crate) job: Option<JobEntry>,
    /// What the trail holds of it, oldest first.
    pub(crate) trail: Vec<AuditLine>,
}

impl Scratch {
    /// Starts one. Collections of other modules that the module's lock reads are there, and empty; `file` says what the
    /// outside is.
    ///
    /// # Errors
    /// When the component cannot be loaded, with the line of the lock that says why.
    pub(crate) async fn start(built: &Built, catalog: &Path, file: File) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("a temporary folder cannot be made")?;
        let place = Place { data_dir: Some(folder.path().to_path_buf()), ..Place::default() };
        let mut settings = Settings::of(&place, file)?;
        settings.file.limits =
            Some(service::config::Rates { requests: 1_000_000, heavy: 1_000_000, ..Default::default() });
        let outbound = settings.file.outbound.clone();
        let public = "http://127.0.0.1:8080";
        let sandbox = assembly::sandbox(&settings, &outbound, public)?;
        let bytes = catalog::files::read(&built.path, catalog::files::COMPONENT)
            .with_context(|| format!("{} cannot be read", built.path.display()))?;
        let shown = inspect::inspect(&bytes).with_context(|| built.name.clone())?;
        let mut revision = newest(catalog)?;
        let earlier = revision.locks.remove(&built.name);
        let lock = Lock::of(&shown.built, earlier.as_ref(), |_| true);
        let foreign = revision.foreign(&lock)?;
        revision.locks.insert(built.name.clone(), lock.clone());
        let hash = revision.hash();
        let generation = {
            let sandbox = sandbox.clone();
            tokio::task::spawn_blocking(move || -> anyhow::Result<Generation> {
                let module = sandbox.load_unpinned(&bytes, &lock, foreign)?;
                Ok(Generation::new("scratch", &hash, vec![module])?)
            })
            .await??
        };
        let (store, _) = assembly::store(&settings).await?;
        let service = assembly::with_generation(
            &settings,
            public,
            &outbound,
            (sandbox, generation),
            store,
            Arc::new(SystemClock),
        )?;
        let authority = service.core.authority();
        let customer = authority.add_customer("author@example.com", None, CREDITS).await?;
        let life = Duration::from_secs(3_600);
        let token = authority.issue_token(&customer.id, ScopeSet::all(), "module run", life).await?;
        let grant = authority.bearer(&token.secret).await.map_err(|refusal| anyhow::anyhow!(refusal.message))?;
        let (stop, stopped) = watch::channel(false);
        tokio::spawn({
            let service = service.clone();
            async move { service.worker.work(stopped).await }
        });
        Ok(Self { service, grant, contracts: shown.built.manifest.operations, stop, _folder: folder })
    }

    /// The contracts of the module.
    pub(crate) fn contracts(&self) -> &[Contract] {
        &self.contracts
    }

    /// What one call of an operation may use: its lock's bounds where there are some.
    pub(crate) fn limits(&self, contract: &Contract) -> Limits {
        let generation = self.service.core.catalog().current();
        generation.operation(&contract.id).map_or_else(|| Limits::of(contract.kind), |it| it.limits.clone())
    }

    /// Calls one operation, and waits for the job that it starts.
    ///
    /// # Errors
    /// When the database fails, or the job takes longer than two minutes.
    pub(crate) async fn call(&self, operation: &str, arguments: Map<String, Value>) -> anyhow::Result<Ran> {
        let request = RequestId::at(SystemClock.now(), &SystemEntropy);
        let mutates = self.contracts.iter().any(|it| it.id == operation && it.kind.mutates());
        let call = Call {
            key: mutates.then(|| request.as_str().to_owned()),
            request: request.clone(),
            operation: operation.to_owned(),
            arguments,
            intent: None,
            contract: None,
        };
        let ended = self.service.spine.execute(&self.grant, call).await;
        let job = match &ended {
            Ok(outcome) => self.ended_job(&outcome.data).await?,
            Err(_) => None,
        };
        let mut trail = self.service.core.store().trail.audit_lines(&self.grant.customer, None, 1_000).await?;
        let about = |line: &AuditLine| {
            line.audit.request.as_ref() == Some(&request)
                || job.as_ref().is_some_and(|job| line.audit.detail["job"] == job.view.reference.as_str())
        };
        trail.retain(about);
        trail.reverse();
        Ok(Ran { ended, job, trail })
    }

    async fn ended_job(&self, data: &str) -> anyhow::Result<Option<JobEntry>> {
        let answer: Value = serde_json::from_str(data)?;
        let Some(reference) = answer["job_ref"].as_str() else { return Ok(None) };
        let job = JobId::from(reference);
        let begun = std::time::Instant::now();
        loop {
            let entry = self.service.core.store().jobs.job_entry(&self.grant.customer, &job).await?;
            match entry {
                Some(entry) if entry.view.state.is_over() => return Ok(Some(entry)),
                Some(_) if begun.elapsed() < PATIENCE => tokio::time::sleep(Duration::from_millis(50)).await,
                Some(_) => bail!("the job has not ended after {} seconds", PATIENCE.as_secs()),
                None => return Ok(None),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

/// What the newest revision locks.
fn newest(catalog: &Path) -> anyhow::Result<Revision> {
    let newest = Revision::dates(catalog)?.pop().context("the catalog has no revision")?;
    Ok(Revision::standing(catalog, &newest)?)
}
