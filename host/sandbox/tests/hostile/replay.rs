//! Every end that a run can have is had again from its transcript: the same word at the same place, for the same fuel.

use hostile::{Attempt, CASES};
use sandbox::replay::{Divergence, NotReplayed};
use sandbox::transcript::{Ending, Recording, Transcript, Unreadable};
use sandbox::{Artefacts, Compile, Config, Run, Sandbox, fixture};

use crate::guest::{component, invocation, load, load_in, manifest, sandbox, text};

fn another() -> Sandbox {
    Sandbox::new(Config { concurrent: 2, ..Config::default() }).expect("a sandbox")
}

fn bytes(guest: &str) -> Vec<u8> {
    component(text(guest), &manifest(text(guest)))
}

/// The transcript, as it comes out of a store.
fn transcript(run: &Run) -> Transcript {
    let Some(Recording::Whole(transcript)) = &run.recording else { panic!("no transcript: {:?}", run.recording) };
    let read = Transcript::from_bytes(&transcript.to_bytes().expect("bytes")).expect("a transcript");
    assert_eq!(read, **transcript);
    read
}

async fn recorded(guest: &str, operation: &str) -> Transcript {
    transcript(&sandbox().run(invocation(&load(guest), operation).await).await)
}

#[tokio::test]
async fn every_attempt_of_the_corpus_is_had_again_with_the_same_end_and_fuel() {
    had_again(Compile::Optimised).await;
}

/// What a run did before its optimised code was there is had again on a host that has that code.
#[tokio::test]
async fn every_attempt_on_the_baseline_compilers_code_is_had_again_with_the_same_end_and_fuel() {
    had_again(Compile::Quickly).await;
}

async fn had_again(recorded: Compile) {
    // Both find there what the other has compiled: one of them has each guest compiled for the first time.
    let folder = tempfile::tempdir().expect("a folder");
    let keeping = |compile| {
        let artefacts = Artefacts { folder: folder.path().to_path_buf(), key: [1; 32] };
        let config = Config { concurrent: 2, artefacts: Some(artefacts), compile, ..Config::default() };
        Sandbox::new(config).expect("a sandbox")
    };
    let (live, offline) = (keeping(recorded), keeping(Compile::Optimised));
    let mut replayed = 0;
    for case in CASES {
        let (guest, operation, limits): (_, _, fn(&mut model::limits::Limits)) = match case.attempt {
            Attempt::Run(guest, operation, limits) => (guest, operation, limits),
            Attempt::After(guest, _, operation) | Attempt::Twice(guest, operation) => (guest, operation, |_| ()),
            Attempt::Crowd(..) => continue,
            Attempt::Load(_) | Attempt::Signature(_) => continue,
        };
        let mut invocation = invocation(&load_in(&live, guest), operation).await;
        limits(&mut invocation.limits);
        let run = live.run(invocation).await;
        let transcript = transcript(&run);
        assert_eq!(transcript.ending, Ending::of(&run.outcome), "{}", case.name);
        assert_eq!(transcript.fuel, run.receipt.fuel, "{}", case.name);
        let again = offline.replay(&bytes(guest), &transcript).await.expect("the same component");
        assert_eq!(again.divergence, None, "{}", case.name);
        assert_eq!((&again.ending, again.fuel), (&transcript.ending, transcript.fuel), "{}", case.name);
        replayed += 1;
    }
    assert!(replayed >= 30, "{replayed}");
}

#[tokio::test]
async fn a_replay_is_had_as_often_as_one_likes() {
    let transcript = recorded("answers", "fine").await;
    let offline = another();
    for _ in 0..3 {
        let again = offline.replay(&bytes("answers"), &transcript).await.expect("the same component");
        assert_eq!((again.divergence, again.fuel), (None, transcript.fuel));
    }
}

#[tokio::test]
async fn a_run_that_is_not_to_be_recorded_leaves_nothing() {
    let mut quiet = invocation(&load("answers"), "fine").await;
    quiet.record = false;
    assert_eq!(sandbox().run(quiet).await.recording, None);
}

#[tokio::test]
async fn recording_takes_no_fuel() {
    let module = load("flood");
    let mut quiet = invocation(&module, "calls").await;
    quiet.record = false;
    let quiet = sandbox().run(quiet).await;
    let loud = sandbox().run(invocation(&module, "calls").await).await;
    assert_eq!(quiet.receipt.fuel, loud.receipt.fuel);
    assert_eq!(transcript(&loud).exchanges.len(), 1_001);
}

#[tokio::test]
async fn another_component_is_refused_by_its_digest() {
    let transcript = recorded("answers", "fine").await;
    let refused = another().replay(&bytes("flood"), &transcript).await;
    assert!(matches!(&refused, Err(NotReplayed::Digest { recorded, .. }) if **recorded == *transcript.digest));
}

#[tokio::test]
async fn a_transcript_that_tells_another_story_is_found_out_at_the_call() {
    let whole = recorded("flood", "calls").await;
    let offline = another();
    let diverged = async |change: fn(&mut Transcript)| {
        let mut changed = whole.clone();
        change(&mut changed);
        offline.replay(&bytes("flood"), &changed).await.expect("the same component").divergence
    };
    let function = whole.exchanges[0].function.clone().into_owned();
    let other = diverged(|it| it.exchanges[2].function = "records.get".into()).await;
    let recorded = "records.get".to_owned();
    assert_eq!(other, Some(Divergence::Function { number: 3, asked: function.clone(), recorded }));
    let question = diverged(|it| it.exchanges[4].asked[0] ^= 1).await;
    assert_eq!(question, Some(Divergence::Question { number: 5, asked: function.clone() }));
    let cut = diverged(|it| it.exchanges.truncate(10)).await;
    assert_eq!(cut, Some(Divergence::Unrecorded { number: 11, asked: function.clone() }));
    let fuel = diverged(|it| it.fuel += 1).await;
    assert_eq!(fuel, Some(Divergence::Fuel { taken: whole.fuel, recorded: whole.fuel + 1 }));
    let word = diverged(|it| {
        it.exchanges.pop();
        it.limits.fuel = it.fuel / 2;
    });
    let word = word.await.expect("it ended earlier").to_string();
    assert_eq!(word, "diverged at the end: ended with limit.fuel, recorded limit.host_calls");
}

#[tokio::test]
async fn bytes_that_were_changed_or_are_of_a_later_form_are_no_transcript() {
    let whole = recorded("answers", "fine").await.to_bytes().expect("bytes");
    assert_eq!(Transcript::from_bytes(&[]), Err(Unreadable::Damaged));
    assert_eq!(Transcript::from_bytes(&whole[..whole.len() / 2]), Err(Unreadable::Damaged));
    let later = [&[9], &whole[1..]].concat();
    assert_eq!(Transcript::from_bytes(&later), Err(Unreadable::Form));
}

#[tokio::test]
async fn what_a_module_author_gets_is_shapes() {
    let mut given = invocation(&load("answers"), "fine").await;
    given.arguments = r#"{"hush":"a-customers-word","count":4711}"#.to_owned();
    let transcript = transcript(&sandbox().run(given).await);
    let again = another().replay(&bytes("answers"), &transcript).await.expect("the same component");
    let text = fixture::fixture(&transcript, &again).to_string();
    for word in ["hush", "a-customers-word", "4711"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    assert!(text.contains("text of 16 characters"), "{text}");
}
