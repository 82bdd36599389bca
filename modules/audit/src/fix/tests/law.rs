//! What holds for every proposal: its rule accepts it once it stands on the page, and its operation exists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use kit::crawled::PageRecord;
use sdk::json;
use sdk::serde_json::Value;

use super::super::apply::{self, change};
use super::super::draft::{Draft, Field, Page};
use super::super::site::Site;
use super::super::{proof, registry};
use crate::engine::{self, Choice};
use crate::index::{Entry, SiteIndex, Source};
use crate::limits::Limits;
use crate::rule::{Check, SiteContext};
use crate::rules;
use crate::settings::Settings;
use crate::trial::{Crawl, ORIGIN, audit, website};
use site::Crawled;

fn context() -> SiteContext {
    SiteContext { origin: ORIGIN.to_owned(), limits: Limits::default() }
}

#[test]
fn every_rule_that_can_be_mended_is_one_and_names_are_not_twice() {
    let known: BTreeSet<&str> = registry::rules().collect();
    assert_eq!(known.len(), registry::rules().count());
    assert!(known.iter().all(|id| rules::find(id).is_some()), "{known:?}");
}

#[test]
fn the_page_that_breaks_a_rule_in_its_own_test_is_mended() {
    let fixable: BTreeSet<&str> = registry::rules().collect();
    let mut mended = 0;
    for (id, facts) in rules::tests::broken_pages() {
        let Check::Page(check) = rules::find(id).unwrap().check else { continue };
        if !fixable.contains(id) || id == "response.client_error" {
            continue;
        }
        mended += 1;
        let fixer = registry::fixer(id).unwrap_or_else(|_| panic!("{id}"));
        let record =
            PageRecord { url: facts.url.clone(), status: facts.status, facts: facts.clone(), ..PageRecord::default() };
        let mut site = Site::new(vec![engine::entry(&record)], context());
        let page = Page { record, links: Vec::new() };
        let draft = Draft { parts: (fixer.parts)(fixer.rule, &page, &site), page };
        let proven = proof::prove(fixer.rule, vec![draft], &mut site, &Settings::default());
        assert!(!proven.is_empty(), "{id} has no proposal for {facts:#?}");
        let mut after = facts.clone();
        for one in &proven {
            change(&mut after, one.field, one.target.as_deref(), &one.choice.text);
        }
        assert_eq!(check(&after, &context()), None, "{id}: {proven:?}");
    }
    assert!(mended >= 20, "{mended}");
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((value ^ value >> 31) % sides as u64).unwrap()
    }

    fn words(&mut self, most: usize) -> String {
        const WORDS: [&str; 12] =
            ["brass", "lamp", "desk", "shade", "cord", "warm", "light", "of", "for", "Größe", "灯", "harbour"];
        (0..self.roll(most + 1)).map(|_| WORDS[self.roll(WORDS.len())]).collect::<Vec<_>>().join(" ")
    }
}

/// A site in which everything is now and then missing, too long, the same as elsewhere or leads astray.
fn site(fake: &sdk::Fake, seed: u64) {
    let mut dice = Dice(seed);
    let mut pages = Crawl::begin(fake, "run-1");
    for at in 0..30 {
        let mut head = String::new();
        for _ in 0..[1, 1, 1, 0, 2][dice.roll(5)] {
            let most = [2, 5, 40][dice.roll(3)];
            head += &format!("<title>{}</title>", dice.words(most));
        }
        for _ in 0..[1, 1, 0, 2][dice.roll(4)] {
            let most = [3, 12, 60][dice.roll(3)];
            head += &format!("<meta name=description content='{}'>", dice.words(most));
        }
        let canonicals =
            ["/1", "/gone", "/moved", "https://shop.example/Old_Page.html", "http://shop.example/3", "/4#part", ":"];
        if dice.roll(2) == 0 {
            head += &format!("<link rel=canonical href={}>", canonicals[dice.roll(canonicals.len())]);
        }
        let mut body = String::new();
        for level in [1, 2, 1] {
            if dice.roll(3) > 0 {
                body += &format!("<h{level}>{}</h{level}>", dice.words(6));
            }
        }
        for _ in 0..dice.roll(4) {
            let alt = ["", " alt=''", " alt=IMG_1.jpg", " alt='A lamp'"][dice.roll(4)];
            body += &format!(
                "<a href=/{}><img src=/{}.jpg{alt}></a>",
                dice.roll(30),
                ["img-12", "brass-lamp", "7"][dice.roll(3)]
            );
        }
        for _ in 0..dice.roll(4) {
            let targets = ["/moved", "/moved-on", "/gone", "/Old_Page.html", "/2"];
            body += &format!("<a href={}>{}</a>", targets[dice.roll(targets.len())], dice.words(3));
        }
        body += &format!("<p>{}. {}.</p>", dice.words(20), dice.words(20));
        pages.html(&format!("/{}{at}", ["", "brass-lamps-", "old-"][dice.roll(3)]), &format!("{head}<body>{body}"));
    }
    pages
        .html("/old-page", "<title>The old second page</title>")
        .html("/final", "<title>Where redirects end</title>")
        .page("/moved", 301, &[("location", "/moved-on")], "")
        .page("/moved-on", 302, &[("location", "/final")], "")
        .page("/gone", 404, &[("content-type", "text/html")], "")
        .page("/Old_Page.html", 404, &[("content-type", "text/html")], "");
}

