//! Tests of `recipients`.

use super::*;
use crate::Store;
use crate::fixture::{NOON, add, fixture};

const DAY: Duration = Duration::from_secs(24 * 3_600);
const BOB: &str = "Bob@Shop.Example";

fn asking(at: Moment) -> Asking {
    let (module, sender) = ("reports".to_owned(), "hello@shop.example".to_owned());
    Asking { address: BOB.to_owned(), module, sender, words: "The weekly report".to_owned(), at }
}

async fn asked(store: &Store, customer: &CustomerId, at: Moment) -> Asked {
    store.edges.ask_recipient(customer, asking(at)).await.unwrap().unwrap()
}

async fn refused(store: &Store, customer: &CustomerId, at: Moment) -> Standing {
    store.edges.ask_recipient(customer, asking(at)).await.unwrap().unwrap_err()
}

async fn standing(store: &Store, customer: &CustomerId) -> Standing {
    store.edges.standing(customer, "reports", "bob@shop.example").await.unwrap()
}

async fn says(store: &Store, asked: &Asked, yes: bool, at: Moment) -> Option<Standing> {
    let answered = store.edges.answer_inquiry(asked.secret.hash(), yes, at).await.unwrap();
    answered.map(|it| it.standing)
}

#[tokio::test]
async fn whoever_was_asked_is_asked_again_after_seven_days_and_not_before() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    assert_eq!(standing(store, ann).await, Standing::Unknown);
    asked(store, ann, NOON).await;
    assert_eq!(standing(store, ann).await, Standing::Invited(NOON));
    let nearly = Moment(NOON.plus(QUIET).0 - 1);
    assert_eq!(refused(store, ann, nearly).await, Standing::Invited(NOON));
    let again = NOON.plus(QUIET);
    asked(store, ann, again).await;
    assert_eq!(standing(store, ann).await, Standing::Invited(again));
}

#[tokio::test]
async fn a_letter_that_never_left_counts_as_none() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    let first = asked(store, ann, NOON).await;
    store.edges.unask_recipient(ann, BOB, &first).await.unwrap();
    assert_eq!(standing(store, ann).await, Standing::Unknown);
    assert_eq!(says(store, &first, true, NOON).await, None, "its address leads nowhere");
    asked(store, ann, NOON).await;
    let again = asked(store, ann, NOON.plus(QUIET)).await;
    store.edges.unask_recipient(ann, BOB, &again).await.unwrap();
    assert_eq!(standing(store, ann).await, Standing::Invited(NOON));
}

#[tokio::test]
async fn a_yes_counts_once_from_any_letter_of_the_last_thirty_days_and_nobody_is_asked_again() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    let first = asked(store, ann, NOON).await;
    let second = asked(store, ann, NOON.plus(QUIET)).await;
    let shown = store.edges.inquiry(&first.secret.hash(), NOON).await.unwrap().unwrap();
    assert_eq!((shown.sender.as_str(), shown.words.as_str()), ("hello@shop.example", "The weekly report"));
    let yes = NOON.plus(QUIET + DAY);
    for (letter, at) in [(&first, yes), (&second, yes.plus(DAY)), (&first, yes.plus(40 * DAY))] {
        assert_eq!(says(store, letter, true, at).await, Some(Standing::Confirmed(yes)));
    }
    assert_eq!(refused(store, ann, yes.plus(300 * DAY)).await, Standing::Confirmed(yes));
}

#[tokio::test]
async fn after_thirty_days_a_letter_takes_no_first_answer() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    let letter = asked(store, ann, NOON).await;
    let over = NOON.plus(OPEN);
    assert!(store.edges.inquiry(&letter.secret.hash(), Moment(over.0 - 1)).await.unwrap().is_some());
    assert_eq!(store.edges.inquiry(&letter.secret.hash(), over).await.unwrap(), None);
    assert_eq!(says(store, &letter, true, over).await, None);
    store.edges.sweep_recipients(over).await.unwrap();
    assert_eq!(standing(store, ann).await, Standing::Invited(NOON));
    asked(store, ann, over).await;
}

