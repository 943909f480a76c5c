//! What work costs on this machine, as a table.

use crate::table::Table;
use impinge::tune::{Asked, Calibration, Prices, Volume};

/// The prices of every volume for each of the questions.
pub(crate) fn table(calibration: &Calibration, questions: &[Asked]) -> Table {
    let mut table = Table::new("prices", "What work costs on this machine")
        .column("question", "")
        .column("volume", "")
        .varying("a query", "ns")
        .varying("Cv: one volume against up to eight", "ns")
        .varying("Cp: two leaves", "ns")
        .varying("a pair of triangles in f64", "ns")
        .varying("Cu: an update", "ns");
    for asked in questions {
        for volume in Volume::ALL {
            let Prices { start, update, step, leaf, primitive } =
                calibration.prices(*asked, volume);
            table.row([
                asked.to_string().into(),
                volume.to_string().into(),
                start.into(),
                step.into(),
                leaf.into(),
                primitive.into(),
                update.into(),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_has_every_volume_with_its_own_price() {
        let step = |asked| if asked == Asked::Overlap { 3.0 } else { 5.0 };
        let made_up = |asked, _| Prices { step: step(asked), leaf: 7.0, ..Prices::default() };
        let calibration = Calibration::with_prices("made up", made_up);
        let questions = [Asked::Overlap, Asked::Distance];
        let text = table(&calibration, &questions).csv();
        assert_eq!(text.lines().count(), 1 + 2 * Volume::ALL.len());
        assert!(text.contains(&format!("{},{},0,3,7,0,0", Asked::Overlap, Volume::Obb)), "{text}");
        assert!(text.contains(&format!("{},{},0,5,7,0,0", Asked::Distance, Volume::Obb)), "{text}");
    }
}
