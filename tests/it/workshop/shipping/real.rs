//! The same against a registry that others have written: that of Debian's `docker-registry`.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{author, said, server, text, tree};

const PROGRAM: &str = "/usr/bin/docker-registry";

/// A running one; it ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(folder: &Path) -> (Running, String) {
    let free = format!("127.0.0.1:{}", postgres_cluster::free_port());
    let config = folder.join("config.yml");
    let store = text(&folder.join("store"));
    let words = format!(
        "version: 0.1\nlog: {{ level: error }}\nstorage: {{ filesystem: {{ rootdirectory: {store:?} }} }}\n\
         http: {{ addr: {free:?} }}\n"
    );
    std::fs::write(&config, words).expect("written");
    let mut command = Command::new(PROGRAM);
    command.arg("serve").arg(config).stdout(Stdio::null()).stderr(Stdio::null());
    let running = Running(command.spawn().expect("it starts"));
    let until = Instant::now() + Duration::from_secs(100);
    while std::net::TcpStream::connect(&free).is_err() {
        assert!(Instant::now() < until, "the registry does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    (running, free)
}

#[test]
fn a_registry_of_others_takes_what_is_shipped_and_gives_the_same_bytes_back() {
    if !Path::new(PROGRAM).is_file() {
        return tests::needs::skip("docker-registry", "install Debian's docker-registry package");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (_running, host) = start(folder.path());
    let (here, modules) = author();
    let (there, target) = server();
    for (what, name) in [(modules.clone(), "modules"), (format!("{modules}/authors.wasm"), "authors")] {
        let to = format!("{host}/seo/{name}:7");
        let made = said(here.path(), &["publish", &what, &to]).expect("published");
        let pinned = made["reference"].as_str().expect("a reference");
        let folder = format!("{target}-{name}");
        let tagged = said(there.path(), &["fetch", &to, &folder]).expect_err("a tag");
        assert!(tagged.contains(&format!("run `espalier fetch {pinned} {folder}`")), "{tagged}");
        said(there.path(), &["fetch", pinned, &folder]).expect("fetched");
        let (sent, got) = (tree(Path::new(&modules)), tree(Path::new(&folder)));
        assert!(got.iter().all(|(file, bytes)| sent[file] == *bytes));
        assert_eq!(got.len(), if name == "modules" { sent.len() } else { 2 });
        let other = format!("{host}/seo/{name}@sha256:{}", "0".repeat(64));
        let refused = said(there.path(), &["fetch", &other, &format!("{folder}-2")]).expect_err("not there");
        assert!(refused.contains(&format!("{host} has no seo/{name}@")), "{refused}");
    }
}
