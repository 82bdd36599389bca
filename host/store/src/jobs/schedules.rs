//! Schedules: what is done again and again in a customer's name, taken by one node at a time under a lease.

use std::time::Duration;

use model::clock::Moment;
use model::grant::{Access, Grant};
use model::id::{ClientId, CustomerId, GrantId};
use model::schedule::Plan;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use crate::StoreError;
use crate::identity::grants;
use crate::tables::Jobs;

/// Schedules of one customer and module.
pub const MOST_SCHEDULES: usize = 200;

/// A schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The module's own name for it.
    pub name: String,
    /// What and when.
    pub plan: Plan,
    /// When something is to be done next; none: it has stopped.
    pub next_at: Option<Moment>,
    /// Where the present round is: JSON. None between rounds.
    pub stage: Option<String>,
    /// Why it has stopped.
    pub stopped: Option<String>,
    /// When the last round began.
    pub last_at: Option<Moment>,
    /// How it ended.
    pub outcome: Option<String>,
    /// The number that was watched last, in thousandths.
    pub watched: Option<i64>,
    /// Counts up with every change.
    pub version: u64,
}

/// A schedule that a node has taken.
#[derive(Clone, Debug, PartialEq)]
pub struct DueSchedule {
    /// Whose.
    pub customer: CustomerId,
    /// Of which module.
    pub module: String,
    /// In the name of which grant.
    pub grant: GrantId,
    /// The schedule.
    pub schedule: Schedule,
}

/// What a run wants of a schedule.
#[derive(Clone, Debug)]
pub(crate) enum ScheduleChange {
    Put { name: String, plan: Plan, next_at: Moment },
    Remove { name: String },
}

const COLUMNS: &str =
    "customer, module, name, grant_id, plan, next_at, stage, stopped, last_at, outcome, watched, version";

impl ScheduleChange {
    /// Writes it for one customer and module, in the name of the grant that asked.
    pub(crate) async fn apply(
        &self,
        connection: &mut AnyConnection,
        customer: &CustomerId,
        module: &str,
        grant: Option<&GrantId>,
    ) -> Result<(), StoreError> {
        match self {
            ScheduleChange::Remove { name } => {
                let sql = "DELETE FROM schedule WHERE customer = $1 AND module = $2 AND name = $3";
                let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(module).bind(name.as_str());
                query.execute(connection).await?;
            }
            ScheduleChange::Put { name, plan, next_at } => {
                let grant = grant.ok_or(StoreError::Inconsistent("a schedule that nobody asked for"))?;
                // Calls begin anew. Work goes on in its rhythm: a round that is due stays due.
                let anew = match plan {
                    Plan::Calls(_) | Plan::Once(_) => {
                        "next_at = excluded.next_at, stage = NULL, last_at = NULL, outcome = NULL, watched = NULL"
                    }
                    Plan::Work(_) => {
                        "next_at = CASE WHEN schedule.next_at < excluded.next_at THEN schedule.next_at \
                         ELSE excluded.next_at END"
                    }
                };
                let plan = serde_json::to_string(plan).map_err(|_| StoreError::Inconsistent("a schedule"))?;
                let sql = format!(
                    "INSERT INTO schedule (customer, module, name, grant_id, plan, next_at, version) \
                     VALUES ($1, $2, $3, $4, $5, $6, 1) ON CONFLICT (customer, module, name) DO UPDATE SET \
                     grant_id = excluded.grant_id, plan = excluded.plan, {anew}, lease_until = NULL, stopped = NULL, \
                     version = schedule.version + 1"
                );
                let query =
                    sqlx::query::<Any>(AssertSqlSafe(sql)).bind(customer.as_str()).bind(module).bind(name.as_str());
                query.bind(grant.as_str()).bind(plan).bind(next_at.0).execute(connection).await?;
            }
        }
        Ok(())
    }
}

