import { crc32 } from 'node:zlib'

/** One picture of an animation and how long it is shown. */
export type Frame = { readonly png: Uint8Array; readonly ms: number }

type Chunk = { readonly type: string; readonly data: Uint8Array }

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** An animated PNG that repeats for ever. All frames must have the same size and colour type, as screenshots of one page have. */
export function animatedPng(frames: readonly Frame[]): Uint8Array {
  const [header] = chunksOf(frames[0]?.png ?? new Uint8Array())
  if (header?.type !== 'IHDR') throw new Error('the first frame is not a PNG file')
  let sequence = 0
  const pictures = frames.flatMap(({ png, ms }, index) => {
    const [own, ...rest] = chunksOf(png)
    if (!own || Buffer.compare(own.data, header.data) !== 0)
      throw new Error(`frame ${index} has another size or colour type`)
    const control = { type: 'fcTL', data: frameControl(header.data, sequence++, ms) }
    const data = rest.filter(({ type }) => type === 'IDAT')
    // The first frame is also the picture that programs without animation show.
    if (index === 0) return [control, ...data]
    return [control, ...data.map(({ data: bytes }) => ({ type: 'fdAT', data: joined(uint32(sequence++), bytes) }))]
  })
  const animation = { type: 'acTL', data: joined(uint32(frames.length), uint32(0)) }
  const end = { type: 'IEND', data: new Uint8Array() }
  return joined(new Uint8Array(SIGNATURE), ...[header, animation, ...pictures, end].map(serialized))
}

function chunksOf(png: Uint8Array): Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8))
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

/** The whole area, shown for `ms` milliseconds, replacing the frame before. */
function frameControl(header: Uint8Array, sequence: number, ms: number): Uint8Array {
  const [width, height] = [header.subarray(0, 4), header.subarray(4, 8)]
  const delay = new Uint8Array([ms >> 8, ms & 255, 1000 >> 8, 1000 & 255])
  return joined(uint32(sequence), width, height, uint32(0), uint32(0), delay, new Uint8Array([0, 0]))
}

function serialized({ type, data }: Chunk): Uint8Array {
  const body = joined(new TextEncoder().encode(type), data)
  return joined(uint32(data.length), body, uint32(crc32(body)))
}

function uint32(value: number): Uint8Array {
  return new Uint8Array([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
