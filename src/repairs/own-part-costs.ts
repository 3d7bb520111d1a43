/**
 * What parts cost an organization, learned from the costs that it booked on its stock: random effects of all parts, the part, its
 * product family and the device, each shrunk towards the next coarser one. Screens of one family say much about screens of that family,
 * little about other screens, and next to nothing about batteries.
 */
import type { PartKind } from './fault-kinds.ts'
import type { CostRange } from './repair-fact.ts'

/** A booked cost relative to the usual one (ln), and what it was for. */
export type BookedPart = PartSubject & { readonly ln: number }

/** `family`: the product line, or the category without one. */
export type PartSubject = { readonly part: PartKind; readonly family: string; readonly deviceId: string }

/** Distance (ln) from the usual cost, the share of own data in it, and the spread (ln) of single costs. */
export type OwnPartCost = { readonly ln: number; readonly share: number; readonly spread: number }

export type OwnPartCosts = { readonly costOf: (subject: PartSubject) => OwnPartCost | null }

/** Booked costs at which a group counts half: of all parts, of one part, of its family, of its device. */
const HALF_AT = [8, 3, 1.5, 1] as const
/** A cost beyond this (ln) from the usual one is an error, or for something else. */
const MAX_DISTANCE = Math.log(5)
/** Fewer costs of a family or device say nothing: one may be a mistake. */
const MIN_COSTS = 2
const MIN_SPREAD = 0.12
const USUAL_SPREAD = 0.3
/** Costs at which the measured spread counts half. */
const SPREAD_HALF_AT = 4

const groupsOf = ({ part, family, deviceId }: PartSubject) => [
  'all',
  part,
  `${part} of ${family}`,
  `${part} of ${family}: ${deviceId}`,
]

export function fitOwnPartCosts(booked: readonly BookedPart[]): OwnPartCosts | null {
  const usable = booked.filter(({ ln }) => Math.abs(ln) <= MAX_DISTANCE)
  if (usable.length < MIN_COSTS) return null
  const byGroup = new Map<string, number[]>()
  for (const cost of usable)
    for (const name of groupsOf(cost)) byGroup.set(name, [...(byGroup.get(name) ?? []), cost.ln])
  const costOf = (subject: PartSubject): OwnPartCost | null => {
    let ln = 0
    let unknownShare = 1
    let finest: readonly number[] = []
    groupsOf(subject).forEach((name, depth) => {
      const group = byGroup.get(name) ?? []
      if (group.length < MIN_COSTS) return
      const weight = group.length / (group.length + (HALF_AT[depth] ?? 1))
      ln += weight * (medianOf(group) - ln)
      // Costs of other parts say how much a shop pays, not what this part costs.
      if (depth > 0) unknownShare *= 1 - weight
      finest = group
    })
    return finest.length === 0 ? null : { ln, share: 1 - unknownShare, spread: spreadOf(finest) }
  }
  return { costOf }
}

const HALF_WIDTH_80 = 1.2816
const IN_DOLLARS = 100

/** The usual range of a part, moved and narrowed as far as own costs say. Its middle is the geometric mean. */
export function withOwnCost({ minCents, maxCents }: CostRange, own: OwnPartCost): CostRange {
  const middle = (Math.log(minCents) + Math.log(maxCents)) / 2 + own.ln
  const usualHalfWidth = (Math.log(maxCents) - Math.log(minCents)) / 2
  const halfWidth = (1 - own.share) * usualHalfWidth + own.share * HALF_WIDTH_80 * own.spread
  const inDollars = (ln: number) => Math.max(IN_DOLLARS, Math.round(Math.exp(ln) / IN_DOLLARS) * IN_DOLLARS)
  return { minCents: inDollars(middle - halfWidth), maxCents: inDollars(middle + halfWidth) }
}

/** Middle of a range (ln cents). */
export const lnMiddle = ({ minCents, maxCents }: CostRange) => (Math.log(minCents) + Math.log(maxCents)) / 2

function spreadOf(values: readonly number[]): number {
  const middle = medianOf(values)
  const measured = 1.4826 * medianOf(values.map((value) => Math.abs(value - middle)))
  const weight = values.length / (values.length + SPREAD_HALF_AT)
  return Math.max(MIN_SPREAD, weight * measured + (1 - weight) * USUAL_SPREAD)
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
