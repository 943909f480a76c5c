//! Trees are the same, bit for bit, for any number of threads, and without threads.

use crate::cloud::Cloud;
use impinge_geom::bound::{Bound, Obb, Rss};
use impinge_tree::{Builder, Covering, Items, Measure, Tree, build};

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

fn grouped(items: &Items, builder: Builder) -> u64 {
    let topology = build(items, builder, 8);
    let groups =
        topology.groups().iter().flat_map(|group| [group.first, group.count, group.second]);
    let numbers = topology.order().iter().copied().chain(groups);
    hash(&numbers.flat_map(u32::to_le_bytes).collect::<Vec<_>>())
}

/// With the feature `parallel` and without it, and on every machine, the hashes are these; they change with the algorithms only.
#[test]
fn with_and_without_threads() {
    let cloud = Cloud::new(5, MANY);
    let builders = [Builder::Morton, Builder::BinnedSah, Builder::PrincipalMean];
    let hashes = builders.map(|builder| saved::<Obb>(&cloud, builder));
    let known = [0xbcc0_f4bd_f822_e90c, 0x8601_237b_dbe2_9a2d, 0xe122_4f75_acce_07ad];
    assert_eq!(hashes, known, "{hashes:#x?}");
    let items = cloud.items();
    let hashes = Builder::ALL.map(|builder| (builder, grouped(&items, builder)));
    assert_eq!(hashes, KNOWN, "{hashes:#x?}");
}

const KNOWN: [(Builder, u64); Builder::ALL.len()] = [
    (Builder::Morton, 0x64d1_747f_acdf_8dc3),
    (Builder::BinnedSah, 0xf1b6_578d_1cb8_5604),
    (Builder::PrincipalMean, 0x2db7_7c9e_c447_f0c9),
    (Builder::Median, 0x85fc_8c38_4605_e972),
    (Builder::Midpoint, 0x477d_5969_bdea_f0ef),
    (Builder::Sweep(Measure::Area), 0xa282_44ed_ca9f_0e84),
    (Builder::Sweep(Measure::Volume), 0x6b45_7e79_cc11_f9ed),
    (Builder::Sweep(Measure::Minkowski), 0x5c32_8cab_05bc_17f6),
    (Builder::Weighted, 0xa282_44ed_ca9f_0e84),
    (Builder::Agglomerative, 0xaa37_e939_90ef_5b3e),
    (Builder::Insertion, 0x995a_e3c8_d263_09f3),
    (Builder::RandomInsertion { seed: 1 }, 0x3aa9_6b71_afc7_3ad3),
    (Builder::Spheres(Covering::Octree), 0xa513_01c3_196a_28cc),
    (Builder::Spheres(Covering::TriangleTiling), 0x2f91_aff2_36e7_d061),
    (Builder::Spheres(Covering::VertexCovering), 0xfd63_3db5_0b02_9ed7),
    (Builder::Spheres(Covering::MedialAxis), 0xcb47_a075_7f88_ad7b),
];

#[test]
fn for_any_number_of_threads() {
    // More than a portion of what is summed in parallel.
    let items = Cloud::new(6, 40_000).items();
    for builder in Builder::ALL {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| build(&items, builder, 8))
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
