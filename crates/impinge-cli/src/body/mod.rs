//! What stands in the world: a shape or a mesh, and where. Everything here is asked of the library; nothing is worked out.

mod feature;
mod pair;

pub(crate) use feature::FeatureName;
pub(crate) use pair::{Memory, Pair};

use impinge::geom::{Pose, Shape};
use impinge::mesh::{Mesh, Mode};
use std::rc::Rc;

/// A form and where it is.
pub(crate) struct Body {
    pub(crate) form: Form,
    pub(crate) pose: Pose,
}

/// What a body is.
pub(crate) enum Form {
    /// A convex shape.
    Shape(Shape),
    /// Triangles, which several bodies may share.
    Mesh(Rc<Mesh>, Mode),
}
