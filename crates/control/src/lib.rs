//! R7, the Goal Gradient Solver: loss, decision table, directives, quantization.
