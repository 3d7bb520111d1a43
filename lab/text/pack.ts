/** Writes trained networks as the reader loads them: the embedding in four bits a number, the rest as it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LABELS } from '../../src/text/labels.ts'
import { scaleOf } from '../../src/text/quantization.ts'
import { kernelBytes } from './matrix-kernel.ts'
import type { Network, Shape } from './network.ts'

export const TEXT_DATA = join(import.meta.dir, '../../data/text')

export type Header = {
  readonly version: string
  /** Hash of the corpus that the weights were learned from. */
  readonly corpus: string
  /** How many texts of it were trained on. */
  readonly texts: number
  readonly buckets: number
  readonly size: number
  readonly width: number
  readonly dilations: readonly number[]
  readonly seeds: readonly number[]
  readonly labels: readonly string[]
  readonly calibration: Calibration
  readonly thresholds: Thresholds
}

/** By label; see `src/text/network.ts`. */
export type Calibration = { readonly scale: readonly number[]; readonly shift: readonly number[] }

export type Thresholds = {
  readonly states: number
  readonly statesTotal: number
  readonly asks: number
  readonly detail: number
  readonly otherFault: number
  readonly offer: number
}

export const NO_CALIBRATION: Calibration = { scale: LABELS.map(() => 1), shift: LABELS.map(() => 0) }

export const DEFAULT_THRESHOLDS: Thresholds = {
  states: 0.5,
  statesTotal: 0.6,
  asks: 0.25,
  detail: 0.5,
  otherFault: 0.6,
  offer: 0.7,
}

function packEmbedding(embedding: Float32Array, size: number): Uint8Array[] {
  const rows = embedding.length / size
  const scales = new Uint8Array(rows)
  const numbers = new Uint8Array(embedding.length / 2)
  for (let row = 0; row < rows; row++) {
    const values = embedding.subarray(row * size, (row + 1) * size)
    let max = 0
    for (const value of values) max = Math.max(max, Math.abs(value))
    // The step of 7 that just holds the largest number.
    const byte = Math.max(0, Math.min(255, Math.ceil((Math.log2(Math.max(max, 1e-9) / 7) + 36) * 6)))
    scales[row] = byte
    const scale = scaleOf(byte)
    for (let i = 0; i < size; i += 2) {
      const four = (at: number) => Math.max(0, Math.min(15, Math.round((values[at] as number) / scale) + 8))
      numbers[(row * size + i) / 2] = four(i) | (four(i + 1) << 4)
    }
  }
  return [scales, numbers]
}

const bytesOf = (numbers: Float32Array) =>
  new Uint8Array(numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.byteLength))

export function packNetwork(network: Network, shape: Shape): Uint8Array {
  const { embedding, layers, attention, values, valueBias, bias } = network.parts()
  const parts = [
    ...packEmbedding(embedding, shape.size),
    ...layers.flatMap((layer) => [layer.gain, layer.offset, layer.weights, layer.bias].map(bytesOf)),
    ...[attention, values, valueBias, bias].map(bytesOf),
  ]
  return Buffer.concat(parts)
}

export async function writeWeights(networks: readonly Uint8Array[], header: Header): Promise<void> {
  writeFileSync(join(TEXT_DATA, 'weights.bin'), Buffer.concat(networks))
  writeFileSync(join(TEXT_DATA, 'weights.json'), headerText(header))
  writeFileSync(join(TEXT_DATA, 'matrix.wasm'), await kernelBytes())
}

export function saveChoice(choice: Pick<Header, 'calibration' | 'thresholds'>): void {
  const path = join(TEXT_DATA, 'weights.json')
  const header = JSON.parse(readFileSync(path, 'utf8')) as Header
  writeFileSync(path, headerText({ ...header, ...choice }))
}

/** A list of numbers or names on one line. */
const headerText = (header: Header) =>
  `${JSON.stringify(header, null, 2).replace(/\[[^[\]{}]*\]/g, (list) => JSON.stringify(JSON.parse(list)))}\n`
