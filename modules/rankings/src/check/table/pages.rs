//! Result pages as other tools export them.

use std::collections::BTreeMap;

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;
use serps::{Element, Page, feature};

use super::{DATE, DEVICE, POSITION, Read, Reading, Rejected, TITLE, TYPE, URL, position};

impl Reading<'_> {
    /// Result pages of a table with a row for each result.
    pub(in crate::check) fn pages(&self, bytes: &[u8]) -> Result<Read> {
        let (table, keywords) = self.open(bytes)?;
        let (Some(positions), Some(urls)) = (table.column(&POSITION), table.column(&URL)) else {
            let message = "result pages need the columns `keyword`, `position` and `url`";
            return Err(self.refuse("no_position_column", message).detail(json!({ "columns": table.header })));
        };
        let dates = table.column(&DATE).map(|column| self.days(&table, column)).transpose()?;
        let (titles, kinds, device) = (table.column(&TITLE), table.column(&TYPE), table.column(&DEVICE));
        let (from, to, next_row) = self.window(&table);
        let mut read = Read { next_row, rows: (to - from) as u64, ..Read::default() };
        let mut pages: BTreeMap<(String, Day), Page> = BTreeMap::new();
        for at in from..to {
            let row = &table.rows[at];
            let date = dates.as_ref().map_or(Ok(None), |it| it[at]);
            let mut reject = |reason: &str| read.rejected.push(Rejected { line: row.line, reason: reason.to_owned() });
            let (keyword, date) = match self.row(&table, row, keywords, device, date) {
                Ok(it) => it,
                Err(reason) => {
                    reject(reason);
                    continue;
                }
            };
            let url = row.cells[urls].trim().to_owned();
            let place = position(row.cells[positions].trim()).and_then(|it| it.0);
            let kind = kinds.map_or("", |it| row.cells[it].trim()).to_lowercase().replace(' ', "_");
            let page = pages.entry((keyword, date)).or_default();
            match (feature(if kind.is_empty() { "organic" } else { &kind }), place) {
                (None, Some(position)) if url.starts_with("http") => page.results.push(serps::Result {
                    position,
                    title: titles.map_or_else(String::new, |it| kit::text::collapse_to(&row.cells[it], 120)),
                    url: kit::text::clip(&url, 2_048).to_owned(),
                    ..serps::Result::default()
                }),
                (None, _) => reject("not_a_position"),
                (Some(feature), _) => page.elements.push(Element {
                    feature,
                    kind: kit::text::clip(&kind, 40).to_owned(),
                    absolute: None,
                    urls: Some(url).filter(|it| it.starts_with("http")).into_iter().collect(),
                    texts: Vec::new(),
                }),
            }
        }
        for ((keyword, date), mut page) in pages {
            page.results.sort_by_key(|it| it.position);
            page.results.dedup_by_key(|it| it.position);
            if !page.results.is_empty() {
                read.pages.push((keyword, date, page));
            }
        }
        Ok(read)
    }

    /// Result pages as DataForSEO answers them: one answer, several, or their results.
    pub(in crate::check) fn answers(&self, bytes: &[u8]) -> Result<Read> {
        let all: Value = sdk::serde_json::from_slice(bytes).map_err(|error| {
            let message = format!("this is no JSON: line {}, column {}", error.line(), error.column());
            self.refuse("not_json", message)
        })?;
        let mut results: Vec<&Value> = Vec::new();
        gather(&all, &mut results, 0);
        let from = usize::try_from(self.from_row.saturating_sub(1)).unwrap_or(0).min(results.len());
        let to = (from + self.rows).min(results.len());
        let next_row = (to < results.len()).then_some(to as u64 + 1);
        let mut read = Read { next_row, rows: (to - from) as u64, ..Read::default() };
        for (line, result) in (from as u64 + 1..).zip(&results[from..to]) {
            match self.answer(result) {
                Ok(page) => read.pages.push(page),
                Err(reason) => read.rejected.push(Rejected { line, reason: reason.to_owned() }),
            }
        }
        Ok(read)
    }

    fn answer(&self, result: &Value) -> Result<(String, Day, Page), &'static str> {
        let keyword = serps::normal(result["keyword"].as_str().unwrap_or_default(), self.language);
        if keyword.is_empty() {
            return Err("empty");
        }
        if result["location_code"].as_u64().is_some_and(|it| it != u64::from(self.tracker.location_code)) {
            return Err("other_market");
        }
        let told = result["datetime"].as_str().and_then(|it| it.get(..10));
        let date = match told {
            Some(day) => day.parse().map_err(|_| "not_a_date")?,
            None => self.date.unwrap_or(self.today),
        };
        if date > self.today {
            return Err("future_date");
        }
        if !result["items"].is_array() { Err("no_page") } else { Ok((keyword, date, Page::read(result))) }
    }
}

/// The results of answers, of their tasks, or of lists of either.
fn gather<'v>(value: &'v Value, results: &mut Vec<&'v Value>, depth: u32) {
    if depth > 6 {
        return;
    }
    if let Some(list) = value.as_array() {
        list.iter().for_each(|it| gather(it, results, depth + 1));
    } else if value["keyword"].is_string() && !value["items"].is_null() {
        results.push(value);
    } else {
        gather(&value["tasks"], results, depth + 1);
        gather(&value["result"], results, depth + 1);
    }
}
