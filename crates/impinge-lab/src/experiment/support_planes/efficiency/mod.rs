//! Figure 7: how much of a volume the body fills, by density of the sampled mappings, beside volumes and the hull.

mod judge;

pub(super) use judge::judge;

use super::prototype;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding};
use crate::model::Model;
use crate::session::Session;
use crate::table::Table;
use impinge::geom::bound::{Bound, Dop18, Dop26, Dop36, Kdop, Moments};
use impinge::geom::glam::{DVec3, Vec3A};
use impinge::geom::hull::Hull;
use impinge::geom::support::Support;
use impinge::geom::support_plane::{Enclosure, Grid, PlaneTable, SupportPlane, enclosed_volume};

pub(super) const EFFICIENCY: Experiment = Experiment {
    name: "spm-efficiency",
    title: "How much of its volume a body fills, by sampling density",
    document: Document::SupportPlanes,
    place: "figure 7",
    models: ModelUse::Instead,
    revision: 1,
    work,
};

/// The densest grid of the figure.
const DENSEST: u8 = 44;

/// V_O / V_BV of one model.
pub(super) struct Efficiency {
    pub(super) model: String,
    /// Volumes that have no density, from the loosest: sphere, AABB, OBB, 18-, 26-, 36-DOP.
    pub(super) volumes: Vec<(&'static str, f64)>,
    pub(super) hull: f64,
    /// Density, vertex-based, face-based.
    pub(super) sampled: Vec<(u8, f64, f64)>,
}

impl Efficiency {
    /// Of the model, for the densities.
    pub(super) fn of(
        model: &Model,
        densities: &[u8],
        session: &Session<'_>,
    ) -> Result<Self, LabError> {
        let hull = Hull::new(&model.vertices).map_err(LabError::failed)?;
        let inside = hull.center();
        let body = enclosed_by(model.corners().into_iter(), inside);
        let corner = |v: u32| hull.vertices()[v as usize];
        let of_hull = enclosed_by(hull.triangles().iter().map(|face| face.map(corner)), inside);
        let region = |planes: Vec<SupportPlane>| {
            let open = || LabError::Failed(format!("{}: the planes bound nothing", model.name));
            enclosed_volume(&planes, inside).map(|volume| body / volume).ok_or_else(open)
        };
        let points = hull.vertices();
        let local: Vec<Vec3A> = points.iter().map(|p| (*p - inside).as_vec3a()).collect();
        let volumes = vec![
            ("sphere", body / solid(&Enclosure::sphere_of(points))),
            ("AABB", body / solid(&Enclosure::aabb_of(points))),
            ("OBB", body / smallest_box(&hull)),
            ("18-DOP", region(slabs::<9>(&Dop18::fit(&local, &Moments::default(), 0.0), inside))?),
            ("26-DOP", region(slabs::<13>(&Dop26::fit(&local, &Moments::default(), 0.0), inside))?),
            ("36-DOP", region(slabs::<18>(&Dop36::fit(&local, &Moments::default(), 0.0), inside))?),
        ];
        let mut sampled = Vec::new();
        for (k, &density) in densities.iter().enumerate() {
            session.step(&model.name, k as u64, densities.len() as u64)?;
            let grid = Grid::Angular(density);
            let vertex = PlaneTable::vertex_based(&hull, grid).fully_bounding(&hull);
            let face = PlaneTable::face_based(&hull, grid).fully_bounding(&hull);
            let [vertex, face] = [vertex, face].map(|table| region(table.planes().collect()));
            sampled.push((density, vertex?, face?));
        }
        Ok(Self { model: model.name.clone(), volumes, hull: body / of_hull, sampled })
    }

    /// By name, as [`prototype::EFFICIENCY`] has them.
    pub(super) fn named(&self, name: &str) -> Option<f64> {
        let of = |density: u8| self.sampled.iter().find(|entry| entry.0 == density);
        match name {
            "hull" => Some(self.hull),
            "DVSPM 6" => of(6).map(|entry| entry.1),
            "DVSPM 32" => of(32).map(|entry| entry.1),
            "DFSPM 32" => of(32).map(|entry| entry.2),
            _ => self.volumes.iter().find(|entry| entry.0 == name).map(|entry| entry.1),
        }
    }

