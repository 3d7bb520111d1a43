import { solveSymmetric } from './cholesky.ts'
import { type DeviceFit, type Spreads, treeVariances } from './device-fit.ts'
import {
  channelTerms,
  deviceTerms,
  type Effect,
  type EffectTerm,
  type FittedMarket,
  gradeTerms,
  storageTerms,
} from './market.ts'
import { GRADE_COUNT, type ObservationColumns } from './observation-columns.ts'
import { createLevelSmoother } from './partial-pooling.ts'

/** Beyond this distance (standard deviations) a variant or a device loses weight. */
const HUBER_LIMIT = 1.345

/** Beyond this number the rarest effects keep their expected value, because solving is cubic in their number. */
const MAX_EFFECTS = 160

/** The effects that can be estimated, numbered. An effect shared by all rows is part of the level. */
export type EffectTable = {
  readonly effects: readonly Effect[]
  /** The terms of each device, each of its variants, each grade and each channel. */
  readonly device: readonly CompiledTerms[]
  readonly variant: readonly (readonly CompiledTerms[])[]
  readonly grade: readonly CompiledTerms[]
  readonly channel: readonly CompiledTerms[]
}

/** Terms by effect index; effects that are not estimated contribute their expected value to `constant`. */
type CompiledTerms = {
  readonly effectIndexes: readonly number[]
  readonly factors: readonly number[]
  readonly constant: number
}

export function compileEffects(
  devices: readonly ObservationColumns[],
  channels: readonly string[],
  market: Pick<FittedMarket, 'prior' | 'trade' | 'country'>,
  inherited: ReadonlyMap<string, number> = new Map(),
): EffectTable {
  const { prior, trade } = market
  const parts = channels.map((channel) => channel.split('\t') as [string, string, string, string])
  const rows = new Float64Array(channels.length)
  const rungOf = new Map<string, number>()
  for (const device of devices) {
    for (let at = 0; at < device.size; at += 1) {
      const channel = device.channel[at] as number
      rows[channel] = (rows[channel] as number) + 1
      rungOf.set(parts[channel]?.[2] ?? '', (device.cell[at] as number) % GRADE_COUNT)
    }
  }
  const markets = new Set(parts.map(([source, side]) => `${source}/${side}`))
  const labels = new Map<string, Set<string>>()
  for (const [source, , label] of parts) {
    const key = `${source}/${rungOf.get(label)}`
    labels.set(key, (labels.get(key) ?? new Set()).add(label))
  }
  const channel = channels.map((name, at) => {
    const [source, , label] = parts[at] as [string, string, string, string]
    const alone = (labels.get(`${source}/${rungOf.get(label)}`)?.size ?? 0) < 2
    return channelTerms(name, market).filter(
      ({ effect }) =>
        !(effect.name.startsWith('market:') && markets.size < 2) && !(effect.name.startsWith('label:') && alone),
    )
  })
  const device = devices.map(({ device: facts }, at) => deviceTerms(facts, nowOf(devices, at)))

  const weight = new Map<string, { effect: Effect; rows: number }>()
  const expectedOf = ({ name, expected }: Effect) => inherited.get(name) ?? expected
  const count = (terms: readonly EffectTerm[], size: number) => {
    for (const { effect } of terms) {
      const known = weight.get(effect.name)
      if (known) known.rows += size
      else weight.set(effect.name, { effect: { ...effect, expected: expectedOf(effect) }, rows: size })
    }
  }
  devices.forEach((columns, at) => {
    count(device[at] as EffectTerm[], columns.size)
    for (let v = 0; v < columns.combinedSteps.length; v += 1)
      count(storageTerms(columns.storage, v, columns.ageYears, prior), 1e9)
  })
  for (let rung = 0; rung < GRADE_COUNT; rung += 1) count(gradeTerms(rung, prior, trade), 1e9)
  channel.forEach((terms, at) => {
    count(terms, rows[at] as number)
  })
  const list = [...weight.values()]
    .sort((a, b) => b.rows - a.rows || (a.effect.name < b.effect.name ? -1 : 1))
    .slice(0, MAX_EFFECTS)
    .map(({ effect }) => effect)
  const numberOf = new Map(list.map((effect, at) => [effect.name, at]))
  const compile = (terms: readonly EffectTerm[]): CompiledTerms => {
    const numbers: number[] = []
    const factors: number[] = []
    let rest = 0
    for (const { effect, factor } of terms) {
      const number = numberOf.get(effect.name)
      if (number === undefined) rest += expectedOf(effect) * factor
      else if (factor !== 0) {
        numbers.push(number)
        factors.push(factor)
      }
    }
    return { effectIndexes: numbers, factors, constant: rest }
  }
  return {
    effects: list,
    device: device.map(compile),
    variant: devices.map(({ combinedSteps: steps, storage, ageYears: age }) =>
      Array.from(steps, (_, v) => compile(storageTerms(storage, v, age, prior))),
    ),
    grade: Array.from({ length: GRADE_COUNT }, (_, rung) => compile(gradeTerms(rung, prior, trade))),
    channel: channel.map(compile),
  }
}

