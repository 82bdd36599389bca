//! Many greedy runs at once: the memory and CPU that they cost the host, measured.

use std::time::Duration;

use model::id::CustomerId;
use sandbox::{Sandbox, Stop};

use crate::guest::{invocation, load_in};
use crate::judge::Verdict;

/// Runs of a crowd.
const RUNS: usize = 64;
/// Customers that they belong to.
const CUSTOMERS: usize = 8;
/// Bytes that a crowd may make the process grow by.
const MOST_MEMORY: u64 = 1 << 30;
/// CPU of one run, guest and host together.
const MOST_CPU: Duration = Duration::from_millis(2_500);

/// Runs the operation many times at once, for several customers. Each run must answer, reach a limit or be refused as
/// busy, and all together must stay within the bounds of memory and CPU.
pub(crate) async fn judge(sandbox: &Sandbox, guest: &str, operation: &str) -> Verdict {
    let module = load_in(sandbox, guest);
    let mut runs = Vec::with_capacity(RUNS);
    for n in 0..RUNS {
        let mut invocation = invocation(&module, operation).await;
        invocation.customer = CustomerId::from(format!("cus_{}", n % CUSTOMERS));
        runs.push(sandbox.run(invocation));
    }
    let (rest, began, cpu) = (memory::rest(), std::time::Instant::now(), memory::cpu());
    let runs = futures_util::future::join_all(runs).await;
    let (peak, cpu) = (memory::peak(), memory::cpu().zip(cpu).map(|(after, before)| after.saturating_sub(before)));
    let mut ended = std::collections::BTreeMap::<&str, usize>::new();
    for run in &runs {
        *ended.entry(run.outcome.as_ref().map_or_else(Stop::code, |_| "answered")).or_default() += 1;
    }
    let fell = ["guest.trap", "sandbox.unavailable"].iter().any(|code| ended.contains_key(code));
    let grown = peak.zip(rest).map(|(peak, rest)| peak.saturating_sub(rest));
    let each = cpu.map(|cpu| cpu / u32::try_from(RUNS).unwrap_or(u32::MAX));
    let holds = !fell && grown.is_none_or(|it| it < MOST_MEMORY) && each.is_none_or(|it| it < MOST_CPU);
    let counted: Vec<String> = ended.iter().map(|(code, count)| format!("{count} {code}")).collect();
    let grown = grown.map_or("memory not measured here".to_owned(), |it| format!("{} MiB over rest", it >> 20));
    let each = each.map_or("CPU not measured here".to_owned(), |it| format!("{} ms of CPU each", it.as_millis()));
    Verdict {
        holds,
        became: format!("{}; {grown}, {each}", counted.join(", ")),
        fuel: runs.iter().map(|run| run.receipt.fuel + run.receipt.host_fuel).max().unwrap_or(0),
        wall_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// What Linux says of this process (proc(5)); nothing elsewhere.
mod memory {
    use std::time::Duration;

    /// Bytes in memory now. The peak begins here.
    pub(super) fn rest() -> Option<u64> {
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
        status("VmRSS:")
    }

    /// The most bytes that were in memory since [`rest`].
    pub(super) fn peak() -> Option<u64> {
        status("VmHWM:")
    }

    fn status(name: &str) -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|it| it << 10)
    }

    /// CPU time of this process, in ticks of ten milliseconds.
    pub(super) fn cpu() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        let (_, fields) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Duration::from_millis(ticks * 10))
    }
}
