//! Schedules of a module, as a run reads and changes them.

use model::clock::Moment;
use model::schedule::Plan;

use super::RecordsError;
use super::workspace::Workspace;
use crate::jobs::schedules::{Schedule, ScheduleChange};

impl Workspace {
    /// A schedule of this module as it is stored.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn schedule(&mut self, name: &str) -> Result<Option<Schedule>, RecordsError> {
        self.tally.rows_read += 1;
        Ok(self.store.jobs.schedules(&self.customer, &self.schema.module, Some(name)).await?.pop())
    }

    /// How many schedules this module has for the customer; calls that have been made one time are none any more.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn count_schedules(&mut self) -> Result<usize, RecordsError> {
        self.tally.rows_read += 1;
        let all = self.store.jobs.schedules(&self.customer, &self.schema.module, None).await?;
        Ok(all.iter().filter(|it| it.next_at.is_some() || !matches!(it.plan, Plan::Once(_))).count())
    }

    /// Wants a schedule put in the place of the one of this name.
    pub fn put_schedule(&mut self, name: String, plan: Plan, next_at: Moment) {
        let bytes = serde_json::to_string(&plan).map_or(0, |text| text.len());
        self.count_written(name.len() + bytes);
        self.schedules.push(ScheduleChange::Put { name, plan, next_at });
    }

    /// Wants a schedule removed.
    pub fn remove_schedule(&mut self, name: String) {
        self.count_written(name.len());
        self.schedules.push(ScheduleChange::Remove { name });
    }
}
