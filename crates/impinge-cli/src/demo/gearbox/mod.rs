//! A planetary gearbox, in millimetres, with five faults for the check to find.
//!
//! The axis is z. Four planets run between the sun and the ring, on pins between the two plates of the carrier, which drives the shaft
//! that leaves at the rear. Two covers hold the bearings; eight bolts hold covers, walls and ring together.

mod gear;
mod solid;

use impinge::geom::number::angle::atan2;
use solid::{Solid, around, ball, block, circle, raised, turned};
use std::f64::consts::TAU;

/// A part: where it belongs, its name and its triangles.
pub(super) struct Part {
    /// Folders and name, such as `housing/front cover`.
    pub(super) path: String,
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

const SUN_TEETH: u32 = 16;
const PLANET_TEETH: u32 = 16;
const RING_TEETH: u32 = 48;
const PLANETS: u32 = 4;
const BOLTS: u32 = 8;
const BALLS: u32 = 8;
/// Between parts that fit into each other, radially.
const FIT: f64 = 0.02;

/// Radii.
const PIN: f64 = 5.0;
const SLEEVE: f64 = 8.0;
const SHAFT: f64 = 8.0;
const OUTPUT: f64 = 10.0;
const INNER_WALL: f64 = 48.0;
const OUTER_WALL: f64 = 66.0;
const BOLT_CIRCLE: f64 = 59.5;
const BOLT: f64 = 3.0;
const BOLT_HOLE: f64 = 3.3;
const SEAT: f64 = 26.0;

/// Heights, from the front to the rear.
const FRONT: f64 = -42.0;
const FRONT_COVER: [f64; 2] = [FRONT, -28.0];
const FRONT_WALL: [f64; 2] = [-28.0, 0.0];
const GEARS: [f64; 2] = [0.0, 20.0];
const REAR_WALL: [f64; 2] = [20.0, 40.0];
const REAR_COVER: [f64; 2] = [40.0, REAR];
const REAR: f64 = 54.0;
const FRONT_PLATE: [f64; 2] = [-10.0, -2.0];
const REAR_PLATE: [f64; 2] = [22.0, 30.0];
const PINS: [f64; 2] = [-12.0, 32.0];

/// Steps around.
const FINE: u32 = 64;
const COARSE: u32 = 32;

/// All parts; for a motion with three more that only collide on the way.
pub(super) fn parts(moving: bool) -> Vec<Part> {
    let mut parts = Parts(Vec::new());
    parts.gears();
    parts.carrier();
    parts.shafts();
    parts.housing();
    parts.bearing("front", [FRONT + 1.0, -29.0], SHAFT);
    parts.bearing("rear", [41.0, REAR - 1.0], OUTPUT);
    parts.fasteners();
    parts.faults();
    if moving {
        parts.faults_on_the_way();
    }
    parts.0
}

struct Parts(Vec<Part>);

impl Parts {
    fn add(&mut self, path: impl Into<String>, solid: Solid) {
        let Solid { vertices, triangles } = solid;
        self.0.push(Part { path: path.into(), vertices, triangles });
    }

    /// Every planet looks at the sun and at the ring with a gap, and both have a tooth there.
    fn gears(&mut self) {
        let bore = |radius: f64| vec![circle([0.0; 2], radius, FINE)];
        let sun = raised(&gear::outside(SUN_TEETH, 0.0), &bore(SHAFT + FIT), GEARS);
        self.add("rotating/sun gear", sun);
        for k in 0..PLANETS {
            let [x, y] = planet(k);
            let planet = raised(&gear::outside(PLANET_TEETH, 0.5), &bore(SLEEVE + FIT), GEARS);
            self.add(format!("rotating/planet {}/gear", k + 1), planet.moved([x, y, 0.0]));
            let sleeve = tube([PIN + FIT, SLEEVE], [GEARS[0] - 1.0, GEARS[1] + 1.0], FINE);
            self.add(format!("rotating/planet {}/sleeve", k + 1), sleeve.moved([x, y, 0.0]));
        }
        let mut holes = vec![gear::inside(RING_TEETH, 0.5)];
        holes.extend(bolt_holes());
        self.add("ring gear", raised(&circle([0.0; 2], OUTER_WALL, FINE), &holes, GEARS));
    }

