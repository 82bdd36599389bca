//! No answer brings together what its grant may not read one by one: names that are planted in one place show up in an
//! answer only under a grant that may read that place.

use std::collections::BTreeMap;
use std::time::Duration;

use model::contract::{Contract, Kind};
use model::scope::{Scope, ScopeSet};
use serde_json::{Value, json};
use tests::customer::{Answer, Customer};
use tests::host::Host;

/// A planted name, and a direct read of the place where it was planted: an operation, or a path of the REST interface.
struct Planted {
    name: &'static str,
    read: &'static str,
}

impl Planted {
    async fn read_by(&self, customer: &Customer) -> Answer {
        if self.read.starts_with('/') {
            customer.get(self.read).await
        } else {
            customer.read(self.read, json!({})).await
        }
    }
}

const PLANTED: [Planted; 3] = [
    Planted { name: "canarywebsite", read: "/websites" },
    Planted { name: "Canaryauthor", read: "authors.list" },
    Planted { name: "canaryaccount", read: "connections.list" },
];

/// What renders one record that its caller names, under the scope that the catalog gives it: the markup of an author or
/// of an organization is made to be published.
const RENDERS: [(&str, &str); 2] =
    [("authors.markup.generate", "Canaryauthor"), ("schema.organization.generate", "canarywebsite")];

/// An example with the real references in the place of its own.
fn real(example: &Value, known: &BTreeMap<&str, Value>) -> Value {
    let Value::Object(members) = example else { return example.clone() };
    members
        .iter()
        .map(|(name, value)| (name.clone(), known.get(name.as_str()).unwrap_or(value).clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

async fn plant(host: &Host) -> (Customer, BTreeMap<&'static str, Value>) {
    let ada = host.customer(&ScopeSet::all().to_string()).await;
    host.buy_points(&ada, 60).await;
    let site = json!({ "domain": "shop.example", "name": "canarywebsite" });
    let site = ada.run("websites.create", site).await.data()["site_id"].clone();
    let author = json!({ "firstname": "Ada", "lastname": "Canaryauthor", "site_id": site });
    let author = ada.run("authors.create", author).await;
    let author = author.json()["data"]["author_ref"].clone();
    let author = match author {
        Value::Null => {
            let plain = json!({ "firstname": "Ada", "lastname": "Canaryauthor" });
            ada.run("authors.create", plain).await.data()["author_ref"].clone()
        }
        author => author,
    };
    let account = json!({
        "kind": "pagespeed", "name": "canaryaccount", "credentials": { "api_key": "AIza-not-a-real-key-000000000000000000" },
        "test": false,
    });
    let account = ada.run("connections.add", account).await.data()["connection_ref"].clone();
    let crawl = json!({ "site_id": site, "max_pages": 10, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 120).await;
    let known = [("site_id", site), ("author_ref", author), ("connection_ref", account), ("run_ref", run)];
    (ada, known.into())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_tells_what_a_direct_read_under_the_same_grant_refuses() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let (ada, known) = plant(&host).await;
    for planted in &PLANTED {
        let direct = planted.read_by(&ada).await;
        assert!(direct.data().to_string().contains(planted.name), "{} is not there", planted.name);
    }
    let generation = host.service.core.catalog().current();
    let reads: Vec<_> = generation
        .operations()
        .map(|it| it.contract.clone())
        .filter(|it| {
            it.kind == Kind::Read && !it.needs.iter().any(|need| need == "web" || need.starts_with("connection"))
        })
        .collect();
    let (mut answered, mut told) = (0, Vec::new());
    for scope in Scope::ALL {
        let narrow = host.token_for(&ada, scope.as_str(), Duration::from_secs(3_600)).await;
        let narrow = host.bearer(&ada, &narrow);
        let mut hidden = Vec::new();
        for planted in &PLANTED {
            if planted.read_by(&narrow).await.status == 403 {
                hidden.push(planted.name);
            }
        }
        let within = |it: &&std::sync::Arc<Contract>| it.scopes.iter().all(|needed| needed == scope);
        let mut answers = Vec::new();
        for contract in reads.iter().filter(within) {
            for example in contract.examples.iter().chain([&json!({})]) {
                let answer = narrow.run(&contract.id, real(example, &known)).await;
                if answer.status == 200 {
                    answers.push((contract.id.clone(), String::from_utf8_lossy(&answer.bytes).into_owned()));
                }
            }
        }
        for path in ["/account", "/usage", "/websites", "/capabilities?query=what%20is%20there"] {
            let answer = narrow.get(path).await;
            if answer.status == 200 {
                answers.push((path.to_owned(), String::from_utf8_lossy(&answer.bytes).into_owned()));
            }
        }
        answered += answers.len();
        for (what, text) in answers {
            for name in
                hidden.iter().filter(|name| text.contains(**name) && !RENDERS.contains(&(what.as_str(), **name)))
            {
                told.push(format!("{what} with {} alone tells {name}", scope.as_str()));
            }
        }
    }
    told.dedup();
    assert!(answered > 60, "only {answered} answers were looked at");
    assert!(told.is_empty(), "{}", told.join("\n"));
}
