//! Names of websites: who holds them, what the name system says of them, their certificates and their mail.

mod asking;
mod availability;
mod change;
mod dns;
mod dnssec;
mod email_auth;
mod held;
mod history;
mod name;
mod nameserver;
mod rdap;
mod register;
mod registrar;
mod settings;
mod suggest;
mod tls;
mod zone;

sdk::module! {
    operations: [
        availability::check,
        suggest::suggest as name::suggest,
        history::get,
        rdap::get,
        held::list as list,
        register::quote::quote as register::quote,
        register::order::place as register::order,
        settings::update,
        nameserver::update,
        dnssec::set,
        dns::lookup::lookup as dns::lookup,
        dns::health::check as dns::health::check,
        dns::propagation::check,
        dns::record::list::list as dns::record::list,
        dns::record::upsert::upsert as dns::record::upsert,
        dns::record::delete::delete as dns::record::delete,
        dns::template::apply as dns::template::apply,
        dns::zone_import::import as dns::zone::import,
        dns::zone_export::export as dns::zone::export,
        email_auth::check,
        tls::check,
    ],
    collections: [zone::apply::ChangeSet, register::work::Order, dnssec::Signing],
    steps: [register::work::follow as order],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
