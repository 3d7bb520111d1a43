import type { BaseLevel } from './base-level.ts'
import { isLockedChannel } from './channel-offsets.ts'
import { solveSymmetric } from './cholesky.ts'
import { type DeviceFit, type Spreads, treeVariances } from './device-fit.ts'
import {
  channelTerms,
  deviceTerms,
  type Effect,
  type EffectTerm,
  GRADE_SLOPE,
  gradeSlopeFactor,
  gradeTerms,
  LOCK_SLOPE,
  storageTerms,
} from './effect-terms.ts'
import type { FittedMarket } from './market.ts'
import { uses } from './model-parts.ts'
import { GRADE_COUNT, type ObservationColumns } from './observation-columns.ts'
import { createLevelSmoother } from './partial-pooling.ts'

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
  /** Whether devices of the channel are locked to a carrier, and the index of their effect by price; -1 without such devices. */
  readonly isLockedChannel: readonly boolean[]
  readonly lockSlopeIndex: number
  /** Index of the effect of the price on the steps between grades, and its factor for each grade. */
  readonly gradeSlopeIndex: number
  readonly gradeSlopeFactors: readonly number[]
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
  const rowsOfChannel = new Float64Array(channels.length)
  const gradeOfLabel = new Map<string, number>()
  for (const device of devices) {
    for (let at = 0; at < device.size; at += 1) {
      const channel = device.channel[at]!
      rowsOfChannel[channel] = rowsOfChannel[channel]! + 1
      gradeOfLabel.set(parts[channel]?.[2] ?? '', device.cell[at]! % GRADE_COUNT)
    }
  }
  const markets = new Set(parts.map(([source, side]) => `${source}/${side}`))
  const labels = new Map<string, Set<string>>()
  for (const [source, , label] of parts) {
    const key = `${source}/${gradeOfLabel.get(label)}`
    labels.set(key, (labels.get(key) ?? new Set()).add(label))
  }
  const termsByChannel = channels.map((name, at) => {
    const [source, , label] = parts[at] as [string, string, string, string]
    const isOnlyLabel = (labels.get(`${source}/${gradeOfLabel.get(label)}`)?.size ?? 0) < 2
    return channelTerms(name, market).filter(
      ({ effect }) =>
        !(effect.name.startsWith('market:') && markets.size < 2) && !(effect.name.startsWith('label:') && isOnlyLabel),
    )
  })
  const termsByDevice = devices.map(({ device, now }) => deviceTerms(device, now))

  const byName = new Map<string, { effect: Effect; rows: number }>()
  const expectedOf = ({ name, expected }: Effect) => inherited.get(name) ?? expected
  const count = (terms: readonly EffectTerm[], size: number) => {
    for (const { effect } of terms) {
      const entry = byName.get(effect.name)
      if (entry) entry.rows += size
      else byName.set(effect.name, { effect: { ...effect, expected: expectedOf(effect) }, rows: size })
    }
  }
  devices.forEach((columns, at) => {
    count(termsByDevice[at] as EffectTerm[], columns.size)
    for (let variant = 0; variant < columns.device.variants.length; variant += 1)
      count(storageTerms(columns.storage, variant, prior), 1e9)
  })
  for (let grade = 0; grade < GRADE_COUNT; grade += 1) count(gradeTerms(grade, prior, trade), 1e9)
  count([{ effect: GRADE_SLOPE, factor: 1 }], 1e9)
  const isLocked = channels.map(isLockedChannel)
  termsByChannel.forEach((terms, at) => {
    count(terms, rowsOfChannel[at]!)
    if (isLocked[at]) count([{ effect: LOCK_SLOPE, factor: 1 }], rowsOfChannel[at]!)
  })
  const effects = [...byName.values()]
    .filter(({ effect }) => isEstimated(effect.name))
    .sort((a, b) => b.rows - a.rows || (a.effect.name < b.effect.name ? -1 : 1))
    .slice(0, MAX_EFFECTS)
    .map(({ effect }) => effect)
  const indexByName = new Map(effects.map((effect, at) => [effect.name, at]))
  const compile = (terms: readonly EffectTerm[]): CompiledTerms => {
    const effectIndexes: number[] = []
    const factors: number[] = []
    let constant = 0
    for (const { effect, factor } of terms) {
      const index = indexByName.get(effect.name)
      if (index === undefined) constant += expectedOf(effect) * factor
      else if (factor !== 0) {
        effectIndexes.push(index)
        factors.push(factor)
      }
    }
    return { effectIndexes, factors, constant }
  }
  return {
    effects,
    device: termsByDevice.map(compile),
    variant: devices.map(({ device, storage }) =>
      device.variants.map((_, variant) => compile(storageTerms(storage, variant, prior))),
    ),
    grade: Array.from({ length: GRADE_COUNT }, (_, grade) => compile(gradeTerms(grade, prior, trade))),
    channel: termsByChannel.map(compile),
    isLockedChannel: isLocked,
    lockSlopeIndex: indexByName.get(LOCK_SLOPE.name) ?? -1,
    gradeSlopeIndex: indexByName.get(GRADE_SLOPE.name) ?? -1,
    gradeSlopeFactors: Array.from({ length: GRADE_COUNT }, (_, grade) => gradeSlopeFactor(grade, prior, trade)),
  }
}

