//! From a hostile guest's text to a loaded module and a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use catalog::lock::Lock;
use model::clock::{FixedClock, Moment, SeededEntropy};
use model::contract::{Contract, Kind, Mode};
use model::cost::Cost;
use model::id::CustomerId;
use model::limits::Limits;
use model::manifest::{Collection, FIRST_FORM, Manifest, Step};
use model::scope::{Scope, ScopeSet};
use sandbox::{Cancel, Config, Export, Invocation, Module, OutboundPolicy, Run, Sandbox, build, inspect};
use store::{Store, Workspace};
use wit_component::{ComponentEncoder, StringEncoding};
use wit_parser::{Resolve, SourceMap};

/// The moment of every run.
pub const NOW: Moment = Moment(1_790_000_000_000);

/// Where the contracts stand in the guest's memory.
const CONTRACTS_AT: usize = 65_536;

macro_rules! texts {
    ($folder:literal: $($name:literal)+) => { &[$(($name, include_str!(concat!($folder, $name)))),+] };
}

/// The guests, by their files.
const GUESTS: &[(&str, &str)] = texts!["../guests/": "allocate.wat" "answers.wat" "changes.wat" "edges.wat" "fill.wat" "flood.wat" "greedy.wat" "inert.wat" "mail.wat" "names.wat" "outside.wat" "providers.wat" "recipients.wat" "recurse.wat" "sockets.wat" "spin.wat" "start.wat" "tenants.wat"];
/// The boundary, by its files.
const BOUNDARY: &[(&str, &str)] = texts!["../../../wit/v1/": "accounts.wit" "blobs.wit" "cache.wit" "catalog.wit" "connections.wit" "dns.wit" "jobs.wit" "links.wit" "mail.wit" "notices.wit" "platform.wit" "quotes.wit" "recipients.wit" "records.wit" "refunds.wit" "schedule.wit" "shares.wit" "time.wit" "tls.wit" "types.wit" "uploads.wit" "vault.wit" "web.wit"];
/// As much of WASI as they import.
const WASI: &str = include_str!("../guests/wasi.wit");

/// The text of `guests/<name>.wat`.
///
/// # Panics
/// When there is none.
pub fn text(name: &str) -> &'static str {
    let file = format!("{name}.wat");
    GUESTS.iter().find(|(known, _)| *known == file).map(|(_, text)| *text).expect("the guest stands in guests/")
}

/// What the `@` lines of a guest declare.
pub fn manifest(text: &str) -> Manifest {
    let mut manifest = Manifest {
        module: "hostile".to_owned(),
        wit: "espalier:module@1.0.0".to_owned(),
        operations: Vec::new(),
        routes: Vec::new(),
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        shapes: model::manifest::Shapes::default(),
    };
    for line in text.lines().filter_map(|line| line.strip_prefix(";; @")) {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("operation"), Some(name)) => manifest.operations.push(contract(name, words)),
            (Some("step"), Some(name)) => manifest.steps.push(Step { name: name.to_owned(), export: name.to_owned() }),
            (Some("collection"), Some(name)) => {
                manifest.collections.push(Collection { name: name.to_owned(), indexes: Vec::new(), form: FIRST_FORM });
            }
            _ => panic!("unknown directive {line}"),
        }
    }
    manifest
}

fn contract<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> Contract {
    let mut contract = Contract {
        id: format!("hostile.{name}"),
        export: name.replace('_', "-"),
        kind: Kind::Read,
        mode: Mode::Immediate,
        scopes: ScopeSet::from_iter([Scope::AssetsRead]),
        summary: "Tries something.".to_owned(),
        description: String::new(),
        cost: Cost { class: "list".to_owned(), base: 1, per: None },
        native_price: None,
        side_effects: Vec::new(),
        arguments: serde_json::json!({"type": "object", "additionalProperties": false}),
        result: serde_json::json!({"type": "object"}),
        examples: Vec::new(),
        result_operation: None,
        step: None,
        needs: Vec::new(),
        phrasings: Vec::new(),
        secrets: Vec::new(),
        outside: Vec::new(),
    };
    for word in words {
        match word.split_once('=') {
            Some(("needs", need)) => contract.needs.push(need.to_owned()),
            Some(("outside", line)) => contract.outside.push(line.replace('_', " ").parse().expect("a line")),
            Some(("step", step)) => contract.step = Some(step.to_owned()),
            Some(_) => panic!("unknown word {word}"),
            None => match word {
                "read" => contract.kind = Kind::Read,
                "write" => contract.kind = Kind::Write,
                "job" => contract.kind = Kind::Job,
                "destructive" => contract.kind = Kind::Destructive,
                "queued" => contract.mode = Mode::Queued,
                _ => panic!("unknown word {word}"),
            },
        }
    }
    contract
}

