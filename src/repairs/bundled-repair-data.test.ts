import { describe, expect, test } from 'bun:test'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { slug } from '../catalog/device.ts'
import { repairSchema } from '../contract/repair.ts'
import { BUNDLED_FACT_FILES, loadBundledRepairData } from './bundled-repair-data.ts'
import { PART_KINDS, type PartKind } from './fault-kinds.ts'
import { isApplicable } from './merged-facts.ts'
import { presentRepairs } from './present.ts'
import { findProductLine } from './product-line.ts'
import { parseFactFile, parseTrustedFactFile } from './repair-fact-file.ts'
import { indexRepairData } from './repair-fact-index.ts'
import { dataCompleteness } from './repair-metrics.ts'
import { isRepairNoteCode, presentSourceNote, topicOfNote } from './repair-notes.ts'

const board = loadBundledRepairData()
const devices = bundledDevices()
const pictureOf = indexRepairData({ ...board, importedFacts: [], importedFaults: [] })

test('every bundled file is valid, so that no start has to check it', () => {
  for (const [name, json] of Object.entries(BUNDLED_FACT_FILES)) {
    const read = parseFactFile(json)
    if ('rejected' in read) throw new Error(`${name}: ${read.rejected}`)
    expect([name, read.problems]).toEqual([name, []])
    expect(parseTrustedFactFile(json)).toEqual([...read.records])
  }
})

test('every bundled note is a code, so that pages can translate it', () => {
  const notes = board.bundledFacts.flatMap((record) => record.notes)
  expect(notes.filter((note) => typeof note === 'string' && !isRepairNoteCode(note))).toEqual([])
})

test('no device has notes of two levels on the same question', () => {
  for (const device of devices) {
    const levels = new Map<number, string>()
    for (const { value, level } of pictureOf(device, null).facts.notes) {
      const topic = topicOfNote(value)
      if (topic === null) continue
      expect(levels.get(topic) ?? level, `${device.id} ${JSON.stringify(value)}`).toBe(level)
      levels.set(topic, level)
    }
  }
})

test('every device in the facts is in the catalogue', () => {
  const known = new Set(devices.map((device) => device.id))
  const strangers = board.bundledFacts.filter((record) => record.level === 'device' && !known.has(record.subject))
  expect(strangers.map((record) => record.subject)).toEqual([])
})

test('every line in the facts is defined, and every defined line has facts', () => {
  const defined = board.lines.map((line) => line.id).toSorted()
  const named = board.bundledFacts.filter((record) => record.level === 'line').map((record) => record.subject)
  expect([...new Set(named)].toSorted()).toEqual(defined)
})

test('the most frequently repaired kinds of device have facts for their category', () => {
  const named = new Set(
    board.bundledFacts.filter((record) => record.level === 'category').map((record) => record.subject),
  )
  const repaired = ['Smartphone', 'Tablet', 'Laptop', 'Smartwatch']
  expect(repaired.filter((category) => !named.has(slug(category)))).toEqual([])
})

test('the repairs of every bundled device match the API document', () => {
  for (const device of devices) {
    for (const variant of [null, ...device.variants]) {
      const wire = presentRepairs(
        device,
        variant,
        pictureOf(device, variant),
        { goodCents: 40_000, poorCents: 15_000 },
        6000,
      )
      expect(repairSchema.safeParse(wire).error, device.id).toBeUndefined()
      if (variant && variant !== device.variants[0]) break
    }
  }
})

test('at least 150 devices are 60 % complete or more, none of them by inheritance alone', () => {
  const own = new Set(board.bundledFacts.filter((record) => record.level === 'device').map((record) => record.subject))
  const well = devices.filter((device) => dataCompleteness(pictureOf(device, null).facts) >= 60)
  expect(well.length).toBeGreaterThanOrEqual(150)
  expect(well.filter((device) => !own.has(device.id)).map((device) => device.id)).toEqual([])
})

test('every bundled repair has a difficulty, a time and a part with a price marked as reference', () => {
  for (const device of devices) {
    const { facts } = pictureOf(device, null)
    for (const repair of facts.repairs) {
      expect(repair.difficulty, `${device.id} ${repair.kind}`).not.toBeNull()
      expect(repair.minutes, `${device.id} ${repair.kind}`).not.toBeNull()
      const published = board.costs.makerPrices?.cents[device.id]?.[repair.kind as PartKind]
      const source = published ? 'bundled: published prices of the makers (US)' : 'reference ranges'
      expect(repair.parts[0]?.cost?.source, `${device.id} ${repair.kind}`).toBe(source)
    }
    const { technical_notes, common_repairs } = presentRepairs(
      device,
      null,
      { facts, family: device.category, shares: new Map(), estimateCost: () => null },
      null,
      6000,
    )
    if (common_repairs.length > 0) expect(technical_notes.join(' ')).toContain('reference ranges')
  }
})

