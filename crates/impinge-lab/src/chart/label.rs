//! Names beside points: where they do not cover each other.

use plotters::style::RGBColor;

/// The height of a name beside a point, in pixels.
pub(super) const LABEL: i32 = 11;

/// A place in pixels, a name and its colour.
pub(super) type Label<'n> = ((i32, i32), &'n str, RGBColor);

/// Where names go whose points are given: beside, above or below them, where that is free and within the chart.
pub(super) fn placed<'n>(
    points: &[Label<'n>],
    (across, down): (std::ops::Range<i32>, std::ops::Range<i32>),
) -> Vec<Label<'n>> {
    // Low and high corners of what is taken: at first the points.
    let around = |(x, y): (i32, i32)| [(x - 3, y - 3), (x + 3, y + 3)];
    let mut taken: Vec<[(i32, i32); 2]> = points.iter().map(|(point, ..)| around(*point)).collect();
    let mut labels = Vec::new();
    for ((x, y), name, color) in points {
        // Letters are a little wider than half their height.
        let wide = name.chars().count() as i32 * LABEL * 11 / 20;
        let (left, middle, right) = (x - 6 - wide, x - wide / 2, x + 6);
        let rows =
            [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5].map(|row| y - LABEL / 2 + row * (LABEL + 1));
        let places = rows.iter().flat_map(|row| [(right, *row), (left, *row), (middle, *row)]);
        let box_at = |(x, y): (i32, i32)| [(x, y), (x + wide, y + LABEL)];
        let meets = |a: &[(i32, i32); 2], b: &[(i32, i32); 2]| {
            a[0].0 < b[1].0 && b[0].0 < a[1].0 && a[0].1 < b[1].1 && b[0].1 < a[1].1
        };
        let free = |place: &(i32, i32)| {
            across.start < place.0
                && place.0 + wide < across.end
                && down.start <= place.1
                && place.1 + LABEL < down.end
                && !taken.iter().any(|other| meets(other, &box_at(*place)))
        };
        let place = places.into_iter().find(free).unwrap_or((right, rows[0]));
        taken.push(box_at(place));
        labels.push((place, *name, *color));
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::style::BLACK;

    #[test]
    fn names_of_near_points_do_not_cover_each_other() {
        let points =
            [((50, 50), "first", BLACK), ((51, 50), "second", BLACK), ((52, 51), "third", BLACK)];
        let places: Vec<(i32, i32)> =
            placed(&points, (0..400, 0..400)).iter().map(|label| label.0).collect();
        for (k, a) in places.iter().enumerate() {
            for b in &places[..k] {
                assert!((a.0 - b.0).abs() > 25 || (a.1 - b.1).abs() >= LABEL, "{places:?}");
            }
        }
    }

    #[test]
    fn names_stay_in_the_chart() {
        // At the upper edge there is room beside and below alone.
        let points = [((200, 3), "first", BLACK); 5];
        let places = placed(&points, (0..400, 0..400));
        assert!(places.iter().all(|((_, y), ..)| (0..390).contains(y)), "{places:?}");
    }
}
