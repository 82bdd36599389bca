//! A network in which every address is this machine and no packet leaves: whatever the guard dials is answered and
//! counted here, be it public or private. Each test has its own, by the namespaces of Linux.

use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::process::Command;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use url::form_urlencoded;

use crate::names::NameServer;

/// Tells the test that it runs inside.
const INSIDE: &str = "ESPALIER_TEST_WORLD";

/// Every address is local but only two public ones are the machine's own; names are asked at loopback, with a search
/// list as clusters have one.
const SETUP: &str = "set -e
ip link set lo up
ip route add local 0.0.0.0/0 dev lo src 127.0.0.1
ip -6 route add local ::/0 dev lo src ::1
ip address add 192.0.9.9/32 dev lo
ip -6 address add 2606:4700:9::9/128 dev lo nodad
mount --bind \"$1\" /etc/resolv.conf
shift
exec \"$@\"";

/// Whether the test is inside. Outside it is run inside by another process, and its outcome is this one's.
///
/// # Panics
/// When the test fails inside, or when the world cannot be made and everything is required.
#[expect(clippy::disallowed_methods, clippy::print_stderr, reason = "a test speaks to the person who runs it")]
pub(crate) fn enter(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let mut resolver = tempfile::NamedTempFile::new().expect("a file");
    let settings = "nameserver 127.0.0.1\nsearch inside.example\noptions ndots:5 timeout:1 attempts:1\n";
    resolver.write_all(settings.as_bytes()).expect("a file takes text");
    let inside = |program: &std::path::Path, arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net", "--mount", "sh", "-c", SETUP, "sh"]);
        command.arg(resolver.path()).arg(program).args(arguments).env(INSIDE, "1").output()
    };
    let possible = inside("true".as_ref(), &[]);
    if !possible.is_ok_and(|output| output.status.success()) {
        let needs = "Linux namespaces for unprivileged users, and `ip`";
        let how = "apt-get install iproute2; sysctl kernel.unprivileged_userns_clone=1";
        assert!(std::env::var("ESPALIER_REQUIRE_ALL").as_deref() != Ok("1"), "needs {needs}: {how}");
        eprintln!("SKIPPED: needs {needs} ({how})");
        return false;
    }
    let this = std::env::current_exe().expect("a program");
    let output = inside(&this, &["--exact", test, "--nocapture"]).expect("it starts");
    let told = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
    false
}

/// What listens in there.
pub(crate) struct World {
    /// The only name server.
    pub names: NameServer,
    dialled: Arc<Mutex<Vec<SocketAddr>>>,
}

impl World {
    /// Starts the name server and the web servers of all addresses, on ports 80 and 443.
    pub(crate) async fn start() -> Self {
        let world = Self { names: NameServer::start().await, dialled: Arc::default() };
        for port in [80, 443] {
            let listener = TcpListener::bind(("::", port)).await.expect("the port is free in a new world");
            let dialled = Arc::clone(&world.dialled);
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let at = stream.local_addr().expect("it has an address");
                    dialled.lock().expect("no panic").push(SocketAddr::new(at.ip().to_canonical(), at.port()));
                    tokio::spawn(answer(stream));
                }
            });
        }
        world
    }

    /// Which addresses were dialled since the last time, in order, as the web servers saw it.
    pub(crate) fn dialled(&self) -> Vec<(IpAddr, u16)> {
        let dialled = std::mem::take(&mut *self.dialled.lock().expect("no panic"));
        dialled.into_iter().map(|at| (at.ip(), at.port())).collect()
    }
}

/// How many TCP connections were ever tried in this world, to any port, as the kernel counts them.
pub(crate) fn attempts() -> u64 {
    let counters = std::fs::read_to_string("/proc/self/net/snmp").expect("the kernel's counters");
    let mut lines = counters.lines().filter(|line| line.starts_with("Tcp:"));
    let (names, values) = (lines.next().expect("names"), lines.next().expect("values"));
    let found = names.split(' ').zip(values.split(' ')).find(|(name, _)| *name == "ActiveOpens");
    found.expect("the counter").1.parse().expect("a number")
}

/// `/go?LOCATION` redirects, everything else is a page.
async fn answer(mut stream: TcpStream) {
    let (mut request, mut buffer) = (Vec::new(), [0; 16_384]);
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            // A TLS handshake (RFC 8446, 5.1); nobody here has a certificate.
            Ok(1..) if buffer[0] == 22 && request.is_empty() => return,
            Ok(read @ 1..) => request.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split(' ').nth(1).unwrap_or_default();
    let page = match path.strip_prefix("/go?") {
        Some(location) => {
            let location = form_urlencoded::parse(location.as_bytes()).map(|(key, _)| key).collect::<String>();
            format!("HTTP/1.1 302 X\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n")
        }
        None => "HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\nok".to_owned(),
    };
    stream.write_all(page.as_bytes()).await.ok();
}
