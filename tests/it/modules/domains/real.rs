//! A real PowerDNS: what is written over its interface is what its name server says, and what is not named stays as it is.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::host::Host;
use tests::needs;
use tests::patience::tries;

use super::called;

const SCOPES: &str = "account:read assets:read seo:analyze connections:manage domains:manage destructive:execute";
const KEY: &str = "a-key-of-the-tests";
const SCHEMA: &str = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

/// A name server with its interface; it ends with the test.
struct PowerDns {
    process: Child,
    api: u16,
    dns: SocketAddr,
    _folder: TempDir,
}

impl Drop for PowerDns {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

impl PowerDns {
    async fn start() -> Option<Self> {
        let program = PathBuf::from("/usr/sbin/pdns_server");
        if !program.is_file() || !Path::new(SCHEMA).is_file() {
            needs::skip("PowerDNS", "apt-get install pdns-server pdns-backend-sqlite3");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path().display();
        let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())";
        let made = Command::new("python3").args(["-c", script, &format!("{at}/db"), SCHEMA]).status().expect("python3");
        assert!(made.success(), "the database of the name server");
        let (api, port) = (postgres_cluster::free_port(), postgres_cluster::free_port());
        let settings = format!(
            "launch=gsqlite3\ngsqlite3-database={at}/db\ngsqlite3-dnssec=yes\napi=yes\napi-key={KEY}\nwebserver=yes\n\
             webserver-address=127.0.0.1\nwebserver-port={api}\nwebserver-allow-from=127.0.0.0/8\nlocal-address=127.0.0.1\n\
             local-port={port}\nsocket-dir={at}\ncache-ttl=0\nquery-cache-ttl=0\nnegquery-cache-ttl=0\nzone-cache-refresh-interval=0\n\
             dnssec-key-cache-ttl=0\ndomain-metadata-cache-ttl=0\n"
        );
        std::fs::write(folder.path().join("pdns.conf"), settings).expect("a file");
        let process = Command::new(program)
            .arg(format!("--config-dir={at}"))
            .args(["--daemon=no", "--guardian=no"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let server = Self { process, api, dns: SocketAddr::from(([127, 0, 0, 1], port)), _folder: folder };
        for _ in tries(100) {
            if server.try_ask("GET", "", None).await.is_some() {
                return Some(server);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the name server does not answer");
    }

    async fn try_ask(&self, method: &str, path: &str, body: Option<Value>) -> Option<Value> {
        let url = format!("http://127.0.0.1:{}/api/v1/servers/localhost{path}", self.api);
        let method = method.parse().expect("a method");
        let mut request = reqwest::Client::new().request(method, url).header("x-api-key", KEY);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.ok()?;
        let (status, text) = (answer.status(), answer.text().await.ok()?);
        assert!(status.is_success(), "{status} {text}");
        Some(serde_json::from_str(&text).unwrap_or_default())
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        self.try_ask(method, path, body).await.expect("an answer")
    }

    async fn zone(&self, name: &str) {
        let zone = json!({ "name": name, "kind": "Native", "nameservers": ["ns1.dns.test.", "ns2.dns.test."] });
        self.ask("POST", "/zones", Some(zone)).await;
    }

    /// All sets of the shop's zone but the start of authority, whose number moves with each change.
    async fn sets(&self) -> Vec<String> {
        let zone = self.ask("GET", "/zones/shop.test.", None).await;
        let all = zone["rrsets"].as_array().expect("a list").iter().filter(|it| it["type"] != "SOA");
        let mut sets: Vec<String> = all
            .map(|it| {
                let mut records: Vec<String> =
                    it["records"].as_array().expect("records").iter().map(|it| it["content"].to_string()).collect();
                records.sort();
                format!("{} {} {} {}", it["name"], it["type"], it["ttl"], records.join(" | "))
            })
            .collect();
        sets.sort();
        sets
    }
}

const ZONE: &str = "
@ 3600 MX 10 mail
@ 3600 MX 20 mx2.mail.test.
@ 3600 TXT \"v=spf1 mx -all\"
@ 3600 TXT \"say \\\"hi\\\"; and more\"
long 300 TXT (\"PADDING\" \"PADDING\")
@ 3600 CAA 0 issue \"letsencrypt.org\"
@ 3600 A 192.0.2.10
@ 3600 AAAA 2001:db8::10
www 300 CNAME @
mail 3600 A 192.0.2.20
mail 3600 A 192.0.2.21
_sip._tls 600 SRV 10 5 443 mail
_443._tcp.www 600 TLSA 3 1 1 0f0e0d0c0b0a09080706050403020100ffeeddccbbaa99887766554433221100
svc 600 HTTPS 1 . alpn=\"h2,h3\" port=8443
deep NS ns1.other.test.
*.shops 300 A 192.0.2.30
";

#[tokio::test(flavor = "multi_thread")]
async fn a_real_name_server_serves_what_was_written_and_keeps_what_was_not_named() {
    let Some(server) = PowerDns::start().await else { return };
    server.zone("test.").await;
    server.zone("shop.test.").await;
    let host = Host::start_with(|options| {
        options.resolver(server.dns);
        options.map("ns1.dns.test", server.dns);
        options.map("ns2.dns.test", server.dns);
    })
    .await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 90).await;
    let token = host.token_for(&ada, SCOPES, Duration::from_secs(7 * 86_400)).await;
    let ada = host.bearer(&ada, &token);
    let connection = json!({ "kind": "powerdns", "name": "mine", "endpoint": format!("http://127.0.0.1:{}", server.api), "credentials": { "api_key": KEY }, "test": true });
    called(&ada, "connections.add", connection).await;
    let text = ZONE.replace("PADDING", &"x".repeat(200));
    let made = called(&ada, "domains.dns.zone.import", json!({ "domain": "shop.test", "zone_text": text })).await;
    assert_eq!((&made["applied"], &made["left"]), (&json!(16), &json!(0)), "{made}");
    let is_told = |it: &Value| it["state"] == if it["type"] == "NS" { "unknown" } else { "served" };
    assert!(made["verified"].as_array().expect("a list").iter().all(is_told), "{made}");
    let whole = server.sets().await;
    assert!(whole.iter().any(|it| it.contains("say") && it.contains("hi") && it.contains("; and more")), "{whole:#?}");

    // What was exported is the same zone.
    let file = called(&ada, "domains.dns.zone.export", json!({ "domain": "shop.test" })).await;
    let same = json!({ "domain": "shop.test", "zone_text": file["zone_text"], "remove": true });
    let same = called(&ada, "domains.dns.zone.import", same).await;
    assert_eq!((&same["applied"], &same["left"]), (&json!(0), &json!(0)), "{same}");
    assert_eq!(server.sets().await, whole);

    // Each change touches what it names alone, is served, and comes back whole.
    for (records, touched) in [
        (json!([{ "name": "mail", "type": "A", "content": "192.0.2.22" }]), vec!["mail.shop.test."]),
        (json!([{ "name": "www", "type": "CNAME", "content": "edge.cdn.test" }]), vec!["\"www.shop.test."]),
        (
            json!([{ "name": "@", "type": "TXT", "content": "v=spf1 mx ip4:203.0.113.9 -all" }, { "name": "new", "type": "AAAA", "content": "2001:db8::7", "ttl": 120 }]),
            vec!["\"shop.test.", "new.shop.test."],
        ),
        (
            json!([{ "name": "svc", "type": "HTTPS", "content": "1 . alpn=h3 ipv4hint=192.0.2.9" }, { "name": "_sip._tls", "type": "SRV", "content": "7 5061 mail.shop.test", "priority": 4 }]),
            vec!["svc.shop.test.", "_sip._tls"],
        ),
    ] {
        let done =
            called(&ada, "domains.dns.record.upsert", json!({ "domain": "shop.test", "records": records })).await;
        assert!(done["verified"].as_array().expect("a list").iter().all(|it| it["state"] == "served"), "{done}");
        let others = |all: &[String]| -> Vec<String> {
            all.iter().filter(|it| !touched.iter().any(|name| it.contains(name))).cloned().collect()
        };
        let now = server.sets().await;
        assert_ne!(now, whole);
        assert_eq!(others(&now), others(&whole), "{records}");
        called(&ada, "domains.dns.zone.import", done["next"][0]["arguments"].clone()).await;
        assert_eq!(server.sets().await, whole, "{records}");
    }
    // An alias and what takes its place go in one step.
    let other = text.replace("www 300 CNAME @", "www 300 A 192.0.2.40");
    let other = json!({ "domain": "shop.test", "zone_text": other, "remove": true });
    let swapped = called(&ada, "domains.dns.zone.import", other).await;
    assert_eq!((&swapped["applied"], &swapped["left"]), (&json!(2), &json!(0)), "{swapped}");
    called(&ada, "domains.dns.zone.import", swapped["next"][0]["arguments"].clone()).await;
    assert_eq!(server.sets().await, whole);
    let looked = called(&ada, "domains.dns.lookup", json!({ "name": "www.shop.test", "types": ["CNAME"] })).await;
    assert_eq!(looked["authoritative"][0]["records"][0]["value"], "shop.test.", "{looked}");

    // It is signed with a key whose delegation is the server's own, and no longer once the parent has none for long enough.
    let told = called(&ada, "domains.dnssec.set", json!({ "domain": "shop.test", "enabled": true })).await;
    assert_eq!(told["state"], "signing", "{told}");
    let told = called(&ada, "domains.dnssec.set", json!({ "domain": "shop.test", "enabled": true })).await;
    let keys = server.ask("GET", "/zones/shop.test./cryptokeys", None).await;
    let ds: Vec<&str> = keys[0]["ds"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let key = &told["ds_record"];
    let text = |name: &str| key[name].to_string().replace('"', "");
    let own = format!("{} {} {} {}", text("key_tag"), text("algorithm"), text("digest_type"), text("digest"));
    assert!(ds.contains(&own.as_str()), "{own} {ds:?}");
    assert_eq!(told["state"], "waiting_keys", "answers of before have to be forgotten: {told}");
    host.clock.advance(Duration::from_secs(2 * 3_600));
    let told = called(&ada, "domains.dnssec.set", json!({ "domain": "shop.test", "enabled": true })).await;
    assert_eq!(told["state"], "waiting_parent", "every server shows the key, and nobody hands it in: {told}");
    let told = called(&ada, "domains.dnssec.set", json!({ "domain": "shop.test", "enabled": false })).await;
    assert_eq!(told["state"], "waiting_ttl", "{told}");
    host.clock.advance(Duration::from_secs(26 * 3_600));
    let told = called(&ada, "domains.dnssec.set", json!({ "domain": "shop.test", "enabled": false })).await;
    assert_eq!((&told["state"], &told["next_step_at"]), (&json!("off"), &json!(null)), "{told}");
    let zone = server.ask("GET", "/zones/shop.test.", None).await;
    assert_eq!(zone["dnssec"], false);
    host.verify_ledger().await;
}
