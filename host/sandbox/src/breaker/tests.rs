//! Tests of `breaker`: time stands still unless a test moves it.

use std::cell::Cell;

use super::*;

struct Scene {
    breaker: Breaker,
    module: Arc<str>,
    export: Export,
    now: Cell<Instant>,
}

impl Scene {
    fn new() -> Self {
        Self {
            breaker: Breaker::default(),
            module: "audit".into(),
            export: Export::Operation("audit.page.check".into()),
            now: Cell::new(Instant::now()),
        }
    }

    fn advance(&self, by: Duration) {
        self.now.set(self.now.get() + by);
    }

    fn trap(&self, who: &str, times: u32) {
        for _ in 0..times {
            self.breaker.broke(&who.into(), &self.module, &self.export, self.now.get());
        }
    }

    fn answer(&self, who: &str) {
        self.breaker.answered(&who.into(), &self.module, &self.export);
    }

    fn rests(&self, who: &str) -> bool {
        self.breaker.resting(&who.into(), &self.module, &self.export, self.now.get()).is_some()
    }
}

#[test]
fn traps_of_one_customer_suspend_the_function_for_that_customer_alone() {
    let scene = Scene::new();
    scene.trap("cus_eve", MOST - 1);
    assert!(!scene.rests("cus_eve"));
    scene.trap("cus_eve", 1);
    assert!(scene.rests("cus_eve"));
    assert!(!scene.rests("cus_ann"));
    scene.trap("cus_eve", 1_000);
    assert!(!scene.rests("cus_ann"), "however often one customer's calls trap");
    let other = Export::Operation("audit.run.get".into());
    assert!(
        scene.breaker.resting(&"cus_eve".into(), &scene.module, &other, scene.now.get()).is_none(),
        "no other function rests"
    );
}

#[test]
fn traps_of_several_customers_suspend_it_for_everybody_and_nobody_prolongs_that_alone() {
    let scene = Scene::new();
    for who in ["cus_eve", "cus_bob", "cus_kim"] {
        assert!(!scene.rests("cus_ann"));
        scene.trap(who, 1);
    }
    assert!(scene.rests("cus_ann") && scene.rests("cus_eve"));
    scene.advance(REST);
    assert!(!scene.rests("cus_ann"));
    for _ in 0..10 {
        scene.trap("cus_eve", 10);
        assert!(!scene.rests("cus_ann"));
        scene.advance(REST / 2);
    }
}

#[test]
fn an_answer_to_anybody_shows_that_the_function_works() {
    let scene = Scene::new();
    scene.trap("cus_eve", 1);
    scene.trap("cus_bob", 1);
    scene.answer("cus_ann");
    scene.trap("cus_kim", 1);
    assert!(!scene.rests("cus_ann"));
    scene.trap("cus_eve", MOST - 1);
    assert!(scene.rests("cus_eve"), "for the one whose calls trap nothing was shown");
}

#[test]
fn after_the_rest_one_more_trap_suspends_again_and_an_answer_ends_it() {
    let scene = Scene::new();
    scene.trap("cus_eve", MOST);
    scene.advance(REST);
    assert!(!scene.rests("cus_eve"));
    scene.trap("cus_eve", 1);
    assert!(scene.rests("cus_eve"));
    scene.advance(REST);
    assert!(!scene.rests("cus_eve"));
    scene.answer("cus_eve");
    scene.trap("cus_eve", 1);
    assert!(!scene.rests("cus_eve"));
}

#[test]
fn traps_long_ago_do_not_count() {
    let scene = Scene::new();
    scene.trap("cus_eve", MOST - 1);
    scene.trap("cus_bob", 1);
    scene.advance(WINDOW + Duration::from_secs(1));
    scene.trap("cus_eve", 1);
    scene.trap("cus_kim", 1);
    assert!(!scene.rests("cus_eve") && !scene.rests("cus_ann"));
}

#[test]
fn what_is_remembered_of_customers_is_bounded() {
    let scene = Scene::new();
    for at in 0..5 * REMEMBERED {
        scene.trap(&format!("cus_{at}"), 1);
    }
    let functions = scene.breaker.0.lock().unwrap();
    assert!(functions.values().all(|function| function.customers.len() <= REMEMBERED));
}
