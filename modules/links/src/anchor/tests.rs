//! Tests of `links.anchor.report`.

use sdk::json;
use sdk::serde_json::Value;

use crate::trial::{Crawl, RUN, build, takes, website};

fn report(problem: Option<&str>) -> Value {
    let fake = website();
    let mut crawl = Crawl::begin(&fake, RUN);
    let links = "<a href=/lamps>click here</a> <a href=/desks></a> <a href=/a>offer</a> <a href=/b>offer</a> <a href=/c>Offer</a> <a href=/x>purple unicorn</a>";
    crawl.html("/", &format!("<title>Home</title><main>{links}</main>"));
    for path in ["lamps", "desks", "a", "b", "c"] {
        crawl.html(&format!("/{path}"), &format!("<title>{path}</title><main><a href=/x>golden giraffe</a></main>"));
    }
    crawl.html("/x", "<title>Brass lamps</title><p>x</p>");
    for page in 0..12 {
        let more = "<main><a href=/a>the one text</a></main>";
        crawl.html(&format!("/p{page}"), &format!("<title>Page {page}</title>{more}"));
    }
    build(&fake, json!({ "run_ref": RUN }));
    let mut arguments = json!({ "run_ref": RUN });
    if let Some(problem) = problem {
        arguments["problem"] = problem.into();
    }
    fake.call("links.anchor.report", arguments).unwrap()
}

#[test]
fn generic_empty_repeated_and_conflicting_texts_are_told() {
    let report = report(None);
    let rows = report["rows"].as_array().unwrap();
    let named = |problem: &str| rows.iter().filter(|it| it["problem"] == problem).collect::<Vec<_>>();
    assert_eq!(named("generic")[0]["anchor"], "click here", "{report}");
    assert_eq!(named("empty")[0]["target"], "https://shop.example/desks");
    assert_eq!(
        (&named("over_repeated")[0]["anchor"], &named("over_repeated")[0]["links"]),
        (&json!("the one text"), &json!(12))
    );
    let conflicts = report["conflicts"].as_array().unwrap();
    let clash =
        |problem: &str| conflicts.iter().find(|it| it["problem"] == problem).unwrap_or_else(|| panic!("{report}"));
    assert_eq!(clash("many_targets")["targets"].as_array().unwrap().len(), 3);
    assert_eq!(clash("unrelated_texts")["targets"], json!(["https://shop.example/x"]));
    rows.iter().chain(conflicts).for_each(takes);
}

#[test]
fn one_problem_alone_is_told_when_it_is_asked_for_and_an_unknown_one_is_refused_with_those_there_are() {
    let only = report(Some("generic"));
    assert!(only["rows"].as_array().unwrap().iter().all(|it| it["problem"] == "generic"));
    let fake = crate::trial::built();
    let refused = fake.refusal("links.anchor.report", json!({ "run_ref": RUN, "problem": "ugly" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("unknown_problem", Some("/problem")));
    assert!(refused.detail.unwrap().contains("over_repeated"));
}
