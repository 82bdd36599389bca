//! `espalier catalog`: what may run, and whether what was built is what was reviewed.

use anyhow::{Context as _, bail};
use catalog::approval::{self, Approval};
use catalog::compare::{self, Digest};
use catalog::revision::{Revision, Status};
use catalog::trust::SigningKey;
use sandbox::inspect;
use serde_json::{Value, json};

use super::{Say, review, sign};
use crate::assembly;
use crate::catalogs::Sources;
use crate::catalogs::drafts::{self, Which};
use crate::cli::{Catalog, Place};
use crate::modules::{self, Profile};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: Catalog, say: Say) -> anyhow::Result<()> {
    match command {
        Catalog::List { revision } => {
            let settings = Settings::read(place)?;
            let revision = match revision {
                Some(revision) => Some(revision),
                None => assembly::store(&settings).await?.0.served_revision().await?,
            };
            list(&settings, revision.as_deref(), say)
        }
        Catalog::Activate { revision, modules } => {
            let settings = Settings::read(place)?;
            let sources = Sources::find(modules.as_deref(), &settings)?;
            activate(&settings, &sources, &revision, Step::Forward, say).await
        }
        Catalog::Rollback { modules } => {
            let settings = Settings::read(place)?;
            let sources = Sources::find(modules.as_deref(), &settings)?;
            let before = assembly::store(&settings).await?.0.revision_before().await?;
            let before = before.context("nothing was in force before the last activation, so there is no way back")?;
            activate(&settings, &sources, &before, Step::Back, say).await
        }
        Catalog::Approve { old, new, report, key, password_stdin, modules } => {
            let sources = Sources::find(modules.as_deref(), &Settings::read(place)?)?;
            approve(&sources, (&old, &new), &report, &sign::read(&key, password_stdin)?, say)
        }
        Catalog::Cut { date } => {
            let revision = drafts::cut(&modules::workspace()?.join("catalog"), &date)?;
            let value = json!({ "date": revision.date, "operations": revision.operations(), "hash": revision.hash() });
            let next = format!(
                "{date} begins as the newest revision stands; `espalier catalog lock` locks what is built, in it alone"
            );
            say.value(&value, &next);
            Ok(())
        }
        Catalog::Lock { revision, all } => {
            lock(revision.as_deref().map_or(if all { Which::All } else { Which::Newest }, Which::Of), say)
        }
        Catalog::Check => check(say),
        Catalog::Diff { old, new } => review::show(&old, &new, None, None, say).map(|_stops| ()),
    }
}

/// Which way an activation goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// To what a reviewer has compared with what is in force.
    Forward,
    /// To what was in force before, and was approved then.
    Back,
}

/// Writes the locks, and keeps what was locked beside what is built, for `module check`.
fn lock(which: Which<'_>, say: Say) -> anyhow::Result<()> {
    let workspace = modules::workspace()?;
    // A wrong date is told before minutes of building.
    drafts::chosen(&workspace.join("catalog"), which)?;
    let sources = Sources::workspace(&workspace, Profile::Component)?;
    let revisions = drafts::lock(&sources, which)?;
    let is_locked = |revision: &Revision| revision.status == Status::Draft;
    for revision in revisions.iter().filter(|it| is_locked(it)) {
        drafts::keep(&workspace, &sources.built, &revision.date)?;
    }
    let row = |it: &Revision| json!({ "date": it.date, "locked": is_locked(it), "operations": it.operations(), "hash": it.hash() });
    let told = |it: &Revision| match it.status {
        Status::Draft => format!("{}: {} operations", it.date, it.operations()),
        Status::Final => format!("{}: final, left as it is", it.date),
    };
    let words: Vec<String> = revisions.iter().map(told).collect();
    say.value(&revisions.iter().map(row).collect(), &words.join("\n"));
    Ok(())
}

