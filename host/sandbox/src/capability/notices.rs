//! `notices` and `notices-write`: telling the customer something, through the channels that they chose.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{JobState, JobView};

use crate::bindings::{notices, notices_write};
use crate::state::State;

/// Notices of one run.
const MOST_NOTICES: usize = 20;
const LONGEST_ABOUT: usize = 128;
const LONGEST_TITLE: usize = 120;
const LONGEST_WORDS: usize = 2_000;
const MOST_ARGUMENTS: usize = 4 * 1024;

/// What the job that tells a notice ends with, as `wit/platform.md` has it under `tell-jobs`.
#[derive(Deserialize)]
struct Outcome {
    channels: Vec<Channel>,
}

#[derive(Deserialize)]
struct Channel {
    delivered: bool,
    reason: Option<String>,
}

impl notices::Host for State {
    async fn get(&mut self, about: String) -> wasmtime::Result<notices::Delivery> {
        self.enter()?;
        let told = self.span.bound(self.workspace.notice(&about)).await;
        Ok(self.known(told)?.ok().flatten().map_or(notices::Delivery::Unwanted, |job| became(&job)))
    }
}

impl notices_write::Host for State {
    async fn tell(&mut self, notice: notices_write::Notice) -> wasmtime::Result<Result<(), String>> {
        self.enter_changing()?;
        let (about, payload) = match self.noticed(notice) {
            Ok(valid) => valid,
            Err(reason) => return Ok(Err(reason)),
        };
        if self.used.notices >= MOST_NOTICES {
            return Ok(Err(format!("one run tells at most {MOST_NOTICES} notices")));
        }
        self.used.notices += 1;
        self.workspace.tell(&about, payload);
        self.settle()?;
        Ok(Ok(()))
    }
}

impl State {
    /// Validates a notice: what it is about, and the payload of the job that tells it.
    fn noticed(&self, notice: notices_write::Notice) -> Result<(String, Value), String> {
        let notices_write::Notice { about, severity, title, words, site, operation, arguments } = notice;
        for (what, text, most) in [("about", &about, LONGEST_ABOUT), ("title", &title, LONGEST_TITLE)] {
            if !(1..=most).contains(&text.chars().count()) || text.chars().any(char::is_control) {
                return Err(format!("{what} has 1 to {most} characters in one line"));
            }
        }
        if words.chars().count() > LONGEST_WORDS {
            return Err(format!("words have at most {LONGEST_WORDS} characters"));
        }
        let arguments = arguments.unwrap_or_else(|| "{}".to_owned());
        let fits = arguments.len() <= MOST_ARGUMENTS;
        let arguments: Map<String, Value> = serde_json::from_str(if fits { &arguments } else { "" })
            .map_err(|_| "the arguments of an operation are a JSON object of at most 4 KiB".to_owned())?;
        let severity = match severity {
            notices_write::Severity::Info => "info",
            notices_write::Severity::Warning => "warning",
            notices_write::Severity::Critical => "critical",
        };
        let payload = json!({
            "kind": "alert",
            "severity": severity,
            "at": self.now.0,
            "title": title,
            "words": words,
            "site_id": site,
            "module": self.module.name,
            "see": operation.map(|operation| json!({ "operation_id": operation, "arguments": arguments })),
        });
        Ok((about, payload))
    }
}

/// What became of a notice, by the job that tells it.
fn became(job: &JobView) -> notices::Delivery {
    match job.state {
        JobState::Queued | JobState::Running => notices::Delivery::Waiting,
        JobState::Cancelled => notices::Delivery::Failed("cancelled".to_owned()),
        JobState::Failed => notices::Delivery::Failed("job_failed".to_owned()),
        JobState::Succeeded => {
            let outcome = job.outcome.as_deref().and_then(|text| serde_json::from_str::<Outcome>(text).ok());
            let channels = outcome.map(|it| it.channels).unwrap_or_default();
            match channels.first() {
                None => notices::Delivery::Unwanted,
                Some(_) if channels.iter().any(|it| it.delivered) => notices::Delivery::Told,
                Some(first) => notices::Delivery::Failed(first.reason.clone().unwrap_or_else(|| "unknown".to_owned())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use model::clock::Moment;

    use super::*;

    fn state(state: JobState, outcome: Option<&str>) -> notices::Delivery {
        became(&JobView {
            reference: "job_a".into(),
            state,
            progress: "{}".to_owned(),
            outcome: outcome.map(str::to_owned),
            created: Moment(0),
            changed: Moment(0),
        })
    }

    #[test]
    fn a_notice_is_told_where_one_channel_took_it_and_unwanted_where_none_was_asked() {
        let told = r#"{"channels":[{"connection_ref":"a","delivered":false,"reason":"gone"},
            {"connection_ref":"b","delivered":true,"reason":null}],"skipped":null}"#;
        assert!(matches!(state(JobState::Succeeded, Some(told)), notices::Delivery::Told));
        let failed = r#"{"channels":[{"connection_ref":"a","delivered":false,"reason":"gone"}],"skipped":null}"#;
        assert!(matches!(state(JobState::Succeeded, Some(failed)), notices::Delivery::Failed(why) if why == "gone"));
        let skipped = r#"{"channels":[],"skipped":"below_severity"}"#;
        assert!(matches!(state(JobState::Succeeded, Some(skipped)), notices::Delivery::Unwanted));
        assert!(matches!(state(JobState::Running, None), notices::Delivery::Waiting));
        assert!(matches!(state(JobState::Failed, Some("{}")), notices::Delivery::Failed(why) if why == "job_failed"));
    }
}
