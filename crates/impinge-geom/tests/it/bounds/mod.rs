//! The same properties of every volume: it contains what it was made of, and no test rules out what is true.

mod checks;
mod cores;
mod kinds;
mod rotations;

use crate::random::Random;
use checks::{Case, Kind, Numbers, Tally, check, each_volume};
use impinge_geom::bound::Bound;

fn tally<B: Bound>(cases: u32, shrink: f64) -> Tally {
    let mut random = Random::new(77);
    let mut bits = || random.bits();
    let mut tally = Tally::default();
    for _ in 0..cases {
        let numbers = &mut Numbers(&mut bits);
        check::<B>(&Case::new(numbers), shrink, numbers, &mut tally);
    }
    tally
}

fn holds<B: Bound>() {
    let honest = tally::<B>(3000, 0.0);
    assert_eq!(honest.all_wrong(), 0, "{} {:?}\n{:#?}", B::NAME, honest.wrong, honest.first);
    let [apart, parted] = honest.parted;
    assert!(parted * 4 > apart, "{} parts {parted} of {apart}", B::NAME);
    // Volumes that are too small are noticed by every question about geometry.
    let shrunk = tally::<B>(1000, 0.5);
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Numbers) {
        assert!(shrunk.wrong[kind as usize] > 5, "{} {kind:?}: {:?}", B::NAME, shrunk.wrong);
    }
}

macro_rules! of_each_volume {
    ($($name:ident: $volume:ty,)*) => {
        $(#[test]
        fn $name() {
            holds::<$volume>();
        })*
    };
}

each_volume!(of_each_volume);
