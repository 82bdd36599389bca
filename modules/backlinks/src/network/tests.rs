//! Networks: planted ones are found, and what a big host or an agency has in common is not taken for one.

use kit::chance::Chance;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use super::evidence::{Evidence, fingerprint, ids};
use super::groups::groups;
use crate::trial::{ahrefs, call, import, website};

#[test]
fn ids_are_read_where_they_are_whole() {
    let html = "ga('create','UA-1234567-2'); gtag('config', \"G-AB12CD34EF\"); GTM-K9XYZ1 data-ad-client=\"ca-pub-1234567890123456\" IMG-G-AB12 G-SHORT UA-12 pub-12345 XUA-1234567-1 G-ABCDEFGHIJ";
    assert_eq!(ids(html), ["G-AB12CD34EF", "GTM-K9XYZ1", "UA-1234567", "pub-1234567890123456"]);
}

#[test]
fn a_template_is_told_by_its_elements_whatever_its_text_says() {
    let page = |words: &str, more: &str| {
        let rows =
            (0..30).map(|at| format!("<div class=c{at}><h2>{words} {at}</h2><p>{words}</p></div>")).collect::<String>();
        format!(
            "<html><head><title>{words}</title></head><body><header><nav><ul><li><a href=/>x</a></ul></nav></header><main>{rows}</main>{more}</body></html>"
        )
    };
    let of = |html: &str| fingerprint(&kit::dom::Dom::parse(html)).expect("a fingerprint");
    let (a, b) = (of(&page("lamps", "")), of(&page("chairs and tables", "")));
    assert_eq!(a, b);
    let other = "<html><body><table><tr><td><font>x</font></td><td><center><img src=y></center></td></tr></table><div><section><article><h1>z</h1><blockquote>q</blockquote></article></section></div><ol><li><em>1</em><li><strong>2</strong></ol><form><input><select><option>1<option>2</select><textarea></textarea></form><dl><dt>a<dd>b</dl><pre><code>c</code></pre></body></html>".replace("<div>", &"<div><b>1</b></div><section><u>2</u></section>".repeat(9));
    assert!(kit::simhash::distance(a, of(&other)) > 3);
    assert!(fingerprint(&kit::dom::Dom::parse("<p>short")).is_none());
}

/// 400 domains of which some are planted in networks; which network each is of.
fn planted(seed: u64) -> (Vec<Evidence>, Vec<Option<usize>>) {
    let mut chance = Chance::new(seed);
    let (mut all, mut truth) = (Vec::new(), Vec::new());
    for at in 0..400_usize {
        let network = (at < 60).then_some(at / 12);
        let mut it =
            Evidence { domain: format!("d{at}.example"), was_read: true, was_named: true, ..Evidence::default() };
        // Everybody is at one of a few big hosts, and some have one of a few widespread themes.
        it.networks = vec![format!("10.{}.0.0/24", chance.below(8))];
        it.servers = vec![format!("ns1.host{}.example", chance.below(8))];
        it.fingerprint = Some(if chance.unit() < 0.3 { 0xFF << (8 * chance.below(6)) } else { chance.draw() });
        it.timing = vec![(7, i32::try_from(chance.below(200)).unwrap_or(0))];
        if let Some(network) = network {
            // Each trace of a network is there with four of five.
            let mut has = || chance.unit() < 0.8;
            let (id, template, address, names, time) = (has() && network < 3, has(), has(), has(), has());
            if id {
                it.ids = vec![format!("UA-777{network}")];
            }
            if template {
                it.fingerprint = Some(Chance::new(900 + network as u64).draw());
            }
            if address {
                it.networks = vec![format!("192.0.{network}.0/24")];
            }
            if names {
                it.servers = vec![format!("ns1.own{network}.example")];
            }
            if time {
                it.timing = vec![(100 + network as u64, 5)];
            }
        }
        all.push(it);
        truth.push(network);
    }
    (all, truth)
}