impl Jobs {
    /// The schedules of a customer and module, by name; `name` narrows them to one.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn schedules(
        &self,
        customer: &CustomerId,
        module: &str,
        name: Option<&str>,
    ) -> Result<Vec<Schedule>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM schedule WHERE customer = $1 AND module = $2 AND ($3 = '' OR name = $3) ORDER BY name"
        );
        let query = sqlx::query::<Any>(AssertSqlSafe(sql)).bind(customer.as_str()).bind(module);
        let rows = self.database.reader().fetch_all(query.bind(name.unwrap_or_default())).await?;
        rows.iter().map(|row| Ok(read(row)?.schedule)).collect()
    }

    /// Takes up to `limit` schedules that are due; nobody else has them until the lease ends.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn claim_schedules(
        &self,
        limit: u32,
        now: Moment,
        lease: Duration,
    ) -> Result<Vec<DueSchedule>, StoreError> {
        const DUE: &str = "next_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)";
        // A look without the writer first: most of the time nothing is due.
        let look = format!("SELECT 1 FROM schedule WHERE {DUE} LIMIT 1");
        if self.database.reader().fetch_optional(sqlx::query::<Any>(AssertSqlSafe(look)).bind(now.0)).await?.is_none() {
            return Ok(Vec::new());
        }
        let until = now.plus(lease);
        let rows = self
            .database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = format!(
                        "UPDATE schedule SET lease_until = $2, version = version + 1 WHERE (customer, module, name) IN \
                         (SELECT customer, module, name FROM schedule WHERE {DUE} ORDER BY next_at LIMIT $3{}) \
                         RETURNING {COLUMNS}",
                        tx.dialect.skip_locked()
                    );
                    let query = sqlx::query::<Any>(AssertSqlSafe(sql)).bind(now.0).bind(until.0);
                    Ok::<_, StoreError>(query.bind(i64::from(limit)).fetch_all(tx.connection()).await?)
                })
            })
            .await?;
        rows.iter().map(read).collect()
    }

    /// Writes how far a schedule is that was taken, unless somebody has changed or taken it since. False: they have.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn advance_schedule(&self, due: &DueSchedule) -> Result<bool, StoreError> {
        let due = due.clone();
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let DueSchedule { customer, module, schedule, .. } = due;
                    let sql = "UPDATE schedule SET next_at = $5, stage = $6, stopped = $7, last_at = $8, outcome = $9, \
                           watched = $10, lease_until = NULL, version = version + 1 \
                           WHERE customer = $1 AND module = $2 AND name = $3 AND version = $4";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str().to_owned()).bind(module);
                    let query = query.bind(schedule.name).bind(i64::try_from(schedule.version).unwrap_or(i64::MAX));
                    let query = query.bind(schedule.next_at.map(|at| at.0)).bind(schedule.stage).bind(schedule.stopped);
                    let query =
                        query.bind(schedule.last_at.map(|at| at.0)).bind(schedule.outcome).bind(schedule.watched);
                    Ok(query.execute(tx.connection()).await?.rows_affected() == 1)
                })
            })
            .await
    }

    /// A grant that still permits something, with what it permits now.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn living_grant(&self, customer: &CustomerId, grant: &GrantId) -> Result<Option<Grant>, StoreError> {
        let sql = "SELECT access_grant.grant_id, access_grant.client, access_grant.scopes, customer.activated_at, \
                   customer.suspended_at FROM access_grant \
                   JOIN customer ON customer.customer = access_grant.customer \
                   WHERE access_grant.customer = $1 AND access_grant.grant_id = $2 AND access_grant.ended_at IS NULL \
                   AND customer.erased_at IS NULL";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(grant.as_str());
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(None) };
        let activated = row.try_get::<Option<i64>, _>("activated_at")?.is_some();
        let suspended = row.try_get::<Option<i64>, _>("suspended_at")?.is_some();
        Ok(Some(Grant {
            id: GrantId::from(row.try_get::<String, _>("grant_id")?),
            customer: customer.clone(),
            client: row.try_get::<Option<String>, _>("client")?.map(ClientId::from),
            scopes: grants::scopes(&row)?,
            access: if activated && !suspended { Access::Open } else { Access::Closed },
        }))
    }
}

