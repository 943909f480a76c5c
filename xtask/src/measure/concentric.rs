//! Two spheres, one inside the other: how many tests of volumes it takes to tell them apart, for every kind of volume.
//!
//! The experiments of a paper on oriented rounded volumes (its figures 8 and 10): a sphere of unit radius and one of radius 1 + ε around it,
//! each of about 20,000 triangles, in 100 random orientations. At wide gaps there is a least depth to which both trees are opened, at
//! narrow ones all leaves are reached: two plateaus, with a slope between them. Then the inner sphere travels through the outer
//! one at ε = 0.01, and all triangles that meet are found.

use super::chart::{self, Line, Panel, slope};
use super::proximity::{fit, sphere, topology};
use crate::generate::random::Random;
use impinge::geom::Pose;
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop14, Dop18, Dop26, Dop36, Ellipsoid, Lss, Obb, ObbRss, Placement,
    RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge::geom::glam::DVec3;
use impinge::geom::simd::Simd;
use impinge::mesh::{self, Mesh, Relative, Scratch};
use impinge::tree::traverse::{self, Pairs, Policy, Stack, Visit};
use impinge::tree::{Counts, Topology, Tree};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Write concentric.svg into this folder.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The spheres have 20·4^LEVEL triangles.
    #[arg(long, default_value_t = 5, value_name = "LEVEL")]
    pub level: u32,
    /// Orientations per gap, and per place.
    #[arg(long, default_value_t = 100)]
    pub orientations: usize,
    /// Every seed gives other orientations.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Gaps per factor of ten.
const STEPS: i32 = 4;
/// The gap while the sphere travels, and how far it travels in one step.
const TRAVEL: [f64; 2] = [0.01, 0.05];
/// Windows of slopes.
const WINDOWS: [[f64; 2]; 3] = [[0.001, 0.4], [0.001, 4.0], [0.04, 0.4]];
/// Narrower than the paper's gaps, and than the spheres are round: all leaves are reached.
const NARROWEST: f64 = 0.0001;

/// What is asked of every volume.
struct Task {
    corners: Vec<[DVec3; 3]>,
    topology: Topology,
    gaps: Vec<(f64, Vec<Relative>)>,
    places: Vec<(f64, Vec<Travel>)>,
}

/// The outer sphere in one orientation, seen from the inner one, and the triangles that meet.
struct Travel {
    outer: Relative,
    contacts: HashSet<(u32, u32)>,
}

/// What one volume needs: the mean tests for each gap, and for each place.
struct Work {
    name: &'static str,
    gaps: Vec<(f64, f64)>,
    places: Vec<(f64, f64)>,
    /// Meeting triangles that were not reached.
    lost: usize,
}

/// Runs the measurement. True if no volume has lost a contact.
pub fn run(options: &Options) -> bool {
    super::or_tell(measured(options))
}

fn measured(options: &Options) -> Result<bool, String> {
    let task = task(options)?;
    println!(
        "two spheres of {} triangles, width 2, leaves of 1, larger first, {} orientations; means of tests of two volumes",
        task.corners.len(),
        options.orientations
    );
    let of: [fn(&Task) -> Work; 15] = [
        work::<Sphere>,
        work::<Aabb>,
        work::<Obb>,
        work::<Rss>,
        work::<ObbRss>,
        work::<RoundedBox>,
        work::<Lss>,
        work::<Tss>,
        work::<ConvexHull>,
        work::<Dop14>,
        work::<Dop18>,
        work::<Dop26>,
        work::<Dop36>,
        work::<Ellipsoid>,
        work::<SphericalShell>,
    ];
    heading(&task);
    let mut all = Vec::new();
    for work in of {
        let work = work(&task);
        print(&work);
        all.push(work);
    }
    travelled(&task, &all);
    if let Some(folder) = &options.output {
        chart::write(folder, "concentric.svg", &panels(&all))?;
    }
    let lost: usize = all.iter().map(|work| work.lost).sum();
    println!("contacts that a volume has lost: {lost}");
    Ok(lost == 0)
}

