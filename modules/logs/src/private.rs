//! Lines as they may be shown: without the addresses of visitors.

use std::net::IpAddr;

/// Characters of a sample.
const LONGEST: usize = 300;

/// The beginning of a line, in which addresses are reduced to their networks.
pub(crate) fn sample(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(LONGEST * 4)]);
    let mut out = String::with_capacity(LONGEST);
    let mut word = String::new();
    for letter in text.chars().chain(std::iter::once('\n')) {
        if letter.is_ascii_hexdigit() || matches!(letter, '.' | ':') {
            word.push(letter);
            continue;
        }
        out.push_str(&reduced(&word));
        word.clear();
        if letter != '\n' {
            out.push(if letter.is_control() { ' ' } else { letter });
        }
    }
    match out.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &out[..at]),
        None => out,
    }
}

/// A word that is an address, with or without a port, as its network.
fn reduced(word: &str) -> String {
    if let Ok(address) = word.parse::<IpAddr>() {
        return shown(address);
    }
    match word.rsplit_once(':').map(|(host, port)| (host.parse::<IpAddr>(), port)) {
        Some((Ok(address), port)) => format!("{}:{port}", shown(address)),
        _ => word.to_owned(),
    }
}

/// The network of an address.
pub(crate) fn shown(address: IpAddr) -> String {
    bots::network(address)
}
