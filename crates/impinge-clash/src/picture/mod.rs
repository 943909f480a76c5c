//! Pictures of findings, drawn by the processor alone: the parts in two colours, the rest of the model as ghosts that hide nothing, the
//! room that both share in a third colour, as if seen through them, and what was measured marked.
//!
//! subject (what it is about) → framing (from where least is hidden) → ghosts (the rest) → and for each band of rows: layers (what each sample sees of the
//! pair) → marks → shade. The same model and finding give the same bytes, with any number of threads.

mod camera;
mod framing;
mod ghosts;
mod layers;
mod marks;
mod raster;
mod shade;
mod subject;

pub use camera::Camera;

use crate::finding::Finding;
use crate::model::Model;
use ghosts::Ghosts;
use impinge::geom::DAabb;
use impinge::tree::parallel;
use layers::{Band, Pair};
use marks::Marks;
use raster::Screen;
use std::borrow::Cow;
use subject::Subject;

/// The colour of a finding's first part: red, green, blue.
pub const FIRST: [u8; 3] = [0x3d, 0x8b, 0xdc];
/// The colour of its other parts.
pub const SECOND: [u8; 3] = [0xf5, 0x9e, 0x2d];
/// The colour of what is wrong: the overlap, and where surfaces cross.
pub const CLASH: [u8; 3] = [0xd8, 0x17, 0x4a];

/// Samples along each side of a pixel.
const SAMPLES: usize = 2;
/// More pixels along a side are not drawn.
const LARGEST_SIDE: u32 = 4096;
/// Rows of pixels in a band, at least: their samples stay in the cache of a processor.
const ROWS: usize = 32;
const MOST_BANDS: usize = 16;

/// A picture: rows from the top, red, green and blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Picture {
    /// How many pixels it is wide.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// How many pixels it is high.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, three bytes each.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Red, green and blue of a pixel, from the upper left corner; None outside.
    pub fn at(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width {
            return None;
        }
        let index = 3 * (y as usize * self.width as usize + x as usize);
        self.pixels.get(index..index + 3)?.try_into().ok()
    }

    /// The bytes of a PNG file.
    pub fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // A fifth of the time of "balanced", for files that are a fifth larger.
        encoder.set_compression(png::Compression::Fast);
        // Sides of at least one and a list in memory: this does not fail.
        if let Ok(mut writer) = encoder.write_header() {
            let _ = writer.write_image_data(&self.pixels);
        }
        bytes
    }
}

/// A picture of a finding, from where least of it is hidden. Sides are between 1 and 4096 pixels, others are taken to the next of these.
///
/// ```
/// use impinge_clash::{Model, CheckOptions, Plan, check, picture};
/// use impinge_io::{SceneFormat, parse_scene};
/// let text = b"o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no right\nv 0 0 -1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n";
/// let scene = parse_scene(text, SceneFormat::Obj, "pair.obj", &impinge_io::LoadOptions::default())?;
/// let model = Model::new(&scene);
/// let outcome = check(&model, &Plan::parse("[[test]]\nname = \"all\"", "tests.toml")?, &CheckOptions::default());
/// let picture = picture::of_finding(&model, &outcome.findings[0], 320, 240);
/// assert_eq!((picture.width(), picture.height()), (320, 240));
/// assert!(picture.png().starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_finding(model: &Model, finding: &Finding, width: u32, height: u32) -> Picture {
    of_findings(model, &[finding], width, height)
}

/// A picture of several findings at once, such as a group.
pub fn of_findings(model: &Model, findings: &[&Finding], width: u32, height: u32) -> Picture {
    let (width, height) = sides(width, height);
    let camera = camera_of(model, findings, f64::from(width) / f64::from(height));
    from(model, findings, &camera, width, height)
}

/// The camera that [`of_findings`] takes for a picture whose width is `aspect` times its height.
pub fn camera_of(model: &Model, findings: &[&Finding], aspect: f64) -> Camera {
    let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
    let model = &*shown(model, findings);
    match Subject::new(model, findings) {
        Some(subject) => framing::camera(model, &subject, aspect),
        None => {
            let DAabb { low, high } = model.bounds();
            let (centre, size) = (0.5 * low + 0.5 * high, low.distance(high).max(1e-9));
            let back = impinge::geom::glam::DVec3::new(0.8, -1.0, 0.7) * size;
            Camera::looking(centre + back, centre, impinge::geom::glam::DVec3::Z, 45.0)
        }
    }
}

/// A picture of findings from a camera of one's own.
pub fn from(
    model: &Model,
    findings: &[&Finding],
    camera: &Camera,
    width: u32,
    height: u32,
) -> Picture {
    let (width, height) = sides(width, height);
    let model = &*shown(model, findings);
    let subject = Subject::new(model, findings).unwrap_or_else(|| Subject::nothing(model));
    let distance = subject.place.distance(camera.position);
    let unit = if distance.is_finite() && distance > 0.0 { distance } else { 1.0 };
    let samples = height * SAMPLES as u32;
    let screen = Screen {
        camera: *camera,
        unit,
        width: width as usize * SAMPLES,
        height: height as usize * SAMPLES,
        focal: camera.focal(samples) as f32,
    };
    let ghosts = Ghosts::draw(model, &subject, &screen.coarser(SAMPLES));
    let marks = Marks::new(&subject, &screen);
    let rows = ROWS.max((height as usize).div_ceil(MOST_BANDS)) * SAMPLES;
    let pair = Pair::new(model, &subject, &screen, rows);
    let bands = parallel::tasks(pair.bands(), |k| {
        let band = Band::draw(&pair, &screen, k);
        shade::pixels(&band, &marks.ink(&band), &ghosts, screen.height)
    });
    Picture { width, height, pixels: bands.concat() }
}

/// Parts that move are shown where they meet.
fn shown<'m>(model: &'m Model, findings: &[&Finding]) -> Cow<'m, Model> {
    match findings.iter().find_map(|finding| finding.motion) {
        Some(motion) => Cow::Owned(model.posed(motion.shown)),
        None => Cow::Borrowed(model),
    }
}

fn sides(width: u32, height: u32) -> (u32, u32) {
    (width.clamp(1, LARGEST_SIDE), height.clamp(1, LARGEST_SIDE))
}
