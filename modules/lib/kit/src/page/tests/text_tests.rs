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
    assert_eq!(page("<main><h1>T</h1><p>By Jane van Doe</p>").byline_visible.as_deref(), Some("Jane van Doe"));
    assert_eq!(page("<main><h1>T</h1><p>By Jane Doe | 3 May</p>").byline_visible.as_deref(), Some("Jane Doe"));
    assert_eq!(page("<main><p>By the way, this is text of a normal sentence.</p>").byline_visible, None);
    let facts = page("<main><a rel=author href=/jane>Jane</a>");
    assert_eq!((facts.byline_visible.as_deref(), facts.byline_markup.as_deref()), (Some("Jane"), Some("Jane")));
}

#[test]
fn bylines_are_read_in_lines_of_text_in_many_languages_and_of_many_people() {
    let cases = [
        ("Posted by Jane Doe on May 3, 2024", "Jane Doe"),
        ("posted by Jane Doe on 3 May 2024 in News", "Jane Doe"),
        ("Posted on May 3, 2024 by Jane Doe", "Jane Doe"),
        ("May 3, 2024 by Jane Doe", "Jane Doe"),
        ("By Jane Doe and John Roe", "Jane Doe; John Roe"),
        ("By Jane Doe, John Roe and Mary Major", "Jane Doe; John Roe; Mary Major"),
        ("By Jane Doe & John Roe | 3 May 2024", "Jane Doe; John Roe"),
        ("By Jane Doe, Senior Editor", "Jane Doe"),
        ("By Jane Doe May 3, 2024", "Jane Doe"),
        ("Von Anna Müller und Max Mustermann, 3. Mai 2024", "Anna Müller; Max Mustermann"),
        ("Veröffentlicht am 3. Mai 2024 von Anna Müller", "Anna Müller"),
        ("Par Marie Dupont et Jean Martin", "Marie Dupont; Jean Martin"),
        ("Publié le 3 mai 2024 par Marie Dupont", "Marie Dupont"),
        ("Por José da Silva", "José da Silva"),
        ("Por José Ortega y Gasset", "José Ortega y Gasset"),
        ("Por Ana García y José Ortega y Gasset", "Ana García; José Ortega y Gasset"),
        ("Por José Ortega y Gasset y Ana García", "José Ortega y Gasset; Ana García"),
        ("Por Maria Silva e Costa", "Maria Silva e Costa"),
        ("Escrito por Ana García el 3 de mayo de 2024", "Ana García"),
        ("Автор: Иван Петров", "Иван Петров"),
        ("Автор: Иван Петров, 3 мая 2024", "Иван Петров"),
        ("Kirjoittaja: Matti Meikäläinen", "Matti Meikäläinen"),
        ("Yazan: Ayşe Yılmaz", "Ayşe Yılmaz"),
        ("作者：王小明", "王小明"),
        ("作者：王小明、李大华", "王小明; 李大华"),
        ("文／王小明", "王小明"),
        ("記者 王小明／台北報導", "王小明"),
        ("著者: 山田太郎", "山田太郎"),
        ("執筆者：山田 太郎", "山田 太郎"),
        ("홍길동 기자", "홍길동"),
        ("글: 홍길동", "홍길동"),
        ("بقلم: أحمد علي", "أحمد علي"),
        ("ผู้เขียน: สมชาย ใจดี", "สมชาย ใจดี"),
    ];
    let mut wrong = Vec::new();
    for (line, expected) in cases {
        let facts = page(&format!("<main><h1>T</h1><p>{line}</p><p>A text about lamps of brass.</p></main>"));
        let marked = page(&format!("<main><h1>T</h1><p class=byline>{line}</p></main>"));
        for (how, facts) in [("by its words", facts), ("by its class", marked)] {
            if facts.byline_visible.as_deref() != Some(expected) {
                wrong.push(format!("{line}, {how}: {:?}", facts.byline_visible));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_sentence_is_no_byline() {
    for line in [
        "By the way, this is text of a normal sentence.",
        "By Monday we will ship all of it.",
        "By United Nations rules the tests are run again",
        "Von Zeit zu Zeit wird das Verfahren erneuert.",
        "Por Favor",
        "作者：他在这篇很长的文章里写了很多关于灯的内容，并且还要继续写下去",
        "文/物的历史可以追溯到很久以前的那个时代和地方",
        "Posted in News",
        "Published 3 May 2024",
    ] {
        let facts = page(&format!("<main><h1>T</h1><p>{line}</p></main>"));
        assert_eq!(facts.byline_visible, None, "{line}");
    }
}

#[test]
fn all_authors_of_the_markup_are_named() {
    let facts = page(
        r#"<script type="application/ld+json">{"@type":"Article","author":[{"name":"Jane Doe"},{"name":"John Roe"}]}</script>"#,
    );
    assert_eq!(facts.byline_markup.as_deref(), Some("Jane Doe; John Roe"));
}

#[test]
fn the_ratio_of_text_is_that_of_visible_characters() {
    let facts = page(&format!("<p>{}</p>", "word ".repeat(100)));
    assert!(facts.text_ratio > 0.95 && facts.text_ratio <= 1.0, "{}", facts.text_ratio);
    assert!(page("<div><div></div></div>").text_ratio.abs() < f64::EPSILON);
}
