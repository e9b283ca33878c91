//! The operations that a text names, and so may have been made: a figure follows from others by one of them or by none.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern;

/// Which operations are named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NamedOperations {
    pub(super) sum: bool,
    pub(super) difference: bool,
    pub(super) mean: bool,
    pub(super) ratio: bool,
    pub(super) product: bool,
}

static SUM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:sum(?:s|med|ming)?|totals?|totall?ed|altogether|overall|combined|together|plus|add(?:s|ed|ing)?|in all|makes?|grand|cumulative|subtotals?|balance|summe|gesamt\w*|insgesamt|zusammen|somme)\b|\+|总|合计|共|加起来|加上|小计|累计",
    )
});
static DIFFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:differ(?:s|ence|ences)?|more|less|fewer|higher|lower|larger|smaller|bigger|greater|longer|shorter|older|younger|increase[sd]?|decrease[sd]?|gr[eo]wn?|growth|rise[sn]?|rose|fell|fallen|drop(?:s|ped)?|chang(?:e|es|ed)|gap|net|remain(?:s|ing|der)?|left|rest|others?|minus|between|sav(?:e|es|ed|ing)|without|not|no|excluding|except|missing|balance|profit|margin|range|spread|unterschied|differenz|mehr|weniger|übrig)\b|−|差|增|减|剩|其余|其他|之间|没有|多出|少了|涨|跌|利润",
    )
});
static MEAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:averages?|averaged|mean|avg|median|typical(?:ly)?|per|each|durchschnitt\w*|mittel\w*|moyenne)\b|平均|中位|均值|每",
    )
});
static RATIO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)%|\b(?:percent(?:age|ages)?|shares?|ratios?|rates?|proportions?|fractions?|times|half|third|quarter|double|per|each|of it|factor|growth|faster|slower|prozent|anteil\w*)\b|占|比例|百分|倍|率|比重",
    )
});
static PRODUCT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:times|each|per|product|multipl\w+|costs?|prices?|revenues?|turnover|amounts?|worth|values?|sales|vat|tax|discount|interest|gross|net|umsatz)\b|×|\d ?[x*] ?\d|单价|乘|金额|销售额|营收|价值|税",
    )
});

impl NamedOperations {
    /// Those that this text names.
    pub(super) fn of(text: &str) -> Self {
        Self {
            sum: SUM.is_match(text),
            difference: DIFFERENCE.is_match(text),
            mean: MEAN.is_match(text),
            ratio: RATIO.is_match(text),
            product: PRODUCT.is_match(text),
        }
    }

    /// Those of either.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            sum: self.sum || other.sum,
            difference: self.difference || other.difference,
            mean: self.mean || other.mean,
            ratio: self.ratio || other.ratio,
            product: self.product || other.product,
        }
    }
}

/// The words that a text speaks of, so that what was counted or summed for one of them may be told.
#[derive(Debug, Clone, Default)]
pub(super) struct SpokenWords {
    text: String,
    words: BTreeSet<String>,
}

impl SpokenWords {
    /// The words of this text.
    pub(super) fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words = words.map(|word| stem(word).to_owned()).collect();
        Self { words, text }
    }

    /// Whether the text speaks of what is called this, in small letters.
    pub(super) fn hold(&self, word: &str) -> bool {
        self.words.contains(stem(word)) || !word.is_ascii() && self.text.contains(word)
    }
}

/// A word without the s of its plural.
fn stem(word: &str) -> &str {
    word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word)
}
