//! R1, R2, dispatcher, R3, R4a and R4b as step machines.
