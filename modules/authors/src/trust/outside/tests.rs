//! Reading of pages that were not written for us.

use super::*;

#[test]
fn text_is_what_readers_see_and_what_pages_say_of_themselves() {
    let html = "<title>Ada&nbsp;Lovelace</title><style>p{}</style><script>var a='Grace <Hopper>'</script><meta name=x content='Bio'>";
    assert_eq!(name::words(&text(html)), ["ada", "lovelace", "bio"]);
    assert_eq!(text("no tags < and no end"), "no tags  ");
}

#[test]
fn links_are_read_in_any_quoting() {
    let html =
        "<a class=x href=\"/a?b=1&amp;c=2\">1</a><A HREF='https://b.example/'>2</A><a\nhref=/c>3</a><article href=/d>";
    assert_eq!(links(html).collect::<Vec<_>>(), ["/a?b=1&c=2", "https://b.example/", "/c"]);
    assert_eq!(attribute("a data-href=\"x\" href=\"y\"", "href").as_deref(), Some("y"));
}

#[test]
fn www_is_no_difference_and_another_host_is() {
    let hosts = BTreeSet::from(["shop.example".to_owned()]);
    assert!(is_own("www.shop.example", &hosts));
    assert!(!is_own("myshop.example", &hosts));
}
