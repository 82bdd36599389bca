//! Tests of the exact bytes of a message, and of injection attempts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;

const NOW: Moment = Moment(1_790_553_600_000);

fn draft() -> Draft {
    Draft {
        class: Class::Transactional,
        from_name: None,
        to: vec!["bob@shop.example".to_owned()],
        reply_to: None,
        subject: "A lamp".to_owned(),
        text: "Hello Bob".to_owned(),
        html: None,
        in_reply_to: None,
        references: Vec::new(),
        attachments: Vec::new(),
    }
}

fn file(name: &str, media_type: &str, bytes: &[u8]) -> File {
    File { name: name.to_owned(), media_type: media_type.to_owned(), bytes: bytes.to_vec() }
}

fn from() -> Address {
    address::parse("hello@shop.example").expect("an address")
}

fn written_with(draft: Draft, unsubscribe: Option<&str>) -> String {
    let letter = draft.check().expect("a letter");
    let stamp = Stamp { from: &from(), id: "abcdefgh", date: NOW, unsubscribe };
    let bytes = letter.write(&stamp).expect("it is written");
    assert!(bytes.is_ascii(), "SMTP carries it as it is");
    String::from_utf8(bytes).expect("ASCII")
}

fn written(draft: Draft) -> String {
    written_with(draft, None)
}

#[test]
fn a_plain_message_is_as_short_as_it_can_be() {
    let expected = "Date: Mon, 28 Sep 2026 00:00:00 +0000\r\n\
                    From: hello@shop.example\r\n\
                    Subject: A lamp\r\n\
                    Message-ID: <abcdefgh@shop.example>\r\n\
                    To: bob@shop.example\r\n\
                    MIME-Version: 1.0\r\n\
                    Content-Type: text/plain; charset=utf-8\r\n\
                    Content-Transfer-Encoding: 7bit\r\n\
                    \r\n\
                    Hello Bob";
    assert_eq!(written(draft()).trim_end(), expected);
}

