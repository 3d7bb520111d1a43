import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sampleDevice } from '../../test/support/device.ts'
import type { Device, Variant } from '../catalog/device.ts'
import { PART_AVAILABILITIES, REPAIR_DIFFICULTIES, repairabilityRating, repairSchema } from '../contract/repair.ts'
import { toDeviceInput } from '../pricing/configuration.ts'
import { estimateFaultShares, MIN_FAULT_SHARE, PRIOR_WEIGHT } from './fault-frequency.ts'
import { FACT_LEVELS, FAULT_KINDS, type FaultKind, PART_KINDS } from './fault-kinds.ts'
import { labourCost } from './labour-cost.ts'
import { type CostModel, estimatePartCost } from './part-cost.ts'
import { presentRepairs } from './present.ts'
import type { ProductLine } from './product-line.ts'
import { type FactRecord, NO_FACTS } from './repair-fact.ts'
import { FACT_FORMAT, parseFactFile } from './repair-fact-file.ts'
import { indexRepairData, type RepairData } from './repair-fact-index.ts'
import { averageRepairCost, dataCompleteness, repairCost, repairRoi } from './repair-metrics.ts'

const DEVICE = sampleDevice('Acme', 'One', {
  releasedOn: '2022-01-01',
  variants: [{ listCents: 60_000 }, { listCents: 70_000 }],
})
const VARIANT = DEVICE.variants[0] as Variant
const LINES: readonly ProductLine[] = [{ id: 'acme-one-line', make: 'Acme', category: 'Smartphone', prefixes: ['One'] }]
const SUBJECTS = { variant: VARIANT.id, device: DEVICE.id, line: 'acme-one-line', category: 'smartphone' } as const
const COSTS: CostModel = {
  pricedOn: '2026-01-01',
  typicalAgeYears: 4,
  families: [
    {
      level: 'category',
      subject: 'smartphone',
      typicalListCents: 40_000,
      yearlyFactor: 0.9,
      leastFactor: 0.4,
      parts: { screen: { share: [0.1, 0.3], leastCents: [2000, 4000] } },
    },
  ],
}

/** Labour rate in cents per hour. */
const RATE = 6000

function findProfileWith(bundled: readonly FactRecord[], more: Partial<RepairData> = {}) {
  const data = {
    lines: LINES,
    costs: COSTS,
    bundledFacts: bundled,
    importedFacts: [],
    bundledFaults: [],
    importedFaults: [],
    ...more,
  }
  return indexRepairData(data)
}

test('a part costs less than most of the device; that of its maker at most the device, unless the price is published', () => {
  const costOf = (costs: CostModel, goodCents: number | null) =>
    estimatePartCost(costs, DEVICE, SUBJECTS, 'screen', goodCents)
  expect(costOf(COSTS, 10_000)?.value).toEqual({ minCents: 3900, maxCents: 7000 })
  expect(costOf(COSTS, 500_000)?.value.maxCents).toBe(11_800)
  const families = COSTS.families.map((family) => ({ ...family, makerPartYears: 9 }))
  const ofMaker = costOf({ ...COSTS, families }, 10_050)
  expect([ofMaker?.value.maxCents, ofMaker?.confidence]).toEqual([10_000, 15])
  const makerPrices = { source: 'price list', cents: { [DEVICE.id]: { screen: 15_999 } } }
  const published = costOf({ ...COSTS, families, makerPrices, marketFactor: 0.5 }, 10_050)
  expect(published).toMatchObject({ value: { minCents: 2000, maxCents: 15_999 }, level: 'device' })
  expect([published?.source, published?.confidence]).toEqual(['bundled: price list', undefined])
})

test('parts of a device without a list price follow its announced price, as its price does', () => {
  const announced = sampleDevice('Acme', 'Fold', { releasedOn: '2025-01-01', variants: [{ listCents: 0 }] })
  const [variant] = announced.variants as [Variant]
  const device = { ...announced, variants: [{ ...variant, announcedCents: 180_000 }] }
  const screenOf = (each: Device) => estimatePartCost(COSTS, each, SUBJECTS, 'screen')?.value
  const listed = { ...device, variants: [{ ...variant, listCents: 180_000 }] }
  expect(toDeviceInput(device).variants[0]?.listCents).toBe(180_000)
  expect(screenOf(device)).toEqual(screenOf(listed))
  expect(screenOf(announced)?.maxCents).toBeLessThan(screenOf(device)?.maxCents ?? 0)
})

