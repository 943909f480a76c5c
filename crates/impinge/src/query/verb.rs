//! The three forms of a query about two geometries.

/// Declares a verb, its `_with` twin and its `_batch` form. All three call the `ask_both` of the file that they are declared in.
macro_rules! pair_verb {
    ($(#[$about:meta])* $name:ident, $with:ident, $batch:ident -> $answer:ty) => {
        $(#[$about])*
        pub fn $name<'a, 'b>(
            pose_a: &Pose,
            a: impl Into<GeometryRef<'a>>,
            pose_b: &Pose,
            b: impl Into<GeometryRef<'b>>,
        ) -> $answer {
            $with(pose_a, a, pose_b, b, &mut Workspace::default())
        }

        #[doc = concat!("Like [`", stringify!($name), "()`], with the caller's memory.")]
        pub fn $with<'a, 'b>(
            pose_a: &Pose,
            a: impl Into<GeometryRef<'a>>,
            pose_b: &Pose,
            b: impl Into<GeometryRef<'b>>,
            workspace: &mut Workspace,
        ) -> $answer {
            ask_both(pose_a, a.into(), pose_b, b.into(), workspace)
        }

        #[doc = concat!("Like [`", stringify!($name), "()`], for many pairs of poses of A and B, on all threads.")]
        pub fn $batch<'a, 'b>(
            a: impl Into<GeometryRef<'a>>,
            b: impl Into<GeometryRef<'b>>,
            poses: &[[Pose; 2]],
        ) -> Vec<$answer> {
            let (a, b) = (a.into(), b.into());
            batch(poses, |[pose_a, pose_b], workspace| ask_both(pose_a, a, pose_b, b, workspace))
        }
    };
}

pub(super) use pair_verb;
