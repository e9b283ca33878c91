//! What a question about a table leaves unsaid: which rows a value means, and which column holds the amounts.

use super::named_table::{NamedTable, holders};
use super::{Asked, Frame};
use crate::slots::Statistic;

impl Frame {
    /// "people in people.json who live in Berlin": words that are a value of one column alone say which rows are meant.
    pub(super) fn infer_filter(&mut self, table: &NamedTable<'_>) {
        let is_about_rows = self.rows
            || self.lists
            || self.asked.is_some()
            || self.statistic.is_some()
            || (self.distinct.is_some() && self.column.is_none());
        if self.unknown.is_empty() || self.condition.filter.is_some() || !is_about_rows {
            return;
        }
        let said = self.unknown.join(" ");
        // "the devs": more than one of a value.
        let words = [Some(said.as_str()), said.strip_suffix('s'), said.strip_suffix("es")];
        for word in words.into_iter().flatten() {
            if let [only] = holders(table, word).as_slice() {
                self.condition.filter = Some((only.clone(), word.to_owned()));
                self.unknown.clear();
                // Their rows are not asked for, but a figure of them.
                let figure = [Statistic::Sum, Statistic::Average, Statistic::Median];
                let measures = self.column.is_some() || table.measure().is_some();
                self.rows &= !(measures && self.statistic.is_some_and(|s| figure.contains(&s)));
                return;
            }
        }
    }

    /// What is summed or ranked where no column is named, or the named one holds no numbers: the only amounts that there are.
    pub(super) fn infer_measure(&mut self, table: &NamedTable<'_>) {
        // "which ones cost more than 100" asks for rows.
        if self.asked == Some(Asked::HowMuch) && self.condition.compares && self.distinct == Some(false) {
            (self.asked, self.rows) = (None, true);
        }
        self.sum_what_is_counted(table);
        self.sum_in_all(table);
        let Some(measure) = self.measure(table) else { return };
        let sums = self.asked == Some(Asked::HowMuch) && self.statistic.is_none();
        let spoken =
            self.column.as_ref().or(self.groups.by.as_ref()).is_some() || self.condition.filter.is_some();
        // "which vendor was the most expensive"
        let is_ranked = self.statistic.is_some_and(|s| matches!(s, Statistic::Maximum | Statistic::Minimum));
        if is_ranked
            && self.distinct == Some(false)
            && self.groups.asked_for.is_none()
            && self.groups.by.is_none()
            && self.column.as_ref().is_some_and(|column| !table.is_numeric(column))
        {
            self.groups.asked_for = self.column.replace(measure.clone());
            return;
        }
        if self.column.is_none()
            && self.asked != Some(Asked::HowMany)
            && (self.statistic.is_some() || sums && spoken)
        {
            // A list of rows in an order has its column behind "by".
            if !(is_ranked && self.groups.by.is_some() && self.groups.period == 0) {
                self.column = Some(measure.clone());
            }
        }
        let is_amount = self.column.as_deref().is_some_and(|column| table.is_numeric(column));
        let plain = self.statistic.is_none()
            && self.asked.is_none()
            && !self.sorts
            && !self.top
            && self.number.is_none();
        // "amount by region" are the sums, as is "how much on travel".
        let is_grouped = self.groups.by.is_some() && plain && self.distinct.is_none();
        let is_much = sums
            && self.groups.by.is_none()
            && !self.rows
            && (self.condition.filter.is_some() || self.lists || self.also.is_empty());
        if is_amount && (is_grouped || is_much) {
            self.statistic = Some(Statistic::Sum);
        }
    }

    /// "一共得了多少分": of a column of numbers, their sum.
    fn sum_in_all(&mut self, table: &NamedTable<'_>) {
        let is_amount = self.column.as_deref().is_some_and(|column| table.is_numeric(column));
        let plain = self.statistic.is_none()
            && self.asked.is_none()
            && self.distinct.is_none()
            && self.number.is_none()
            && !(self.rows || self.sorts || self.top);
        if self.in_all && is_amount && plain {
            self.statistic = Some(Statistic::Sum);
        }
    }

    /// "how many points did Kim get": numbers of things are added up, not their rows counted.
    fn sum_what_is_counted(&mut self, table: &NamedTable<'_>) {
        let is_things = self.column.as_deref().is_some_and(|column| table.is_of_things(column));
        let plain = self.statistic.is_none_or(|statistic| statistic == Statistic::Sum)
            && self.distinct != Some(true)
            && self.number.is_none();
        if self.asked == Some(Asked::HowMany) && is_things && plain {
            (self.asked, self.statistic, self.rows) = (None, Some(Statistic::Sum), false);
        }
    }
}
