//! What the lock promises, as tests.

use super::{Alone, Shared};
use crate::database::Folder;
use crate::database::dialect::{Address, Durability};

fn place() -> (Folder, Address) {
    let folder = Folder::make().unwrap();
    let address = Address::read(&format!("sqlite://{}/store.db", folder.0.display()), Durability::None).unwrap();
    (folder, address)
}

#[test]
fn many_share_a_database_and_a_restore_waits_for_none_of_them() {
    let (folder, address) = place();
    let database = folder.0.join("store.db");
    let (one, two) = (Shared::take(&address).unwrap(), Shared::take(&address).unwrap());
    assert!(Alone::take(&database).is_err());
    drop(one);
    assert!(Alone::take(&database).is_err());
    drop(two);
    let alone = Alone::take(&database).unwrap();
    assert!(Shared::take(&address).is_err() && Alone::take(&database).is_err());
    drop(alone);
    assert!(Shared::take(&address).unwrap().is_some());
}

#[test]
fn a_restore_that_broke_off_keeps_everybody_out_until_one_is_finished() {
    let (folder, address) = place();
    let database = folder.0.join("store.db");
    let mut alone = Alone::take(&database).unwrap();
    alone.begin().unwrap();
    drop(alone);
    let refused = Shared::take(&address).err().unwrap().to_string();
    assert!(refused.contains("restore broke off"), "{refused}");
    let mut alone = Alone::take(&database).unwrap();
    alone.begin().unwrap();
    alone.finish().unwrap();
    assert!(Shared::take(&address).is_ok());
}
