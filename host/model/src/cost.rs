//! What an operation costs: formulas as data, evaluated by the host and by nobody else.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Points of one call: `base + points × ceil(max(0, units − free) / every)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The class's name in the catalog, such as `list` or `live`.
    pub class: String,
    /// Points whatever the work.
    pub base: u64,
    /// Points for the work, when it varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<PerUnit>,
}

/// The part of a cost that grows with the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerUnit {
    /// What is counted. `requests` is counted by the host, anything else is reported by the guest.
    pub unit: String,
    /// Units in one step.
    pub every: u64,
    /// Points of one started step.
    pub points: u64,
    /// Units that cost nothing.
    #[serde(default)]
    pub free: u64,
    /// The most units a call can use.
    pub most: Most,
}

/// An upper bound on units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Most {
    /// The same for each call.
    Fixed {
        /// The bound.
        fixed: u64,
    },
    /// What the caller asked for.
    Argument {
        /// The argument's name: a number counts as itself, a list as its length.
        argument: String,
        /// Another argument that multiplies it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        times: Option<String>,
        /// The bound when one of them is absent.
        otherwise: u64,
    },
}

impl Most {
    /// The bound for these arguments.
    pub fn of(&self, arguments: &Map<String, Value>) -> u64 {
        match self {
            Most::Fixed { fixed } => *fixed,
            Most::Argument { argument, times, otherwise } => {
                let product = std::iter::once(argument)
                    .chain(times)
                    .try_fold(1_u64, |product, name| Some(product.saturating_mul(count(arguments.get(name)?)?)));
                product.unwrap_or(*otherwise)
            }
        }
    }
}

fn count(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::Array(items) => Some(items.len() as u64),
        _ => None,
    }
}

impl Cost {
    /// Points for this much work.
    pub fn points(&self, units: u64) -> u64 {
        let work = self.per.as_ref().map_or(0, |per| {
            let steps = units.saturating_sub(per.free).div_ceil(per.every.max(1));
            steps.saturating_mul(per.points)
        });
        self.base.saturating_add(work)
    }

    /// The most that a call with these arguments can cost.
    pub fn ceiling(&self, arguments: &Map<String, Value>) -> u64 {
        self.points(self.per.as_ref().map_or(0, |per| per.most.of(arguments)))
    }

    /// Whether the host counts the units itself.
    pub fn counts_requests(&self) -> bool {
        self.per.as_ref().is_some_and(|per| per.unit == "requests")
    }
}

/// A price in credits for native work, beside the points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NativePrice {
    /// What is counted, as reported by the guest.
    pub unit: String,
    /// Units that have the price. Fewer cost their part of it.
    pub every: u64,
    /// Thousandths of a credit for these.
    pub credits_milli: u64,
    /// The most units a call can use; what is held until the work is done.
    pub most: Most,
}

impl NativePrice {
    /// Thousandths of a credit for this much work: what was done is paid, and only a part of a thousandth is rounded up.
    pub fn milli(&self, units: u64) -> u64 {
        let parts = u128::from(units) * u128::from(self.credits_milli);
        u64::try_from(parts.div_ceil(u128::from(self.every.max(1)))).unwrap_or(u64::MAX)
    }
}
