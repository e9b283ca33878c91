//! What each provider of search replies, as a list of results.

use reqwest::Url;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{SearchHit, SearchProvider};
use crate::html::{Piece, Pieces, attribute, decoded, has_class};
use crate::link;

/// The results of a reply. The error says what to do.
pub(super) fn read(provider: SearchProvider, text: &str) -> Result<Vec<SearchHit>, String> {
    let results = match provider {
        SearchProvider::DuckDuckGo => return duckduckgo(text),
        SearchProvider::LangSearch => parse::<Pages<LangSearch>>(provider, text)?.data.web_pages.value,
        SearchProvider::Google => parse::<Google>(provider, text)?.items,
        SearchProvider::Brave => parse::<Brave>(provider, text)?.web.results,
        SearchProvider::SearxNg => parse::<SearxNg>(provider, text)?.results,
    };
    Ok(results.into_iter().filter_map(ResultEntry::found).collect())
}

/// What is said when a search engine wants to see a person.
pub(super) fn captcha() -> String {
    "DuckDuckGo wants to be sure that a person asks, and gives no results; wait some minutes, or choose another \
     search.provider in config.toml"
        .to_owned()
}

/// One result of any of them that speak JSON.
#[derive(Debug, Deserialize)]
struct ResultEntry {
    #[serde(default, alias = "name")]
    title: String,
    #[serde(default, alias = "link")]
    url: String,
    #[serde(default, alias = "description", alias = "content")]
    snippet: Option<String>,
}

impl ResultEntry {
    /// The result; `None` if it leads nowhere that can be fetched.
    fn found(self) -> Option<SearchHit> {
        Some(SearchHit {
            title: plain(&self.title),
            url: of_the_web(&self.url)?,
            snippet: plain(&self.snippet.unwrap_or_default()),
        })
    }
}

#[derive(Debug, Deserialize)]
struct Pages<T> {
    data: T,
}

#[derive(Debug, Deserialize)]
struct LangSearch {
    #[serde(rename = "webPages")]
    web_pages: Values,
}

#[derive(Debug, Deserialize)]
struct Values {
    #[serde(default)]
    value: Vec<ResultEntry>,
}

#[derive(Debug, Deserialize)]
struct Google {
    #[serde(default)]
    items: Vec<ResultEntry>,
}

#[derive(Debug, Deserialize)]
struct Brave {
    #[serde(default)]
    web: BraveWeb,
}

#[derive(Debug, Default, Deserialize)]
struct BraveWeb {
    #[serde(default)]
    results: Vec<ResultEntry>,
}

#[derive(Debug, Deserialize)]
struct SearxNg {
    #[serde(default)]
    results: Vec<ResultEntry>,
}

fn parse<T: DeserializeOwned>(provider: SearchProvider, text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        format!(
            "{provider} replied with something that is no list of results ({error}); check search.base_url"
        )
    })
}

/// Text in which a provider may have marked words with tags.
fn plain(text: &str) -> String {
    Pieces::of(text)
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some(decoded(text)),
            Piece::Open(..) | Piece::Close(_) => None,
        })
        .collect()
}

/// The page without scripts: links of class `result__a`, and texts of class `result__snippet` behind them.
fn duckduckgo(html: &str) -> Result<Vec<SearchHit>, String> {
    let mut found: Vec<SearchHit> = Vec::new();
    let mut reading = ResultPage::Nothing;
    let (mut is_list, mut is_captcha) = (false, false);
    for piece in Pieces::of(html) {
        match piece {
            Piece::Open(_, attributes) => {
                is_list |= has_class(attributes, "results") || has_class(attributes, "no-results");
                is_captcha |= attribute(attributes, "class").is_some_and(|c| c.contains("anomaly"));
                if has_class(attributes, "result__a") {
                    let target = attribute(attributes, "href").and_then(|href| target(&decoded(href)));
                    reading = if target.is_some() { ResultPage::Title } else { ResultPage::Nothing };
                    let empty = |url| SearchHit { title: String::new(), url, snippet: String::new() };
                    found.extend(target.map(empty));
                } else if has_class(attributes, "result__snippet") && reading == ResultPage::Between {
                    reading = ResultPage::Snippet;
                }
            }
            // Words that match are marked, so that not every end is the end of the text.
            Piece::Close(name) if ["a", "td", "div"].iter().any(|end| name.eq_ignore_ascii_case(end)) => {
                reading = match reading {
                    ResultPage::Title => ResultPage::Between,
                    ResultPage::Snippet => ResultPage::Nothing,
                    other @ (ResultPage::Between | ResultPage::Nothing) => other,
                };
            }
            Piece::Close(_) => {}
            Piece::Text(text) => {
                if let Some(last) = found.last_mut() {
                    match reading {
                        ResultPage::Title => last.title.push_str(&decoded(text)),
                        ResultPage::Snippet => last.snippet.push_str(&decoded(text)),
                        ResultPage::Between | ResultPage::Nothing => {}
                    }
                }
            }
        }
    }
    if found.is_empty() && is_captcha {
        return Err(captcha());
    }
    if found.is_empty() && !is_list {
        return Err(
            "DuckDuckGo replied with a page that holds no list of results; choose another search.provider \
                    in config.toml"
                .to_owned(),
        );
    }
    Ok(found)
}

/// Which part of a result is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResultPage {
    Nothing,
    Title,
    Between,
    Snippet,
}

/// Where a result leads: links go over a page of the search engine, which names the real one. Advertisements are left out.
fn target(href: &str) -> Option<String> {
    let base = Url::parse("https://duckduckgo.com/").ok()?;
    let url = base.join(href).ok()?;
    if !url.host_str().is_some_and(|host| host == "duckduckgo.com" || host.ends_with(".duckduckgo.com")) {
        return of_the_web(url.as_str());
    }
    let (_, named) = url.query_pairs().find(|(name, _)| name == "uddg")?;
    let advertises = Url::parse(&named)
        .is_ok_and(|url| url.host_str() == Some("duckduckgo.com") && url.path().ends_with(".js"));
    if advertises { None } else { of_the_web(&named) }
}

/// An address of the web in its one spelling, which is a single line; `None` for what is no such address, or is longer than
/// one that may be fetched.
fn of_the_web(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(String::from(url)).filter(|url| url.len() <= link::MAX_BYTES)
}
