//! What `tune` says about support tables.

use crate::supported::{places, ring};
use impinge::mesh::Scratch;
use impinge::tree::Builder;
use impinge::tune::{
    self, AnyMesh, Calibration, Choice, Prices, Question, Triangles, TuneOptions, Volume,
};

/// Tables are considered where overlap is asked and times are taken, and what is chosen is kept and answers as without.
#[test]
fn tune_considers_tables() {
    let (vertices, triangles) = ring();
    let body = Triangles { vertices: &vertices, triangles: &triangles };
    let (places, prices) = (places(20, 13), Calibration::with_prices("none", |_, _| one_each()));
    let options = TuneOptions {
        volumes: &[Volume::Obb],
        builders: &[Builder::Morton],
        widths: &[8],
        finalists: 2,
        ..TuneOptions::default()
    };
    let choose = |question: Question<'_>, options: &TuneOptions<'_>| {
        tune::choose(body, body, &question, &prices, options).unwrap()
    };
    assert_eq!(choose(Question::Pairs(&places), &options).supports(), 0);
    let untimed = TuneOptions { finalists: 0, ..options };
    assert_eq!(choose(Question::Overlap(&places), &untimed).supports(), 0);
    let deforming = TuneOptions { updates: 1.0, ..options };
    assert_eq!(choose(Question::Overlap(&places), &deforming).supports(), 0);
    let choice = choose(Question::Overlap(&places), &options);
    let mesh = AnyMesh::new(body, &choice).unwrap();
    let mut scratch = Scratch::default();
    for levels in [choice.supports(), 1, 2] {
        let tables = mesh.support_levels(levels);
        for place in &places {
            let plain = mesh.overlap(&mesh, place, &mut scratch, &mut ());
            let with =
                mesh.overlap_supported(&tables, &mesh, &tables, place, &mut scratch, &mut ());
            assert_eq!(with, plain);
        }
    }
    let untold = choose(Question::Overlap(&places), &untimed).to_text();
    let told = Choice::from_text(&format!("{untold}supports 2\n")).unwrap();
    assert!(told.supports() == 2 && told.reason().contains("support tables on 2 levels"));
    assert_eq!(Choice::from_text(&told.to_text()), Ok(told));
    let twice = Choice::from_text(&format!("{untold}supports 2\nsupports 1\n"));
    assert!(twice.is_err_and(|error| error.reason.contains("given twice")));
}

fn one_each() -> Prices {
    Prices { start: 1.0, step: 1.0, leaf: 1.0, ..Prices::default() }
}
