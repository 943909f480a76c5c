//! Parents merged from their children's volumes beside parents that are fitted to all points below them.

use super::super::approach::Approach;
use super::{Body, volumes_tested};
use crate::error::LabError;
use crate::finding::{Finding, Verdict};
use crate::table::Table;
use impinge::geom::bound::{Aabb, Bound, LANES, Obb, Sphere};
use impinge::tree::{Builder, Tree};

/// One kind of volume on a body that is twisted so much. The two trees have the same groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merged {
    volume: &'static str,
    amount: f64,
    volumes: usize,
    /// Merged volumes whose surface is larger than that of the fitted one, by more than rounding.
    larger: usize,
    /// The surface of all merged volumes over that of all fitted ones.
    surface: f64,
    /// Tests of volumes near touching, merged and fitted.
    tests: [u64; 2],
}

/// Surfaces in f32 that differ by this share are the same.
const ROUNDING: f64 = 1e-5;

/// The volumes of a twisted body by both ways, in the groups that it had before.
pub(super) fn compared(
    bodies: &(Body, Body),
    approaches: &[Approach],
    amount: f64,
) -> Result<[Merged; 3], LabError> {
    Ok([
        one::<Aabb>(bodies, approaches, amount)?,
        one::<Sphere>(bodies, approaches, amount)?,
        one::<Obb>(bodies, approaches, amount)?,
    ])
}

fn one<B: Bound>(
    (before, after): &(Body, Body),
    approaches: &[Approach],
    amount: f64,
) -> Result<Merged, LabError> {
    let topology = before.topology(Builder::default());
    let points = after.sorted(topology.order());
    let fitted: Tree<B> = Tree::fit_by(&topology, &after.geometry(&points), 8, 8, B::fit);
    // A clone has the same nodes, so that the volumes are of the same triangles, place by place.
    let mut merged = fitted.clone();
    after.refit(&mut merged)?;
    let (mut volumes, mut larger, mut sums) = (0, 0, [0.0; 2]);
    for place in 0..(LANES * fitted.node_count()) as u32 {
        if let (Some(merged), Some(fitted)) = (merged.volume(place), fitted.volume(place)) {
            let areas = [merged, fitted].map(|volume| f64::from(volume.area()));
            volumes += 1;
            larger += usize::from(areas[0] > areas[1] * (1.0 + ROUNDING));
            sums = [sums[0] + areas[0], sums[1] + areas[1]];
        }
    }
    let tests = volumes_tested([&merged, &fitted], after, approaches)?;
    Ok(Merged { volume: B::NAME, amount, volumes, larger, surface: sums[0] / sums[1], tests })
}

pub(super) fn table(found: &[Merged]) -> Table {
    let mut table = Table::new(
        "merging",
        "Volumes merged from those of the children beside volumes fitted to all points, in trees of the same groups",
    )
    .column("volume", "")
    .column("twist", "")
    .column("volumes", "")
    .column("larger when merged", "")
    .column("surface, merged / fitted", "")
    .column("tests, merged", "")
    .column("tests, fitted", "");
    for Merged { volume, amount, volumes, larger, surface, tests } in found {
        table.row([
            (*volume).into(),
            (*amount).into(),
            (*volumes).into(),
            (*larger).into(),
            (*surface).into(),
            tests[0].into(),
            tests[1].into(),
        ]);
    }
    table
}

/// Volumes, those that are larger when merged, the most surface over fitted, and the tests by both ways, over all twists.
fn over_twists(found: &[Merged], volume: &str) -> (usize, usize, f64, [u64; 2]) {
    let kept = found.iter().filter(|one| one.volume == volume);
    kept.fold((0, 0, 0.0, [0; 2]), |(volumes, larger, surface, tests), one| {
        (
            volumes + one.volumes,
            larger + one.larger,
            f64::max(surface, one.surface),
            [tests[0] + one.tests[0], tests[1] + one.tests[1]],
        )
    })
}

/// `regrouped` tells what trees lose that keep their groups, for which merging is not to blame.
pub(super) fn judge(finding: &mut Finding, found: &[Merged], regrouped: &str) {
    let [aabb, sphere, obb] =
        [Aabb::NAME, Sphere::NAME, Obb::NAME].map(|volume| over_twists(found, volume));
    let (volumes, larger, _, [merged, fitted]) = aabb;
    finding.claim(
        "merging children's AABBs gives an optimal parent AABB",
        format!(
            "of {volumes} boxes along the axes {larger} are larger when merged than when fitted to all their points; queries take {merged} tests with merged and {fitted} with fitted ones. All merged spheres have up to {:.2} times the surface of fitted ones, oriented boxes {:.2} times. {regrouped}",
            sphere.2, obb.2
        ),
        match (volumes, larger) {
            (0, _) => Verdict::NotTried,
            // Boxes that are no larger take no more tests, but for those within rounding of touching.
            (_, 0) if merged <= fitted + fitted / 1000 => Verdict::Reproduced,
            _ => Verdict::Differs,
        },
        "",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::chapter::refit::twisted;
    use crate::model::{Model, ModelShape};

    #[test]
    fn merged_boxes_along_the_axes_are_the_fitted_ones_and_merged_spheres_are_not() {
        let model = Model::generate(ModelShape::Knobbly, 600);
        let bodies = (Body::new(&model), Body::new(&twisted(&model, 0.5)));
        let found = compared(&bodies, &[], 0.5).unwrap();
        let [aabb, sphere, obb] = &found;
        assert!(aabb.volumes > 50, "{aabb:?}");
        assert_eq!([aabb.volumes; 2], [sphere.volumes, obb.volumes]);
        assert_eq!((aabb.larger, aabb.tests), (0, [0; 2]));
        assert!((aabb.surface - 1.0).abs() < ROUNDING, "{aabb:?}");
        assert!(sphere.larger > 0 && sphere.surface > 1.01, "{sphere:?}");
        assert!(obb.larger > 0 && obb.surface > 1.01, "{obb:?}");
        for (spoilt, verdict) in [(false, Verdict::Reproduced), (true, Verdict::Differs)] {
            let mut finding = Finding::default();
            let aabb = Merged { larger: usize::from(spoilt), ..*aabb };
            judge(&mut finding, &[aabb], "");
            assert_eq!(finding.claims[0].verdict, verdict);
        }
    }
}
