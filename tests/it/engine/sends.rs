//! Hosts that are killed while a change is on its way to a provider: it is done once, or somebody says that nobody
//! knows. The providers count what took effect.

use std::time::Duration;

use serde_json::{Value, json};
use simulators::{Fault, Seed, Simulator, World};
use tests::customer::Customer;
use tests::host::Process;
use tests::needs;
use tests::patience::tries;
use tests::process::Launch;

const SCOPES: &str = "account:read assets:read assets:write connections:manage";

struct Scene {
    _folder: tempfile::TempDir,
    launch: Launch,
    process: Process,
    ada: Customer,
    world: World,
}

impl Scene {
    async fn set() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let launch = Launch::on(folder.path(), &[]).guest("sender").lease(3);
        let process = launch.start().await;
        let ada = process.customer("ada@example.com", 1_000, SCOPES).await;
        let world = simulators::start(Seed(1)).await.expect("providers");
        Self { _folder: folder, launch, process, ada, world }
    }

    async fn connect(&self, provider: &Simulator) -> Value {
        let arguments = json!({
            "kind": provider.name(),
            "name": "a provider",
            "endpoint": provider.url(),
            "credentials": provider.credentials(),
            "test": false,
        });
        self.ada.run("connections.add", arguments).await.data()["connection_ref"].clone()
    }

    /// Kills the host as soon as the provider has the request, and starts another, minutes later by its clock.
    async fn killed_when_asked(mut self, provider: &Simulator, path: &str, call: (&str, &Value, &str)) -> Self {
        self.kill_when_asked(provider, path, call).await;
        self.process = self.launch.start_minutes_later().await;
        self.ada = self.process.again(&self.ada);
        self
    }

    /// Kills the host as soon as the provider has the request.
    async fn kill_when_asked(&mut self, provider: &Simulator, path: &str, call: (&str, &Value, &str)) {
        let before = asked(provider, path);
        let (operation, arguments, key) = call;
        let on_its_way = self.ada.try_run(operation, arguments.clone(), Some(key));
        let killed = async {
            until(|| asked(provider, path) > before).await;
            self.process.kill();
        };
        let (answer, ()) = tokio::join!(on_its_way, killed);
        assert!(answer.is_none(), "the host died before it could answer");
    }
}

fn asked(provider: &Simulator, path: &str) -> usize {
    provider.requests().iter().filter(|request| request.path == path).count()
}

