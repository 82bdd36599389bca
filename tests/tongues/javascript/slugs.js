// The module slugs, the last part of a page's address, made of its title and given to one page only.
import { get } from "espalier:module/records@1.0.0";
import { bytes } from "espalier:module/random@1.0.0";
import { insert } from "espalier:module/records-write@1.0.0";

/** Characters of a slug at most: longer ones are cut off in lists of search results. */
const LONGEST = 60;

/** Letters that do not come apart into a letter of ASCII and its mark. */
const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ð: "d", þ: "th", ł: "l", đ: "d", ı: "i" };

/** What German writes where there is no umlaut. */
const UMLAUTS = { ä: "ae", ö: "oe", ü: "ue" };

/**
 * The slug of a title: small letters and digits of ASCII, words joined by one hyphen, whole words only.
 * Empty where the title has none of these letters, in Greek for instance.
 */
function slugOf(title, language) {
  let text = title.normalize("NFC").toLowerCase();
  if (language === "de") text = text.replace(/[äöü]/g, (letter) => UMLAUTS[letter]);
  text = text.replace(/[ßæœøðþłđı]/g, (letter) => LETTERS[letter]);
  text = text.normalize("NFKD").replace(/[\u0300-\u036f'’]/g, "");
  let slug = "";
  for (const word of text.split(/[^a-z0-9]+/).filter(Boolean)) {
    const longer = slug ? `${slug}-${word}` : word.slice(0, LONGEST);
    if (longer.length > LONGEST) break;
    slug = longer;
  }
  return slug;
}

/** The slug of a call's title, or the refusal that says which argument makes none. */
function wanted({ title, language }) {
  const slug = slugOf(title, language);
  if (!slug) throw fault("invalid", "no_slug", "The title has no letter or digit that a slug can hold.", "/title");
  return slug;
}

/** What the host makes an error envelope of: a thrown record is the `err` of the function's result. */
function fault(kind, code, message, pointer) {
  return { kind, code, message, pointer, detail: undefined };
}

/** What the host makes the answer's `data` of; no unit is counted here, so there are none. */
function answer(data) {
  return { data: JSON.stringify(data), units: 0 };
}

/** Four letters by chance. It is the host's: that of `Math.random` was drawn when the component was built. */
function tail() {
  return Array.from(bytes(4), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** Says which slug a title makes, and whether a page has it already. */
function analyze(call) {
  const slug = wanted(JSON.parse(call.arguments));
  const row = get("slugs", slug);
  if (!row) return answer({ slug, taken: false });
  return answer({ slug, taken: true, taken_by: JSON.parse(row.body).url, free: `${slug}-${tail()}` });
}

/** Gives a slug to a page. The row's id is the slug, so that the host sees to it that only one page has it. */
function create(call) {
  const { title, url, language } = JSON.parse(call.arguments);
  const slug = wanted({ title, language });
  const kept = { slug, title, url, created_at: new Date().toISOString() };
  try {
    insert("slugs", slug, JSON.stringify(kept));
  } catch (error) {
    if (error.payload?.tag !== "conflict") throw error;
    throw fault("conflict", "slug_taken", "Another page has this slug; slugs.analyze says which.", "/title");
  }
  return answer(kept);
}

export const operations = { analyze, create };
