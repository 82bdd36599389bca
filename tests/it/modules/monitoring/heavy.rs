//! Pages of 2 MB of every shape that are watched: a round reads them in steps that its bounds allow, and their changes are shown.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tests::large::{Shape, page};
use tests::patience::tries;

use super::watched::scene;

/// Writes a page of 2 MB of each shape; another word in each of their paragraphs gives another text everywhere.
fn write(folder: &Path, word: &str) {
    for shape in Shape::ALL {
        let html =
            page(shape, 2 << 20).replace(' ', &format!(" {word}")).replacen("<title>", &format!("<title>{word} "), 1);
        let html: String = html.chars().take(2 << 20).collect();
        let html = if word.is_empty() { page(shape, 2 << 20) } else { html };
        std::fs::write(folder.join(format!("{}.html", shape.name())), html).expect("a file");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_of_heavy_pages_is_checked_whole_and_their_changes_are_shown() {
    let scene = scene().await;
    write(scene.folder.path(), "");
    let mut monitors = Vec::new();
    for shape in Shape::ALL {
        let path = format!("/{}.html", shape.name());
        for (kind, more) in [("content", json!({})), ("content", json!({ "selector": "body" })), ("head", json!({}))] {
            monitors.push((kind, scene.create(kind, &path, "1h", more).await));
        }
    }
    let all_checked = async |before: &[Value]| {
        for _ in tries(600) {
            let listed = scene.ada.read("monitoring.monitor.list", json!({ "limit": 100 })).await.data();
            let of = listed["monitors"].as_array().expect("monitors");
            let checked = of
                .iter()
                .filter(|it| it["last_check_at"].is_string() && !before.contains(&it["last_check_at"]))
                .count();
            if checked == monitors.len() {
                return of.iter().map(|it| it["last_check_at"].clone()).collect::<Vec<_>>();
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        panic!(
            "a round did not come to its end: {}",
            scene.ada.read("monitoring.monitor.list", json!({ "limit": 100 })).await.data()
        )
    };
    scene.host.clock.advance(Duration::from_secs(3_600));
    let first = all_checked(&[]).await;
    write(scene.folder.path(), "x");
    scene.host.clock.advance(Duration::from_secs(3_600));
    all_checked(&first).await;
    let events = scene.ada.read("monitoring.event.list", json!({ "site_id": scene.site, "limit": 100 })).await.data();
    let changed: Vec<&Value> =
        events["events"].as_array().expect("events").iter().filter(|it| it["kind"] == "content_changed").collect();
    assert!(changed.len() >= 5, "{events}");
    for event in changed {
        for form in ["words", "unified"] {
            let get = json!({ "event_ref": event["event_ref"], "form": form });
            let told = scene.ada.read("monitoring.event.diff.get", get).await.data();
            assert!(told["diff"].is_object(), "{form}: {event}");
        }
    }
    let refs: Vec<Value> =
        events["events"].as_array().expect("events").iter().map(|it| it["event_ref"].clone()).collect();
    let noise = json!({ "event_refs": refs, "verdict": "noise" });
    assert_eq!(scene.ada.run("monitoring.event.acknowledge", noise).await.data()["updated"], refs.len());
    scene.host.verify_ledger().await;
}
