//! What was measured, as a table for people, as ratios with their goals, and as `target/bench/NAME.json` with the picture
//! `NAME.svg`.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::chart;
use crate::given;
use crate::load::Figures;

/// One row: medians over rounds.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Requests at the same time.
    pub(crate) at_once: usize,
    pub(crate) figures: Figures,
    /// Microseconds of CPU that the server took for one, where it is a process of its own.
    pub(crate) cpu_us: Option<f64>,
}

/// The rows of a run, and what they say of each other.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
    ratios: Vec<Said>,
}

/// How many times as fast one is as another, and what is wanted.
pub(crate) struct Said {
    pub(crate) what: String,
    pub(crate) ratio: f64,
    pub(crate) goal: Goal,
}

impl Table {
    pub(crate) fn head() {
        println!("{:<58} {:>5} {:>10} {:>10} {:>10} {:>10}", "", "at", "a second", "median", "p99", "CPU each");
    }

    /// Adds a row and prints it.
    pub(crate) fn add(&mut self, row: Row) {
        let Figures { rate, median, p99, failed, .. } = row.figures;
        let cpu = row.cpu_us.map_or(String::new(), |it| format!("{it:.0} µs"));
        let p99 = if p99.is_zero() { String::new() } else { format!("{p99:.1?}") };
        let failed = if failed > 0 { format!("  {failed} failed") } else { String::new() };
        println!("{:<58} {:>5} {rate:>10.0} {median:>10.1?} {p99:>10} {cpu:>10}{failed}", row.name, row.at_once);
        self.rows.push(row);
    }

    /// How often a second this was done, where it was measured.
    pub(crate) fn rate(&self, name: &str, at_once: usize) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.name == name && row.at_once == at_once)?;
        Some(row.figures.rate)
    }

    /// Says how many times as fast `one` is as `other`, and what is wanted.
    pub(crate) fn ratio(&mut self, what: &str, (one, other): (Option<f64>, Option<f64>), goal: Goal) {
        let (Some(one), Some(other)) = (one, other) else {
            println!("{what}: not measured");
            return;
        };
        let ratio = one / other;
        if given("--short") {
            println!("{what}: {ratio:.2}; too short to say more");
            return;
        }
        let said = if goal.is_met(ratio) { "met" } else { "MISSED" };
        println!("{what}: {ratio:.2}, wanted {}: {said}", goal.words());
        self.ratios.push(Said { what: what.to_owned(), ratio, goal });
    }

    /// Leaves everything in a file.
    ///
    /// # Panics
    /// When it cannot be written.
    pub(crate) fn write(&self, name: &str) {
        let micros = |it: Duration| it.as_secs_f64() * 1e6;
        let row = |row: &Row| {
            json!({
                "name": row.name, "at_once": row.at_once, "per_second": row.figures.rate,
                "median_us": micros(row.figures.median), "p99_us": micros(row.figures.p99),
                "failed": row.figures.failed, "cpu_us": row.cpu_us,
            })
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("target/bench");
        std::fs::create_dir_all(&folder).expect("a folder");
        let ratio = |it: &Said| json!({ "what": it.what, "ratio": it.ratio, "wanted": it.goal.words(), "met": it.goal.is_met(it.ratio) });
        let ratios: Vec<Value> = self.ratios.iter().map(ratio).collect();
        let text = serde_json::to_string_pretty(&json!({ "rows": rows, "ratios": ratios })).expect("JSON");
        std::fs::write(folder.join(format!("{name}.json")), text + "\n").expect("a file");
        std::fs::write(folder.join(format!("{name}.svg")), chart::svg(&self.ratios)).expect("a picture");
    }
}

/// What a ratio shall be.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    fn is_met(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(goal) => ratio >= goal,
            Self::AtMost(goal) => ratio <= goal,
        }
    }

    fn words(self) -> String {
        match self {
            Self::AtLeast(goal) => format!("at least {goal}"),
            Self::AtMost(goal) => format!("at most {goal}"),
        }
    }

    /// The number alone.
    pub(crate) const fn figure(self) -> f64 {
        match self {
            Self::AtLeast(goal) | Self::AtMost(goal) => goal,
        }
    }
}
