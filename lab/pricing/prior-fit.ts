import { MARKET_GRADES, RANKED_GRADE_COUNT } from '../../src/catalog/grade.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { baseLevel } from '../../src/pricing/model/base-level.ts'
import { type DepreciationFamily, familyOf } from '../../src/pricing/model/device-family.ts'
import type { FittedMarket } from '../../src/pricing/model/market.ts'
import { fitMarket } from '../../src/pricing/model/market-fit.ts'
import type { DeviceInput, Trade } from '../../src/pricing/model/observation.ts'
import { ageYears, eraShift, storageSteps } from '../../src/pricing/model/prior.ts'
import type { PriorCoefficients } from '../../src/pricing/model/prior-coefficients.ts'
import { DATASETS, type DatasetName } from './datasets.ts'
import { bendTerms, knotWeights, leastSquares } from './least-squares.ts'
import type { PriceDataset } from './price-set.ts'
import { HALF_YEARS } from './splits.ts'

/** One real market at one moment, fitted by the engine. */
export type MarketSnapshot = {
  readonly set: DatasetName
  readonly at: number
  readonly market: FittedMarket
  readonly isForeign: boolean
  readonly points: DevicePoint[]
}

/** One observed device: ln of its base level over its launch price. */
type DevicePoint = {
  readonly deviceId: string
  readonly family: DepreciationFamily
  readonly make: string
  readonly age: number
  readonly listLn: number
  readonly ratio: number
  readonly weight: number
}

type Moment = {
  readonly set: DatasetName
  readonly trade: Trade
  readonly dates: readonly (string | null)[]
  readonly days: number
  /** From another country with another price level: only its slopes are used. */
  readonly isForeign?: boolean
}

/** Daily averages are sampled twice a year; the other sets are one moment each. */
const MOMENTS: readonly Moment[] = [
  { set: 'swappa_2018', trade: 'resale', dates: [null], days: 365 },
  { set: 'ebay_iphone5s_2015', trade: 'resale', dates: [null], days: 365 },
  { set: 'ebay_active_condition', trade: 'resale', dates: [null], days: 365 },
  {
    set: 'howmuch_one',
    trade: 'resale',
    dates: ['2020-06-15', ...HALF_YEARS, '2024-07-15'],
    days: 30,
  },
  { set: 'refit_wholesale_us', trade: 'buyback', dates: [null], days: 365 },
  { set: 'cex_macbooks_uk', trade: 'resale', dates: [null], days: 365 },
  { set: 'njuskalo_hr', trade: 'resale', dates: [null], days: 365, isForeign: true },
  { set: 'shops_vn_2024', trade: 'resale', dates: [null], days: 365, isForeign: true },
]

/** Launch prices (US, unlocked) of the phones in the sets that are not Apple's, from the makers' announcements. */
const OTHER_LAUNCHES: Readonly<Record<string, { on: string; usd: number; gb: number }>> = {
  'galaxy s23': { on: '2023-02-17', usd: 799, gb: 128 },
  'galaxy s23 plus': { on: '2023-02-17', usd: 999, gb: 256 },
  'galaxy s23 ultra': { on: '2023-02-17', usd: 1199, gb: 256 },
  'galaxy s24': { on: '2024-01-31', usd: 799, gb: 128 },
  'galaxy s24 plus': { on: '2024-01-31', usd: 999, gb: 256 },
  'galaxy s24 ultra': { on: '2024-01-31', usd: 1299, gb: 256 },
  'galaxy s24 fe': { on: '2024-10-03', usd: 649, gb: 128 },
  'galaxy s25': { on: '2025-02-07', usd: 799, gb: 128 },
  'galaxy s25 plus': { on: '2025-02-07', usd: 999, gb: 256 },
  'galaxy s25 ultra': { on: '2025-02-07', usd: 1299, gb: 256 },
  'galaxy z fold 3': { on: '2021-08-27', usd: 1799, gb: 256 },
  'galaxy z fold 4': { on: '2022-08-26', usd: 1799, gb: 256 },
  'galaxy z fold 5': { on: '2023-08-11', usd: 1799, gb: 256 },
  'galaxy z fold 6': { on: '2024-07-24', usd: 1899, gb: 256 },
}

