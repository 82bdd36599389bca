//! Tracked redirects and shares, as a run makes and reads them.

use model::clock::Moment;
use model::id::ShareId;
use model::token::{Purpose, Secret};
use sqlx::{Any, Row as _};
use std::time::Duration;

use super::workspace::Workspace;
use super::{RecordsError, identify};
use crate::edges::change::EdgeChange;
use crate::edges::hits::{Hit, LinkDay, SETTLED, Signs};
use crate::edges::links::{self, LinkState, LinkView, NewLink};
use crate::edges::shares::{self, NewShare, ShareView};

/// Hits of one page at most.
const MOST_HITS: u32 = 1_000;

/// A link that is to be made; what it says is checked already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// Where it leads: an absolute address.
    pub target: String,
    /// The module's own reference.
    pub context: String,
    /// A code of the module's choice; none: the host makes one.
    pub code: Option<String>,
    /// Whether a visitor's query goes on to the target.
    pub keeps_query: bool,
    /// Until when it leads there; none: for good.
    pub expires: Option<Moment>,
}

/// Hits, and where they go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitPage {
    /// The oldest first.
    pub hits: Vec<Hit>,
    /// Present when there is more.
    pub next: Option<String>,
}

impl Workspace {
    /// Makes a link.
    ///
    /// # Errors
    /// `Conflict` when somebody has the code.
    pub async fn create_link(&mut self, redirect: Redirect) -> Result<LinkView, RecordsError> {
        let code = match redirect.code {
            Some(code) => {
                if self.made_link(&code).is_some() || self.store.edges.has_code(&code).await? {
                    return Err(RecordsError::Conflict);
                }
                code
            }
            None => links::make_code(self.store.database.entropy()),
        };
        self.tally.rows_written += 1;
        let link = NewLink {
            code,
            target: redirect.target,
            context: redirect.context,
            keeps_query: redirect.keeps_query,
            created_at: self.now,
            expires_at: redirect.expires,
        };
        let view = link.view(self.now);
        self.edges.push(EdgeChange::CreateLink(link));
        Ok(view)
    }

