//! Keys are read as receivers read them.

use super::{Problem, key};
use crate::mailauth::spf::tests::zone;

/// Public keys that openssl made: of 512, 1,024 and 2,048 bits as `SubjectPublicKeyInfo`, and of 1,024 bits alone.
const KEYS: [&str; 4] = [
    "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKyZOP9Kv23qKqZDN5VXSz2CU0105hYoINhxNfyOxek5bSjWKfN4HgRMq2wiIQoTDYzM/m2VSOZOvBAaMqu9JkUCAwEAAQ==",
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDmOwVp06sOs+raP/BO9Ks4LpGxOv49QvDdQod+OPd0afP2yrtu7wPuDfi6MKTjJyOBHUpE2LFQPE/H0y7O2uLjD+NZF1jn7OkEo1F12u1KPv+xvNukROI/Um3ruWYpOuj0+83m0BlTlLmKohYIweI7z5bUxpem2F/WItXYQGM3wQIDAQAB",
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA5q9FU1TVbl8LrBNS1WYUYEQ0RYt7yGgIj+AqHnLEuOtLPoFdNo6wALqC33fi0Ga5vL2VjMYJ0dSkbLE7QzJXClKC5VySLgBHcltC9st5p4AxdOM4dVXP3/lIWBBD4VDU9iN3LQKIlp1Gd92vA1my8QNF2qd96zKGtjTgux4Okh+WEU7BTcmKPF6aBPtXZMpygVRrgerENgHCUCK7TvqffgfAu1PWpzpIzj/8EVd6XOBxdspTUCG5iqOv9OD1bD7w/Est9Z8+je4KOI15DJjb1AbCSgo3SdbmdAh2tCtcGjsQ8GtVqVtcCd9/1m4ZI5tel+5fXs4PSU9tX1f6OnX01wIDAQAB",
    "MIGJAoGBALr+aBECJ84O3cdPHET8pkHxy0uofJuFFzIjog8khmXZr1OtbvRnjq+fzRv34afSBAtgrRj2BBRMWIFtAf9DRRk4DoI/ecW2HcbM9mMDkN5b1CYgZMkxGIT11hwdNB0h9dmkqgWyxzC8SP+63lagniv4MpBofOe9efcDuP4Yg53DAgMBAAE=",
];

#[test]
fn keys_have_bits_and_flaws() {
    for (record, bits, problems) in [
        (format!("v=DKIM1; k=rsa; p={}", KEYS[0]), 512, vec![Problem::TooShort]),
        (format!("p={}", KEYS[1]), 1_024, vec![Problem::Short]),
        (format!("v=DKIM1; t=y:s; h=sha1 : sha256; p={}", KEYS[2]), 2_048, vec![]),
        (format!("v=DKIM1; h=sha1; p={}", KEYS[3]), 1_024, vec![Problem::Short, Problem::Sha1Alone]),
        ("v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=".to_owned(), 256, vec![]),
        ("v=DKIM1; k=rsa; p=".to_owned(), 0, vec![Problem::Revoked]),
        ("v=DKIM1; k=rsa; p=AAAA".to_owned(), 0, vec![Problem::Unreadable]),
        ("v=DKIM1; k=dsa; p=AAAA".to_owned(), 0, vec![Problem::UnknownKind]),
    ] {
        let mut zone = zone(&[&format!("s1._domainkey.shop.example TXT {record}")]);
        let key = key(&mut zone, "s1", "shop.example").expect("an answer").expect("a key");
        assert_eq!((key.bits, &key.problems), (bits, &problems), "{record}");
        assert_eq!((key.is_test, key.is_usable()), (record.contains("t=y"), problems.iter().all(|it| !it.is_fatal())));
    }
    let mut zone = zone(&["s1._domainkey.shop.example TXT something else"]);
    assert_eq!(key(&mut zone, "s1", "shop.example"), Ok(None));
    assert_eq!(key(&mut zone, "s2", "shop.example"), Ok(None));
}