function withOtherLaunches(device: DeviceInput): DeviceInput {
  const launch = OTHER_LAUNCHES[device.deviceId]
  if (!launch || device.releasedAt !== null) return device
  return {
    ...device,
    releasedAt: Date.parse(launch.on),
    variants: device.variants.map((v) => (v.storageGb === launch.gb ? { ...v, listCents: launch.usd * 100 } : v)),
  }
}

export async function readSets(folder: string, launches: Parameters<(typeof DATASETS)[DatasetName]>[1]) {
  const sets = new Map<DatasetName, PriceDataset>()
  for (const { set } of MOMENTS) sets.set(set, await DATASETS[set](folder, launches))
  return sets
}

export function snapshots(sets: ReadonlyMap<DatasetName, PriceDataset>, prior: PriorCoefficients): MarketSnapshot[] {
  return MOMENTS.flatMap((moment) => {
    const set = sets.get(moment.set)
    if (!set) return []
    const devices = set.devices.map(withOtherLaunches)
    const released = new Map(devices.flatMap((d) => d.variants.map((v) => [v.variantId, d.releasedAt ?? 0])))
    return moment.dates.map((on) => {
      const at = on ? Date.parse(on) : set.observations.reduce((last, row) => Math.max(last, row.observedAt), 0)
      // A price from before the launch is another product under the same name.
      const rows = set.observations.filter(
        (row) =>
          row.observedAt <= at &&
          row.observedAt > at - moment.days * DAY_MS &&
          row.observedAt > (released.get(row.variantId) ?? 0) + 20 * DAY_MS,
      )
      const rowsByVariant = Map.groupBy(rows, ({ variantId }) => variantId)
      const observationsOf = (device: DeviceInput) =>
        device.variants.flatMap((v) => rowsByVariant.get(v.variantId) ?? [])
      const input = { devices, observationsOf, now: at, prior }
      const resale = moment.trade === 'buyback' ? fitMarket(input, 'resale') : undefined
      const market = fitMarket(input, moment.trade, resale ? { resale } : {})
      return {
        set: moment.set,
        at,
        isForeign: moment.isForeign ?? false,
        market,
        points: points(devices, market, at, resale),
      }
    })
  })
}

function points(
  devices: readonly DeviceInput[],
  market: FittedMarket,
  at: number,
  resale: FittedMarket | undefined,
): DevicePoint[] {
  return devices.flatMap((device) => {
    const observed = market.observedDevices.get(device.deviceId)
    const age = ageYears(device, at)
    const listLn = storageSteps(device).baseLn
    if (!observed || observed.precision === 0 || age === null || listLn === null) return []
    const ratio = baseLevel(market, device, at, resale ? { resale } : {}).mean + observed.deviation - listLn
    return [
      {
        deviceId: device.deviceId,
        family: familyOf(device),
        make: device.make,
        age,
        listLn,
        ratio,
        weight: 1 / (0.1 ** 2 + 1 / observed.precision),
      },
    ]
  })
}

/** Start of the calibration: values from published studies of used phones, not the last result of the calibration. */
export const INITIAL_PRIOR: PriorCoefficients = {
  ageYears: [0, 1, 2, 3, 4, 6, 8, 12],
  appleCurve: [-0.2, -0.42, -0.68, -0.95, -1.2, -1.75, -2.1, -2.6],
  otherCurve: [-0.3, -0.65, -1.0, -1.32, -1.6, -2.1, -2.5, -3],
  launchPriceSlope: 0,
  eraLevel: 0,
  eraByAge: 0,
  resaleByGrade: [0.15, 0.083, 0, -0.091, -0.43],
  buybackByGrade: [0.14, 0.073, 0, -0.09, -0.73],
  launchPriceStep: 0.6,
  doublingStep: 0.03,
  askPremium: 0.05,
  lockedDiscount: -0.05,
  driftPerMonthApple: -0.02,
  driftPerMonthOther: -0.032,
}

export type PriorFit = {
  readonly coefficients: PriorCoefficients
  /** Root mean square error of the curve per device, after fitting each market's level and slope. */
  readonly deviceError: number
  /** Spread of markets in level, and in slope per year. */
  readonly levelSpread: number
  readonly ageSpread: number
  readonly points: number
}

