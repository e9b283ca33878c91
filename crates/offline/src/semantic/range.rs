//! Ranges of numbers in a question: "between 80 and 100", 在80到100之间.

use super::lexicon::Meaning;
use super::{Token, Tokens, number_of};
use crate::query::RANGE;

/// Two numbers with a word between them, as `80 and 100`: behind "between", or before 之间.
pub(super) fn between(tokens: &mut Tokens, is_said: bool) -> Option<String> {
    let mut ahead = tokens.clone();
    let mut said = is_said;
    let mut numbers: Vec<String> = Vec::new();
    // What stands around two numbers is at most these many words.
    for _ in 0..BETWEEN_WORDS {
        let before = ahead.clone();
        match ahead.next() {
            Some(Token::Means(Meaning::Between)) => said = true,
            Some(Token::Means(Meaning::Nothing | Meaning::Is)) if numbers.len() < 2 => {}
            Some(Token::Word(word))
                if numbers.len() == 1 && ["到", "至", "~", "to", "-"].contains(&word.as_str()) => {}
            token @ Some(Token::Number(_) | Token::Word(_)) if numbers.len() < 2 => {
                numbers.push(number_of(token)?);
            }
            Some(_) | None => {
                ahead = before;
                break;
            }
        }
        if numbers.len() == 2 && said {
            break;
        }
    }
    let [least, most] = numbers.as_slice() else { return None };
    if !said {
        return None;
    }
    *tokens = ahead;
    // "在80到100之间": the word behind belongs to it.
    tokens.next_if(|next| *next == Token::Means(Meaning::Between));
    Some(format!("{least}{RANGE}{most}"))
}

/// Words around and between two numbers.
const BETWEEN_WORDS: usize = 7;
