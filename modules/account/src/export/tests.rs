//! What an export promises: everything that is stored comes back out of its files.

use std::collections::BTreeMap;

use sdk::serde_json::{self, Value};
use sdk::value::Id;
use sdk::{Fake, PlatformQuestion, Share, json};

use super::Format;
use super::line::{Line, pieces};
use super::part::{MOST, Part};
use crate::platform::stored::Blob;
use site::Site;

fn row(id: &str, version: u64, body: Value) -> Value {
    json!({ "id": id, "version": version, "body": body })
}

/// What is held: two collections, the blobs of one module, and the files of an earlier export.
fn host(sites: Vec<Value>, runs: Vec<Value>, blobs: Vec<Value>) -> Fake {
    let fake =
        crate::fake().with_as("81", Site { domain: "shop.example".into(), order: "1".into(), ..Site::default() });
    fake.platform(
        "held",
        Ok(json!({
            "collections": [
                { "module": "websites", "collection": "sites", "rows": 2 }, { "module": "crawl", "collection": "runs", "rows": 3 }
            ],
            "blobs": [{ "module": "crawl", "blobs": 1, "bytes": 9 }, { "module": "account", "blobs": 7, "bytes": 9 }],
            "raw": []
        })),
    );
    for (name, pages) in [("rows", [sites, runs].concat()), ("blobs", blobs)] {
        pages.into_iter().for_each(|page| fake.platform(name, Ok(page)));
    }
    fake
}

fn page(rows: &[Value], next: Option<&str>) -> Value {
    json!({ "rows": rows, "next": next })
}

/// Runs the export to its end; the job's result, and its files by name.
fn export(fake: &Fake, arguments: Value) -> (Value, BTreeMap<String, String>) {
    let started = fake.call("account.export.create", arguments).unwrap();
    fake.work();
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().unwrap())).unwrap();
    let result: Value = job.result().unwrap_or_else(|| panic!("{:?}", job.fault()));
    let files = result["manifest"].as_array().unwrap().iter().map(|file| {
        let text = read(fake, file["url"].as_str().unwrap());
        assert_eq!(file["bytes"], text.len());
        assert_eq!(file["sha256"], kit::text::hex(&kit::text::sha256(text.as_bytes())));
        (file["name"].as_str().unwrap().to_owned(), text)
    });
    (result.clone(), files.collect())
}

/// What a visitor of an address sees.
fn read(fake: &Fake, url: &str) -> String {
    let share: Id<Share> = Id::new(url.rsplit('/').next().unwrap());
    let key = fake.shares().get(&share).unwrap().key;
    String::from_utf8(fake.blobs().read(&key, 0, 16 << 20).unwrap()).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

/// A reader of RFC 4180: fields, each with whether it stood in quotation marks.
fn table(text: &str) -> Vec<Vec<(String, bool)>> {
    let (mut rows, mut row, mut field, mut marked, mut inside) = (Vec::new(), Vec::new(), String::new(), false, false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if inside && signs.peek() == Some(&'"') => field.extend(signs.next()),
            '"' => (inside, marked) = (!inside, true),
            ',' if !inside => row.push((std::mem::take(&mut field), std::mem::take(&mut marked))),
            '\r' if !inside => {
                assert_eq!(signs.next(), Some('\n'), "a line ends with both");
                row.push((std::mem::take(&mut field), std::mem::take(&mut marked)));
                rows.push(std::mem::take(&mut row));
            }
            other => field.push(other),
        }
    }
    assert!(field.is_empty() && row.is_empty() && !inside, "the last line has an end");
    rows
}

