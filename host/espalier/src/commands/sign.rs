//! `espalier signer` and `espalier sign`: a key of one's own, and signatures with it.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use catalog::revision::Revision;
use catalog::trust::SigningKey;
use serde_json::{Value, json};

use super::Say;
use crate::settings::write_private;

pub(super) fn make(name: &str, password_stdin: bool, say: Say) -> anyhow::Result<()> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
        bail!("{name:?} is no name for a file; letters, digits, `-`, `_` and `.` are");
    }
    let (secret, public) = SigningKey::make(password(password_stdin)?)?;
    let (key, shared) = (PathBuf::from(format!("{name}.key")), PathBuf::from(format!("{name}.pub")));
    write_private(&key, secret.as_bytes())?;
    let text = format!("untrusted comment: minisign public key of {name}\n{public}\n");
    std::fs::write(&shared, text).with_context(|| format!("{} cannot be written", shared.display()))?;
    let table = table(name, &public);
    say.value(
        &json!({ "key": key, "public": shared, "public_key": public }),
        &format!(
            "{} signs; keep it. Hosts that are to believe it have this in espalier.toml, with what it may sign:\n\n{table}",
            key.display()
        ),
    );
    Ok(())
}

/// What a host would have for a key: one right, since a key with all of them approves what it has built itself.
fn table(name: &str, public: &str) -> String {
    format!(
        "[[signer]]\nname = \"{name}\"\nkey = \"{public}\"\n\
         signs = [\"modules\"]      # or \"revisions\": puts catalogs together; \"approvals\": reviews, with a key of its own"
    )
}

pub(super) fn sign(key: &Path, password_stdin: bool, what: &[PathBuf], say: Say) -> anyhow::Result<()> {
    let key = read(key, password_stdin)?;
    let mut written = Vec::new();
    for path in what {
        let file = if path.is_dir() { head(path)? } else { path.clone() };
        written.push(key.sign_file(&file)?);
    }
    let rows: Vec<Value> = written.iter().map(|file| json!({ "signature": file })).collect();
    let words: Vec<String> = written.iter().map(|file| file.display().to_string()).collect();
    say.value(&Value::Array(rows), &words.join("\n"));
    Ok(())
}

/// The file of a revision, whose locks are those that it states: nobody signs what was changed by accident.
fn head(folder: &Path) -> anyhow::Result<PathBuf> {
    let date = folder.file_name().context("name the folder of a revision")?.to_string_lossy().into_owned();
    let catalog = folder.parent().unwrap_or(Path::new("."));
    Ok(Revision::read(catalog, &date)?.file(catalog))
}

/// Opens a secret key.
pub(super) fn read(path: &Path, password_stdin: bool) -> anyhow::Result<SigningKey> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    SigningKey::read(&text, password(password_stdin)?).with_context(|| path.display().to_string())
}

fn password(given: bool) -> anyhow::Result<Option<String>> {
    if !given {
        return Ok(None);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context("standard input cannot be read")?;
    let password = text.trim_end_matches(['\r', '\n']);
    if password.is_empty() {
        bail!("standard input has no password");
    }
    Ok(Some(password.to_owned()))
}

#[cfg(test)]
mod tests;
