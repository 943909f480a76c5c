//! The scalar backend and the one that the machine offers give the same bits.

use crate::random::Random;
use crate::solids::{KINDS, Solid, random_pose};
use impinge_geom::pair::{self, Cache};
use impinge_geom::{SignedDistance, simd};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

fn add(answer: &SignedDistance, hasher: &mut DefaultHasher) {
    let [p, q] = answer.points;
    for value in [answer.distance, answer.uncertainty] {
        value.to_bits().hash(hasher);
    }
    for vector in [p, q, answer.normal] {
        vector.to_array().map(f64::to_bits).hash(hasher);
    }
    (answer.features, answer.certainty).hash(hasher);
}

/// A hash of the answers to many queries, on the backend of this process.
fn hash() -> u64 {
    let mut random = Random::new(31);
    let mut hasher = DefaultHasher::new();
    let mut cache = Cache::default();
    for _ in 0..2 {
        for i in 0..KINDS {
            for j in 0..KINDS {
                let (a, b) = (Solid::random(i, &mut random), Solid::random(j, &mut random));
                let pose = random_pose(&a, &b, &mut random);
                let (a, b) = (a.shape(), b.shape());
                if let Some(answer) = pair::signed_distance(&a, &b, &pose, &mut cache) {
                    add(&answer, &mut hasher);
                }
                add(&pair::distance(&a, &b, &pose, &mut cache), &mut hasher);
                pair::verdict(&a, &b, &pose, &mut cache).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

#[test]
fn says_its_hash() {
    println!("hash {:?} {:016x}", simd::level(), hash());
}

#[test]
fn scalar_and_vector_backends_give_the_same_bits() {
    let said = |level: Option<&str>| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "backends::says_its_hash", "--nocapture"]);
        match level {
            Some(level) => command.env("IMPINGE_SIMD", level),
            None => command.env_remove("IMPINGE_SIMD"),
        };
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let place = output.find("hash ").unwrap_or_else(|| panic!("{output}"));
        let mut words = output[place..].split_whitespace().skip(1).map(str::to_string);
        (words.next().unwrap(), words.next().unwrap())
    };
    let (scalar, plain) = said(Some("scalar"));
    let (_, fast) = said(None);
    assert_eq!(scalar, "Scalar");
    assert_eq!(plain, fast);
}
