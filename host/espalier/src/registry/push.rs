//! Pushing: every file is a layer under its name, and the manifest comes last, so that a tag never names half of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use oci_client::Client;
use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::errors::OciDistributionError;
use oci_client::manifest::{OciDescriptor, OciImageManifest};
use reqwest::header::HeaderValue;
use sandbox::inspect;
use serde_json::json;

use super::content::{self, Files, SHIPPED, SIGNATURE, WASM, WASM_CONFIG};
use super::digest;
use super::door::{CONNECT, Door, MANIFEST, SILENCE};
use super::pass::of_login;

/// Files on their way at once.
const AT_ONCE: usize = 4;
/// The configuration of an artifact that has none (OCI image 1.1, "empty descriptor").
const EMPTY: (&str, &[u8]) = ("application/vnd.oci.empty.v1+json", b"{}");

/// What is pushed.
#[derive(Clone, Debug)]
pub enum Push {
    /// A shipped folder.
    Shipped(Files),
    /// One component: its bytes, and the text of its signature.
    Component(Vec<u8>, String),
}

/// Pushes, and gives the digest of what is there then. The same files have the same digest, whoever pushes them and when.
///
/// # Errors
/// A file cannot be read or is beyond its bound, or the registry does not take something.
pub async fn push(door: &Door, what: Push) -> anyhow::Result<String> {
    door.knock().await?;
    let client = client(door).await?;
    let mut manifest = OciImageManifest { media_type: Some(MANIFEST.to_owned()), ..OciImageManifest::default() };
    match what {
        Push::Shipped(files) => {
            let sent = files.taken.into_iter().map(|(title, path)| file(door, &client, title, path));
            manifest.layers = stream::iter(sent).buffered(AT_ONCE).try_collect().await?;
            manifest.artifact_type = Some(SHIPPED.to_owned());
            manifest.config = described(EMPTY.0, EMPTY.1)?;
            blob(door, &client, EMPTY.1.to_vec(), &manifest.config.digest, "the configuration").await?;
        }
        Push::Component(bytes, signature) => {
            let config = config(&bytes)?;
            manifest.layers = vec![described(WASM, &bytes)?];
            manifest.config = described(WASM_CONFIG, &config)?;
            manifest.annotations = Some(BTreeMap::from([(SIGNATURE.to_owned(), signature)]));
            blob(door, &client, bytes, &manifest.layers[0].digest, "the component").await?;
            blob(door, &client, config, &manifest.config.digest, "its configuration").await?;
        }
    }
    let bytes = serde_json::to_vec(&manifest)?;
    let pushed = digest(&bytes);
    let sent = client.push_manifest_raw(door.address.reference(), bytes, HeaderValue::from_static(MANIFEST)).await;
    sent.map_err(|error| failed(door, error, "the manifest"))?;
    Ok(pushed)
}

async fn client(door: &Door) -> anyhow::Result<Client> {
    let host = door.address.host();
    let plain = if door.address.is_loopback() { vec![host.to_owned()] } else { Vec::new() };
    let client = Client::try_from(ClientConfig {
        protocol: ClientProtocol::HttpsExcept(plain),
        // One request less for each file, and the one form that every registry takes.
        use_monolithic_push: true,
        read_timeout: Some(SILENCE),
        connect_timeout: Some(CONNECT),
        user_agent: concat!("espalier/", env!("CARGO_PKG_VERSION")),
        ..ClientConfig::default()
    });
    let client = client.context("no HTTP client can be made")?;
    // Without a word about it nothing is shown, and the crate does not ask before each request what there would be.
    if door.login.is_some() || door.is_locked().await {
        client.store_auth_if_needed(host, &of_login(door.login.as_ref())).await;
    }
    Ok(client)
}

async fn file(door: &Door, client: &Client, title: String, path: PathBuf) -> anyhow::Result<OciDescriptor> {
    let bytes = tokio::fs::read(&path).await.with_context(|| format!("{} cannot be read", path.display()))?;
    let layer = content::descriptor(&title, &bytes)?;
    blob(door, client, bytes, &layer.digest, &title).await?;
    Ok(layer)
}

/// Sends what the registry has not yet.
async fn blob(door: &Door, client: &Client, bytes: Vec<u8>, digest: &str, what: &str) -> anyhow::Result<()> {
    let address = door.address.reference();
    let there = client.blob_exists(address, digest).await.map_err(|error| failed(door, error, what))?;
    if !there {
        let size = u64::try_from(bytes.len())?;
        let body = stream::iter([Ok(bytes.into())]);
        let sent = client.push_blob_stream(address, body, digest, Some(size)).await;
        sent.map_err(|error| failed(door, error, what))?;
    }
    Ok(())
}

/// In our words: the crate's own repeat addresses and what a registry says, which may be anything.
fn failed(door: &Door, error: OciDistributionError, what: &str) -> anyhow::Error {
    match error {
        OciDistributionError::ServerError { code, .. } => door.denied(code, what),
        OciDistributionError::UnauthorizedError { .. } | OciDistributionError::AuthenticationFailure(_) => {
            door.denied(401, what)
        }
        OciDistributionError::RequestError(error) => match error.status() {
            Some(status) => door.denied(status.as_u16(), what),
            None => super::door::reason(error).context(format!("{} broke off at {what}", door.address.host())),
        },
        _ => anyhow::anyhow!("{} does not take {what} as an OCI registry does", door.address.host()),
    }
}

fn described(media_type: &str, bytes: &[u8]) -> anyhow::Result<OciDescriptor> {
    let (media_type, size) = (media_type.to_owned(), i64::try_from(bytes.len())?);
    Ok(OciDescriptor { media_type, digest: digest(bytes), size, ..OciDescriptor::default() })
}

/// The configuration of one component, as the layout of the CNCF has it. `wasip2` is its word for a component, whatever
/// that imports; no time is in it but the first one, or the same component would have another digest each time.
fn config(component: &[u8]) -> anyhow::Result<Vec<u8>> {
    let shown = inspect::inspect(component)?;
    let interfaces = |mut names: Vec<String>| {
        names.dedup();
        names
    };
    let exports = shown.exports.iter().filter_map(|export| export.split('#').next().map(str::to_owned)).collect();
    Ok(serde_json::to_vec(&json!({
        "created": "1970-01-01T00:00:00Z",
        "architecture": "wasm",
        "os": "wasip2",
        "layerDigests": [digest(component)],
        "component": { "exports": interfaces(exports), "imports": interfaces(shown.imports) },
    }))?)
}
