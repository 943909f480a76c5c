//! Where the origin lies in the difference of two polytopes.
