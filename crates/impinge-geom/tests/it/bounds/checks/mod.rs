//! What must hold of every bounding volume, asked of one case at a time, so that the tests and the soak ask the same.
//!
//! The truth shares nothing with the volumes: two sets of points that a plane parts touch in the one point that they are moved to
//! share, or are apart by as much as they are then moved along its normal; or it is the least distance of their triangles in f64.

mod part;

pub(crate) use part::{Case, Numbers};

use impinge_geom::bound::{Bound, FrameMotion, LANES, LocalRay, Moments, RelativeFrame};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::ray::Ray;
use impinge_geom::simd::{Kernel, Scalar, Simd, dispatch};
use part::{Part, Placed};

/// Gives the list of all volumes to a macro, as `name: Type`.
macro_rules! each_volume {
    ($to:ident) => {
        $to! {
            axis_aligned_boxes: impinge_geom::bound::Aabb,
            oriented_boxes: impinge_geom::bound::Obb,
            swept_rectangles: impinge_geom::bound::Rss,
            boxes_and_rectangles: impinge_geom::bound::ObbRss,
            dops_of_14_sides: impinge_geom::bound::Dop14,
            dops_of_18_sides: impinge_geom::bound::Dop18,
            dops_of_26_sides: impinge_geom::bound::Dop26,
            dops_of_36_sides: impinge_geom::bound::Dop36,
            ellipsoids: impinge_geom::bound::EllipsoidBound,
            spherical_shells: impinge_geom::bound::SphericalShell,
            spheres: impinge_geom::bound::Sphere,
            swept_segments: impinge_geom::bound::Lss,
            swept_triangles: impinge_geom::bound::Tss,
            rounded_boxes: impinge_geom::bound::RoundedBox,
            convex_hulls: impinge_geom::bound::ConvexHull,
            hybrids: impinge_geom::bound::Hybrid,
        }
    };
}
pub(crate) use each_volume;

/// What is asked of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It contains its geometry.
    Contains,
    /// The volume merged from those of the parts contains them, and touches what they touch.
    Merges,
    /// It overlaps what its geometry touches in one point, and is no distance from it.
    Touching,
    /// It is no farther than its geometry: apart by construction.
    Apart,
    /// The same in any placement; what meets, overlaps.
    Anywhere,
    /// Carried into another frame it contains its geometry, carried along.
    Poses,
    /// A ray that meets the geometry enters the volume, and not later.
    Rays,
    /// No farther from a point than the geometry.
    Points,
    /// It reaches as far along a direction.
    Reaches,
    /// Saved numbers come back; others are refused.
    Numbers,
}

impl Kind {
    pub(crate) const ALL: [Self; 10] = [
        Self::Contains,
        Self::Merges,
        Self::Touching,
        Self::Apart,
        Self::Anywhere,
        Self::Poses,
        Self::Rays,
        Self::Points,
        Self::Reaches,
        Self::Numbers,
    ];
}

/// What was found about one volume.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Questions asked, by kind.
    pub(crate) asked: [u64; Kind::ALL.len()],
    /// Wrong answers, by kind.
    pub(crate) wrong: [u64; Kind::ALL.len()],
    /// The first wrong answers in words.
    pub(crate) first: Vec<String>,
    /// Answers of `overlaps` for geometry that is apart, and those that noticed it.
    pub(crate) parted: [u64; 2],
    /// FNV-1a over the bits of all answers.
    pub(crate) hash: u64,
}

impl Tally {
    fn judge(&mut self, kind: Kind, right: bool, describe: impl FnOnce() -> String) {
        self.asked[kind as usize] += 1;
        if !right {
            self.wrong[kind as usize] += 1;
            if self.first.len() < 20 {
                self.first.push(format!("{kind:?}: {}", describe()));
            }
        }
    }