#[test]
fn every_row_and_every_byte_comes_back_out_of_the_files() {
    let sites = vec![
        row("81", 3, json!({ "domain": "bücher.example", "facts": { "founded": 1999 } })),
        row("82", 1, json!({})),
    ];
    let runs: Vec<Value> =
        (1..=3).map(|at| row(&format!("run_{at}"), at, json!({ "site_id": "81", "note": "a\nb\u{2028}\"" }))).collect();
    let blob = json!({ "key": "pages/1", "bytes": 5, "base64": "aGVsbG8=" });
    let fake = host(
        vec![page(&sites, None)],
        vec![page(&runs[..2], Some("after two")), page(&runs[2..], None)],
        vec![json!({ "blobs": [blob], "next": null })],
    );
    let (result, files) = export(&fake, json!({}));
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(names, ["crawl.blobs-0001.jsonl", "crawl.runs-0001.jsonl", "websites.sites-0001.jsonl"]);
    assert_eq!(lines(&files["websites.sites-0001.jsonl"]), sites);
    assert_eq!(lines(&files["crawl.runs-0001.jsonl"]), runs);
    assert_eq!(
        lines(&files["crawl.blobs-0001.jsonl"]),
        [json!({ "key": "pages/1", "bytes": 5, "offset": 0, "base64": "aGVsbG8=" })]
    );
    let manifest: Value = serde_json::from_str(&read(&fake, result["download_ref"].as_str().unwrap())).unwrap();
    assert_eq!((&manifest["format_version"], &manifest["format"]), (&json!(1), &json!("jsonl")));
    assert_eq!((&manifest["created"], &manifest["files"]), (&json!("2026-09-28T00:00:00.000Z"), &result["manifest"]));
    assert_eq!(result["expires_at"], "2026-10-05T00:00:00.000Z");
    let asked = format!("{:?}", fake.asked_platform());
    assert!(asked.contains("after: Some(\"after two\")") && !asked.contains("module: \"account\""), "{asked}");
}

#[test]
fn the_answer_says_what_will_be_exported() {
    let fake = host(vec![page(&[], None)], vec![page(&[], None)], vec![json!({ "blobs": [], "next": null })]);
    let started = fake.call("account.export.create", json!({})).unwrap();
    assert_eq!(
        started["manifest"],
        json!([
            { "collection": "websites.sites", "rows": 2, "sha256": null },
            { "collection": "crawl.runs", "rows": 3, "sha256": null },
            { "collection": "crawl.blobs", "rows": 1, "sha256": null }
        ])
    );
    assert_eq!(started["download_ref"], json!(null));
    fake.work();
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().unwrap())).unwrap();
    assert_eq!(job.result::<Value>().unwrap()["manifest"], json!([]), "nothing is stored, so there are no files");
}

#[test]
fn a_table_has_every_member_in_its_own_column() {
    let sites = [
        row(
            "81",
            3,
            json!({ "name": "Lamps, \"old\"", "tags": ["a", "b"], "live": true, "empty": "", "none": null, "id": "own" }),
        ),
        row("82", 1, json!({ "name": "two\r\nlines", "rank": 4.5 })),
    ];
    let fake = host(vec![page(&sites, None)], vec![page(&[], None)], vec![]);
    let (_, files) = export(&fake, json!({ "collections": ["websites.sites"], "format": "csv" }));
    let read = table(&files["websites.sites-0001.csv"]);
    let texts = |at: usize| read[at].iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>();
    assert_eq!(texts(0), ["id", "version", "body.id", "empty", "live", "name", "none", "rank", "tags"]);
    assert_eq!(texts(1), ["81", "3", "own", "", "true", "Lamps, \"old\"", "", "", "[\"a\",\"b\"]"]);
    assert_eq!(texts(2), ["82", "1", "", "", "", "two\r\nlines", "", "4.5", ""]);
    assert!(read[1][3].1 && !read[1][6].1, "an empty text is told from none");
    assert_eq!(read.len(), 3);
}

#[test]
fn one_website_is_exported_with_the_rows_that_name_it() {
    let sites = [row("81", 1, json!({ "domain": "a.example" })), row("82", 1, json!({ "domain": "b.example" }))];
    let runs = [
        row("run_1", 1, json!({ "site_id": "81" })),
        row("run_2", 1, json!({ "site_id": "82" })),
        row("81", 1, json!({ "other": "has no website" })),
    ];
    let fake = host(vec![page(&sites, None)], vec![page(&runs, None)], vec![]);
    let (result, files) = export(&fake, json!({ "site_id": "81" }));
    assert_eq!(lines(&files["websites.sites-0001.jsonl"]), sites[..1]);
    assert_eq!(lines(&files["crawl.runs-0001.jsonl"]), runs[..1]);
    assert_eq!(files.len(), 2, "blobs belong to no website");
    assert_eq!(result["manifest"][1]["rows"], 1);
}

