//! Tests of `tests`.

use super::page;
use crate::simhash::{distance, from_hex};

#[test]
fn the_main_text_leaves_out_menus_and_hidden_parts() {
    let facts = page(
        "<body><nav>menu words here</nav><main><p>One two<b>three</b></p><p hidden>no</p><p style='display: none'>no</p><script>no()</script>\
         <nav>inner menu</nav>four</main><footer>foot</footer>",
    );
    assert_eq!((facts.word_count, facts.body_word_count), (3, 9));
    assert_eq!(facts.excerpt, "One twothree four");
}

#[test]
fn without_main_the_only_article_counts_and_otherwise_everything_but_boilerplate() {
    assert_eq!(page("<div>aside text</div><article>the article</article>").excerpt, "the article");
    assert_eq!(page("<article>one</article><article>two</article><footer>x</footer>").excerpt, "one two");
    assert_eq!(page("<nav>only menus</nav>").excerpt, "only menus");
}

#[test]
fn the_hash_sees_words_and_not_white_space_or_case() {
    let a = page("<main><p>Hello   World</p></main>");
    let b = page("<body class=x><main>hello\n<i>world</i></main>");
    assert_eq!(a.text_sha256, b.text_sha256);
    assert_eq!(a.text_sha256.len(), 64);
    assert_eq!(page("<p>").text_sha256, "");
}

#[test]
fn near_duplicates_are_near_in_simhash() {
    let text = |n: usize| (0..n).map(|i| format!("term{i} ")).collect::<String>();
    let a = from_hex(&page(&format!("<main>{}</main>", text(300))).simhash).expect("words");
    let b = from_hex(&page(&format!("<div>{}</div>", text(299))).simhash).expect("words");
    assert!(distance(a, b) <= 3);
}

#[test]
fn a_byline_is_seen_where_readers_see_it() {
    assert_eq!(
        page("<main><p class='post-author'>By Jane Doe, editor</p>").byline_visible.as_deref(),
        Some("Jane Doe")
    );
    assert_eq!(page("<main><h1>T</h1><p>By Jane van Doe</p>").byline_visible, None);
    assert_eq!(page("<main><h1>T</h1><p>By Jane Doe | 3 May</p>").byline_visible.as_deref(), Some("Jane Doe"));
    assert_eq!(page("<main><p>By the way, this is text of a normal sentence.</p>").byline_visible, None);
    let facts = page("<main><a rel=author href=/jane>Jane</a>");
    assert_eq!((facts.byline_visible.as_deref(), facts.byline_markup.as_deref()), (Some("Jane"), Some("Jane")));
}

#[test]
fn the_ratio_of_text_is_that_of_visible_characters() {
    let facts = page(&format!("<p>{}</p>", "word ".repeat(100)));
    assert!(facts.text_ratio > 0.95 && facts.text_ratio <= 1.0, "{}", facts.text_ratio);
    assert!(page("<div><div></div></div>").text_ratio.abs() < f64::EPSILON);
}
