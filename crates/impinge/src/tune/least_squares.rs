//! Prices from many observed sums.

/// The non-negative x with the least sum of (rows·x − 1)² over all rows.
///
/// Rows are what an observation counted, over what it took: so every observation weighs the same, however long it was. Columns are
/// taken in turns, each as good as it can be with the others as they are, but not below zero; for a convex function over x ≥ 0 that
/// leads to the minimum (D. Bertsekas, "Nonlinear Programming", 1999, section 2.7).
pub(super) fn non_negative(rows: &[Vec<f64>], columns: usize) -> Vec<f64> {
    let product = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let normal: Vec<Vec<f64>> =
        (0..columns).map(|i| (0..columns).map(|j| product(i, j)).collect()).collect();
    let right: Vec<f64> = (0..columns).map(|i| rows.iter().map(|row| row[i]).sum()).collect();
    let mut x = vec![0.0; columns];
    for _ in 0..ROUNDS {
        for i in 0..columns {
            if normal[i][i] > 0.0 {
                let rest: f64 = (0..columns).filter(|&j| j != i).map(|j| normal[i][j] * x[j]).sum();
                x[i] = ((right[i] - rest) / normal[i][i]).max(0.0);
            }
        }
    }
    x
}

/// Enough for columns that are nearly alike; some microseconds.
const ROUNDS: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sums_give_back_their_prices() {
        let prices = [3.0, 0.5, 20.0];
        let counts = [[1.0, 10.0, 2.0], [1.0, 100.0, 0.0], [1.0, 50.0, 9.0], [1.0, 7.0, 7.0]];
        let sum = |row: &[f64; 3]| row.iter().zip(&prices).map(|(n, c)| n * c).sum::<f64>();
        let rows: Vec<Vec<f64>> =
            counts.iter().map(|row| row.iter().map(|n| n / sum(row)).collect()).collect();
        for (found, price) in non_negative(&rows, 3).iter().zip(&prices) {
            assert!((found - price).abs() < 1e-6 * price, "{found} for {price}");
        }
    }

    #[test]
    fn a_price_that_would_be_negative_is_zero_and_the_others_make_up_for_it() {
        // 2 = x + y and 1 = x + 2y: y would be −1.
        let rows = [vec![0.5, 0.5], vec![1.0, 2.0]];
        let found = non_negative(&rows, 2);
        assert_eq!(found[1], 0.0);
        // The minimum of (x/2 − 1)² + (x − 1)².
        assert!((found[0] - 1.2).abs() < 1e-9, "{found:?}");
    }
}
