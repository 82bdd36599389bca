//! Clusters hold what belongs together, and manual edits hold for good.

use super::*;

fn clusters(fake: &sdk::Fake, set: &str) -> Vec<Vec<String>> {
    let found = call(fake, "keywords.cluster.list", &json!({ "set_ref": set, "limit": 100 }));
    let members = |it: &Value| {
        let mut all: Vec<String> = list(it, "members").iter().map(|it| it.as_str().unwrap().to_owned()).collect();
        all.sort();
        all
    };
    list(&found, "clusters").iter().map(members).collect()
}

fn cluster_of(fake: &sdk::Fake, set: &str, keyword: &str) -> Value {
    let found = call(fake, "keywords.cluster.list", &json!({ "set_ref": set, "limit": 100 }));
    list(&found, "clusters")
        .iter()
        .find(|it| list(it, "members").contains(&json!(keyword)))
        .cloned()
        .expect("a cluster")
}

const LAMPS: [&str; 8] = [
    "desk lamp",
    "desk lamps",
    "small desk lamp",
    "oak table",
    "oak tables",
    "round oak table",
    "wool rug",
    "wool rugs cheap",
];

#[test]
fn words_in_common_make_clusters_named_by_their_main_keyword() {
    let provider = Provider::of(&[("desk lamps", 900), ("desk lamp", 90), ("oak table", 500)]);
    let fake = fake(&provider);
    let reference = set(&fake, &[]);
    call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "lines": LAMPS, "merge": "exact" }));
    assert_eq!(fake.refusal("keywords.cluster.list", json!({ "set_ref": reference })).code, "not_clustered");
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    let done = job(&fake, "keywords.cluster.lexical", &json!({ "set_ref": reference }));
    assert_eq!((done["clusters"].as_u64(), done["keywords"].as_u64()), (Some(3), Some(8)), "{done}");
    assert!(of(&done, "silhouette") > 0.3);
    let found = clusters(&fake, &reference);
    assert_eq!(found[0], ["desk lamp", "desk lamps", "small desk lamp"]);
    assert_eq!(text(&cluster_of(&fake, &reference, "desk lamp"), "name"), "desk lamps");
    let rows = call(
        &fake,
        "keywords.item.list",
        &json!({ "set_ref": reference, "filter": [{ "field": "cluster", "op": "eq", "value": "oak table" }] }),
    );
    assert_eq!(rows["total"].as_u64(), Some(3));
    let small = job(&fake, "keywords.cluster.lexical", &json!({ "set_ref": reference, "max_cluster": 2 }));
    assert!(of(&small, "clusters") > 3.0 && clusters(&fake, &reference).iter().all(|it| it.len() <= 2));
}

#[test]
fn manual_edits_survive_another_clustering() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &[]);
    call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "lines": LAMPS, "merge": "exact" }));
    job(&fake, "keywords.cluster.lexical", &json!({ "set_ref": reference }));
    let (desk, oak) = (cluster_of(&fake, &reference, "desk lamp"), cluster_of(&fake, &reference, "oak table"));
    let edit = |edits: Value| fake.call("keywords.cluster.edit", json!({ "set_ref": reference, "edits": edits }));
    let moved = edit(json!([{ "op": "move", "clusters": [oak["cluster_ref"]], "keywords": ["small desk lamp"] }, { "op": "rename", "clusters": [desk["cluster_ref"]], "name": "Lamps for desks" }])).expect("edited");
    assert_eq!(moved["pinned"].as_u64(), Some(3));
    let check = |when: &str| {
        assert!(
            list(&cluster_of(&fake, &reference, "oak table"), "members").contains(&json!("small desk lamp")),
            "{when}"
        );
        assert_eq!(text(&cluster_of(&fake, &reference, "desk lamp"), "name"), "Lamps for desks", "{when}");
    };
    check("at once");
    job(&fake, "keywords.cluster.lexical", &json!({ "set_ref": reference, "threshold": 0.7 }));
    check("after another clustering");
    let desk = cluster_of(&fake, &reference, "desk lamp");
    let back = edit(json!([{ "op": "move", "clusters": [desk["cluster_ref"]], "keywords": ["small desk lamp"] }]))
        .expect("edited");
    assert!(of(&back, "replaced") >= 1.0, "{back}");
    assert!(list(&cluster_of(&fake, &reference, "desk lamp"), "members").contains(&json!("small desk lamp")));
    let rug = cluster_of(&fake, &reference, "wool rug");
    let wrong = edit(json!([{ "op": "merge", "clusters": [rug["cluster_ref"]] }])).expect_err("refused");
    assert_eq!((wrong.code.as_str(), wrong.pointer.as_deref()), ("two_clusters", Some("/edits/0/clusters")));
    let gone = edit(json!([{ "op": "rename", "clusters": ["none"], "name": "x" }])).expect_err("refused");
    assert_eq!((gone.code.as_str(), gone.pointer.as_deref()), ("cluster_not_found", Some("/edits/0/clusters/0")));
}

#[test]
fn shared_results_make_clusters_and_only_missing_pages_are_fetched() {
    let provider = Provider::of(&[("desk lamp", 900), ("table lamp", 500), ("oil lamp", 40)]);
    let url = |names: &[&str]| names.iter().map(|name| format!("https://{name}.example/x")).collect::<Vec<_>>();
    provider.pages.borrow_mut().extend([
        ("desk lamp".to_owned(), url(&["shop", "a", "b", "c", "d"])),
        ("table lamp".to_owned(), url(&["a", "b", "c", "d", "e"])),
        ("oil lamp".to_owned(), url(&["x", "y", "z", "a", "w"])),
    ]);
    let fake = fake(&provider);
    let reference = set(&fake, &["desk lamp", "table lamp", "oil lamp"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference, "with_history": false }));
    let done = job(&fake, "keywords.cluster.serp", &json!({ "set_ref": reference }));
    assert_eq!(
        (done["fetched"].as_u64(), done["clusters"].as_u64(), done["without_page"].as_u64()),
        (Some(3), Some(2), Some(0)),
        "{done}"
    );
    assert_eq!(done["dominant_domains"][0], "a.example");
    assert_eq!(done["provider_cost"]["amount"], "0.001800");
    assert_eq!(clusters(&fake, &reference)[0], ["desk lamp", "table lamp"]);
    let found = call(&fake, "keywords.cluster.list", &json!({ "set_ref": reference }));
    let first = &found["clusters"][0];
    assert_eq!((text(first, "ranking_url"), first["ranking_position"].as_u64()), ("https://shop.example/x", Some(1)));
    assert_eq!(
        (found["by"].as_str(), first["shared_domains"].clone()),
        (Some("serp"), json!(["a.example", "b.example", "c.example", "d.example", "e.example", "shop.example"]))
    );
    let again = job(&fake, "keywords.cluster.serp", &json!({ "set_ref": reference, "mode": "soft" }));
    assert_eq!(again["fetched"].as_u64(), Some(0), "stored pages are young enough");
}
