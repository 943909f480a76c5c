//! Trees are the same, bit for bit, for any number of threads, and without threads.

use crate::cloud::Cloud;
use impinge_geom::bound::{Aabb, Bound, Obb, Rss};
use impinge_tree::build::build_by;
use impinge_tree::{Builder, Measure, Tree};

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Enough that every step is shared between threads.
const MANY: usize = 90_000;

fn saved<B: Bound>(cloud: &Cloud, builder: Builder) -> u64 {
    let mut tree: Tree<B> = cloud.tree(builder);
    let fitted = hash(&tree.save());
    let points = cloud.points(tree.order());
    tree.refit(&cloud.geometry(&points)).expect("the same points");
    fitted ^ hash(&tree.save()).rotate_left(1)
}

/// With the feature `parallel` and without it, and on every machine, the hashes are these; they change with the algorithms only.
#[test]
fn with_and_without_threads() {
    let cloud = Cloud::new(5, MANY);
    let hashes = Builder::ALL.map(|builder| (builder, saved::<Obb>(&cloud, builder)));
    assert_eq!(hashes, KNOWN, "{hashes:#x?}");
}

const KNOWN: [(Builder, u64); Builder::ALL.len()] = [
    (Builder::Morton, 0xbcc0_f4bd_f822_e90c),
    (Builder::BinnedArea, 0xf152_fbee_86a3_af17),
    (Builder::PrincipalMean, 0xe122_4f75_acce_07ad),
    (Builder::Median, 0x9e72_82a7_b5ff_5710),
    (Builder::Midpoint, 0x9ac9_b2b4_f2d8_333d),
    (Builder::Sweep(Measure::Area), 0xcd08_547c_61b2_311a),
    (Builder::Sweep(Measure::Volume), 0x0d55_eace_b0ed_052f),
    (Builder::Sweep(Measure::Minkowski), 0x7de6_062e_2780_258c),
    (Builder::Weighted, 0xcd08_547c_61b2_311a),
    (Builder::Agglomerative, 0xdc74_c1f6_0965_78d5),
    (Builder::Insertion, 0x2ced_9d8b_8aa2_fe96),
    (Builder::RandomInsertion { seed: 1 }, 0xff12_a0df_2dca_11b9),
];

#[test]
fn for_any_number_of_threads() {
    let cloud = Cloud::new(6, MANY);
    let box_of = |k: usize| Aabb::of_points(&cloud.corners[k]);
    for builder in Builder::ALL {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| build_by(MANY, box_of, builder, 8))
        };
        let one = with(1);
        assert!(one == with(2) && one == with(4), "{builder:?}");
    }
}

/// Volumes that are fitted to points and moments, not merged.
#[test]
fn fitted_for_any_number_of_threads() {
    let cloud = Cloud::new(6, MANY);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let builder = Builder::PrincipalMean;
        pool.expect("threads")
            .install(|| (saved::<Obb>(&cloud, builder), saved::<Rss>(&cloud, builder)))
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(8));
}
