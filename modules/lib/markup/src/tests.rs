//! Tests of cleaning and of the way from HTML to Markdown and back.

use proptest::prelude::*;

use super::{Link, MAX_BYTES, Refusal, links, markdown, of_html, of_markdown, prose, text};

fn clean(html: &str) -> String {
    of_html(html).expect("a body").html
}

fn again(html: &str) -> String {
    of_markdown(&markdown(html)).expect("a body").html
}

fn words(html: &str) -> String {
    text(html).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn scripts_handlers_and_frames_are_left_out_and_named() {
    let body = of_html(
        "<p onclick='x()'>a<script>evil()</script><iframe src='//x'></iframe> <a href='javascript:x()'>b</a></p>",
    );
    let body = body.expect("a body");
    assert_eq!(body.html, "<p>a <a>b</a></p>");
    assert_eq!(body.dropped, ["iframe", "on…", "script"]);
}

#[test]
fn markdown_becomes_html_and_its_own_html_is_cleaned() {
    let body = of_markdown("# A *b*\n\n<script>x()</script>\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |")
        .expect("a body");
    assert!(body.html.contains("<h1>A <em>b</em></h1>"), "{}", body.html);
    assert!(body.html.contains("<table>") && !body.html.contains("script"), "{}", body.html);
    assert_eq!(body.dropped, ["script"]);
}

#[test]
fn a_page_pasted_whole_keeps_its_text_alone() {
    let html = "<!doctype html><html><head><title>T</title><style>p{}</style></head><body><p>text</p></body></html>";
    assert_eq!(text(&clean(html)), "text");
}

#[test]
fn what_is_too_large_or_too_deep_is_refused() {
    assert_eq!(of_html(&"a".repeat(MAX_BYTES + 1)), Err(Refusal::TooLarge));
    assert!(of_html(&"a".repeat(MAX_BYTES)).is_ok());
    assert_eq!(of_html(&"<div>".repeat(500)), Err(Refusal::TooComplex));
    assert_eq!(of_markdown(&">".repeat(300_000)), Err(Refusal::TooComplex));
    assert!(of_markdown(&"\"&<".repeat(99_000)).is_ok());
    let table = format!("|{}\n|{}\n{}", "a|".repeat(600), "-|".repeat(600), "|b\n".repeat(70_000));
    assert_eq!(of_markdown(&table), Err(Refusal::TooLarge));
}

#[test]
fn elements_become_their_signs() {
    let html = "<h2>A  <em>b</em></h2><p>See <a href=\"/x?a=1&amp;copy=2\">the x</a>, <b>now</b>: <code>a*b</code> 2*3<br>new</p><pre><code class=\"language-rust\">x\n  y</code></pre><hr>";
    let wanted = "## A *b*\n\nSee [the x](/x?a=1\\&copy=2), **now**: `a*b` 2\\*3\\\nnew\n\n```rust\nx\n  y\n```\n\n---";
    assert_eq!(markdown(html), wanted);
    assert_eq!(words(&again(html)), words(html));
    assert!(again(html).contains("href=\"/x?a=1&amp;copy=2\""), "{}", again(html));
}

#[test]
fn lists_nest_and_tables_keep_their_columns() {
    let html = "<ol start=\"3\"><li>one<ul><li>inner</li></ul></li><li>two</li></ol><table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td></tr></table>";
    assert_eq!(markdown(html), "3. one\n   - inner\n4. two\n\n| a | b |\n| --- | --- |\n| 1\\|2 |  |");
    assert!(again(html).contains("<ol start=\"3\">"), "{}", again(html));
    assert_eq!(words(&again(html)), words(html));
}

#[test]
fn signs_that_markdown_reads_stay_text() {
    let lines = [
        "1986. A great year",
        "- no list",
        "+ none",
        "# no heading",
        "C# and F#",
        "> no quote",
        "=== x",
        "&lt; is an entity",
        "a ![x](y) b",
        "~~x~~",
        "`code`",
        "| a | b |",
        "*a* **b** _c_",
        "<b>x</b>",
        "\\",
        "a\\",
        "!",
        "***",
        "---",
        "1) x",
    ];
    for line in lines {
        let html = format!("<p>{}</p>", line.replace('&', "&amp;").replace('<', "&lt;"));
        assert_eq!(text(&clean(&html)), line);
        assert_eq!(text(&again(&clean(&html))), line, "{}", markdown(&html));
    }
}

#[test]
fn emphasis_within_a_word_and_around_signs_survives() {
    for html in [
        "<p><b>a:</b>b</p>",
        "<p><b>a</b><i>b</i></p>",
        "<p>x<b><i>a</i></b>y</p>",
        "<p><b> a </b>b</p>",
        "<p>wow!<a href=\"/a\">b</a></p>",
    ] {
        assert_eq!(words(&again(html)), words(html), "{}", markdown(html));
        assert!(again(html).contains("<strong>") || html.contains("wow"), "{}", again(html));
        assert!(!again(html).contains("<img"), "{}", again(html));
    }
}

#[test]
fn blocks_and_cells_are_lines_of_the_text() {
    let html = "<h1>T</h1><p>a<br>b <b>c</b></p><ul><li>x</li><li>y</li></ul><table><tr><td>1</td><td>2</td></tr></table><pre>p\n  q</pre>";
    assert_eq!(text(html), "T\na\nb c\nx\ny\n1\n2\np\n  q");
}

#[test]
fn links_are_listed_in_order_and_bounded() {
    let html = "<p><a href=\"/a\">one <b>a</b></a> <a>none</a> <a href=\"https://x.example\">two</a></p>";
    let link = |href: &str, text: &str| Link { href: href.to_owned(), text: text.to_owned() };
    assert_eq!(links(html, 9), [link("/a", "one a"), link("https://x.example", "two")]);
    assert_eq!(links(html, 1).len(), 1);
}

#[test]
fn prose_keeps_its_places_and_leaves_out_code_quotes_and_addresses() {
    let markdown = "A **bold** `code` [link](https://x.example/code)\nnext ü\n\n> quoted\n\n```\ncode\n```\n- item";
    let prose = prose(markdown);
    assert_eq!(prose.len(), markdown.len());
    assert_eq!(prose.split_whitespace().collect::<Vec<_>>(), ["A", "bold", "link", "next", "ü", "item"]);
    for word in ["bold", "next", "item"] {
        assert_eq!(prose.find(word), markdown.find(word));
    }
    let table = super::prose(&format!("|{}\n|{}\n{}", "a|".repeat(600), "-|".repeat(600), "|b\n".repeat(30_000)));
    assert!(table.contains('b'));
    assert!(prose.starts_with("A   bold") && prose.contains("   next"), "{prose:?}");
}

#[test]
fn time_grows_with_length_alone() {
    let long = [
        "*",
        "[",
        "<b>",
        "`",
        "| a ",
        "- ",
        "&",
        "![",
        "<a href=x>",
        "\n- x",
        "_a_ ",
        "**a",
        "<p>",
        "a\n",
        "&amp;",
        "<!--",
    ];
    let took = |piece: &str, length: usize| {
        let begun = std::time::Instant::now();
        if let Ok(body) = of_markdown(&piece.repeat(length / piece.len())) {
            assert!(markdown(&body.html).len() < 20 * length + 100, "{piece}");
            let _ = text(&body.html);
        }
        begun.elapsed().as_secs_f64()
    };
    for piece in long {
        // Eight times the length; what grows with the square takes 64 times as long. A busy machine may disturb a try.
        let is_linear = || took(piece, 80_000) < 32.0 * took(piece, 10_000).max(0.02);
        assert!((0..4).any(|_| is_linear()), "{piece:?}");
    }
}

#[test]
fn addresses_that_run_code_are_left_out_however_they_are_written() {
    for address in [
        "javascript:x()",
        " JaVaScRiPt:x()",
        "java\nscript:x()",
        "\u{1}javascript:x()",
        "data:text/html,x",
        "vbscript:x",
    ] {
        let html = clean(&format!("<a href=\"{address}\">a</a><img src=\"{address}\">"));
        assert_eq!(html, "<a>a</a><img>", "{address}");
    }
    for address in ["/a:b", "a?b:c", "#x:y", "//x.example/", "https://x.example/", "mailto:a@x.example", "tel:+1"] {
        assert!(clean(&format!("<a href=\"{address}\">a</a>")).contains(address), "{address}");
    }
}

/// Text with many signs that mean something.
fn signs() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            "[a-zA-Zäß字]{1,6}",
            "[-+*_#>=~`!|.)(\\[\\]<&;:0-9\\\\]{1,4}",
            Just(" ".to_owned()),
            Just("&amp;".to_owned())
        ],
        1..12,
    )
    .prop_map(|parts| parts.concat().replace('&', "&amp;").replace('<', "&lt;"))
}

