//! Language-model providers: OpenAI-compatible HTTP and the built-in offline rules.
