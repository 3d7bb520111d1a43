import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeLeftOut, judgeSelf } from '../../scripts/judge/made-titles.ts'
import { type Judged, judgeMatching, type Labelled, labelledOf } from '../../scripts/judge/matching.ts'
import { priceFolder } from '../../scripts/judge/price-set.ts'
import { devicesOnBoard } from '../../src/catalog/onboard.ts'
import { parseRows } from '../../src/import/read/csv.ts'
import { openResolver } from '../../src/resolver/resolver.ts'

const devices = devicesOnBoard()
const resolve = openResolver(devices)
const ids = new Set(devices.map((device) => device.id))
const judge = (rows: readonly Labelled[]) => judgeMatching(rows, resolve, (id) => ids.has(id))

/** A wrong match spoils a price for everybody, a missed one costs a row. */
function expectGood({ wrong, missed, rows, toMatch }: Judged, most = { wrong: 0.005, missed: 0.08 }): void {
  expect(wrong.length / rows, wrong.join('\n')).toBeLessThanOrEqual(most.wrong)
  expect(missed.length / Math.max(1, toMatch), missed.join('\n')).toBeLessThanOrEqual(most.missed)
}

test('a panel of titles as people write them', () => {
  const rows = labelledOf(parseRows(readFileSync(join(import.meta.dir, 'panel.csv'), 'utf8'))) ?? []
  expect(rows.length).toBeGreaterThanOrEqual(1_000)
  expect(rows.filter(({ expected }) => expected === '-' || !ids.has(expected)).length).toBeGreaterThanOrEqual(300)
  expectGood(judge(rows))
})

// Every device must be found by titles made of its own name, or by none: never another.
test('titles made of the catalogue find no other device', () => {
  const { wrong, right, rows } = judgeSelf(devices)
  expect(wrong).toEqual([])
  expect(right / rows).toBeGreaterThan(0.9)
})

// The world is larger than any catalogue: what is not in it must not be taken for a neighbour.
test('a device taken out of the catalogue is refused, not matched to a neighbour', () => {
  expectGood(judgeLeftOut(devices, Math.ceil(devices.length / 40)), { wrong: 0.02, missed: 0 })
})

describe('titles of real listings', () => {
  const folder = priceFolder()
  // The listings are no part of the project; where they do not lie beside it, there is nothing to hold the labels against.
  if (!folder) {
    console.log('left out: no real listings lie beside the project')
    return
  }
  type Columns = { readonly file: string; readonly title: string; readonly make?: string; readonly delimiter?: ';' }
  const SETS: Record<string, Columns> = {
    ebay_active_condition: { file: 'listings.csv', title: 'title' },
    njuskalo_hr: { file: 'ads.csv', title: 'ad_title', delimiter: ';' },
    shops_vn_2024: { file: 'offers.csv', title: 'name_product', make: 'branch' },
    refit_wholesale_us: { file: 'quotes.csv', title: 'model' },
    cex_macbooks_uk: { file: 'listings.csv', title: 'title' },
  }
  const labels = JSON.parse(readFileSync(join(import.meta.dir, 'labels.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >
  /** Labels are kept by a hash of make and title, so that nobody's listings are part of the project. */
  const hashOf = (make: string, title: string) =>
    new Bun.CryptoHasher('sha256').update(`${make}|${title}`).digest('hex').slice(0, 10)

  for (const [name, { file, title, make, delimiter = ',' }] of Object.entries(SETS)) {
    const path = join(folder, name, file)
    if (!existsSync(path)) continue
    test(name, () => {
      const expected = new Map(
        Object.entries(labels[name] ?? {}).flatMap(([id, hashes]) => hashes.split(' ').map((hash) => [hash, id])),
      )
      const [head = [], ...body] = parseRows(readFileSync(path, 'utf8'), delimiter)
      const rows = new Map<string, Labelled>()
      for (const row of body) {
        const text = row[head.indexOf(title)] ?? ''
        const brand = make ? (row[head.indexOf(make)] ?? '') : ''
        const hash = hashOf(brand, text)
        const id = expected.get(hash)
        if (id !== undefined) rows.set(hash, { listing: { text, make: brand || null }, expected: id })
      }
      expect(rows.size).toBe(expected.size)
      expectGood(judge([...rows.values()]))
    })
  }
})
