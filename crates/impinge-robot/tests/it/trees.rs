//! Forward kinematics against products of 4×4 matrices; what is refused.

use impinge::geom::glam::{DMat4, DVec3};
use impinge_robot::{Freedom, Joint, KinematicTree, Mimic, TreeError};

/// A number from 0 to 1 that looks random.
pub(crate) fn noise(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

pub(crate) fn point(state: &mut u64) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| 2.0 * noise(state) - 1.0))
}

/// A chain of turns and slides at random, standing at positions that are not zero.
pub(crate) fn chain(count: usize, state: &mut u64) -> KinematicTree {
    let joint = |k: usize, state: &mut u64| {
        let (at, along) = (point(state), point(state));
        let freedom = if k % 3 == 1 { Freedom::slide(along) } else { Freedom::turn(at, along) };
        let position = noise(state) - 0.5;
        Joint { position, ..Joint::new(format!("joint {k}"), k, k + 1, freedom.unwrap()) }
    };
    KinematicTree::new(count + 1, (0..count).map(|k| joint(k, state)).collect()).unwrap()
}

/// The product of exponentials, with glam's own matrices about axes.
fn by_matrices(tree: &KinematicTree, link: usize, positions: &[f64]) -> DMat4 {
    tree.joints_above(link).into_iter().fold(DMat4::IDENTITY, |outer, index| {
        let joint = &tree.joints()[index];
        let by = positions[index] - joint.position;
        outer
            * match joint.freedom {
                Freedom::Fixed => DMat4::IDENTITY,
                Freedom::Slide { along } => DMat4::from_translation(along * by),
                Freedom::Turn { point, axis } => {
                    DMat4::from_translation(point)
                        * DMat4::from_axis_angle(axis, by)
                        * DMat4::from_translation(-point)
                }
            }
    })
}

#[test]
fn displacements_are_products_of_matrices() {
    let mut state = 1;
    for count in [1, 2, 5, 9] {
        for _ in 0..50 {
            let tree = chain(count, &mut state);
            let positions: Vec<f64> = (0..count).map(|_| 6.0 * noise(&mut state) - 3.0).collect();
            let expected = by_matrices(&tree, count, &positions);
            let found = tree.displacement(count, &positions);
            for _ in 0..4 {
                let p = point(&mut state);
                let way = found.transform_point(p) - expected.transform_point3(p);
                assert!(way.length() < 1e-13 * count as f64, "{count}: {way}");
            }
        }
    }
}

#[test]
fn who_stands_still_does_not_move_at_all() {
    let mut state = 2;
    let tree = chain(6, &mut state);
    let stands: Vec<f64> = tree.joints().iter().map(|joint| joint.position).collect();
    assert_eq!(tree.displacement(6, &stands), impinge::Pose::IDENTITY);
    assert_eq!(tree.positions(&[]).unwrap(), stands);
}

#[test]
fn what_is_refused() {
    let turn = Freedom::turn([0.0; 3], [0.0, 0.0, 1.0]).unwrap();
    let joint = |name: &str, parent, child| Joint::new(name, parent, child, turn);
    let follow = |name: &str, parent, child, other| {
        let mimic = Some(Mimic { joint: other, multiplier: 2.0, offset: 0.5 });
        Joint { mimic, ..joint(name, parent, child) }
    };
    let error = |links, joints| KinematicTree::new(links, joints).unwrap_err().to_string();
    assert_eq!(error(2, vec![joint("a", 0, 2)]), "joint \"a\" refers to number 2, but there are 2");
    assert!(
        error(3, vec![joint("a", 0, 2), joint("b", 1, 2)]).contains("child of \"a\" and of \"b\"")
    );
    assert!(error(2, vec![joint("a", 0, 1), joint("b", 1, 0)]).contains("depends on itself"));
    let circle = vec![follow("a", 0, 1, 1), follow("b", 1, 2, 0)];
    assert!(matches!(KinematicTree::new(3, circle), Err(TreeError::Circle { .. })));
    let wild = Joint { position: f64::NAN, ..joint("a", 0, 1) };
    assert!(matches!(KinematicTree::new(2, vec![wild]), Err(TreeError::Position { .. })));
    let tree = KinematicTree::new(3, vec![joint("a", 0, 1), follow("b", 1, 2, 0)]).unwrap();
    assert_eq!(tree.positions(&[(0, 1.0)]).unwrap(), [1.0, 2.5]);
    assert!(matches!(tree.positions(&[(1, 1.0)]), Err(TreeError::NotFree { .. })));
    assert!(matches!(tree.positions(&[(0, 1e9)]), Err(TreeError::Position { .. })));
    assert!(matches!(tree.positions(&[(7, 0.0)]), Err(TreeError::Missing { .. })));
    for frames in [&[][..], &[(1.0, &[][..]), (1.0, &[])], &[(0.0, &[]), (f64::INFINITY, &[])]] {
        assert!(matches!(tree.path(frames), Err(TreeError::Times)));
    }
    assert!(Freedom::turn([0.0; 3], [0.0; 3]).is_err());
    assert!(Freedom::turn([f64::NAN; 3], [0.0, 0.0, 1.0]).is_err());
    assert!(Freedom::slide([1e300, 0.0, 0.0]).is_err());
}
