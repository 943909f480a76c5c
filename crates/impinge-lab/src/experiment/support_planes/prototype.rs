//! Numbers that an earlier prototype of the same methods reached (C++, on decimated scans of the published sizes): not the paper's, whose
//! figures are known by their axes and by what its text says of them.

/// What series of these numbers are called.
pub(super) const NAME: &str = "earlier prototype";

/// Volume of the body over that of a volume around it, by name, for bunny and dragon.
pub(super) const EFFICIENCY: [(&str, [f64; 2]); 10] = [
    ("sphere", [0.180, 0.093]),
    ("AABB", [0.260, 0.175]),
    ("OBB", [0.313, 0.193]),
    ("18-DOP", [0.392, 0.232]),
    ("26-DOP", [0.422, 0.243]),
    ("36-DOP", [0.430, 0.236]),
    ("DVSPM 6", [0.462, 0.266]),
    ("DVSPM 32", [0.585, 0.348]),
    ("DFSPM 32", [0.599, 0.362]),
    ("hull", [0.605, 0.365]),
];

/// kB with tables on levels 0 to 4: vertex tables, face tables of the bunny, support tables.
pub(super) const MEMORY: [[f64; 5]; 3] = [
    [25.0, 74.0, 172.0, 369.0, 762.0],
    [14.0, 36.0, 72.0, 128.0, 217.0],
    [4.0, 13.0, 31.0, 65.0, 135.0],
];

/// Culling on the bunny with 1 and with 6 levels, in percent, by volume; then support tables with three axes, then exact hulls.
pub(super) const CULLING: [(&str, [f64; 2]); 5] = [
    ("sphere", [37.0, 66.0]),
    ("AABB", [13.0, 45.0]),
    ("OBB", [36.0, 56.0]),
    ("CW3", [67.0, 87.0]),
    ("hulls", [78.0, 93.0]),
];

/// Which of the two columns of [`EFFICIENCY`] a model is.
pub(super) fn column(model: &str) -> Option<usize> {
    ["bunny", "dragon"].iter().position(|name| model.starts_with(name))
}

/// The prototype's efficiency of a volume around a model.
pub(super) fn efficiency(model: &str, volume: &str) -> Option<f64> {
    let values = EFFICIENCY.iter().find(|(name, _)| *name == volume)?.1;
    column(model).map(|k| values[k])
}
