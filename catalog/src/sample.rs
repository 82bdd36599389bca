//! A small module for the tests of this crate.

use std::collections::BTreeSet;

use model::contract::{Contract, Kind, Mode};
use model::cost::{Cost, Most, PerUnit};
use model::manifest::{Collection, Index, Manifest, Shapes};
use model::scope::{Scope, ScopeSet};

use crate::built::{Built, Exports};

/// A contract of the sample module.
pub(crate) fn contract(name: &str, kind: Kind, scope: Scope) -> Contract {
    Contract {
        id: format!("authors.{name}"),
        export: name.to_owned(),
        kind,
        mode: Mode::Immediate,
        scopes: ScopeSet::from_iter([scope]),
        summary: "Does something with authors.".to_owned(),
        description: String::new(),
        cost: Cost {
            class: "list".to_owned(),
            base: 1,
            per: Some(PerUnit {
                unit: "rows".to_owned(),
                every: 25,
                points: 1,
                free: 25,
                most: Most::Argument { argument: "limit".to_owned(), times: None, otherwise: 25 },
            }),
        },
        native_price: None,
        side_effects: Vec::new(),
        arguments: serde_json::json!({
            "type": "object",
            "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 25}},
            "additionalProperties": false
        }),
        result: serde_json::json!({"type": "object"}),
        examples: Vec::new(),
        result_operation: None,
        step: None,
        needs: Vec::new(),
        phrasings: Vec::new(),
        secrets: Vec::new(),
        outside: Vec::new(),
    }
}

/// The sample module as built.
pub(crate) fn built() -> Built {
    let operations =
        vec![contract("list", Kind::Read, Scope::AssetsRead), contract("create", Kind::Write, Scope::AssetsWrite)];
    let names = |contracts: &[Contract]| contracts.iter().map(|it| it.export.clone()).collect::<BTreeSet<_>>();
    Built {
        component: "sha256:0123".to_owned(),
        imports: ["log", "records", "records-write"].map(str::to_owned).into(),
        exports: Exports { operations: names(&operations), ..Exports::default() },
        manifest: Manifest {
            module: "authors".to_owned(),
            wit: "espalier:module@1.0.0".to_owned(),
            operations,
            routes: Vec::new(),
            steps: Vec::new(),
            collections: vec![Collection {
                name: "authors".to_owned(),
                indexes: vec![Index {
                    name: "status".to_owned(),
                    fields: vec!["status".to_owned(), "lastname".to_owned()],
                }],
                form: 1,
            }],
            raw: Vec::new(),
            shapes: Shapes::default(),
        },
    }
}
