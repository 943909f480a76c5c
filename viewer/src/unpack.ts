// Compressed data out of the page: text in base 64, then zlib, then a header and columns. crates/impinge-clash/src/report/html packs it.

/** The bytes behind a data element of the page. */
export async function inflated(id: string): Promise<Uint8Array> {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  const text = atob(element.textContent ?? "");
  element.remove();
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads columns in the order in which they were written. */
export class Columns {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  /** The JSON at the front. */
  header<T>(): T {
    const size = new DataView(this.bytes.buffer, this.bytes.byteOffset).getUint32(0, true);
    this.at = 4 + size;
    return JSON.parse(new TextDecoder().decode(this.bytes.subarray(4, this.at))) as T;
  }

  /** Whole numbers: all first bytes, then all second bytes, and so on. */
  numbers(count: number, width: number): Uint32Array {
    const out = new Uint32Array(count);
    for (let byte = 0; byte < width; byte++) {
      const shift = 8 * byte;
      const from = this.at + byte * count;
      for (let k = 0; k < count; k++) out[k] |= this.bytes[from + k] << shift;
    }
    this.at += width * count;
    return out;
  }

  /** 16-bit numbers that were told by their differences. */
  differences(count: number): Uint16Array {
    const out = new Uint16Array(count);
    const [low, high] = [this.at, this.at + count];
    let last = 0;
    for (let k = 0; k < count; k++) {
      const folded = this.bytes[low + k] | (this.bytes[high + k] << 8);
      last = (last + ((folded >> 1) ^ -(folded & 1))) & 0xffff;
      out[k] = last;
    }
    this.at += 2 * count;
    return out;
  }
}