/// The component, with the contracts of this manifest written into it by the build.
pub fn component(text: &str, manifest: &Manifest) -> Vec<u8> {
    let core = wat::parse_str(whole(text, manifest)).expect("the guest's text is wat");
    build::finish(&componentize(core)).expect("the build finishes")
}

/// The guest's module with what every guest needs: a memory, an allocator, an answer, its contracts.
fn whole(text: &str, manifest: &Manifest) -> String {
    let json = serde_json::to_string(manifest).expect("a manifest is JSON");
    let escaped = json.bytes().fold(String::new(), |mut escaped, byte| {
        write!(escaped, "\\{byte:02x}").expect("a string grows");
        escaped
    });
    let body = text.trim_end().strip_suffix(')').expect("a module ends with a bracket");
    let packed = ((CONTRACTS_AT as u64) << 32) | json.len() as u64;
    format!(
        r#"{body}
  (memory (export "memory") 3)
  (global $heap (mut i32) (i32.const 131072))
  (func (export "cabi_realloc") (param $old i32) (param $had i32) (param $align i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $heap) (i32.sub (local.get $align) (i32.const 1))) (i32.sub (i32.const 0) (local.get $align))))
    (global.set $heap (i32.add (local.get $at) (local.get $size)))
    (loop $more
      (if (i32.gt_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536)))
        (then (if (i32.eq (memory.grow (i32.const 4)) (i32.const -1)) (then unreachable)) (br $more))))
    (local.get $at))
  (func $answer (param $at i32) (param $length i32) (result i32)
    (i32.store8 (i32.const 1024) (i32.const 0))
    (i32.store (i32.const 1032) (local.get $at))
    (i32.store (i32.const 1036) (local.get $length))
    (i64.store (i32.const 1040) (i64.const 1))
    (i32.const 1024))
  (data (i32.const 1100) "{{}}")
  (func $done (result i32) (call $answer (i32.const 1100) (i32.const 2)))
  (data (i32.const {CONTRACTS_AT}) "{escaped}")
  (func (export "{contracts}") (result i64) (i64.const {packed})))"#,
        contracts = build::CONTRACTS,
    )
}

