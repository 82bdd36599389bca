//! `espalier prove`: guests that try to get out, run here and now against the configuration in force.

use anyhow::bail;
use hostile::{CASES, Verdict};
use model::contract::Kind;
use model::limits::Limits;
use serde_json::{Value, json};

use super::Say;
use crate::assembly;
use crate::cli::Place;
use crate::settings::Settings;

pub(super) async fn run(place: &Place, only: &[String], say: Say) -> anyhow::Result<()> {
    if let Some(unknown) = only.iter().find(|it| CASES.iter().all(|case| case.name != it.as_str())) {
        let known: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        bail!("there is no attempt {unknown}; there are {}", known.join(", "));
    }
    let settings = Settings::read(place)?;
    let sandbox = assembly::sandbox(&settings, &settings.file.outbound, "http://127.0.0.1:8080")?;
    let mut verdicts = Vec::new();
    for case in CASES.iter().filter(|case| only.is_empty() || only.iter().any(|it| it == case.name)) {
        verdicts.push((case, hostile::judge(&sandbox, case).await));
    }
    let holes = holes(&settings);
    let fell = verdicts.iter().filter(|(_, it)| !it.holds);
    let fell: Vec<String> = fell.map(|(case, it)| format!("{} ({})", case.name, it.became)).collect();
    let rows: Vec<Value> = verdicts
        .iter()
        .map(|(case, it)| {
            json!({ "name": case.name, "tries": case.tries, "holds": it.holds, "became": it.became, "fuel": it.fuel, "wall_ms": it.wall_ms })
        })
        .collect();
    let value = json!({
        "espalier": env!("CARGO_PKG_VERSION"),
        "engine": sandbox.engine_name(),
        "machine": { "architecture": std::env::consts::ARCH, "system": std::env::consts::OS },
        "pooled": sandbox.is_pooled(),
        "limits": { "read": limits(&Limits::of(Kind::Read)), "write": limits(&Limits::of(Kind::Write)), "step": limits(&Limits::step()) },
        "holes": holes,
        "held": verdicts.len() - fell.len(),
        "attempts": rows,
    });
    say.value(&value, &report(&value, verdicts.iter().map(|(case, it)| (case.name, case.tries, it))));
    if !fell.is_empty() {
        bail!("what must not happen here did: {}", fell.join(", "));
    }
    Ok(())
}

/// What the settings open that is closed by itself.
fn holes(settings: &Settings) -> Vec<String> {
    let outbound = &settings.file.outbound;
    let private = outbound.allow_private.iter().map(|network| format!("outbound.allow_private has {network}"));
    let fixed = outbound.resolve.iter().map(|(name, address)| format!("outbound.resolve leads {name} to {address}"));
    private.chain(fixed).collect()
}

fn limits(limits: &Limits) -> Value {
    json!({
        "fuel": limits.fuel, "wall_ms": limits.wall.as_millis(), "memory": limits.memory, "answer": limits.answer,
        "rows_read": limits.rows_read, "rows_written": limits.rows_written, "host_calls": limits.host_calls,
        "requests": limits.requests, "log_lines": limits.log_lines,
    })
}

/// The report as Markdown, for a person to keep.
fn report<'a>(value: &Value, verdicts: impl Iterator<Item = (&'a str, &'a str, &'a Verdict)>) -> String {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let mut words = format!(
        "# The sandbox, proved\n\nespalier {}, {}, {} {}, instances {}.\n\n",
        text("espalier"),
        text("engine"),
        value["machine"]["architecture"].as_str().unwrap_or_default(),
        value["machine"]["system"].as_str().unwrap_or_default(),
        if value["pooled"] == true { "from a pool" } else { "made on demand" },
    );
    words += "| bound | read | write | step |\n| --- | ---: | ---: | ---: |\n";
    for name in value["limits"]["read"].as_object().into_iter().flat_map(|it| it.keys()) {
        let of = |kind: &str| value["limits"][kind][name].clone();
        words += &format!("| {name} | {} | {} | {} |\n", of("read"), of("write"), of("step"));
    }
    let holes: Vec<&str> = value["holes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    words += &format!(
        "\nOpened by the settings: {}.\n",
        if holes.is_empty() { "nothing".to_owned() } else { holes.join("; ") }
    );
    words += "\n| guest | tries | became | |\n| --- | --- | --- | --- |\n";
    let mut held = 0;
    for (name, tries, verdict) in verdicts {
        held += usize::from(verdict.holds);
        let became = verdict.became.replace('|', "\\|").replace('\n', " ");
        words += &format!("| {name} | {tries} | {became} | {} |\n", if verdict.holds { "held" } else { "**FELL**" });
    }
    words +=
        &format!("\n{held} of {} attempts came to what they must.", value["attempts"].as_array().map_or(0, Vec::len));
    words
}
