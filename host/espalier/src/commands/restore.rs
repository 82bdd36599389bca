//! `espalier restore`: a backup into a data folder that nobody uses, after it has proved to be good.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use model::clock::{Clock as _, SystemClock, SystemEntropy};
use serde_json::json;
use store::Alone;
use store::database::backup::{self as copies, Place as Where};

use super::Say;
use super::backup::{DATABASE, NOTES, RING, companions, is_companion, quoted};
use crate::archive;
use crate::cli::Place;
use crate::settings::Settings;

pub(super) async fn run(place: &Place, file: &Path, force: bool, say: Say) -> anyhow::Result<()> {
    let settings = Settings::read(place)?;
    let database = match copies::place(&settings.database)? {
        Where::File(database) => database,
        Where::Server(server) => bail!(
            "a database on a server is restored by its own tools: pg_restore --clean --if-exists \
             --single-transaction {server} {}; and put {} back",
            quoted(file),
            settings.data_dir.join(RING).display()
        ),
    };
    let mut alone = Alone::take(&database).with_context(|| format!("{} is in use", database.display()))?;
    if database.exists() && !force {
        bail!(
            "{} is there already; --force puts it aside, into a folder beside it, and restores over it",
            database.display()
        );
    }
    let folder = archive::folder_of(&database);
    let unpacked = tempfile::Builder::new()
        .prefix(".espalier-restore-")
        .tempdir_in(folder)
        .with_context(|| format!("{} cannot be written to", folder.display()))?;
    let contents = archive::unpack(file, unpacked.path(), |name| name == DATABASE || is_companion(name))?;
    let fresh = unpacked.path().join(DATABASE);
    prove(&fresh).await.with_context(|| format!("{} is whole, but cannot be served", file.display()))?;

    // From here on the folder is between two states: nobody comes in until it is done, even if this breaks off.
    alone.begin()?;
    let coming = companions(unpacked.path())?;
    let former = put_aside(&database, &settings.data_dir, &coming)?;
    for name in coming {
        let bytes = std::fs::read(unpacked.path().join(&name))?;
        crate::settings::replace_private(&settings.data_dir.join(name), &bytes)?;
    }
    std::fs::rename(&fresh, &database).with_context(|| format!("{} cannot be made", database.display()))?;
    archive::sync_folder(folder)?;
    alone.finish()?;

    let aside = former.as_ref().map_or(String::new(), |former| format!(" What was there is in {}.", former.display()));
    let words = format!(
        "restored the state of {}.{aside} What was revoked since then counts again: see `espalier token list`.",
        contents.made_at
    );
    say.value(&json!({ "made_at": contents.made_at, "host": contents.host, "former": former }), &words);
    Ok(())
}

/// Proves a database on a copy, because looking into it changes it.
async fn prove(database: &Path) -> anyhow::Result<()> {
    if !database.is_file() {
        bail!("it holds no database");
    }
    let trial = tempfile::tempdir_in(archive::folder_of(database))?;
    let copy = trial.path().join(DATABASE);
    std::fs::copy(database, &copy)?;
    let flaws = copies::check(&copy, Arc::new(SystemClock), Arc::new(SystemEntropy)).await?;
    if !flaws.is_empty() {
        bail!("{}", flaws.join("; "));
    }
    Ok(())
}

/// Moves what a restore replaces into a folder of its own: the database, the notes about its trail, and
/// its keys, unless none come in their place.
fn put_aside(database: &Path, data: &Path, coming: &[String]) -> anyhow::Result<Option<PathBuf>> {
    let beside = |suffix| {
        let mut path = database.as_os_str().to_owned();
        path.push(suffix);
        PathBuf::from(path)
    };
    // The log first: without it the database is an older one, and must not stand alone under its name.
    let mut there = vec![beside("-wal"), beside("-shm"), database.to_owned()];
    let keys_come = coming.iter().any(|name| name != NOTES);
    let mut leaving = companions(data)?;
    leaving.retain(|name| keys_come || name == NOTES);
    there.extend(leaving.iter().map(|name| data.join(name)));
    there.retain(|path| path.exists());
    if there.is_empty() {
        return Ok(None);
    }
    let former = archive::folder_of(database).join(format!("before-restore-{}", SystemClock.now().0));
    crate::settings::make_private(&former)?;
    for path in there {
        let to = former.join(path.file_name().unwrap_or_default());
        // Another file system is possible for the keys alone, and those are small.
        if std::fs::rename(&path, &to).is_err() {
            crate::settings::replace_private(&to, &std::fs::read(&path)?)?;
            std::fs::remove_file(&path)?;
        }
    }
    archive::sync_folder(&former)?;
    Ok(Some(former))
}
