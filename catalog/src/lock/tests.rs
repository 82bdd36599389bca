//! Tests of `lock`.

use super::Lock;
use crate::error::CatalogError;
use crate::sample::built;

fn read(lock: &Lock) -> Lock {
    Lock::parse("authors.toml", &lock.text()).expect("a written lock can be read")
}

#[test]
fn a_written_lock_reads_as_what_it_was() {
    let mut lock = Lock::of(&built(), None, |_| true);
    lock.reads.insert("websites.sites".to_owned());
    lock.may_remove.insert("authors".to_owned(), "a \"byline\" can be merged\ninto another".to_owned());
    lock.limits.fuel = Some(1_000);
    lock.operations.get_mut("authors.list").expect("it is there").limits.wall_ms = Some(500);
    let mut again = read(&lock);
    again.source = lock.source.clone();
    assert_eq!(again, lock);
    assert_eq!(read(&lock).text(), lock.text());
}

#[test]
fn a_lock_reads_like_this() {
    let text = Lock::of(&built(), None, |id| id != "authors.create").text();
    for line in [
        "grants = [\"log\", \"records\", \"records-write\"]",
        "withheld = [\"authors.create\"]",
        "[collections.authors]\nstatus = [\"status\", \"lastname\"]",
        "[operations.\"authors.list\"]\nkind = \"read\"\nmode = \"immediate\"\nscopes = [\"assets:read\"]",
        "cost = \"list: 1 point, then 1 per 25 rows after 25, at most limit or 25\"",
        "arguments = \"limit?: int[1..100] = 25\"",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
}

#[test]
fn what_a_person_decided_survives_a_new_lock() {
    let mut first = Lock::of(&built(), None, |_| true);
    first.reads.insert("websites.sites".to_owned());
    first.may_remove.insert("authors".to_owned(), "a byline can be merged".to_owned());
    first.operations.get_mut("authors.list").expect("it is there").limits.rows_read = Some(100);
    let mut changed = built();
    changed.component = "sha256:4567".to_owned();
    let second = Lock::of(&changed, Some(&first), |_| true);
    assert_eq!((&second.reads, &second.may_remove), (&first.reads, &first.may_remove));
    assert_eq!(second.operations, first.operations);
    assert_eq!(second.component, "sha256:4567");
}

#[test]
fn a_line_is_found_in_its_table() {
    let lock = read(&Lock::of(&built(), None, |_| true));
    let text = lock.text();
    let lines: Vec<&str> = text.lines().collect();
    let line = |table: Option<&str>, key: &str| lines[lock.line_of(table, key) - 1];
    assert_eq!(line(None, "module"), "module = \"authors\"");
    assert_eq!(line(Some("operations.\"authors.list\""), "kind"), "kind = \"read\"");
    assert_eq!(line(Some("operations.\"authors.create\""), "kind"), "kind = \"write\"");
    assert_eq!(line(Some("operations.\"authors.create\""), ""), "[operations.\"authors.create\"]");
}

#[test]
fn what_is_no_lock_is_refused_with_its_line() {
    let text = Lock::of(&built(), None, |_| true).text();
    for (from, to, line) in [
        ("module = \"authors\"", "modul = \"authors\"", 3),
        ("kind = \"read\"", "kind = \"reads\"", 0),
        ("grants = [", "grants = {", 6),
    ] {
        let broken = text.replace(from, to);
        match Lock::parse("authors.toml", &broken).expect_err("refused") {
            CatalogError::Malformed { file, line: found, .. } => {
                assert_eq!(file, "authors.toml");
                assert!(line == 0 || found == line, "{to}: line {found}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn what_an_operation_may_ask_outside_is_one_line_each() {
    let mut built = built();
    built.manifest.operations[1].needs = vec!["connection:wordpress".to_owned(), "web".to_owned()];
    built.manifest.operations[1].outside = ["GET /wp-json/wp/v2/posts", "DELETE /wp-json/wp/v2/posts/* remove"]
        .map(|line| format!("wordpress {line}").parse().expect("a line"))
        .into();
    let mut lock = Lock::of(&built, None, |_| true);
    let entry = lock.operations.get_mut("authors.create").expect("it is there");
    entry.web = Some(toml::from_str("hosts = [\"*.example.org\"]\nports = [443]").expect("a reach"));
    entry.may_remove = [(entry.outside[1].clone(), "a draft is unused".to_owned())].into();
    let text = lock.text();
    for line in [
        "outside = [\n  \"wordpress GET /wp-json/wp/v2/posts\",\n  \"wordpress DELETE /wp-json/wp/v2/posts/* remove\",\n]\n",
        "web = { hosts = [\"*.example.org\"], ports = [443] }\n",
        "may_remove = { \"wordpress DELETE /wp-json/wp/v2/posts/* remove\" = \"a draft is unused\" }\n",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    let mut again = read(&lock);
    again.source = lock.source.clone();
    assert_eq!(again, lock);
    let later = Lock::of(&built, Some(&lock), |_| true);
    assert_eq!(later.operations, lock.operations);
    let table = "operations.\"authors.create\"";
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[read(&lock).line_of(Some(table), "outside") - 1], "outside = [");
}
