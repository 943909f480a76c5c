//! Answers the driver about many meshes with impinge.
//!
//! As `impinge`: boxes around the bodies in a `BroadPhase`, `mesh::overlap` for its pairs. As `impinge-scene`: `Scene::step`, which
//! tells more than yes or no; as `scene-plain` the same without support tables. As `impinge-solids` and `solids-plain`: with meshes as solids.

use std::io;
use std::sync::Arc;

use impinge::broad::{Aabb, AdaptiveBroadPhase, BroadPhase, PairList, Proxies};
use impinge::geom::glam::DVec3;
use impinge::geom::{DAabb, Pose};
use impinge::mesh::{self, Mesh, Mode, Scratch};
use impinge::query::Geometry;
use impinge::scene::{Body, BodyId, Scene, SceneSettings};
use versus::broad::record::PairSet;
use versus::n_body::record::Recording;
use versus::serve::{Adapter, Clock};

/// A way to find the pairs of bodies that meet.
trait Finder {
    /// Takes the poses of a frame in and finds all pairs.
    fn step(&mut self, poses: &[Pose]);

    fn pairs(&self) -> &[[u32; 2]];
}

/// The copies of a mesh, and the broad phase around them.
struct Bodies {
    mesh: Arc<Mesh>,
    middle: DVec3,
    half: DVec3,
    proxies: Proxies,
    broad: Box<dyn BroadPhase>,
    candidates: PairList,
    scratch: Scratch,
    pairs: Vec<[u32; 2]>,
}

impl Bodies {
    fn new(mesh: Arc<Mesh>, recording: &Recording) -> Bodies {
        let [low, high] = recording.mesh.bounds().map(DVec3::from_array);
        Bodies {
            mesh,
            middle: 0.5 * (low + high),
            half: 0.5 * (high - low),
            proxies: Proxies::default(),
            broad: Box::new(AdaptiveBroadPhase::default()),
            candidates: PairList::default(),
            scratch: Scratch::default(),
            pairs: Vec::new(),
        }
    }

    /// The box around the turned box of the mesh, with a little on top for what is rounded on the way.
    fn extent(&self, pose: &Pose) -> Aabb {
        let centre = pose.transform_point(self.middle);
        let reach = pose.rotation().abs() * self.half * (1.0 + 1e-9);
        DAabb::around(centre, reach).to_f32(DVec3::ZERO)
    }
}

impl Finder for Bodies {
    fn step(&mut self, poses: &[Pose]) {
        for (index, pose) in poses.iter().enumerate() {
            let extent = self.extent(pose);
            if !self.proxies.set(index as u32, extent) {
                self.proxies.insert(extent, true);
            }
        }
        self.broad.update(&self.proxies, &mut self.candidates);
        self.proxies.clear_changes();
        self.pairs.clear();
        for &[a, b] in self.candidates.list() {
            let relative = poses[a as usize].relative(&poses[b as usize]);
            if mesh::overlap(&self.mesh, &self.mesh, &relative.into(), &mut self.scratch) {
                self.pairs.push([a, b]);
            }
        }
    }

    fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
}

/// The copies as bodies of a scene.
struct InScene {
    scene: Scene,
    ids: Vec<BodyId>,
    pairs: Vec<[u32; 2]>,
}

impl InScene {
    fn new(mesh: Arc<Mesh>, mode: Mode, tables: bool, poses: &[Pose]) -> io::Result<InScene> {
        let mut scene = Scene::with_broad_phase(Box::new(AdaptiveBroadPhase::default()));
        scene.set_settings(SceneSettings { support_tables: tables, ..SceneSettings::default() });
        if tables {
            // As the hierarchies of all systems, made before the clock runs.
            mesh.support_table();
        }
        let geometry = Geometry::mesh(mesh, mode);
        let mut ids = Vec::with_capacity(poses.len());
        for pose in poses {
            let body = Body::moving(geometry.clone(), *pose);
            ids.push(scene.add(body).map_err(io::Error::other)?);
        }
        Ok(InScene { scene, ids, pairs: Vec::new() })
    }
}

impl Finder for InScene {
    fn step(&mut self, poses: &[Pose]) {
        for (id, pose) in self.ids.iter().zip(poses) {
            self.scene.set_pose(*id, *pose).expect("the bodies are in the scene");
        }
        self.pairs.clear();
        let report = self.scene.step();
        let meeting = report.pairs.iter().filter(|pair| pair.meets());
        self.pairs.extend(meeting.map(|pair| pair.bodies.map(|id| id.index())));
    }

    fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
}

fn main() -> io::Result<()> {
    let (name, recording) = Recording::from_arguments()?;
    let mut frames: Vec<Vec<Pose>> = Vec::new();
    for frame in &recording.frames {
        let poses = frame.iter().map(|place| Pose::new(place.rotation, place.translation));
        frames.push(poses.collect::<Result<_, _>>().map_err(io::Error::other)?);
    }
    let data = &recording.mesh;
    let mesh = Mesh::new(&data.vertices, &data.triangles).map_err(io::Error::other)?;
    let mesh = Arc::new(mesh);
    let in_scene = |mode, tables| InScene::new(Arc::clone(&mesh), mode, tables, &frames[0]);
    let mut finder: Box<dyn Finder> = match name.as_str() {
        "impinge-scene" => Box::new(in_scene(Mode::Surface, true)?),
        "scene-plain" => Box::new(in_scene(Mode::Surface, false)?),
        "impinge-solids" => Box::new(in_scene(Mode::Solid, true)?),
        "solids-plain" => Box::new(in_scene(Mode::Solid, false)?),
        _ => Box::new(Bodies::new(Arc::clone(&mesh), &recording)),
    };
    let mut adapter = Adapter::new(&name, env!("CARGO_PKG_VERSION"), "f64");
    let count = PairSet::WIDTH * frames.len();
    adapter.add_watched(&recording.name, Clock::Process, count, |answers, watch| {
        // The bodies were somewhere before the first frame: there.
        finder.step(&frames[0]);
        for (answer, poses) in answers.chunks_exact_mut(PairSet::WIDTH).zip(&frames) {
            watch.start();
            finder.step(poses);
            watch.stop();
            answer.copy_from_slice(&PairSet::of(finder.pairs()).values());
        }
    });
    adapter.serve()
}
