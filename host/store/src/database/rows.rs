//! Many rows in one statement: they travel as one JSON parameter, so the text is the same for one row and for a
//! hundred, is prepared once, and costs one exchange with the database.

use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe};

use crate::StoreError;
use crate::database::dialect::Dialect;

/// Bytes of one parameter; longer lists go in several.
const MOST: usize = 8 << 20;

/// What a place of a tuple holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    Text,
    Whole,
    /// Given as lower-case hexadecimal digits.
    Bytes,
    /// Nothing: the same in every row, as SQL.
    Same(&'static str),
}

/// A statement with its list.
pub(crate) type Question = sqlx::query::Query<'static, Any, sqlx::any::AnyArguments>;

/// A statement over a list of tuples: what stands before the list, what a tuple holds, what stands after.
pub(crate) struct Listed {
    pub(crate) before: &'static str,
    pub(crate) columns: &'static [Column],
    pub(crate) after: &'static str,
}

impl Listed {
    /// Runs the statement over all items; `tuple` gives what the columns say, in their order.
    pub(crate) async fn execute<'a, T, R: Serialize>(
        &self,
        connection: &mut AnyConnection,
        items: &'a [T],
        tuple: impl Fn(&'a T) -> R,
    ) -> Result<u64, StoreError> {
        let mut affected = 0;
        for list in lists(items, tuple)? {
            affected += self.over(connection, list).execute(&mut *connection).await?.rows_affected();
        }
        Ok(affected)
    }

    /// Asks for all items.
    pub(crate) async fn fetch<'a, T, R: Serialize>(
        &self,
        connection: &mut AnyConnection,
        items: &'a [T],
        tuple: impl Fn(&'a T) -> R,
    ) -> Result<Vec<AnyRow>, StoreError> {
        let mut found = Vec::new();
        for list in lists(items, tuple)? {
            found.extend(self.over(connection, list).fetch_all(&mut *connection).await?);
        }
        Ok(found)
    }

    /// The statements over all items, for a connection that is not at hand yet.
    pub(crate) fn questions<'a, T, R: Serialize>(
        &self,
        dialect: Dialect,
        items: &'a [T],
        tuple: impl Fn(&'a T) -> R,
    ) -> Result<Vec<Question>, StoreError> {
        Ok(lists(items, tuple)?.into_iter().map(|list| self.question(dialect, list)).collect())
    }

    fn over(&self, connection: &AnyConnection, list: String) -> Question {
        self.question(Dialect::of(connection), list)
    }

    fn question(&self, dialect: Dialect, list: String) -> Question {
        sqlx::query(AssertSqlSafe(self.text(dialect, 1))).bind(list)
    }

    /// The statement, with the parameter of this number.
    fn text(&self, dialect: Dialect, number: usize) -> String {
        [self.before, &dialect.tuples(self.columns, number), self.after].concat()
    }
}

/// Statements that need nothing of each other and change one row for each of their items. Where the database can, all of
/// them go in one exchange.
#[derive(Default)]
pub(crate) struct Script {
    parts: Vec<(&'static Listed, String)>,
    items: u64,
}

impl Script {
    /// Adds a statement over all items.
    pub(crate) fn add<'a, T, R: Serialize>(
        &mut self,
        statement: &'static Listed,
        items: &'a [T],
        tuple: impl Fn(&'a T) -> R,
    ) -> Result<(), StoreError> {
        self.parts.extend(lists(items, tuple)?.into_iter().map(|list| (statement, list)));
        self.items += items.len() as u64;
        Ok(())
    }

    /// Executes them; whether each item has changed its row.
    pub(crate) async fn run(self, connection: &mut AnyConnection) -> Result<bool, StoreError> {
        let dialect = Dialect::of(connection);
        let mut affected = 0;
        if dialect.takes_scripts() && !self.parts.is_empty() {
            let numbered = self.parts.iter().zip(1..);
            let texts: Vec<String> = numbered.map(|((statement, _), number)| statement.text(dialect, number)).collect();
            let mut script = sqlx::query::<Any>(AssertSqlSafe(texts.join("; ")));
            for (_, list) in self.parts {
                script = script.bind(list);
            }
            affected += script.execute(connection).await?.rows_affected();
        } else {
            for (statement, list) in self.parts {
                affected += statement.question(dialect, list).execute(&mut *connection).await?.rows_affected();
            }
        }
        Ok(affected == self.items)
    }
}

/// The items as JSON arrays of tuples, none when there is none.
fn lists<'a, T, R: Serialize>(items: &'a [T], tuple: impl Fn(&'a T) -> R) -> Result<Vec<String>, StoreError> {
    let mut lists: Vec<Vec<u8>> = Vec::new();
    for item in items {
        let list = match lists.last_mut() {
            Some(list) if list.len() < MOST => {
                list.push(b',');
                list
            }
            _ => lists.push_mut(vec![b'[']),
        };
        serde_json::to_writer(list, &tuple(item)).map_err(|_| UNWRITABLE)?;
    }
    let text = |mut list: Vec<u8>| {
        list.push(b']');
        String::from_utf8(list).map_err(|_| UNWRITABLE)
    };
    lists.into_iter().map(text).collect()
}

const UNWRITABLE: StoreError = StoreError::Inconsistent("a row that cannot be written");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stored;
    use crate::fixture::{answer, fixture};

    #[tokio::test]
    async fn every_text_comes_back_as_it_was_given() {
        let fixture = fixture().await;
        let odd =
            r#"{"text":"\\u0000 \\" \\\\ ' ; -- $1 ?1"}"#.to_owned() + "\u{1}\u{1e}\u{7f}\u{2028}\u{10ffff}🌲é\n\t";
        let outcome = Stored::Done { data: odd.as_str().into(), untrusted: Some(odd.as_str().into()) };
        let keyed = crate::KeyedAnswer { outcome: outcome.clone(), ..answer("a 'key'; \\ \"", "same") };
        let call = crate::Settlement { answer: Some(keyed), ..fixture.call("req_1", 1) };
        fixture.store.calls.settle(call).await.unwrap();
        let earlier = fixture.store.calls.earlier(&fixture.customer, "a 'key'; \\ \"").await.unwrap().unwrap();
        assert_eq!(earlier.outcome, outcome);
    }

    #[test]
    fn a_long_list_goes_in_several_parameters_and_none_is_lost() {
        let items: Vec<String> = (0..5).map(|number| number.to_string().repeat(MOST / 2 + 1)).collect();
        let lists = lists(&items, |item| (item,)).unwrap();
        assert_eq!(lists.len(), 3);
        let read = |list: &String| serde_json::from_str::<Vec<(String,)>>(list).unwrap();
        let back: Vec<String> = lists.iter().flat_map(read).map(|(item,)| item).collect();
        assert!(back == items);
    }

    #[test]
    fn no_items_make_no_statement() {
        assert!(lists(&[] as &[i64], |item| (*item,)).unwrap().is_empty());
    }
}
