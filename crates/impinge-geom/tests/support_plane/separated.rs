//! Random pairs of polytopes: whatever is rejected is apart by exact arithmetic.

use crate::bodies::{Random, bank};
use crate::literal::rejects_literally;
use impinge_geom::pair::{self, Cache};
use impinge_geom::support_plane::{Side, SupportPlane, TablePair, margin, rejects, table_margin};
use impinge_geom::{Pose, Verdict};

/// The pairs, and how many of them each test rejected.
fn run(pairs: usize, seed: u64) -> [usize; 7] {
    let mut random = Random(seed);
    let bodies = bank(&mut random, 200, 16);
    let mut cache = Cache::default();
    let mut counts = [0; 7];
    for _ in 0..pairs {
        let (a, b) = (&bodies[random.below(bodies.len())], &bodies[random.below(bodies.len())]);
        let reach = a.hull.radius() + b.hull.radius();
        let turn = random.pose(Default::default());
        let way = random.unit() * reach * (0.2 + 0.7 * random.real());
        let place = a.hull.center() + way - turn.rotate(b.hull.center());
        let b_in_a: Pose = turn.with_translation(place.to_array()).unwrap();
        let largest = a.hull.bounding_radius() + b.hull.bounding_radius() + place.length();
        let back = b_in_a.inverse_rotate(-way);
        let volume = random.below(3);
        let moved = b.volumes[volume].moved(&b_in_a, 1.0);
        let sides = |planes: [_; 2]| {
            let [own, other]: [SupportPlane; 2] = planes;
            let a = Side { volume: a.volumes[volume], plane: own };
            (a, Side { volume: moved, plane: other.moved(&b_in_a, 1.0) })
        };
        let kind = random.below(4);
        let by_vertex = sides([a.vertices.plane(way), b.vertices.plane(back)]);
        let by_face = sides([a.faces.plane(way), b.faces.plane(back)]);
        let by_table = sides([a.planes[kind].plane(way), b.planes[kind].plane(back)]);
        let (fine, coarse) = (margin(largest), table_margin(largest));
        let tables = TablePair::new(&a.support, &b.support, &b_in_a, 1.0);
        let rejected = [
            rejects(&by_vertex.0, &by_vertex.1, fine),
            rejects(&by_face.0, &by_face.1, fine),
            rejects_literally(&by_face.0, &by_face.1, fine),
            rejects(&by_table.0, &by_table.1, coarse),
            tables.parted(),
            tables.reflected(3).axis.is_some(),
        ];
        for (count, rejected) in counts.iter_mut().zip(rejected) {
            *count += usize::from(rejected);
        }
        if rejected.contains(&true) {
            counts[6] += 1;
            let verdict = pair::verdict(&a.shape, &b.shape, &b_in_a, &mut cache);
            assert_eq!(verdict, Verdict::Separated, "{rejected:?} {b_in_a:?}");
        }
    }
    counts
}

fn report(pairs: usize, counts: [usize; 7]) {
    let share = counts.map(|count| 100.0 * count as f64 / pairs as f64);
    println!(
        "{pairs} pairs, rejected: vertex {:.1} %, face {:.1} %, face literally {:.1} %, table of planes {:.1} %, \
         support table {:.1} %, with reflections {:.1} %, any {:.1} %",
        share[0], share[1], share[2], share[3], share[4], share[5], share[6]
    );
    assert!(counts.iter().all(|count| *count > pairs / 50), "{counts:?}");
    assert!(counts[5] > counts[4], "reflections part no more: {counts:?}");
}

#[test]
fn what_is_rejected_is_apart() {
    report(20_000, run(20_000, 21));
}

#[test]
#[ignore = "the full count"]
fn what_is_rejected_is_apart_in_full() {
    report(4_000_000, run(4_000_000, 22));
}
