//! The figures of a round: D, P, Ω, L, Q and their changes.
//!
//! The gradient that decides is that of the quality part Q. L contains the budget Ω, and the mere passing of time would otherwise
//! read as divergence. Both gradients are in every directive and result.

use artoo_types::control::Loss;
use artoo_types::criteria::FailureClass;
use artoo_types::setting::{ControlParams, GradientKind};
use artoo_types::taint::Taint;
use artoo_types::unit::{Cost, Distance, Implausibility};
use artoo_types::usage::TaskUsage;

use crate::reading::{CriterionStatus, JudgedCriterion, Reading};

/// What only the runtime can count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spending {
    /// Milliseconds spent waiting for a person; they are not the task's.
    pub waited_ms: u64,
    /// Calls and tokens so far.
    pub usage: TaskUsage,
    /// What the task has taken in.
    pub taint: Taint,
}

/// What the task has spent so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expense {
    /// Directives issued.
    pub directives: u32,
    /// Milliseconds since the task started, waits for a person not counted.
    pub elapsed_ms: u64,
    /// Tokens of all model calls.
    pub tokens: u64,
}

/// D = max(D_sub, D_task), each the sum of the failed criteria's weights over the number of evaluated criteria. The
/// maximum, because many small passes must not dilute a failed goal. When nothing was evaluated nothing is near: 1.
pub fn distance(reading: &Reading) -> Distance {
    let parts = [share_failed(&reading.subtasks), share_failed(&reading.task)];
    Distance::clamped(parts.into_iter().flatten().reduce(f64::max).unwrap_or(1.0))
}

/// P = logical / (logical + environmental) over the failed criteria of last attempts and of the task. Failures that
/// nobody classified count as neither. No failed criterion: 0. Failures, but none classified: 0.5.
pub fn implausibility(reading: &Reading) -> Implausibility {
    let count = |class| reading.failures().filter(|c| *c == Some(class)).count() as f64;
    let (logical, environmental) = (count(FailureClass::Logical), count(FailureClass::Environmental));
    let value = if logical + environmental > 0.0 {
        logical / (logical + environmental)
    } else if reading.failures().next().is_some() {
        0.5
    } else {
        0.0
    };
    Implausibility::clamped(value)
}

/// Ω = w₁·min(1, directives/maxReplans) + w₂·min(1, max(elapsed/time_budget, tokens/max_tokens)). The first term is 0
/// when no replan is allowed at all, the token share is left out when there is no ceiling.
pub fn cost(params: &ControlParams, max_tokens: Option<u64>, spent: Expense) -> Cost {
    let replans = match params.max_replans {
        0 => 0.0,
        most => f64::from(spent.directives) / f64::from(most),
    };
    let time = share(spent.elapsed_ms, params.time_budget_ms);
    let tokens = max_tokens.map_or(0.0, |most| share(spent.tokens, most));
    Cost::clamped(params.w1 * replans.min(1.0) + params.w2 * time.max(tokens).min(1.0))
}

/// L = αD + β(1−Ω)P + λΩ. The weight of the process shrinks as the budget does.
pub fn total(params: &ControlParams, d: Distance, p: Implausibility, c: Cost) -> f64 {
    params.alpha * d.get() + params.beta * (1.0 - c.get()) * p.get() + params.lambda * c.get()
}

/// Q = αD + βP, the part of the loss that the passing of time does not move.
pub fn quality(params: &ControlParams, loss: &Loss) -> f64 {
    params.alpha * loss.distance.get() + params.beta * loss.implausibility.get()
}

/// D, P, Ω and L together.
pub fn loss(params: &ControlParams, d: Distance, p: Implausibility, c: Cost) -> Loss {
    Loss { distance: d, implausibility: p, cost: c, total: total(params, d, p, c) }
}

/// ∇L and ∇Q of a round.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gradient {
    /// ∇L = L_t − L_{t−1}, as version 0.8 of the design has it.
    pub literal: f64,
    /// ∇Q = Q_t − Q_{t−1}.
    pub quality: f64,
}

impl Gradient {
    /// The change from the round before; 0 when there was none.
    pub fn between(params: &ControlParams, before: Option<&Loss>, now: &Loss) -> Self {
        before.map_or_else(Self::default, |before| Self {
            literal: now.total - before.total,
            quality: quality(params, now) - quality(params, before),
        })
    }

    /// The one that the table and Law 2 read.
    pub fn deciding(self, kind: GradientKind) -> f64 {
        match kind {
            GradientKind::Quality => self.quality,
            GradientKind::Full => self.literal,
        }
    }
}

fn share_failed(criteria: &[JudgedCriterion]) -> Option<f64> {
    let (mut sum, mut evaluated) = (0.0, 0_u32);
    for criterion in criteria {
        match criterion.finding {
            CriterionStatus::Passed => evaluated += 1,
            CriterionStatus::Failed { weight, .. } => {
                evaluated += 1;
                sum += weight;
            }
            CriterionStatus::Unverified => {}
        }
    }
    (evaluated > 0).then(|| sum / f64::from(evaluated))
}

/// `part / whole`; a budget of nothing is spent.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests;
