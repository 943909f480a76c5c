//! The pose of a part: a rotation, a translation and a uniform scale; and the general transforms that files state.

use crate::number::LARGEST;

/// How far from orthogonal, relative to its scale, a stated matrix may be and still count as a rotation with one scale:
/// files hold 24 bits. A part of one metre moves by half a micrometre at most; beyond it the map goes into the mesh.
pub(crate) const ORTHOGONAL: f64 = 1e-6;

/// The pose of a part: a point of its shape is scaled, then rotated, then translated.
///
/// ```
/// use impinge_io::Placement;
/// let quarter_turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
/// let placement = Placement { rotation: quarter_turn, translation: [10.0, 0.0, 0.0], scale: 2.0 };
/// assert_eq!(placement.map([1.0, 0.0, 0.0]), [10.0, 2.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The rows of a rotation matrix, orthonormal up to rounding. Quarter turns have zeros and ones, exactly.
    pub rotation: [[f64; 3]; 3],
    /// The translation, in the unit of the scene.
    pub translation: [f64; 3],
    /// The scale: positive.
    pub scale: f64,
}

impl Placement {
    /// The identity.
    pub const IDENTITY: Self = Self { rotation: IDENTITY, translation: [0.0; 3], scale: 1.0 };

    /// Transforms a point to the frame of the scene.
    pub fn map(&self, point: [f64; 3]) -> [f64; 3] {
        let scaled = point.map(|value| self.scale * value);
        let turned = product(&self.rotation, scaled);
        [0, 1, 2].map(|i| turned[i] + self.translation[i])
    }

    /// The rotation as a unit quaternion (w, x, y, z).
    ///
    /// ```
    /// use impinge_io::Placement;
    /// assert_eq!(Placement::IDENTITY.quaternion(), [1.0, 0.0, 0.0, 0.0]);
    /// ```
    pub fn quaternion(&self) -> [f64; 4] {
        let m = &self.rotation;
        // Shepperd, "Quaternion from rotation matrix" (1978): the largest of the four is found first, so that none is
        // divided by a small number.
        let traces = [
            m[0][0] + m[1][1] + m[2][2],
            m[0][0] - m[1][1] - m[2][2],
            m[1][1] - m[0][0] - m[2][2],
            m[2][2] - m[0][0] - m[1][1],
        ];
        let largest = (1..4).fold(0, |best, i| if traces[i] > traces[best] { i } else { best });
        let root = (1.0 + traces[largest]).max(0.0).sqrt();
        let half = 0.5 / root;
        let (xy, yz, zx) = (m[1][0] + m[0][1], m[2][1] + m[1][2], m[0][2] + m[2][0]);
        let (x, y, z) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
        let q = match largest {
            0 => [0.5 * root, x * half, y * half, z * half],
            1 => [x * half, 0.5 * root, xy * half, zx * half],
            2 => [y * half, xy * half, 0.5 * root, yz * half],
            _ => [z * half, zx * half, yz * half, 0.5 * root],
        };
        let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
        if length > 0.0 { q.map(|value| value / length) } else { [1.0, 0.0, 0.0, 0.0] }
    }
}

