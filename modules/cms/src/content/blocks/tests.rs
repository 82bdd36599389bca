//! Blocks, held against their grammar and the text that was meant.

use kit::dom::Dom;

use super::{cleaned, of_html, of_markdown};

/// The names of blocks in order; panics when a block is not closed where it should be.
fn names(content: &str) -> Vec<String> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for part in content.split("<!-- ").skip(1) {
        let mark = part.split(" -->").next().expect("the end of a comment");
        if let Some(name) = mark.strip_prefix("/wp:") {
            assert_eq!(open.pop().as_deref(), Some(name), "{content}");
        } else if let Some(name) = mark.strip_prefix("wp:") {
            let name = name.split(' ').next().expect("a name").to_owned();
            open.push(name.clone());
            all.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} {content}");
    all
}

/// The words that a reader sees.
fn words(html: &str) -> String {
    let dom = Dom::parse(html);
    let words: Vec<String> = dom.elements("body").map(|body| dom.text(body)).collect();
    kit::text::collapse(&words.join(" "))
}

const MARKDOWN: &str = "# Brass lamps\n\nSee [our *lamps*](/lamps) & more.\n\n## Why\n\n- one\n- two\n  1. inner\n  2. last\n- three\n\n> A quote\n> of two lines.\n\n```rust\nlet a = \"<b>\";\n```\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |\n\n---\n\n![A lamp](https://shop.example/a.jpg)\n";

#[test]
fn markdown_becomes_the_blocks_that_an_editor_would_make() {
    let made = of_html(&of_markdown(MARKDOWN));
    assert_eq!(
        names(&made.content),
        [
            "heading",
            "paragraph",
            "heading",
            "list",
            "list-item",
            "list-item",
            "list",
            "list-item",
            "list-item",
            "list-item",
            "quote",
            "paragraph",
            "code",
            "table",
            "separator",
            "image"
        ]
    );
    assert!(made.warnings.is_empty());
    for part in [
        "<!-- wp:heading {\"level\":1} -->\n<h1 class=\"wp-block-heading\">Brass lamps</h1>\n<!-- /wp:heading -->",
        "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">Why</h2>",
        "<!-- wp:list {\"ordered\":true} -->\n<ol class=\"wp-block-list\">",
        "<figure class=\"wp-block-table\"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><del>2</del></td></tr></tbody></table></figure>",
        "<pre class=\"wp-block-code\"><code>let a = \"&lt;b&gt;\";",
        "<figure class=\"wp-block-image\"><img src=\"https://shop.example/a.jpg\" alt=\"A lamp\"/></figure>",
    ] {
        assert!(made.content.contains(part), "{part}\n{}", made.content);
    }
}

#[test]
fn readers_see_the_same_words_as_before() {
    for html in [
        of_markdown(MARKDOWN),
        "Bare text with <b>bold</b> words<p>and a paragraph</p>more<br>text".to_owned(),
        "<div><section><h3>In</h3><p>deep</p></section></div><dl><dt>a</dt><dd>b</dd></dl>".to_owned(),
        "<ul><li><p>loose</p><p>item</p></li><li>x<ul><li>y</li></ul></li></ul>".to_owned(),
        "<p>1 &lt; 2 &amp; 3</p><p></p>".to_owned(),
    ] {
        let made = of_html(&html);
        names(&made.content);
        let squeezed = |text: String| text.replace(' ', "");
        assert_eq!(squeezed(words(&made.content)), squeezed(words(&html)), "{}", made.content);
    }
}

#[test]
fn nothing_that_runs_survives() {
    let hostile = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<svg onload=alert(1)><script>1</script></svg>",
        "<iframe src=\"https://evil.example/\"></iframe>",
        "<iframe src=\"javascript:alert(1)\"></iframe>",
        "<iframe srcdoc=\"<script>1</script>\"></iframe>",
        "<form action=/x><input name=a></form>",
        "<style>@import 'x'</style>",
        "<object data=x></object>",
        "<embed src=x>",
        "<base href=\"https://evil.example\">",
        "<meta http-equiv=refresh content=0>",
        "<math><mtext><script>1</script></mtext></math>",
        "<p style=\"background:url(javascript:1)\">x</p>",
        "<a href=\"data:text/html,<script>1</script>\">x</a>",
        "<template><script>1</script></template>",
        "<noscript><img src=x onerror=1></noscript>",
        "<scr<script>ipt>1</scr</script>ipt>",
        "<IMG SRC=JaVaScRiPt:1>",
        "<details open ontoggle=1>x</details>",
        "<video><source onerror=1></video>",
        "<!--><script>1</script>-->",
        "<a href=\" &#106;avascript:1\">x</a>",
        "<link rel=stylesheet href=x>",
    ];
    for html in hostile {
        for content in [of_html(html).content, of_html(&of_markdown(html)).content] {
            let dom = Dom::parse(&content);
            for tag in
                ["script", "style", "form", "input", "object", "embed", "base", "meta", "link", "iframe", "svg", "math"]
            {
                // A document has a head of its own, without anything in it.
                assert_eq!(dom.elements(tag).count(), 0, "{tag} of {html}: {content}");
            }
            for id in ["a", "img", "p", "details", "video", "source", "div"].iter().flat_map(|tag| dom.elements(tag)) {
                for it in dom.attributes(id) {
                    let value = it.value.trim().to_lowercase();
                    assert!(
                        !it.name.local.starts_with("on") && &*it.name.local != "style" && &*it.name.local != "srcdoc",
                        "{html}: {content}"
                    );
                    assert!(!value.starts_with("javascript:") && !value.starts_with("data:"), "{html}: {content}");
                }
            }
        }
    }
    let kept = cleaned("<iframe src=\"https://www.youtube.com/embed/a\"></iframe><script>1</script>");
    assert!(kept.content.contains("https://www.youtube.com/embed/a"));
    assert_eq!(kept.warnings, ["left out: script"]);
}
