//! Tests of `quotes`.

use model::clock::Moment;
use model::keys::{Key, KeyRing};

use super::{DAY, Sealer};

const NOW: Moment = Moment(20_000 * DAY + 5_000);
const TERMS: &str = r#"{"urls":3,"credits":"15"}"#;

/// A key ring with these keys, oldest first.
fn ring(secrets: &[u8]) -> &'static KeyRing {
    let keys = secrets.iter().map(|secret| Key::new(format!("key_{secret}"), "", [*secret; 32])).collect();
    Box::leak(Box::new(KeyRing::new(keys).unwrap()))
}

fn sealer() -> Sealer<'static> {
    Sealer { keys: ring(&[1]), customer: "cus_a", module: "ux_signals", price_version: "sha256:1" }
}

#[test]
fn a_seal_holds_until_the_end_of_the_next_utc_day() {
    let (hash, expires) = sealer().seal(TERMS, NOW);
    assert_eq!(hash.len(), 64);
    assert!(hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(expires, Moment(20_002 * DAY));
    assert_eq!(sealer().expiry(TERMS, &hash), Some(expires));
}

#[test]
fn the_order_of_members_and_the_spaces_between_them_are_no_change() {
    let (hash, expires) = sealer().seal(TERMS, NOW);
    assert_eq!(sealer().expiry(r#" { "credits" : "15", "urls": 3 } "#, &hash), Some(expires));
}

#[test]
fn other_terms_customers_modules_prices_or_keys_are_changed() {
    let (hash, _) = sealer().seal(TERMS, NOW);
    assert_eq!(sealer().expiry(r#"{"urls":3,"credits":"14"}"#, &hash), None);
    let others = [
        Sealer { customer: "cus_b", ..sealer() },
        Sealer { module: "local_grid", ..sealer() },
        Sealer { price_version: "sha256:2", ..sealer() },
        Sealer { keys: ring(&[2]), ..sealer() },
        Sealer { customer: "cus_", module: "aux_signals", ..sealer() },
    ];
    for other in others {
        assert_eq!(other.expiry(TERMS, &hash), None);
    }
}

#[test]
fn a_forged_day_or_text_is_changed() {
    let (hash, _) = sealer().seal(TERMS, NOW);
    let later = format!("{:08x}{}", 30_000, &hash[8..]);
    for forged in [later.as_str(), "", "zzzzzzzz", &hash[..63], &format!("{hash}0"), "ffffffffffffffff", "äöüäöüäöü"]
    {
        assert_eq!(sealer().expiry(TERMS, forged), None, "{forged}");
    }
}

#[test]
fn what_was_sealed_before_a_rotation_opens_after_it_and_new_seals_take_the_new_key() {
    let (old, expires) = sealer().seal(TERMS, NOW);
    let rotated = Sealer { keys: ring(&[1, 2]), ..sealer() };
    assert_eq!(rotated.expiry(TERMS, &old), Some(expires));
    let (new, _) = rotated.seal(TERMS, NOW);
    assert_ne!(new, old);
    assert_eq!(Sealer { keys: ring(&[2]), ..sealer() }.expiry(TERMS, &new), Some(expires));
    assert_eq!(sealer().expiry(TERMS, &new), None);
    // A key that was removed from the ring opens nothing.
    assert_eq!(Sealer { keys: ring(&[2, 3]), ..sealer() }.expiry(TERMS, &old), None);
}