fn read(row: &AnyRow) -> Result<DueSchedule, StoreError> {
    let plan: String = row.try_get("plan")?;
    let moment = |column: &str| Ok::<_, StoreError>(row.try_get::<Option<i64>, _>(column)?.map(Moment));
    Ok(DueSchedule {
        customer: CustomerId::from(row.try_get::<String, _>("customer")?),
        module: row.try_get("module")?,
        grant: GrantId::from(row.try_get::<String, _>("grant_id")?),
        schedule: Schedule {
            name: row.try_get("name")?,
            plan: serde_json::from_str(&plan).map_err(|_| StoreError::Inconsistent("the plan of a schedule"))?,
            next_at: moment("next_at")?,
            stage: row.try_get("stage")?,
            stopped: row.try_get("stopped")?,
            last_at: moment("last_at")?,
            outcome: row.try_get("outcome")?,
            watched: row.try_get("watched")?,
            version: row.try_get::<i64, _>("version")?.unsigned_abs(),
        },
    })
}

#[cfg(test)]
mod tests {
    use model::schedule::{Cadence, Calls, Every, Once, Work};

    use super::*;
    use crate::fixture::{Fixture, NOON, fixture};

    fn plan() -> Plan {
        let cadence = Cadence { every: Every::Day, minute: 0, weekday: 0 };
        Plan::Calls(Calls { cadence, calls: Vec::new(), watch: None })
    }

    fn work() -> Plan {
        Plan::Work(Work {
            minutes: 5,
            phase: 0,
            operation: "crawl.a".to_owned(),
            step: "check".to_owned(),
            payload: serde_json::Map::new(),
            units: 3,
        })
    }

    async fn put(fixture: &Fixture, name: &str, next_at: Moment) {
        put_plan(fixture, name, plan(), next_at).await;
    }

    async fn put_plan(fixture: &Fixture, name: &str, plan: Plan, next_at: Moment) {
        let (customer, name) = (fixture.customer.clone(), name.to_owned());
        let written = fixture.store.database.write(move |tx| {
            Box::pin(async move {
                let change = ScheduleChange::Put { name, plan, next_at };
                change.apply(tx.connection(), &customer, "crawl", Some(&GrantId::from("gra_a"))).await
            })
        });
        written.await.unwrap();
    }

    #[tokio::test]
    async fn a_schedule_that_is_due_is_had_by_one_node_until_its_lease_ends() {
        let fixture = fixture().await;
        let lease = Duration::from_secs(60);
        put(&fixture, "1", NOON).await;
        put(&fixture, "2", NOON.plus(Duration::from_secs(3_600))).await;
        let taken = fixture.store.jobs.claim_schedules(9, NOON, lease).await.unwrap();
        assert_eq!(taken.iter().map(|due| due.schedule.name.as_str()).collect::<Vec<_>>(), ["1"]);
        assert_eq!(fixture.store.jobs.claim_schedules(9, NOON, lease).await.unwrap(), []);
        let later = NOON.plus(lease);
        let again = fixture.store.jobs.claim_schedules(9, later, lease).await.unwrap();
        assert_eq!(again.len(), 1, "whoever had it is gone");
        assert!(
            !fixture.store.jobs.advance_schedule(&taken[0]).await.unwrap(),
            "and changes nothing when it comes back"
        );
        let mut due = again[0].clone();
        due.schedule.next_at = Some(later.plus(lease));
        due.schedule.outcome = Some("ok".to_owned());
        assert!(fixture.store.jobs.advance_schedule(&due).await.unwrap());
        let kept = fixture.store.jobs.schedules(&fixture.customer, "crawl", Some("1")).await.unwrap();
        assert_eq!((kept[0].next_at, kept[0].outcome.as_deref()), (Some(later.plus(lease)), Some("ok")));
        let other = CustomerId::from("cus_other");
        assert_eq!(fixture.store.jobs.schedules(&other, "crawl", None).await.unwrap(), []);
        assert_eq!(fixture.store.jobs.schedules(&fixture.customer, "audit", None).await.unwrap(), []);
    }

