//! Behind a real nginx that ends TLS, with the very configuration that `host/espalier/proxy` shows.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::header;
use serde_json::{Value, json};
use service::config::Rates;
use tests::host::{Host, wide};
use tests::needs;

/// A running nginx, ended with the test.
struct Nginx(Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its workers end with it.
        let _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}

fn programs() -> Option<PathBuf> {
    let nginx = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"].map(PathBuf::from);
    let nginx = nginx.into_iter().find(|program| program.is_file());
    let openssl = Command::new("openssl").arg("version").stdout(Stdio::null()).status().is_ok();
    if nginx.is_none() || !openssl {
        needs::skip("nginx and openssl", "apt-get install nginx-light openssl");
        return None;
    }
    nginx
}

/// The shown configuration, at this port before this host.
fn start(nginx: &Path, folder: &Path, port: u16, host: SocketAddr) -> Nginx {
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .stderr(Stdio::null())
        .status();
    assert!(made.is_ok_and(|status| status.success()), "openssl makes a certificate");
    let shown = include_str!("../../../host/espalier/proxy/nginx.conf")
        .replace("127.0.0.1:8080", &host.to_string())
        .replace("listen 443 ssl", &format!("listen 127.0.0.1:{port} ssl"))
        .replace("/etc/ssl/seo.example.pem", &certificate.display().to_string())
        .replace("/etc/ssl/seo.example.key", &key.display().to_string());
    let place = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {place}/{name};\n"))
        .collect();
    let whole = format!(
        "daemon off;\nmaster_process off;\npid {place}/pid;\nerror_log {place}/error.log;\nevents {{}}\n\
         http {{\naccess_log off;\n{temporary}{shown}\n}}\n"
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, whole).expect("a file");
    let child = Command::new(nginx).arg("-p").arg(folder).arg("-c").arg(&file).stderr(Stdio::null()).spawn();
    Nginx(child.expect("nginx starts"))
}

/// A client that comes from this address of the machine, and believes the certificate.
fn from(address: [u8; 4]) -> reqwest::Client {
    reqwest::Client::builder()
        .tls_danger_accept_invalid_certs(true)
        .redirect(reqwest::redirect::Policy::none())
        .local_address(IpAddr::from(address))
        .build()
        .expect("a client")
}

async fn register(client: &reqwest::Client, origin: &str, name: &str) -> u16 {
    let body = json!({ "client_name": name, "redirect_uris": ["http://127.0.0.1/callback"] });
    let request = client.post(format!("{origin}/oauth/register")).json(&body);
    // What a client writes here itself is worth nothing.
    let request = request.header("x-forwarded-for", format!("198.51.100.{}", name.len()));
    request.send().await.expect("an answer").status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_nginx_addresses_are_https_cookies_are_host_only_and_limits_count_the_client() {
    let Some(nginx) = programs() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let port = postgres_cluster::free_port();
    let origin = format!("https://localhost:{port}");
    let host = Host::start_with(|options| {
        options.public(&origin);
        options.trust("127.0.0.1");
        options.rates(Rates { registration: 3, ..wide() });
    })
    .await;
    let behind: SocketAddr =
        host.rest.trim_start_matches("http://").trim_end_matches("/v1").parse().expect("an address");
    let _nginx = start(&nginx, folder.path(), port, behind);
    let origin = format!("https://127.0.0.1:{port}");
    let client = from([127, 0, 0, 2]);
    let began = Instant::now();
    while client.get(format!("{origin}/healthz")).send().await.is_err() {
        assert!(began.elapsed() < Duration::from_secs(150), "nginx does not answer");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    let metadata = client.get(format!("{origin}/.well-known/oauth-authorization-server")).send().await.expect("it");
    let metadata: Value = serde_json::from_slice(&metadata.bytes().await.expect("a body")).expect("JSON");
    assert_eq!(metadata["issuer"], format!("https://localhost:{port}"));
    let page = client.get(format!("{origin}/sign-in")).send().await.expect("a page");
    let cookie = page.headers()[header::SET_COOKIE].to_str().expect("ascii").to_owned();
    assert!(cookie.starts_with("__Host-espalier=") && cookie.contains("; Secure"), "{cookie}");

    let ada = host.customer("account:read").await;
    let account = client.get(format!("{origin}/v1/account")).bearer_auth(&ada.token).send().await.expect("an answer");
    assert_eq!(account.status(), 200);

    for name in ["a", "bb", "ccc"] {
        assert_eq!(register(&client, &origin, name).await, 201, "{name}");
    }
    assert_eq!(register(&client, &origin, "dddd").await, 429, "whatever it writes into the header");
    assert_eq!(register(&from([127, 0, 0, 3]), &origin, "eeeee").await, 201, "another client is not held to it");
}
