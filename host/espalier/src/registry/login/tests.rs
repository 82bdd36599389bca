//! What is read of Docker's file, and that no message repeats it.

use std::path::Path;

use super::Login;

fn kept(text: &str, host: &str) -> anyhow::Result<Option<Login>> {
    Login::kept(text, Path::new("config.json"), host)
}

#[test]
fn a_login_is_that_of_its_registry_and_of_no_other() {
    // ada:lamps:7
    let text = r#"{ "auths": { "registry.example:5000": { "auth": "YWRhOmxhbXBzOjc=" },
        "https://index.docker.io/v1/": { "auth": "Ym9iOng=" }, "helped.example": {} }, "credsStore": "desktop" }"#;
    let login = kept(text, "registry.example:5000").unwrap().unwrap();
    assert_eq!((login.user.as_str(), login.password.reveal()), ("ada", "lamps:7"));
    assert_eq!(kept(text, "index.docker.io").unwrap().unwrap().user, "bob");
    for other in ["registry.example", "helped.example", "example"] {
        assert!(kept(text, other).unwrap().is_none(), "{other}");
    }
    assert!(kept("{}", "registry.example").unwrap().is_none());
}

#[test]
fn a_file_that_is_something_else_is_refused_without_a_word_of_it() {
    for text in [
        r#"{ "auths": { "registry.example": { "auth": "bGFtcHM=" } } }"#,
        r#"{ "auths": { "registry.example": { "auth": "lamps!" } } }"#,
        r#"{ "auths": { "registry.example": { "auth": ["lamps"] } } }"#,
        r#"{ "auths": "lamps" "#,
    ] {
        let refused = format!("{:#}", kept(text, "registry.example").unwrap_err());
        assert!(refused.contains("`docker login`") && !refused.contains("lamps") && !refused.contains("bGFt"));
    }
    let shown = format!("{:?}", kept(r#"{ "auths": { "a": { "auth": "YWRhOmxhbXBz" } } }"#, "a").unwrap());
    assert!(!shown.contains("lamps"), "{shown}");
}