pub(crate) const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The product of a matrix by rows and a vector.
pub(crate) fn product(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// The rotation of a quaternion (w, x, y, z) of any length but zero.
pub(crate) fn rotation_of_quaternion(q: [f64; 4]) -> Option<[[f64; 3]; 3]> {
    let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
    if !(length > 1e-100 && length <= LARGEST) {
        return None;
    }
    let [w, x, y, z] = q.map(|value| value / length);
    Some([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ])
}

/// The rotation about a unit vector by an angle of that sine and cosine (Rodrigues' formula).
pub(crate) fn rotation_about([x, y, z]: [f64; 3], [s, c]: [f64; 2]) -> [[f64; 3]; 3] {
    let t = 1.0 - c;
    [
        [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
        [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
        [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
    ]
}

/// A vector of length 1 in the direction of another; none if that is zero.
pub(crate) fn unit_vector(v: [f64; 3]) -> Option<[f64; 3]> {
    let largest = v.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    if largest == 0.0 {
        return None;
    }
    // By the largest first, so that no square leaves the range; both divisions leave 0 0 1 as it is.
    let scaled = v.map(|value| value / largest);
    let length = scaled.iter().map(|value| value * value).sum::<f64>().sqrt();
    Some(scaled.map(|value| value / length))
}

/// Any affine map: the rows of a matrix, and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(crate) linear: [[f64; 3]; 3],
    pub(crate) translation: [f64; 3],
}

/// What an affine map is to a part.
pub(crate) enum Kind {
    /// A placement is all of it.
    Placed(Placement),
    /// It scales axes differently, shears or mirrors: the vertices take it, all but the translation.
    Baked,
    /// It takes every point to one.
    Vanished,
}

impl Affine {
    pub(crate) const IDENTITY: Self = Self { linear: IDENTITY, translation: [0.0; 3] };

    pub(crate) fn scaling(scale: [f64; 3]) -> Self {
        let mut linear = [[0.0; 3]; 3];
        for (axis, value) in scale.into_iter().enumerate() {
            linear[axis][axis] = value;
        }
        Self { linear, translation: [0.0; 3] }
    }

    pub(crate) fn of(placement: &Placement) -> Self {
        let linear = placement.rotation.map(|row| row.map(|value| value * placement.scale));
        Self { linear, translation: placement.translation }
    }

    /// This after `inner`.
    pub(crate) fn after(&self, inner: &Self) -> Self {
        let column = |j: usize| product(&self.linear, [0, 1, 2].map(|k| inner.linear[k][j]));
        let columns = [0, 1, 2].map(column);
        let linear = [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i]));
        let moved = product(&self.linear, inner.translation);
        Self { linear, translation: [0, 1, 2].map(|i| moved[i] + self.translation[i]) }
    }

    /// Are all numbers finite and within the limit?
    pub(crate) fn is_sound(&self) -> bool {
        let values = self.linear.iter().flatten().chain(&self.translation);
        values.into_iter().all(|value| value.abs() <= LARGEST)
    }

    pub(crate) fn determinant(&self) -> f64 {
        let [a, b, c] = self.linear;
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    }

    /// A rotation with one scale, or what else.
    pub(crate) fn kind(&self) -> Kind {
        let largest = self.linear.iter().flatten().fold(0.0, |most: f64, v| most.max(v.abs()));
        if largest == 0.0 {
            return Kind::Vanished;
        }
        // Divided by the largest, so that no square leaves the range; by 1 where that changes nothing.
        let unit = if (0.5..=2.0).contains(&largest) { 1.0 } else { largest };
        let m = self.linear.map(|row| row.map(|value| value / unit));
        let dot = |i: usize, j: usize| m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
        let squares = [dot(0, 0), dot(1, 1), dot(2, 2)];
        let mean = (squares[0] + squares[1] + squares[2]) / 3.0;
        let straight = squares.iter().all(|s| (s - mean).abs() <= 2.0 * ORTHOGONAL * mean)
            && [dot(0, 1), dot(1, 2), dot(2, 0)].iter().all(|d| d.abs() <= ORTHOGONAL * mean);
        if !straight || self.determinant() <= 0.0 {
            return Kind::Baked;
        }
        let scale = mean.sqrt();
        // A scale of one up to the rounding of the file is one.
        let scale = if (scale - 1.0).abs() <= 1e-7 { 1.0 } else { scale };
        let rotation = orthonormal(m.map(|row| row.map(|value| value / scale)));
        Kind::Placed(Placement { rotation, translation: self.translation, scale: scale * unit })
    }
}

/// The nearest rotation to a matrix that is almost one: Newton's iteration for the polar factor, m ← (m + m⁻ᵀ) / 2 (Higham,
/// "Computing the polar decomposition", 1986). The cofactors of a rotation are its entries, so that quarter turns stay exact.
fn orthonormal(mut m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    for _ in 0..2 {
        let [a, b, c] = m;
        let cofactors = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = a[0] * cofactors[0][0] + a[1] * cofactors[0][1] + a[2] * cofactors[0][2];
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = 0.5 * (m[i][j] + cofactors[i][j] / determinant);
            }
        }
    }
    m
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(affine: &Affine) -> Placement {
        match affine.kind() {
            Kind::Placed(placement) => placement,
            _ => panic!("{affine:?} is a placement"),
        }
    }

    #[test]
    fn quarter_turns_stay_exact_at_any_scale() {
        let turn = [[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
        for scale in [1e-60, 0.001, 0.25, 1.0, 3.0, 1e60] {
            let linear = turn.map(|row| row.map(|value: f64| value * scale));
            let placement = placed(&Affine { linear, translation: [1.0, 2.0, 3.0] });
            assert_eq!((placement.rotation, placement.scale), (turn, scale));
        }
    }

    #[test]
    fn rounded_rotations_become_rotations() {
        let half = f64::from(0.5f32.sqrt());
        let linear = [[half, -half, 0.0], [half, half, 0.0], [0.0, 0.0, 1.0]];
        let placement = placed(&Affine { linear, translation: [0.0; 3] });
        assert!((placement.rotation[0][0] - 0.5f64.sqrt()).abs() < 1e-7);
        let m = placement.rotation;
        let square = m[0][0] * m[0][0] + m[1][0] * m[1][0];
        assert!((square - 1.0).abs() < 1e-15 && placement.scale == 1.0);
    }

    #[test]
    fn what_is_no_placement() {
        let baked = |scale| matches!(Affine::scaling(scale).kind(), Kind::Baked);
        assert!(baked([1.0, 1.0, 1.00001]) && baked([-1.0, 1.0, 1.0]) && baked([1.0, 1.0, 0.0]));
        assert!(!baked([1.0, 1.0, 1.0 + 1e-7]));
        assert!(matches!(Affine::scaling([0.0; 3]).kind(), Kind::Vanished));
        let shear = [[1.0, 0.01, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let shear = Affine { linear: shear, translation: [0.0; 3] };
        assert!(matches!(shear.kind(), Kind::Baked));
    }

    #[test]
    fn quaternions_there_and_back() {
        for q in [
            [1.0, 2.0, -3.0, 0.5],
            [0.1, 2.0, 0.0, 0.5],
            [0.0, 0.0, 1.0, 0.0],
            [0.01, 0.0, 0.02, -4.0],
            [0.0, 1.0, 0.0, 0.0],
        ] {
            let rotation = rotation_of_quaternion(q).unwrap();
            let again = Placement { rotation, ..Placement::IDENTITY }.quaternion();
            let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
            let dot: f64 = (0..4).map(|i| q[i] * again[i] / length).sum();
            assert!((dot.abs() - 1.0).abs() < 1e-15, "{q:?} {again:?}");
        }
        assert!(rotation_of_quaternion([0.0; 4]).is_none());
    }
}