test('a phone without a launch price is an entry model by the shorter side of its display, or by its memory', () => {
  const [family] = COSTS.families
  const classes = { entry: { typicalListCents: 14_000 }, flagship: { typicalListCents: 85_000 } }
  const costs: CostModel = { ...COSTS, families: family ? [{ ...family, classes }] : [] }
  const unlisted = sampleDevice('Acme', 'One', { releasedOn: '2025-01-01', variants: [{ listCents: 0 }] })
  const maxOf = (specifications: Record<string, string>) =>
    estimatePartCost(costs, { ...unlisted, specifications }, SUBJECTS, 'screen')?.value.maxCents ?? 0
  const entry = maxOf({ display: '6.5-inch IPS LCD, 1600 x 720' })
  const standard = maxOf({ display: '6.5-inch OLED, 2400 x 1080' })
  expect(entry).toBeLessThan(standard)
  expect(maxOf({ memory: '2GB, 4GB' })).toBe(entry)
  expect(maxOf({ display: '6.8-inch OLED, 3120 x 1440' })).toBeGreaterThan(standard)
})

function factsAt(level: FactRecord['level'], facts: Partial<FactRecord> = {}): FactRecord {
  return {
    level,
    subject: SUBJECTS[level],
    source: level,
    updatedAt: 1,
    ...NO_FACTS,
    ...facts,
  }
}

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const cost = fc
  .tuple(fc.nat(50_000), fc.nat(50_000))
  .map(([minCents, more]) => ({ minCents, maxCents: minCents + more }))
const part = fc.record({
  kind: fc.constantFrom(...PART_KINDS),
  name: orNull(fc.constantFrom('Left part', 'Right part')),
  cost: orNull(cost),
  availability: orNull(fc.constantFrom(...PART_AVAILABILITIES)),
})
const repair = fc.record({
  kind: fc.constantFrom(...FAULT_KINDS.slice(0, 6)),
  name: orNull(fc.constant('Named repair')),
  difficulty: orNull(fc.constantFrom(...REPAIR_DIFFICULTIES)),
  minutes: orNull(fc.integer({ min: 1, max: 300 })),
  parts: fc.array(part, { maxLength: 3 }),
  guideUrl: orNull(fc.constant('https://repairsite.example/guide/1')),
})
const recordAt = (...levels: FactRecord['level'][]) =>
  fc
    .record({
      level: fc.constantFrom(...levels),
      score: orNull(fc.record({ value: fc.nat(10), rubricYear: orNull(fc.integer({ min: 2010, max: 2026 })) })),
      repairs: fc.array(repair, { maxLength: 4 }),
      failurePoints: fc.array(fc.record({ fault: fc.constantFrom(...FAULT_KINDS), text: fc.constant('It fails') }), {
        maxLength: 3,
      }),
      notes: fc.array(fc.constantFrom('A note', 'Another note'), { maxLength: 2 }),
      proprietaryParts: orNull(fc.array(fc.constant('Paired screen'), { maxLength: 1 })),
      specialTools: orNull(fc.array(fc.constant('Heat mat'), { maxLength: 1 })),
      without: fc.array(fc.constantFrom(...FAULT_KINDS.slice(0, 6)), { maxLength: 2 }),
    })
    .map(({ level, ...facts }) => factsAt(level, facts))
const records = fc.array(recordAt(...FACT_LEVELS), { maxLength: 6 })
const counts = fc
  .dictionary(fc.constantFrom(...FAULT_KINDS), fc.nat(200))
  .map((seen) => new Map(Object.entries(seen) as [FaultKind, number][]))

