//! The client: command line, REPL and renderer.
