//! The daemon: wiring, task actors, gRPC service, life cycle.