    /// The density from which on both mappings are filled more than every volume.
    fn beyond_volumes(&self) -> Option<u8> {
        let tightest = self.volumes.iter().map(|entry| entry.1).fold(0.0, f64::max);
        let beyond = |entry: &&(u8, f64, f64)| entry.1.min(entry.2) > tightest;
        self.sampled.iter().rev().take_while(beyond).last().map(|entry| entry.0)
    }

    /// The first density at which a mapping fills this share of the hull.
    pub(super) fn support_values(&self, share: f64, faces: bool) -> Option<u8> {
        let value = |entry: &(u8, f64, f64)| if faces { entry.2 } else { entry.1 };
        self.sampled.iter().find(|entry| value(entry) >= share * self.hull).map(|entry| entry.0)
    }
}

/// What triangles enclose, by the divergence theorem; about a point inside, so that small holes matter little.
fn enclosed_by(triangles: impl Iterator<Item = [DVec3; 3]>, inside: DVec3) -> f64 {
    let six = |[a, b, c]: [DVec3; 3]| (a - inside).dot((b - inside).cross(c - inside));
    (triangles.map(six).sum::<f64>() / 6.0).abs()
}

fn solid(volume: &Enclosure) -> f64 {
    match volume {
        Enclosure::Sphere { radius, .. } => {
            4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius
        }
        Enclosure::Aabb { half, .. } | Enclosure::Obb { half, .. } => 8.0 * half.element_product(),
    }
}

/// The volume of the smallest box with a side on a face of the hull and an edge along one of that face.
///
/// The smallest of all has at least two neighbouring sides along edges (J. O'Rourke, 1985); for bodies with many faces this is nearly it.
fn smallest_box(hull: &Hull) -> f64 {
    let corner = |v: u32| hull.vertices()[v as usize];
    let extent = |direction: DVec3| {
        let reach = |d: DVec3| hull.support(d).point.dot(d);
        reach(direction) + reach(-direction)
    };
    let mut least = solid(&Enclosure::aabb_of(hull.vertices()));
    for face in hull.triangles() {
        let [a, b, c] = face.map(corner);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        let height = extent(normal);
        for edge in [b - a, c - b, a - c] {
            let Some(along) = edge.try_normalize() else { continue };
            least = least.min(height * extent(along) * extent(normal.cross(along)));
        }
    }
    least
}

/// The sides of a k-DOP that was fitted relative to a centre.
fn slabs<const HALF: usize>(dop: &Kdop<HALF>, center: DVec3) -> Vec<SupportPlane> {
    let sides = dop.slabs().flat_map(|(n, [low, high])| {
        let (n, length) = (n.as_dvec3(), n.as_dvec3().length());
        [(n / length, f64::from(high) / length), (-n / length, -f64::from(low) / length)]
    });
    sides.map(|(normal, offset)| SupportPlane::through(center + normal * offset, normal)).collect()
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let models = session.models(session.pick(4_000, 17_000, 17_000), 20_000)?;
    let step = session.pick(2, 1, 1);
    let densities: Vec<u8> = (4..=DENSEST).step_by(step).collect();
    let mut found = Vec::new();
    for model in &models {
        found.push(Efficiency::of(model, &densities, session)?);
    }
    let sizes: Vec<String> = models
        .iter()
        .map(|model| format!("{} ({} triangles)", model.name, model.triangles.len()))
        .collect();
    let mut finding = Finding {
        setting: format!(
            "Volume of the body over that of what is around it, on {}; mappings sampled on N × N angles, N = 4 … {DENSEST}, bounded by \
             six planes across the axes where a coarse grid does not bound. The paper's panels run from 0 to 0.5 and to 0.9; its values \
             are not in its text, but that N = 6 of the vertex-based mapping is the 36-DOP is.",
            sizes.join(", ")
        ),
        ..Finding::default()
    };
    finding.tables = vec![volume_table(&found), density_table(&found)];
    let panels = found.iter().map(panel).collect();
    finding.charts.push(Chart { name: "efficiency".into(), panels });
    judge(&mut finding, &found);
    Ok(finding)
}

fn volume_table(found: &[Efficiency]) -> Table {
    let mut table = Table::new("volumes", "Volume of the body over that of the volume")
        .column("model", "")
        .column("volume", "")
        .column("efficiency", "")
        .column(prototype::NAME, "");
    for efficiency in found {
        for (name, _) in prototype::EFFICIENCY {
            table.row([
                efficiency.model.as_str().into(),
                name.into(),
                efficiency.named(name).into(),
                prototype::efficiency(&efficiency.model, name).into(),
            ]);
        }
    }
    table
}

fn density_table(found: &[Efficiency]) -> Table {
    let mut table = Table::new("densities", "The same by sampling density")
        .column("model", "")
        .column("density", "")
        .column("DVSPM", "")
        .column("DFSPM", "");
    for efficiency in found {
        for &(density, vertex, face) in &efficiency.sampled {
            let density = usize::from(density);
            table.row([
                efficiency.model.as_str().into(),
                density.into(),
                vertex.into(),
                face.into(),
            ]);
        }
    }
    table
}

fn panel(efficiency: &Efficiency) -> Panel {
    let line = |value: f64| vec![(0.0, value), (f64::from(DENSEST), value)];
    let sampled = |pick: fn(&(u8, f64, f64)) -> f64| {
        efficiency.sampled.iter().map(|entry| (f64::from(entry.0), pick(entry))).collect()
    };
    let mut series = vec![
        Series::line("DVSPM", sampled(|entry| entry.1)).colored(0),
        Series::line("DFSPM", sampled(|entry| entry.2)).colored(1),
        Series::line("convex hull", line(efficiency.hull)).colored(13),
    ];
    for (k, (name, value)) in efficiency.volumes.iter().enumerate().rev() {
        series.push(Series::line(*name, line(*value)).colored(2 + k));
    }
    if let Some(value) = efficiency.named("36-DOP") {
        series
            .push(Series::published("published: DVSPM 6 = 36-DOP", vec![(6.0, value)]).colored(0));
    }
    let earlier: Vec<(f64, f64)> = prototype::EFFICIENCY
        .iter()
        .filter_map(|(name, _)| {
            let density = match *name {
                "DVSPM 6" => 6.0,
                "DVSPM 32" | "DFSPM 32" => 32.0,
                _ => f64::from(DENSEST),
            };
            Some((density, prototype::efficiency(&efficiency.model, name)?))
        })
        .collect();
    if !earlier.is_empty() {
        series.push(Series { color: Some(3), ..Series::published(prototype::NAME, Vec::new()) });
        for point in earlier {
            series.push(Series::published("", vec![point]).colored(3));
        }
    }
    Panel {
        title: efficiency.model.clone(),
        across: Axis::linear("sampling density N").within(0.0, f64::from(DENSEST)),
        up: Axis::linear("bounding efficiency (body / volume)").within(0.0, efficiency.hull * 1.1),
        series,
        legend: Corner::Beside,
    }
}

#[cfg(test)]
mod tests {
    use super::judge::ordered;
    use super::*;
    use crate::model::ModelShape;
    use crate::session::Size;

