//! `espalier serve`: the service on an address.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::Say;
use crate::assembly;
use crate::catalogs::Sources;
use crate::cli::{Place, Serve};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, options: &Serve, say: Say) -> anyhow::Result<()> {
    super::start_log(place.json);
    let mut settings = Settings::read(place)?;
    settings.connect(options.connect_clients.as_deref())?;
    let sources = Sources::find(options.modules.as_deref(), &settings)?;
    let (listener, address) = listen(options).await?;
    let url = public_url(options, address);
    let service = assembly::with_modules(
        &settings,
        &url,
        &settings.file.outbound,
        sources,
        options.revision.as_deref(),
        assembly::clock(&settings).await?,
    )
    .await?;
    let addresses = addresses(address, &url);
    say.value(&addresses, &format!("listening on {address}; REST at {url}/v1, MCP at {url}/mcp"));
    let bounds = crate::descriptors::raise(settings.file.listener);
    assembly::serve(service, listener, bounds, Duration::from_secs(options.drain_seconds)).await
}

pub(super) async fn listen(options: &Serve) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(options.listen)
        .await
        .with_context(|| format!("{} cannot be listened on; choose another with --listen", options.listen))?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

pub(super) fn public_url(options: &Serve, address: SocketAddr) -> String {
    options.public_url.clone().unwrap_or_else(|| format!("http://{address}")).trim_end_matches('/').to_owned()
}

pub(super) fn addresses(address: SocketAddr, url: &str) -> Value {
    json!({ "listen": address.to_string(), "rest": format!("{url}/v1"), "mcp": format!("{url}/mcp") })
}