const nowOf = (devices: readonly ObservationColumns[], at: number) => (devices[at] as ObservationColumns).now

/** Number of parts the devices are split into; each can be held out. */
export const HOLDOUT_PARTS = 5

/** Generalized least squares under the covariance of the tree; each effect is shrunk towards its expected value. */
export function effectSolver(table: EffectTable) {
  const count = table.effects.length
  const parts = Array.from({ length: HOLDOUT_PARTS }, () => ({
    normal: new Float64Array(count * count),
    right: new Float64Array(count),
  }))
  return {
    /** `at`: index of the device in the table. `start`: ln cents of its cells before any effect. */
    add(
      at: number,
      rows: ObservationColumns,
      fit: DeviceFit,
      start: { readonly level: number; readonly variance: number; readonly cells?: Float64Array },
      spreads: Spreads,
    ): void {
      const groups = groupForEffects(rows, fit, table.channel.length, outlierWeights(fit, start.variance, spreads))
      const size = groups.cell.length
      if (!size) return
      const { normal, right } = parts[at % HOLDOUT_PARTS] as (typeof parts)[number]
      const columns = new Map<number, Float64Array>()
      const target = groups.mean.map(
        (mean, group) => mean - start.level - (start.cells?.[groups.cell[group] as number] ?? 0),
      )
      const put = ({ effectIndexes: numbers, factors, constant: rest }: CompiledTerms, group: number) => {
        target[group] = (target[group] as number) - rest
        for (let term = 0; term < numbers.length; term += 1) {
          const number = numbers[term] as number
          let column = columns.get(number)
          if (!column) {
            column = new Float64Array(size)
            columns.set(number, column)
          }
          column[group] = (column[group] as number) + (factors[term] as number)
        }
      }
      const byVariant = table.variant[at] as readonly CompiledTerms[]
      for (let group = 0; group < size; group += 1) {
        const cell = groups.cell[group] as number
        put(table.device[at] as CompiledTerms, group)
        put(byVariant[Math.floor(cell / GRADE_COUNT)] as CompiledTerms, group)
        put(table.grade[cell % GRADE_COUNT] as CompiledTerms, group)
        put(table.channel[groups.channel[group] as number] as CompiledTerms, group)
      }
      const unexplained = residualProjector(rows, fit, groups, start.variance, spreads)
      const active = [...columns]
      for (let one = 0; one < active.length; one += 1) {
        const [effect, column] = active[one] as [number, Float64Array]
        const weighted = unexplained(column)
        let dot = 0
        for (let group = 0; group < size; group += 1) dot += (weighted[group] as number) * (target[group] as number)
        right[effect] = (right[effect] as number) + dot
        // The matrix is symmetric: each pair is computed once.
        for (let two = one; two < active.length; two += 1) {
          const [other, values] = active[two] as [number, Float64Array]
          let product = 0
          for (let group = 0; group < size; group += 1)
            product += (weighted[group] as number) * (values[group] as number)
          normal[effect * count + other] = (normal[effect * count + other] as number) + product
          if (other !== effect) normal[other * count + effect] = (normal[other * count + effect] as number) + product
        }
      }
    },
    /** Solves for the effects, optionally without the devices of one part. */
    solve(without?: number): Map<string, number> {
      const normal = new Float64Array(count * count)
      const right = new Float64Array(count)
      parts.forEach((part, number) => {
        if (number === without) return
        for (let at = 0; at < normal.length; at += 1) normal[at] = (normal[at] as number) + (part.normal[at] as number)
        for (let at = 0; at < count; at += 1) right[at] = (right[at] as number) + (part.right[at] as number)
      })
      table.effects.forEach((effect, at) => {
        const firmness = 1 / effect.spread ** 2
        normal[at * count + at] = (normal[at * count + at] as number) + firmness
        right[at] = (right[at] as number) + firmness * effect.expected
      })
      const solved = solveSymmetric(normal, right)
      return new Map(table.effects.map((effect, at) => [effect.name, solved[at] as number]))
    },
  }
}