#[test]
fn a_proposal_always_passes_its_rule() {
    let mut mended: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..4 {
        let fake = website();
        site(&fake, seed);
        let audit = audit(&fake, json!({ "run_ref": "run-1" }));
        let records: BTreeMap<String, PageRecord> =
            fake.rows::<Crawled>().into_iter().map(|row| (row.0.url.clone(), row.into_inner().0)).collect();
        for id in registry::rules() {
            let urls = crate::trial::urls_of(&fake, &audit, id);
            if urls.is_empty() {
                continue;
            }
            let asked = json!({ "audit_ref": audit["audit_ref"], "rule": id, "urls": urls });
            let found = fake.call("audit.fix.suggest", asked).unwrap();
            let mut after = records.clone();
            let mut index = Vec::new();
            for fix in found["fixes"].as_array().unwrap() {
                *mended.entry(id).or_default() += 1;
                let (url, text) = (fix["url"].as_str().unwrap(), fix["proposed"].as_str().unwrap());
                let field: Field = sdk::serde_json::from_value(fix["field"].clone()).unwrap();
                let record = after.get_mut(url).unwrap();
                change(&mut record.facts, field, fix["target"].as_str(), text);
                record.status = record.facts.status;
                if field == Field::Link {
                    index.push((text.to_owned(), Source { from: url.to_owned(), anchor: String::new() }));
                }
            }
            let fixed: BTreeSet<&str> =
                found["fixes"].as_array().unwrap().iter().map(|fix| fix["url"].as_str().unwrap()).collect();
            still_broken(id, &after, index)
                .into_iter()
                .for_each(|url| assert!(!fixed.contains(url.as_str()), "{id}: {url}"));
            let skipped = found["skipped"].as_array().unwrap().len();
            assert_eq!(fixed.len() + skipped, urls.len(), "{id}: each page has a proposal or a reason");
        }
    }
    assert!(mended.len() >= 18, "{mended:?}");
    assert!(mended.values().sum::<usize>() >= 400, "{mended:?}");
}

/// Pages that the rule finds fault with.
fn still_broken(id: &str, pages: &BTreeMap<String, PageRecord>, links: Vec<(String, Source)>) -> Vec<String> {
    let choice = Choice::default().only(&[id.to_owned()]);
    let entries: Vec<Entry> = pages.values().map(engine::entry).collect();
    let mut index = SiteIndex::new(entries, false);
    links.into_iter().for_each(|(target, source)| index.link(&target, source));
    let mut hits = engine::judge_site(&choice, &index, &context());
    for page in pages.values() {
        hits.extend(engine::judge_page(&choice, &page.facts, &context()));
    }
    hits.into_iter().map(|hit| hit.url).collect()
}

#[test]
fn operations_that_apply_a_fix_exist_and_take_its_arguments() {
    let table = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../catalog/operations.tsv")).unwrap();
    let arguments = |operation: &str| -> Vec<String> {
        let row = table.lines().find(|row| row.starts_with(&format!("{operation}\t")));
        let row = row.unwrap_or_else(|| panic!("there is no operation {operation}"));
        row.split('\t').nth(9).unwrap().split(", ").map(|it| it.split(':').next().unwrap().to_owned()).collect()
    };
    let required = |operation: &str, name: &str| {
        let row = table.lines().find(|row| row.starts_with(&format!("{operation}\t"))).unwrap();
        row.split('\t').nth(9).unwrap().split(", ").any(|it| it.starts_with(&format!("{name}:")) && it.contains('!'))
    };
    let mut fields = BTreeSet::new();
    let fake = website();
    site(&fake, 1);
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    for id in registry::rules() {
        let urls = crate::trial::urls_of(&fake, &audit, id);
        if urls.is_empty() {
            continue;
        }
        let asked = json!({ "audit_ref": audit["audit_ref"], "rule": id, "urls": urls });
        let found = fake.call("audit.fix.suggest", asked).unwrap();
        for fix in found["fixes"].as_array().unwrap() {
            fields.insert(fix["field"].as_str().unwrap().to_owned());
            let (target, current) = (fix["target"].as_str(), fix["current"].as_str());
            let field = sdk::serde_json::from_value(fix["field"].clone()).unwrap();
            let (url, text) = (fix["url"].as_str().unwrap(), fix["proposed"].as_str().unwrap());
            let (operation, call, ..) =
                apply::call(&apply::Change { url, field, target, current, text }, "4503599627370496");
            assert_eq!(fix["apply_operation"], json!(sdk::served(operation).then_some(operation)), "{fix}");
            let known = arguments(operation);
            let given: Vec<&String> = call.as_object().unwrap().keys().collect();
            let missing: Vec<&str> =
                fix["apply_missing"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            assert!(given.iter().all(|it| known.contains(it)), "{fix}");
            for name in known.iter().filter(|name| required(operation, name)) {
                assert!(given.contains(&name) || missing.contains(&name.as_str()), "{operation} needs {name}: {fix}");
            }
        }
    }
    assert_eq!(fields.len(), 9, "{fields:?}");
}