/// Wraps a core module: its imports and exports, by their names, are its world.
fn componentize(mut core: Vec<u8>) -> Vec<u8> {
    let (mut imports, mut exports) = (BTreeMap::new(), BTreeMap::<String, Vec<String>>::new());
    for payload in wasmparser::Parser::new(0).parse_all(&core) {
        match payload.expect("the module parses") {
            wasmparser::Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imports.insert(import.expect("an import parses").module.to_owned(), ());
                }
            }
            wasmparser::Payload::ExportSection(section) => {
                for export in section {
                    if let Some((interface, function)) = export.expect("an export parses").name.split_once('#') {
                        let interface = interface.rsplit('/').next().unwrap_or(interface).to_owned();
                        exports.entry(interface).or_default().push(function.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    let mut world = String::from("package espalier:hostile;\n");
    for (interface, functions) in &exports {
        writeln!(world, "interface {interface} {{ use espalier:module/types@1.0.0.{{call, answer, fault}};")
            .expect("grows");
        for function in functions {
            writeln!(world, "  {function}: func(call: call) -> result<answer, fault>;").expect("grows");
        }
        world.push_str("}\n");
    }
    world.push_str("world module {\n");
    for import in imports.keys() {
        writeln!(world, "  import {import};").expect("grows");
    }
    for interface in exports.keys() {
        writeln!(world, "  export {interface};").expect("grows");
    }
    world.push_str("}\n");
    let mut resolve = Resolve::default();
    let mut boundary = SourceMap::new();
    for (file, text) in BOUNDARY {
        boundary.push(Path::new(file), *text);
    }
    let Ok(boundary) = boundary.parse() else { panic!("the boundary parses") };
    resolve.push_group(boundary).expect("the boundary resolves");
    if imports.keys().any(|import| import.starts_with("wasi:")) {
        world.push_str(WASI);
    }
    let package = resolve.push_str("hostile.wit", &world).expect("the world parses");
    let world = resolve.select_world(&[package], None).expect("one world");
    wit_component::embed_component_metadata(&mut core, &resolve, world, StringEncoding::UTF8).expect("embeds");
    ComponentEncoder::default().validate(true).module(&core).expect("a module").encode().expect("a component")
}

/// The lock that a reviewer would sign for this component.
pub fn lock(component: &[u8]) -> Lock {
    let built = inspect::inspect(component).expect("the component can be read").built;
    let mut lock = Lock::of(&built, None, |_| true);
    if lock.collections.contains_key("drafts") {
        lock.may_remove.insert("drafts".to_owned(), "drafts are nobody's work".to_owned());
    }
    lock
}

/// One sandbox for all tests: an engine is one for a process.
pub fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| {
        let resolve = [("silent.example".to_owned(), silent())].into();
        let outbound = OutboundPolicy { resolve, ..OutboundPolicy::default() };
        Sandbox::new(Config { concurrent: 32, outbound, ..Config::default() }).expect("a sandbox")
    })
}

/// A listener that takes connections and never says a word.
fn silent() -> SocketAddr {
    static LISTENER: OnceLock<TcpListener> = OnceLock::new();
    let listener = LISTENER.get_or_init(|| TcpListener::bind("127.0.0.1:0").expect("a port"));
    listener.local_addr().expect("it has an address")
}

/// Loads the guest of this name with everything that it asks for.
///
/// # Panics
/// When it does not load.
pub fn load_in(sandbox: &Sandbox, name: &str) -> Arc<Module> {
    let text = text(name);
    let component = component(text, &manifest(text));
    sandbox.load(&component, &lock(&component), BTreeMap::new()).expect("the guest loads")
}

/// As [`load_in`], into the sandbox of the tests.
pub fn load(name: &str) -> Arc<Module> {
    load_in(sandbox(), name)
}

/// An invocation of one operation as the catalog has it.
pub async fn invocation(module: &Arc<Module>, operation: &str) -> Invocation {
    let export = Export::Operation(format!("hostile.{operation}"));
    let contract = module.contract(&export).expect("the guest has the operation");
    let customer = CustomerId::from("cus_test");
    Invocation {
        started_by: None,
        kind: contract.kind,
        queued: contract.mode == Mode::Queued,
        limits: module.limits(&export).expect("the guest has the operation"),
        arguments: "{}".to_owned(),
        workspace: Workspace::open(&store().await, customer.clone(), module.schema.clone(), NOW),
        now: NOW,
        seed: [7; 32],
        keys: model::keys::KeyRing::of([9; 32]),
        sends: None,
        edges: Arc::new(model::edges::Edges {
            public_url: "https://espalier.example".into(),
            uploads: model::edges::UploadLimits::default(),
        }),
        platform: None,
        offer: None,
        secrets: Default::default(),
        slot: None,
        owned: None,
        record: true,
        cancel: Cancel::default(),
        module: module.clone(),
        customer,
        export,
    }
}

/// Runs one operation with limits of one's own.
pub async fn run(name: &str, operation: &str, limits: impl FnOnce(&mut Limits)) -> Run {
    let module = load(name);
    let mut invocation = invocation(&module, operation).await;
    limits(&mut invocation.limits);
    sandbox().run(invocation).await
}

async fn store() -> Store {
    Store::memory(Arc::new(FixedClock::at(NOW)), Arc::new(SeededEntropy::new([3; 32])))
        .await
        .expect("a store in memory")
}
