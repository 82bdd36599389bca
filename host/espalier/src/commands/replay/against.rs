//! `espalier replay --against`: how a component that is to come behaves over the runs that were kept of the one that is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, bail};
use model::contract::Contract;
use sandbox::behaviour::Behaviour;
use sandbox::inspect;
use sandbox::transcript::Transcript;
use serde_json::{Value, json};

use super::Say;
use crate::assembly;
use crate::settings::Settings;

/// Runs that are looked at, the latest first.
const MANY: u32 = 1_000;

/// All runs of one operation.
#[derive(Default)]
struct Row {
    runs: u64,
    same: u64,
    cut: u64,
    /// Runs by how they ended then and end now.
    endings: BTreeMap<String, u64>,
    answer: BTreeSet<String>,
    added: BTreeMap<String, u64>,
    missing: BTreeMap<String, u64>,
    units: [u64; 2],
    points: [u64; 2],
    fuel: [u64; 2],
}

pub(super) async fn run(settings: &Settings, component: &Path, say: Say) -> anyhow::Result<()> {
    let bytes = catalog::files::read(component, catalog::files::COMPONENT)
        .with_context(|| format!("{} cannot be read", component.display()))?;
    let shown = inspect::inspect(&bytes).with_context(|| component.display().to_string())?.built;
    let contracts: BTreeMap<&str, &Contract> =
        shown.manifest.operations.iter().chain(&shown.manifest.routes).map(|it| (it.id.as_str(), it)).collect();
    let sandbox = assembly::sandbox(settings, &settings.file.outbound, "http://127.0.0.1:8080")?;
    let (store, _) = assembly::store(settings).await?;
    let ring = settings.key_ring.open()?;
    let (mut rows, mut unread) = (BTreeMap::<String, Row>::new(), BTreeMap::<String, u64>::new());
    for listed in store.trail.transcripts(MANY).await? {
        let Some(sealed) = store.trail.transcript(&listed.run).await? else { continue };
        let plain = sealed.open(&ring).with_context(|| format!("the transcript of {} does not open", sealed.run))?;
        let transcript = Transcript::from_bytes(&plain)?;
        if *transcript.module != *shown.manifest.module || *transcript.digest == *shown.component {
            continue;
        }
        match sandbox.behaviour(&bytes, &transcript).await {
            Ok(behaviour) => {
                let contract = contracts.get(transcript.export.name()).copied();
                rows.entry(behaviour.operation.clone()).or_default().add(&behaviour, contract);
            }
            Err(error) => *unread.entry(format!("{}: {error}", transcript.export.name())).or_default() += 1,
        }
    }
    if rows.is_empty() && unread.is_empty() {
        bail!(
            "no run of another component of {} was kept in the last seven days; the share `[replay] sample` of espalier.toml \
             says how many are",
            shown.manifest.module
        );
    }
    let differs = !unread.is_empty() || rows.values().any(|it| it.same < it.runs);
    let operations: Vec<Value> = rows.iter().map(|(name, row)| row.value(name)).collect();
    let value = json!({
        "module": shown.manifest.module, "component": shown.component, "operations": operations, "not_run": unread,
    });
    let mut words: Vec<String> = rows.iter().map(|(name, row)| row.words(name)).collect();
    words.extend(unread.iter().map(|(what, runs)| format!("{what} ({runs} runs)")));
    say.value(&value, &words.join("\n"));
    if differs {
        bail!("{} behaves otherwise than what ran", shown.component);
    }
    Ok(())
}

impl Row {
    fn add(&mut self, behaviour: &Behaviour, contract: Option<&Contract>) {
        let Behaviour { outcome: (then, now), answer, units, fuel, added, missing, .. } = behaviour;
        self.runs += 1;
        self.same += u64::from(behaviour.is_same());
        match now {
            None => self.cut += 1,
            Some(now) if now != then => *self.endings.entry(format!("{then}, now {now}")).or_default() += 1,
            Some(_) => {}
        }
        self.answer.extend(answer.iter().cloned());
        added.keys().for_each(|it| *self.added.entry(it.clone()).or_default() += 1);
        missing.keys().for_each(|it| *self.missing.entry(it.clone()).or_default() += 1);
        if let Some((then, now)) = units {
            self.units = [self.units[0] + then, self.units[1] + now];
            if let Some(contract) = contract {
                let points = |units: u64| contract.cost.points(units);
                self.points = [self.points[0] + points(*then), self.points[1] + points(*now)];
            }
        }
        if now.is_some() {
            self.fuel = [self.fuel[0] + fuel.0, self.fuel[1] + fuel.1];
        }
    }

    fn value(&self, name: &str) -> Value {
        json!({
            "operation": name, "runs": self.runs, "same": self.same, "cut_short": self.cut, "endings": self.endings,
            "answers_differ_at": self.answer, "asks_more": self.added, "asks_no_more": self.missing,
            "units": self.units, "points": self.points, "fuel": self.fuel,
        })
    }

    fn words(&self, name: &str) -> String {
        let mut words = format!("{name}: {} of {} runs the same", self.same, self.runs);
        let mut tell = |what: &str, of: &BTreeMap<String, u64>| {
            for (it, runs) in of {
                words += &format!("\n  {what} {it} ({runs} runs)");
            }
        };
        tell("asks", &self.added);
        tell("no longer asks", &self.missing);
        tell("ended with", &self.endings);
        if !self.answer.is_empty() {
            words += &format!("\n  answers differ at {}", self.answer.iter().cloned().collect::<Vec<_>>().join(", "));
        }
        for (what, [then, now]) in [("units", self.units), ("points", self.points), ("fuel", self.fuel)] {
            if then != now {
                words += &format!("\n  {what} {then}, now {now}");
            }
        }
        words
    }
}
