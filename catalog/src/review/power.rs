//! What a module may reach and do, before and after: grants, reads of other modules, removals, limits, and the operations
//! that carry them.

use std::collections::{BTreeMap, BTreeSet};

use model::contract::Kind;
use model::limits::Limits;

use super::{Found, Reason, Side};
use crate::bounds::Bounds;
use crate::lock::{Entry, Lock};
use crate::revision::Status;

/// Everything about powers that differs.
pub(super) fn compare(found: &mut Found, old: &Side, new: &Side) {
    let (module, before, after) = (new.lock.module.as_str(), &old.lock, &new.lock);
    if before.component != after.component {
        found.add(module, Reason::CodeChanged, "", &code(old), &code(new));
    }
    if before.wit != after.wit {
        found.add(module, Reason::WitChanged, "", &before.wit, &after.wit);
    }
    found.names(module, (Reason::GrantAdded, Reason::GrantRemoved), &before.grants, &after.grants);
    found.names(module, (Reason::ReadsAdded, Reason::ReadsRemoved), &before.reads, &after.reads);
    found.names(module, (Reason::ScheduleAdded, Reason::ScheduleRemoved), &before.schedules, &after.schedules);
    let removals = (Reason::MayRemoveAdded, Reason::MayRemoveRemoved);
    found.names(module, removals, before.may_remove.keys(), after.may_remove.keys());
    found.names(module, (Reason::StepAdded, Reason::StepRemoved), before.steps.keys(), after.steps.keys());
    unused(found, new);
    unneeded(found, new);
    collections(found, before, after);
    let in_place = in_place(old, new);
    bounds(found, module, (&before.limits, &after.limits), &of_module(after));
    for (name, (one, other)) in both(&before.operations, &after.operations) {
        entry(found, name, one, other, in_place);
    }
    for (name, (one, other)) in both(&before.routes, &after.routes) {
        entry(found, &format!("route {name}"), one, other, in_place);
    }
}

/// Everything that a new module may do.
pub(super) fn introduce(found: &mut Found, new: &Side) {
    let (module, lock) = (new.lock.module.as_str(), &new.lock);
    found.add(module, Reason::ModuleAdded, "", "", &super::counted(new));
    let none = BTreeSet::new();
    found.names(module, (Reason::GrantAdded, Reason::GrantRemoved), &none, &lock.grants);
    found.names(module, (Reason::ReadsAdded, Reason::ReadsRemoved), &none, &lock.reads);
    found.names(module, (Reason::ScheduleAdded, Reason::ScheduleRemoved), &none, &lock.schedules);
    found.names(module, (Reason::MayRemoveAdded, Reason::MayRemoveRemoved), &none, lock.may_remove.keys());
    unused(found, new);
    unneeded(found, new);
    bounds(found, module, (&Bounds::default(), &lock.limits), &of_module(lock));
    found.names(module, (Reason::StepAdded, Reason::StepRemoved), &none, lock.steps.keys());
    for (name, entry) in &lock.operations {
        added(found, name, entry);
    }
    for (name, entry) in &lock.routes {
        added(found, &format!("route {name}"), entry);
    }
}

fn unused(found: &mut Found, new: &Side) {
    for grant in new.imports.iter().flat_map(|imports| new.lock.grants.difference(imports)) {
        found.add(&new.lock.module, Reason::GrantUnused, "", grant, "");
    }
}

fn unneeded(found: &mut Found, new: &Side) {
    for grant in new.lock.unneeded() {
        found.add(&new.lock.module, Reason::GrantUnneeded, "", "", grant);
    }
}

/// The component by its digest, and its size where it was read.
fn code(side: &Side) -> String {
    let size = side.size.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
    format!("{}{size}", side.lock.component)
}

/// Whether both are the same revision, which was final: a later one may change what it likes.
fn in_place(old: &Side, new: &Side) -> bool {
    let date = |side: &Side| side.revision.as_ref().map(|(date, _)| date.clone());
    matches!(&old.revision, Some((_, Status::Final))) && date(old) == date(new)
}

fn collections(found: &mut Found, old: &Lock, new: &Lock) {
    let none = BTreeMap::new();
    for (name, (before, after)) in both(&old.collections, &new.collections) {
        let (before, after) = match (before, after) {
            (Some(before), Some(after)) => (before, after),
            (Some(_), None) => {
                found.add(&new.module, Reason::CollectionRemoved, "", name, "");
                continue;
            }
            (None, Some(after)) => {
                found.add(&new.module, Reason::CollectionAdded, "", "", name);
                (&none, after)
            }
            (None, None) => continue,
        };
        let shown = |(index, fields): (&String, &Vec<String>)| format!("{name} {index} {fields:?}");
        for (index, (before, after)) in both(before, after) {
            let (reason, was, is) = match (before, after) {
                (Some(before), Some(after)) if before == after => continue,
                (Some(before), Some(after)) => (Reason::IndexChanged, shown((index, before)), shown((index, after))),
                (Some(before), None) => (Reason::IndexRemoved, shown((index, before)), String::new()),
                (None, Some(after)) => (Reason::IndexAdded, String::new(), shown((index, after))),
                (None, None) => continue,
            };
            found.add(&new.module, reason, "", &was, &is);
        }
    }
}

