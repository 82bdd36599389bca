//! What the host notes of a customer's goals beside a read that it answers itself: it commits with the read's charge and
//! audit line, or not at all.

use sqlx::AnyConnection;

use crate::StoreError;
use crate::calls::intents::{Intent, IntentLink};
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::Listed;
use crate::identity::feedback::Feedback;

const SEARCHES: Listed = Listed {
    before: "INSERT INTO intent (customer, intent, grant_id, query, best, created_at, expires_at) ",
    columns: &[Text, Text, Text, Text, Text, Whole, Whole],
    after: "",
};
const FOLLOWED: Listed = Listed {
    before: "INSERT INTO intent_link (customer, intent, at, what, subject) ",
    columns: &[Text, Text, Whole, Text, Text],
    after: "",
};
const REPORTS: Listed = Listed {
    before: "INSERT INTO feedback (customer, feedback, grant_id, request, category, completion_state, goal, intent, \
             operation, message, created_at) ",
    columns: &[Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Whole],
    after: "",
};

/// One thing that is noted.
#[derive(Clone, Debug)]
pub enum Noted {
    /// A search by goal.
    Search(Intent),
    /// What a search led to.
    Followed(IntentLink),
    /// What a customer reports.
    Report(Box<Feedback>),
}

/// What a group of reads notes.
#[derive(Default)]
pub(crate) struct NotedWrites {
    searches: Vec<Intent>,
    followed: Vec<IntentLink>,
    reports: Vec<Feedback>,
}

impl NotedWrites {
    pub(crate) fn take(&mut self, noted: &[Noted]) {
        for noted in noted {
            match noted {
                Noted::Search(intent) => self.searches.push(intent.clone()),
                Noted::Followed(link) => self.followed.push(link.clone()),
                Noted::Report(report) => self.reports.push((**report).clone()),
            }
        }
    }

    pub(crate) async fn write(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        SEARCHES
            .execute(connection, &self.searches, |it| {
                (&it.customer, &it.reference, &it.grant, &it.query, &it.best, it.at.0, it.expires_at.0)
            })
            .await?;
        FOLLOWED
            .execute(connection, &self.followed, |it| (&it.customer, &it.reference, it.at.0, it.what, &it.subject))
            .await?;
        REPORTS
            .execute(connection, &self.reports, |it| {
                (
                    &it.customer,
                    &it.id,
                    &it.grant,
                    &it.request,
                    &it.category,
                    &it.completion_state,
                    &it.intent,
                    &it.intent_ref,
                    &it.operation,
                    &it.message,
                    it.at.0,
                )
            })
            .await?;
        Ok(())
    }
}
