//! What was built against what was locked: every line that is no longer true, by file and line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use model::contract::{Contract, Kind};
use model::limits::Limits;
use model::manifest::{FIRST_FORM, UPGRADE};
use model::outside::Right;

use crate::bounds::Bounds;
use crate::built::Built;
use crate::lock::{Entry, Lock, collections, forms, shapes};
use crate::reach::Rules;
use crate::{kinds, line};

/// The interfaces that a lock can grant: those of `wit/v1`, and a WASI that reaches nothing.
pub const GRANTS: [&str; 36] = [
    "accounts",
    "blobs",
    "blobs-write",
    "cache",
    "catalog",
    "clock",
    "connections",
    "dns",
    "guarded-shares-write",
    "jobs",
    "jobs-write",
    "links",
    "links-write",
    "log",
    "mail",
    "notices",
    "notices-write",
    "platform",
    "platform-write",
    "quotes",
    "random",
    "recipients",
    "recipients-write",
    "records",
    "records-write",
    "refunds-write",
    "schedule",
    "schedule-write",
    "shares",
    "shares-write",
    "tls",
    "uploads",
    "uploads-write",
    "vault",
    "wasi-inert",
    "web",
];

/// Grants that one module can have and no other: where credentials are put, and what the service knows of its customer.
const OWN: [(&str, &str); 3] = [("platform", "account"), ("platform-write", "account"), ("vault", "connections")];

/// How strict the comparison is about the component's bytes. Everything else is always strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digest {
    /// The bytes are the locked ones: what is served.
    Strict,
    /// The bytes may differ: built on another machine, or in development.
    Free,
}

/// One line of a lock that is not true of what was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The lock's file, in its revision's folder where it was read from one.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The table and key: `operations."authors.list".contract`.
    pub key: String,
    /// What is locked and what was built.
    pub message: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.key, self.message)
    }
}

/// Every difference between a component and its lock; none means that it may be served.
pub fn differences(built: &Built, lock: &Lock, digest: Digest) -> Vec<Difference> {
    let mut found = Found { lock, differences: Vec::new() };
    let manifest = &built.manifest;
    found.equal("module", &lock.module, &manifest.module);
    found.equal("wit", &lock.wit, &manifest.wit);
    if digest == Digest::Strict {
        found.equal("component", &lock.component, &built.component);
    }
    found.grants(built);
    found.exports(built);
    found.contracts("routes", &manifest.routes, &lock.routes, &BTreeSet::new());
    found.contracts("operations", &manifest.operations, &lock.operations, &lock.withheld);
    found.collections(built);
    found.steps(built);
    found.limits();
    found.outside();
    found.differences
}

struct Found<'a> {
    lock: &'a Lock,
    differences: Vec<Difference>,
}

