//! Prints the facts of a saved page: `cargo run -p kit --example facts -- FILE [URL]`.
#![expect(clippy::print_stdout, reason = "a command's answer")]

use kit::page::{Answer, Timing, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let url = arguments.next().unwrap_or_else(|| "https://page.example/".to_owned());
    let body = std::fs::read(file)?;
    let headers = [("content-type".to_owned(), "text/html".to_owned())];
    let answer = Answer {
        url: &url,
        final_url: &url,
        status: 200,
        hops: &[],
        headers: &headers,
        body: &body,
        truncated: false,
        timing: Timing::default(),
    };
    let began = std::time::Instant::now();
    let facts = read(&answer);
    let links = facts.links.len();
    println!("{}", serde_json::to_string_pretty(&kit::page::PageFacts { links: Vec::new(), ..facts })?);
    println!("{links} links, {:?}", began.elapsed());
    Ok(())
}
