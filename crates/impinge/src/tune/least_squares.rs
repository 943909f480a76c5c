//! Prices from many observed sums.

/// The non-negative x with the least sum of (rows·x − 1)² over all rows.
///
/// Rows are what an observation counted, over what it took: so every observation weighs the same, however long it was. Columns are
/// taken in turns, each as good as it can be with the others as they are, but not below zero; for a convex function over x ≥ 0 that
/// leads to the minimum (D. Bertsekas, "Nonlinear Programming", 1999, section 2.7).
pub(super) fn non_negative<const N: usize>(rows: &[[f64; N]]) -> [f64; N] {
    let product = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let normal: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| product(i, j)));
    let right: [f64; N] = std::array::from_fn(|i| rows.iter().map(|row| row[i]).sum());
    let mut x = [0.0; N];
    for _ in 0..ROUNDS {
        for i in 0..N {
            if normal[i][i] > 0.0 {
                let rest: f64 = (0..N).filter(|&j| j != i).map(|j| normal[i][j] * x[j]).sum();
                x[i] = ((right[i] - rest) / normal[i][i]).max(0.0);
            }
        }
    }
    x
}

/// Enough for columns that are nearly alike; a few milliseconds.
const ROUNDS: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sums_give_back_their_prices() {
        let prices = [3.0, 0.5, 20.0];
        let counts = [[1.0, 10.0, 2.0], [1.0, 100.0, 0.0], [1.0, 50.0, 9.0], [1.0, 7.0, 7.0]];
        let sum = |row: &[f64; 3]| row.iter().zip(&prices).map(|(n, c)| n * c).sum::<f64>();
        let rows = counts.map(|row| row.map(|n| n / sum(&row)));
        for (found, price) in non_negative(&rows).iter().zip(&prices) {
            assert!((found - price).abs() < 1e-6 * price, "{found} for {price}");
        }
    }

    #[test]
    fn a_price_that_would_be_negative_is_zero_and_the_others_make_up_for_it() {
        // 2 = x + y and 1 = x + 2y: y would be −1.
        let found = non_negative(&[[0.5, 0.5], [1.0, 2.0]]);
        assert_eq!(found[1], 0.0);
        // The minimum of (x/2 − 1)² + (x − 1)².
        assert!((found[0] - 1.2).abs() < 1e-9, "{found:?}");
    }
}