    fn take(&mut self, (mask, numbers): &Answer) {
        for word in numbers.iter().map(|n| n.to_bits()).chain([*mask]) {
            self.hash = (self.hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn all_wrong(&self) -> u64 {
        self.wrong.iter().sum()
    }
}

/// Lanes, and a number for each.
type Answer = (u32, [f32; LANES]);

/// A question about eight volumes.
enum Ask<'a, B: Bound> {
    Overlaps(&'a B, &'a FrameMotion),
    Distances(&'a B, &'a FrameMotion),
    Ray(&'a LocalRay),
    Point(Vec3A),
    Reach(Vec3A),
}

struct Question<'a, B: Bound>(&'a Ask<'a, B>, &'a B::Pack);

impl<B: Bound> Kernel for Question<'_, B> {
    type Output = Answer;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Answer {
        let Self(ask, pack) = self;
        let (mask, lanes) = match ask {
            Ask::Overlaps(query, motion) => {
                let found = B::overlaps(simd, &query.moved(motion), pack, motion.margin);
                (found.mask, found.separation)
            }
            Ask::Distances(query, motion) => (0, B::distances(simd, &query.moved(motion), pack)),
            Ask::Ray(ray) => B::ray_entries(simd, &B::ray_query(ray), ray.end, pack),
            Ask::Point(point) => (0, B::point_distances(simd, *point, pack)),
            Ask::Reach(direction) => (0, B::support_values(simd, *direction, pack)),
        };
        (mask, simd.store32(lanes))
    }
}

/// The answer of both backends at its most daring: a lane that either rejects, the greater of two lower bounds and the smaller of
/// two reaches. They may differ in their last bits, since products and sums are fused where the machine can; all must be right.
fn answer<B: Bound>(ask: Ask<'_, B>, pack: &B::Pack, tally: &mut Tally) -> Answer {
    let found = dispatch(Question(&ask, pack));
    let scalar = Question(&ask, pack).run(Scalar::new());
    for (mask, numbers) in [&found, &scalar] {
        assert!(*mask <= 0xff && numbers.iter().all(|n| !n.is_nan()), "{} gives NaN", B::NAME);
    }
    tally.take(&scalar);
    let daring = match ask {
        Ask::Reach(_) => f32::min,
        _ => f32::max,
    };
    (found.0 & scalar.0, std::array::from_fn(|lane| daring(found.1[lane], scalar.1[lane])))
}

/// One volume in some lane.
fn lone<B: Bound>(volume: B, lane: usize) -> B::Pack {
    let mut pack = B::EMPTY;
    volume.set(&mut pack, lane);
    pack
}

/// More than f32 loses in a body's own frame, of coordinates up to `reach` beyond its extent.
fn frame_margin(part: &Part, reach: f64) -> f64 {
    192.0 * 0.5 * f64::from(f32::EPSILON) * (part.frame.extent() + reach) + 1e-37
}

/// Asks everything of the volumes of a case. They are fitted to points drawn together by `shrink`, which must be noticed unless it is
/// zero.
pub(crate) fn check<B: Bound>(
    case: &Case,
    shrink: f64,
    numbers: &mut Numbers<'_>,
    tally: &mut Tally,
) {
    let (drawn_a, drawn_b) = (case.a.drawn(shrink), case.b.drawn(shrink));
    let (a, b): (B, B) = (case.a.fit(&drawn_a), case.b.fit(&drawn_b));
    contains(&case.a, &a, Kind::Contains, numbers, tally);
    let parts: Vec<B> = drawn_a.chunks(3).map(|points| case.a.fit(points)).collect();
    let merged = B::merge(&parts);
    contains(&case.a, &merged, Kind::Merges, numbers, tally);
    distances(case, &case.touching, &merged, &b, Kind::Merges, tally);
    distances(case, &case.touching, &a, &b, Kind::Touching, tally);
    distances(case, &case.apart, &a, &b, Kind::Apart, tally);
    distances(case, &case.anywhere, &a, &b, Kind::Anywhere, tally);
    poses(case, &b, numbers, tally);
    rays(&case.a, a, numbers, tally);
    points(&case.a, a, numbers, tally);
    support_values(&case.a, a, numbers, tally);
    saved(a, tally);
}

fn contains<B: Bound>(
    part: &Part,
    volume: &B,
    kind: Kind,
    numbers: &mut Numbers<'_>,
    tally: &mut Tally,
) {
    let error = part.frame.error();
    for point in part.local() {
        tally.judge(kind, volume.contains(point, error), || format!("{point} in {volume:?}"));
    }
    for _ in 0..4 {
        let point = part.frame.local(part.spot(numbers));
        let held = volume.contains(point, error + error);
        tally.judge(kind, held, || format!("{point} in {volume:?}"));
    }
}

/// Both ways.
fn distances<B: Bound>(case: &Case, placed: &Placed, a: &B, b: &B, kind: Kind, tally: &mut Tally) {
    let Placed { pose, scale, distance } = placed;
    let placement = RelativeFrame::new(&case.a.frame, &case.b.frame, pose, *scale);
    let unit = [case.a.frame.factor(), case.b.frame.factor() / scale];
    let ways = [(b, &placement.b_to_a, a), (a, &placement.a_to_b, b)];
    for (way, (query, motion, other)) in ways.into_iter().enumerate() {
        let lane = 5 - 2 * way;
        let pack = lone(*other, lane);
        let overlaps = answer(Ask::Overlaps(query, motion), &pack, tally).0 >> lane & 1 == 1;
        let bound = answer(Ask::Distances(query, motion), &pack, tally).1[lane];
        let most = distance * unit[way] + f64::from(motion.margin);
        tally.judge(kind, overlaps || *distance > 0.0, || {
            format!("way {way} parts what meets: {a:?} {b:?} {motion:?}")
        });
        tally.judge(kind, f64::from(bound) <= most, || {
            format!("way {way} is {bound} away, not {most}: {a:?} {b:?} {motion:?}")
        });
        if *distance > 0.0 {
            tally.parted[0] += 1;
            tally.parted[1] += u64::from(!overlaps);
        }
    }
}

/// Eight spots of B, where the pose puts them, as volumes of A's frame.
fn poses<B: Bound>(case: &Case, b: &B, numbers: &mut Numbers<'_>, tally: &mut Tally) {
    let Placed { pose, scale, .. } = &case.anywhere;
    let placement = RelativeFrame::new(&case.a.frame, &case.b.frame, pose, *scale);
    let motion = &placement.b_to_a;
    let mut pack = B::EMPTY;
    for lane in 0..LANES {
        let spot =
            case.a.frame.local_f64(pose.transform_point(case.b.spot(numbers) * *scale)).as_vec3a();
        let error = spot.abs().max_element() * f32::EPSILON + f32::MIN_POSITIVE;
        let spot = [spot];
        B::fit(&spot, &Moments::of_points(&spot), error).set(&mut pack, lane);
    }
    let (mask, _) = answer(Ask::Overlaps(b, motion), &pack, tally);
    let (_, away) = answer(Ask::Distances(b, motion), &pack, tally);
    let most = away.iter().copied().fold(0.0, f32::max);
    tally.judge(Kind::Poses, mask & 0xff == 0xff && most <= motion.margin, || {
        format!("of its own spots {mask:08b} are inside, one {most} away: {b:?} {motion:?}")
    });
}

fn rays<B: Bound>(part: &Part, volume: B, numbers: &mut Numbers<'_>, tally: &mut Tally) {
    let target = part.spot(numbers);
    let normal = numbers.direction();
    let (target, direction) = match numbers.below(4) {
        // Past the body, touching it in a corner.
        0 => (part.top(normal), normal.cross(numbers.direction()).normalize_or(DVec3::X)),
        // Along an axis, with zeros of either sign.
        1 => (target, [DVec3::X, -DVec3::Y, DVec3::Z, -DVec3::Z][numbers.below(4)]),
        // Along its surface.
        2 => (target, (part.spot(numbers) - target).normalize_or(normal)),
        _ => (target, normal),
    };
    let far = [0.0, 0.3, 3.0, 1e3][numbers.below(4)] / part.frame.factor();
    let origin = target - direction * far;
    let ray = Ray::new(origin.to_array(), direction.to_array()).expect("valid");
    let Some(mut local) = LocalRay::new(&part.frame, &ray) else {
        tally.judge(Kind::Rays, false, || format!("{ray:?} misses the frame"));
        return;
    };
    local.stop_at(far);
    let pack = lone(volume, 6);
    let (mask, entries) = answer(Ask::<B>::Ray(&local), &pack, tally);
    // The traversal leaves out what is entered beyond the end.
    let met = mask >> 6 & 1 == 1 && entries[6] <= local.end;
    tally.judge(Kind::Rays, met, || format!("{} {mask:08b} {local:?} {volume:?}", entries[6]));
}

fn points<B: Bound>(part: &Part, volume: B, numbers: &mut Numbers<'_>, tally: &mut Tally) {
    let normal = numbers.direction();
    let gap = numbers.signed().abs() * [0.0, 1e-3, 1.0][numbers.below(3)] / part.frame.factor();
    let point = part.frame.local_f64(part.top(normal) + normal * gap);
    let found = answer(Ask::<B>::Point(point.as_vec3a()), &lone(volume, 3), tally).1[3];
    let most = gap * part.frame.factor() + frame_margin(part, point.abs().max_element());
    tally.judge(Kind::Points, f64::from(found) <= most, || {
        format!("{point} is {found} away, not {most}: {volume:?}")
    });
}

fn support_values<B: Bound>(part: &Part, volume: B, numbers: &mut Numbers<'_>, tally: &mut Tally) {
    let direction = numbers.direction();
    let truth = part.frame.local_f64(part.top(direction)).dot(direction);
    let found = answer(Ask::<B>::Reach(direction.as_vec3a()), &lone(volume, 0), tally).1[0];
    let least = truth - frame_margin(part, 0.0);
    tally.judge(Kind::Reaches, f64::from(found) >= least, || {
        format!("{found} along {direction}, not {truth}: {volume:?}")
    });
}

fn saved<B: Bound>(volume: B, tally: &mut Tally) {
    let mut numbers = Vec::new();
    volume.numbers(&mut numbers);
    let mut rest = numbers.as_slice();
    let back = B::from_numbers(&mut rest);
    let same = back == Some(volume) && rest.is_empty();
    let short = B::from_numbers(&mut &numbers[1..]).is_none();
    numbers[0] = f32::NAN;
    let broken = B::from_numbers(&mut numbers.as_slice()).is_none();
    tally.judge(Kind::Numbers, same && short && broken, || format!("{back:?} of {volume:?}"));
}