    #[tokio::test]
    async fn a_schedule_that_is_set_again_begins_anew_and_its_old_round_changes_nothing() {
        let fixture = fixture().await;
        put(&fixture, "1", NOON).await;
        let taken = fixture.store.jobs.claim_schedules(9, NOON, Duration::from_secs(60)).await.unwrap();
        put(&fixture, "1", NOON.plus(Duration::from_secs(60))).await;
        assert!(!fixture.store.jobs.advance_schedule(&taken[0]).await.unwrap());
        let kept = fixture.store.jobs.schedules(&fixture.customer, "crawl", None).await.unwrap();
        assert_eq!(kept[0].next_at, Some(NOON.plus(Duration::from_secs(60))));
    }

    #[tokio::test]
    async fn work_that_is_set_again_keeps_a_round_that_is_due_and_what_is_known_of_the_last() {
        let fixture = fixture().await;
        let later = |seconds| NOON.plus(Duration::from_secs(seconds));
        put_plan(&fixture, "5", work(), NOON).await;
        let mut taken = fixture.store.jobs.claim_schedules(9, NOON, Duration::from_secs(60)).await.unwrap();
        taken[0].schedule.stage = Some("{}".to_owned());
        taken[0].schedule.next_at = Some(later(300));
        assert!(fixture.store.jobs.advance_schedule(&taken[0]).await.unwrap());
        put_plan(&fixture, "5", work(), later(600)).await;
        let kept = fixture.store.jobs.schedules(&fixture.customer, "crawl", Some("5")).await.unwrap();
        assert_eq!((kept[0].next_at, kept[0].stage.as_deref()), (Some(later(300)), Some("{}")));
        assert_eq!(kept[0].plan, work());
        let mut stopped = fixture.store.jobs.claim_schedules(9, later(300), Duration::from_secs(60)).await.unwrap();
        (stopped[0].schedule.next_at, stopped[0].schedule.stopped) = (None, Some("grant_ended".to_owned()));
        assert!(fixture.store.jobs.advance_schedule(&stopped[0]).await.unwrap());
        put_plan(&fixture, "5", work(), later(600)).await;
        let kept = fixture.store.jobs.schedules(&fixture.customer, "crawl", Some("5")).await.unwrap();
        assert_eq!((kept[0].next_at, kept[0].stopped.as_deref()), (Some(later(600)), None), "it goes on");
    }

    #[tokio::test]
    async fn calls_that_were_made_at_their_moment_are_known_for_thirty_days_and_others_for_ever() {
        let fixture = fixture().await;
        let days = |days: u64| NOON.plus(Duration::from_secs(days * 86_400));
        put_plan(&fixture, "made", Plan::Once(Once { at: NOON.0, calls: Vec::new() }), NOON).await;
        put_plan(&fixture, "waits", Plan::Once(Once { at: days(50).0, calls: Vec::new() }), days(50)).await;
        put(&fixture, "daily", NOON).await;
        for mut due in fixture.store.jobs.claim_schedules(9, NOON, Duration::from_secs(60)).await.unwrap() {
            due.schedule.next_at = None;
            due.schedule.last_at = Some(NOON);
            assert!(fixture.store.jobs.advance_schedule(&due).await.unwrap());
        }
        let names = async || {
            let kept = fixture.store.jobs.schedules(&fixture.customer, "crawl", None).await.unwrap();
            kept.into_iter().map(|it| it.name).collect::<Vec<_>>()
        };
        fixture.store.sweep(days(29)).await.unwrap();
        assert_eq!(names().await, ["daily", "made", "waits"]);
        fixture.store.sweep(days(31)).await.unwrap();
        assert_eq!(names().await, ["daily", "waits"]);
    }
}
