//! Whether every line of a robots.txt can be read (Lighthouse, `robots-txt`).

use super::Item;
use super::audits::{Failed, item};

/// Names of lines that are in use, standard or not.
const KNOWN: [&str; 11] = [
    "user-agent",
    "disallow",
    "allow",
    "sitemap",
    "crawl-delay",
    "clean-param",
    "host",
    "request-rate",
    "visit-time",
    "noindex",
    "content-signal",
];

/// The lines at fault; does not apply where there is no file.
pub(super) fn valid(file: Option<(u16, &[u8])>) -> Failed {
    match file {
        None => Some(vec![item("robots.txt", "it could not be fetched")]),
        Some((500.., _)) => Some(vec![item("robots.txt", "the server failed when asked for it")]),
        Some((400..500, _)) => None,
        Some((_, [])) => None,
        Some((_, text)) => Some(faults(&String::from_utf8_lossy(text))),
    }
}

fn faults(text: &str) -> Vec<Item> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let mut grouped = false;
    let mut faults = Vec::new();
    for (at, line) in text.split('\n').enumerate() {
        let place = || format!("line {}: {line}", at + 1);
        match read(line) {
            Err(reason) => faults.push(item(place(), reason)),
            Ok(None) => {}
            Ok(Some(name)) => match name.as_str() {
                "user-agent" => grouped = true,
                "allow" | "disallow" if !grouped => faults.push(item(place(), "no user-agent stands before it")),
                _ => {}
            },
        }
    }
    faults
}

/// The name of a line; none for an empty one.
fn read(line: &str) -> Result<Option<String>, &'static str> {
    let line = line.split('#').next().unwrap_or_default().trim();
    if line.is_empty() {
        return Ok(None);
    }
    let (name, value) = line.split_once(':').ok_or("it has no colon")?;
    let (name, value) = (name.trim().to_lowercase(), value.trim());
    if !KNOWN.contains(&name.as_str()) {
        return Err("its name is not known");
    }
    match name.as_str() {
        "sitemap" => match kit::url::Url::parse(value) {
            Err(_) => return Err("the sitemap has no absolute address"),
            Ok(url) if !matches!(url.scheme(), "http" | "https" | "ftp") => {
                return Err("the sitemap's address is not of the web");
            }
            Ok(_) => {}
        },
        "user-agent" if value.is_empty() => return Err("it names no crawler"),
        "allow" | "disallow" => {
            if !value.is_empty() && !value.starts_with(['/', '*']) {
                return Err("a pattern is empty or begins with / or *");
            }
            if value.find('$').is_some_and(|at| at + 1 != value.len()) {
                return Err("$ stands only at the end of a pattern");
            }
        }
        _ => {}
    }
    Ok(Some(name))
}
