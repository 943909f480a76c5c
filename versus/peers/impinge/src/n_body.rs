//! Answers the driver about many meshes with impinge: boxes around the bodies in a `BroadPhase`, `mesh::overlap` for its pairs.

use std::io;

use impinge::broad::{BroadPhase, Extent, Pairs, Proxies, UniformGrid};
use impinge::geom::Pose;
use impinge::geom::glam::DVec3;
use impinge::mesh::{self, Mesh, Scratch};
use versus::broad::record::PairSet;
use versus::n_body::record::Recording;
use versus::serve::{Adapter, Clock};

/// The copies of a mesh, and the broad phase around them.
struct Bodies {
    mesh: Mesh,
    middle: DVec3,
    half: DVec3,
    poses: Vec<Pose>,
    proxies: Proxies,
    broad: Box<dyn BroadPhase>,
    candidates: Pairs,
    scratch: Scratch,
    pairs: Vec<[u32; 2]>,
}

impl Bodies {
    fn new(recording: &Recording) -> io::Result<Bodies> {
        let data = &recording.mesh;
        let mesh = Mesh::new(&data.vertices, &data.triangles).map_err(io::Error::other)?;
        let [low, high] = data.bounds().map(DVec3::from_array);
        Ok(Bodies {
            mesh,
            middle: 0.5 * (low + high),
            half: 0.5 * (high - low),
            poses: Vec::new(),
            proxies: Proxies::default(),
            broad: Box::new(UniformGrid::default()),
            candidates: Pairs::default(),
            scratch: Scratch::default(),
            pairs: Vec::new(),
        })
    }

    /// The box around the turned box of the mesh, with a little on top for what is rounded on the way.
    fn extent(&self, pose: &Pose) -> Extent {
        let centre = pose.map(self.middle);
        let reach = pose.rotation().abs() * self.half * (1.0 + 1e-9);
        let extent = Extent::outward(centre - reach, centre + reach, DVec3::ZERO);
        extent.expect("poses of a recording are finite")
    }

    fn place(&mut self, poses: &[Pose]) {
        self.poses.clear();
        self.poses.extend_from_slice(poses);
        for (index, pose) in poses.iter().enumerate() {
            let extent = self.extent(pose);
            if !self.proxies.set(index as u32, extent) {
                self.proxies.insert(extent, true);
            }
        }
        self.broad.update(&self.proxies, &mut self.candidates);
        self.proxies.clear_changes();
    }

    fn collide(&mut self) {
        self.pairs.clear();
        for &[a, b] in self.candidates.list() {
            let relative = self.poses[a as usize].relative(&self.poses[b as usize]);
            if mesh::overlap(&self.mesh, &self.mesh, &relative.into(), &mut self.scratch) {
                self.pairs.push([a, b]);
            }
        }
    }
}

fn main() -> io::Result<()> {
    let recording = Recording::from_arguments()?;
    let mut frames: Vec<Vec<Pose>> = Vec::new();
    for frame in &recording.frames {
        let poses = frame.iter().map(|place| Pose::new(place.rotation, place.translation));
        frames.push(poses.collect::<Result<_, _>>().map_err(io::Error::other)?);
    }
    let mut bodies = Bodies::new(&recording)?;
    let mut adapter = Adapter::new("impinge", env!("CARGO_PKG_VERSION"), "f64");
    let count = PairSet::WIDTH * frames.len();
    adapter.add_watched(&recording.name, Clock::Process, count, |answers, watch| {
        bodies.place(&frames[0]);
        for (answer, poses) in answers.chunks_exact_mut(PairSet::WIDTH).zip(&frames) {
            watch.start();
            bodies.place(poses);
            bodies.collide();
            watch.stop();
            answer.copy_from_slice(&PairSet::of(&bodies.pairs).values());
        }
    });
    adapter.serve()
}
