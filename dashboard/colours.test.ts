import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { REFERENCE_CSS } from '../src/http/reference/reference-page.ts'
import { buildBundle } from './bundle.ts'

const read = (path: string) => Bun.file(join(import.meta.dir, path)).text()
const coloursIn = (css: string) => new Set(css.match(/#[0-9a-f]{3,8}\b/gi))

test('every colour is defined in one place', async () => {
  const shared = coloursIn(await read('colours.css'))
  const parts = [...new Bun.Glob('style/*.css').scanSync(import.meta.dir)]
  const dashboard = coloursIn((await Promise.all(parts.map(read))).join(''))
  const reference = coloursIn(await read('../src/http/reference/reference.css'))
  expect(shared.size).toBeGreaterThan(30)
  expect(dashboard.size).toBeGreaterThan(10)
  expect([...dashboard].filter((colour) => shared.has(colour))).toEqual([])
  expect([...reference].filter((colour) => shared.has(colour) || dashboard.has(colour))).toEqual([])
})

test('every colour used by a page is defined', async () => {
  const { style, files } = await buildBundle()
  for (const css of [files[style] ?? '', REFERENCE_CSS]) {
    const defined = new Set([...css.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name))
    const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
    expect([...used].filter((name) => !defined.has(name))).toEqual([])
  }
})
