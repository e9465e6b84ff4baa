//! What is believed about how densely needed events lie.
//!
//! Two families of hypotheses: needed events lie everywhere alike (a hazard h for each event), or towards the end
//! (a hazard lambda / u for an event at distance u from the end). Each hypothesis says how likely a chunk is to be
//! clean, that is, to hold no needed event; what runs show moves the weights.

/// The probability that all the uniform hypotheses have together before the first run.
const UNIFORM: f64 = 0.7;
/// The strengths of the hypotheses that needed events lie towards the end.
const TOWARDS_THE_END: [f64; 5] = [0.1, 0.2, 0.4, 0.8, 1.6];
/// A hypothesis that has become less likely than this is dropped.
const NEGLIGIBLE: f64 = 1e-3;
/// The probability with which a list that holds all needed events reaches the target, before anything flakes.
const STEADY: f64 = 0.97;

/// The weights of a chunk of events: their number, and the sum of 1 / u over them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mass {
    /// The number of events; one that changed no state counts for less.
    pub count: f64,
    /// The sum of their weights by distance from the end.
    pub nearness: f64,
}

/// Weighted hypotheses about where needed events lie.
#[derive(Debug, Clone, PartialEq)]
pub struct DensityBelief {
    hypotheses: Vec<Hypothesis>,
    /// The probability with which a question about a clean chunk is answered with a hit.
    pub rho: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Hypothesis {
    hazard: f64,
    lambda: f64,
    weight: f64,
}

impl DensityBelief {
    /// What is believed about so many events before the first run.
    pub fn new(events: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "lists have fewer than 2^32 events")]
        let least = 0.3 / events.max(2) as f64;
        let hazards: Vec<f64> = std::iter::successors(Some(0.5), |hazard| Some(hazard / 2.0))
            .take_while(|h| *h > least)
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "there are few hypotheses")]
        let (each_uniform, each_late) =
            (UNIFORM / hazards.len() as f64, (1.0 - UNIFORM) / TOWARDS_THE_END.len() as f64);
        let uniform =
            hazards.into_iter().map(|hazard| Hypothesis { hazard, lambda: 0.0, weight: each_uniform });
        let late =
            TOWARDS_THE_END.into_iter().map(|lambda| Hypothesis { hazard: 0.0, lambda, weight: each_late });
        Self { hypotheses: uniform.chain(late).collect(), rho: STEADY }
    }

    /// Under each hypothesis, the probability that a chunk is clean. With `group`, a chunk of a group that is known to
    /// hold at least one needed event: (the chunk's share of the group, the group's mass).
    pub fn clean(&self, chunk: Mass, group: Option<(f64, Mass)>) -> impl Iterator<Item = f64> + '_ {
        let free = |hypothesis: &Hypothesis, mass: Mass| {
            libm::exp(-hypothesis.hazard * mass.count - hypothesis.lambda * mass.nearness)
        };
        self.hypotheses.iter().map(move |hypothesis| {
            let chunk = free(hypothesis, chunk);
            let Some((share, mass)) = group else { return chunk };
            let all = free(hypothesis, mass);
            if all < 1.0 - 1e-12 { (chunk - all) / (1.0 - all) } else { 1.0 - share }
        })
    }

    /// The probability over all hypotheses.
    pub fn mean(&self, under_each: impl IntoIterator<Item = f64>) -> f64 {
        under_each.into_iter().zip(&self.hypotheses).map(|(p, hypothesis)| p * hypothesis.weight).sum()
    }

    /// How many needed events there are per event of a list of this length.
    pub fn density(&self, length: f64) -> f64 {
        let spread = f64::max(4.0, length / 2.0);
        self.hypotheses.iter().map(|one| one.weight * (one.hazard + one.lambda / spread)).sum()
    }

    /// Learns from the answer to a question about a chunk that is clean with these probabilities.
    pub fn learn(&mut self, under_each: &[f64], hit: bool) {
        for (hypothesis, p) in self.hypotheses.iter_mut().zip(under_each) {
            hypothesis.weight *= if hit { self.rho * p } else { 1.0 - self.rho * p };
        }
        let total: f64 = self.hypotheses.iter().map(|hypothesis| hypothesis.weight).sum();
        debug_assert!(total > 0.0, "some hypothesis allows for what was seen");
        self.hypotheses.retain(|hypothesis| hypothesis.weight / total > NEGLIGIBLE);
        for hypothesis in &mut self.hypotheses {
            hypothesis.weight /= total;
        }
    }
}
