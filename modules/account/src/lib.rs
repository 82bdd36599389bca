//! The account: onboarding, defaults, grants, activity, jobs, credits, budgets, plans, invoices, export and purge.

mod activity;
mod amount;
mod budget;
mod cost;
mod credit;
mod export;
mod grant;
mod invoice;
mod job;
mod known;
mod notification;
mod plan;
mod platform;
mod points;
mod profile;
mod retention;
mod setup;

sdk::module! {
    operations: [
        setup::get,
        profile::get,
        profile::update,
        grant::list,
        grant::revoke,
        activity::list,
        job::list,
        job::get,
        job::cancel,
        notification::update,
        export::create,
        retention::purge,
        plan::list,
        plan::change,
        credit::balance::get,
        credit::ledger::list,
        credit::order::create,
        points::buy,
        budget::set,
        invoice::list,
        cost::estimate::estimate as cost::estimate,
        cost::report::report as cost::report,
    ],
    routes: [],
    steps: [export::work::work as export, notification::tell::tell as notify],
    collections: [profile::Settings, notification::Notifications],
}

#[cfg(test)]
mod tests;