fn task(options: &Options) -> Result<Task, String> {
    let corners = sphere(options.level);
    let mut random = Random::new(options.seed);
    let mut outer = |gap: f64, away: f64| -> Result<Relative, String> {
        let away = random.direction().map(|x| x * away);
        let pose = Pose::new(random.quaternion(), away).map_err(|error| error.to_string())?;
        Ok(Relative { pose, scale: 1.0 + gap })
    };
    let count = options.orientations.max(1);
    let gap = NARROWEST;
    let mut gaps = vec![(gap, (0..count).map(|_| outer(gap, 0.0)).collect::<Result<Vec<_>, _>>()?)];
    for step in 0.. {
        let gap = 0.001 * 10.0_f64.powf(f64::from(step) / f64::from(STEPS));
        // The last one is 4, as in the paper.
        let gap = if gap > 4.0 { 4.0 } else { gap };
        gaps.push((gap, (0..count).map(|_| outer(gap, 0.0)).collect::<Result<_, _>>()?));
        if gap == 4.0 {
            break;
        }
    }
    let flat: Vec<[f64; 3]> = corners.iter().flatten().map(|corner| corner.to_array()).collect();
    let faces: Vec<[u32; 3]> =
        (0..corners.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mesh: Mesh = Mesh::new(&flat, &faces).map_err(|error| error.to_string())?;
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    let mut places = Vec::new();
    // From −0.3 to 1.
    for step in -6..=20 {
        let place = f64::from(step) * TRAVEL[1];
        let mut travels = Vec::new();
        // One in ten: with all pairs the work is not that of a gap alone.
        for _ in 0..count.div_ceil(10) {
            let outer = outer(TRAVEL[0], -place)?;
            mesh::pairs(&mesh, &mesh, &outer, &mut scratch, &mut found);
            let contacts = found.iter().map(|&(a, b, _)| (a, b)).collect();
            travels.push(Travel { outer, contacts });
        }
        places.push((place, travels));
    }
    let topology = topology(&corners);
    Ok(Task { corners, topology, gaps, places })
}

/// Counts the contacts among the leaves that are reached.
struct Reached<'t, B: Bound> {
    tree: &'t Tree<B>,
    contacts: &'t HashSet<(u32, u32)>,
    count: usize,
}

impl<B: Bound> Visit for Reached<'_, B> {
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, _: S, a: u32, b: u32) -> ControlFlow<()> {
        let pairs =
            self.tree.leaf(a).iter().flat_map(|a| self.tree.leaf(b).iter().map(move |b| (*a, *b)));
        self.count += pairs.filter(|pair| self.contacts.contains(pair)).count();
        ControlFlow::Continue(())
    }
}

fn work<B: Bound>(task: &Task) -> Work {
    let tree: Tree<B> = fit(&task.corners, &task.topology);
    let (mut stack, none) = (Stack::default(), HashSet::new());
    let mut ask = |outer: &Relative, contacts: &HashSet<(u32, u32)>| {
        let placement = Placement::new(tree.frame(), tree.frame(), &outer.pose, outer.scale);
        let policy = Policy::LargerFirst;
        let trees = Pairs { a: &tree, b: &tree, placement: &placement, policy };
        let (mut counts, mut reached) =
            (Counts::default(), Reached { tree: &tree, contacts, count: 0 });
        let _ = traverse::pairs(trees, &mut stack, &mut reached, &mut counts);
        (counts.volumes as f64, contacts.len() - reached.count.min(contacts.len()))
    };
    let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
    let mut gaps = Vec::new();
    for (gap, outers) in &task.gaps {
        let sum = outers.iter().map(|outer| ask(outer, &none).0).sum();
        gaps.push((*gap, mean(sum, outers.len())));
    }
    let (mut places, mut lost) = (Vec::new(), 0);
    for (place, travels) in &task.places {
        let mut sum = 0.0;
        for travel in travels {
            let (volumes, missing) = ask(&travel.outer, &travel.contacts);
            sum += volumes;
            lost += missing;
        }
        places.push((*place, mean(sum, travels.len())));
    }
    Work { name: B::NAME, gaps, places, lost }
}

