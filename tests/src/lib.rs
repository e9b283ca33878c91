//! Scenario, end-to-end, simulation and architecture tests.
