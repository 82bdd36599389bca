//! A host as a process of its own, which can be killed, stalled and given a disk that fails.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::customer::Customer;
use crate::operator::{node, operate};
use crate::shipped::{share_compiled, ship, ship_guest};

/// How a process is started.
#[derive(Clone, Debug)]
pub struct Launch {
    data: PathBuf,
    names: Vec<(String, SocketAddr)>,
    lease_seconds: Option<u64>,
    faults: Option<PathBuf>,
    clock: Option<String>,
    jumps: Option<PathBuf>,
    log: Option<PathBuf>,
    guest: Option<String>,
    clients: Option<PathBuf>,
}

impl Launch {
    /// On a data folder, with names that lead to addresses.
    pub fn on(data: &Path, names: &[(&str, SocketAddr)]) -> Self {
        let names = names.iter().map(|(name, address)| ((*name).to_owned(), *address)).collect();
        Self {
            data: data.to_path_buf(),
            names,
            lease_seconds: None,
            faults: None,
            clock: None,
            jumps: None,
            log: None,
            guest: None,
            clients: None,
        }
    }

    /// With a module of the tests beside the product's.
    pub fn guest(self, name: &str) -> Self {
        Self { guest: Some(name.to_owned()), ..self }
    }

    /// With another lease of jobs.
    pub fn lease(self, seconds: u64) -> Self {
        Self { lease_seconds: Some(seconds), ..self }
    }

    /// With a disk that fails when told, over the pipes at this place: see [`Process::fault`].
    pub fn faults(self, pipes: Option<PathBuf>) -> Self {
        Self { faults: pipes, ..self }
    }

    /// With a machine's clock that is off by this much, such as `+600s`.
    pub fn clock(self, offset: &str) -> Self {
        Self { clock: Some(offset.to_owned()), ..self }
    }

    /// With a machine's clock that is off by what stands in this file at each moment, such as `+600`, in seconds.
    pub fn jumping(self, file: &Path) -> Self {
        Self { jumps: Some(file.to_path_buf()), ..self }
    }

    /// With all there is to log in this file.
    pub fn log(self, file: &Path) -> Self {
        Self { log: Some(file.to_path_buf()), ..self }
    }

    /// With the OAuth clients of this file.
    pub fn clients(self, file: &Path) -> Self {
        Self { clients: Some(file.to_path_buf()), ..self }
    }

    /// Whether [`Launch::clock`] and [`Launch::jumping`] work here.
    pub fn can_be_wrong() -> bool {
        Path::new(WRONG_CLOCK).is_file()
    }

    /// Starts it minutes after the one before has died: every lease that it had is over.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_minutes_later(&self) -> Process {
        crate::database::end_leases(&self.data).await;
        self.clone().clock("+5m").start().await
    }

    /// Starts it.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start(&self) -> Process {
        let launch = self.clone();
        tokio::task::spawn_blocking(move || launch.start_blocking()).await.expect("started")
    }

    fn start_blocking(self) -> Process {
        let Self { data, names, lease_seconds, faults, clock, jumps, log, guest, clients } = self;
        let modules = data.join("modules");
        if !modules.is_dir() {
            ship(&modules);
            if let Some(name) = &guest {
                ship_guest(&modules, name);
            }
            share_compiled(&data);
        }
        let config = data.join("espalier.toml");
        let mut text =
            clients.map(|file| format!("connect_clients = {:?}\n", file.display().to_string())).unwrap_or_default();
        // All who ask in a test share an address, as behind a proxy: the bound of connections of one address is not theirs.
        text += "trusted_proxies = [\"127.0.0.1/32\"]\n";
        text +=
            "[outbound]\nallow_private = [\"127.0.0.0/8\"]\npace = { every_ms = 0, burst = 1 }\n[outbound.resolve]\n";
        for (name, address) in names {
            text += &format!("\"{name}\" = \"{address}\"\n");
        }
        text += "[limits]\nrequests = 1000000\nheavy = 1000000\nenumeration = 1000000\n";
        if let Some(seconds) = lease_seconds {
            text += &format!("[work]\nlease_seconds = {seconds}\n");
        }
        text += &crate::signed::signer();
        std::fs::write(&config, text).expect("a file");
        let mut host = match &faults {
            None => node(&data),
            Some(pipes) => {
                let host = node(&data);
                let mut wrapper = Command::new("fiu-run");
                wrapper.arg("-x").arg("-f").arg(pipes).arg(host.get_program()).args(host.get_args());
                wrapper
            }
        };
        if let Some(offset) = clock {
            // The date is wrong; how fast time goes by is not.
            host.env("LD_PRELOAD", WRONG_CLOCK).env("FAKETIME", offset).env("DONT_FAKE_MONOTONIC", "1");
        }
        if let Some(file) = jumps {
            host.env("LD_PRELOAD", WRONG_CLOCK).env("FAKETIME_TIMESTAMP_FILE", file);
            host.env("FAKETIME_NO_CACHE", "1").env("DONT_FAKE_MONOTONIC", "1");
        }
        if let Some(file) = log {
            host.env("RUST_LOG", "trace").stderr(std::fs::File::create(file).expect("a file"));
        }
        host.args(["serve", "--listen", "127.0.0.1:0"]);
        let mut child = host.stdout(Stdio::piped()).spawn().expect("the host starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a first line");
        let first: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("the host did not start: {line:?}"));
        let text = |name: &str| first[name].as_str().expect("an address").to_owned();
        Process { rest: text("rest"), mcp: text("mcp"), child, data, faults }
    }
}

