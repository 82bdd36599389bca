//! What search engines want to know of articles, recipes, videos, courses and talk.
//!
//! By Google's documents of November 2026.

use crate::rule::rules;
use crate::rules::structured::node::{lacks, lacks_anywhere};

rules! {
    "structured.article_sparse" StructuredData Notice Page Low 75 Page(|page, _| {
        lacks(page, &["Article", "NewsArticle", "BlogPosting", "TechArticle"], &["headline", "image"])
    });
    title "An article lacks its headline or its picture";
    why "Top stories and Discover show articles with the headline and the picture that the markup names.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/article";

    "structured.recipe_incomplete" StructuredData Warning Page Low 92 Page(|page, _| lacks(page, &["Recipe"], &["name", "image"]));
    title "A recipe lacks its name or its picture";
    why "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/recipe";

    "structured.recipe_sparse" StructuredData Notice Page Medium 75 Page(|page, _| {
        lacks(
            page,
            &["Recipe"],
            &["recipeIngredient", "recipeInstructions", "totalTime|cookTime|prepTime|performTime", "author"],
        )
    });
    title "A recipe leaves out how it is made";
    why "Google recommends these properties for the type; results show more of what is told.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/recipe";

    "structured.video_incomplete" StructuredData Warning Page Low 92 Page(|page, _| {
        lacks_anywhere(page, &["VideoObject"], &["name", "thumbnailUrl|thumbnail", "uploadDate"])
    });
    title "A video lacks what its result needs";
    why "A video is shown as one only with a name, a picture and the day it was put up.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/video";

    "structured.video_sparse" StructuredData Notice Page Low 72 Page(|page, _| {
        lacks_anywhere(page, &["VideoObject"], &["description", "duration", "contentUrl|embedUrl"])
    });
    title "A video leaves out its length, its file or what it is about";
    why "Google recommends these properties for the type; results show more of what is told.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/video";

    "structured.course_incomplete" StructuredData Warning Page Low 82 Page(|page, _| lacks(page, &["Course"], &["name", "description"]));
    title "A course lacks its name or its description";
    why "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/course";

    "structured.dataset_incomplete" StructuredData Warning Page Low 85 Page(|page, _| lacks(page, &["Dataset"], &["name", "description"]));
    title "A set of data lacks its name or its description";
    why "Dataset Search takes in only what has both.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/dataset";

    "structured.movie_incomplete" StructuredData Notice Page Low 75 Page(|page, _| lacks(page, &["Movie"], &["name", "image"]));
    title "A film lacks its name or its picture";
    why "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/movie";

    "structured.faq_incomplete" StructuredData Notice Page Low 80 Page(|page, _| lacks(page, &["FAQPage"], &["mainEntity.name", "mainEntity.acceptedAnswer.text"]));
    title "A list of questions lacks questions or answers";
    why "Each question needs its text and one answer with a text.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/faqpage";

    "structured.question_incomplete" StructuredData Warning Page Low 82 Page(|page, _| {
        lacks(
            page,
            &["QAPage"],
            &["mainEntity.name|mainEntity.text", "mainEntity.acceptedAnswer|mainEntity.suggestedAnswer"],
        )
    });
    title "A question page lacks its question or any answer";
    why "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/qapage";

    "structured.forum_incomplete" StructuredData Warning Page Low 80 Page(|page, _| {
        lacks(
            page,
            &["DiscussionForumPosting", "SocialMediaPosting"],
            &["author.name", "datePublished", "text|articleBody|image|video|sharedContent|headline"],
        )
    });
    title "A forum post lacks author, date or text";
    why "Discussions are shown with who wrote what, and when.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/discussion-forum";

    "structured.profile_incomplete" StructuredData Warning Page Low 85 Page(|page, _| lacks(page, &["ProfilePage"], &["mainEntity.name|mainEntity.alternateName"]));
    title "A profile does not name whom it shows";
    why "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/profile-page";
}