#[test]
fn what_is_large_is_cut_into_files_and_steps_and_nothing_is_lost() {
    // 300 rows of 60 KB: 18 MB, more than one step writes and five files of 4 MiB.
    let runs: Vec<Value> =
        (0..300).map(|at| row(&format!("run_{at}"), 1, json!({ "text": "x".repeat(60_000) }))).collect();
    for format in ["jsonl", "csv"] {
        let pages: Vec<Value> = runs.chunks(50).map(|it| page(it, Some("more"))).collect();
        let pages = [&pages[..5], &[page(&runs[250..], None)]].concat();
        let fake = host(vec![], pages, vec![]);
        let started =
            fake.call("account.export.create", json!({ "collections": ["crawl.runs"], "format": format })).unwrap();
        let steps = fake.work();
        assert!(steps > 1, "{steps} steps");
        let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().unwrap())).unwrap();
        let result: Value = job.result().unwrap();
        let manifest = result["manifest"].as_array().unwrap();
        assert!(manifest.len() >= 5 && manifest.iter().all(|it| it["bytes"].as_u64().unwrap() <= MOST as u64));
        assert_eq!(manifest.iter().map(|it| it["rows"].as_u64().unwrap()).sum::<u64>(), 300);
        let texts = manifest.iter().map(|it| read(&fake, it["url"].as_str().unwrap()));
        let ids: Vec<String> = texts
            .flat_map(|text| match format {
                "csv" => text.lines().skip(1).map(|it| it.split(',').next().unwrap().to_owned()).collect::<Vec<_>>(),
                _ => lines(&text).iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect(),
            })
            .collect();
        assert_eq!(ids, runs.iter().map(|it| it["id"].as_str().unwrap()).collect::<Vec<_>>());
        let progress: Value = job.progress().unwrap();
        assert_eq!(progress, json!({ "done": 300, "total": 300, "step": "done" }));
    }
}

#[test]
fn a_large_blob_comes_in_pieces_that_its_offsets_put_together() {
    let base64 = "QUJD".repeat(3 << 18);
    let bytes = (base64.len() / 4 * 3) as u64;
    let lines = pieces(Blob { key: "big".into(), bytes, base64: base64.clone() });
    assert!(lines.len() > 1);
    let (mut whole, mut next) = (String::new(), 0);
    for line in &lines {
        let Line::Piece { offset, base64, .. } = line else { panic!("a piece") };
        assert_eq!(*offset, next);
        next += (base64.len() / 4 * 3) as u64;
        whole += base64;
    }
    assert_eq!((whole, next), (base64, bytes));
}

#[test]
fn a_table_whose_columns_grow_stays_below_the_bound() {
    let mut part = Part::new(Format::Csv);
    let mut taken = 0;
    for at in 0..4_000 {
        let body = json!({ format!("column_{at}"): "\"" }).as_object().unwrap().clone();
        if !part.takes(&Line::Row { id: at.to_string(), version: 1, body }) {
            break;
        }
        taken += 1;
    }
    let bytes = part.into_bytes().len();
    assert!(bytes <= MOST && bytes > MOST / 10 * 9 && taken < 4_000, "{bytes} bytes of {taken} rows");
}

#[test]
fn names_and_websites_that_are_not_there_are_refused() {
    let fake = host(vec![], vec![], vec![]);
    for (arguments, code, pointer) in [
        (json!({ "collections": ["crawl.runs", "crawl.secrets"] }), "collection_not_found", "/collections/1"),
        (json!({ "collections": ["account.blobs"] }), "collection_not_found", "/collections/0"),
        (json!({ "collections": vec!["x"; 61] }), "invalid_arguments", "/collections"),
        (json!({ "site_id": "99" }), "website_not_found", "/site_id"),
        (json!({ "format": "xml" }), "invalid_arguments", "/format"),
    ] {
        let fault = fake.refusal("account.export.create", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
    assert!(
        !fake.asked_platform().iter().any(|it| matches!(it, PlatformQuestion::Rows(_) | PlatformQuestion::Blobs(_)))
    );
}