fn entry(found: &mut Found, name: &str, old: Option<&Entry>, new: Option<&Entry>, in_place: bool) {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (Some(old), None) => return found.add(name, Reason::OperationRemoved, "", old.kind.as_str(), ""),
        (None, Some(new)) => return added(found, name, new),
        (None, None) => return,
    };
    if old.kind != new.kind {
        found.add(name, Reason::KindChanged, "", old.kind.as_str(), new.kind.as_str());
    }
    if old.mode != new.mode {
        found.add(name, Reason::ModeChanged, "", old.mode.as_str(), new.mode.as_str());
    }
    let scopes = |entry: &Entry| entry.scopes.to_string().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    found.names(name, (Reason::ScopeAdded, Reason::ScopeRemoved), &scopes(old), &scopes(new));
    found.names(name, (Reason::NeedAdded, Reason::NeedRemoved), &old.needs, &new.needs);
    found.names(name, (Reason::EgressAdded, Reason::EgressRemoved), &lines(old), &lines(new));
    let removals = |entry: &Entry| entry.may_remove.keys().map(ToString::to_string).collect::<Vec<_>>();
    found.names(name, (Reason::MayRemoveAdded, Reason::MayRemoveRemoved), &removals(old), &removals(new));
    if old.web != new.web {
        let web =
            |entry: &Entry| entry.web.as_ref().map_or("any public page".to_owned(), |reach| reach.members().join(", "));
        found.add(name, Reason::WebChanged, "", &web(old), &web(new));
    }
    if old.price != new.price {
        let price = |entry: &Entry| entry.price.clone().unwrap_or_else(|| "none".to_owned());
        found.add(name, Reason::PriceChanged, "", &price(old), &price(new));
    }
    bounds(found, name, (&old.limits, &new.limits), &Limits::of(new.kind));
    if in_place && old.contract != new.contract {
        found.add(name, Reason::ChangedInPlace, "", &old.contract, &new.contract);
    }
}

fn added(found: &mut Found, name: &str, entry: &Entry) {
    let what = format!("{}, {}, {}; {}", entry.kind.as_str(), entry.scopes, entry.cost, entry.arguments);
    let reason = match entry.kind {
        Kind::Read => Reason::OperationAdded,
        Kind::Write | Kind::Job => Reason::WriteAdded,
        Kind::Destructive => Reason::DestructiveAdded,
    };
    found.add(name, reason, "", "", &what);
    for line in lines(entry) {
        found.add(name, Reason::EgressAdded, "", "", &line);
    }
    for line in entry.may_remove.keys() {
        found.add(name, Reason::MayRemoveAdded, "", "", &line.to_string());
    }
    bounds(found, name, (&Bounds::default(), &entry.limits), &Limits::of(entry.kind));
}

fn lines(entry: &Entry) -> Vec<String> {
    entry.outside.iter().map(ToString::to_string).collect()
}

/// The table's limits for what a module has as a whole: those of a step where it has steps.
fn of_module(lock: &Lock) -> Limits {
    if lock.steps.is_empty() { Limits::of(Kind::Write) } else { Limits::step() }
}

fn bounds(found: &mut Found, subject: &str, (old, new): (&Bounds, &Bounds), table: &Limits) {
    let (before, after) = (old.apply(table.clone()), new.apply(table.clone()));
    let numbers = |it: &Limits| {
        [
            ("fuel", it.fuel),
            ("wall_ms", u64::try_from(it.wall.as_millis()).unwrap_or(u64::MAX)),
            ("memory", it.memory as u64),
            ("answer", it.answer as u64),
            ("rows_read", it.rows_read),
            ("rows_written", it.rows_written),
            ("host_calls", it.host_calls),
            ("requests", it.requests),
            ("log_lines", it.log_lines),
        ]
    };
    for ((name, before), (_, after)) in numbers(&before).into_iter().zip(numbers(&after)) {
        let reason = match after.cmp(&before) {
            std::cmp::Ordering::Greater => Reason::LimitRaised,
            std::cmp::Ordering::Less => Reason::LimitLowered,
            std::cmp::Ordering::Equal => continue,
        };
        let why = new.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        found.add(subject, reason, "", &format!("{name} {before}"), &format!("{name} {after}{why}"));
    }
}

/// The values of both maps by name.
pub(super) fn both<'a, T>(
    old: &'a BTreeMap<String, T>,
    new: &'a BTreeMap<String, T>,
) -> BTreeMap<&'a String, (Option<&'a T>, Option<&'a T>)> {
    old.keys().chain(new.keys()).map(|name| (name, (old.get(name), new.get(name)))).collect()
}