describe('the cost of a part depends on launch price, class and display', () => {
  const screenOf = (id: string) => {
    const device = devices.find((each) => each.id === id)
    const cost = device && pictureOf(device, null).estimateCost('screen')
    if (!cost) throw new Error(`${id} has no display cost`)
    return cost.value
  }

  test('the display of a foldable costs many times that of an entry phone', () => {
    const foldable = screenOf('honor-magic-v3')
    expect(foldable.minCents).toBeGreaterThan(20_000)
    expect(screenOf('xiaomi-redmi-a3').maxCents).toBeLessThan(3_000)
  })

  test('the display of a cheap watch or reader costs less than another one', () => {
    // First prices in good condition: $79, $33 and $51.
    expect(screenOf('samsung-galaxy-watch6').maxCents).toBeLessThan(7_900)
    expect(screenOf('fitbit-versa-3').maxCents).toBeLessThan(3_300)
    expect(screenOf('amazon-kindle-paperwhite-11th-generation').maxCents).toBeLessThan(5_100)
  })

  test('the range of an iPhone includes the price of the maker, whatever its age', () => {
    for (const [id, makerCents] of [
      ['apple-iphone-xr', 19_900],
      ['apple-iphone-11', 19_900],
      ['apple-iphone-12', 27_900],
      ['apple-iphone-13', 27_900],
      ['apple-iphone-14-pro-max', 37_900],
      ['apple-iphone-15', 27_900],
      ['apple-iphone-se-3rd-generation', 12_900],
    ] as const) {
      const { minCents, maxCents } = screenOf(id)
      expect(minCents, id).toBeLessThan(makerCents)
      expect(maxCents, id).toBeGreaterThanOrEqual(makerCents)
    }
  })

  test('an estimate of a device with a launch price is more certain than one without', () => {
    const confidenceOf = (isPriced: boolean) => {
      const device = devices.find(
        ({ category, make, variants }) =>
          category === 'Smartphone' &&
          make === 'Xiaomi' &&
          variants.some(({ listCents, announcedCents }) => listCents > 0 || (announcedCents ?? 0) > 0) === isPriced,
      )
      return device ? (pictureOf(device, null).estimateCost('screen')?.confidence ?? 0) : 0
    }
    expect(confidenceOf(true)).toBeGreaterThan(confidenceOf(false))
  })
})

test('a repair never costs more than the launch price of the device', () => {
  for (const device of devices) {
    const listCents = Math.min(...device.variants.map((variant) => variant.listCents).filter((cents) => cents > 0))
    for (const repair of pictureOf(device, null).facts.repairs) {
      for (const { cost } of repair.parts) expect(cost?.value.maxCents ?? 0, device.id).toBeLessThan(listCents)
    }
  }
})

test('no unchecked guide address is given, and no brand of the repair site is named', () => {
  for (const record of board.bundledFacts) for (const repair of record.repairs) expect(repair.guideUrl).toBeNull()
  const brand = ['i', 'fix', 'it'].join('')
  expect(JSON.stringify(board).toLowerCase()).not.toContain(brand)
})

test('devices of every category have failure points, and those without a repair state it', () => {
  const categories = new Map(devices.map((device) => [device.category, device]))
  for (const device of devices) {
    const wire = presentRepairs(device, null, pictureOf(device, null), null, 6000)
    if (categories.get(device.category) === device) expect(wire.common_failure_points, device.id).not.toEqual([])
    const isSaid = wire.technical_notes.includes('No repairs are documented for this device.')
    expect(isSaid, device.id).toBe(wire.common_repairs.length === 0)
  }
})

test('screen and battery are named as in the catalogue', () => {
  const device = devices.find(({ id }) => id === 'apple-iphone-13')
  if (!device) throw new Error('no iPhone 13')
  const { technical_notes } = presentRepairs(device, null, pictureOf(device, null), null, 6000)
  expect(technical_notes).toContain(`Screen: ${device.specifications.display}.`)
  expect(technical_notes).toContain(`Battery: ${device.specifications.battery}.`)
})

