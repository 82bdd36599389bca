//! Where something is in a registry, as a person writes it. Nothing is filled in: no registry, no tag.

use std::net::IpAddr;

use anyhow::{Context as _, bail};
use oci_client::Reference;

use super::is_digest;

/// A name in a registry, with a tag, a digest, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    reference: Reference,
}

impl Address {
    /// Reads `HOST/NAME:TAG`, `HOST/NAME@sha256:…` or `HOST/NAME:TAG@sha256:…`.
    ///
    /// # Errors
    /// It is something else, or leaves out what others would fill in.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let form = || format!("{text:?} is no address in a registry; write HOST/NAME:TAG or HOST/NAME@sha256:…");
        let reference: Reference = text.parse().with_context(form)?;
        if reference.whole() != text {
            bail!("{}; whole, it would be {}", form(), reference.whole());
        }
        if reference.digest().is_some_and(|digest| !is_digest(digest)) {
            bail!("{}: a digest is sha256: and 64 hex digits in lower case", form());
        }
        Ok(Self { reference })
    }

    /// The host that is asked, with its port where it has one.
    pub fn host(&self) -> &str {
        self.reference.resolve_registry()
    }

    /// The name there.
    pub fn name(&self) -> &str {
        self.reference.repository()
    }

    /// The tag, which may name other bytes tomorrow.
    pub fn tag(&self) -> Option<&str> {
        self.reference.tag()
    }

    /// The digest, which never does.
    pub fn digest(&self) -> Option<&str> {
        self.reference.digest()
    }

    /// The same name by this digest alone.
    pub fn pinned(&self, digest: &str) -> String {
        self.reference.clone_with_digest(digest.to_owned()).whole()
    }

    /// Scheme and host. Plain HTTP is spoken on loopback alone, and nothing else is spoken there.
    pub fn origin(&self) -> String {
        let scheme = if self.is_loopback() { "http" } else { "https" };
        format!("{scheme}://{}", self.host())
    }

    /// Whether the registry is on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.host().split(':').next().unwrap_or_default())
    }

    /// As `oci-client` wants it.
    pub(super) fn reference(&self) -> &Reference {
        &self.reference
    }
}

/// Whether a host, without its port, is this machine by its very name.
pub(super) fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests;
