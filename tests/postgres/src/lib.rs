//! A PostgreSQL of one test process: made when first asked for, gone with the process, however that ends.
//!
//! A shell holds the server and waits for orders on a pipe from us. When this process ends, killed or not, the pipe closes,
//! and the shell stops the server and removes its files. Nothing here waits for a disk: what a crash of the
//! machine would lose is of no use to anybody.

mod pair;
mod port;

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

pub use pair::Pair;
pub use port::free_port;

/// What to do when there is none.
pub const HOW: &str = "install Debian's postgresql package";

/// What each kind of cluster begins with. $1: the programs' folder, $2: the port; `durable` is `on` where commits wait for
/// the disk.
const PRELUDE: &str = r#"
set -eu
cd /
folder=$(mktemp -d -p /tmp espalier-postgres.XXXXXX)
trap 'rm -rf "$folder"' EXIT
"$1/initdb" -D "$folder/first" -A trust -U espalier -E UTF8 --no-locale --no-sync >"$folder/initdb.log" 2>&1
programs=$1
serve() {
  "$programs/postgres" -D "$folder/$1" -p "$2" -k "$folder" -c listen_addresses=127.0.0.1 -c max_connections=400 \
    -c fsync="${durable:-off}" -c full_page_writes="${durable:-off}" -c max_wal_size=256MB >>"$folder/server.log" 2>&1 </dev/null &
  server=$!
}
answers() {
  tries=0
  until "$programs/pg_isready" -q -h 127.0.0.1 -p "$1"; do
    tries=$((tries + 1))
    [ $tries -lt 400 ] && kill -0 $server || { cat "$folder/server.log" >&2; exit 1; }
    sleep 0.05
  done
}
serve first "$2"
"#;

/// Says `ready`, and crashes the server with each line, until its input ends.
const SCRIPT: &str = r#"
trap 'kill -INT $server 2>/dev/null || true; wait $server || true; rm -rf "$folder"' EXIT
answers "$2"
echo ready
while read -r line; do
  kill -QUIT $server
  wait $server || true
  serve first "$2"
  answers "$2"
  echo ready
done
"#;

/// A running server.
#[derive(Debug)]
pub struct Cluster {
    /// `postgres://…/postgres`: where databases are made.
    pub url: String,
    shell: Mutex<Shell>,
    _child: Child,
}

/// The pipes of the shell that holds the server.
#[derive(Debug)]
struct Shell {
    orders: ChildStdin,
    words: BufReader<ChildStdout>,
}

impl Shell {
    /// Waits until the server answers.
    fn ready(&mut self) {
        let mut line = String::new();
        self.words.read_line(&mut line).expect("a line");
        assert_eq!(line.trim(), "ready", "PostgreSQL does not start; its words are above");
    }
}

impl Cluster {
    /// Ends the server in the middle of whatever it does, as `pg_ctl -m immediate` does, starts it again, and waits
    /// until it answers.
    ///
    /// # Panics
    /// When it does not start again.
    pub fn crash(&self) {
        let mut shell = self.shell.lock().expect("nobody panics with it");
        shell.orders.write_all(b"crash\n").expect("the shell listens");
        shell.ready();
    }
}

/// The cluster of this process; none where PostgreSQL is not installed.
///
/// # Panics
/// When PostgreSQL is there and does not start.
pub fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(|| programs().map(|programs| start(&programs, "off"))).as_ref()
}

/// A cluster of its own whose commits wait for the disk, as a server's do; none where PostgreSQL is not installed.
///
/// # Panics
/// When PostgreSQL is there and does not start.
pub fn durable() -> Option<Cluster> {
    programs().map(|programs| start(&programs, "on"))
}

/// Makes an empty database on a server and returns its address.
///
/// # Panics
/// When it cannot be made.
pub fn new_database(server: &str) -> String {
    let mut random = [0; 8];
    getrandom::fill(&mut random).expect("randomness");
    let name = format!("test_{:016x}", u64::from_be_bytes(random));
    let programs = programs().expect("the programs of PostgreSQL");
    let made = Command::new(programs.join("createdb"))
        .args(["--maintenance-db", server, "--template", "template0", &name])
        .status()
        .expect("createdb starts");
    assert!(made.success(), "{name} cannot be made");
    let (place, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{place}/{name}")
}

fn start(programs: &Path, durable: &str) -> Cluster {
    let port = free_port().to_string();
    let mut command = shell();
    let durable = format!("durable={durable}");
    command.arg("-c").arg([&durable, PRELUDE, SCRIPT].concat()).arg("sh").arg(programs).arg(&port);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
    let (orders, words) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let mut shell = Shell { orders, words: BufReader::new(words) };
    shell.ready();
    let url = format!("postgres://espalier@127.0.0.1:{port}/postgres");
    Cluster { url, shell: Mutex::new(shell), _child: child }
}

/// A shell of somebody who may start PostgreSQL, which refuses to run as root.
fn shell() -> Command {
    let root = std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    if !root {
        return Command::new("sh");
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--", "sh"]);
    command
}

/// Where `initdb`, `postgres` and `createdb` are: on the path, or where Debian puts them, the newest first.
fn programs() -> Option<PathBuf> {
    let complete =
        |folder: &PathBuf| ["initdb", "postgres", "createdb", "pg_isready"].iter().all(|it| folder.join(it).is_file());
    let mut debian: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let folder = entry.ok()?;
            Some((folder.file_name().to_str()?.parse().ok()?, folder.path().join("bin")))
        })
        .collect();
    debian.sort_unstable_by(|a, b| b.cmp(a));
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).chain(debian.into_iter().map(|(_, folder)| folder)).find(complete)
}
