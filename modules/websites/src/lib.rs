//! The websites: the project record that every other module hangs on.

mod create;
mod delete;
mod detect;
mod profile;
mod routes;
mod stored;

sdk::module! {
    operations: [
        create::create as create,
        profile::get,
        profile::update,
        delete::delete as delete,
    ],
    routes: [routes::list as list, routes::get as get],
    steps: [],
    collections: [stored::Website, stored::Claim],
}

#[cfg(test)]
mod tests;
