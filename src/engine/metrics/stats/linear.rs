//! Small systems of linear equations.

/// Solves a square system by the elimination of Gauss with partial pivoting; `None` if it is
/// singular. Each row holds its coefficients and, last, its right-hand side.
pub(super) fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for place in 0..count {
        let size = |row: &usize| rows[*row][place].abs();
        let best = (place..count).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        rows.swap(place, best);
        let pivot = rows[place].clone();
        if pivot[place] == 0.0 || !pivot[place].is_finite() {
            return None;
        }
        for row in rows.iter_mut().skip(place + 1) {
            let factor = row[place] / pivot[place];
            let cells = row.iter_mut().zip(&pivot).skip(place);
            cells.for_each(|(cell, pivot)| *cell -= factor * pivot);
        }
    }
    let mut solution = vec![0.0; count];
    for place in (0..count).rev() {
        let row = &rows[place];
        let known: f64 = (place + 1..count).map(|at| row[at] * solution[at]).sum();
        solution[place] = (row[count] - known) / row[place];
    }
    Some(solution)
}

/// An orthonormal basis of the vectors of length `size` that are orthogonal to all `rows`, by the
/// modified process of Gram and Schmidt, applied twice against rounding (Giraud et al. 2005). Parts
/// shorter than `least` count as rounding errors.
pub(super) fn null_space(rows: &[Vec<f64>], size: usize, least: f64) -> Vec<Vec<f64>> {
    let mut span: Vec<Vec<f64>> = Vec::new();
    for row in rows {
        span.extend(new_direction(row.clone(), &span, least));
    }
    let taken = span.len();
    while span.len() < size {
        let units = (0..size).map(|at| (0..size).map(|other| f64::from(at == other)).collect());
        // The unit vector with the longest part outside of the span: there is one of at least
        // sqrt(1 / size).
        let outside = units.map(|unit: Vec<f64>| orthogonal_part(unit, &span));
        let longest = outside.max_by(|a, b| length(a).total_cmp(&length(b)));
        let found = longest.and_then(|longest| new_direction(longest, &span, 0.0));
        let Some(found) = found else { break };
        span.push(found);
    }
    span.split_off(taken)
}

pub(super) fn new_direction(vector: Vec<f64>, span: &[Vec<f64>], least: f64) -> Option<Vec<f64>> {
    let rest = orthogonal_part(vector, span);
    let length = length(&rest);
    (length > least).then(|| rest.iter().map(|cell| cell / length).collect())
}

fn orthogonal_part(mut vector: Vec<f64>, span: &[Vec<f64>]) -> Vec<f64> {
    for direction in span.iter().chain(span) {
        let along = dot(&vector, direction);
        let cells = vector.iter_mut().zip(direction);
        cells.for_each(|(cell, unit)| *cell -= along * unit);
    }
    vector
}

fn length(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_unless_it_is_singular() {
        let found = solve(vec![vec![0.0, 2.0, 4.0], vec![3.0, 1.0, 5.0]]);
        assert_eq!(found, Some(vec![1.0, 2.0]));
        assert_eq!(solve(vec![vec![1.0, 1.0, 2.0], vec![1.0, 1.0, 3.0]]), None);
        assert_eq!(solve(Vec::new()), Some(Vec::new()));
    }

    #[test]
    fn the_null_space_is_orthogonal_to_the_rows_and_has_the_rest_of_the_dimensions() {
        let rows = [vec![1.0, 1.0, 1.0, 1.0], vec![2.0, 2.0, 2.0, 2.0]];
        let found = null_space(&rows, 4, 1e-9);
        assert_eq!(found.len(), 3);
        for (place, one) in found.iter().enumerate() {
            assert!(dot(one, &rows[0]).abs() < 1e-12);
            for (other, two) in found.iter().enumerate() {
                assert!((dot(one, two) - f64::from(place == other)).abs() < 1e-12);
            }
        }
    }
}
