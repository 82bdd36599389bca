//! The way from the boundary's text to a typed handler and back; what the macros' exports call.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::boundary::Answer;
use crate::paging::bound;
use crate::{Cx, Fault, Reply, Result, Step, Upgraded, pointer};

/// Runs an operation or route on the arguments of a call.
pub fn operation<A, R>(cx: &Cx, arguments: &str, handler: impl Fn(&Cx, A) -> Result<R>) -> Result<Answer>
where
    A: DeserializeOwned + Serialize,
    R: Reply,
{
    let typed = serde_json::from_str(arguments).map_err(|error| invalid(arguments, &error))?;
    let (data, units) = handler(cx, bound::unbind::<A>(arguments, typed)?)?.into_parts();
    Ok(Answer { data: bound::bind::<A>(arguments, written(&data)), units })
}

/// Runs one step of a job on `{"payload", "checkpoint", "attempt"}`.
pub fn step<A, C, P, D>(
    cx: &Cx,
    arguments: &str,
    handler: impl Fn(&Cx, A, Option<C>) -> Result<Step<C, P, D>>,
) -> Result<Answer>
where
    A: DeserializeOwned,
    C: Serialize + DeserializeOwned,
    P: Serialize,
    D: Serialize,
{
    #[derive(Deserialize)]
    struct Turn<A, C> {
        payload: A,
        checkpoint: Option<C>,
    }
    let turn: Turn<A, C> = serde_json::from_str(arguments).map_err(|error| invalid(arguments, &error))?;
    Ok(handler(cx, turn.payload, turn.checkpoint)?.into_answer())
}

/// Brings rows into the version of their collection: `{"collection", "records": [{"form", "record"}]}` becomes
/// `{"records": […]}`, in the same order.
///
/// # Errors
/// `not_upgraded` when one of them cannot be brought into it.
pub fn upgrade(arguments: &str, upgraded: &[Upgraded]) -> Result<Answer> {
    #[derive(Deserialize)]
    struct Asked {
        collection: String,
        records: Vec<Older>,
    }
    #[derive(Deserialize)]
    struct Older {
        record: String,
    }
    #[derive(Serialize)]
    struct Told {
        records: Vec<String>,
    }
    let Asked { collection, records } = serde_json::from_str(arguments).map_err(|error| invalid(arguments, &error))?;
    let of = upgraded.iter().find(|it| it.name == collection);
    let of = of.ok_or_else(|| Fault::conflict("not_upgraded", "its rows have one version only"))?;
    let records = records.iter().map(|it| (of.row)(&it.record)).collect::<Result<_>>()?;
    Ok(Answer { data: written(&Told { records }), units: 0 })
}

/// Leaves a text in memory for the build to read: address in the upper half, length in the lower.
pub fn leak(text: String) -> u64 {
    let text: &'static str = text.leak();
    ((text.as_ptr() as u64) << 32) | text.len() as u64
}

/// A value as JSON text. Maps with other keys than strings are a mistake of the module's author, which a trap ends.
pub(crate) fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a module's own values are JSON: string keys, no failing serializer")
}

/// The refusal for arguments that the schema let pass and a type did not, such as a domain that is not one.
fn invalid(arguments: &str, error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or_default();
    Fault::invalid(pointer::at(arguments, error.line(), error.column()), "invalid_arguments", message)
}