describe('inheritance', () => {
  test('the nearest level that states a fact provides it, with its level and source', () => {
    const findProfile = findProfileWith([
      factsAt('category', { score: { value: 3, rubricYear: null }, specialTools: ['Heat mat'] }),
      factsAt('device', { score: { value: 6, rubricYear: 2021 } }),
    ])
    const { facts } = findProfile(DEVICE, null)
    expect(facts.score).toEqual({ value: { value: 6, rubricYear: 2021 }, level: 'device', source: 'device' })
    expect(facts.specialTools).toEqual({ value: ['Heat mat'], level: 'category', source: 'category' })
  })

  test('an import outranks bundled facts of the same level, not those of a nearer level', () => {
    const bundled = [factsAt('device', { score: { value: 6, rubricYear: null } })]
    const atDevice = factsAt('device', { source: 'import', score: { value: 7, rubricYear: null } })
    const atLine = factsAt('line', { source: 'import', score: { value: 2, rubricYear: null } })
    expect(findProfileWith(bundled, { importedFacts: [atDevice] })(DEVICE, null).facts.score?.value.value).toBe(7)
    expect(findProfileWith(bundled, { importedFacts: [atLine] })(DEVICE, null).facts.score?.value.value).toBe(6)
  })

  test('an explicitly empty list is not filled from a higher level', () => {
    const findProfile = findProfileWith([
      factsAt('device', { proprietaryParts: [] }),
      factsAt('line', { proprietaryParts: ['x'] }),
    ])
    expect(findProfile(DEVICE, null).facts.proprietaryParts?.value).toEqual([])
  })

  test('a stated part cost replaces the reference range', () => {
    const repaired = { kind: 'screen', name: null, difficulty: null, minutes: null, guideUrl: null } as const
    const stated = {
      kind: 'screen',
      name: null,
      cost: { minCents: 11_100, maxCents: 22_200 },
      availability: null,
    } as const
    const estimated = findProfileWith([factsAt('line', { repairs: [{ ...repaired, parts: [] }] })])(DEVICE, null)
    expect(estimated.facts.repairs[0]?.parts[0]?.cost?.source).toBe('reference ranges')
    const imported = [factsAt('device', { source: 'import', repairs: [{ ...repaired, parts: [stated] }] })]
    const observed = findProfileWith([factsAt('line', { repairs: [{ ...repaired, parts: [] }] })], {
      importedFacts: imported,
    })(DEVICE, null)
    expect(observed.facts.repairs[0]?.parts[0]?.cost).toEqual({ value: stated.cost, level: 'device', source: 'import' })
  })

  test('a variant without facts of its own has the response of its device', () => {
    const noneOfVariants = fc.array(recordAt('device', 'line', 'category'), { maxLength: 6 })
    fc.assert(
      fc.property(noneOfVariants, (bundled) => {
        const findProfile = findProfileWith(bundled)
        const resale = { goodCents: 30_000, poorCents: 10_000 }
        const ofDevice = presentRepairs(DEVICE, null, findProfile(DEVICE, null), resale, RATE)
        const ofVariant = presentRepairs(DEVICE, VARIANT, findProfile(DEVICE, VARIANT), resale, RATE)
        expect(ofVariant.variant_id).toBe(VARIANT.id)
        expect(ofVariant).toEqual({ ...ofDevice, variant_id: ofVariant.variant_id })
      }),
    )
  })

  test('a part that a device lacks is neither a repair nor a failure point, whatever its category states', () => {
    const factsOf = (kind: FaultKind) => ({
      repairs: [{ kind, name: null, difficulty: null, minutes: null, parts: [], guideUrl: null }],
      failurePoints: [{ fault: kind, text: kind }],
    })
    const wire = (...bundled: FactRecord[]) =>
      presentRepairs(DEVICE, null, findProfileWith(bundled)(DEVICE, null), null, RATE)
    const fanless = wire(factsAt('category', factsOf('fan')), factsAt('device', { without: ['fan'] }))
    expect([fanless.common_repairs, fanless.common_failure_points]).toEqual([[], []])
    const corrected = wire(factsAt('device', factsOf('fan')), factsAt('line', { without: ['fan'] }))
    expect(corrected.common_failure_points).toEqual(['fan'])
  })

  test('facts of one variant do not apply to others', () => {
    const findProfile = findProfileWith([factsAt('variant', { notes: ['Only the 64GB board has this.'] })])
    expect(findProfile(DEVICE, VARIANT).facts.notes).toHaveLength(1)
    expect(findProfile(DEVICE, DEVICE.variants[1] ?? null).facts.notes).toHaveLength(0)
    expect(findProfile(DEVICE, null).facts.notes).toHaveLength(0)
  })
})