const KNOTS = [0, 1, 2, 3, 4, 6, 8, 12]
const LN_700 = Math.log(70_000)
/** Dealers pay about 0.75 of resale asks (0.70 to 0.83 in published comparisons). */
const LN_QUOTE_OVER_RESALE = -0.29
/** Other makes lose about 10 % per year more than Apple. */
const YEARLY_SURPLUS = -0.1
/** Prior spreads of markets in level and yearly slope. */
const LEVEL_SPREAD = 0.12
const FOREIGN_LEVEL_SPREAD = 1
const AGE_SPREAD = 0.05

export function fitPrior(all: readonly MarketSnapshot[], without?: DatasetName): PriorFit {
  const included = all.filter((snapshot) => snapshot.set !== without)
  const resale = included.filter((snapshot) => snapshot.market.trade === 'resale' && snapshot.set !== 'cex_macbooks_uk')
  const buyback = included.filter((snapshot) => snapshot.market.trade === 'buyback')
  const curveSets = [...resale, ...buyback]
  const knots = KNOTS.length
  // Unknowns: curve, slope in launch price, two era terms, then level and yearly slope of each market.
  const size = knots + 3 + 2 * curveSets.length
  const squares = leastSquares(size)
  const addPrior = (at: number, spread: number, expected = 0) => squares.add([[at, 1]], expected, 1 / spread ** 2)
  const rowOf = (point: DevicePoint, at: number): [number, number][] => [
    ...knotWeights(KNOTS, point.age),
    [knots, point.listLn - LN_700],
    [knots + 1, eraShift(curveSets[at]?.at ?? 0, point.age, { ...INITIAL_PRIOR, eraLevel: 1, eraByAge: 0 })],
    [knots + 2, eraShift(curveSets[at]?.at ?? 0, point.age, { ...INITIAL_PRIOR, eraLevel: 0, eraByAge: 1 })],
    [knots + 3 + 2 * at, 1],
    [knots + 4 + 2 * at, point.age - 3],
  ]
  for (let knot = 0; knot < knots; knot += 1) addPrior(knot, 3)
  addPrior(knots, 0.3)
  addPrior(knots + 1, 0.06)
  addPrior(knots + 2, 0.02)
  for (const terms of bendTerms(KNOTS)) squares.add(terms, 0, 1 / 0.12 ** 2)
  curveSets.forEach((snapshot, at) => {
    // Several moments of one source are not independent.
    const share = 1 / Math.sqrt(curveSets.filter((other) => other.set === snapshot.set).length)
    // Dealer quotes are below resale by their margin, which no set separates from the level, so it is fixed.
    addPrior(
      knots + 3 + 2 * at,
      snapshot.isForeign ? FOREIGN_LEVEL_SPREAD : LEVEL_SPREAD,
      snapshot.market.trade === 'resale' ? 0 : LN_QUOTE_OVER_RESALE,
    )
    addPrior(knots + 4 + 2 * at, AGE_SPREAD)
    for (const point of snapshot.points.filter(({ make, age }) => make === 'Apple' && age < 11))
      squares.add(rowOf(point, at), point.ratio, point.weight * share)
  })
  const solution = squares.solve()
  let squaredErrors = 0
  let count = 0
  curveSets.forEach((snapshot, at) => {
    for (const point of snapshot.points.filter(({ make, age }) => make === 'Apple' && age < 11)) {
      const fitted = rowOf(point, at).reduce((sum, [i, x]) => sum + x * solution[i]!, 0)
      squaredErrors += (point.ratio - fitted) ** 2
      count += 1
    }
  })
  const levels = resale.flatMap(({ isForeign }, at) => (isForeign ? [] : solution[knots + 3 + 2 * at]!))
  const slopes = curveSets.map((_, at) => solution[knots + 4 + 2 * at]!)
  const apple = Array.from(solution.slice(0, knots))
  const surplus = yearlySurplus(buyback, apple, {
    ...INITIAL_PRIOR,
    launchPriceSlope: solution[knots]!,
    eraLevel: solution[knots + 1]!,
    eraByAge: solution[knots + 2]!,
  })
  const round = (value: number) => Math.round(value * 1000) / 1000
  const shrunkEffect = (name: string, from: readonly MarketSnapshot[], prior: number, spread: number) => {
    const values = from.flatMap(({ market }) => market.effects.get(name) ?? [])
    const sets = new Set(from.filter(({ market }) => market.effects.has(name)).map(({ set }) => set)).size
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
    const priorWeight = (0.04 / spread) ** 2
    return round(sets ? (mean * sets + prior * priorWeight) / (sets + priorWeight) : prior)
  }
  const initial = INITIAL_PRIOR
  const locks = resale.flatMap(({ market }) =>
    [...market.effects].flatMap(([name, value]) => (name.startsWith('lock:') ? value : [])),
  )
  const drifts = (make: string) =>
    included.flatMap(({ market, set }) => (set === 'cex_macbooks_uk' ? [] : (market.drift.get(make)?.perMonth ?? [])))
  const mean = (values: readonly number[], otherwise: number) =>
    values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise
  return {
    points: count,
    deviceError: Math.sqrt(squaredErrors / count),
    levelSpread: Math.sqrt(
      mean(
        levels.map((level) => level ** 2),
        0,
      ),
    ),
    ageSpread: Math.sqrt(
      mean(
        slopes.map((slope) => slope ** 2),
        0,
      ),
    ),
    coefficients: {
      ageYears: KNOTS,
      appleCurve: apple.map(round),
      otherCurve: apple.map((value, at) => round(value + surplus * (KNOTS[at]! > 6 ? 6.5 : KNOTS[at]! + 0.5))),
      launchPriceSlope: round(solution[knots]!),
      eraLevel: round(solution[knots + 1]!),
      eraByAge: round(solution[knots + 2]!),
      resaleByGrade: MARKET_GRADES.slice(0, RANKED_GRADE_COUNT).map((grade, at) =>
        grade === 'Good'
          ? 0
          : shrunkEffect(
              `grade:${grade}`,
              included.filter(
                ({ market, set }) =>
                  market.trade === 'resale' &&
                  set !== 'howmuch_one' &&
                  (grade !== 'Fair' || set !== 'ebay_active_condition'),
              ),
              initial.resaleByGrade[at] as number,
              0.1,
            ),
      ),
      buybackByGrade: MARKET_GRADES.slice(0, RANKED_GRADE_COUNT).map((grade, at) =>
        grade === 'Good' ? 0 : shrunkEffect(`grade:${grade}`, buyback, initial.buybackByGrade[at] as number, 0.04),
      ),
      launchPriceStep: shrunkEffect('storage:list', resale, initial.launchPriceStep, 0.2),
      doublingStep: shrunkEffect('storage:doubling', resale, initial.doublingStep, 0.1),
      askPremium: initial.askPremium,
      lockedDiscount: round(mean(locks, initial.lockedDiscount)),
      driftPerMonthApple: round((mean(drifts('Apple'), -0.02) + -0.02) / 2),
      driftPerMonthOther: round(mean([...drifts('Samsung'), -0.032, -0.032], -0.032)),
    },
  }
}