/// Pieces that get past careless cleaners.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = [
        "<svg>",
        "</svg>",
        "<math>",
        "<mtext>",
        "<style>",
        "</style>",
        "<script>",
        "</script>",
        "<p>",
        "</p>",
        "<table>",
        "<td>",
        "<a href=javascript:x>",
        "<img src=x onerror=x()>",
        "<!--",
        "-->",
        "<noscript>",
        "</noscript>",
        "<b>",
        "text ",
        "<title>",
        "</title>",
        "<form>",
        "<mglyph>",
        "<foreignObject>",
        "<template>",
        "<select>",
        "<iframe>",
        "</iframe>",
        "\"",
        "'",
        "<li>",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..12).prop_map(|parts| parts.concat())
}

fn inline() -> impl Strategy<Value = String> {
    (signs(), 0..8_u8).prop_map(|(text, kind)| match kind {
        0 => format!("<b>{text}</b>"),
        1 => format!("<em>{text}</em>"),
        2 => format!("<code>{text}</code>"),
        3 => format!("<a href=\"/a?b=c&amp;d\">{text}</a>"),
        4 => format!("<sub>{text}</sub>"),
        _ => text,
    })
}

fn block() -> impl Strategy<Value = String> {
    (proptest::collection::vec(inline(), 1..5), 0..8_u8).prop_map(|(parts, kind)| {
        let text = parts.concat();
        match kind {
            0 => format!("<h2>{text}</h2>"),
            1 => format!("<ul><li>{text}</li><li><p>{text}</p><ul><li>{text}</li></ul></li></ul>"),
            2 => format!("<ol><li>{text}</li></ol>"),
            3 => format!("<blockquote><p>{text}</p></blockquote>"),
            4 => format!("<table><tr><th>{text}</th><td>{text}</td></tr><tr><td>{text}</td></tr></table>"),
            5 => format!("<pre>{text}</pre>"),
            _ => format!("<p>{text}</p>"),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_survives_the_way_to_markdown_and_back(blocks in proptest::collection::vec(block(), 1..5)) {
        let html = clean(&blocks.concat());
        prop_assert_eq!(words(&again(&html)), words(&html), "{}\n{}", html, markdown(&html));
    }

    #[test]
    fn cleaning_again_changes_nothing(written in "[<>/a-z\"'= &;!-]{0,60}") {
        let html = clean(&written);
        prop_assert_eq!(clean(&html), html);
    }

    #[test]
    fn nothing_is_left_that_ammonia_takes_out(written in hostile()) {
        let html = clean(&written);
        let mut judge = ammonia::Builder::default();
        judge
            .link_rel(None)
            .add_tags(["main", "section"])
            .add_generic_attributes(["dir", "lang", "title"])
            .add_tag_attributes("code", ["class"])
            .url_schemes(["http", "https", "mailto", "tel"].into_iter().collect());
        let judged = judge.clean(&html).to_string();
        let tags = |it: &str| it.matches('<').count();
        prop_assert_eq!(tags(&judged), tags(&clean(&judged)), "{}", html);
        prop_assert_eq!(text(&judged), text(&html), "{}", html);
        let lower = html.to_lowercase();
        for sign in ["<script", "<style", "<svg", "<math", "<iframe", "onerror=", "javascript:"] {
            prop_assert!(!lower.contains(sign), "{sign}: {html}");
        }
    }
}
