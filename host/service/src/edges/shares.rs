//! `/r/{share}`: a blob that its module lets anybody see who has the address, and knows the passcode where there is one.

use std::time::Duration;

use model::clock::Moment;
use model::refusal::Refusal;
use model::token::{Secret, SecretHash};
use sandbox::passcode::Passcode;
use store::StoreError;
use store::edges::shares::{Found, Guard, Shown};
use store::identity::attempts::{Admission, Counter};

use crate::edges::Edges;
use crate::execute::Spine;

/// Tries of passcodes of one share in a window, on all hosts together. One that was right is taken back.
const TRIES: u32 = 5;
const WINDOW: Duration = Duration::from_secs(60);

/// What a visitor gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// `text/html` or a kind of file.
    pub media_type: String,
    /// What a browser calls the file.
    pub file_name: Option<String>,
    /// The content.
    pub bytes: Vec<u8>,
}

/// What an address answers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// The content.
    Shown(Shared),
    /// A question for the passcode.
    Asked,
}

/// What a passcode leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It is the right one.
    Shown(Shared),
    /// It is not.
    Wrong,
    /// Too many were tried for this share; this one was not compared.
    TooOften {
        /// Seconds after which the next one is.
        wait: u64,
    },
    /// Too many are tried for all shares at this moment; this one was not compared.
    Crowded,
    /// The share asks for none.
    Unasked,
}

impl Edges {
    /// What a token leads to; none: nothing, and nobody learns why. `seen`: content that is shown counts as a view.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn shared(&self, token: &str, seen: bool) -> Result<Option<Met>, Refusal> {
        let token = Secret::received(token).hash();
        Ok(match self.found(&token).await? {
            None => None,
            Some(Found::Guarded(_)) => Some(Met::Asked),
            Some(Found::Shown(shown)) => Some(Met::Shown(self.handed(shown, seen))),
        })
    }

    /// What a passcode leads to at a token; none: nothing is there, and nobody learns why. Content that is shown counts
    /// as a view.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn try_passcode(&self, token: &str, passcode: &str) -> Result<Option<Tried>, Refusal> {
        let token = Secret::received(token).hash();
        let guard = match self.found(&token).await? {
            None => return Ok(None),
            Some(Found::Shown(_)) => return Ok(Some(Tried::Unasked)),
            Some(Found::Guarded(guard)) => guard,
        };
        self.compare(&token, &guard, passcode).await.map_err(|error| self.failed(&error))
    }

    async fn compare(&self, token: &SecretHash, guard: &Guard, passcode: &str) -> Result<Option<Tried>, StoreError> {
        let (identity, now) = (&self.core.store().identity, self.core.clock().now());
        let key = Secret::received(format!("passcode of {}", guard.share)).hash().as_str().to_owned();
        let counter = Counter { key: key.clone(), most: TRIES, window: WINDOW };
        if let Admission::Shut { until, .. } = identity.attempt(vec![counter], now).await? {
            return Ok(Some(Tried::TooOften { wait: waited(now, until) }));
        }
        // What no passcode can be is not hashed.
        let Ok(passcode) = Passcode::of(passcode) else { return Ok(Some(Tried::Wrong)) };
        match passcode.is(guard.passcode.clone()).await {
            Ok(false) => return Ok(Some(Tried::Wrong)),
            Ok(true) => identity.take_back(key).await?,
            Err(_) => {
                identity.take_back(key).await?;
                return Ok(Some(Tried::Crowded));
            }
        }
        let shown = self.core.store().edges.show_past(guard, token, self.core.clock().now()).await?;
        Ok(shown.map(|shown| Tried::Shown(self.handed(shown, true))))
    }

    async fn found(&self, token: &SecretHash) -> Result<Option<Found>, Refusal> {
        let found = self.core.store().edges.show(token, self.core.clock().now()).await;
        found.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &StoreError) -> Refusal {
        Spine::of(&self.core).store_failed(error)
    }

    fn handed(&self, shown: Shown, seen: bool) -> Shared {
        let Shown { customer, share, media_type, file_name, bytes } = shown;
        if seen {
            self.core.0.visits.view(customer, share);
        }
        Shared { media_type, file_name, bytes }
    }
}

/// Whole seconds, so that the window is over for certain.
fn waited(now: Moment, until: Moment) -> u64 {
    until.since(now).as_secs() + 1
}