/**
 * Additional depreciation of other makes per year. The only set with other makes has dealers' quotes, so they are compared with
 * the Apple rows of the same set, which removes the dealers' margin and its dependence on age.
 */
function yearlySurplus(buyback: readonly MarketSnapshot[], curve: readonly number[], era: PriorCoefficients) {
  // Unknowns: margin at three years, its slope in age and in ln list, yearly surplus of other makes.
  const squares = leastSquares(4)
  squares.add([[0, 1]], LN_QUOTE_OVER_RESALE, 1 / 0.06 ** 2)
  squares.add([[1, 1]], 0, 1 / 0.1 ** 2)
  squares.add([[2, 1]], 0, 1 / 0.3 ** 2)
  squares.add([[3, 1]], YEARLY_SURPLUS, 1 / 0.02 ** 2)
  for (const snapshot of buyback) {
    for (const point of snapshot.points.filter(({ age }) => age < 6)) {
      const row = [1, point.age - 3, point.listLn - LN_700, point.make === 'Apple' ? 0 : point.age + 0.5]
      const expectedRatio = knotWeights(KNOTS, point.age).reduce((sum, [i, x]) => sum + x * curve[i]!, 0)
      const target =
        point.ratio -
        expectedRatio -
        era.launchPriceSlope * (point.listLn - LN_700) -
        eraShift(snapshot.at, point.age, era)
      // One list by three dealers is one source, so its rows are down-weighted.
      squares.add([...row.entries()], target, 0.05 * point.weight)
    }
  }
  return squares.solve()[3]!
}