    fn carrier(&mut self) {
        for (name, bore, heights) in
            [("front", SHAFT + 4.0, FRONT_PLATE), ("rear", OUTPUT + FIT, REAR_PLATE)]
        {
            let mut holes = vec![circle([0.0; 2], bore, FINE)];
            holes.extend((0..PLANETS).map(|k| circle(planet(k), PIN + FIT, COARSE)));
            let plate = raised(&circle([0.0; 2], 42.0, FINE), &holes, heights);
            self.add(format!("rotating/carrier/{name} plate"), plate);
        }
        for k in 0..PLANETS {
            // The third pin protrudes too far: its clearance to the front cover is 0.2 mm, 0.5 mm required.
            let front = if k == 2 { FRONT_COVER[1] + 0.2 } else { PINS[0] };
            let [x, y] = planet(k);
            let pin = cylinder(PIN, [front, PINS[1]], COARSE).moved([x, y, 0.0]);
            self.add(format!("rotating/carrier/pin {}", k + 1), pin);
        }
    }

    fn shafts(&mut self) {
        self.add("rotating/input shaft", cylinder(SHAFT, [-80.0, 21.0], FINE));
        self.add("rotating/output shaft", cylinder(OUTPUT, [22.0, 100.0], FINE));
    }

    fn housing(&mut self) {
        let rim = circle([0.0; 2], OUTER_WALL, FINE);
        for (name, bore, heights) in [
            ("front cover", SEAT + FIT, FRONT_COVER),
            ("front wall", INNER_WALL, FRONT_WALL),
            ("rear wall", INNER_WALL, REAR_WALL),
            ("rear cover", SEAT + FIT, REAR_COVER),
        ] {
            let mut holes = vec![circle([0.0; 2], bore, FINE)];
            holes.extend(bolt_holes());
            self.add(format!("housing/{name}"), raised(&rim, &holes, heights));
        }
    }

    /// Two rings and the balls between them.
    fn bearing(&mut self, name: &str, heights: [f64; 2], shaft: f64) {
        let (inner, outer) = (shaft + 4.0, SEAT - 4.0);
        self.add(format!("bearings/{name}/inner ring"), tube([shaft + FIT, inner], heights, FINE));
        self.add(format!("bearings/{name}/outer ring"), tube([outer, SEAT], heights, FINE));
        let (middle, radius) = (0.5 * (inner + outer), 0.5 * (outer - inner) - 0.06);
        for k in 0..BALLS {
            let [x, y] = around(middle, k, BALLS);
            let ball = ball(radius, COARSE).moved([x, y, 0.5 * (heights[0] + heights[1])]);
            self.add(format!("bearings/{name}/ball {}", k + 1), ball);
        }
    }

    fn fasteners(&mut self) {
        for k in 0..BOLTS {
            let [x, y] = bolt_place(k);
            let place = [x, y, 0.0];
            let shank = [FRONT - 2.0, REAR + 8.0];
            self.add(format!("fasteners/bolt {}", k + 1), bolt(shank).moved(place));
            let nut = raised(
                &hexagon(5.5),
                &[circle([0.0; 2], BOLT + FIT, COARSE)],
                [REAR + 2.0, REAR + 7.0],
            );
            self.add(format!("fasteners/nut {}", k + 1), nut.moved(place));
            for (name, heights) in [("front", [FRONT - 2.0, FRONT]), ("rear", [REAR, REAR + 2.0])] {
                let washer = tube([BOLT_HOLE, 5.8], heights, COARSE).moved(place);
                self.add(format!("fasteners/{name} washer {}", k + 1), washer);
            }
        }
    }