#[tokio::test]
async fn a_no_is_for_good_before_a_yes_and_after_one() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    let letter = asked(store, ann, NOON).await;
    assert_eq!(says(store, &letter, false, NOON).await, Some(Standing::Declined(NOON)));
    let later = NOON.plus(DAY);
    assert_eq!(says(store, &letter, true, later).await, Some(Standing::Declined(NOON)));
    assert_eq!(refused(store, ann, NOON.plus(400 * DAY)).await, Standing::Declined(NOON));
    let eve = CustomerId::from("cus_eve");
    add(store, &eve).await;
    let letter = asked(store, &eve, NOON).await;
    says(store, &letter, true, NOON).await.unwrap();
    store.edges.sweep_recipients(NOON.plus(OPEN)).await.unwrap();
    let left = NOON.plus(50 * DAY);
    assert_eq!(says(store, &letter, false, left).await, Some(Standing::Left(left)));
    assert_eq!(says(store, &letter, true, left.plus(DAY)).await, Some(Standing::Left(left)));
    assert_eq!(store.edges.unsubscribed(&eve, "reports", BOB).await.unwrap(), Some((left, Way::Page)));
    assert_eq!(store.edges.standing(&eve, "outreach", BOB).await.unwrap(), Standing::Left(left));
    assert_eq!(refused(store, &eve, NOON.plus(400 * DAY)).await, Standing::Left(left));
}

#[tokio::test]
async fn whoever_unsubscribed_from_a_modules_mail_has_left_for_it_and_is_not_asked() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    let way_out = store.edges.offer_unsubscribe(ann, "reports", BOB, NOON).await.unwrap();
    store.edges.unsubscribe(way_out.hash(), Way::OneClick, NOON).await.unwrap();
    assert_eq!(standing(store, ann).await, Standing::Left(NOON));
    assert_eq!(refused(store, ann, NOON.plus(DAY)).await, Standing::Left(NOON));
    assert_eq!(store.edges.standing(ann, "outreach", BOB).await.unwrap(), Standing::Unknown);
}

#[tokio::test]
async fn recipients_are_listed_by_address_to_their_customer_alone() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    let eve = CustomerId::from("cus_eve");
    add(store, &eve).await;
    for address in ["Carl@shop.example", "ada@shop.example", BOB] {
        let asking = Asking { address: address.to_owned(), ..asking(NOON) };
        store.edges.ask_recipient(ann, asking).await.unwrap().unwrap();
    }
    let listed = async |customer, after, limit| {
        let all = store.edges.recipients(customer, "reports", after, limit).await.unwrap();
        all.into_iter().map(|it| it.address).collect::<Vec<_>>()
    };
    assert_eq!(listed(ann, "", 2).await, ["ada@shop.example", "bob@shop.example"]);
    assert_eq!(listed(ann, "bob@shop.example", 2).await, ["carl@shop.example"]);
    assert_eq!(listed(&eve, "", 2).await, Vec::<String>::new());
    assert_eq!(standing(store, &eve).await, Standing::Unknown);
}

#[tokio::test]
async fn an_unknown_token_answers_nothing_and_a_forgotten_customers_are_unknown() {
    let fixture = fixture().await;
    let (store, ann) = (&fixture.store, &fixture.customer);
    let letter = asked(store, ann, NOON).await;
    let unknown = Secret::received("esp_cf_unknown").hash();
    assert_eq!(store.edges.inquiry(&unknown, NOON).await.unwrap(), None);
    assert_eq!(store.edges.answer_inquiry(unknown, true, NOON).await.unwrap(), None);
    store.identity.erase(ann.clone(), NOON).await.unwrap();
    assert_eq!(store.edges.inquiry(&letter.secret.hash(), NOON).await.unwrap(), None);
    assert_eq!(standing(store, ann).await, Standing::Unknown);
}
