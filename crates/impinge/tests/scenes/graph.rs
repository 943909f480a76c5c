//! A scene graph of two parties: a tower crane among buildings.

use crate::worlds::{at, box_mesh};
use impinge::Pose;
use impinge::geom::Shape;
use impinge::mesh::Mode;
use impinge::query::Geometry;
use impinge::scene::{CollisionGroup, Component, ComponentId, Graph, SceneError};

/// The joints of a crane, and its load.
struct Crane {
    slewing: ComponentId,
    trolley: ComponentId,
    hook: ComponentId,
    load: ComponentId,
    jib: ComponentId,
}

fn bar(half: [f64; 3]) -> Shape {
    Shape::cuboid(half).unwrap()
}

/// Lengths in metres: a mast of 40, a jib of 30 over the top, a trolley on it, a rope of one metre that is scaled to its length.
fn site() -> (Graph, Crane, Vec<ComponentId>) {
    let mut graph = Graph::default();
    let mast =
        Component::fixed(bar([1.0, 1.0, 20.0])).at(at([0.0, 0.0, 20.0])).of(CollisionGroup::A);
    let mast = graph.add(None, mast).unwrap();
    let slewing = graph.add(Some(mast), Component::joint().at(at([0.0, 0.0, 20.0]))).unwrap();
    let jib = Component::moving(bar([15.0, 0.6, 0.6])).at(at([14.0, 0.0, 1.0]));
    let jib = graph.add(Some(slewing), jib).unwrap();
    let counter = Component::moving(bar([4.0, 0.8, 0.8])).at(at([-5.0, 0.0, 1.0]));
    graph.add(Some(slewing), counter).unwrap();
    let trolley = graph.add(Some(jib), Component::joint().at(at([10.0, 0.0, -0.6]))).unwrap();
    let hook = Component::moving(Shape::capsule(0.05, 5.0).unwrap()).at(at([0.0, 0.0, -5.0]));
    let hook = graph.add(Some(trolley), hook).unwrap();
    let load = Geometry::mesh(box_mesh([1.0, 2.0, 0.5]), Mode::Solid);
    let load = Component::moving(load).at(at([0.0, 0.0, -5.5]));
    let load = graph.add(Some(hook), load).unwrap();
    // Buildings are models in units of ten metres.
    let town = graph.add(None, Component::joint().scaled(10.0).of(CollisionGroup::B)).unwrap();
    let houses = [([2.4, 0.0], 1.0), ([0.0, 2.4], 1.5), ([-1.0, -2.0], 2.2)];
    let houses = houses.map(|([x, y], height)| {
        let walls = Geometry::mesh(box_mesh([0.4, 0.4, height]), Mode::Solid);
        graph.add(Some(town), Component::fixed(walls).at(at([x, y, height]))).unwrap()
    });
    (graph, Crane { slewing, trolley, hook, load, jib }, houses.to_vec())
}

/// A turn about z by the angle whose half has this sine and cosine.
fn turned(sine: f64, cosine: f64) -> Pose {
    Pose::new([cosine, 0.0, 0.0, sine], [0.0, 0.0, 20.0]).unwrap()
}

fn meeting(graph: &mut Graph) -> Vec<[ComponentId; 2]> {
    let pairs = graph.step().pairs.clone();
    let component = |body| graph.component_of(body).unwrap();
    pairs.iter().map(|pair| pair.bodies.map(component)).collect()
}

#[test]
fn a_tower_crane_among_buildings() {
    let (mut graph, crane, houses) = site();
    // 1: over the low house, whose top is at 20 m; the load hangs from 40.4 m to about 30 m.
    assert!(meeting(&mut graph).is_empty());
    // 2: the rope is let down to twice its length and the trolley is out: the load is in the roof.
    graph.set_transform(crane.trolley, at([9.5, 0.0, -0.6]), 1.0).unwrap();
    graph.set_transform(crane.hook, at([0.0, 0.0, -10.0]), 2.0).unwrap();
    graph.set_transform(crane.load, at([0.0, 0.0, -5.2]), 0.5).unwrap();
    let roof = meeting(&mut graph);
    assert_eq!(roof, [[crane.load, houses[0]]]);
    // 3: slewed to the left by a quarter, over the second house: 30 m high, the load at 20 m is in it, the rope too.
    let half = 0.5f64.sqrt();
    graph.set_transform(crane.slewing, turned(half, half), 1.0).unwrap();
    let mut inside = meeting(&mut graph);
    inside.sort();
    assert_eq!(inside, [[crane.hook, houses[1]], [crane.load, houses[1]]]);
    // 4: slewed between the houses: nothing, although all of the crane's parts touch each other.
    graph.set_transform(crane.slewing, turned(0.38, (1.0 - 0.38f64 * 0.38).sqrt()), 1.0).unwrap();
    assert!(meeting(&mut graph).is_empty());
    // And the third house is higher than the jib.
    graph.set_transform(crane.slewing, turned(-0.85, (1.0 - 0.85f64 * 0.85).sqrt()), 1.0).unwrap();
    assert!(meeting(&mut graph).contains(&[crane.jib, houses[2]]));
}

#[test]
fn places_are_inherited() {
    let mut graph = Graph::default();
    let quarter = Pose::new([0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()], [1.0, 0.0, 0.0]).unwrap();
    let base = graph.add(None, Component::joint().at(quarter).scaled(2.0)).unwrap();
    let ball = Component::moving(Shape::sphere(1.0).unwrap()).at(at([3.0, 0.0, 0.0])).scaled(0.25);
    let tip = graph.add(Some(base), ball).unwrap();
    let (pose, scale) = graph.place(tip).unwrap();
    assert!(pose.translation().distance([1.0, 6.0, 0.0].into()) < 1e-12);
    assert_eq!(scale, 0.5);
    let body = graph.body_of(tip).unwrap().unwrap();
    let reach = |graph: &Graph| {
        graph.scene().body(body).unwrap().geometry.children()[0].part.bounding_radius()
    };
    assert_eq!(reach(&graph), 0.5);
    graph.set_transform(base, quarter, 4.0).unwrap();
    assert_eq!(reach(&graph), 1.0);
    // What cannot be is refused, and nothing has changed.
    assert!(graph.set_transform(base, quarter, f64::NAN).is_err());
    assert!(graph.set_transform(base, quarter, -1.0).is_err());
    assert!(graph.set_transform(base, at([1e70, 0.0, 0.0]), 1.0).is_err());
    assert_eq!((reach(&graph), graph.place(base).unwrap()), (1.0, (quarter, 4.0)));
    // Removing the base removes the tip.
    graph.remove(base).unwrap();
    assert!(graph.scene().is_empty());
    assert!(matches!(graph.place(tip), Err(SceneError::NoComponent { .. })));
    assert!(matches!(graph.remove(base), Err(SceneError::NoComponent { .. })));
    assert!(graph.add(Some(tip), Component::joint()).is_err());
    let again = graph.add(None, Component::joint()).unwrap();
    assert!(again != base && again != tip);
}
