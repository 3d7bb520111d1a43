import { expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { animatedPng } from './animated-png.ts'

const chunk = (type: string, data: Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** A picture of one pixel and that width in its header. */
const png = (grey: number, width = 1) => {
  const header = Uint8Array.from([0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  const pixels = deflateSync(Uint8Array.from([0, grey]))
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', new Uint8Array())]),
  )
}
const typesOf = (file: Uint8Array) =>
  [
    ...Buffer.from(file)
      .toString('latin1')
      .matchAll(/IHDR|acTL|fcTL|IDAT|fdAT|IEND/g),
  ].map(([type]) => type)

test('the first frame is the picture itself, and each frame has its control chunk', () => {
  const file = animatedPng([
    { png: png(0), ms: 1_000 },
    { png: png(255), ms: 500 },
  ])
  expect(typesOf(file)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'])
})

test('frames of another size are rejected', () => {
  const frames = [
    { png: png(0), ms: 1 },
    { png: png(0, 2), ms: 1 },
  ]
  expect(() => animatedPng(frames)).toThrow('frame 1 has another size or colour type')
})
