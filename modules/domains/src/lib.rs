//! Names of websites: who holds them, what the name system says of them, their certificates and their mail.

mod asking;
mod availability;
mod dns;
mod email_auth;
mod name;
mod rdap;
mod tls;

sdk::module! {
    operations: [
        availability::check,
        rdap::get,
        dns::lookup::lookup as dns::lookup,
        email_auth::check,
        tls::check,
    ],
    untrusted: [web],
}

#[cfg(test)]
mod tests;
