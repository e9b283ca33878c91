//! The law of R5: potentials, decay, what the Dreamer may do, key codec.