    /// What is wrong, but for the third pin of the carrier.
    fn faults(&mut self) {
        // A bolt that is screwed into the wall from the side, where nobody drilled a hole.
        let sideways = |[x, y, z]: [f64; 3]| [-z, y, x];
        let mut screw = bolt([-70.0, -44.0]);
        screw.vertices.iter_mut().for_each(|vertex| *vertex = sideways(*vertex));
        // Turned about its own axis between two bolts of the circle.
        self.add(
            "fasteners/sensor bolt",
            turn(screw, atan2(1.0, 1.0) / 2.0).moved([0.0, 0.0, -14.0]),
        );
        // The same washer twice.
        let [x, y] = bolt_place(5);
        let washer = tube([BOLT_HOLE, 5.8], [REAR, REAR + 2.0], COARSE).moved([x, y, 0.0]);
        self.add("fasteners/rear washer 6 (copy)", washer);
        // A key in a shaft that has no groove for it.
        self.add("rotating/key", block([2.0, -1.5, 4.0], [6.5, 1.5, 16.0]));
        // Two plates that share 50 µm along x and are flush everywhere else.
        self.add("base/left plate", block([-80.0, -90.0, -42.0], [0.05, -78.0, 54.0]));
        self.add("base/right plate", block([0.0, -90.0, -42.0], [80.0, -78.0, 54.0]));
    }

    /// What stands free, and collides when the carrier turns.
    fn faults_on_the_way(&mut self) {
        // A cam on the carrier runs into the sensor bolt, 22.5° further on.
        self.add("rotating/carrier/cam", block([40.0, -2.0, -17.0], [45.0, 2.0, -10.0]));
        // A lever on the output shaft runs into a stop at 200°.
        self.add("rotating/lever", block([OUTPUT, -3.0, 60.0], [36.0, 3.0, 66.0]));
        let stop = block([30.0, -3.0, REAR], [40.0, 3.0, REAR + 10.0]);
        self.add("housing/stop", turn(stop, TAU * 200.0 / 360.0));
        // A burr on a tooth of the second planet is too long for the gaps of ring and sun.
        let tip = gear::pitch_radius(PLANET_TEETH) + 1.8;
        let burr = block([tip, -0.5, 8.0], [tip + 1.2, 0.5, 12.0]);
        let [x, y] = planet(1);
        let tooth = TAU * 0.5 / f64::from(PLANET_TEETH);
        self.add("rotating/planet 2/burr", turn(burr, tooth).moved([x, y, 0.0]));
    }
}

/// Where a planet stands.
fn planet(k: u32) -> [f64; 2] {
    around(gear::pitch_radius(SUN_TEETH) + gear::pitch_radius(PLANET_TEETH), k, PLANETS)
}

fn bolt_place(k: u32) -> [f64; 2] {
    around(BOLT_CIRCLE, k, BOLTS)
}

fn bolt_holes() -> impl Iterator<Item = Vec<[f64; 2]>> {
    (0..BOLTS).map(|k| circle(bolt_place(k), BOLT_HOLE, COARSE))
}

fn hexagon(radius: f64) -> Vec<[f64; 2]> {
    circle([0.0; 2], radius, 6)
}

fn cylinder(radius: f64, [low, high]: [f64; 2], count: u32) -> Solid {
    turned(&[[0.0, low], [radius, low], [radius, high], [0.0, high]], count)
}

fn tube([inner, outer]: [f64; 2], heights: [f64; 2], count: u32) -> Solid {
    raised(&circle([0.0; 2], outer, count), &[circle([0.0; 2], inner, count)], heights)
}

/// A bolt whose shank begins under its head.
fn bolt([low, high]: [f64; 2]) -> Solid {
    let head = low - 4.0;
    turned(&[[0.0, head], [5.5, head], [5.5, low], [BOLT, low], [BOLT, high], [0.0, high]], COARSE)
}

/// The solid turned about the z axis.
fn turn(mut solid: Solid, angle: f64) -> Solid {
    let [cosine, sine] = solid::direction(angle);
    for [x, y, _] in &mut solid.vertices {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
    solid
}
