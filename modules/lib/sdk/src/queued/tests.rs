//! Starting a job: the record, its job reference and the answer.

use serde_json::{Value, json};

use crate::prelude::*;
use crate::{Collection, Export, Fake, Job, JobState, Module, Queued};

#[record(collection = "surveys")]
struct Survey {
    topic: String,
    job_ref: Option<Id<Job>>,
}

#[args]
struct Start {
    topic: String,
    /// Refuse after starting.
    #[default(false)]
    refuse: bool,
}

#[value]
struct Work {
    survey: Id<Survey>,
}

/// Starts a survey.
#[operation(job, scope = "seo:analyze", cost = job(unit = "answers", every = 50, most = 100), queued(step = "run"))]
fn start(cx: &Cx, args: Start) -> Result<Queued<Survey>> {
    let queued = cx.start("run", Survey { topic: args.topic, job_ref: None }, |survey| Work { survey })?;
    if args.refuse {
        return Err(Fault::conflict("refused_late", "after starting"));
    }
    Ok(queued)
}

/// Ends at once with the topic.
#[step]
fn run(cx: &Cx, payload: Work, _: Option<Value>) -> Result<Step<Value, Value, Value>> {
    let survey = cx.records::<Survey>().get(&payload.survey)?;
    Ok(Step::done(json!({ "topic": survey.topic }), json!({})))
}

fn fake() -> Fake {
    Fake::new(Module {
        name: "surveys",
        operations: vec![Export { id: "surveys.start", name: "start", it: start::operation() }],
        routes: Vec::new(),
        steps: vec![Export { id: "surveys.run", name: "run", it: run::step() }],
        collections: vec![Collection::of::<Survey>()],
        raw: Vec::new(),
        untrusted: Vec::new(),
    })
}

#[test]
fn the_answer_names_the_job_and_the_record_and_the_record_names_the_job() {
    let fake = fake();
    let answer = fake.call("surveys.start", json!({ "topic": "lamps" })).unwrap();
    let members: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((members, &answer["state"]), (vec!["job_ref", "state", "survey_ref"], &json!("queued")));
    let id = Id::<Survey>::new(answer["survey_ref"].as_str().unwrap());
    let stored = fake.records::<Survey>().get(&id).unwrap();
    assert_eq!(stored.job_ref.as_ref().map(Id::as_str), answer["job_ref"].as_str());
    let job = Id::new(answer["job_ref"].as_str().unwrap());
    assert_eq!(fake.work(), 1);
    let ended = fake.jobs().get(&job).unwrap();
    assert_eq!((ended.state, ended.result::<Value>()), (JobState::Succeeded, Some(json!({ "topic": "lamps" }))));
}

#[test]
fn a_refusal_after_the_start_leaves_no_record() {
    let fake = fake();
    assert_eq!(fake.refusal("surveys.start", json!({ "topic": "lamps", "refuse": true })).code, "refused_late");
    assert_eq!(fake.rows::<Survey>().len(), 0);
}

#[test]
fn the_schema_says_that_the_state_is_always_queued() {
    let schema = crate::schema::result::<Queued<Survey>>();
    assert_eq!(schema["properties"]["state"]["const"], "queued");
    assert_eq!(schema["required"], json!(["job_ref", "survey_ref", "state"]));
}
