//! Which names and manifests are taken, and which are refused before a byte of them is asked for.

use serde_json::{Value, json};

use super::{Artifact, Files, Kind, MOST_FILES, SHIPPED};

const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn layer(title: &str, media_type: &str, size: i64) -> Value {
    json!({ "mediaType": media_type, "digest": DIGEST, "size": size,
        "annotations": { "org.opencontainers.image.title": title } })
}

fn shipped(layers: &[Value]) -> anyhow::Result<Artifact> {
    let manifest = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "artifactType": SHIPPED,
        "config": { "mediaType": "application/vnd.oci.empty.v1+json", "digest": DIGEST, "size": 2 }, "layers": layers,
    });
    Artifact::read(manifest.to_string().as_bytes())
}

#[test]
fn only_the_names_of_a_shipped_folder_are_names() {
    let names = [
        ("authors.wasm", Some(Kind::Component)),
        ("ux_signals.wasm.minisig", Some(Kind::Signature)),
        ("catalog/2026-09-28/authors.toml", Some(Kind::Lock)),
        ("catalog/2026-09-28/revision.toml.minisig", Some(Kind::Signature)),
        ("catalog/2026-09-28/approvals/0123456789abcdef.json", Some(Kind::Approval)),
        ("catalog/2026-09-28/approvals/0123456789abcdef.json.minisig", Some(Kind::Signature)),
        ("catalog/2026-09-28/authors.toml.minisig", None),
        ("../authors.wasm", None),
        ("/etc/authors.wasm", None),
        ("..wasm", None),
        (".wasm", None),
        ("a/authors.wasm", None),
        ("a\\authors.wasm", None),
        ("catalog/../authors.toml", None),
        ("catalog/2026-09-28/../../../authors.toml", None),
        ("catalog//authors.toml", None),
        ("catalog/2026-9-28/authors.toml", None),
        ("catalog/2026-09-28/approvals/../../x.json", None),
        ("Authors.wasm", None),
        ("authors.wasm\0", None),
        ("authors.wasm/", None),
        ("espalier.toml", None),
        ("builder.key", None),
        ("", None),
    ];
    for (name, kind) in names {
        assert_eq!(Kind::of(name), kind, "{name}");
    }
    assert_eq!(Kind::of(&format!("{}.wasm", "a".repeat(65))), None);
}

#[test]
fn a_manifest_is_held_to_its_bounds_before_anything_is_fetched() {
    let wasm = |title: &str, size| layer(title, "application/wasm", size);
    assert!(
        matches!(shipped(&[wasm("authors.wasm", 16 << 20)]).unwrap(), Artifact::Shipped(items) if items.len() == 1)
    );
    let many: Vec<Value> = (0..=MOST_FILES).map(|at| wasm(&format!("m{at}.wasm"), 8)).collect();
    let heavy: Vec<Value> = (0..33).map(|at| wasm(&format!("m{at}.wasm"), 16 << 20)).collect();
    let mut undigested = wasm("authors.wasm", 8);
    undigested["digest"] = json!("sha256:../../../etc/passwd");
    for (layers, words) in [
        (vec![wasm("authors.wasm", (16 << 20) + 1)], "from 1 to 16777216 are taken"),
        (vec![wasm("authors.wasm", 0)], "from 1 to 16777216 are taken"),
        (vec![wasm("authors.wasm", -1)], "from 1 to 16777216 are taken"),
        (vec![wasm("authors.wasm.minisig", 8)], "has the type"),
        (vec![wasm("authors.wasm", 8), wasm("authors.wasm", 8)], "is there twice"),
        (vec![wasm("../authors.wasm", 8)], "is no file of a shipped folder"),
        (vec![undigested], "has no sha256 digest"),
        (many, "from 1 to 1024 are taken"),
        (heavy, "more than 536870912"),
        (vec![], "it has 0 files"),
    ] {
        let refused = shipped(&layers).unwrap_err().to_string();
        assert!(refused.contains(words), "{refused}");
    }
}

#[test]
fn an_artifact_of_something_else_is_refused_and_named() {
    let image = json!({ "schemaVersion": 2, "layers": [],
        "config": { "mediaType": "application/vnd.oci.image.config.v1+json", "digest": DIGEST, "size": 2 } });
    let refused = Artifact::read(image.to_string().as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("vnd.oci.image.config.v1+json") && refused.contains("`espalier publish`"), "{refused}");
    let wasm = json!({ "mediaType": "application/wasm", "digest": DIGEST, "size": 8 });
    let config = json!({ "mediaType": "application/vnd.wasm.config.v0+json", "digest": DIGEST, "size": 2 });
    let of = |layers: Value| json!({ "schemaVersion": 2, "config": config, "layers": layers }).to_string();
    let component = Artifact::read(of(json!([wasm])).as_bytes()).unwrap();
    assert!(matches!(component, Artifact::Component(item, None) if item.size == 8));
    assert!(Artifact::read(of(json!([wasm, wasm])).as_bytes()).is_err());
    for text in ["", "{}", "[]", r#"{ "schemaVersion": 2, "manifests": [] }"#] {
        assert!(Artifact::read(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn what_is_no_part_of_a_shipped_folder_stays_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        "authors.wasm",
        "authors.wasm.minisig",
        "builder.key",
        "catalog/2026-09-28/revision.toml",
        "catalog/README.md",
        "src/authors.wasm",
    ] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }
    let files = Files::of(folder.path()).unwrap();
    let taken: Vec<&str> = files.taken.keys().map(String::as_str).collect();
    assert_eq!(taken, ["authors.wasm", "authors.wasm.minisig", "catalog/2026-09-28/revision.toml"]);
    assert_eq!(files.left_out, ["builder.key", "catalog/README.md", "src"]);
}
