//! A contract: all that the outside knows of an operation. `wit/contracts.md` names every member.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::boundary::Answer;
use crate::{Cost, Cx, Most, Reply, Result, entry, schema};

/// What an operation may do; the host enforces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Changes nothing.
    Read,
    /// Changes records.
    Write,
    /// Starts work.
    Job,
    /// Removes.
    Destructive,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Job => "job",
            Self::Destructive => "destructive",
        }
    }
}

/// A handler behind the boundary's text.
pub(crate) type Run = Box<dyn Fn(&Cx, &str) -> Result<Answer>>;

/// An operation as `module!` lists it: its contract, without the id, and its handler.
pub struct Operation {
    pub(crate) kind: Kind,
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "a component's exports call their handlers directly")
    )]
    pub(crate) run: Run,
    pub(crate) step: Option<&'static str>,
    pub(crate) queued_outside: bool,
    pub(crate) arguments: Value,
    pub(crate) result: Value,
    pub(crate) examples: Vec<Value>,
    scopes: &'static [&'static str],
    summary: &'static str,
    description: &'static str,
    cost: Cost,
    native_price: Option<(&'static str, u64, u64, Most)>,
    result_operation: Option<&'static str>,
    side_effects: &'static [&'static str],
    needs: &'static [&'static str],
    phrasings: &'static [&'static str],
    secrets: &'static [&'static str],
    pub(crate) outside: &'static [&'static str],
}

impl Operation {
    /// The operation that `handler` is.
    pub fn new<A, R>(kind: Kind, handler: impl Fn(&Cx, A) -> Result<R> + 'static) -> Self
    where
        A: DeserializeOwned + Serialize + JsonSchema,
        R: Reply,
    {
        Self {
            kind,
            run: Box::new(move |cx, arguments| entry::operation(cx, arguments, &handler)),
            step: None,
            queued_outside: false,
            arguments: schema::arguments::<A>(),
            result: schema::result::<R::Data>(),
            examples: Vec::new(),
            scopes: &[],
            summary: "",
            description: "",
            cost: Cost::indexed_read(),
            native_price: None,
            result_operation: None,
            side_effects: &[],
            needs: &[],
            phrasings: &[],
            secrets: &[],
            outside: &[],
        }
    }

    /// The doc comment: one sentence, and the rest.
    #[must_use]
    pub fn prose(self, summary: &'static str, description: &'static str) -> Self {
        Self { summary, description, ..self }
    }

    /// All are needed.
    #[must_use]
    pub fn scopes(self, scopes: &'static [&'static str]) -> Self {
        Self { scopes, ..self }
    }

    /// What it costs in points.
    #[must_use]
    pub fn cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// It starts a job whose work is the named step.
    #[must_use]
    pub fn queued(self, step: &'static str) -> Self {
        Self { step: Some(step), ..self }
    }

    /// What it asks for ends outside of this service: a payment, a person's decision. There is no job.
    #[must_use]
    pub fn queued_outside(self) -> Self {
        Self { queued_outside: true, ..self }
    }

    /// Thousandths of a credit for every `every` units begun.
    #[must_use]
    pub fn native_price(self, unit: &'static str, every: u64, credits_milli: u64, most: Most) -> Self {
        Self { native_price: Some((unit, every, credits_milli, most)), ..self }
    }

    /// The read to poll after a queued call.
    #[must_use]
    pub fn result_operation(self, id: &'static str) -> Self {
        Self { result_operation: Some(id), ..self }
    }

    /// What it changes, in words.
    #[must_use]
    pub fn side_effects(self, side_effects: &'static [&'static str]) -> Self {
        Self { side_effects, ..self }
    }

    /// Host interfaces and connections.
    #[must_use]
    pub fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    /// How people ask for this; feeds search.
    #[must_use]
    pub fn phrasings(self, phrasings: &'static [&'static str]) -> Self {
        Self { phrasings, ..self }
    }

    /// JSON pointers of arguments that the host seals.
    #[must_use]
    pub fn secrets(self, secrets: &'static [&'static str]) -> Self {
        Self { secrets, ..self }
    }

    /// What it may ask of customers' providers: `wordpress POST /wp-json/wp/v2/posts change`.
    #[must_use]
    pub fn outside(self, outside: &'static [&'static str]) -> Self {
        Self { outside, ..self }
    }

    /// Arguments that are valid, to be copied.
    #[must_use]
    pub fn examples(self, examples: Vec<Value>) -> Self {
        Self { examples, ..self }
    }

    /// The JSON pointers of secret arguments: those that were written, and those whose type is a secret.
    pub(crate) fn secret_arguments(&self) -> Vec<String> {
        let mut pointers: Vec<String> = self.secrets.iter().map(|it| (*it).to_owned()).collect();
        schema::write_only(&self.arguments, "", &mut pointers);
        pointers.sort_unstable();
        pointers.dedup();
        pointers
    }

    /// The contract under an id.
    pub(crate) fn contract(&self, id: &str, export: &str) -> Value {
        let mut contract = json!({
            "id": id,
            "export": export,
            "kind": self.kind.name(),
            "mode": if self.step.is_some() || self.queued_outside { "queued" } else { "immediate" },
            "scopes": self.scopes,
            "summary": self.summary,
            "description": self.description,
            "cost": self.cost.contract(&self.arguments),
            "side_effects": self.side_effects,
            "arguments": self.arguments,
            "result": self.result,
            "examples": self.examples,
            "needs": self.needs,
            "phrasings": self.phrasings,
            "secrets": self.secret_arguments(),
        });
        if let Some((unit, every, credits_milli, most)) = &self.native_price {
            contract["native_price"] = json!({ "unit": unit, "every": every, "credits_milli": credits_milli, "most": most.contract(&self.arguments) });
        }
        if !self.outside.is_empty() {
            contract["outside"] = json!(self.outside);
        }
        if let Some(poll) = self.result_operation {
            contract["result_operation"] = poll.into();
        }
        if let Some(step) = self.step {
            contract["step"] = step.into();
        }
        contract
    }
}
