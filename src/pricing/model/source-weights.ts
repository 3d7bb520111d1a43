import { cellRanges } from './cell-ranges.ts'
import type { ObservationColumns } from './observation-columns.ts'

/** Ids of organizations begin like this; a price that an organization contributed has its id as the source. */
const CONTRIBUTOR_PREFIX = 'org_'

export function isContributed(source: string): boolean {
  return source.startsWith(CONTRIBUTOR_PREFIX)
}

/** A channel is named after its source. */
export const sourceOfChannel = (channel: string) => channel.slice(0, channel.indexOf('\t'))

/** Up to this many rows of a list count in full, even beside much smaller lists: one row must not outweigh hundreds. */
const UNCAPPED_WEIGHT = 50

/**
 * Factor for the weight of each source, so that no source dominates a price that others report too.
 *
 * A contributor holds at most a third beside any other source. An imported list, which the operator chose, holds at most a
 * third beside two or more lists, and at most half beside one. Contributions never lower the weight of a list.
 */
export function sourceFactors(weights: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const lists = [...weights].filter(([source]) => !isContributed(source))
  const contributors = [...weights].filter(([source]) => isContributed(source))
  const capped = capWithinGroup(lists)
  const balanced = lists.length ? contributors : capWithinGroup(contributors)
  if (lists.length) {
    const fromLists = sum(capped)
    const contributed = sum(contributors)
    for (const [at, [source, weight]] of contributors.entries()) {
      balanced[at] = [source, Math.min(weight, (fromLists + contributed - weight) / 2)]
    }
  }
  return new Map([...capped, ...balanced].map(([source, weight]) => [source, weight / (weights.get(source) || 1)]))
}

type SourceWeight = [source: string, weight: number]

const sum = (group: readonly SourceWeight[]) => group.reduce((total, [, weight]) => total + weight, 0)

function capWithinGroup(group: readonly SourceWeight[]): SourceWeight[] {
  if (group.length < 2) return [...group]
  const total = sum(group)
  const share = group.length > 2 ? 0.5 : 1
  return group.map(([source, weight]) => [
    source,
    Math.min(weight, Math.max(UNCAPPED_WEIGHT, share * (total - weight))),
  ])
}

/** The weight of each row: its recency, reduced if its source would hold too large a share of its cell or of the device. */
export function balancedWeights(
  { size, recency, cell, channel }: Pick<ObservationColumns, 'size' | 'recency' | 'cell' | 'channel'>,
  channels: readonly string[],
): Float64Array {
  const sourceOf = channels.map(sourceOfChannel)
  const weight = recency.slice()
  const sourceAt = (row: number) => sourceOf[channel[row]!] as string
  const isMixed = (from: number, to: number) => {
    for (let row = from + 1; row < to; row += 1) if (sourceAt(row) !== sourceAt(from)) return true
    return false
  }
  const balance = (from: number, to: number) => {
    const totals = new Map<string, number>()
    for (let row = from; row < to; row += 1) {
      totals.set(sourceAt(row), (totals.get(sourceAt(row)) ?? 0) + weight[row]!)
    }
    const factors = sourceFactors(totals)
    for (let row = from; row < to; row += 1) weight[row] = weight[row]! * (factors.get(sourceAt(row)) ?? 1)
  }
  if (!isMixed(0, size)) return weight
  for (const { from, to } of cellRanges({ size, cell })) if (isMixed(from, to)) balance(from, to)
  balance(0, size)
  return weight
}

/**
 * The newest `max` rows, divided as equally among the sources as their rows allow. Rows of the same instant are taken in the
 * order of a hash, so that neither their order nor their amount decides.
 */
export function newestBalanced<Row extends { source: string; listingId: string; observedAt: number; cents: number }>(
  rows: readonly Row[],
  max: number,
): Row[] {
  if (rows.length <= max) return [...rows]
  const bySource = [...Map.groupBy(rows, (row) => row.source).values()]
    .map((group) =>
      group
        .map((row) => ({ row, hash: Bun.hash.crc32(row.listingId) }))
        .sort((a, b) => b.row.observedAt - a.row.observedAt || a.hash - b.hash || a.row.cents - b.row.cents)
        .map(({ row }) => row),
    )
    .sort((a, b) => a.length - b.length)
  let remaining = max
  return bySource.flatMap((group, at) => {
    const newest = group.slice(0, Math.floor(remaining / (bySource.length - at)))
    remaining -= newest.length
    return newest
  })
}
