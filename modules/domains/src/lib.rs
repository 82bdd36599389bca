//! Names of websites: who holds them, what the name system says of them, their certificates and their mail.

mod asking;
mod availability;
mod dns;
mod email_auth;
mod held;
mod name;
mod rdap;
mod tls;
mod zone;

sdk::module! {
    operations: [
        availability::check,
        rdap::get,
        held::list as list,
        dns::lookup::lookup as dns::lookup,
        dns::health::check as dns::health::check,
        dns::record::list::list as dns::record::list,
        dns::zone_export::export as dns::zone::export,
        email_auth::check,
        tls::check,
    ],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
