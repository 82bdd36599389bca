//! `espalier replay`: a recorded run again, offline, and what can be said of it without saying what was in it.

mod against;

use std::path::Path;

use anyhow::{Context as _, bail};
use sandbox::fixture;
use sandbox::replay::Replayed;
use sandbox::transcript::Transcript;
use serde_json::{Value, json};
use store::trail::transcripts::SealedTranscript;

use super::Say;
use crate::catalogs::Sources;
use crate::cli::{Place, Replay};
use crate::settings::Settings;
use crate::{assembly, registry, sealed_file};

/// How many are listed.
const MANY: u32 = 100;

pub(super) async fn run(place: &Place, wanted: &Replay, say: Say) -> anyhow::Result<()> {
    let settings = Settings::read(place)?;
    if let Some(component) = &wanted.against {
        return against::run(&settings, component, say).await;
    }
    let Some(run) = &wanted.run else { return list(&settings, say).await };
    let sealed = find(&settings, run).await?;
    if let Some(path) = &wanted.write {
        sealed_file::write(path, &sealed)?;
        let words = format!(
            "wrote {run}, sealed, to {}; run it with `espalier replay {0}` where the same key ring is",
            path.display()
        );
        say.value(&json!({ "run": sealed.run, "file": path }), &words);
        return Ok(());
    }
    let ring = settings.key_ring.open()?;
    let plain = sealed.open(&ring).with_context(|| format!("the transcript of {} does not open", sealed.run))?;
    let transcript = Transcript::from_bytes(&plain)?;
    let component = component(&settings, wanted, &transcript)?;
    let sandbox = assembly::sandbox(&settings, &settings.file.outbound, "http://127.0.0.1:8080")?;
    let replayed = sandbox.replay(&component, &transcript).await?;
    if let Some(path) = &wanted.emit_test {
        let text = format!("{:#}\n", fixture::fixture(&transcript, &replayed));
        std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    let value = told(&sealed.run, &transcript, &replayed);
    say.value(&value, &words(&value));
    match &replayed.divergence {
        None => Ok(()),
        Some(divergence) => bail!("the replay of {} is not identical: {divergence}", sealed.run),
    }
}

async fn list(settings: &Settings, say: Say) -> anyhow::Result<()> {
    let (store, _) = assembly::store(settings).await?;
    let kept = store.trail.transcripts(MANY).await?;
    let rows: Vec<Value> = kept
        .iter()
        .map(|it| json!({ "run": it.run, "operation": it.operation, "ending": it.ending, "made_at": it.made_at.rfc3339() }))
        .collect();
    let lines: Vec<String> = kept
        .iter()
        .map(|it| format!("{}  {}  {:<24} {}", it.made_at.rfc3339(), it.run, it.ending, it.operation))
        .collect();
    let words = if lines.is_empty() { "no run was kept in the last seven days".to_owned() } else { lines.join("\n") };
    say.value(&json!(rows), &words);
    Ok(())
}

/// A file of that name, or the run in the database.
async fn find(settings: &Settings, run: &str) -> anyhow::Result<SealedTranscript> {
    let path = Path::new(run);
    if path.is_file() {
        return sealed_file::read(path);
    }
    let (store, _) = assembly::store(settings).await?;
    match store.trail.transcript(run).await? {
        Some(sealed) => Ok(sealed),
        None => bail!(
            "there is no file {run} and no transcript of such a run; kept for seven days are faults, and of other runs the \
             share `[replay] sample` of espalier.toml; `espalier replay` lists them"
        ),
    }
}

/// The component that was named, or the one with the digest among those that are served here.
fn component(settings: &Settings, wanted: &Replay, transcript: &Transcript) -> anyhow::Result<Vec<u8>> {
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()));
    if let Some(path) = &wanted.component {
        return read(path);
    }
    let sources = Sources::find(wanted.modules.as_deref(), settings)
        .with_context(|| format!("name the component {} with --component", transcript.digest))?;
    for built in sources.built.iter().filter(|built| *built.name == *transcript.module) {
        let bytes = read(&built.path)?;
        if registry::digest(&bytes) == *transcript.digest {
            return Ok(bytes);
        }
    }
    bail!(
        "the component of {} that is served here is not {}, which ran; name that one with --component FILE",
        transcript.module,
        transcript.digest
    )
}

/// All that is said of a replay.
fn told(run: &str, transcript: &Transcript, replayed: &Replayed) -> Value {
    json!({
        "run": run,
        "operation": transcript.export.name(),
        "module": transcript.module,
        "digest": transcript.digest,
        "engine": { "recorded": transcript.engine, "here": replayed.engine },
        "at": transcript.now.rfc3339(),
        "arguments_bytes": transcript.arguments.len(),
        "host_calls": transcript.calls(),
        "outcome": { "recorded": transcript.ending.word(), "replayed": replayed.ending.word() },
        "fuel": { "recorded": transcript.fuel, "replayed": replayed.fuel },
        "answer": fixture::ending(transcript, replayed),
        "identical": replayed.divergence.is_none(),
        "divergence": replayed.divergence.as_ref().map(ToString::to_string),
    })
}

fn words(value: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut words = format!("run        {}\noperation  {}\n", text(&value["run"]), text(&value["operation"]));
    words += &format!("module     {} {}\n", text(&value["module"]), text(&value["digest"]));
    words += &format!("engine     {}", text(&value["engine"]["recorded"]));
    if value["engine"]["recorded"] != value["engine"]["here"] {
        words += &format!("; here {}, which may count fuel otherwise", text(&value["engine"]["here"]));
    }
    words +=
        &format!("\nfrom       {}\narguments  {} bytes\nhost calls\n", text(&value["at"]), value["arguments_bytes"]);
    for (function, count) in value["host_calls"].as_object().into_iter().flatten() {
        words += &format!("  {count:>6}  {function}\n");
    }
    for what in ["outcome", "fuel"] {
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        words += &format!(
            "{what:<10} recorded {}, replayed {}\n",
            plain(&value[what]["recorded"]),
            plain(&value[what]["replayed"])
        );
    }
    words += &format!("answer\n{:#}\n", value["answer"]);
    match value["divergence"].as_str() {
        None => words + "identical",
        Some(divergence) => words + divergence,
    }
}
