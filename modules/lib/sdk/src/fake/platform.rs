//! The fake service: it answers what a test puts down, question by question, and remembers what was done.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bindings::wit::platform::Question;
use crate::bindings::wit::platform_write::Action;
use crate::boundary::Fault;

type Answer = Result<String, Fault>;

/// What the service knows, and what it was told to do.
#[derive(Default)]
pub(crate) struct Service {
    answers: BTreeMap<String, Vec<Answer>>,
    asked: Vec<Question>,
    done: Vec<Action>,
}

impl Service {
    pub(super) fn answer(&mut self, name: &str, answer: Result<Value, Fault>) {
        self.answers.entry(name.to_owned()).or_default().push(answer.map(|it| it.to_string()));
    }

    pub(super) fn ask(&mut self, question: &Question) -> Answer {
        self.asked.push(question.clone());
        self.next(name(&format!("{question:?}")))
    }

    pub(super) fn act(&mut self, action: &Action) -> Answer {
        let answer = self.next(name(&format!("{action:?}")));
        if answer.is_ok() {
            self.done.push(action.clone());
        }
        answer
    }

    pub(super) fn asked(&self) -> Vec<Question> {
        self.asked.clone()
    }

    pub(super) fn done(&self) -> Vec<Action> {
        self.done.clone()
    }

    /// The answers of one name come one after the other; the last one stays.
    fn next(&mut self, name: String) -> Answer {
        let Some(answers) = self.answers.get_mut(&name) else {
            panic!("the test does not say what the service answers to {name}")
        };
        if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() }
    }
}

/// `Question::PlanChange(…)` is `plan-change`, as in the WIT.
fn name(debugged: &str) -> String {
    let variant = debugged.split('(').next().unwrap_or_default();
    let variant = variant.rsplit("::").next().unwrap_or_default();
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