/** Effects that an evaluation leaves out keep their expected value. */
function isEstimated(name: string): boolean {
  if (/^storage:\d+GB$/.test(name)) return uses('effect of each storage size')
  if (name === LOCK_SLOPE.name) return uses('lock discount by price')
  if (name === GRADE_SLOPE.name) return uses('grade steps by price')
  if (name === 'list') return uses('effect of the launch price')
  if (name === 'age') return uses('effect of the age')
  if (name.startsWith('label:')) return uses("effect of the seller's word")
  if (name.startsWith('market:')) return uses('effect of the source')
  return true
}

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
      start: { readonly level: number; readonly variance: number },
      { spreads, priceFactor }: Pick<BaseLevel, 'spreads' | 'priceFactor'>,
    ): void {
      const groups = groupForEffects(rows, fit, table.channel.length)
      const size = groups.cell.length
      if (!size) return
      const { normal, right } = parts[at % HOLDOUT_PARTS] as (typeof parts)[number]
      const columns = new Map<number, Float64Array>()
      const target = groups.mean.map((mean) => mean - start.level)
      const addFactor = (effectIndex: number, factor: number, group: number) => {
        let column = columns.get(effectIndex)
        if (!column) {
          column = new Float64Array(size)
          columns.set(effectIndex, column)
        }
        column[group] = column[group]! + factor
      }
      const addTerms = ({ effectIndexes, factors, constant }: CompiledTerms, group: number) => {
        target[group] = target[group]! - constant
        for (let term = 0; term < effectIndexes.length; term += 1)
          addFactor(effectIndexes[term]!, factors[term]!, group)
      }
      const byVariant = table.variant[at] as readonly CompiledTerms[]
      for (let group = 0; group < size; group += 1) {
        const cell = groups.cell[group]!
        addTerms(table.device[at] as CompiledTerms, group)
        addTerms(byVariant[Math.floor(cell / GRADE_COUNT)] as CompiledTerms, group)
        addTerms(table.grade[cell % GRADE_COUNT] as CompiledTerms, group)
        const gradeFactor = table.gradeSlopeFactors[cell % GRADE_COUNT]!
        if (table.gradeSlopeIndex >= 0 && gradeFactor !== 0)
          addFactor(table.gradeSlopeIndex, gradeFactor * priceFactor, group)
        const channel = groups.channel[group]!
        addTerms(table.channel[channel] as CompiledTerms, group)
        if (table.lockSlopeIndex >= 0 && table.isLockedChannel[channel])
          addFactor(table.lockSlopeIndex, priceFactor, group)
      }
      const project = residualProjector(rows, groups, start.variance, spreads)
      const active = [...columns]
      for (let first = 0; first < active.length; first += 1) {
        const [effect, column] = active[first] as [number, Float64Array]
        const weighted = project(column)
        let dot = 0
        for (let group = 0; group < size; group += 1) dot += weighted[group]! * target[group]!
        right[effect] = right[effect]! + dot
        // The matrix is symmetric: each pair is computed once.
        for (let second = first; second < active.length; second += 1) {
          const [other, values] = active[second] as [number, Float64Array]
          let product = 0
          for (let group = 0; group < size; group += 1) product += weighted[group]! * values[group]!
          normal[effect * count + other] = normal[effect * count + other]! + product
          if (other !== effect) normal[other * count + effect] = normal[other * count + effect]! + product
        }
      }
    },
    /** Solves for the effects, optionally without the devices of one part. */
    solve(withoutPart?: number): Map<string, number> {
      const normal = new Float64Array(count * count)
      const right = new Float64Array(count)
      parts.forEach((part, index) => {
        if (index === withoutPart) return
        for (let at = 0; at < normal.length; at += 1) normal[at] = normal[at]! + part.normal[at]!
        for (let at = 0; at < count; at += 1) right[at] = right[at]! + part.right[at]!
      })
      table.effects.forEach((effect, at) => {
        const priorPrecision = 1 / effect.spread ** 2
        normal[at * count + at] = normal[at * count + at]! + priorPrecision
        right[at] = right[at]! + priorPrecision * effect.expected
      })
      const solution = solveSymmetric(normal, right)
      return new Map(table.effects.map((effect, at) => [effect.name, solution[at]!]))
    },
  }
}

