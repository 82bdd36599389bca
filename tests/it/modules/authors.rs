//! The authors module in its real sandbox, from the first profile to its removal.

use serde_json::json;
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn an_author_is_made_changed_assigned_described_and_removed() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer("account:read assets:read assets:write seo:analyze destructive:execute").await;
    let made = ada
        .run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace", "topics": ["engines"], "same_as": ["https://en.wikipedia.org/wiki/Ada_Lovelace"] }))
        .await
        .data();
    let author_ref = made["author_ref"].clone();
    assert_eq!(made["author"]["status"], "active", "{made}");
    let updated = ada.run("authors.update", json!({ "author_ref": author_ref, "role": "Editor" })).await.data();
    assert_eq!(updated["author"]["role"], "Editor");
    assert_eq!(updated["author"]["firstname"], "Ada");
    let page = json!({ "author_ref": author_ref, "urls": ["https://shop.example/guides/reading"] });
    let foreign = ada.run("authors.assign", page.clone()).await;
    assert_eq!((foreign.refusal(), foreign.pointer()), ((422, "url_not_of_site".to_owned()), "/urls/0".to_owned()));
    ada.run("websites.create", json!({ "domain": "shop.example" })).await.data();
    let assigned = ada.run("authors.assign", page).await.data();
    assert_eq!(assigned["assigned"], 1, "{assigned}");
    let markup = ada.read("authors.markup.generate", json!({ "author_ref": author_ref })).await.data();
    assert_eq!(markup["valid"], true, "{markup}");
    assert!(markup["jsonld"].to_string().contains("ProfilePage"), "{markup}");
    let removed = ada.run("authors.delete", json!({ "author_ref": author_ref })).await;
    assert_eq!(removed.status, 200, "{:?}", removed.json());
    assert_eq!(ada.read("authors.get", json!({ "author_ref": author_ref })).await.refusal().1, "author_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_paged_by_an_opaque_cursor_and_filtered_by_status() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    for number in 0..7 {
        let status = if number % 2 == 0 { "active" } else { "draft" };
        ada.run("authors.create", json!({ "firstname": "A", "lastname": format!("L{number}"), "status": status }))
            .await
            .data();
    }
    let mut seen = Vec::new();
    let mut arguments = json!({ "limit": 3 });
    loop {
        let page = ada.read("authors.list", arguments.clone()).await.data();
        let authors = page["authors"].as_array().expect("authors");
        assert!(authors.len() <= 3);
        seen.extend(authors.iter().map(|author| author["name"].as_str().unwrap_or_default().to_owned()));
        match page["next_cursor"].as_str() {
            Some(next) => arguments["cursor"] = json!(next),
            None => break,
        }
    }
    seen.sort();
    assert_eq!(seen, ["A L0", "A L1", "A L2", "A L3", "A L4", "A L5", "A L6"]);
    let drafts = ada.read("authors.list", json!({ "status": "draft" })).await.data();
    assert_eq!(drafts["authors"].as_array().map(Vec::len), Some(3), "{drafts}");
}
