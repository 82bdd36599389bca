//! What `checkpoints` promises, as tests: whatever is done to the trail afterwards is found.

use model::note::NoteVerifier;
use sqlx::Row as _;

use super::*;
use crate::fixture::{Fixture, NOON, fixture, force};
use crate::trail::link;

/// Ann's chain of six lines and Bob's of two, with checkpoints after the third and after the last line.
struct Sworn {
    fixture: Fixture,
    signer: NoteSigner,
    /// As the second place keeps it.
    file: String,
}

async fn sworn() -> Sworn {
    let mut sworn =
        Sworn { fixture: fixture().await, signer: NoteSigner::new("espalier.audit", &[5; 32]), file: String::new() };
    for round in 0..2 {
        for at in 0..3 {
            sworn.write("cus_ann", &format!("ann {round}.{at}")).await;
        }
        sworn.write("cus_bob", &format!("bob {round}")).await;
        assert_eq!(sworn.swear().await, Checkpointed { number: Some(round + 1), breaks: Vec::new() });
    }
    sworn
}

impl Sworn {
    async fn write(&self, customer: &str, outcome: &str) {
        let mut line = self.fixture.line(outcome);
        line.customer = customer.into();
        self.fixture.store.calls.audit(line).await.unwrap();
    }

    async fn swear(&mut self) -> Checkpointed {
        let after = Notes::read(&self.file).last_whole(self.signer.verifier()).unwrap_or(0);
        let made = self.fixture.store.trail.checkpoint(&self.signer, NOON).await.unwrap();
        for (_, note) in self.fixture.store.trail.checkpoint_notes(after).await.unwrap() {
            self.file.push_str(&Notes::entry(&note));
        }
        made
    }

    async fn found_by(&self, verifier: &NoteVerifier) -> Vec<String> {
        let kept = Notes::read(&self.file);
        let report = self.fixture.store.trail.verify_trail(verifier, Some(&kept)).await.unwrap();
        report.damage.iter().map(ToString::to_string).collect()
    }

    /// What a verifier says after these statements.
    async fn after(&self, statements: &[&str]) -> Vec<String> {
        force(&self.fixture.store, statements.iter().map(|sql| (*sql).to_owned())).await;
        self.found_by(self.signer.verifier()).await
    }
}

#[tokio::test]
async fn an_untouched_trail_is_clean_while_it_grows() {
    let mut sworn = sworn().await;
    assert_eq!(sworn.found_by(sworn.signer.verifier()).await, [""; 0]);
    sworn.write("cus_ann", "more").await;
    assert_eq!(sworn.found_by(sworn.signer.verifier()).await, [""; 0]);
    assert_eq!(sworn.swear().await.number, Some(3));
    assert_eq!(sworn.found_by(sworn.signer.verifier()).await, [""; 0]);
    let report = sworn.fixture.store.trail.verify_trail(sworn.signer.verifier(), None).await.unwrap();
    assert_eq!((report.chains, report.checkpoints), (2, 3));
}

#[tokio::test]
async fn without_new_lines_there_is_no_new_checkpoint() {
    let mut sworn = sworn().await;
    assert_eq!(sworn.swear().await, Checkpointed::default());
    assert_eq!(sworn.fixture.store.trail.last_checkpoint().await.unwrap(), Some(2));
}

#[tokio::test]
async fn checkpoints_cannot_be_changed() {
    let sworn = sworn().await;
    for sql in ["UPDATE checkpoint SET at = 0", "DELETE FROM checkpoint", "DELETE FROM checkpoint_leaf"] {
        let refused = sworn.fixture.store.database.write(move |tx| {
            Box::pin(async move {
                sqlx::query::<Any>(sql).execute(tx.connection()).await?;
                Ok::<_, StoreError>(())
            })
        });
        assert!(refused.await.is_err(), "{sql}");
    }
}

#[tokio::test]
async fn an_edited_body_is_found() {
    let found = sworn().await.after(&["UPDATE audit SET body = '{}' WHERE customer = 'cus_ann' AND seq = 2"]).await;
    assert_eq!(found, ["customer cus_ann seq 2 a line is not what was written"]);
}

#[tokio::test]
async fn a_deleted_line_is_found() {
    let found = sworn().await.after(&["DELETE FROM audit WHERE customer = 'cus_ann' AND seq = 2"]).await;
    assert_eq!(found, ["customer cus_ann seq 2 a line is missing"]);
}

#[tokio::test]
async fn an_end_that_was_rolled_back_alone_is_found() {
    let back = "UPDATE audit_head SET seq = 5, hash = (SELECT hash FROM audit WHERE customer = 'cus_ann' AND seq = 5) \
                WHERE customer = 'cus_ann'";
    assert_eq!(sworn().await.after(&[back]).await, ["customer cus_ann seq 6 lines stand behind the end on record"]);
}

#[tokio::test]
async fn a_truncated_tail_is_found_though_its_end_went_back_with_it() {
    let mut sworn = sworn().await;
    let damage = [
        "DELETE FROM audit WHERE customer = 'cus_ann' AND seq > 4",
        "UPDATE audit_head SET seq = 4, hash = (SELECT hash FROM audit WHERE customer = 'cus_ann' AND seq = 4) \
         WHERE customer = 'cus_ann'",
    ];
    let expected = ["customer cus_ann seq 6 checkpoint 2 a line is missing that a checkpoint holds"];
    assert_eq!(sworn.after(&damage).await, expected);
    // The next checkpoint does not take back what this one holds, and says so.
    sworn.write("cus_bob", "more").await;
    let made = sworn.swear().await;
    assert_eq!(made.number, Some(3));
    let said: Vec<_> = made.breaks.iter().map(|broken| (broken.customer.as_str(), broken.seq)).collect();
    assert_eq!(said, [("cus_ann", 5)]);
    assert_eq!(sworn.found_by(sworn.signer.verifier()).await, expected);
}

