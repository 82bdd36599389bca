//! `espalier up`: everything a new user needs to try it, in one command.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::bail;
use model::scope::ScopeSet;
use model::token::Secret;
use sandbox::Compile;
use sandbox::tokens::Client;
use serde_json::{Value, json};
use service::Service;
use service::oauth::customers::NotDone;
use service::oauth::password::Password;
use simulators::{Seed, Simulator, World};
use store::identity::customers::Customer;

use super::{Say, dev, serve};
use crate::assembly;
use crate::catalogs::Sources;
use crate::cli::{Place, Serve};
use crate::early;
use crate::modules::{self, Profile};
use crate::settings::{Pace, Settings};

/// Who signs in to try things out. Not a secret: `up` is for a machine of one's own.
const EMAIL: &str = "demo@espalier.example";
const PASSWORD: &str = "lamps-that-last";
/// Enough for the activation and for weeks of trying.
const CREDITS: u64 = 1_000;
/// Of them, turned into points at once.
const POINTS_FOR: u64 = 50;
/// The name under which the simulated WordPress is known, beside the shop.
const BLOG: &str = "blog.shop.example";
/// The providers' data is the same at each start.
const SEED: Seed = Seed(1);
/// The ports of the shop and, after it, of the simulators: the same at each start, so that what was connected stays so.
/// Free ones where another program has one of them.
const PORTS: u16 = 7_300;
/// Served before the others are built, where nothing was built before: what the walk calls.
const FIRST: [&str; 6] = ["account", "audit", "connections", "crawl", "schema", "websites"];
/// What to try first, line by line.
const WALK: &str = include_str!("walk.sh");

/// Whether modules are built anew when they change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// They are served as they were at the start.
    Fixed,
    /// A saved file is built and served within seconds.
    Watching,
}

pub(super) async fn run(
    place: &Place,
    options: &Serve,
    sight: Sight,
    credentials: bool,
    say: Say,
) -> anyhow::Result<()> {
    super::start_log(place.json);
    let mut settings = Settings::read(place)?;
    settings.connect(options.connect_clients.as_deref())?;
    settings.compile = match sight {
        Sight::Watching => Compile::Quickly,
        Sight::Fixed => Compile::Behind,
    };
    let sources = match &options.modules {
        Some(_) if sight == Sight::Watching => bail!("dev builds the modules of this workspace; --modules is for up"),
        Some(folder) => Sources::shipped(folder, settings.trust()?)?,
        None if sight == Sight::Watching => Sources::workspace(&modules::workspace()?, dev::PROFILE)?,
        // A program that reads the addresses goes on at once, so it waits for all of them; and so does work that is in
        // the database already.
        None if place.json || !settings.is_new() => Sources::workspace(&modules::workspace()?, Profile::served())?,
        None => Sources::begun(&modules::workspace()?, Profile::served(), &FIRST)?,
    };
    let later = sources.clone();
    let local = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
    let shop = match demo::serve(local(PORTS)).await {
        Ok(shop) => shop,
        Err(_) => demo::serve(local(0)).await?,
    };
    let mut outbound = settings.file.outbound.clone();
    outbound.allow_private.push("127.0.0.0/8".to_owned());
    outbound.resolve.insert(demo::HOST.to_owned(), shop);
    let world = match simulators::start_from(SEED, PORTS + 1).await {
        Ok(world) => world,
        Err(_) => simulators::start(SEED).await?,
    };
    for (name, client) in clients(&world) {
        settings.clients.entry(name).or_insert(client);
    }
    world.site(demo::HOST, shop);
    outbound.resolve.insert(BLOG.to_owned(), world.wordpress.address());
    outbound.pace.get_or_insert(Pace { every_ms: 50, burst: 50 });
    let (listener, address) = serve::listen(options).await?;
    let url = serve::public_url(options, address);
    let clock = assembly::clock(&settings).await?;
    let service =
        assembly::with_modules(&settings, &url, &outbound, sources, options.revision.as_deref(), clock).await?;
    let customer = demo_customer(&service).await?;
    let token = demo_token(&service, &customer).await?;
    let mut value = serve::addresses(address, &url);
    value["access_token"] = json!(token);
    value["email"] = json!(EMAIL);
    value["password"] = json!(PASSWORD);
    value["demo_site"] = json!(demo::HOST);
    value["providers"] = providers(&world);
    let walk = walk(&url, &token, &world);
    value["walk"] = json!(walk);
    let operations = service.core.catalog().current().operations().count();
    let coming = coming(&service.core.catalog().current().coming());
    say.value(&value, &words(&url, shop, (operations, &coming), &listed(&world, credentials), &walk));
    if !later.coming.names().is_empty() {
        let (service, workspace, host) = (service.clone(), modules::workspace()?, tokio::runtime::Handle::current());
        // It ends with the process: nobody waits for a build when the host is told to stop.
        std::thread::spawn(move || early::rest(&service, &later, &workspace, &host));
    }
    if sight == Sight::Watching {
        let (service, workspace) = (service.clone(), modules::workspace()?);
        // As above.
        std::thread::spawn(move || dev::watch(&service, &workspace));
    }
    let bounds = crate::descriptors::raise(settings.file.listener);
    assembly::serve(service, listener, bounds, Duration::from_secs(options.drain_seconds)).await
}