    /// A link of this customer and module.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn link(&mut self, code: &str) -> Result<Option<LinkView>, RecordsError> {
        self.tally.rows_read += 1;
        let found = match self.made_link(code) {
            Some(link) => Some(link),
            None => {
                let sql = "SELECT code, target, context, state, created_at, expires_at FROM link \
                           WHERE customer = $1 AND code = $2 AND module = $3";
                let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(code);
                let row = self.reader().fetch_optional(query.bind(self.schema.module.as_str())).await?;
                row.map(|row| links::view(&row, self.now)).transpose()?
            }
        };
        let set = self.edges.iter().rev().find_map(|change| match change {
            EdgeChange::SetLink { code: of, state } if of == code => Some(*state),
            _ => None,
        });
        Ok(found.map(|link| match set {
            Some(state) if link.state != LinkState::Expired => LinkView { state, ..link },
            _ => link,
        }))
    }

    /// Sets whether a link leads to its target.
    ///
    /// # Errors
    /// `Missing`; `Conflict` when it is expired, for that is for good.
    pub async fn set_link(&mut self, code: &str, state: LinkState) -> Result<(), RecordsError> {
        let link = self.link(code).await?.ok_or(RecordsError::Missing)?;
        if link.state == LinkState::Expired && state != LinkState::Expired {
            return Err(RecordsError::Conflict);
        }
        self.tally.rows_written += 1;
        self.edges.push(EdgeChange::SetLink { code: code.to_owned(), state });
        Ok(())
    }

    /// What a link of this module was asked for, by UTC day, from one day to another, both included.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn link_days(&mut self, code: &str, from: i64, to: i64) -> Result<Vec<LinkDay>, RecordsError> {
        let sql = "SELECT d.day, d.visits, d.probes, d.prefetches, d.agents FROM link_day d JOIN link l \
                   ON l.customer = d.customer AND l.code = d.code AND l.module = $3 \
                   WHERE d.customer = $1 AND d.code = $2 AND d.day >= $4 AND d.day <= $5 ORDER BY d.day LIMIT 1000";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(code);
        let query = query.bind(self.schema.module.as_str()).bind(from).bind(to);
        let rows = self.reader().fetch_all(query).await?;
        self.tally.rows_read += rows.len() as u64;
        let counted =
            |row: &sqlx::any::AnyRow, column| Ok::<_, RecordsError>(row.try_get::<i64, _>(column)?.unsigned_abs());
        rows.iter()
            .map(|row| {
                Ok(LinkDay {
                    day: row.try_get("day")?,
                    visits: counted(row, "visits")?,
                    probes: counted(row, "probes")?,
                    prefetches: counted(row, "prefetches")?,
                    agents: counted(row, "agents")?,
                })
            })
            .collect()
    }

    /// Single hits of a link of this module in the order in which they were written, up to some seconds ago.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn link_hits(&mut self, code: &str, after: Option<&str>, limit: u32) -> Result<HitPage, RecordsError> {
        let limit = limit.clamp(1, MOST_HITS);
        let sql = "SELECT h.hit, h.at, h.visitor, h.device, h.signs, h.referrer FROM link_hit h JOIN link l \
                   ON l.customer = h.customer AND l.code = h.code AND l.module = $3 \
                   WHERE h.customer = $1 AND h.code = $2 AND h.hit > $4 AND h.hit < $5 ORDER BY h.hit LIMIT $6";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(code);
        let query = query.bind(self.schema.module.as_str()).bind(after.unwrap_or(""));
        let settled = identify::before(Moment(self.now.0 - SETTLED.as_millis() as i64));
        let query = query.bind(settled).bind(i64::from(limit) + 1);
        let rows = self.reader().fetch_all(query).await?;
        let more = rows.len() > limit as usize;
        let rows = &rows[..rows.len().min(limit as usize)];
        self.tally.rows_read += rows.len() as u64;
        let next = rows.last().filter(|_| more).map(|row| row.try_get("hit")).transpose()?;
        let hits = rows.iter().map(|row| {
            Ok(Hit {
                customer: self.customer.clone(),
                code: code.to_owned(),
                at: Moment(row.try_get("at")?),
                visitor: row.try_get("visitor")?,
                device: row.try_get("device")?,
                signs: Signs::of_bits(row.try_get("signs")?),
                referrer: row.try_get("referrer")?,
            })
        });
        Ok(HitPage { hits: hits.collect::<Result<_, RecordsError>>()?, next })
    }

    /// Lets anybody with the address see a blob: a name for the module, and the secret of the address, which is shown
    /// this once. `with_grant`: the address ends with the grant of the run.
    ///
    /// # Errors
    /// `Missing` when there is no such blob.
    pub async fn publish(
        &mut self,
        blob_key: &str,
        media_type: &str,
        file_name: Option<String>,
        life: Duration,
        with_grant: bool,
    ) -> Result<(ShareView, Secret), RecordsError> {
        self.publish_guarded(blob_key, media_type, file_name, life, with_grant, None).await
    }

    /// As [`Workspace::publish`], and the address asks for the passcode behind this PHC string, where there is one.
    ///
    /// # Errors
    /// `Missing` when there is no such blob.
    pub async fn publish_guarded(
        &mut self,
        blob_key: &str,
        media_type: &str,
        file_name: Option<String>,
        life: Duration,
        with_grant: bool,
        passcode: Option<String>,
    ) -> Result<(ShareView, Secret), RecordsError> {
        if self.blob_read(blob_key, 0, 0).await?.is_none() {
            return Err(RecordsError::Missing);
        }
        let secret = Secret::new(Purpose::Share, self.store.database.entropy());
        let share = NewShare {
            id: ShareId::new(self.store.database.entropy()),
            token: secret.hash(),
            blob_key: blob_key.to_owned(),
            media_type: media_type.to_owned(),
            file_name,
            created_at: self.now,
            expires_at: self.now.plus(life),
            grant: self.grant.clone().filter(|_| with_grant),
            passcode,
        };
        self.tally.rows_written += 1;
        let view = share.view();
        self.edges.push(EdgeChange::Publish(share));
        Ok((view, secret))
    }

    /// A share of this customer and module.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn share(&mut self, reference: &str) -> Result<Option<ShareView>, RecordsError> {
        self.tally.rows_read += 1;
        let made = self.edges.iter().find_map(|change| match change {
            EdgeChange::Publish(share) if share.id.as_str() == reference => Some(share.view()),
            _ => None,
        });
        let found = match made {
            Some(share) => Some(share),
            None => {
                let sql = "SELECT share, blob_key, created_at, expires_at, ended_at, views FROM share \
                           WHERE customer = $1 AND share = $2 AND module = $3";
                let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(reference);
                let row = self.reader().fetch_optional(query.bind(self.schema.module.as_str())).await?;
                row.map(|row| shares::view(&row)).transpose()?
            }
        };
        let ended = self.edges.iter().find_map(|change| match change {
            EdgeChange::EndShare { share, at } if share == reference => Some(*at),
            _ => None,
        });
        Ok(found.map(|share| ShareView { ended: share.ended.or(ended), ..share }))
    }

    /// Takes a share back; one that was taken back before stays as it is.
    ///
    /// # Errors
    /// `Missing`.
    pub async fn end_share(&mut self, reference: &str) -> Result<ShareView, RecordsError> {
        let share = self.share(reference).await?.ok_or(RecordsError::Missing)?;
        self.tally.rows_written += 1;
        self.edges.push(EdgeChange::EndShare { share: reference.to_owned(), at: self.now });
        Ok(ShareView { ended: share.ended.or(Some(self.now)), ..share })
    }

    fn made_link(&self, code: &str) -> Option<LinkView> {
        self.edges.iter().find_map(|change| match change {
            EdgeChange::CreateLink(link) if link.code == code => Some(link.view(self.now)),
            _ => None,
        })
    }
}
