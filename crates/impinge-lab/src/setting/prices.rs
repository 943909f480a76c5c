//! What work costs on this machine, as a table.

use crate::error::LabError;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{ROUNDS, Spread};
use impinge::tune::{Calibration, Prices, QuestionKind, Volume};

/// Several calibrations, one after the other.
pub(crate) fn calibrations(session: &Session<'_>) -> Result<Vec<Calibration>, LabError> {
    let one = |round| {
        session.step("calibrating", round, ROUNDS as u64)?;
        Ok(Calibration::measure())
    };
    (0..ROUNDS as u64).map(one).collect()
}

/// The medians of calibrations: what else the machine does during one of them decides nothing.
pub(crate) fn median(calibrations: &[Calibration]) -> Calibration {
    let processor = calibrations.first().map_or("", Calibration::processor);
    Calibration::with_prices(processor, |asked, volume| {
        let median = |price: fn(&Prices) -> f64| {
            let all = calibrations.iter().map(|one| price(&one.prices(asked, volume)));
            Spread::of(all.collect()).median
        };
        Prices {
            start: median(|one| one.start),
            update: median(|one| one.update),
            step: median(|one| one.step),
            leaf: median(|one| one.leaf),
            primitive: median(|one| one.primitive),
        }
    })
}

/// The prices of every volume for each of the questions.
pub(crate) fn table(calibration: &Calibration, questions: &[QuestionKind]) -> Table {
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
    fn one_odd_calibration_moves_no_median() {
        let of = |step: f64| {
            Calibration::with_prices("made up", move |_, _| Prices { step, ..Prices::default() })
        };
        let median = median(&[of(3.0), of(70.0), of(4.0)]);
        assert_eq!(median.prices(QuestionKind::Overlap, Volume::Obb).step, 4.0);
        assert_eq!(median.processor(), "made up");
    }

    #[test]
    fn every_question_has_every_volume_with_its_own_price() {
        let step = |asked| if asked == QuestionKind::Overlap { 3.0 } else { 5.0 };
        let made_up = |asked, _| Prices { step: step(asked), leaf: 7.0, ..Prices::default() };
        let calibration = Calibration::with_prices("made up", made_up);
        let questions = [QuestionKind::Overlap, QuestionKind::Distance];
        let text = table(&calibration, &questions).csv();
        assert_eq!(text.lines().count(), 1 + 2 * Volume::ALL.len());
        assert!(
            text.contains(&format!("{},{},0,3,7,0,0", QuestionKind::Overlap, Volume::Obb)),
            "{text}"
        );
        assert!(
            text.contains(&format!("{},{},0,5,7,0,0", QuestionKind::Distance, Volume::Obb)),
            "{text}"
        );
    }
}