#[test]
fn a_message_of_a_list_says_how_to_leave_it_with_one_click() {
    let list = Draft { class: Class::List, ..draft() };
    let address = format!("https://espalier.example/u/unsub_{}", "x".repeat(43));
    let text = written_with(list, Some(&address));
    assert!(text.contains(&format!("\r\nList-Unsubscribe: <{address}>\r\n")), "{text}");
    assert!(text.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{text}");
}

#[test]
fn an_answer_names_its_thread_and_no_line_is_too_long() {
    let ids: Vec<String> = (0..20).map(|at| format!("<{}{at}@mail.example>", "a".repeat(200))).collect();
    let text = written(Draft { in_reply_to: ids.last().cloned(), references: ids.clone(), ..draft() });
    assert!(text.contains(&format!("\r\nIn-Reply-To: {}\r\n", ids[19])), "{text}");
    assert!(text.contains(&format!("\r\nReferences: {}\r\n {}\r\n", ids[0], ids[1])), "{text}");
    assert!(text.lines().all(|line| line.len() <= 998));
}

#[test]
fn what_is_not_ascii_is_encoded_in_headers_and_texts() {
    let text = written(Draft {
        from_name: Some("Zoë, \"Lamps\"".to_owned()),
        subject: "Grüße aus der Werkstatt".to_owned(),
        text: "Schöne Lampe".to_owned(),
        ..draft()
    });
    assert!(text.contains("\r\nSubject: =?utf-8?b?"), "{text}");
    assert!(text.contains("<hello@shop.example>\r\n") && !text.contains("From: Zo\u{eb}"), "{text}");
    assert!(text.contains("Sch=C3=B6ne Lampe"), "{text}");
}

#[test]
fn html_and_files_stand_beside_the_text() {
    let text = written(Draft {
        html: Some("<p>Hello Bob</p>".to_owned()),
        attachments: vec![file("plan.pdf", "application/pdf", b"%PDF\r\n.\r\n\0\xff")],
        ..draft()
    });
    let (mixed, rest) = text.split_once("multipart/mixed;").expect("files");
    assert!(!mixed.contains("multipart"));
    let (_, alternative) = rest.split_once("multipart/alternative;").expect("two texts");
    let (plain, html) = alternative.split_once("text/html; charset=utf-8").expect("HTML");
    assert!(plain.contains("text/plain; charset=utf-8") && plain.contains("Hello Bob"));
    let (html, file) = html.split_once("Content-Disposition: attachment; filename=\"plan.pdf\"").expect("a file");
    assert!(html.contains("<p>Hello Bob</p>"));
    let base64 = STANDARD.encode(b"%PDF\r\n.\r\n\0\xff");
    assert!(file.contains(&base64), "{file}");
}

#[test]
fn lines_end_as_mail_has_them_whatever_was_given() {
    let text = written(Draft { text: "one\ntwo\r\nthree\rfour\r\n.\r\nfive".to_owned(), ..draft() });
    let body = text.split_once("\r\n\r\n").expect("a body").1;
    assert_eq!(body.trim_end(), "one\r\ntwo\r\nthree\r\nfour\r\n.\r\nfive");
    let stray = text.replace("\r\n", "");
    assert!(!stray.contains(['\r', '\n']), "{stray:?}");
}

#[test]
fn the_same_letter_is_the_same_bytes_and_has_the_same_digest() {
    let whole =
        || Draft { html: Some("<p>a</p>".to_owned()), attachments: vec![file("a.txt", "text/plain", b"a")], ..draft() };
    assert_eq!(written(whole()), written(whole()));
    let digest = |draft: Draft| draft.check().expect("a letter").digest(&from());
    assert_eq!(digest(whole()), digest(whole()));
    let text = || "Hello Eve".to_owned();
    for other in [
        Draft { class: Class::List, ..whole() },
        Draft { from_name: Some("A".to_owned()), ..whole() },
        Draft { to: vec!["eve@shop.example".to_owned()], ..whole() },
        Draft { reply_to: Some("eve@shop.example".to_owned()), ..whole() },
        Draft { subject: text(), ..whole() },
        Draft { text: text(), ..whole() },
        Draft { html: None, ..whole() },
        Draft { in_reply_to: Some("<a@b>".to_owned()), ..whole() },
        Draft { references: vec!["<a@b>".to_owned()], ..whole() },
        Draft { attachments: vec![file("a.txt", "text/plain", b"b")], ..whole() },
        Draft { attachments: Vec::new(), ..whole() },
    ] {
        assert_ne!(digest(other.clone()), digest(whole()), "{other:?}");
    }
}

#[test]
fn no_part_of_a_message_becomes_a_header() {
    let evil = || "a\r\nBcc: eve@evil.example".to_owned();
    let text = || Some(evil());
    for (member, draft) in [
        ("from-name", Draft { from_name: text(), ..draft() }),
        ("from-name", Draft { from_name: Some("a\nb".to_owned()), ..draft() }),
        ("from-name", Draft { from_name: Some(" ".to_owned()), ..draft() }),
        ("to/0", Draft { to: vec![evil()], ..draft() }),
        ("to/1", Draft { to: vec!["bob@shop.example".to_owned(), "eve".to_owned()], ..draft() }),
        ("reply-to", Draft { reply_to: text(), ..draft() }),
        ("subject", Draft { subject: evil(), ..draft() }),
        ("subject", Draft { subject: "a\u{2028}b".to_owned(), ..draft() }),
        ("subject", Draft { subject: "a\0".to_owned(), ..draft() }),
        ("text", Draft { text: "a\0b".to_owned(), ..draft() }),
        ("html", Draft { html: Some("a\u{1b}b".to_owned()), ..draft() }),
        ("in-reply-to", Draft { in_reply_to: Some(format!("<a@b>{}", evil())), ..draft() }),
        ("in-reply-to", Draft { in_reply_to: Some("a@b".to_owned()), ..draft() }),
        ("references/1", Draft { references: vec!["<a@b>".to_owned(), "<a@b> <c@d>".to_owned()], ..draft() }),
        ("attachments/0/name", Draft { attachments: vec![file(&evil(), "text/plain", b"")], ..draft() }),
        ("attachments/0/name", Draft { attachments: vec![file("../a", "text/plain", b"")], ..draft() }),
        ("attachments/0/media-type", Draft { attachments: vec![file("a", "text/plain\r\nX: y", b"")], ..draft() }),
        ("attachments/0/media-type", Draft { attachments: vec![file("a", "text/plain; name=b", b"")], ..draft() }),
        ("attachments/0/media-type", Draft { attachments: vec![file("a", "message/rfc822", b"")], ..draft() }),
    ] {
        let shown = format!("{draft:?}");
        assert_eq!(draft.check().expect_err(&shown).member, member, "{shown}");
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let many = |count: usize| (0..count).map(|at| format!("bob{at}@shop.example")).collect::<Vec<_>>();
    let files = |count: usize| (0..count).map(|_| file("a", "text/plain", b"a")).collect::<Vec<_>>();
    for (member, draft) in [
        ("to", Draft { to: Vec::new(), ..draft() }),
        ("to", Draft { to: many(21), ..draft() }),
        ("to", Draft { class: Class::List, to: many(2), ..draft() }),
        ("to/1", Draft { to: vec!["bob@shop.example".to_owned(), "Bob@Shop.example".to_owned()], ..draft() }),
        ("subject", Draft { subject: "a".repeat(251), ..draft() }),
        ("subject", Draft { subject: String::new(), ..draft() }),
        ("text", Draft { text: "a".repeat(512 * 1024 + 1), ..draft() }),
        ("references", Draft { references: vec!["<a@b>".to_owned(); 21], ..draft() }),
        ("attachments", Draft { attachments: files(11), ..draft() }),
        ("attachments", Draft { attachments: vec![file("a", "text/plain", &vec![0; (7 << 20) + 1])], ..draft() }),
    ] {
        assert_eq!(draft.check().expect_err("too much").member, member);
    }
    let most = Draft {
        text: "ö".repeat(256 * 1024),
        html: Some("ö".repeat(256 * 1024)),
        attachments: vec![file("a", "text/plain", &vec![0; 7 << 20])],
        to: many(20),
        ..draft()
    };
    assert!(written(most).len() > LARGEST, "two such texts and so many files are more than a message can hold");
    let files = Draft { attachments: vec![file("a", "text/plain", &vec![0; 7 << 20])], ..draft() };
    assert!(written(files).len() < LARGEST);
}