/// The gaps of the table: the first, then a factor of ten apart, and the widest.
fn shown(gaps: usize) -> impl Iterator<Item = usize> {
    (0..gaps).filter(move |k| *k == 0 || k % STEPS as usize == 1 || k + 1 == gaps)
}

fn heading(task: &Task) {
    print!("| volume |");
    shown(task.gaps.len()).for_each(|k| print!(" ε = {} |", (task.gaps[k].0 * 1e4).round() / 1e4));
    for [from, to] in WINDOWS {
        print!(" slope on [{from}, {to}] |");
    }
    println!();
    let columns = shown(task.gaps.len()).count() + WINDOWS.len();
    println!("|---|{}", "---:|".repeat(columns));
}

fn print(work: &Work) {
    print!("| {} |", work.name);
    shown(work.gaps.len()).for_each(|k| print!(" {:.0} |", work.gaps[k].1));
    for window in WINDOWS {
        print!(" {:.2} |", slope(&work.gaps, window));
    }
    println!();
}

/// The table of the second experiment: places from above to below, volumes side by side.
fn travelled(task: &Task, all: &[Work]) {
    print!("\n| y | contacts |");
    all.iter().for_each(|work| print!(" {} |", work.name));
    println!("\n|---:|{}", "---:|".repeat(all.len() + 1));
    for (k, (place, travels)) in task.places.iter().enumerate() {
        let contacts: usize = travels.iter().map(|travel| travel.contacts.len()).sum();
        print!("| {place:.2} | {:.0} |", contacts as f64 / travels.len() as f64);
        all.iter().for_each(|work| print!(" {:.0} |", work.places[k].1));
        println!();
    }
}

fn panels(all: &[Work]) -> [Panel; 2] {
    let lines = |points: fn(&Work) -> &Vec<(f64, f64)>| {
        all.iter()
            .map(|work| Line { name: work.name.into(), points: points(work).clone() })
            .collect()
    };
    [
        Panel {
            title: "A sphere in another one, by the gap".into(),
            across: "gap / radius".into(),
            up: "tests of two volumes".into(),
            lines: lines(|work| &work.gaps),
            falling: true,
            even: false,
        },
        Panel {
            title: format!("The inner sphere on its way, gap {}", TRAVEL[0]),
            across: "y / radius".into(),
            up: "tests of two volumes".into(),
            lines: lines(|work| &work.places),
            falling: true,
            even: true,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_volume_loses_a_contact_and_both_plateaus_are_there() {
        let options = Options { output: None, level: 3, orientations: 2, seed: 1 };
        let task = task(&options).unwrap();
        assert!(
            task.places.iter().any(|(_, travels)| travels.iter().any(|t| t.contacts.len() > 50))
        );
        let [rectangles, boxes] = [work::<Rss>(&task), work::<Obb>(&task)];
        for work in [&rectangles, &boxes] {
            assert_eq!(work.lost, 0, "{}", work.name);
            let count = |k: usize| work.gaps[k].1;
            let last = work.gaps.len() - 1;
            // All leaves of so coarse a sphere are reached below a gap of 0.01; far apart, a few volumes do.
            assert!(count(0) < 1.5 * count(3) && count(0) > 100.0 * count(last), "{}", work.name);
        }
        // What is said to meet, but never reached, is missed.
        let mut wrong = task;
        wrong.places[0].1[0].contacts.insert((u32::MAX, 0));
        assert_eq!(work::<Obb>(&wrong).lost, 1);
    }
}