describe('costs', () => {
  test('no cost range is reversed: parts, repairs and the average', () => {
    fc.assert(
      fc.property(records, counts, (bundled, seen) => {
        const { facts } = findProfileWith(bundled)(DEVICE, VARIANT)
        const average = averageRepairCost(facts.repairs, estimateFaultShares([seen]), RATE)
        const ranges = facts.repairs.flatMap((each) => [
          repairCost(each, RATE),
          labourCost(each, RATE),
          ...each.parts.map((one) => one.cost?.value ?? null),
        ])
        for (const range of [average, ...ranges]) {
          if (range) expect(range.minCents).toBeLessThanOrEqual(range.maxCents)
        }
      }),
    )
  })

  test('the average lies between the cheapest and the most expensive repair', () => {
    fc.assert(
      fc.property(records, counts, (bundled, seen) => {
        const { repairs } = findProfileWith(bundled)(DEVICE, null).facts
        const average = averageRepairCost(repairs, estimateFaultShares([seen]), RATE)
        const costs = repairs.map((each) => repairCost(each, RATE)).filter((each) => each !== null)
        expect(average === null).toBe(costs.length === 0)
        if (!average) return
        expect(average.minCents).toBeGreaterThanOrEqual(Math.min(...costs.map((each) => each.minCents)))
        expect(average.maxCents).toBeLessThanOrEqual(Math.max(...costs.map((each) => each.maxCents)))
      }),
    )
  })

  test('a more frequent repair has more weight', () => {
    const priced = (kind: FaultKind, cents: number) => ({
      kind,
      name: null,
      difficulty: null,
      minutes: null,
      guideUrl: null,
      parts: [{ kind, name: null, cost: { minCents: cents, maxCents: cents }, availability: null }],
    })
    const { repairs } = findProfileWith([
      factsAt('device', { repairs: [priced('camera', 10_000), priced('battery', 2000)] }),
    ])(DEVICE, null).facts
    const even = averageRepairCost(repairs, new Map(), RATE)
    const often = averageRepairCost(
      repairs,
      new Map([
        ['battery', 0.8],
        ['camera', 0.2],
      ] as const),
      RATE,
    )
    expect(even).toEqual({ minCents: 6000, maxCents: 6000 })
    expect(often).toEqual({ minCents: 3600, maxCents: 3600 })
  })

  describe('labour', () => {
    const repaired = (minutes: number | null) => {
      const part = { kind: 'camera', name: null, cost: { minCents: 2000, maxCents: 5000 }, availability: null } as const
      const repair = { kind: 'camera', name: null, difficulty: null, minutes, guideUrl: null, parts: [part] } as const
      return findProfileWith([factsAt('device', { repairs: [repair] })])(DEVICE, null)
    }
    const [timed] = repaired(45).facts.repairs
    const [untimed] = repaired(null).facts.repairs
    if (!timed || !untimed) throw new Error('no repair')

    test('is the rate times a third to all of the documented time, and unknown without a time', () => {
      expect(labourCost(timed, 6000)).toEqual({ minCents: 1500, maxCents: 4500 })
      expect(labourCost(timed, 4800)).toEqual({ minCents: 1200, maxCents: 3600 })
      expect(labourCost(timed, 0)).toEqual({ minCents: 0, maxCents: 0 })
      expect(labourCost(untimed, 6000)).toBeNull()
    })

    test('is part of the repair cost; if unknown, only parts are', () => {
      expect(repairCost(timed, 6000)).toEqual({ minCents: 3500, maxCents: 9500 })
      expect(repairCost(untimed, 6000)).toEqual({ minCents: 2000, maxCents: 5000 })
    })

    test('is listed next to the parts in the response, which states what the cost includes', () => {
      const wire = presentRepairs(DEVICE, null, repaired(45), { goodCents: 20_000, poorCents: 10_000 }, 4850)
      expect(wire.common_repairs[0]).toMatchObject({
        labour_min: 1213,
        labour_max: 3638,
        parts: [{ cost_min: 2000, cost_max: 5000 }],
      })
      expect(wire.average_repair_cost).toEqual({ min: 3213, max: 8638, currency: 'USD' })
      expect(wire.repair_roi_indicator).toBe('high')
      expect(wire.technical_notes.join(' ')).toContain('parts and labour, at $48.50 an hour')
      const without = presentRepairs(DEVICE, null, repaired(null), null, 4750)
      expect(without.common_repairs[0]).toMatchObject({ labour_min: null, labour_max: null })
      expect(without.technical_notes.join(' ')).toContain('no time is documented: Rear camera replacement')
    })
  })

  test('a reference range falls with age to its floor and rises with the launch price', () => {
    const at = (releasedOn: string, listCents: number) =>
      estimatePartCost(
        COSTS,
        { id: 'any', releasedOn, variants: [{ ...VARIANT, listCents }], specifications: {} },
        { line: null, category: 'smartphone' },
        'screen',
      )?.value
    expect(at('2026-01-01', 60_000)).toEqual({ minCents: 6000, maxCents: 18_000 })
    expect(at('2025-01-01', 60_000)).toEqual({ minCents: 5400, maxCents: 16_200 })
    expect(at('2023-01-01', 60_000)).toEqual({ minCents: 4400, maxCents: 12_300 })
    // The part of an old phone costs less than another such phone.
    expect(at('2001-01-01', 60_000)).toEqual({ minCents: 1500, maxCents: 2100 })
    expect(at('2026-01-01', 0)).toEqual({ minCents: 4000, maxCents: 12_000 })
  })
})

