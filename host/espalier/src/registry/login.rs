//! Who a registry is to believe that we are: from the environment, or where `docker login` keeps it. Never from the
//! command line, which others on a machine can read, and never printed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::token::Secret;
use serde::Deserialize;

use crate::settings::from_environment;

const USER: &str = "ESPALIER_REGISTRY_USER";
const PASSWORD: &str = "ESPALIER_REGISTRY_PASSWORD";

/// A name and a password, or a token in its place, for one registry.
#[derive(Clone, Debug)]
pub struct Login {
    /// The name.
    pub user: String,
    /// The password.
    pub password: Secret,
}

/// The part of Docker's `config.json` that is read.
#[derive(Deserialize)]
struct Docker {
    #[serde(default)]
    auths: BTreeMap<String, Entry>,
}

/// A registry in it. One whose password a credential helper keeps has no `auth`.
#[derive(Deserialize)]
struct Entry {
    auth: Option<Secretly>,
}

/// Base64 of `user:password`; a type of its own, so that no message shows it.
#[derive(Deserialize)]
#[serde(transparent)]
struct Secretly(String);

impl Login {
    /// The login for this registry: that of the environment, or of `$DOCKER_CONFIG/config.json`, or of
    /// `~/.docker/config.json`. None where nobody has any: what is public needs none.
    ///
    /// # Errors
    /// Only half of one is there, or the file cannot be read.
    pub fn find(host: &str) -> anyhow::Result<Option<Self>> {
        match (from_environment(USER), from_environment(PASSWORD)) {
            (Some(user), Some(password)) => return Ok(Some(Self { user, password: Secret::received(password) })),
            (Some(_), None) => bail!("{USER} is set and {PASSWORD} is not; set both or none"),
            (None, Some(_)) => bail!("{PASSWORD} is set and {USER} is not; set both or none"),
            (None, None) => {}
        }
        let folder = from_environment("DOCKER_CONFIG").map(PathBuf::from);
        let folder = folder.or_else(|| std::env::home_dir().map(|home| home.join(".docker")));
        let Some(file) = folder.map(|folder| folder.join("config.json")) else { return Ok(None) };
        match std::fs::read_to_string(&file) {
            Ok(text) => Self::kept(&text, &file, host),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", file.display())),
        }
    }

    /// What a text of Docker's has for this registry.
    fn kept(text: &str, file: &Path, host: &str) -> anyhow::Result<Option<Self>> {
        // The parser's own words could repeat a secret that stands there.
        let wrong = || anyhow::anyhow!("{} is not as `docker login` writes it; run that again", file.display());
        let docker: Docker = serde_json::from_str(text).map_err(|_| wrong())?;
        let entry = docker.auths.iter().find(|(key, _)| bare(key) == host).map(|(_, entry)| entry);
        let Some(Secretly(auth)) = entry.and_then(|entry| entry.auth.as_ref()) else { return Ok(None) };
        if auth.is_empty() {
            return Ok(None);
        }
        let text = STANDARD.decode(auth).ok().and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(wrong)?;
        let (user, password) = text.split_once(':').ok_or_else(wrong)?;
        Ok(Some(Self { user: user.to_owned(), password: Secret::received(password) }))
    }
}

/// The host of a key in that file: Docker also writes addresses there, `https://index.docker.io/v1/` for one.
fn bare(key: &str) -> &str {
    let key = key.split_once("://").map_or(key, |(_, rest)| rest);
    key.split('/').next().unwrap_or(key)
}

#[cfg(test)]
mod tests;