async fn until(mut is_so: impl FnMut() -> bool) {
    for _ in tries(600) {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it did not come to pass");
}

const POSTS: &str = "/wp-json/wp/v2/posts";
const TASKS: &str = "/v1/tasks";

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_done_once_under_one_key_whether_its_answer_or_the_task_itself_was_lost_with_the_host() {
    if !Launch::can_be_wrong() {
        return needs::skip("a wrong clock", "install Debian's faketime package");
    }
    for (fault, before) in [(Fault::AnswerLost, 1), (Fault::Timeout, 0)] {
        let scene = Scene::set().await;
        let panel = scene.world.fulfilment.clone();
        let task = json!({ "connection_ref": scene.connect(&panel).await, "name": "one" });
        panel.fault_on(TASKS, fault, Some(1));
        let scene = scene.killed_when_asked(&panel, TASKS, ("sender.task", &task, "task-key-1")).await;
        assert_eq!(panel.effects().len(), before, "{fault:?}");
        let answer = scene.ada.run_as("sender.task", task.clone(), "task-key-1").await;
        assert_eq!(answer.data()["outcome"], "201", "{fault:?}");
        assert_eq!(panel.effects().len(), 1, "{fault:?}");
        let keys: Vec<_> =
            panel.requests().into_iter().filter(|it| it.path == TASKS).map(|it| it.idempotency_key).collect();
        assert_eq!(keys.len(), 2, "{fault:?}");
        assert!(keys[0].is_some() && keys[0] == keys[1], "{fault:?} {keys:?}");
        let again = scene.ada.run_as("sender.task", task, "task-key-1").await;
        assert_eq!(again.bytes, answer.bytes);
        assert_eq!(asked(&panel, TASKS), 2, "a replay asks nobody");
        scene.process.verify_ledger();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_that_may_have_arrived_is_never_handed_over_again_and_its_customer_is_told() {
    if !Launch::can_be_wrong() {
        return needs::skip("a wrong clock", "install Debian's faketime package");
    }
    for (fault, effects) in [(Fault::AnswerLost, 1), (Fault::Timeout, 0)] {
        let scene = Scene::set().await;
        let site = scene.world.wordpress.clone();
        let post = json!({ "connection_ref": scene.connect(&site).await, "name": "one" });
        site.fault_on(POSTS, fault, Some(1));
        let scene = scene.killed_when_asked(&site, POSTS, ("sender.post", &post, "post-key-1")).await;
        let other = json!({ "connection_ref": post["connection_ref"], "name": "two" });
        let refused = scene.ada.run_as("sender.post", other, "post-key-1").await;
        assert_eq!(refused.refusal(), (409, "idempotency_key_conflict".to_owned()), "{fault:?}");
        for _ in 0..2 {
            let refused = scene.ada.run_as("sender.post", post.clone(), "post-key-1").await;
            assert_eq!(refused.refusal(), (409, "outcome_unknown".to_owned()), "{fault:?}");
        }
        assert_eq!((asked(&site, POSTS), site.effects().len()), (1, effects), "{fault:?}");
        let answer = scene.ada.run_as("sender.post", post, "post-key-2").await;
        assert_eq!(answer.data()["outcome"], "201", "a new key is a new post");
        scene.process.verify_ledger();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_nobody_can_tell_whether_its_host_is_alive_a_call_is_in_progress() {
    let mut scene = Scene::set().await;
    let panel = scene.world.fulfilment.clone();
    let task = json!({ "connection_ref": scene.connect(&panel).await, "name": "one" });
    panel.fault_on(TASKS, Fault::AnswerLost, Some(1));
    scene.kill_when_asked(&panel, TASKS, ("sender.task", &task, "task-key-1")).await;
    // At once: the lease of the one that died is still good.
    scene.process = scene.launch.start().await;
    scene.ada = scene.process.again(&scene.ada);
    let refused = scene.ada.run_as("sender.task", task, "task-key-1").await;
    assert_eq!(refused.refusal(), (409, "idempotency_in_progress".to_owned()));
    assert_eq!((asked(&panel, TASKS), panel.effects().len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_host_is_killed_in_the_middle_of_a_step_hands_each_of_its_changes_over_once() {
    let mut scene = Scene::set().await;
    let panel = scene.world.fulfilment.clone();
    let series = json!({ "connection_ref": scene.connect(&panel).await, "name": "many" });
    panel.fault_on(TASKS, Fault::AnswerLost, Some(1));
    scene.ada.run("sender.series", series).await.data();
    until(|| asked(&panel, TASKS) == 1).await;
    scene.process.kill();
    assert_eq!(panel.effects().len(), 1);
    scene.process = scene.launch.start().await;
    until(|| panel.effects().len() >= 3).await;
    until(|| asked(&panel, TASKS) == 4).await;
    let keys: Vec<_> =
        panel.requests().into_iter().filter(|it| it.path == TASKS).map(|it| it.idempotency_key).collect();
    assert_eq!(keys[0], keys[1], "the task that may have arrived");
    assert_eq!(panel.effects().len(), 3, "three tasks, each once");
    scene.process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_attempts_of_a_step_note_as_spent_is_counted_once_and_each_step_for_itself() {
    let scene = Scene::set().await;
    let panel = scene.world.fulfilment.clone();
    let connection = scene.connect(&panel).await;
    let series = |name: &str| json!({ "connection_ref": connection, "name": name });
    let micros = async || {
        let usage = scene.ada.read("connections.usage.get", json!({ "connection_ref": connection })).await.data();
        let dollars: f64 = usage["spent"][0]["amount"].to_string().trim_matches('"').parse().expect("an amount");
        (dollars * 1e6).round()
    };
    // Each look costs a point.
    let ended = async |started: Value| {
        for _ in tries(30) {
            tokio::time::sleep(Duration::from_secs(2)).await;
            let job = scene.ada.read("account.job.get", json!({ "job_ref": started["job_ref"] })).await.data();
            if !matches!(job["state"].as_str(), Some("queued" | "running")) {
                return job;
            }
        }
        panic!("a series of tasks did not end");
    };
    // The provider refuses the first task, and its answer is in the journal: every attempt of the step gets it again.
    panel.fault_on(TASKS, Fault::ServerError, Some(1));
    let job = scene.ada.run("sender.series", series("refused")).await.data();
    let ended_badly = ended(job).await;
    assert_eq!((ended_badly["state"].as_str(), asked(&panel, TASKS)), (Some("failed"), 1), "{ended_badly}");
    assert!(ended_badly.to_string().contains("a step failed several times"), "{ended_badly}");
    assert_eq!(micros().await, 250.0);
    // Three steps that end well note three prices more.
    let job = scene.ada.run("sender.series", series("made")).await.data();
    let ended = ended(job).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert_eq!(micros().await, 1_000.0);
    scene.process.verify_ledger();
}
