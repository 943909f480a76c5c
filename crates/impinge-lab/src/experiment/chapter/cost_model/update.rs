//! The last term of the cost function: volumes that are fitted again because their body deformed.

use crate::error::LabError;
use crate::model::Model;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{ROUNDS, fastest};
use impinge::geom::bound::Bound;
use impinge::geom::glam::Vec3A;
use impinge::mesh::{Mesh, MeshBuilder};
use impinge::tree::{Builder, ItemGeometry, Surface};
use impinge::tune::{AnyMesh, Calibration, QuestionKind, Volume};
use std::hint::black_box;

/// All volumes of a hierarchy fitted again: nu·cu.
pub(super) struct Update {
    model: String,
    pub(super) volume: Volume,
    volumes: usize,
    /// Microseconds.
    pub(super) predicted: f64,
    pub(super) measured: f64,
}

pub(super) fn updated(
    session: &Session<'_>,
    model: &Model,
    calibration: &Calibration,
) -> Result<Vec<Update>, LabError> {
    let grouped = MeshBuilder::new(&model.vertices, &model.triangles, Builder::BinnedSah)
        .map_err(LabError::failed)?;
    let mut found = Vec::new();
    for volume in Volume::ALL {
        session.step("updates", found.len() as u64, Volume::ALL.len() as u64)?;
        let mesh = AnyMesh::fitted(&grouped, volume, 8);
        let measured = match &mesh {
            AnyMesh::Obb(mesh) => refit_time(mesh),
            AnyMesh::Rss(mesh) => refit_time(mesh),
            AnyMesh::ObbRss(mesh) => refit_time(mesh),
            AnyMesh::Aabb(mesh) => refit_time(mesh),
            AnyMesh::Sphere(mesh) => refit_time(mesh),
            AnyMesh::Hybrid(mesh) => refit_time(mesh),
        };
        let volumes = mesh.volume_count();
        let predicted =
            calibration.prices(QuestionKind::Overlap, volume).update * volumes as f64 / 1e3;
        found.push(Update { model: model.name.clone(), volume, volumes, predicted, measured });
    }
    Ok(found)
}

fn refit_time<B: Bound>(mesh: &Mesh<B>) -> f64 {
    let mut tree = mesh.tree().clone();
    let frame = *tree.frame();
    let points: Vec<Vec3A> =
        tree.order().iter().flat_map(|item| mesh.corners(*item).map(|p| frame.local(p))).collect();
    let geometry = ItemGeometry {
        frame: &frame,
        points: &points,
        points_per_item: 3,
        surface: Surface::Triangles,
    };
    let mut again = || {
        let _ = black_box(tree.refit(&geometry));
    };
    fastest(ROUNDS, &mut [&mut again])[0] / 1e3
}

pub(super) fn table(updates: &[Update]) -> Table {
    let mut table = Table::new("updates", "All volumes of a hierarchy fitted again")
        .column("model", "")
        .column("volume", "")
        .column("nu: volumes", "")
        .varying("predicted", "µs")
        .varying("measured", "µs")
        .varying("predicted / measured", "");
    for Update { model, volume, volumes, predicted, measured } in updates {
        table.row([
            model.as_str().into(),
            volume.to_string().into(),
            (*volumes).into(),
            (*predicted).into(),
            (*measured).into(),
            (predicted / measured).into(),
        ]);
    }
    table
}