/// The demo customer, made at the first start.
async fn demo_customer(service: &Service) -> anyhow::Result<Customer> {
    let authority = service.core.authority();
    let password = Password::chosen(PASSWORD).map_err(|reason| anyhow::anyhow!("the demo password {reason}"))?;
    match authority.add_customer(EMAIL, Some(password), CREDITS).await {
        Ok(customer) => {
            authority.activate(&customer.id).await?;
            service.core.store().money.buy_points(&customer.id, POINTS_FOR, "opening").await?;
            Ok(customer)
        }
        Err(NotDone::EmailTaken(_)) => {
            let customers = authority.customers().await?;
            let known = customers.into_iter().find(|customer| customer.email == EMAIL);
            known.ok_or_else(|| anyhow::anyhow!("the demo customer cannot be found"))
        }
        Err(error) => Err(error.into()),
    }
}

/// A token of this start; those of earlier starts end.
async fn demo_token(service: &Service, customer: &Customer) -> anyhow::Result<String> {
    const NAME: &str = "espalier up";
    let authority = service.core.authority();
    for grant in authority.connections(&customer.id).await? {
        if grant.name == NAME && grant.client.is_none() {
            authority.disconnect(&customer.id, &grant.id).await?;
        }
    }
    let made =
        authority.issue_token(&customer.id, ScopeSet::all(), NAME, Duration::from_secs(30 * 24 * 60 * 60)).await?;
    Ok(made.secret.reveal().to_owned())
}

/// This service at the simulated providers whose accounts are connected by a consent.
fn clients(world: &World) -> BTreeMap<String, Client> {
    let client = |provider: &Simulator| {
        let known = provider.credentials();
        let text = |name: &str| known[name].as_str().unwrap_or_default().to_owned();
        let secret = Some(Secret::received(text("client_secret")));
        Client { id: text("client_id"), secret, endpoint: Some(provider.url()) }
    };
    [("oauth2.googleapis.com", &world.google), ("bing_webmaster", &world.bing_webmaster)]
        .map(|(name, provider)| (name.to_owned(), client(provider)))
        .into()
}

/// The simulated providers: where each is and what to paste. Nothing of it is a secret.
fn providers(world: &World) -> Value {
    let http = world.simulators().into_iter().map(|it| (it.name(), it.url(), it.credentials()));
    let all = http.chain([(world.smtp.name(), world.smtp.url(), world.smtp.credentials())]);
    all.map(|(name, endpoint, credentials)| json!({ "name": name, "endpoint": endpoint, "credentials": credentials }))
        .collect()
}

/// The providers, a line each.
fn listed(world: &World, credentials: bool) -> String {
    let all = providers(world);
    let line = |it: &Value| {
        let text = |name: &str| it[name].as_str().unwrap_or_default();
        let address = if text("name") == "wordpress" { format!("http://{BLOG}") } else { text("endpoint").to_owned() };
        let secret = if credentials { format!(" {}", it["credentials"]) } else { String::new() };
        format!("  {:<14} {address:<26}{secret}\n", text("name"))
    };
    all.as_array().into_iter().flatten().map(line).collect()
}

/// The lines of [`WALK`] for this start.
fn walk(url: &str, token: &str, world: &World) -> String {
    let credentials = world.wordpress.credentials().to_string();
    let given = [("{url}", url), ("{token}", token), ("{blog}", BLOG), ("{wordpress}", &credentials)];
    given.iter().fold(WALK.to_owned(), |walk, (name, value)| walk.replace(name, value))
}

/// What is not there yet, when there is anything.
fn coming(modules: &[&str]) -> String {
    if modules.is_empty() {
        return String::new();
    }
    format!(" Still being built, and served one by one as they are there: {}.", modules.join(", "))
}

fn words(url: &str, shop: SocketAddr, served: (usize, &str), providers: &str, walk: &str) -> String {
    let (host, (operations, coming)) = (demo::HOST, served);
    format!(
        r#"Espalier is up with {operations} operations.{coming}

  portal     {url}/          sign in as {EMAIL} with {PASSWORD}
  REST       {url}/v1
  MCP        {url}/mcp
  demo shop  http://{host}/   (for modules; in a browser http://{shop}/)
  demo blog  http://{BLOG}/   (for modules; a simulated WordPress)

Providers to connect, simulated here (`up --credentials` prints what to connect them with):

{providers}
Find an operation by its goal, in words of any of twelve languages:

  curl -s -H "Authorization: Bearer $TOKEN" '{url}/v1/capabilities?query=crawl+my+website'

A walk to paste into a shell, as a whole or line by line: it connects a WordPress, crawls and audits it, mends one
thing on it and takes that back.

{walk}
Or connect an agent; it signs in by itself:

  claude mcp add --transport http espalier {url}/mcp

Stop with Ctrl-C. The next start takes a second or two."#
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_modules_that_are_served_first_are_those_that_the_walk_calls() {
        let calls = super::WALK.split("ask ").skip(1).filter_map(|it| it.split_once('.'));
        let called: BTreeSet<&str> = calls.map(|(module, _)| module).collect();
        let called: Vec<&str> =
            called.into_iter().filter(|it| it.bytes().all(|it| it.is_ascii_lowercase() || it == b'_')).collect();
        assert_eq!(called, super::FIRST);
    }
}
