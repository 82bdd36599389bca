//! Connections: the customer's own accounts at providers. The only place where credentials enter, how each account
//! does, and which of its properties belongs to which website.

mod account;
mod add;
mod dependents;
mod diagnosis;
mod domain;
mod kind;
mod listed;
mod map;
mod oauth;
mod outside;
mod property;
mod removal;
mod secret;
mod stored;
mod test;
mod unlocks;
mod update;
mod usage;

sdk::module! {
    operations: [
        kind::list,
        listed::list as list,
        add::add as add,
        test::test as test,
        update::update as update,
        secret::rotate,
        oauth::start,
        oauth::status,
        property::list,
        map::map as property::map,
        usage::get,
        dependents::list,
        removal::remove as remove,
    ],
    routes: [],
    steps: [],
    collections: [stored::Mapping, stored::Check],
    untrusted: [provider],
}

#[cfg(test)]
mod tests;
