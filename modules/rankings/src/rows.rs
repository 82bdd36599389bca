//! The rows of a check: where the website stands for each keyword, and whose pages stand where.
//!
//! Rows of a day come in parts, one for each step of a job or call of an import, and are merged into one blob when the check
//! ends: `rows/{tracker}/{date}/{part}` and `…/whole`, JSON packed by DEFLATE. Whatever ends a job early, the parts are read.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sdk::prelude::*;
use sdk::serde_json;
use serde::{Deserialize, Serialize};
use serps::Feature;

use crate::stored::Check;

/// Bytes of a blob.
const MAX_BLOB: u32 = 8 << 20;
/// Bytes of rows, unpacked.
const MAX_PLAIN: u64 = 64 << 20;
/// Parts from which an import merges them.
const MAX_PARTS: u32 = 8;

/// Where a page of a keyword is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct At {
    pub(crate) pack: u32,
    pub(crate) index: u32,
}

/// What was seen for a keyword on a day.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Row {
    /// The normal form.
    #[serde(rename = "k")]
    pub(crate) keyword: String,
    /// The best place of the website among organic results; 0 when it was not found.
    #[serde(rename = "p")]
    pub(crate) position: u32,
    /// Its place among all elements; 0 when that is not known.
    #[serde(rename = "a", skip_serializing_if = "is_zero")]
    pub(crate) absolute: u32,
    #[serde(rename = "y", skip_serializing_if = "Option::is_none")]
    pub(crate) pixels: Option<u32>,
    #[serde(rename = "u", skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    /// The place of the first organic result among all elements; 0 when that is not known.
    #[serde(rename = "r", skip_serializing_if = "is_zero")]
    pub(crate) first: u32,
    /// Places that were looked at; 0 when that is not known.
    #[serde(rename = "b", skip_serializing_if = "is_zero")]
    pub(crate) depth: u32,
    /// Elements of the page with their places among all elements, 0 where that is not known.
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    pub(crate) features: Vec<(Feature, u32)>,
    /// Elements that show or quote the website.
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    pub(crate) owned: Vec<Feature>,
    /// The domains of the places, by their numbers in the list of domains.
    #[serde(rename = "d", skip_serializing_if = "Vec::is_empty")]
    pub(crate) domains: Vec<u32>,
    /// 1 less the rank-biased overlap with the page before; none without a page to compare with.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<f64>,
    #[serde(rename = "i", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) imported: bool,
    /// The whole page, when it is kept.
    #[serde(rename = "g", skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<At>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Row {
    /// The position; `None` when the website was not found.
    pub(crate) fn found(&self) -> Option<u32> {
        (self.position > 0).then_some(self.position)
    }
}

/// Rows with the domains that they number.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rows {
    pub(crate) domains: Vec<String>,
    /// In the order of their keywords, each once.
    pub(crate) rows: Vec<Row>,
}

impl Rows {
    /// The row of a keyword.
    pub(crate) fn of(&self, keyword: &str) -> Option<&Row> {
        self.rows.binary_search_by(|it| it.keyword.as_str().cmp(keyword)).ok().map(|at| &self.rows[at])
    }

    /// The best place of a domain for a row; `None` when it is not among the places that were looked at.
    pub(crate) fn place_of(&self, row: &Row, domain: u32) -> Option<u32> {
        let at = row.domains.iter().position(|it| *it == domain)?;
        u32::try_from(at + 1).ok()
    }

    /// The number of a domain; `None` when it stands nowhere.
    pub(crate) fn number(&self, domain: &str) -> Option<u32> {
        self.domains.iter().position(|it| it == domain).and_then(|it| u32::try_from(it).ok())
    }
}

/// Brings parts together, one after the other: the maps are kept, so that a day of many parts is read once.
#[derive(Default)]
struct Merging {
    numbers: HashMap<String, u32>,
    domains: Vec<String>,
    rows: HashMap<String, Row>,
}

impl Merging {
    /// Takes a part over. What was measured stays before what was imported; else the later one counts.
    fn add(&mut self, part: Rows) {
        let mut moved = Vec::with_capacity(part.domains.len());
        for domain in part.domains {
            let next = u32::try_from(self.domains.len()).unwrap_or(u32::MAX);
            let number = *self.numbers.entry(domain).or_insert_with_key(|domain| {
                self.domains.push(domain.clone());
                next
            });
            moved.push(number);
        }
        for mut row in part.rows {
            row.domains.iter_mut().for_each(|it| *it = moved.get(*it as usize).copied().unwrap_or(u32::MAX));
            let known = self.rows.get(&row.keyword);
            if known.is_some_and(|it| row.imported && !it.imported) {
                continue;
            }
            // A page of the same day was compared with the day before, which the newer one could not be.
            row.change = row.change.or(known.and_then(|it| it.change));
            self.rows.insert(row.keyword.clone(), row);
        }
    }

    fn whole(self) -> Rows {
        let mut rows: Vec<Row> = self.rows.into_values().collect();
        rows.sort_by(|a, b| a.keyword.cmp(&b.keyword));
        Rows { domains: self.domains, rows }
    }
}

/// Numbers domains while rows are made.
#[derive(Default)]
pub(crate) struct Numbering {
    numbers: HashMap<String, u32>,
    domains: Vec<String>,
}