#[test]
fn planted_networks_are_found_and_nothing_else() {
    let (mut right, mut found, mut there) = (0_u32, 0_u32, 0_u32);
    for seed in 1..=5 {
        let (all, truth) = planted(seed);
        let pairs = |same: &dyn Fn(usize, usize) -> bool| {
            (0..all.len())
                .flat_map(|a| (a + 1..all.len()).map(move |b| (a, b)))
                .filter(|it| same(it.0, it.1))
                .collect::<Vec<_>>()
        };
        let mut label = vec![usize::MAX; all.len()];
        for (number, it) in groups(&all, all.len()).into_iter().enumerate() {
            it.members.iter().for_each(|at| label[*at] = number);
            assert!((0.0..=1.0).contains(&it.strength));
        }
        let told = pairs(&|a, b| label[a] != usize::MAX && label[a] == label[b]);
        there += u32::try_from(pairs(&|a, b| truth[a].is_some() && truth[a] == truth[b]).len()).expect("few");
        found += u32::try_from(told.len()).expect("few");
        right += u32::try_from(told.iter().filter(|it| truth[it.0].is_some() && truth[it.0] == truth[it.1]).count())
            .expect("few");
    }
    let (precision, recall) = (f64::from(right) / f64::from(found), f64::from(right) / f64::from(there));
    assert!(precision >= 0.9 && recall >= 0.8, "precision {precision:.3}, recall {recall:.3}");
}

#[test]
fn a_search_looks_at_pages_and_names_and_scores_know_of_it() {
    let fake = website();
    let domains: Vec<String> = (0..40).map(|at| format!("d{at}.example")).collect();
    let rows: Vec<(String, String)> =
        domains.iter().map(|it| (format!("https://{it}/p"), "/lamps".to_owned())).collect();
    let rows: Vec<_> =
        rows.iter().map(|it| (it.0.as_str(), it.1.as_str(), "lamps", "10,false,2026-01-05,2026-08-01,")).collect();
    import(&fake, &ahrefs(&rows));
    for (at, domain) in domains.iter().enumerate() {
        let id = if at < 4 { "UA-7654321-1".to_owned() } else { format!("UA-10000{at}-1") };
        let html = format!(
            "<html><title>{domain}</title><body><p>{domain}</p><script>ga('create','{id}')</script></body></html>"
        );
        fake.serve(&format!("https://{domain}/p"), 200, &[("content-type", "text/html")], html.as_bytes());
        fake.name(domain, "A", &[&format!("198.51.{at}.7")]);
        fake.name(domain, "NS", &[&format!("ns{at}.dns.example.")]);
    }
    fake.fail("https://d39.example/p", sdk::Failure::Timeout);
    let started = call(&fake, "backlinks.network.detect", &json!({}));
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    let told: Value = job.result().unwrap_or_else(|| panic!("{:?}", job.fault()));
    assert_eq!(
        (&told["groups_total"], &told["grouped_domains"], &told["domains"]),
        (&json!(0), &json!(0), &json!(40)),
        "an id of 4 of 40 alone is ln 10 = 2.3: {told}"
    );
    // A second trace beside it.
    for domain in &domains[..4] {
        fake.name(domain, "A", &["192.0.2.7"]);
    }
    let started = call(&fake, "backlinks.network.detect", &json!({}));
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    let told: Value = job.result().unwrap_or_else(|| panic!("{:?}", job.fault()));
    let group = &told["groups"][0];
    assert_eq!((&told["groups_total"], &group["domains"]), (&json!(1), &json!(domains[..4])), "{told}");
    assert_eq!((&group["shared"][0]["kind"], &group["shared"][0]["key"]), (&json!("id"), &json!("UA-7654321")));
    assert!(told["degraded"][0]["why"].as_str().is_some_and(|it| it.contains("1 domains")), "{told}");
    let scored = call(&fake, "backlinks.quality.score", &json!({ "domains": ["d0.example", "d9.example"] }));
    assert!(scored["rows"][0]["factors"]["network"]["part"].as_f64() > Some(0.5), "{scored}");
    assert_eq!(scored["rows"][1]["factors"]["network"]["part"], 0.0);
    let refused = fake
        .refusal("backlinks.network.detect", json!({ "site_id": "81", "domains": ["d0.example", "nobody.example"] }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("too_few_domains", Some("/domains")));
}
