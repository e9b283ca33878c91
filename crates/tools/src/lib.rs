//! The tool registry, processes, the effect gate and the evaluation of checks.