type EffectGroups = { cell: number[]; channel: number[]; weight: Float64Array; mean: Float64Array }

/** Rows of one cell and channel have the same terms, so their weighted mean represents them. */
function groupForEffects(rows: ObservationColumns, fit: DeviceFit, channels: number): EffectGroups {
  const groupByKey = new Map<number, number>()
  const cell: number[] = []
  const channel: number[] = []
  const weight: number[] = []
  const sum: number[] = []
  for (let at = 0; at < rows.size; at += 1) {
    const rowWeight = fit.trust[at]! * fit.baseWeight[at]!
    if (rowWeight < 1e-4) continue
    const key = rows.cell[at]! * channels + rows.channel[at]!
    let group = groupByKey.get(key)
    if (group === undefined) {
      group = cell.length
      groupByKey.set(key, group)
      cell.push(rows.cell[at]!)
      channel.push(rows.channel[at]!)
      weight.push(0)
      sum.push(0)
    }
    weight[group] = weight[group]! + rowWeight
    sum[group] = sum[group]! + rowWeight * rows.lnCents[at]!
  }
  return {
    cell,
    channel,
    weight: Float64Array.from(weight),
    mean: Float64Array.from(sum, (total, at) => total / weight[at]!),
  }
}

/** Multiplies a column by the inverse covariance of the tree. */
function residualProjector(rows: ObservationColumns, groups: EffectGroups, startVariance: number, spreads: Spreads) {
  const cells = rows.device.variants.length * GRADE_COUNT
  const precision = new Float64Array(cells)
  const groupPrecision = groups.weight.map((weight, group) => {
    const grade = groups.cell[group]! % GRADE_COUNT
    return weight / (spreads.listing * spreads.gradeFactor[grade]!) ** 2
  })
  groups.cell.forEach((cell, group) => {
    precision[cell] = precision[cell]! + groupPrecision[group]!
  })
  const smooth = createLevelSmoother({
    variants: rows.device.variants.length,
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
      const cell = groups.cell[group]!
      const share = groupPrecision[group]! / precision[cell]!
      mean[cell] = mean[cell]! + share * values[group]!
    }
    smooth(mean, level)
    for (let group = 0; group < values.length; group += 1) {
      const explained = level[groups.cell[group]!]!
      weighted[group] = groupPrecision[group]! * (values[group]! - explained)
    }
    return weighted
  }
}
