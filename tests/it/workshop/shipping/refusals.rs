//! What is not believed is not put in place, and nothing of it is left.

use std::path::Path;

use serde_json::{Value, json};
use tests::registry::{Harm, Registry};
use tests::signed;

use super::{author, published, said, server, text};

const TITLE: &str = "org.opencontainers.image.title";

/// A registry that has what an author shipped, and that manifest.
fn stocked() -> (Registry, String, Value) {
    let registry = Registry::start();
    let (here, modules) = author();
    let pinned = published(here.path(), &modules, &registry, "7");
    let manifest = registry.manifest(pinned.split('@').next_back().expect("a digest"));
    (registry, pinned, manifest)
}

/// What fetching says; afterwards nothing but the settings is there.
fn refused(reference: &str) -> String {
    refused_where(reference, &signed::signer())
}

/// As [`refused`], where others are believed.
fn refused_where(reference: &str, settings: &str) -> String {
    let (there, target) = server();
    std::fs::write(there.path().join("espalier.toml"), settings).expect("written");
    let words = said(there.path(), &["fetch", reference, &target]).expect_err("refused");
    let entries = std::fs::read_dir(there.path()).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    // Where the host of the tests has its database is no part of what was fetched.
    let left: Vec<String> = names.filter(|name| name != "database.url").collect();
    assert_eq!(left, ["espalier.toml"], "{words}");
    words
}

fn layers(manifest: &mut Value) -> &mut Vec<Value> {
    manifest["layers"].as_array_mut().expect("layers")
}

fn titled<'a>(manifest: &'a mut Value, title: &str) -> &'a mut Value {
    layers(manifest).iter_mut().find(|it| it["annotations"][TITLE] == title).expect("a layer")
}

/// The reference of a manifest that nobody has pushed.
fn planted(registry: &Registry, manifest: &Value) -> String {
    format!("{}/seo/modules@{}", registry.host(), registry.put_manifest(manifest))
}

#[test]
fn a_registry_that_sends_something_else_is_found_out_before_anything_is_put_in_place() {
    let (registry, pinned, _) = stocked();
    for (harm, words) in [
        (Harm::OtherBytes, "sent other bytes"),
        (Harm::OtherManifest, "sent other bytes"),
        (Harm::Broken, "it breaks off after"),
        (Harm::Short, "bytes; try again"),
        (Harm::Endless, "it is longer than 4194304 bytes, and is not read further"),
        (Harm::Status(500), "answered 500"),
        (Harm::Status(429), "wants fewer requests"),
        (Harm::Status(404), "see what `espalier publish` printed"),
        (Harm::Elsewhere("http://192.0.2.1".to_owned()), "another place over plain HTTP, which is not followed"),
        (Harm::Elsewhere(format!("http://{}", registry.host())), "it sends on and on"),
    ] {
        registry.harm(Some(harm.clone()));
        let said = refused(&pinned);
        assert!(said.contains(words), "{harm:?}: {said}");
        assert!(said.contains(&registry.host()), "it names the registry: {said}");
    }
    let digest = pinned.split('@').next_back().expect("a digest");
    let unknown = refused(&format!("{}/seo/modules@sha256:{}", registry.host(), "0".repeat(64)));
    assert!(unknown.contains("has no seo/modules@"), "{unknown}");
    // Port 1 of loopback: nobody listens there.
    let nobody = refused(&format!("127.0.0.1:1/seo/modules@{digest}"));
    assert!(nobody.contains("127.0.0.1:1 cannot be asked") && nobody.contains("refused"), "{nobody}");
}

#[test]
fn a_manifest_that_leaves_the_folder_or_its_bounds_is_refused_before_a_file_is_asked_for() {
    let (registry, _, manifest) = stocked();
    let asked = || registry.requests().iter().filter(|it| it.starts_with("GET") && it.contains("/blobs/")).count();
    let before = asked();
    for title in ["../authors.wasm", "/tmp/authors.wasm", "catalog/../../authors.toml", "a\\authors.wasm", "x.key"] {
        let mut manifest = manifest.clone();
        titled(&mut manifest, "authors.wasm")["annotations"][TITLE] = json!(title);
        let said = refused(&planted(&registry, &manifest));
        assert!(said.contains("is no file of a shipped folder"), "{said}");
    }
    let mut large = manifest.clone();
    titled(&mut large, "authors.wasm")["size"] = json!(1 << 30);
    assert!(refused(&planted(&registry, &large)).contains("has 1073741824 bytes; from 1 to 16777216 are taken"));
    let mut many = manifest.clone();
    let one = layers(&mut many)[0].clone();
    layers(&mut many).extend(std::iter::repeat_n(one, 1_024));
    assert!(refused(&planted(&registry, &many)).contains("from 1 to 1024 are taken"));
    let mut image = manifest;
    image["artifactType"] = json!("application/vnd.other");
    assert!(refused(&planted(&registry, &image)).contains("neither a shipped folder nor a component"));
    assert_eq!(asked(), before);
}

