//! Tests of `insertion`: a link in one text node, and nothing else touched.

use super::{Inserted, Refused, find, insert, undo};
use crate::chance::Chance;

const HREF: &str = "https://shop.example/lamps?a=1&b=2";

fn inserted(text: &str, sentence: &str, anchor: &str) -> Inserted {
    let inserted = insert(text, sentence, anchor, HREF).unwrap_or_else(|why| panic!("{}: {text}", why.word()));
    assert_eq!(undo(&inserted.text, &inserted).as_deref(), Some(text));
    assert_eq!(find(&inserted.text, anchor, HREF).as_ref(), Some(&inserted));
    inserted
}

#[test]
fn a_link_is_found_again_where_others_wrote_around_it_and_no_other_link_is_taken_for_it() {
    let with = inserted("<p>Our lamps last.</p>", "Our lamps last.", "lamps");
    let later = format!("<p>New.</p>{}", with.text.replace("last", "last long"));
    let found = find(&later, "lamps", HREF).unwrap();
    assert_eq!(undo(&later, &found).as_deref(), Some("<p>New.</p><p>Our lamps last long.</p>"));
    for text in ["<p>Our lamps last.</p>", "<a href=\"https://shop.example/other\">lamps</a>", "<a href=\""] {
        assert_eq!(find(text, "lamps", HREF), None, "{text}");
    }
    assert_eq!(find(&with.text, "desks", HREF), None);
}

#[test]
fn two_tags_go_around_the_words_and_nothing_else_changes() {
    let text = "<!-- wp:paragraph -->\n<p>Good light needs brass lamps on the desk.</p>\n<!-- /wp:paragraph -->";
    let with = inserted(text, "Good light needs brass lamps on the desk.", "brass lamps");
    let link = "<a href=\"https://shop.example/lamps?a=1&amp;b=2\">brass lamps</a>";
    assert_eq!(with.text, text.replace("brass lamps", link));
    assert_eq!(&with.text[with.closing.clone()], "</a>");
}

#[test]
fn a_sentence_is_found_as_readers_see_it() {
    for text in [
        "<p>It&#8217;s  the\n  lamp &amp; shade &mdash; &quot;ours&quot;&hellip; here.</p>",
        "<p>It's the lamp &amp; shade -- \"ours\"... here.</p>",
        "It’s the <em>lamp</em> & shade — “ours”… here.",
        "It's the la\u{ad}mp & shade - \"ours\"... here.",
    ] {
        let sentence = "It’s the lamp & shade — “ours”… here.";
        let with = inserted(text, sentence, "here");
        assert!(with.text.contains("\">here</a>."), "{}", with.text);
        let shade = inserted(text, sentence, "shade —");
        assert!(shade.text.contains("\">shade "), "{}", shade.text);
    }
}

#[test]
fn whole_words_are_preferred_and_the_first_place_where_a_link_may_be() {
    let sentence = "Lampshades and a lamp.";
    assert!(
        inserted("<p>Lampshades and a lamp.</p>", sentence, "lamp")
            .text
            .ends_with("a <a href=\"https://shop.example/lamps?a=1&amp;b=2\">lamp</a>.</p>")
    );
    let twice = "<h2>Our lamps last.</h2><p>Our lamps last.</p>";
    assert!(inserted(twice, "Our lamps last.", "lamps").text.starts_with("<h2>Our lamps last.</h2><p>Our <a "));
}

