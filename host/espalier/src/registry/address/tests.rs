//! What counts as an address, and where plain HTTP is spoken.

use super::Address;

const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

#[test]
fn an_address_is_taken_as_it_is_written_and_nothing_is_filled_in() {
    let address = Address::read(&format!("registry.example:5000/seo/modules:7@{DIGEST}")).unwrap();
    assert_eq!((address.host(), address.name()), ("registry.example:5000", "seo/modules"));
    assert_eq!((address.tag(), address.digest()), (Some("7"), Some(DIGEST)));
    assert_eq!(address.pinned(DIGEST), format!("registry.example:5000/seo/modules@{DIGEST}"));
    for short in ["modules", "modules:7", "seo/modules:7", "registry.example/modules", ""] {
        let refused = Address::read(short).unwrap_err().to_string();
        assert!(refused.contains("HOST/NAME:TAG or HOST/NAME@sha256:"), "{refused}");
    }
    for wrong in [
        "https://registry.example/modules:7",
        "registry.example/../modules:7",
        "registry.example/Modules:7",
        "user:secret@registry.example/modules:7",
        "registry.example/modules:7?x=1",
        &format!("registry.example/modules@{}", DIGEST.to_uppercase().replace("SHA256", "sha256")),
        &format!("registry.example/modules@{}", &DIGEST[..70]),
        &format!("registry.example/modules@sha512:{0}{0}", &DIGEST[7..]),
    ] {
        assert!(Address::read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn plain_http_is_spoken_on_loopback_alone() {
    let origin = |host: &str| Address::read(&format!("{host}/modules:7")).unwrap().origin();
    for near in ["localhost", "localhost:5000", "127.0.0.1:5000", "127.8.9.1:5000"] {
        assert_eq!(origin(near), format!("http://{near}"));
    }
    for far in ["registry.example", "localhost.example:5000", "127.0.0.1.example", "10.0.0.1:5000", "0.0.0.0:5000"] {
        assert_eq!(origin(far), format!("https://{far}"));
    }
}
