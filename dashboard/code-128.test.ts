import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { code128 } from './code-128.ts'

const wasmBinary = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer
prepareZXingModule({ overrides: { wasmBinary: wasmBinary as ArrayBuffer } })

const MODULE_PIXELS = 3
const HEIGHT = 60
const QUIET_MODULES = 12

/** The barcode as pixels, black on white. */
function draw(widths: readonly number[]): ImageData {
  const bars = widths.flatMap((width, index) => Array.from({ length: width * MODULE_PIXELS }, () => index % 2 === 0))
  const quiet = Array.from({ length: QUIET_MODULES * MODULE_PIXELS }, () => false)
  const row = [...quiet, ...bars, ...quiet].flatMap((isBar) => (isBar ? [0, 0, 0, 255] : [255, 255, 255, 255]))
  const data = new Uint8ClampedArray(Array.from({ length: HEIGHT }, () => row).flat())
  return { data, width: row.length / 4, height: HEIGHT, colorSpace: 'srgb' } as ImageData
}

test('a barcode is read as the text that it was made of', async () => {
  for (const text of ['356938035643809', '35693803564380', 'C8QH6T96DPNG', '7', 'A1-b2 ~']) {
    const [found] = await readBarcodes(draw(code128(text) ?? []), { formats: ['Code128'] })
    expect(found?.text).toBe(text)
  }
})

test('all digits are as wide as a pair of them can be, and other alphabets have no barcode', () => {
  const modules = (text: string) => (code128(text) ?? []).reduce((sum, width) => sum + width, 0)
  // Start, seven pairs, change of the set, one digit, checksum and stop.
  expect(modules('356938035643809')).toBe(11 * 11 + 13)
  expect(code128('серия')).toBeNull()
  expect(code128('')).toBeNull()
})
