//! Minimization without derivatives: the downhill simplex.

/// A point of the simplex and the value of the function there.
type Corner<const N: usize> = ([f64; N], f64);

/// Minimizes a function (Nelder and Mead 1965) from `start` with initial steps `step`, in about `max_evaluations`. The
/// function returns infinity outside its bounds.
pub(super) fn minimize<const N: usize>(
    start: [f64; N],
    step: [f64; N],
    max_evaluations: usize,
    mut function: impl FnMut(&[f64; N]) -> f64,
) -> Corner<N> {
    let mut corners: Vec<Corner<N>> = Vec::with_capacity(N + 1);
    corners.push((start, function(&start)));
    for axis in 0..N {
        let mut corner = start;
        corner[axis] += step[axis];
        corners.push((corner, function(&corner)));
    }
    let mut spent = N + 1;
    while spent < max_evaluations {
        corners.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (best, second, worst) = (corners[0], corners[N - 1], corners[N]);
        if worst.1 - best.1 <= 1e-12 * best.1.abs() {
            break;
        }
        let mut middle = [0.0; N];
        for (at, value) in middle.iter_mut().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a handful of dimensions")]
            let share = N as f64;
            *value = corners[..N].iter().map(|corner| corner.0[at]).sum::<f64>() / share;
        }
        let mut along = |by: f64| {
            let mut point = [0.0; N];
            for (at, value) in point.iter_mut().enumerate() {
                *value = middle[at] + by * (worst.0[at] - middle[at]);
            }
            (point, function(&point))
        };
        let mirrored = along(-1.0);
        spent += 1;
        if mirrored.1 < best.1 {
            let farther = along(-2.0);
            spent += 1;
            corners[N] = if farther.1 < mirrored.1 { farther } else { mirrored };
            continue;
        }
        if mirrored.1 < second.1 {
            corners[N] = mirrored;
            continue;
        }
        let nearer = along(if mirrored.1 < worst.1 { -0.5 } else { 0.5 });
        spent += 1;
        if nearer.1 < worst.1.min(mirrored.1) {
            corners[N] = nearer;
            continue;
        }
        for corner in &mut corners[1..] {
            for (at, value) in corner.0.iter_mut().enumerate() {
                *value = f64::midpoint(best.0[at], *value);
            }
            corner.1 = function(&corner.0);
        }
        spent += N;
    }
    corners.sort_by(|a, b| a.1.total_cmp(&b.1));
    corners[0]
}
