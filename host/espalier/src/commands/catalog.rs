//! `espalier catalog`: what may run, and whether what was built is what was reviewed.

mod list;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use catalog::approval::{self, Approval};
use catalog::compare::{self, Digest};
use catalog::revision::{Revision, Status};
use catalog::trust::SigningKey;
use sandbox::{Sandbox, inspect};
use serde_json::json;
use service::generation::Generation;
use store::serving::{Served, Standing, Step};
use store::{Indexing, Store};

use super::{Say, aside, review, sign};
use crate::assembly;
use crate::catalogs::drafts::{self, Which};
use crate::catalogs::{self, Home, Sources};
use crate::cli::{Catalog, Place};
use crate::in_force;
use crate::kept::{self, Kept};
use crate::modules::{self, Profile};
use crate::settings::Settings;

/// How often whoever waits for an index hears how far it is.
const TELL: Duration = Duration::from_secs(2);

pub(super) async fn run(place: &Place, command: Catalog, say: Say) -> anyhow::Result<()> {
    match command {
        Catalog::List { revision, modules } => {
            let settings = Settings::read(place)?;
            let home = Home::find(modules.as_deref(), &settings)?;
            let revision = match revision {
                Some(revision) => Some(revision),
                None => assembly::store(&settings).await?.0.serving.served().await?.map(|it| it.date),
            };
            list::run(&home, &catalogs::revision(&home.catalog(), revision.as_deref())?, say)
        }
        Catalog::Activate { revision, strand, modules } => {
            let settings = Settings::read(place)?;
            let home = Home::find(modules.as_deref(), &settings)?;
            // What the folder has under that date, whatever was in force before.
            let wanted = Served { date: revision, digest: None };
            activate(&settings, &home, &wanted, (Step::Forward, strand), say).await
        }
        Catalog::Rollback { strand, modules } => {
            let settings = Settings::read(place)?;
            let home = Home::find(modules.as_deref(), &settings)?;
            let store = assembly::store(&settings).await?.0;
            let before = match put_back(&home, &store).await? {
                Some(older) => older,
                None => way_back(&store).await?,
            };
            activate(&settings, &home, &before, (Step::Back, strand), say).await
        }
        Catalog::Approve { old, new, report, key, password_stdin, modules } => {
            let home = Home::find(modules.as_deref(), &Settings::read(place)?)?;
            approve(&home.catalog(), (&old, &new), &report, &sign::read(&key, password_stdin)?, say)
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

/// The revision that is in force, where the folder has older locks of it: then a rollback is to these.
async fn put_back(home: &Home, store: &Store) -> anyhow::Result<Option<Served>> {
    if matches!(home, Home::Workspace(_)) {
        return Ok(None);
    }
    let served = store.serving.served().await?.map(|it| it.date);
    let Ok(revision) = catalogs::revision(&home.catalog(), served.as_deref()) else { return Ok(None) };
    let digest = revision.hash();
    let standing = store.serving.standing(&revision.date, &digest).await?;
    Ok((standing == Standing::Replaced).then_some(Served { date: revision.date, digest: Some(digest) }))
}

/// What a rollback puts in force. The store remembers one step, which after a step back is what was taken out.
async fn way_back(store: &Store) -> anyhow::Result<Served> {
    let before = store.serving.served_before().await?.context(
        "nothing was in force before the last activation, so there is no way back; `espalier catalog activate DATE` puts \
         another revision in force",
    )?;
    if store.serving.went_back().await? {
        let served = store.serving.served().await?.map(|it| it.date).unwrap_or_default();
        let before = before.date;
        bail!(
            "the last step went back already, from {before} to {served}, and what was in force earlier is not remembered; \
             `espalier catalog activate {before}` goes forward again"
        );
    }
    Ok(before)
}

/// Everything is loaded here first: what a host would refuse is not activated.
async fn activate(
    settings: &Settings,
    home: &Home,
    wanted: &Served,
    (step, strand): (Step, bool),
    say: Say,
) -> anyhow::Result<()> {
    let kept = Kept::of(&settings.data_dir);
    let (shipped, revision) = match home {
        Home::Shipped(_) => {
            let (sources, revision) = kept::in_force(&home.sources(settings)?, &kept, wanted)?;
            (Some(sources), revision)
        }
        // Nothing is built before it is known that it is wanted.
        Home::Workspace(_) => (None, catalogs::revision(&home.catalog(), Some(&wanted.date))?),
    };
    let date = revision.date.as_str();
    let (store, clock) = assembly::store(settings).await?;
    let before = store.serving.served().await?.map(|it| it.date);
    let is_shipped = shipped.is_some();
    let standing = store.serving.standing(date, &revision.hash()).await?;
    let is_same = !is_shipped || matches!(standing, Standing::Current | Standing::First);
    if before.as_deref() == Some(date) && is_same {
        let value = json!({ "revision": date, "before": date, "already": true });
        say.value(&value, &format!("revision {date} is in force already; nothing was changed"));
        return Ok(());
    }
    if is_shipped && step == Step::Forward {
        in_force::check(&store, &revision).await?;
    }
    let sources = match shipped {
        Some(sources) => sources,
        None => home.sources(settings)?,
    };
    let mut approved = None;
    if let (Some(trust), Step::Forward) = (&sources.trust, step) {
        let old = before.as_deref().map(|date| sources.revision(Some(date))).transpose()?;
        approved = Some(approval::of_step(&sources.catalog, old.as_ref(), &revision, trust)?.signer);
    }
    let sandbox = assembly::sandbox(settings, &settings.file.outbound, "http://127.0.0.1:8080")?;
    let generation = sources.load(&sandbox, &revision)?;
    if !strand {
        stranded(&store, &generation).await?;
    }
    let indexed = index(&store, &sandbox, &generation).await?;
    if is_shipped {
        if let Err(error) = kept.keep(&sources, &revision) {
            aside(&format!(
                "it cannot be kept in the data folder here, so a step back will need its folder: {error:#}"
            ));
        }
        store.serving.note_in_force(date, &revision.hash(), clock.now()).await?;
    }
    let served = Served { date: date.to_owned(), digest: is_shipped.then(|| revision.hash()) };
    store.serving.serve_revision(served, step, clock.now()).await?;
    let operations = generation.operations().count();
    let said = approved.as_ref().map(|signer| format!(", approved by {signer},")).unwrap_or_default();
    let forward = match (step, &before) {
        (Step::Back, Some(before)) => {
            format!(", in place of {before}; `espalier catalog activate {before}` goes forward again")
        }
        _ => String::new(),
    };
    say.value(
        &json!({
            "revision": date, "before": before, "operations": operations, "digest": revision.hash(),
            "approved_by": approved, "indexed": indexed,
        }),
        &format!(
            "revision {date}{said} with {operations} operations is in force; hosts follow within seconds{forward}"
        ),
    );
    Ok(())
}

/// Refuses a revision that could not read what is stored: records that a later one wrote in a form which it does not know.
async fn stranded(store: &Store, generation: &Generation) -> anyhow::Result<()> {
    let later = store.records.of_later_forms(&generation.stored()).await?;
    if later.is_empty() {
        return Ok(());
    }
    let each: Vec<_> = later.iter().map(|(collection, rows)| format!("{collection}: {rows}")).collect();
    bail!(
        "revision {} cannot read records that a later one has written in another form ({}); `--strand` leaves them where they \
         are, and calls that meet one fail until the later revision is in force again",
        generation.api_version,
        each.join(", ")
    )
}

/// Gives rows that are there their keys in every index that the revision adds, before anything asks for them; returns how
/// many were given. What was done stays done: after a kill the same command goes on where it was.
async fn index(store: &Store, sandbox: &Sandbox, generation: &Generation) -> anyhow::Result<BTreeMap<String, u64>> {
    let before = store.records.indexing().await?;
    store.records.declare_indexes(&generation.stored(), generation.upgrades(sandbox)).await?;
    let mut told = Instant::now();
    while let Some(at) = store.records.index_more().await? {
        if told.elapsed() > TELL {
            aside(&format!("{}/{}: {} rows have their keys", at.collection, at.index, at.rows));
            told = Instant::now();
        }
    }
    // Whoever else has the store may have done a part of it, the last one too.
    let after = store.records.indexing().await?.into_iter().filter(|at| at.rows > 0 && !is_ready(&before, at));
    Ok(after.map(|at| (format!("{}/{}", at.collection, at.index), at.rows)).collect())
}

fn is_ready(before: &[Indexing], index: &Indexing) -> bool {
    before.iter().any(|it| it.ready && it.place == index.place)
}

/// Says yes to exactly the report that was read.
fn approve(catalog: &Path, (old, new): (&str, &str), report: &str, key: &SigningKey, say: Say) -> anyhow::Result<()> {
    let old = if old == "none" { None } else { Some(catalogs::revision(catalog, Some(old))?) };
    let new = catalogs::revision(catalog, Some(new))?;
    let approval = Approval::of(old.as_ref(), &new)?;
    if approval.report != report {
        bail!("the report of this step is {}, not {report}: something changed since it was read", approval.report);
    }
    let file = approval.write(catalog, key)?;
    let words = format!("{} says yes to {}", file.display(), approval.report);
    say.value(&json!({ "approval": approval, "file": file }), &words);
    Ok(())
}

fn check(say: Say) -> anyhow::Result<()> {
    let sources = Sources::workspace(&modules::workspace()?, Profile::Component)?;
    let revision = sources.revision(None)?;
    let mut differences = Vec::new();
    for built in &sources.built {
        let inspection = inspect::inspect(&catalog::files::read(&built.path, catalog::files::COMPONENT)?)?;
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
