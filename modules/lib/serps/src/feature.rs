//! The elements of a result page beside organic results, by one name for each kind.
//!
//! Source: the types of docs.dataforseo.com/v3/serp/google/organic/live/advanced and serp/bing/organic, as of 2026-11.

use sdk::prelude::*;

/// A kind of element.
#[value]
pub enum Feature {
    /// An answer above the results that quotes a page.
    FeaturedSnippet,
    /// A generated answer with references.
    AiOverview,
    /// An answer without a page behind it: weather, a conversion, a time.
    DirectAnswer,
    /// Questions that others ask.
    PeopleAlsoAsk,
    /// Businesses on a map.
    LocalPack,
    /// Videos.
    Video,
    /// Images.
    Images,
    /// Products with prices.
    Shopping,
    /// News.
    TopStories,
    /// Facts about a person, place or organisation.
    KnowledgePanel,
    /// Links to pages below a result.
    Sitelinks,
    /// Advertisements above or below the results.
    Ads,
    /// Hotels or flights.
    Travel,
    /// Jobs.
    Jobs,
    /// Events.
    Events,
    /// Recipes.
    Recipes,
    /// Reviews of several sites.
    Reviews,
    /// Posts of social networks and forums.
    Discussions,
    /// Other searches.
    RelatedSearches,
    /// Anything else.
    Other,
}

/// The kind of an element by the provider's type; `None` for organic results and what stands below them.
#[must_use]
pub fn feature(kind: &str) -> Option<Feature> {
    Some(match kind {
        "organic" | "organic_extended" => return None,
        "featured_snippet" => Feature::FeaturedSnippet,
        "ai_overview" => Feature::AiOverview,
        "answer_box"
        | "google_flights_answer"
        | "currency_box"
        | "math_solver"
        | "dictionary"
        | "translate"
        | "weather"
        | "stocks_box"
        | "calculator" => Feature::DirectAnswer,
        "people_also_ask" => Feature::PeopleAlsoAsk,
        "local_pack" | "map" | "local_services" | "locals" => Feature::LocalPack,
        "video" | "short_videos" | "video_carousel" => Feature::Video,
        "images" | "visual_stories" => Feature::Images,
        "shopping"
        | "popular_products"
        | "google_shopping"
        | "explore_brands"
        | "product_considerations"
        | "refine_products" => Feature::Shopping,
        "top_stories" | "news_search" | "twitter" => Feature::TopStories,
        "knowledge_graph" | "knowledge_graph_carousel_item" | "podcasts" => Feature::KnowledgePanel,
        "sitelinks" | "link_element" => Feature::Sitelinks,
        "paid" | "commercial_units" => Feature::Ads,
        "hotels_pack" | "google_flights" | "google_hotels" => Feature::Travel,
        "jobs" => Feature::Jobs,
        "events" => Feature::Events,
        "recipes" => Feature::Recipes,
        "google_reviews" | "third_party_reviews" | "compare_sites" => Feature::Reviews,
        "discussions_and_forums" | "perspectives" | "questions_and_answers" => Feature::Discussions,
        "related_searches" | "people_also_search" | "find_results_on" => Feature::RelatedSearches,
        _ => Feature::Other,
    })
}

impl Feature {
    /// All kinds.
    pub const ALL: [Self; 20] = [
        Self::FeaturedSnippet,
        Self::AiOverview,
        Self::DirectAnswer,
        Self::PeopleAlsoAsk,
        Self::LocalPack,
        Self::Video,
        Self::Images,
        Self::Shopping,
        Self::TopStories,
        Self::KnowledgePanel,
        Self::Sitelinks,
        Self::Ads,
        Self::Travel,
        Self::Jobs,
        Self::Events,
        Self::Recipes,
        Self::Reviews,
        Self::Discussions,
        Self::RelatedSearches,
        Self::Other,
    ];

    /// Its name, as contracts write it.
    #[must_use]
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Whether it takes clicks that a result below it would have.
    #[must_use]
    pub fn takes_clicks(self) -> bool {
        !matches!(self, Self::Sitelinks | Self::RelatedSearches | Self::PeopleAlsoAsk | Self::Other)
    }
}
