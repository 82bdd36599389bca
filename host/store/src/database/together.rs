//! Questions of one kind that come while others are on their way go together in the next one.
//!
//! An exchange with the database costs more than what it fetches; the more callers there are, the less each pays. Nothing
//! is kept: an answer is as the database was at some moment after its question was asked.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::StoreError;
use crate::database::readers::PATIENCE;
use crate::database::writer::BoxFuture;
use crate::database::{Database, Inner};

/// Keys that go in one question.
const MOST: usize = 64;
/// Questions on their way at a time, so that a long one is passed.
const AT_ONCE: usize = 2;

/// Those who wait for values by their keys.
pub(crate) struct Together<K, V>(Mutex<Waiting<K, V>>);

struct Waiting<K, V> {
    asked: Vec<Asked<K, V>>,
    /// Questions on their way.
    asking: usize,
}

struct Asked<K, V> {
    key: K,
    answer: oneshot::Sender<Result<Option<V>, StoreError>>,
}

/// What is asked for many keys.
pub(crate) type Ask<K, V> = fn(Database, Vec<K>) -> BoxFuture<'static, Result<HashMap<K, V>, StoreError>>;

impl<K, V> Default for Together<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Waiting { asked: Vec::new(), asking: 0 }))
    }
}

impl<K, V> Together<K, V> {
    fn waiting(&self) -> MutexGuard<'_, Waiting<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lines up; whether somebody has to begin asking.
    fn enter(&self, asked: Asked<K, V>) -> bool {
        let mut waiting = self.waiting();
        waiting.asked.push(asked);
        let begins = waiting.asking < AT_ONCE;
        waiting.asking += usize::from(begins);
        begins
    }

    /// The next that go together; none: the place is given back, in the same moment, so that who comes now begins.
    fn next(&self) -> Option<Vec<Asked<K, V>>> {
        let mut waiting = self.waiting();
        if waiting.asked.is_empty() {
            waiting.asking -= 1;
            return None;
        }
        let many = waiting.asked.len().min(MOST);
        Some(waiting.asked.drain(..many).collect())
    }
}

/// Asks until nobody waits.
struct Asker<K: 'static, V: 'static> {
    database: Database,
    of: fn(&Inner) -> &Together<K, V>,
    has_place: bool,
}

impl<K, V> Drop for Asker<K, V> {
    /// A place is given back even if asking ended in the middle.
    fn drop(&mut self) {
        if self.has_place {
            (self.of)(&self.database.0).waiting().asking -= 1;
        }
    }
}

impl Database {
    /// The value of one key, asked for together with others of its kind.
    pub(crate) async fn ask_together<K, V>(
        &self,
        key: K,
        of: fn(&Inner) -> &Together<K, V>,
        ask: Ask<K, V>,
    ) -> Result<Option<V>, StoreError>
    where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        if of(&self.0).enter(Asked { key, answer }) {
            let asker = Asker { database: self.clone(), of, has_place: true };
            // Not in the caller's own task: one who goes away must not leave the others waiting.
            tokio::spawn(asker.work(ask));
        }
        let unavailable = |why: &str| StoreError::Unavailable(why.to_owned());
        // Those before it may each wait as long for a database that stands still, and somebody waits for this one.
        let heard = tokio::time::timeout(PATIENCE, answered).await;
        let heard = heard.map_err(|_| unavailable("the database did not answer in time"))?;
        heard.map_err(|_| unavailable("a question was lost"))?
    }
}

impl<K, V> Asker<K, V>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + 'static,
{
    async fn work(mut self, ask: Ask<K, V>) {
        while let Some(asked) = (self.of)(&self.database.0).next() {
            let keys = asked.iter().map(|asked| asked.key.clone()).collect();
            let found = ask(self.database.clone(), keys).await;
            for Asked { key, answer } in asked {
                let told = found.as_ref().map(|found| found.get(&key).cloned()).map_err(Clone::clone);
                // Whoever went away needs no answer.
                let _gone = answer.send(told);
            }
        }
        self.has_place = false;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use crate::Settlement;
    use crate::fixture::{answer, fixture};

    #[tokio::test]
    async fn each_of_many_who_ask_at_once_gets_its_own_answer_and_one_who_goes_away_keeps_nobody_waiting() {
        let fixture = fixture().await;
        for number in 0..40 {
            let answer = Some(answer(&format!("key-{number}"), &format!("print-{number}")));
            let call = Settlement { answer, ..fixture.call(&format!("req_{number}"), 1) };
            fixture.store.calls.settle(call).await.unwrap();
        }
        let keys: Vec<String> = (0..200).map(|number| format!("key-{number}")).collect();
        for _ in 0..20 {
            let mut asked = Vec::new();
            for key in &keys {
                let mut earlier = Box::pin(fixture.store.calls.earlier(&fixture.customer, key));
                assert!(futures_util::poll!(earlier.as_mut()).is_pending());
                // Every third goes away while it waits.
                if asked.len() % 3 == 1 {
                    drop(earlier);
                    asked.push(None);
                } else {
                    asked.push(Some(earlier));
                }
            }
            let (numbers, waiting): (Vec<usize>, Vec<_>) =
                asked.into_iter().enumerate().filter_map(|(number, earlier)| Some((number, earlier?))).unzip();
            for (number, found) in numbers.into_iter().zip(join_all(waiting).await) {
                let print = found.unwrap().map(|it| it.fingerprint);
                assert_eq!(print, (number < 40).then(|| format!("print-{number}")));
            }
        }
    }
}