#[test]
fn no_link_goes_into_headings_links_scripts_code_shortcodes_attributes_or_comments() {
    let sentence = "Our lamps last.";
    for (text, why) in [
        ("<h2>Our lamps last.</h2>", Refused::Forbidden),
        ("<a href=/x>Our lamps last.</a>", Refused::Forbidden),
        ("<a href=/x><b>Our lamps last.</b></a>", Refused::Forbidden),
        ("<pre>Our lamps last.</pre>", Refused::Forbidden),
        ("<button>Our lamps last.</button>", Refused::Forbidden),
        ("[box title=\"x\"]Our lamps last.[/box]", Refused::Forbidden),
        ("<p>Our la<b>mps</b> last.</p>", Refused::Interrupted),
        ("<p>Our <b>la</b>mps last.</p>", Refused::Interrupted),
        ("<script>var a = 'Our lamps last.';</script>", Refused::TextChanged),
        ("<style>/* Our lamps last. */</style>", Refused::TextChanged),
        ("<!-- Our lamps last. -->", Refused::TextChanged),
        ("<img alt=\"Our lamps last.\">", Refused::TextChanged),
        ("[quote text=\"Our lamps last.\"]", Refused::TextChanged),
        ("<p>Our lamps</p><p>last.</p>", Refused::TextChanged),
        ("<p>Our lamps lasted.</p>", Refused::TextChanged),
        ("", Refused::TextChanged),
    ] {
        assert_eq!(insert(text, sentence, "lamps", HREF).unwrap_err(), why, "{text}");
    }
    assert_eq!(insert("<p>Our lamps last.</p>", sentence, "desks", HREF), Err(Refused::NotInSentence));
    let linked = "<p><a href='https://shop.example/lamps?a=1&#038;b=2'>Lamps</a>. Our lamps last.</p>";
    assert_eq!(insert(linked, sentence, "lamps", HREF), Err(Refused::AlreadyLinked));
    assert!(insert("[sic] is no box: <p>Our lamps last.</p>", sentence, "lamps", HREF).is_ok());
    assert!(insert("<p>1 < 2, and [1] too. Our lamps last.</p>", sentence, "lamps", HREF).is_ok());
}

#[test]
fn what_was_changed_meanwhile_is_not_undone() {
    let with = inserted("<p>Our lamps last.</p>", "Our lamps last.", "lamps");
    assert_eq!(undo(&with.text.replace("shop", "mall"), &with), None);
    assert_eq!(undo("", &with), None);
    let later = with.text.replace("last.", "last for years.");
    assert_eq!(undo(&later, &with).as_deref(), Some("<p>Our lamps last for years.</p>"));
}

/// Texts that are put together from pieces by chance: whatever comes of it, taking the tags out gives the same bytes, and
/// the tags stand in running text.
#[test]
fn taking_the_tags_out_of_any_text_gives_the_bytes_that_were_there() {
    const PIECES: &[&str] = &[
        "<p>",
        "</p>",
        "Brass lamps glow. ",
        "brass lamps",
        " &amp; ",
        "&nbsp;",
        "<b>",
        "</b>",
        "<h2>",
        "</h2>",
        "[box]",
        "[/box]",
        "<!-- wp:x -->",
        "<a href=\"/x\">",
        "</a>",
        "“Glow” — ",
        "é\u{301}日本 ",
        "\n\n",
        "<",
        ">",
        "[",
        "]",
        "&",
        "<script>",
        "</script>",
        "<br/>",
        "<img alt='Brass lamps glow.'>",
        "Brass <i>lamps</i> glow.",
        "'",
        "\"",
        "&#8217;",
    ];
    let mut chance = Chance::new(7);
    let mut done = 0;
    for _ in 0..4_000 {
        let count = 1 + chance.below(12);
        let text: String = (0..count).map(|_| PIECES[chance.below(PIECES.len())]).collect();
        let Ok(with) = insert(&text, "Brass lamps glow.", "lamps", HREF) else { continue };
        assert_eq!(undo(&with.text, &with).as_deref(), Some(text.as_str()));
        assert_eq!(&with.text[with.opening.end..with.closing.start], "lamps", "{text}");
        assert_eq!(insert(&with.text, "Brass lamps glow.", "lamps", HREF), Err(Refused::AlreadyLinked), "{text}");
        done += 1;
    }
    assert!(done > 200, "{done}");
}