/// Everything is loaded here first: what a host would refuse is not activated.
async fn activate(settings: &Settings, sources: &Sources, date: &str, step: Step, say: Say) -> anyhow::Result<()> {
    let revision = sources.revision(Some(date))?;
    let (store, clock) = assembly::store(settings).await?;
    let before = store.served_revision().await?;
    let mut approved = None;
    if let (Some(trust), Step::Forward) = (&sources.trust, step) {
        let old = before.as_deref().map(|date| sources.revision(Some(date))).transpose()?;
        approved = Some(approval::of_step(&sources.catalog, old.as_ref(), &revision, trust)?.signer);
    }
    let sandbox = assembly::sandbox(settings, &settings.file.outbound, "http://127.0.0.1:8080")?;
    let generation = sources.load(&sandbox, &revision)?;
    store.serve_revision(date, clock.now()).await?;
    let operations = generation.operations().count();
    let said = approved.as_ref().map(|signer| format!(", approved by {signer},")).unwrap_or_default();
    say.value(
        &json!({ "revision": date, "before": before, "operations": operations, "digest": revision.hash(), "approved_by": approved }),
        &format!("revision {date}{said} with {operations} operations is in force; hosts follow within seconds"),
    );
    Ok(())
}

/// Says yes to exactly the report that was read.
fn approve(
    sources: &Sources,
    (old, new): (&str, &str),
    report: &str,
    key: &SigningKey,
    say: Say,
) -> anyhow::Result<()> {
    let old = if old == "none" { None } else { Some(sources.revision(Some(old))?) };
    let new = sources.revision(Some(new))?;
    let approval = Approval::of(old.as_ref(), &new);
    if approval.report != report {
        bail!("the report of this step is {}, not {report}: something changed since it was read", approval.report);
    }
    let file = approval.write(&sources.catalog, key)?;
    let words = format!("{} says yes to {}", file.display(), approval.report);
    say.value(&json!({ "approval": approval, "file": file }), &words);
    Ok(())
}

fn list(settings: &Settings, revision: Option<&str>, say: Say) -> anyhow::Result<()> {
    let sources = Sources::find(None, settings)?;
    let revision = sources.revision(revision)?;
    let mut rows = Vec::new();
    for built in &sources.built {
        let Some(lock) = revision.locks.get(&built.name) else { continue };
        let inspection = inspect::inspect(&std::fs::read(&built.path)?)?;
        for contract in
            inspection.built.manifest.operations.iter().filter(|contract| lock.operations.contains_key(&contract.id))
        {
            rows.push(json!({
                "id": contract.id,
                "module": contract.module(),
                "kind": contract.kind,
                "mode": contract.mode,
                "scopes": contract.scopes,
                "native_price": contract.native_price,
                "cost": contract.cost,
                "summary": contract.summary,
            }));
        }
    }
    let words: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{:<32} {:<12} {}",
                row["id"].as_str().unwrap_or_default(),
                row["kind"].as_str().unwrap_or_default(),
                row["summary"].as_str().unwrap_or_default()
            )
        })
        .collect();
    say.value(&Value::Array(rows), &words.join("\n"));
    Ok(())
}

fn check(say: Say) -> anyhow::Result<()> {
    let sources = Sources::workspace(&modules::workspace()?, Profile::Component)?;
    let revision = sources.revision(None)?;
    let mut differences = Vec::new();
    for built in &sources.built {
        let inspection = inspect::inspect(&std::fs::read(&built.path)?)?;
        match revision.locks.get(&built.name) {
            Some(lock) => differences
                .extend(compare::differences(&inspection.built, lock, Digest::Free).iter().map(ToString::to_string)),
            None => differences.push(format!("{}/{}.toml: there is no lock of it", revision.date, built.name)),
        }
    }
    if !differences.is_empty() {
        bail!(
            "what was built is not what revision {0} locks; `espalier module check` says what each difference is for those \
             who call, and `espalier catalog lock {0}` locks a draft anew for review:\n{1}",
            revision.date,
            differences.join("\n")
        );
    }
    say.value(
        &json!({ "revision": revision.date, "differences": [] }),
        &format!("revision {} is what was built", revision.date),
    );
    Ok(())
}