describe('the response', () => {
  test('has every field of the document in its format, whatever is known', () => {
    fc.assert(
      fc.property(records, (bundled) => {
        const profile = findProfileWith(bundled)(DEVICE, VARIANT)
        const wire = presentRepairs(DEVICE, VARIANT, profile, { goodCents: 5, poorCents: 1 }, RATE)
        expect(repairSchema.safeParse(wire).error).toBeUndefined()
      }),
    )
  })

  test('of an unknown device has nulls, empty lists and 0', () => {
    expect(presentRepairs(DEVICE, null, findProfileWith([])(DEVICE, null), null, RATE)).toEqual({
      device_id: 'acme-one',
      device_name: 'One',
      variant_id: null,
      repairsite_score: null,
      repairability_rating: 'unknown',
      common_repairs: [],
      common_failure_points: [],
      average_repair_cost: null,
      repair_roi_indicator: 'unknown',
      repair_return: null,
      technical_notes: [],
      technical_note_codes: [],
      proprietary_parts: [],
      special_tools_required: [],
      last_updated: '2026-01-01T00:00:00.000Z',
      source: 'repairsite',
      data_completeness: 0,
    })
  })
})

describe('derived ratings', () => {
  test.each([
    [null, 'unknown'],
    [0, 'very_poor'],
    [1, 'very_poor'],
    [2, 'poor'],
    [3, 'poor'],
    [4, 'fair'],
    [5, 'fair'],
    [6, 'good'],
    [7, 'good'],
    [8, 'excellent'],
    [10, 'excellent'],
  ] as const)('a score of %p is rated %s', (score, rating) => {
    expect(repairabilityRating(score)).toBe(rating)
  })

  test.each([
    [40_000, 20_000, 10_000, 'high'],
    [32_499, 20_000, 10_000, 'low'],
    [32_500, 20_000, 10_000, 'medium'],
    [39_999, 20_000, 10_000, 'medium'],
    [30_000, 20_000, 10_000, 'low'],
    [29_999, 20_000, 10_000, 'negative'],
  ] as const)('Good %p and Poor %p with a repair of %p is %s', (goodCents, poorCents, cents, word) => {
    expect(repairRoi({ goodCents, poorCents }, { minCents: cents, maxCents: cents + 9000 })).toBe(word)
  })

  test('the return on repair follows its formula, and a missing side is unknown', () => {
    const cents = fc.nat(200_000)
    fc.assert(
      fc.property(cents, cents, cost, (goodCents, poorCents, range) => {
        const least = range.minCents
        const roi = (goodCents - poorCents - least) / least
        const word = roi >= 1 ? 'high' : roi >= 0.25 ? 'medium' : roi >= 0 ? 'low' : 'negative'
        expect(repairRoi({ goodCents, poorCents }, range)).toBe(least === 0 ? 'unknown' : word)
        expect(repairRoi(null, range)).toBe('unknown')
        expect(repairRoi({ goodCents, poorCents }, null)).toBe('unknown')
      }),
    )
  })
})

