import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFirstLines, scoreFirstLines } from '../../lab/matching/first-lines.ts'
import {
  type LabelledTitle,
  type MatchScore,
  parseLabelledRows,
  scoreMatching,
} from '../../lab/matching/match-score.ts'
import { evaluateOwnTitles, evaluateRemovedDevices } from '../../lab/matching/synthetic-titles.ts'
import { findDatasetFolder } from '../../lab/pricing/price-set.ts'
import { describeDevice } from '../../src/appraisal/described-device.ts'
import { findDescribedDevice } from '../../src/appraisal/described-match.ts'
import { completeRequest } from '../../src/appraisal/read-request.ts'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { createResolver } from '../../src/catalog/matching/resolver.ts'
import { parseCsv } from '../../src/import/read/csv-reader.ts'

const devices = bundledDevices()
const resolve = createResolver(devices)
const ids = new Set(devices.map((device) => device.id))
const judge = (rows: readonly LabelledTitle[]) => scoreMatching(rows, resolve, (id) => ids.has(id))

/** A wrong match distorts a price for all callers; a missed match costs one row. */
function expectGood({ wrong, missed, rows, toMatch }: MatchScore): void {
  expect(wrong.length / rows, wrong.join('\n')).toBeLessThanOrEqual(0.005)
  expect(missed.length / Math.max(1, toMatch), missed.join('\n')).toBeLessThanOrEqual(0.08)
}

test('a panel of titles as people write them', () => {
  const rows = parseLabelledRows(parseCsv(readFileSync(join(import.meta.dir, 'panel.csv'), 'utf8'))) ?? []
  expect(rows.length).toBeGreaterThanOrEqual(1_000)
  expect(rows.filter(({ expected }) => expected === '-' || !ids.has(expected)).length).toBeGreaterThanOrEqual(300)
  expectGood(judge(rows))
})

// A model word that describes something else, accessories, games, wanted ads, lists of sizes, other scripts, codes.
test('a panel of look-alikes: at most 1 % wrong and 3 % missed', () => {
  const rows = parseLabelledRows(parseCsv(readFileSync(join(import.meta.dir, 'look-alikes.csv'), 'utf8'))) ?? []
  expect(rows.length).toBeGreaterThanOrEqual(200)
  const { wrong, missed, toMatch } = judge(rows)
  expect(wrong.length / rows.length, wrong.join('\n')).toBeLessThanOrEqual(0.01)
  expect(missed.length / toMatch, missed.join('\n')).toBeLessThanOrEqual(0.03)
})

// An appraisal matches the text without the words that describe the device, so that other words may mislead it.
test('a panel of look-alikes as texts of appraisals: at most 1 % wrong', async () => {
  const rows = parseLabelledRows(parseCsv(readFileSync(join(import.meta.dir, 'look-alikes.csv'), 'utf8'))) ?? []
  const wrong: string[] = []
  for (const { listing, expected } of rows) {
    const { match } = await findText(listing.text)
    // A device that is sold for parts is a device here.
    if (match?.device && match.device.id !== expected && resolve(listing).rejection !== 'for_parts')
      wrong.push(`${listing.text}: ${match.device.id}`)
  }
  expect(wrong.length / rows.length, wrong.join('\n')).toBeLessThanOrEqual(0.01)
})

// What a person writes first when asked to sell something, in 37 languages; whatever language, few are left without a question.
test('first lines of advertisements: 93 % of the known devices are matched or asked about, at most 0.5 % wrong', async () => {
  const { rows, inCatalogue, right, wrong, unknown } = await scoreFirstLines(readFirstLines(), resolve, (id) =>
    ids.has(id),
  )
  expect(rows).toBeGreaterThanOrEqual(800)
  expect(right / inCatalogue, unknown.join('\n')).toBeGreaterThanOrEqual(0.93)
  expect(wrong.length / rows, wrong.join('\n')).toBeLessThanOrEqual(0.005)
})

async function findText(text: string) {
  const described = describeDevice(text)
  const match = await findDescribedDevice(described, (name) => resolve({ text: name, mayBeDefective: true }))
  return { described, match }
}

