//! Tests of `note`.

use super::*;

/// The example of Go's `golang.org/x/mod/sumdb/note`.
const THEIRS: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const THEIR_NOTE: &str = "If you think cryptography is the answer to your problem,\n\
     then you don't know what your problem is.\n\
     \n\
     \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

#[test]
fn a_note_that_another_tool_signed_is_opened() {
    let verifier = NoteVerifier::read(THEIRS).unwrap();
    assert_eq!(verifier.to_string(), THEIRS);
    let text = verifier.open(THEIR_NOTE).unwrap();
    assert!(text.starts_with("If you think") && text.ends_with("problem is.\n"));
}

#[test]
fn what_is_signed_here_is_opened_by_its_own_key_alone() {
    let signer = NoteSigner::new("espalier.audit", &[3; 32]);
    let note = signer.sign("one\ntwo\n");
    let read = NoteVerifier::read(&signer.verifier().to_string()).unwrap();
    assert_eq!(read.open(&note), Some("one\ntwo\n"));
    assert_eq!(NoteSigner::new("espalier.audit", &[4; 32]).verifier().open(&note), None);
    assert_eq!(NoteSigner::new("somebody.else", &[3; 32]).verifier().open(&note), None);
}

#[test]
fn a_changed_text_and_a_broken_signature_are_refused() {
    let signer = NoteSigner::new("espalier.audit", &[3; 32]);
    let note = signer.sign("one\n");
    for broken in [
        note.replace("one", "two"),
        note.replace("one\n", "one\n\nmore\n"),
        note.replace('\u{2014}', "-"),
        note.trim_end_matches(|end| end != '\u{2014}').to_owned(),
        String::new(),
        "one\n".to_owned(),
    ] {
        assert_eq!(signer.verifier().open(&broken), None, "{broken:?}");
    }
}

#[test]
fn a_key_that_is_not_one_is_not_read() {
    for text in
        ["", "a", "a+b", "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "a+00000000+AQ=="]
    {
        assert_eq!(NoteVerifier::read(text), None, "{text}");
    }
}

#[test]
fn a_signer_does_not_show_its_secret() {
    let shown = format!("{:?}", NoteSigner::new("espalier.audit", &[3; 32]));
    assert!(shown.starts_with("NoteSigner(espalier.audit+") && !shown.contains("03, 03"), "{shown}");
}
