//! R6, the Auditor: sees envelopes, produces reports.