describe('impossible repairs are not offered', () => {
  const repairsOf = (id: string) => {
    const device = devices.find((each) => each.id === id)
    if (!device) throw new Error(`${id} is not in the catalogue`)
    const { facts } = pictureOf(device, null)
    return facts.repairs.filter((repair) => isApplicable(facts, repair.kind, repair.level)).map((repair) => repair.kind)
  }

  for (const [why, kind, ids] of [
    ['soldered', 'storage', ['apple-imac-24-inch-m1-2021', 'apple-imac-24-inch-m3-2023', 'apple-imac-24-inch-m4-2024']],
    ['soldered', 'storage', ['apple-imac-retina-5k-27-inch-2020']],
    ['soldered', 'storage', ['apple-mac-mini-late-2018', 'apple-mac-mini-m1-late-2020', 'apple-mac-mini-2023']],
    ['not available', 'storage', ['apple-mac-mini-2024']],
    ['soldered', 'storage', ['microsoft-surface-pro-5th-generation', 'microsoft-surface-pro-6']],
    ['soldered', 'storage', ['microsoft-surface-pro-7', 'microsoft-surface-go']],
    ['bound to its console', 'storage', ['microsoft-xbox-series-x', 'microsoft-xbox-series-s']],
    ['outside', 'power-supply', ['apple-imac-24-inch-m1-2021', 'apple-imac-24-inch-m4-2024']],
    ['sealed', 'battery', ['apple-airpods-pro-2nd-generation', 'google-pixel-buds-pro', 'beats-studio-buds']],
    ['missing', 'battery', ['valve-index', 'htc-vive', 'sony-playstation-vr', 'meta-oculus-rift-s']],
    ['missing', 'fan', ['lenovo-chromebook-duet', 'dell-chromebook-3100', 'microsoft-surface-laptop-se']],
    ['missing', 'headphone-jack', ['apple-airpods-max', 'sonos-ace']],
  ] as const) {
    test(`${kind} that is ${why}: ${ids.join(', ')}`, () => {
      for (const id of ids) expect(repairsOf(id), id).not.toContain(kind)
    })
  }

  test('and possible repairs stay', () => {
    expect(repairsOf('microsoft-surface-pro-4')).toContain('storage')
    expect(repairsOf('apple-mac-pro-2019')).toContain('storage')
    expect(repairsOf('samsung-galaxy-buds-live')).toContain('battery')
    expect(repairsOf('meta-quest-2')).toContain('battery')
  })

  test('no device has both soldered storage and a replaceable drive', () => {
    for (const device of devices) {
      const { facts } = pictureOf(device, null)
      const notes = facts.notes.map((note) => presentSourceNote(note.value).text)
      const text = [...notes, ...(facts.proprietaryParts?.value ?? [])].join('\n')
      if (!/storage (is|are) soldered|storage \(soldered\)/i.test(text)) continue
      // Consoles have a slot for a second drive besides the soldered one.
      const drives = facts.repairs.filter(({ kind, name }) => kind === 'storage' && !name.startsWith('M.2'))
      const offered = drives.filter((repair) => isApplicable(facts, repair.kind, repair.level))
      expect(offered, device.id).toEqual([])
    }
  })
})

test('every published price of a maker is of a device in the catalogue and within its launch price', () => {
  for (const [id, prices] of Object.entries(board.costs.makerPrices?.cents ?? {})) {
    const device = devices.find((each) => each.id === id)
    const listCents = Math.min(...(device?.variants.map((variant) => variant.listCents) ?? []))
    for (const cents of Object.values(prices)) expect(cents, id).toBeWithin(0.1 * listCents, 0.5 * listCents)
  }
})

test('a score has the year of its rubric and belongs to the rated device', () => {
  for (const record of board.bundledFacts) {
    if (!record.score) continue
    expect(record.level).toBe('device')
    const released = Number(devices.find((device) => device.id === record.subject)?.releasedOn?.slice(0, 4))
    expect(record.score.rubricYear, record.subject).toBeGreaterThanOrEqual(released)
  }
})

test('the cost model is consistent: known families, no reversed range, factors between 0 and 1', () => {
  const categories = new Set(board.bundledFacts.filter((each) => each.level === 'category').map((each) => each.subject))
  const lines = new Set(board.lines.map((line) => line.id))
  for (const family of board.costs.families) {
    expect((family.level === 'line' ? lines : categories).has(family.subject), family.subject).toBe(true)
    for (const factor of [family.yearlyFactor, family.leastFactor]) {
      expect(factor > 0 && factor <= 1, family.subject).toBe(true)
    }
    for (const [kind, { share, leastCents }] of Object.entries(family.parts)) {
      expect(PART_KINDS as readonly string[]).toContain(kind)
      expect(share[0], `${family.subject} ${kind}`).toBeLessThanOrEqual(share[1])
      expect(leastCents[0], `${family.subject} ${kind}`).toBeLessThanOrEqual(leastCents[1])
    }
  }
})

test('devices are matched to their line by name, with or without the make', () => {
  const line = (make: string, name: string, category: string) =>
    findProductLine(board.lines, { make, name, category })?.id
  expect(line('Samsung', 'Galaxy S21 Ultra', 'Smartphone')).toBe('samsung-galaxy-s')
  expect(line('Samsung', 'Samsung Galaxy S21 Ultra', 'smartphone')).toBe('samsung-galaxy-s')
  expect(line('Samsung', 'Galaxy Star', 'Smartphone')).toBeUndefined()
  expect(line('Apple', 'Apple Watch Ultra', 'Smartwatch')).toBe('apple-watch')
  expect(line('Apple', 'MacBook Pro (14-inch, 2021)', 'Laptop')).toBe('apple-macbook-pro')
})