describe('completeness', () => {
  test('nothing known is 0, everything known of the device 100, everything inherited half', () => {
    const whole = (level: FactRecord['level']) =>
      factsAt(level, {
        score: { value: 5, rubricYear: null },
        repairs: (['screen', 'battery', 'camera'] as const).map((kind) => ({
          kind,
          name: null,
          difficulty: 'easy',
          minutes: 20,
          guideUrl: 'https://repairsite.example/1',
          parts: [{ kind, name: null, cost: { minCents: 1, maxCents: 2 }, availability: 'in_stock' }],
        })),
        failurePoints: [{ fault: 'screen', text: 'x' }],
        notes: ['x'],
        proprietaryParts: [],
        specialTools: [],
      })
    const completeness = (...facts: FactRecord[]) => dataCompleteness(findProfileWith(facts)(DEVICE, null).facts)
    expect(completeness()).toBe(0)
    expect(completeness(whole('device'))).toBe(100)
    expect(completeness(whole('line'))).toBe(50)
    expect(completeness(whole('category'))).toBe(50)
  })

  test('never falls with one more fact', () => {
    fc.assert(
      fc.property(records, recordAt(...FACT_LEVELS), (before, learnt) => {
        const of = (facts: readonly FactRecord[]) => dataCompleteness(findProfileWith(facts)(DEVICE, VARIANT).facts)
        expect(of([...before, learnt])).toBeGreaterThanOrEqual(of(before))
        expect(of([learnt, ...before])).toBeGreaterThanOrEqual(of(before))
      }),
      { numRuns: 500 },
    )
  })

  test('is a whole percentage', () => {
    fc.assert(
      fc.property(records, (bundled) => {
        const percent = dataCompleteness(findProfileWith(bundled)(DEVICE, VARIANT).facts)
        expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true)
      }),
    )
  })
})

describe('failure statistics', () => {
  const tally = (fault: FaultKind, count: number, deviceId = '', make = '') => ({
    category: 'smartphone',
    make,
    deviceId,
    fault,
    count,
  })
  const points = factsAt('category', {
    failurePoints: [
      { fault: 'camera', text: 'Camera' },
      { fault: 'screen', text: 'Screen' },
      { fault: 'battery', text: 'Battery' },
    ],
  })
  const order = (more: Partial<RepairData>) =>
    presentRepairs(DEVICE, null, findProfileWith([points], more)(DEVICE, null), null, RATE).common_failure_points

  test('order the failure points, most frequent first; uncounted faults keep their order', () => {
    expect(order({})).toEqual(['Camera', 'Screen', 'Battery'])
    expect(order({ bundledFaults: [tally('battery', 5), tally('screen', 50)] })).toEqual([
      'Screen',
      'Battery',
      'Camera',
    ])
  })

  test('many records of this model override its category, a few do not', () => {
    const bundledFaults = [tally('screen', 600), tally('battery', 400)]
    expect(order({ bundledFaults, importedFaults: [tally('battery', 2, DEVICE.id, 'Acme')] })[0]).toBe('Screen')
    expect(order({ bundledFaults, importedFaults: [tally('battery', 200, DEVICE.id, 'Acme')] })[0]).toBe('Battery')
  })

  test('shares add up to one and are pooled towards the wider group', () => {
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 4 }), (groups) => {
        const shares = [...estimateFaultShares(groups).values()]
        const total = shares.reduce((sum, share) => sum + share, 0)
        if (shares.length > 0) expect(total).toBeCloseTo(1, 9)
      }),
    )
    const shares = estimateFaultShares([new Map([['screen', 100]]), new Map([['battery', PRIOR_WEIGHT]])])
    expect(shares.get('screen')).toBeCloseTo(0.5, 9)
    expect(MIN_FAULT_SHARE).toBeLessThan(0.05)
  })

  test('three records of a fault on one model make it a failure point of that model', () => {
    const seen = (times: number) =>
      findProfileWith([], { importedFaults: [tally('hinge', times, DEVICE.id, 'Acme')] })(DEVICE, null).facts
        .failurePoints
    expect(seen(2)).toEqual([])
    expect(seen(3)[0]).toMatchObject({ level: 'device', source: 'failure statistics', value: { fault: 'hinge' } })
  })
})

test('a file with costs in the wrong unit is not read, and the unit is named', () => {
  const problemsWith = (cost_max: number) => {
    const part = { kind: 'screen', cost_min: 0, cost_max }
    const record = { level: 'category', subject: 'smartphone', repairs: [{ kind: 'screen', parts: [part] }] }
    const file = parseFactFile({ format: FACT_FORMAT, source: 'shop', updated_on: '2026-01-01', records: [record] })
    return 'problems' in file ? file.problems.map(({ message }) => message) : ['rejected']
  }
  expect(problemsWith(12_900)).toEqual([])
  expect(problemsWith(1_290_000)[0]).toContain('12900 is $129.00')
  expect(problemsWith(129)[0]).toContain('12900 is $129.00')
})