    /// A cube's own volumes are known: the AABB and the OBB are the cube, the sphere has half its diagonal for a radius.
    #[test]
    fn a_cube_fills_what_it_should() {
        let corner = |k: u32| [0, 1, 2].map(|axis| f64::from(k >> axis & 1));
        let faces = [
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        let model = Model {
            name: "cube".into(),
            vertices: (0..8).map(corner).collect(),
            triangles: faces.into(),
        };
        let found = Efficiency::of(&model, &[32], &Session::new(Size::Quick, 1)).unwrap();
        let sphere = 1.0 / (4.0 / 3.0 * std::f64::consts::PI * 0.75_f64.powf(1.5));
        for (name, expected) in
            [("sphere", sphere), ("AABB", 1.0), ("OBB", 1.0), ("26-DOP", 1.0), ("hull", 1.0)]
        {
            assert!((found.named(name).unwrap() - expected).abs() < 1e-4, "{name}");
        }
        assert!((found.named("DFSPM 32").unwrap() - 1.0).abs() < 1e-4);
    }

    /// A long body that lies askew, as scanned animals do.
    #[test]
    fn a_long_body_has_the_order_of_the_figure() {
        let mut model = Model::generate(ModelShape::Knobbly, 1_500);
        let turn = impinge::Pose::new([0.5, 0.1, -0.5, 0.7], [0.0; 3]).unwrap();
        for vertex in &mut model.vertices {
            *vertex = turn.rotate(DVec3::from(*vertex) * DVec3::new(2.0, 1.0, 0.7)).to_array();
        }
        let found = Efficiency::of(&model, &[6, 32], &Session::new(Size::Quick, 1)).unwrap();
        assert!(ordered(&found), "{:?} {:?} {}", found.volumes, found.sampled, found.hull);
        assert!(found.named("DFSPM 32").unwrap() >= 0.98 * found.hull);
    }
}