#[test]
fn a_file_that_is_longer_than_its_manifest_says_is_not_read_to_its_end() {
    let (registry, _, mut manifest) = stocked();
    let layer = titled(&mut manifest, "authors.wasm");
    layer["size"] = json!(layer["size"].as_u64().expect("a size") - 1);
    let said = refused(&planted(&registry, &manifest));
    assert!(said.contains("authors.wasm") && said.contains("is not read further"), "{said}");
}

#[test]
fn what_is_not_signed_or_not_approved_is_not_put_in_place_even_with_right_digests() {
    let (registry, pinned, manifest) = stocked();
    let without = |ending: &str| {
        let mut manifest = manifest.clone();
        layers(&mut manifest).retain(|it| !it["annotations"][TITLE].as_str().expect("a title").contains(ending));
        refused(&planted(&registry, &manifest))
    };
    let unsigned = without("authors.wasm.minisig");
    assert!(unsigned.contains("nothing was put into"), "{unsigned}");
    assert!(unsigned.contains("modules/authors.wasm: there is no signature; `espalier sign"), "{unsigned}");
    let unsigned = without("2026-08-15/revision.toml.minisig");
    assert!(unsigned.contains("2026-08-15/revision.toml: there is no signature"), "{unsigned}");
    let unapproved = without("2026-09-28/approvals/");
    assert!(unapproved.contains("nobody has approved revision 2026-09-28"), "{unapproved}");
    let missing = without("authors.wasm");
    assert!(missing.contains("locks authors, which is not there"), "{missing}");

    // Whoever may write into the registry can give other bytes their right digest, and still no signature.
    let mut tampered = manifest.clone();
    let layer = titled(&mut tampered, "authors.wasm");
    let mut bytes = registry.blob(layer["digest"].as_str().expect("a digest")).to_vec();
    *bytes.last_mut().expect("bytes") ^= 1;
    layer["digest"] = json!(registry.put_blob(bytes));
    let changed = refused(&planted(&registry, &tampered));
    assert!(changed.contains("changed after tests signed it"), "{changed}");
    let mut swapped = manifest.clone();
    let other = titled(&mut swapped, "crawl.wasm").clone();
    let (digest, size) = (other["digest"].clone(), other["size"].clone());
    let layer = titled(&mut swapped, "authors.wasm");
    (layer["digest"], layer["size"]) = (digest, size);
    assert!(refused(&planted(&registry, &swapped)).contains("the signature is not over what stands there"));

    let known = signed::signer();
    assert!(refused_where(&pinned, "").contains("espalier.toml has no [[signer]]"));
    let (_, stranger) = catalog::trust::SigningKey::make(None).expect("a key");
    let unknown = refused_where(&pinned, &known.replace(&signed::key().public(), &stranger));
    assert!(unknown.contains("which no [[signer]] of espalier.toml has"), "{unknown}");
    let unread = refused_where(&pinned, &known.replace(", \"approvals\"", ""));
    assert!(unread.contains("nobody has approved") && unread.contains("does not have approvals"), "{unread}");
}

#[test]
fn what_no_host_would_take_is_not_published() {
    let registry = Registry::start();
    let (here, modules) = author();
    let folder = Path::new(&modules);
    let to = format!("{}/seo/modules:7", registry.host());
    let publish = |what: &str, to: &str| said(here.path(), &["publish", what, to]).expect_err("refused");
    let digest = format!("{}/seo/modules@sha256:{}", registry.host(), "0".repeat(64));
    assert!(publish(&modules, &digest).contains("is not HOST/NAME:TAG"));
    for short in ["modules:7", "seo/modules", "https://127.0.0.1/modules:7"] {
        assert!(publish(&modules, short).contains("is no address in a registry"), "{short}");
    }
    let empty = text(&here.path().join("empty"));
    std::fs::create_dir(&empty).expect("a folder");
    assert!(publish(&empty, &to).contains("holds no component"));

    let component = folder.join("authors.wasm");
    let signature = folder.join("authors.wasm.minisig");
    let written = std::fs::read(&signature).expect("there");
    std::fs::remove_file(&signature).expect("removed");
    for what in [&modules, &text(&component)] {
        let unsigned = publish(what, &to);
        assert!(unsigned.contains("authors.wasm: there is no signature; `espalier sign"), "{unsigned}");
    }
    std::fs::write(&signature, written).expect("written");
    let mut bytes = std::fs::read(&component).expect("there");
    *bytes.last_mut().expect("bytes") ^= 1;
    let whole = std::fs::read(&component).expect("there");
    std::fs::write(&component, bytes).expect("written");
    assert!(publish(&modules, &to).contains("run `espalier catalog lock` where it was built"));
    std::fs::write(&component, whole).expect("written");
    std::fs::remove_dir_all(folder.join("catalog/2026-09-28/approvals")).expect("removed");
    let unapproved = publish(&modules, &to);
    assert!(unapproved.contains("nobody has approved revision 2026-09-28"), "{unapproved}");
    assert!(registry.requests().is_empty(), "nothing of it was asked or sent");
}
