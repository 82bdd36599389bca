//! What reading a page takes: the fuel of every operation that reads one, by size and shape.

use tests::host::Host;
use tests::reading::{self, NAME, SIZES};

/// Prints the table, and writes it to `target/bench/pages.md`.
pub(crate) async fn rows() {
    let address = reading::site(&[]).await;
    let host = Host::start_with(|options| options.map(NAME, address)).await;
    let ada = host.customer(&model::scope::ScopeSet::all().to_string()).await;
    host.buy_points(&ada, 90).await;
    let table = reading::markdown(&reading::table(&host, &[ada], &SIZES).await);
    println!("Millions of fuel.\n\n{table}");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("pages.md"), table).expect("written");
}
