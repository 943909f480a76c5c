//! Little-endian values of an input file.

/// What is left of a file while it is read. Every method gives `None` where the file ends too early.
pub struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: bytes }
    }

    /// The next `N` bytes.
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*head)
    }

    /// The next `count` bytes as text.
    pub fn text(&mut self, count: usize) -> Option<String> {
        let (head, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        String::from_utf8(head.to_vec()).ok()
    }

    /// The next `u32`.
    pub fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// The next `f64`.
    pub fn number(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }

    /// The next `N` values in `f32`.
    pub fn singles<const N: usize>(&mut self) -> Option<[f32; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = f32::from_le_bytes(self.take()?);
        }
        Some(values)
    }

    /// The next `N` numbers.
    pub fn numbers<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.number()?;
        }
        Some(values)
    }

    /// Vertices and triangles, each after its number; `None` if a triangle names a vertex that is not there.
    #[expect(
        clippy::type_complexity,
        reason = "the two arrays of a mesh, named where they are kept"
    )]
    pub fn surface(&mut self) -> Option<(Vec<[f64; 3]>, Vec<[u32; 3]>)> {
        let (vertex_count, triangle_count) = (self.word()?, self.word()?);
        let vertices = (0..vertex_count).map(|_| self.numbers()).collect::<Option<Vec<_>>>()?;
        let triangles = (0..triangle_count)
            .map(|_| Some([self.word()?, self.word()?, self.word()?]))
            .collect::<Option<Vec<_>>>()?;
        let in_range = triangles.iter().flatten().all(|&index| index < vertex_count);
        in_range.then_some((vertices, triangles))
    }

    /// Whether everything is read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Appends `u32` values.
pub fn put_words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Appends `f64` values.
pub fn put_numbers(out: &mut Vec<u8>, numbers: &[f64]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// Appends `f32` values.
pub fn put_singles(out: &mut Vec<u8>, values: &[f32]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

/// Appends what [`Cursor::surface`] reads.
pub fn put_surface(out: &mut Vec<u8>, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) {
    put_words(out, &[vertices.len() as u32, triangles.len() as u32]);
    put_numbers(out, vertices.as_flattened());
    put_words(out, triangles.as_flattened());
}