impl Found<'_> {
    fn at(&mut self, table: Option<&str>, key: &str, message: String) {
        let path = match table {
            Some(table) if key.is_empty() => table.to_owned(),
            Some(table) => format!("{table}.{key}"),
            None => key.to_owned(),
        };
        let line = self.lock.line_of(table, key);
        self.differences.push(Difference { file: self.lock.place(), line, key: path, message });
    }

    fn equal(&mut self, key: &str, locked: &str, built: &str) {
        if locked != built {
            self.at(None, key, format!("locked {locked}, built {built}"));
        }
    }

    fn grants(&mut self, built: &Built) {
        for import in built.imports.iter().filter(|import| !GRANTS.contains(&import.as_str())) {
            self.at(None, "grants", format!("the component imports {import}, which no lock can grant"));
        }
        for (grant, module) in OWN {
            if built.imports.contains(grant) && (built.manifest.module != module || self.lock.module != module) {
                self.at(None, "grants", format!("{grant} is for the module {module} alone"));
            }
        }
        for import in built.imports.difference(&self.lock.grants) {
            self.at(None, "grants", format!("the component imports {import}, which is not granted"));
        }
        for grant in self.lock.grants.difference(&built.imports) {
            self.at(None, "grants", format!("{grant} is granted and not imported; take it out"));
        }
    }

    fn exports(&mut self, built: &Built) {
        let declared = |contracts: &[Contract]| contracts.iter().map(|it| it.export.clone()).collect::<BTreeSet<_>>();
        let manifest = &built.manifest;
        let steps = manifest.steps.iter().map(|step| step.export.clone()).collect();
        let upgraded = manifest.collections.iter().any(|it| it.form > FIRST_FORM);
        let upgrades = upgraded.then(|| UPGRADE.to_owned()).into_iter().collect();
        let interfaces = [
            ("operations", &built.exports.operations, declared(&manifest.operations)),
            ("routes", &built.exports.routes, declared(&manifest.routes)),
            ("steps", &built.exports.steps, steps),
            ("upgrades", &built.exports.upgrades, upgrades),
        ];
        for (interface, exported, declared) in interfaces {
            for name in exported.difference(&declared) {
                self.at(Some(interface), "", format!("the component exports {name} without a contract"));
            }
            for name in declared.difference(exported) {
                self.at(
                    Some(interface),
                    "",
                    format!("the contracts name the export {name}, which the component lacks"),
                );
            }
        }
        for name in &built.exports.others {
            self.at(None, "module", format!("the component exports {name}, which no module may"));
        }
        let mut ids = BTreeSet::new();
        for contract in manifest.operations.iter().chain(&manifest.routes) {
            if !ids.insert(&contract.id) {
                self.at(None, "module", format!("the contracts name {} twice", contract.id));
            }
            if contract.module() != manifest.module {
                self.at(None, "module", format!("the contract {} belongs to another module", contract.id));
            }
        }
    }

    fn contracts(
        &mut self,
        table: &str,
        built: &[Contract],
        locked: &std::collections::BTreeMap<String, Entry>,
        withheld: &BTreeSet<String>,
    ) {
        for contract in built {
            let name = format!("{table}.{}", line::text(&contract.id));
            match locked.get(&contract.id) {
                Some(_) if withheld.contains(&contract.id) => {
                    self.at(None, "withheld", format!("{} is both offered and withheld", contract.id));
                }
                Some(entry) => self.entry(&name, entry, &Entry::of(contract)),
                None if withheld.contains(&contract.id) => {}
                None => self.at(None, "module", format!("{} was built and is not locked", contract.id)),
            }
        }
        let ids: BTreeSet<&str> = built.iter().map(|contract| contract.id.as_str()).collect();
        for id in locked.keys().chain(withheld).filter(|id| !ids.contains(id.as_str())) {
            self.at(Some(&format!("{table}.{}", line::text(id))), "", format!("{id} is locked and was not built"));
        }
    }

    fn entry(&mut self, table: &str, locked: &Entry, built: &Entry) {
        let lines = [
            ("kind", locked.kind.as_str().to_owned(), built.kind.as_str().to_owned()),
            ("mode", locked.mode.as_str().to_owned(), built.mode.as_str().to_owned()),
            ("scopes", locked.scopes.to_string(), built.scopes.to_string()),
            ("cost", locked.cost.clone(), built.cost.clone()),
            ("price", locked.price.clone().unwrap_or_default(), built.price.clone().unwrap_or_default()),
            ("arguments", locked.arguments.clone(), built.arguments.clone()),
            ("needs", format!("{:?}", locked.needs), format!("{:?}", built.needs)),
            ("contract", locked.contract.clone(), built.contract.clone()),
        ];
        for (key, locked, built) in lines {
            if locked != built {
                self.at(Some(table), key, format!("locked {locked}, built {built}"));
            }
        }
        for line in built.outside.iter().filter(|line| !locked.outside.contains(line)) {
            self.at(Some(table), "outside", format!("`{line}` was built and is not locked"));
        }
        for line in locked.outside.iter().filter(|line| !built.outside.contains(line)) {
            self.at(Some(table), "outside", format!("`{line}` is locked and was not built"));
        }
    }

    fn collections(&mut self, built: &Built) {
        let declared = collections(&built.manifest.collections);
        for name in declared.keys().chain(self.lock.collections.keys()).collect::<BTreeSet<_>>() {
            let (locked, built) = (self.lock.collections.get(name), declared.get(name));
            if locked != built {
                let shown = |it: Option<_>| it.map_or("nothing".to_owned(), |indexes| format!("{indexes:?}"));
                let message = format!("locked {}, built {}", shown(locked), shown(built));
                self.at(Some(&format!("collections.{name}")), "", message);
            }
        }
        let forms = forms(&built.manifest.collections);
        if forms != self.lock.forms {
            self.at(Some("forms"), "", format!("locked {:?}, built {forms:?}", self.lock.forms));
        }
        let built = shapes(&built.manifest.shapes);
        for kind in built.keys().chain(self.lock.shapes.keys()).collect::<BTreeSet<_>>() {
            let none = BTreeMap::new();
            let (locked, built) = (self.lock.shapes.get(kind).unwrap_or(&none), built.get(kind).unwrap_or(&none));
            for name in built.keys().chain(locked.keys()).collect::<BTreeSet<_>>() {
                let (locked, built) = (locked.get(name), built.get(name));
                if locked != built {
                    let shown = |it: Option<&String>| it.map_or("nothing".to_owned(), Clone::clone);
                    let message = format!("locked {}, built {}", shown(locked), shown(built));
                    self.at(Some(&format!("shapes.{kind}")), name, message);
                }
            }
        }
        for name in self.lock.may_remove.keys().filter(|name| !declared.contains_key(*name)) {
            self.at(Some("may_remove"), name, format!("the module has no collection {name}"));
        }
    }

    fn steps(&mut self, built: &Built) {
        let declared: std::collections::BTreeMap<String, String> =
            built.manifest.steps.iter().map(|step| (step.name.clone(), step.export.clone())).collect();
        if declared != self.lock.steps {
            self.at(Some("steps"), "", format!("locked {:?}, built {declared:?}", self.lock.steps));
        }
        for contract in &built.manifest.operations {
            if let Some(step) = contract.step.as_ref().filter(|step| !declared.contains_key(*step)) {
                self.at(Some("steps"), "", format!("{} starts the step {step}, which is not declared", contract.id));
            }
        }
    }

    /// What the kind of an operation does not permit it to ask, and reasons and bounds that are about nothing.
    fn outside(&mut self) {
        let lock = self.lock;
        let tables = [("routes", &lock.routes), ("operations", &lock.operations)];
        for (table, id, entry) in tables.iter().flat_map(|(table, it)| it.iter().map(move |(id, it)| (table, id, it))) {
            let table = format!("{table}.{}", line::text(id));
            let kind = entry.kind.as_str();
            for line in &entry.outside {
                if let Some(what) = kinds::broken(line) {
                    self.at(Some(&table), "outside", format!("`{line}`: {what}"));
                } else if !kinds::is_needed(&line.kind, &entry.needs) {
                    self.at(Some(&table), "outside", format!("`{line}`: it does not need connection:{}", line.kind));
                }
            }
            for line in entry.outside.iter().filter(|line| !entry.may(line)) {
                let message = match line.effect.right_of(entry.kind) {
                    Right::Never => format!("a {kind} may not send `{line}`"),
                    Right::Given | Right::WithReason => {
                        format!("a {kind} sends `{line}` only if may_remove gives it a reason")
                    }
                };
                self.at(Some(&table), "outside", message);
            }
            for line in entry.may_remove.keys() {
                if !entry.outside.contains(line) || line.effect.right_of(entry.kind) != Right::WithReason {
                    self.at(Some(&table), "may_remove", format!("`{line}` is no line of it that needs a reason"));
                }
            }
            if entry.web.is_some() && !entry.needs.contains("web") {
                self.at(Some(&table), "web", "it does not need web; take it out".to_owned());
            }
            if let Some(web) = entry.web.as_ref().filter(|web| (web.robots == Rules::Named) != web.reason.is_some()) {
                let message = match web.robots {
                    Rules::Named => "robots = \"named\" needs a reason: who names the page, and why once is enough",
                    Rules::Obey => "a reason is given, and robots are obeyed; take it out",
                };
                self.at(Some(&table), "web", message.to_owned());
            }
        }
    }

    fn limits(&mut self) {
        let lock = self.lock;
        let mut check = |table: &str, bounds: &Bounds, limits: &Limits| {
            let raised = bounds.raised(limits);
            if let (Some(first), None) = (raised.first(), &bounds.reason) {
                self.at(
                    Some(table),
                    first,
                    format!("{} is raised above the table without a reason", raised.join(", ")),
                );
            }
        };
        let most = if lock.steps.is_empty() { Limits::of(Kind::Write) } else { Limits::step() };
        check("limits", &lock.limits, &most);
        for (id, entry) in &lock.operations {
            check(&format!("operations.{}", line::text(id)), &entry.limits, &Limits::of(entry.kind));
        }
        for (id, entry) in &lock.routes {
            check(&format!("routes.{}", line::text(id)), &entry.limits, &Limits::of(entry.kind));
        }
    }
}

#[cfg(test)]
mod tests;
