//! Names from paths.

use super::*;

fn export(path: &str) -> Export {
    syn::parse_str(path).expect("it is a path")
}

#[test]
fn an_id_is_the_path_or_the_name_it_is_given() {
    assert_eq!(export("viral::campaign::quote").id("ux_signals"), "ux_signals.viral.campaign.quote");
    assert_eq!(export("type_::get").id("schema"), "schema.type.get");
    assert_eq!(export("removal::delete as delete").id("authors"), "authors.delete");
}

#[test]
fn an_export_is_kebab_case_and_its_method_snake_case() {
    let export = export("page::lighthouse_seo::check");
    assert_eq!(export.kebab(), "page-lighthouse-seo-check");
    assert_eq!(export.method().to_string(), "page_lighthouse_seo_check");
    assert_eq!(super::tests::export("move_").method().to_string(), "move_");
}

#[test]
fn an_unknown_list_is_answered_with_the_known_ones() {
    let Err(error) = syn::parse_str::<Module>("things: [a]") else { panic!("it is no list of a module") };
    assert_eq!(
        error.to_string(),
        "a module has `operations`, `routes`, `steps`, `collections`, `upgrades`, `raw` and `untrusted`"
    );
}