impl Numbering {
    /// The number of the registrable domain of an address.
    pub(crate) fn of(&mut self, url: &str) -> u32 {
        let domain = serps::registrable(url).unwrap_or_default();
        let next = u32::try_from(self.domains.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(domain).or_insert_with_key(|domain| {
            self.domains.push(domain.clone());
            next
        })
    }

    /// The rows whose domains were numbered.
    pub(crate) fn rows(self, mut rows: Vec<Row>) -> Rows {
        rows.sort_by(|a, b| a.keyword.cmp(&b.keyword));
        Rows { domains: self.domains, rows }
    }
}

fn key(check: &Check, name: &str) -> String {
    format!("rows/{}/{}/{name}", check.tracker, check.date)
}

/// Bytes packed by DEFLATE.
pub(crate) fn packed(it: &impl Serialize) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(5));
    // Writing into memory cannot fail.
    let written = encoder.write_all(serde_json::to_vec(it).unwrap_or_default().as_slice());
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// What bytes hold that [`packed`] made; `None` when they cannot be read.
pub(crate) fn unpacked<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut plain = Vec::new();
    DeflateDecoder::new(bytes).take(MAX_PLAIN).read_to_end(&mut plain).ok()?;
    serde_json::from_slice(&plain).ok()
}

fn blob(cx: &Cx, check: &Check, name: &str) -> Result<Rows> {
    let bytes = cx.blobs().read(&key(check, name), 0, MAX_BLOB).unwrap_or_default();
    unpacked(&bytes).ok_or_else(|| {
        let message = format!("the stored positions of {} cannot be read; check that day's keywords again", check.date);
        Fault::unavailable("storage_damaged", message)
    })
}

/// The rows of a check.
///
/// # Errors
/// 503 `storage_damaged`: a part of the rows is never taken for all.
pub(crate) fn read(cx: &Cx, check: &Check) -> Result<Rows> {
    if check.merged == check.parts {
        return if check.merged > 0 { blob(cx, check, "whole") } else { Ok(Rows::default()) };
    }
    let mut merging = Merging::default();
    if check.merged > 0 {
        merging.add(blob(cx, check, "whole")?);
    }
    for part in check.merged..check.parts {
        merging.add(blob(cx, check, &part.to_string())?);
    }
    Ok(merging.whole())
}

/// Adds a part to a check.
///
/// # Errors
/// The host's refusal of the blob.
pub(crate) fn add(cx: &Cx, check: &mut Check, rows: &Rows) -> Result<()> {
    cx.blobs().write(&key(check, &check.parts.to_string()), &packed(rows))?;
    check.parts += 1;
    Ok(())
}

/// Merges the parts of a check into its whole; returns the rows.
///
/// # Errors
/// 503 `storage_damaged`; 409 `check_full` for more rows than a blob holds.
pub(crate) fn merge(cx: &Cx, check: &mut Check) -> Result<Rows> {
    let rows = read(cx, check)?;
    let bytes = packed(&rows);
    if bytes.len() > MAX_BLOB as usize {
        let message = "the positions of one day are too many for one tracker; divide its keywords";
        return Err(Fault::conflict("check_full", message));
    }
    cx.blobs().write(&key(check, "whole"), &bytes)?;
    for part in check.merged..check.parts {
        cx.blobs().remove(&key(check, &part.to_string()))?;
    }
    (check.merged, check.rows) = (check.parts, rows.rows.len() as u64);
    Ok(rows)
}

/// Merges the parts when they are many.
///
/// # Errors
/// As [`merge`].
pub(crate) fn tidy(cx: &Cx, check: &mut Check) -> Result<()> {
    if check.parts - check.merged > MAX_PARTS {
        merge(cx, check)?;
    }
    Ok(())
}

/// Empties the blobs of a check.
///
/// # Errors
/// The host's refusal of a blob.
pub(crate) fn empty(cx: &Cx, check: &Check) -> Result<()> {
    if check.merged > 0 {
        cx.blobs().remove(&key(check, "whole"))?;
    }
    for part in check.merged..check.parts {
        cx.blobs().remove(&key(check, &part.to_string()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Merging, Numbering, Row, Rows, packed, unpacked};

    fn rows(of: &[(&str, u32, bool, &[&str])]) -> Rows {
        let mut numbering = Numbering::default();
        let rows = of
            .iter()
            .map(|(keyword, position, imported, urls)| Row {
                keyword: (*keyword).to_owned(),
                position: *position,
                imported: *imported,
                domains: urls.iter().map(|url| numbering.of(url)).collect(),
                ..Row::default()
            })
            .collect();
        numbering.rows(rows)
    }

    #[test]
    fn what_was_measured_stays_before_what_was_imported_and_domains_keep_their_places() {
        let mut merging = Merging::default();
        merging.add(rows(&[("lamp", 3, false, &["https://a.example/", "https://b.example/"]), ("oil", 9, true, &[])]));
        merging.add(rows(&[
            ("lamp", 50, true, &["https://c.example/"]),
            ("oil", 8, true, &["https://c.example/", "https://www.b.example/"]),
            ("desk", 1, false, &[]),
        ]));
        let day = merging.whole();
        let found: Vec<(&str, u32)> = day.rows.iter().map(|it| (it.keyword.as_str(), it.position)).collect();
        assert_eq!(found, [("desk", 1), ("lamp", 3), ("oil", 8)]);
        let place = |keyword: &str, domain: &str| {
            let row = day.of(keyword).expect("a row");
            day.number(domain).and_then(|it| day.place_of(row, it))
        };
        assert_eq!((place("oil", "b.example"), place("lamp", "b.example")), (Some(2), Some(2)));
        assert_eq!((place("lamp", "c.example"), place("oil", "c.example")), (None, Some(1)));
        assert_eq!(unpacked::<Rows>(&packed(&day)), Some(day));
        assert_eq!((unpacked::<Rows>(b""), unpacked::<Rows>(b"not packed")), (None, None));
    }
}
