//! Trees as bytes, and back. Nothing read is trusted.
//!
//! All numbers are little endian. The layout, in order:
//!
//! | what | bytes |
//! |---|---|
//! | `impinge tree` | 12 |
//! | version, 1 | 4 |
//! | the volume's name: length, then UTF-8 | 1 + length |
//! | the frame: centre, factor, extent, as f64 | 40 |
//! | number of nodes, leaves, items | 4 each |
//! | per node: how many children, then per child what it is (the highest bit marks a leaf) and its volume's numbers as f32 | 4 + children · (4 + 4 · numbers) |
//! | per leaf: where it ends in the order | 4 |
//! | the order: per place its item | 4 |

use crate::tree::{Node, NodeChild, Tree};
use crate::validate::TreeFault;
use impinge_geom::bound::{Bound, Frame, LANES};
use std::fmt;

const MAGIC: &[u8; 12] = b"impinge tree";
const VERSION: u32 = 1;

/// Why bytes could not be loaded as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Offset in the bytes.
    pub offset: usize,
    /// What is wrong there.
    pub fault: LoadFault,
}

/// The fault in bytes that should be a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadFault {
    /// They do not start like a tree.
    NotATree,
    /// They have an unknown version.
    Version(u32),
    /// The tree has another volume.
    OtherVolume(String),
    /// They end too early for what they claim to hold.
    Truncated,
    /// They continue after the tree.
    TooLong,
    /// The frame's numbers are not those of a frame.
    Frame,
    /// The numbers of a volume are not those of a volume.
    Volume,
    /// A node has no children, or more than eight.
    Children(u32),
    /// The structure of the tree is inconsistent.
    Structure(TreeFault),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match &self.fault {
            LoadFault::NotATree => write!(f, "not a saved tree"),
            LoadFault::Version(version) => {
                write!(
                    f,
                    "unknown version {version}, only {VERSION} is supported: build the tree again"
                )
            }
            LoadFault::OtherVolume(name) => write!(f, "a tree with another volume: {name}"),
            LoadFault::Truncated => write!(f, "the tree ends too early"),
            LoadFault::TooLong => write!(f, "the bytes go on after the tree"),
            LoadFault::Frame => write!(f, "the frame is not one"),
            LoadFault::Volume => write!(f, "the volume is not one"),
            LoadFault::Children(count) => write!(f, "a node of {count} children, not 1 to 8"),
            LoadFault::Structure(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// How many numbers a volume is saved as.
fn numbers_of<B: Bound>() -> usize {
    let mut numbers = Vec::new();
    B::get(&B::EMPTY, 0).numbers(&mut numbers);
    numbers.len()
}

impl<B: Bound> Tree<B> {
    /// Saves the tree as bytes, the same on every machine.
    ///
    /// ```
    /// use impinge_geom::{bound::{Aabb, Frame, Obb}, glam::{DVec3, Vec3A}};
    /// use impinge_tree::{Builder, ItemGeometry, Surface, Tree, build::build_by};
    /// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
    /// let points: Vec<Vec3A> = (0..64).map(|k| Vec3A::splat(k as f32 / 64.0)).collect();
    /// let topology = build_by(64, |k| Aabb::of_points(&points[k..=k]), Builder::Morton, 8);
    /// let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 1, surface: Surface::Points };
    /// let tree: Tree<Aabb> = Tree::fit(&topology, &geometry, 8, 8);
    /// assert_eq!(Tree::load(&tree.save())?, tree);
    /// let error = Tree::<Obb>::load(&tree.save()).unwrap_err();
    /// assert_eq!(error.to_string(), "byte 17: a tree with another volume: AABB");
    /// # Ok::<(), impinge_tree::LoadError>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(B::NAME.len() as u8);
        bytes.extend(B::NAME.as_bytes());
        for number in self.frame.numbers() {
            bytes.extend(number.to_le_bytes());
        }
        for count in [self.nodes.len(), self.leaf_count(), self.order.len()] {
            bytes.extend((count as u32).to_le_bytes());
        }
        let mut numbers = Vec::new();
        for node in &self.nodes {
            bytes.extend(node.count.to_le_bytes());
            for lane in 0..node.count as usize {
                bytes.extend(node.children[lane].0.to_le_bytes());
                numbers.clear();
                B::get(&node.volumes, lane).numbers(&mut numbers);
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        for value in self.starts.iter().skip(1).chain(&self.order) {
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    /// Loads a tree from bytes.
    ///
    /// A loaded tree is consistent: traversals of it end and reach every leaf. Whether its volumes contain the geometry is checked by
    /// [`Tree::validate`]. Memory follows the length of the bytes, not what they claim.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut reader = Reader { bytes, offset: 0 };
        reader.header::<B>()?;
        let at = reader.offset;
        let frame = Frame::from_numbers(reader.array()?.map(f64::from_le_bytes));
        let frame = frame.ok_or(LoadError { offset: at, fault: LoadFault::Frame })?;
        let [nodes, leaves, items] = [reader.u32()?, reader.u32()?, reader.u32()?];
        let numbers = numbers_of::<B>();
        reader.expect(nodes, 4 + 4 + 4 * numbers)?;
        let mut offsets = Vec::with_capacity(nodes as usize);
        let mut tree = Self {
            frame,
            nodes: Vec::with_capacity(nodes as usize),
            starts: vec![0],
            order: Vec::new(),
        };
        for _ in 0..nodes {
            offsets.push(reader.offset);
            tree.nodes.push(reader.node(numbers)?);
        }
        let leaves_at = reader.offset;
        reader.expect(leaves, 4)?;
        for _ in 0..leaves {
            tree.starts.push(reader.u32()?);
        }
        let order_at = reader.offset;
        reader.expect(items, 4)?;
        for _ in 0..items {
            tree.order.push(reader.u32()?);
        }
        if reader.offset != bytes.len() {
            return Err(reader.fault(LoadFault::TooLong));
        }
        tree.validate_structure().map_err(|fault| {
            let node = |node: usize| offsets.get(node).copied().unwrap_or(leaves_at);
            let offset = match fault {
                TreeFault::NodeChild { node: parent, lane } => {
                    node(parent) + 4 + lane * (4 + 4 * numbers)
                }
                TreeFault::Count { node: own } | TreeFault::TooDeep { node: own } => node(own),
                TreeFault::Leaf { leaf } => leaves_at + 4 * leaf,
                TreeFault::NotAPermutation { place } => order_at + 4 * place,
                _ => leaves_at,
            };
            LoadError { offset, fault: LoadFault::Structure(fault) }
        })?;
        Ok(tree)
    }
}

/// Walks through bytes.
struct Reader<'b> {
    bytes: &'b [u8],
    offset: usize,
}

impl<'b> Reader<'b> {
    fn fault(&self, fault: LoadFault) -> LoadError {
        LoadError { offset: self.offset, fault }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], LoadError> {
        let rest = self.bytes.get(self.offset..).unwrap_or(&[]);
        let taken = rest
            .get(..count)
            .ok_or(LoadError { offset: self.bytes.len(), fault: LoadFault::Truncated })?;
        self.offset += count;
        Ok(taken)
    }

    /// `M` groups of `N` bytes.
    fn array<const N: usize, const M: usize>(&mut self) -> Result<[[u8; N]; M], LoadError> {
        let taken = self.take(N * M)?;
        let mut array = [[0; N]; M];
        array.as_flattened_mut().copy_from_slice(taken);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, LoadError> {
        let [bytes] = self.array()?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Fails unless there is room for `count` items of at least `each` bytes.
    fn expect(&self, count: u32, each: usize) -> Result<(), LoadError> {
        let left = self.bytes.len() - self.offset;
        if left / each < count as usize { Err(self.fault(LoadFault::Truncated)) } else { Ok(()) }
    }

    fn header<B: Bound>(&mut self) -> Result<(), LoadError> {
        let not_a_tree = LoadError { offset: 0, fault: LoadFault::NotATree };
        if self.take(MAGIC.len()).map_err(|_| not_a_tree.clone())? != MAGIC {
            return Err(not_a_tree);
        }
        let at = self.offset;
        let version = self.u32()?;
        if version != VERSION {
            return Err(LoadError { offset: at, fault: LoadFault::Version(version) });
        }
        let [[length]] = self.array()?;
        let at = self.offset;
        let name = self.take(length as usize)?;
        if name != B::NAME.as_bytes() {
            let fault = LoadFault::OtherVolume(String::from_utf8_lossy(name).into_owned());
            return Err(LoadError { offset: at, fault });
        }
        Ok(())
    }

    fn node<B: Bound>(&mut self, numbers: usize) -> Result<Node<B>, LoadError> {
        let at = self.offset;
        let count = self.u32()?;
        if count == 0 || count as usize > LANES {
            return Err(LoadError { offset: at, fault: LoadFault::Children(count) });
        }
        let mut node = Node { count, ..Node::EMPTY };
        for lane in 0..count as usize {
            node.children[lane] = NodeChild(self.u32()?);
            let at = self.offset;
            let raw = self.take(4 * numbers)?;
            let values: Vec<f32> =
                raw.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            let mut rest = values.as_slice();
            let volume = B::from_numbers(&mut rest).filter(|_| rest.is_empty());
            let fault = LoadError { offset: at, fault: LoadFault::Volume };
            volume.ok_or(fault)?.set(&mut node.volumes, lane);
        }
        Ok(node)
    }
}
