//! Who came by an edge, gathered in memory and written in groups: a redirect never waits for a disk.
//!
//! What is gathered is written every second and when the host stops. A host that crashes loses the last second; a
//! store that does not answer, or more than [`MOST`] visits in a second, lose what does not fit, and the log says so.
//! A visit is never written twice.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use model::clock::Moment;
use model::id::{CustomerId, ShareId};
use model::token::hex;
use sha2::Sha256;
use store::StoreError;
use store::edges::hits::Hit;
use tokio::sync::watch;

use crate::edges::Edges;

/// How often what was gathered is written.
const EVERY: Duration = Duration::from_secs(1);
/// Hits that are gathered at most.
const MOST: usize = 20_000;
/// Shares whose views are gathered at most.
const MOST_SHARES: usize = 4_000;
/// Hits of one commit.
const GROUP: usize = 1_000;
/// Hex digits of a visitor: enough that no two meet in a day, too few to be anything else.
const VISITOR: usize = 24;

/// What was gathered.
#[derive(Default)]
pub(crate) struct Visits {
    gathered: Mutex<Gathered>,
}

#[derive(Default)]
struct Gathered {
    hits: Vec<Hit>,
    views: BTreeMap<(CustomerId, ShareId), u64>,
    lost: u64,
    /// The day and its salt; gone from here with the first visit of the next day.
    salt: Option<(i64, String)>,
}

impl Visits {
    fn lock(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hit(&self, hit: Hit) {
        let mut gathered = self.lock();
        match gathered.hits.len() < MOST {
            true => gathered.hits.push(hit),
            false => gathered.lost += 1,
        }
    }

    pub(super) fn view(&self, customer: CustomerId, share: ShareId) {
        let mut gathered = self.lock();
        let full = gathered.views.len() >= MOST_SHARES;
        match gathered.views.get_mut(&(customer.clone(), share.clone())) {
            Some(seen) => *seen += 1,
            None if full => gathered.lost += 1,
            None => _ = gathered.views.insert((customer, share), 1),
        }
    }
}

impl Edges {
    /// Writes visits every second until told to stop.
    pub async fn write_visits(&self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                _ = stop.changed() => {}
            }
            self.flush_visits().await;
        }
    }

    /// Writes what was gathered; once more when the last request has been answered.
    pub async fn flush_visits(&self) {
        let (mut hits, views, lost) = {
            let mut gathered = self.core.0.visits.lock();
            let hits = std::mem::take(&mut gathered.hits);
            (hits, std::mem::take(&mut gathered.views), std::mem::take(&mut gathered.lost))
        };
        if lost > 0 {
            tracing::warn!(lost, "visits came faster than they could be written");
        }
        while !hits.is_empty() {
            let rest = hits.split_off(hits.len().min(GROUP));
            let group = std::mem::replace(&mut hits, rest);
            let count = group.len();
            if let Err(error) = self.core.store().edges.add_hits(group).await {
                // Nobody can tell whether they were written, and a visit is not to be counted twice.
                tracing::warn!(error = %error, count, "visits were lost");
            }
        }
        if !views.is_empty() {
            let views = views.into_iter().map(|((customer, share), seen)| (customer, share, seen)).collect();
            if let Err(error) = self.core.store().edges.add_views(views).await {
                tracing::warn!(error = %error, "views of shares were lost");
            }
        }
    }

    /// A name for a visitor that is equal within a UTC day and a customer, and leads nowhere: its salt is forgotten.
    pub(super) async fn visitor(
        &self,
        customer: &CustomerId,
        address: &str,
        agent: &str,
        now: Moment,
    ) -> Result<String, StoreError> {
        let day = now.start_of_day().0;
        let known = self.core.0.visits.lock().salt.clone().filter(|(of, _)| *of == day);
        let salt = match known {
            Some((_, salt)) => salt,
            None => {
                let salt = self.core.store().edges.visit_salt(now).await?;
                self.core.0.visits.lock().salt = Some((day, salt.clone()));
                salt
            }
        };
        let mut code = Hmac::<Sha256>::new_from_slice(salt.as_bytes()).expect("a code takes a key of any length");
        for part in [customer.as_str(), address, agent] {
            code.update(&(part.len() as u64).to_be_bytes());
            code.update(part.as_bytes());
        }
        let mut visitor = hex(&code.finalize().into_bytes());
        visitor.truncate(VISITOR);
        Ok(visitor)
    }
}
