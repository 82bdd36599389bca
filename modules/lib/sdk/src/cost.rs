//! What a call costs in points, as data: the classes of the catalog.

use serde_json::{Value, json};

/// A cost class with its units and their upper bound.
#[derive(Debug, Clone)]
pub struct Cost {
    class: &'static str,
    base: u64,
    per: Option<Per>,
}

#[derive(Debug, Clone)]
struct Per {
    unit: &'static str,
    every: u64,
    points: u64,
    free: u64,
    most: Most,
}

/// The upper bound of the units of one call.
#[derive(Debug, Clone)]
pub struct Most {
    argument: Option<&'static str>,
    times: Option<&'static str>,
    otherwise: Option<u64>,
}

impl Most {
    /// Never more than this.
    pub const fn fixed(units: u64) -> Self {
        Self { argument: None, times: None, otherwise: Some(units) }
    }

    /// The number in this argument, or the length of the list in it; when absent, its default or its maximum.
    pub const fn argument(name: &'static str) -> Self {
        Self { argument: Some(name), times: None, otherwise: None }
    }

    /// As `argument`, with what holds when it is absent.
    pub const fn argument_or(name: &'static str, otherwise: u64) -> Self {
        Self { argument: Some(name), times: None, otherwise: Some(otherwise) }
    }

    /// The product of the numbers in these two arguments, both of which have bounds.
    pub const fn product(name: &'static str, times: &'static str) -> Self {
        Self { argument: Some(name), times: Some(times), otherwise: None }
    }

    /// As the contract writes it, with the argument's own default or maximum filled in.
    pub(crate) fn contract(&self, arguments: &Value) -> Value {
        let Some(name) = self.argument else { return json!({ "fixed": self.otherwise }) };
        let own = |name: &str| {
            let schema = &arguments["properties"][name];
            ["default", "maximum", "maxItems"].iter().find_map(|it| schema[*it].as_u64())
        };
        match self.times {
            None => json!({ "argument": name, "otherwise": self.otherwise.or_else(|| own(name)) }),
            Some(times) => {
                let otherwise = own(name).zip(own(times)).map(|(one, other)| one * other);
                json!({ "argument": name, "times": times, "otherwise": otherwise })
            }
        }
    }
}

impl Cost {
    /// 1 point.
    pub const fn indexed_read() -> Self {
        Self { class: "indexed-read", base: 1, per: None }
    }

    /// 3 points.
    pub const fn write() -> Self {
        Self { class: "write", base: 3, per: None }
    }

    /// 1 point, and 1 for every 50 rows begun.
    pub const fn list(most: Most) -> Self {
        Self { class: "list", base: 1, per: Some(Per { unit: "rows", every: 50, points: 1, free: 0, most }) }
    }

    /// 2 points, and 3 for every outside request, so 5 for one; the host counts the requests. A call that asks nobody,
    /// such as a check of pasted text, costs 2.
    pub const fn live(most: Most) -> Self {
        Self { class: "live", base: 2, per: Some(Per { unit: "requests", every: 1, points: 3, free: 0, most }) }
    }

    /// 3 points, and 1 for every 25 units begun.
    pub const fn bulk(unit: &'static str, most: Most) -> Self {
        Self { class: "bulk", base: 3, per: Some(Per { unit, every: 25, points: 1, free: 0, most }) }
    }

    /// 10 points, and 1 for every `every` units begun.
    pub const fn job(unit: &'static str, every: u64, most: Most) -> Self {
        Self { class: "job", base: 10, per: Some(Per { unit, every, points: 1, free: 0, most }) }
    }

    pub(crate) fn contract(&self, arguments: &Value) -> Value {
        let mut cost = json!({ "class": self.class, "base": self.base });
        if let Some(Per { unit, every, points, free, most }) = &self.per {
            cost["per"] = json!({ "unit": unit, "every": every, "points": points, "free": free, "most": most.contract(arguments) });
        }
        cost
    }
}
