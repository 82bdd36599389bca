//! A primary and its synchronous standby, for what happens when the one is lost and the other takes over.

use std::io::{BufReader, Write as _};
use std::process::Stdio;
use std::sync::Mutex;

use crate::{PRELUDE, Shell, free_port, programs, shell};

/// Makes the standby, says `ready`, and with the first line of its input crashes the primary and promotes the
/// standby. $3: the standby's port.
const SCRIPT: &str = r#"
first=$server
trap 'kill -QUIT $first 2>/dev/null || true; wait $first || true; rm -rf "$folder"' EXIT
answers "$2"
ask() { "$programs/psql" -q -A -t -h 127.0.0.1 -p "$1" -U espalier -d postgres -c "$2"; }
"$programs/pg_basebackup" -D "$folder/second" -R -X stream --no-sync -c fast -h 127.0.0.1 -p "$2" -U espalier \
  >>"$folder/server.log" 2>&1
serve second "$3"
second=$server
trap 'kill -QUIT $first $second 2>/dev/null || true; wait || true; rm -rf "$folder"' EXIT
answers "$3"
ask "$2" "ALTER SYSTEM SET synchronous_standby_names = '*'"
ask "$2" "SELECT pg_reload_conf()" >/dev/null
until [ "$(ask "$2" "SELECT sync_state FROM pg_stat_replication")" = sync ]; do sleep 0.05; done
echo ready
read -r line
kill -QUIT $first
wait $first || true
"$programs/pg_ctl" -D "$folder/second" promote -w >>"$folder/server.log" 2>&1
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
        command.arg("-c").arg([PRELUDE, SCRIPT].concat()).arg("sh").arg(programs);
        command.arg(first.to_string()).arg(second.to_string());
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
