//! The thresholds of the rules, each with the document its number comes from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The numbers at which rules speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Limits {
    /// Widest title shown on a desktop result, in pixels of 20 px Arial.
    pub title_pixels: u32,
    /// Shortest title that says something, in characters.
    pub title_characters: u32,
    /// Widest description shown on a desktop result, in pixels of 14 px Arial.
    pub description_pixels: u32,
    /// Shortest description worth writing, in characters.
    pub description_characters: u32,
    /// Longest main heading, in characters.
    pub heading_characters: u32,
    /// Fewest words of a page that is not thin.
    pub words: u32,
    /// Most links on one page. Search engines name no figure any more; past this a page is a list, not a page.
    pub links: u32,
    /// Most clicks from the home page.
    pub depth: u32,
    /// Longest address, in characters.
    pub url_characters: u32,
    /// Most query parameters of one address.
    pub url_parameters: u32,
    /// Longest alternative text, in characters.
    pub alt_characters: u32,
    /// Slowest good first byte, in milliseconds (web.dev, "Time to First Byte": 800 ms).
    pub first_byte_ms: u32,
    /// Largest HTML, in bytes. Googlebot reads the first 2 MB of an HTML file (Google, "Googlebot").
    pub html_bytes: u32,
    /// Most elements of one page (Lighthouse, "DOM size": an error past 1,400).
    pub elements: u32,
    /// Most scripts and style sheets that hold up the first paint.
    pub blocking: u32,
    /// Fewest internal links that should lead to a page.
    pub inlinks: u32,
    /// Longest good time from the first byte to the last, in milliseconds.
    pub download_ms: u32,
    /// Most words of a text without headings in it.
    pub unbroken_words: u32,
    /// Most days since an article was changed.
    pub stale_days: u32,
    /// Widest picture that needs no smaller versions, in pixels: twice the width of most phones.
    pub image_pixels: u32,
    /// Most scripts that a page loads.
    pub scripts: u32,
    /// Most style sheets that a page loads.
    pub styles: u32,
    /// Most other hosts that a page loads from.
    pub foreign_hosts: u32,
    /// Most frames that load at once.
    pub eager_frames: u32,
    /// Largest HTML that needs no compression, in bytes (Lighthouse looks at files from 1.4 KB on; a page that fits into
    /// the first flight of packets, 14 KB, gains nothing).
    pub plain_bytes: u32,
    /// Most bytes of script in the HTML.
    pub inline_script_bytes: u32,
    /// Most bytes of style in the HTML (AMP allows 75,000).
    pub inline_style_bytes: u32,
    /// Deepest nesting of elements (Lighthouse, "DOM size": 32).
    pub nesting: u32,
    /// Longest `Crawl-delay`, in milliseconds.
    pub crawl_delay_ms: u32,
    /// Pages whose canonical is the home page from which on they are no accident.
    pub canonicals_home: u32,
    /// Redirects to the home page from which on they are no accident.
    pub redirects_home: u32,
    /// Shortest life of `Strict-Transport-Security`, in seconds (half a year).
    pub hsts_seconds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            title_pixels: 580,
            title_characters: 10,
            description_pixels: 920,
            description_characters: 50,
            heading_characters: 150,
            words: 100,
            links: 300,
            depth: 4,
            url_characters: 200,
            url_parameters: 3,
            alt_characters: 250,
            first_byte_ms: 800,
            html_bytes: 2_000_000,
            elements: 1_400,
            blocking: 10,
            inlinks: 2,
            download_ms: 2_000,
            unbroken_words: 600,
            stale_days: 1_095,
            image_pixels: 1_000,
            scripts: 40,
            styles: 15,
            foreign_hosts: 12,
            eager_frames: 1,
            plain_bytes: 14_000,
            inline_script_bytes: 150_000,
            inline_style_bytes: 75_000,
            nesting: 32,
            crawl_delay_ms: 5_000,
            canonicals_home: 3,
            redirects_home: 5,
            hsts_seconds: 15_768_000,
        }
    }
}
