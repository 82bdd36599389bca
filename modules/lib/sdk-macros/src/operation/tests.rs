//! What an author reads when an attribute is wrong.

use quote::quote;

use super::expand;

fn error(attribute: proc_macro2::TokenStream) -> String {
    let item = quote! {
        /// Lists things.
        fn list(cx: &Cx, args: List) -> Result<Things> { todo() }
    };
    expand(attribute, item).expect_err("the attribute is wrong").to_string()
}

#[test]
fn what_is_missing_is_named() {
    assert_eq!(error(quote!(scope = "a", cost = list)), "say `read`, `write`, `job` or `destructive`");
    assert_eq!(error(quote!(read, cost = list)), "say the scope: `scope = \"assets:read\"`");
    assert_eq!(error(quote!(read, scope = "a")), "say the cost class: `cost = indexed_read`");
    let bare = expand(
        quote!(read, scope = "a", cost = list),
        quote!(
            fn list() {}
        ),
    )
    .expect_err("no doc comment");
    assert_eq!(bare.to_string(), "an operation needs a doc comment: its first paragraph is the summary");
}

#[test]
fn what_is_wrong_is_answered_with_what_is_right() {
    assert_eq!(error(quote!(read, scope = "a", cost = live)), "the units need an upper bound: `cost = live(most = 8)`");
    assert_eq!(
        error(quote!(read, scope = "a", cost = cheap)),
        "a cost is `indexed_read`, `list`, `live`, `bulk`, `write` or `job`"
    );
    assert_eq!(
        error(quote!(read, scope = "a", cost = list, examples = ["x"])),
        "write `examples = [{ \"limit\": 10 }]`"
    );
    assert_eq!(error(quote!(read, scope = "a", cost = list, queued)), "write `queued(…)`");
    assert!(error(quote!(read, scope = "a", cost = list, scpoe = "b")).starts_with("an operation has `read | write"));
}