/// What Debian's faketime puts before a program's clock.
const WRONG_CLOCK: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/// What a disk does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It cannot say that what was written is safe.
    Sync,
    /// It has no room.
    Full,
}

/// Whether disks can be made to fail here.
pub fn can_fail() -> bool {
    Command::new("fiu-run").arg("-h").output().is_ok()
}

/// What to install for it.
pub const HOW_TO_FAIL: &str = "install Debian's fiu-utils package";

/// A host as a process of its own.
pub struct Process {
    child: Child,
    data: PathBuf,
    rest: String,
    mcp: String,
    faults: Option<PathBuf>,
}

impl Process {
    /// Starts one on a data folder and on a database of a PostgreSQL server: the same one for the same folder.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_on(server: &str, data: &Path, names: &[(&str, SocketAddr)]) -> Self {
        crate::database::on(server, data);
        Self::start(data, names).await
    }

    /// Starts one on a data folder.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start(data: &Path, names: &[(&str, SocketAddr)]) -> Self {
        Launch::on(data, names).start().await
    }

    /// Asks it to end, as whoever replaces hosts does.
    ///
    /// # Panics
    /// When it cannot be asked.
    pub fn terminate(&mut self) {
        self.signal("TERM");
    }

    /// Makes it stand still, as a machine that stalls does, until [`Process::resume`].
    ///
    /// # Panics
    /// When it cannot be stopped.
    pub fn suspend(&self) {
        self.signal("STOP");
    }

    /// Lets it go on.
    ///
    /// # Panics
    /// When it cannot.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// Makes its disk fail from now on, or, with none, work again.
    ///
    /// # Panics
    /// When it was not launched with faults.
    pub fn fault(&self, fault: Option<Fault>) {
        let pipes = self.faults.as_ref().expect("it was launched with faults");
        // SQLite writes with pwrite and waits with fsync; 28 is ENOSPC, 5 is EIO.
        let orders: &[&str] = match fault {
            Some(Fault::Sync) => &["enable name=posix/io/sync/fsync,failinfo=5"],
            Some(Fault::Full) => &["enable name=posix/io/rw/pwrite,failinfo=28"],
            None => &["disable name=posix/io/sync/fsync", "disable name=posix/io/rw/pwrite"],
        };
        for order in orders {
            let mut control = Command::new("fiu-ctrl");
            control.arg("-f").arg(pipes).args(["-c", order]).arg(self.child.id().to_string());
            assert!(control.status().is_ok_and(|status| status.success()), "{order}");
        }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill failed");
    }

    /// Its number at the operating system.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// `{base_url}`.
    pub fn rest(&self) -> &str {
        &self.rest
    }

    /// `{mcp_url}`.
    pub fn mcp(&self) -> &str {
        &self.mcp
    }

    /// Waits until it has ended by itself.
    ///
    /// # Panics
    /// When it ended badly.
    pub async fn ended(mut self) {
        tokio::task::spawn_blocking(move || assert!(self.child.wait().expect("waited").success()))
            .await
            .expect("ended well");
    }

    /// Ends it at once, in the middle of whatever it does.
    ///
    /// # Panics
    /// When it cannot be ended.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// A customer with a token, made by the operator's commands while the host runs.
    ///
    /// # Panics
    /// When a command fails.
    pub async fn customer(&self, email: &str, credits: u64, scopes: &str) -> Customer {
        let credits = credits.to_string();
        let added = self.command(&["customer", "add", "--email", email, "--credits", &credits]);
        let id = added["customer"].as_str().expect("an id").to_owned();
        let issued = self.command(&["token", "issue", "--customer", &id, "--scopes", scopes]);
        let token = issued["access_token"].as_str().expect("a token").to_owned();
        Customer { id, token, rest: self.rest.clone(), mcp: self.mcp.clone(), http: reqwest::Client::new() }
    }

    /// Turns credits into points.
    ///
    /// # Panics
    /// When there are too few.
    pub async fn points(&self, customer: &Customer, credits: u64) {
        let credits = credits.to_string();
        self.command(&["customer", "points", "--customer", &customer.id, "--credits", &credits, "--reference", "test"]);
    }

    /// The same customer at the address of this start.
    pub fn again(&self, customer: &Customer) -> Customer {
        Customer { rest: self.rest.clone(), mcp: self.mcp.clone(), ..customer.clone() }
    }

    /// Checks the books by the operator's command.
    ///
    /// # Panics
    /// When an invariant is broken.
    pub fn verify_ledger(&self) {
        self.command(&["ledger", "verify"]);
    }

    /// What the operator's command finds wrong with `ledger` or `audit`; none: nothing.
    pub fn flaws(&self, books: &str) -> Option<String> {
        let output = operate(&self.data, &[books, "verify"]);
        let said = || [output.stdout.as_slice(), &output.stderr].concat();
        (!output.status.success()).then(|| format!("{books}: {}", String::from_utf8_lossy(&said())))
    }

    /// Checks the trails by the operator's command.
    ///
    /// # Panics
    /// When a trail was changed.
    pub fn verify_audit(&self) {
        self.command(&["audit", "verify"]);
    }

    /// Runs an operator's command beside the host, and reads what it says.
    ///
    /// # Panics
    /// When it fails.
    pub fn command(&self, arguments: &[&str]) -> Value {
        let output = node(&self.data).args(arguments).output().expect("the command starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_str(&said).unwrap_or_else(|_| panic!("not JSON: {said}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
