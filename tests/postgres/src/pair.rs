//! A primary and its synchronous standby, for what happens when the one is lost and the other takes over.

use std::io::{BufReader, Write as _};
use std::process::Stdio;
use std::sync::Mutex;

use crate::{Shell, free_port, programs, shell};

/// Makes both, says `ready`, and with the first line of its input crashes the primary and promotes the standby.
/// $1: the programs' folder, $2 and $3: the ports.
const SCRIPT: &str = r#"
set -eu
cd /
folder=$(mktemp -d -p /tmp espalier-postgres.XXXXXX)
trap 'rm -rf "$folder"' EXIT
"$1/initdb" -D "$folder/first" -A trust -U espalier -E UTF8 --no-locale --no-sync >"$folder/initdb.log" 2>&1
serve() {
  "$1/postgres" -D "$folder/$3" -p "$2" -k "$folder" -c listen_addresses=127.0.0.1 -c max_connections=200 \
    -c fsync=off -c full_page_writes=off -c max_wal_size=256MB >>"$folder/server.log" 2>&1 </dev/null &
  server=$!
}
answers() {
  tries=0
  until "$1/pg_isready" -q -h 127.0.0.1 -p "$2"; do
    tries=$((tries + 1))
    [ $tries -lt 400 ] && kill -0 $server || { cat "$folder/server.log" >&2; exit 1; }
    sleep 0.05
  done
}
ask() { "$1/psql" -q -A -t -h 127.0.0.1 -p "$2" -U espalier -d postgres -c "$3"; }
serve "$1" "$2" first
first=$server
trap 'kill -QUIT $first 2>/dev/null || true; wait $first || true; rm -rf "$folder"' EXIT
answers "$1" "$2"
"$1/pg_basebackup" -D "$folder/second" -R -X stream --no-sync -c fast -h 127.0.0.1 -p "$2" -U espalier >>"$folder/server.log" 2>&1
serve "$1" "$3" second
second=$server
trap 'kill -QUIT $first $second 2>/dev/null || true; wait || true; rm -rf "$folder"' EXIT
answers "$1" "$3"
ask "$1" "$2" "ALTER SYSTEM SET synchronous_standby_names = '*'"
ask "$1" "$2" "SELECT pg_reload_conf()" >/dev/null
until [ "$(ask "$1" "$2" "SELECT sync_state FROM pg_stat_replication")" = sync ]; do sleep 0.05; done
echo ready
read -r line
kill -QUIT $first
wait $first || true
"$1/pg_ctl" -D "$folder/second" promote -w >>"$folder/server.log" 2>&1
echo ready
while read -r line; do :; done
"#;

/// Two servers, the second of which has every commit that the first has confirmed.
#[derive(Debug)]
pub struct Pair {
    /// Where the primary listens on loopback.
    pub first: u16,
    /// Where the standby listens, which is the primary after [`Pair::promote`].
    pub second: u16,
    shell: Mutex<Shell>,
    _child: std::process::Child,
}

impl Pair {
    /// Starts both; none where PostgreSQL is not installed.
    ///
    /// # Panics
    /// When PostgreSQL is there and does not start.
    pub fn start() -> Option<Self> {
        let programs = programs()?;
        let (first, second) = (free_port(), free_port());
        let mut command = shell();
        command.args(["-c", SCRIPT, "sh"]).arg(programs).arg(first.to_string()).arg(second.to_string());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let (orders, words) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut shell = Shell { orders, words: BufReader::new(words) };
        shell.ready();
        Some(Self { first, second, shell: Mutex::new(shell), _child: child })
    }

    /// Ends the primary in the middle of whatever it does, and waits until the standby has taken over.
    ///
    /// # Panics
    /// When it does not.
    pub fn promote(&self) {
        let mut shell = self.shell.lock().expect("nobody panics with it");
        shell.orders.write_all(b"promote\n").expect("the shell listens");
        shell.ready();
    }
}