// Faults, locks, grades and battery health in fourteen languages, and texts that state nothing of the kind ("-").
test('a panel of descriptions: what may change a price is read or named, and nothing else is', async () => {
  const [, ...rows] = parseCsv(readFileSync(join(import.meta.dir, 'descriptions.csv'), 'utf8'))
  expect(rows.length).toBeGreaterThanOrEqual(200)
  const misread: string[] = []
  for (const [text = '', expected] of rows) {
    const { described, match } = await findText(text)
    if (!match) throw new Error(text)
    const textMatch = { ...match, candidates: [], condition: null, conditionWords: match.conditions }
    const { reading } = completeRequest({}, described, textMatch, match.device)
    const stated = [
      ...reading.readFields.filter(({ field }) => !field.startsWith('attributes')).map(({ value }) => value),
      ...reading.unreadWords.map(({ words }) => words),
      ...match.conditions,
    ].filter((value) => value !== 'unlocked' && value !== 'Excellent' && value !== 'Good')
    const isRead = expected === 'read' ? stated.length > 0 : reading.unreadWords.length === 0
    if (!match.device || !isRead) misread.push(`${text}: ${stated.join(', ') || match.rejection || 'nothing read'}`)
  }
  // Short phrases without an advertisement around them are the hardest for a learned reader; it is chosen on advertisements.
  expect(misread.length / rows.length, misread.join('\n')).toBeLessThanOrEqual(0.2)
})

// Titles generated from a device's own name must match that device or none.
test('titles generated from the catalogue match no other device', () => {
  const { wrong, correct: right, rows } = evaluateOwnTitles(devices)
  expect(wrong).toEqual([])
  expect(right / rows).toBeGreaterThan(0.9)
})

/** Devices with similar names; a longest-prefix rule would match most of them to a neighbour. */
const NEIGHBOURS = [
  'samsung-galaxy-z-flip5',
  'samsung-galaxy-s23-plus',
  'samsung-galaxy-s23-fe',
  'samsung-galaxy-a51-5g',
  'samsung-galaxy-watch4-classic',
  'nintendo-switch-oled-model',
  'nintendo-switch-2',
  'sony-playstation-5-digital-edition',
  'sony-playstation-5-pro',
  'sony-xperia-xz2-compact',
  'sony-linkbuds-s',
  'apple-iphone-13-pro-max',
  'apple-iphone-16e',
  'apple-iphone-se-2nd-generation',
  'apple-airpods-4-with-active-noise-cancellation',
  'apple-macbook-air-m1-2020',
  'apple-ipad-pro-11-inch-m4',
  'google-pixel-4a-5g',
  'google-pixel-c',
  'google-pixel-9-pro-fold',
  'motorola-edge-2022',
  'nothing-phone-2a-plus',
  'oneplus-12r',
  'valve-steam-deck-oled',
  'xiaomi-13t-pro',
]

// No catalogue is complete: an unlisted device must not match a neighbour.
test('a device removed from the catalogue is rejected, not matched to a neighbour', () => {
  const chosen = devices.filter((device) => NEIGHBOURS.includes(device.id))
  expect(chosen).toHaveLength(NEIGHBOURS.length)
  for (const device of chosen) {
    // Other makes are never candidates, so they can be left out.
    const ofMake = devices.filter(({ make }) => make === device.make)
    expect(evaluateRemovedDevices(ofMake, [device]).wrong).toEqual([])
  }
})

describe('titles of real listings', () => {
  const folder = findDatasetFolder()
  // Runs only if the listings, which are not part of the project, are available.
  if (!folder) {
    console.log('skipped: no real listings found beside the project')
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
  /** Labels are keyed by a hash of make and title, so that the project contains no listing. */
  const hashOf = (make: string, title: string) =>
    new Bun.CryptoHasher('sha256').update(`${make}|${title}`).digest('hex').slice(0, 10)

  for (const [name, { file, title, make, delimiter = ',' }] of Object.entries(SETS)) {
    const path = join(folder, name, file)
    if (!existsSync(path)) continue
    test(name, () => {
      const expected = new Map(
        Object.entries(labels[name] ?? {}).flatMap(([id, hashes]) => hashes.split(' ').map((hash) => [hash, id])),
      )
      const [head = [], ...body] = parseCsv(readFileSync(path, 'utf8'), delimiter)
      const rows = new Map<string, LabelledTitle>()
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