#[tokio::test]
async fn a_chain_that_is_gone_whole_is_found() {
    let mut sworn = sworn().await;
    let damage = ["DELETE FROM audit WHERE customer = 'cus_bob'", "DELETE FROM audit_head WHERE customer = 'cus_bob'"];
    let expected = ["customer cus_bob seq 1 checkpoint 1 a line is missing that a checkpoint holds"];
    assert_eq!(sworn.after(&damage).await, expected);
    sworn.write("cus_ann", "more").await;
    assert_eq!(sworn.swear().await.breaks.len(), 1);
    assert_eq!(sworn.found_by(sworn.signer.verifier()).await, expected);
}

#[tokio::test]
async fn a_chain_rewritten_from_the_middle_with_good_hashes_is_found() {
    let sworn = sworn().await;
    let lines =
        sqlx::query::<Any>("SELECT seq, prev, body FROM audit WHERE customer = 'cus_ann' AND seq > 3 ORDER BY seq");
    let mut prev: Option<String> = None;
    let mut statements = Vec::new();
    for row in sworn.fixture.store.database.reader().fetch_all(lines).await.unwrap() {
        let (seq, body): (i64, String) = (row.try_get("seq").unwrap(), row.try_get("body").unwrap());
        let before = prev.unwrap_or_else(|| row.try_get("prev").unwrap());
        let body = body.replace("ann 1", "nothing");
        let hash = link(&before, &body);
        statements.push(format!(
            "UPDATE audit SET prev = '{before}', hash = '{hash}', body = '{body}' WHERE customer = 'cus_ann' AND seq = {seq}"
        ));
        prev = Some(hash);
    }
    statements.push(format!("UPDATE audit_head SET hash = '{}' WHERE customer = 'cus_ann'", prev.unwrap()));
    force(&sworn.fixture.store, statements).await;
    assert_eq!(sworn.fixture.store.trail.verify_audit().await.unwrap(), [], "the chain itself holds");
    let found = sworn.found_by(sworn.signer.verifier()).await;
    assert_eq!(found, ["customer cus_ann seq 6 checkpoint 2 the line is not the one that a checkpoint holds"]);
}

#[tokio::test]
async fn an_edited_checkpoint_is_found() {
    let found = sworn().await.after(&["UPDATE checkpoint SET at = at - 1 WHERE number = 1"]).await;
    assert_eq!(found, ["checkpoint 1 the row is not what was signed"]);
    let found = sworn().await.after(&["UPDATE checkpoint SET note = REPLACE(note, 'heads 2', 'heads 1')"]).await;
    assert!(found.contains(&"checkpoint 1 the signature is not by this key, or the note was changed".to_owned()));
    assert!(found.contains(&"checkpoint 1 it is not what the file of notes holds".to_owned()), "{found:?}");
}

#[tokio::test]
async fn an_edited_leaf_is_found() {
    let sworn = sworn().await;
    let sql = "UPDATE checkpoint_leaf SET seq = 2, hash = (SELECT hash FROM audit WHERE customer = 'cus_ann' AND seq = 2) \
               WHERE customer = 'cus_ann' AND checkpoint = 1";
    assert_eq!(sworn.after(&[sql]).await, ["checkpoint 1 its leaves are not what was signed"]);
}

#[tokio::test]
async fn a_deleted_checkpoint_is_found_in_the_middle_and_at_the_end() {
    let mut middle = sworn().await;
    middle.write("cus_ann", "more").await;
    middle.swear().await;
    let found = middle.after(&["DELETE FROM checkpoint WHERE number = 2"]).await;
    assert_eq!(found[0], "checkpoint 2 the checkpoint is missing");
    let end = sworn().await;
    let damage = ["DELETE FROM checkpoint WHERE number = 2", "DELETE FROM checkpoint_leaf WHERE checkpoint = 2"];
    assert_eq!(end.after(&damage).await, ["checkpoint 2 the file of notes holds it, the database does not"]);
}

#[tokio::test]
async fn checkpoints_of_another_key_and_a_changed_file_are_found() {
    let mut sworn = sworn().await;
    let other = NoteSigner::new("espalier.audit", &[6; 32]);
    assert_eq!(sworn.found_by(other.verifier()).await.len(), 2);
    sworn.file = sworn.file.replace("number 1", "number 7");
    let found = sworn.found_by(sworn.signer.verifier()).await;
    assert_eq!(
        found,
        [
            "checkpoint 7 the file of notes holds it, the database does not",
            "checkpoint 1 the file of notes does not hold it"
        ]
    );
    // The newest may still be on its way to the file; what a host began to write before it died is no damage.
    let whole = sworn.fixture.store.trail.checkpoint_notes(0).await.unwrap();
    sworn.file = format!("{}{}", Notes::entry(&whole[0].1), &whole[1].1[..60]);
    assert_eq!(sworn.found_by(sworn.signer.verifier()).await, [""; 0]);
}

#[tokio::test]
async fn of_two_nodes_that_make_the_same_checkpoint_one_loses() {
    let sworn = sworn().await;
    sworn.write("cus_ann", "more").await;
    let store = &sworn.fixture.store;
    let (one, two) =
        tokio::join!(store.trail.checkpoint(&sworn.signer, NOON), store.trail.checkpoint(&sworn.signer, NOON));
    let made: Vec<_> = [one.unwrap().number, two.unwrap().number].into_iter().flatten().collect();
    assert_eq!(made, [3]);
}