/**
 * Huber weights, so that one unusual device does not distort the market's effects: the weight of a variant far from its
 * siblings, or a device far from its expected price, falls with the distance. More rows do not raise it, because it is bounded
 * by the spread between variants.
 */
function outlierWeights({ pooled }: DeviceFit, startVariance: number, spreads: Spreads): Float64Array {
  const deviceVariance = startVariance + spreads.device ** 2
  const thin = (precision: number, own: number, distance: number, variance: number) => {
    const say = Math.min(1, HUBER_LIMIT / (Math.abs(distance) / Math.sqrt(variance)))
    return say / (1 + own * precision * (1 - say))
  }
  const { devicePrecision, deviceMean } = pooled
  const ofDevice = devicePrecision
    ? thin(devicePrecision, deviceVariance, deviceMean, deviceVariance + 1 / devicePrecision)
    : 1
  return pooled.variantPrecision.map((precision, at) => {
    if (precision === 0) return ofDevice
    const distance = (pooled.variantMean[at] as number) - (pooled.variantLevelWithout[at] as number)
    const variance = (pooled.variantVarianceWithout[at] as number) + 1 / precision
    return Math.min(ofDevice, thin(precision, spreads.variant ** 2, distance, variance))
  })
}

type EffectGroups = { cell: number[]; channel: number[]; weight: Float64Array; mean: Float64Array }

/** Rows of one cell and channel have the same terms, so their weighted mean represents them. */
function groupForEffects(
  rows: ObservationColumns,
  fit: DeviceFit,
  channels: number,
  trusted: Float64Array,
): EffectGroups {
  const numbers = new Map<number, number>()
  const cell: number[] = []
  const channel: number[] = []
  const weight: number[] = []
  const sum: number[] = []
  for (let at = 0; at < rows.size; at += 1) {
    const share = (fit.trust[at] as number) * (fit.baseWeight[at] as number)
    if (share < 1e-4) continue
    const key = (rows.cell[at] as number) * channels + (rows.channel[at] as number)
    let group = numbers.get(key)
    if (group === undefined) {
      group = cell.length
      numbers.set(key, group)
      cell.push(rows.cell[at] as number)
      channel.push(rows.channel[at] as number)
      weight.push(0)
      sum.push(0)
    }
    weight[group] = (weight[group] as number) + share
    sum[group] = (sum[group] as number) + share * (rows.lnCents[at] as number)
  }
  sum.forEach((total, group) => {
    const believed = trusted[Math.floor((cell[group] as number) / GRADE_COUNT)] as number
    sum[group] = total * believed
    weight[group] = (weight[group] as number) * believed
  })
  return {
    cell,
    channel,
    weight: Float64Array.from(weight),
    mean: Float64Array.from(sum, (total, at) => total / (weight[at] as number)),
  }
}

/** Multiplies a column by the inverse covariance of the tree. */
function residualProjector(
  rows: ObservationColumns,
  fit: DeviceFit,
  groups: EffectGroups,
  startVariance: number,
  spreads: Spreads,
) {
  const cells = rows.combinedSteps.length * GRADE_COUNT
  const precision = new Float64Array(cells)
  const groupPrecision = groups.weight.map((weight, group) => {
    const rung = (groups.cell[group] as number) % GRADE_COUNT
    return weight / (fit.listingSpread * (spreads.gradeFactor[rung] as number)) ** 2
  })
  groups.cell.forEach((cell, group) => {
    precision[cell] = (precision[cell] as number) + (groupPrecision[group] as number)
  })
  const smooth = createLevelSmoother({
    steps: rows.combinedSteps,
    gradeCount: GRADE_COUNT,
    precision,
    ...treeVariances(spreads, startVariance + spreads.device ** 2),
  })
  const mean = new Float64Array(cells)
  const level = new Float64Array(cells)
  const weighted = new Float64Array(groupPrecision.length)
  /** The result is overwritten by the next call. */
  return (values: Float64Array): Float64Array => {
    mean.fill(0)
    for (let group = 0; group < values.length; group += 1) {
      const cell = groups.cell[group] as number
      const share = (groupPrecision[group] as number) / (precision[cell] as number)
      mean[cell] = (mean[cell] as number) + share * (values[group] as number)
    }
    smooth(mean, level)
    for (let group = 0; group < values.length; group += 1) {
      const explained = level[groups.cell[group] as number] as number
      weighted[group] = (groupPrecision[group] as number) * ((values[group] as number) - explained)
    }
    return weighted
  }
}
