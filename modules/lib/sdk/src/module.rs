//! A module as its `module!` lists it.

use serde_json::{Map, Value, json};

use crate::{Index, JobStep, Operation, Record, forms, schema};

/// What a module offers.
pub struct Module {
    /// The crate's name, and the first segment of every id.
    pub name: &'static str,
    /// What the catalog can run.
    pub operations: Vec<Export<Operation>>,
    /// What the fixed routes show.
    pub routes: Vec<Export<Operation>>,
    /// What the worker runs.
    pub steps: Vec<Export<JobStep>>,
    /// What it keeps.
    pub collections: Vec<Collection>,
    /// What of it a customer may have removed once it is old.
    pub raw: Vec<Raw>,
    /// Where the free text of its results comes from, `web` and `provider`; empty: it writes all of it itself.
    pub untrusted: Vec<&'static str>,
}

/// Raw data: what a module could do without once it has drawn its conclusions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw {
    /// Its name within the module.
    pub name: &'static str,
    /// What it is, for a person.
    pub words: &'static str,
    /// The collection whose rows say how old it is.
    pub collection: &'static str,
    /// Their top-level member with that moment: milliseconds since 1970 UTC; null or absent: not old.
    pub dated: &'static str,
    /// Whether the rows themselves go.
    pub rows: bool,
    /// What the keys of the blobs that go begin with; `{id}` stands for the row's id.
    pub blobs: &'static [&'static str],
}

/// One function of the component.
pub struct Export<T> {
    /// `module.noun.verb`.
    pub id: &'static str,
    /// The function's name in its interface, kebab-case.
    pub name: &'static str,
    /// What it does.
    pub it: T,
}

/// A collection with its declared indexes.
#[derive(Debug, Clone, Copy)]
pub struct Collection {
    /// Its name within the module.
    pub name: &'static str,
    /// What can be asked of it.
    pub indexes: &'static [Index],
    /// The version of its rows.
    pub version: u32,
    /// A row of any version as one of this version.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) row: fn(&str) -> crate::Result<String>,
    shape: fn() -> Value,
}

impl Collection {
    /// Where the records of type `T` are kept.
    pub const fn of<T: Record>() -> Self {
        Self {
            name: T::COLLECTION,
            indexes: T::INDEXES,
            version: T::VERSION,
            #[cfg(not(target_arch = "wasm32"))]
            row: forms::row::<T>,
            shape: schema::stored::<T>,
        }
    }
}

impl Module {
    /// The contract section, as JSON with sorted members.
    pub fn contracts(&self) -> String {
        let contract = |it: &Export<Operation>| {
            let mut contract = it.it.contract(it.id, it.name);
            schema::mark_untrusted(&mut contract["result"], &self.untrusted);
            contract
        };
        let index = |it: &Index| json!({ "name": it.name, "fields": it.fields });
        let collection = |it: &Collection| {
            let mut collection =
                json!({ "name": it.name, "indexes": it.indexes.iter().map(index).collect::<Vec<_>>() });
            if it.version > forms::FIRST {
                collection["form"] = it.version.into();
            }
            collection
        };
        let raw = |it: &Raw| {
            json!({
                "name": it.name,
                "words": it.words,
                "collection": it.collection,
                "dated": it.dated,
                "rows": it.rows,
                "blobs": it.blobs,
            })
        };
        let mut contracts = json!({
            "module": self.name,
            "wit": "espalier:module@1.0.0",
            "operations": self.operations.iter().map(contract).collect::<Vec<_>>(),
            "routes": self.routes.iter().map(contract).collect::<Vec<_>>(),
            "steps": self.steps.iter().map(|it| json!({ "name": it.name, "export": it.name })).collect::<Vec<_>>(),
            "collections": self.collections.iter().map(collection).collect::<Vec<_>>(),
        });
        let shapes = [
            ("records", self.collections.iter().map(|it| (it.name.to_owned(), (it.shape)())).collect::<Map<_, _>>()),
            ("payloads", self.steps.iter().map(|it| (it.name.to_owned(), (it.it.payload)())).collect()),
            ("checkpoints", self.steps.iter().map(|it| (it.name.to_owned(), (it.it.checkpoint)())).collect()),
        ];
        for (kind, shapes) in shapes.into_iter().filter(|(_, shapes)| !shapes.is_empty()) {
            contracts["shapes"][kind] = shapes.into();
        }
        if !self.raw.is_empty() {
            contracts["raw"] = self.raw.iter().map(raw).collect();
        }
        contracts.to_string()
    }

    /// The exports as WIT, as committed in the module's `module.wit`.
    pub fn wit(&self) -> String {
        let mut wit = format!(
            "// What the module {} exports; `modules/README.md` says how this file is written.\npackage espalier:{};\n",
            self.name,
            self.name.replace('_', "-")
        );
        let operations = self.operations.iter().map(|it| it.name).collect::<Vec<_>>();
        let routes = self.routes.iter().map(|it| it.name).collect::<Vec<_>>();
        let steps = self.steps.iter().map(|it| it.name).collect::<Vec<_>>();
        let upgraded = self.collections.iter().any(|it| it.version > forms::FIRST);
        let upgrades = if upgraded { vec!["records"] } else { Vec::new() };
        let present: Vec<_> =
            [("operations", operations), ("routes", routes), ("steps", steps), ("upgrades", upgrades)]
                .into_iter()
                .filter(|(_, it)| !it.is_empty())
                .collect();
        for (interface, names) in &present {
            wit += &format!(
                "\ninterface {interface} {{\n    use espalier:module/types@1.0.0.{{call, answer, fault}};\n\n"
            );
            for name in names {
                wit += &format!("    %{name}: func(call: call) -> result<answer, fault>;\n");
            }
            wit += "}\n";
        }
        wit += "\nworld module {\n";
        for (interface, _) in &present {
            wit += &format!("    export {interface};\n");
        }
        wit + "}\n"
    }
}
