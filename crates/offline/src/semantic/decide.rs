//! What the slots of a question come to: the one calculation that all of them make together.

use super::{Asked, Frame, Groups, is_sum};
use crate::measures::tables::WHOLE_ORDER;
use crate::query::{QueryShape, TableQuery};
use crate::slots::Statistic;

impl Frame {
    /// The name of a column that is not there, when nothing else is unclear.
    pub(super) fn unknown_column(&self) -> Option<String> {
        let [word] = self.unknown.as_slice() else { return None };
        let asks = self.statistic.is_some()
            && self.column.is_none()
            && !self.rows
            && self.asked != Some(Asked::HowMany);
        (asks && self.condition.filter.is_none()).then(|| word.clone())
    }

    /// The first rows as they stand, or the last.
    fn first_rows(&self) -> QueryShape {
        QueryShape::Head {
            count: self.number.unwrap_or(1).clamp(1, 1_000),
            last: self.head.unwrap_or_default(),
        }
    }

    /// "which people have the city Berlin" asks for rows.
    fn asks_for_rows(&mut self) {
        let says_rows = self.rows || self.condition.compares || self.distinct == Some(true);
        let chosen =
            self.condition.filter.is_some() && says_rows && self.column.is_none() && self.groups.by.is_none();
        if chosen && self.asked.is_none() && self.statistic.is_none() {
            (self.distinct, self.lists, self.rows) = (None, true, true);
        }
    }

    /// "前两行" of nothing that could be ranked are the first ones as they stand.
    fn takes_top_for_first(&mut self) {
        let ranks =
            self.statistic.is_some() || self.column.is_some() || self.groups.by.is_some() || self.sorts;
        // "最高的三条有哪些": those are shown.
        if self.is_ordered() && self.number.is_some() && self.distinct == Some(true) && self.asked.is_none() {
            (self.distinct, self.rows) = (None, true);
        }
        if self.top && self.rows && self.number.is_some() && !ranks && self.head.is_none() {
            (self.top, self.head) = (false, Some(false));
        }
    }

    /// Whether what was said does not go together.
    fn contradicts_itself(&self) -> bool {
        let is_head =
            self.rows && self.statistic.is_none() && self.column.is_none() && self.groups.by.is_none();
        self.head == Some(true) && !is_head || self.sorts && !(self.is_ordered() || self.top)
    }

    /// More than one column is only shown.
    fn may_show_more(&mut self) -> bool {
        let shows = self.statistic.is_none()
            && self.groups.by.is_none()
            && self.groups.asked_for.is_none()
            && self.asked.is_none()
            && !(self.sorts || self.top || self.distinct == Some(true));
        if !self.also.is_empty() && shows {
            (self.lists, self.rows, self.distinct, self.number) = (true, false, None, None);
        }
        self.also.is_empty() || shows
    }

    fn is_ordered(&self) -> bool {
        matches!(self.statistic, Some(Statistic::Maximum | Statistic::Minimum))
    }

    /// "which region has the most amount" compares what the groups have together.
    fn most_of_groups(&self) -> Option<TableQuery> {
        let Groups { by: None, asked_for: Some(group), most: true, .. } = &self.groups else { return None };
        let column = self.column.clone().filter(|_| self.number.is_none() && !self.top)?;
        Some(TableQuery {
            shape: QueryShape::Groups(Statistic::Sum),
            column,
            by: group.clone(),
            filter: self.condition.filter.clone(),
            relation: self.condition.relation,
            ..TableQuery::default()
        })
    }

    pub(super) fn query(mut self) -> Option<TableQuery> {
        self.asks_for_rows();
        self.takes_top_for_first();
        if !self.unknown.is_empty() || self.contradicts_itself() || !self.may_show_more() {
            return None;
        }
        if let Some(query) = self.most_of_groups() {
            return Some(query);
        }
        let ranks = self.top
            || self.sorts
            || self.groups.asked_for.is_some()
            || (self.is_ordered() && (self.rows || self.number.is_some()));
        let (counts, sums) = (self.asked == Some(Asked::HowMany), self.asked == Some(Asked::HowMuch));
        let plain = !counts && self.distinct != Some(true);
        let one = self.number.is_none() && !self.top;
        let first_rows = self.first_rows();
        let (shape, column, by) = match (self.statistic, self.column, self.groups.by) {
            (None, None, None) if plain && !self.top && !self.sorts && self.rows && self.head.is_some() => {
                (first_rows, String::new(), None)
            }
            (None | Some(Statistic::Maximum | Statistic::Minimum), column, by)
                if ranks && plain && column.is_some() != by.is_some() =>
            {
                let largest = self.statistic != Some(Statistic::Minimum);
                let count =
                    self.number.unwrap_or(if self.sorts { WHOLE_ORDER } else { 1 }).clamp(1, WHOLE_ORDER);
                (QueryShape::Top { count, largest }, column.or(by)?, None)
            }
            (Some(Statistic::Median), Some(_), Some(_)) => return None,
            (None, Some(column), Some(by)) if plain && one && (is_sum(&column) || sums) => {
                (QueryShape::Groups(Statistic::Sum), column, Some(by))
            }
            (None, None, Some(by)) if counts && one && self.distinct != Some(true) => {
                (QueryShape::Tally, String::new(), Some(by))
            }
            (Some(statistic), Some(column), Some(by)) if plain && !ranks && self.number.is_none() => {
                (QueryShape::Groups(statistic), column, Some(by))
            }
            (Some(statistic), Some(column), None) if plain && !self.rows && self.number.is_none() => {
                (QueryShape::Figure(statistic), column, None)
            }
            (None, Some(column), None)
                if (self.distinct == Some(true)
                    || self.distinct == Some(false) && plain && !self.rows && !self.top)
                    && self.number.is_none() =>
            {
                (QueryShape::Distinct, column, None)
            }
            (None, None, None) if counts && one && self.distinct != Some(true) => {
                (QueryShape::Count, String::new(), None)
            }
            (None, None, None)
                if plain && one && self.condition.filter.is_some() && (self.rows || self.lists) =>
            {
                (QueryShape::Rows, String::new(), None)
            }
            (None, Some(column), None) if plain && self.lists && !self.rows && self.number.is_none() => {
                (QueryShape::Values, column, None)
            }
            _ => return None,
        };
        Some(TableQuery {
            shape,
            column,
            by: by.unwrap_or_default(),
            filter: self.condition.filter,
            relation: self.condition.relation,
            period: self.groups.period,
            also: self.also,
        })
    }
}
