import { uses } from './model-parts.ts'
import type { ObservationColumns } from './observation-columns.ts'
import type { RangeScales } from './range-depth.ts'
import { sourceOfChannel } from './source-weights.ts'

/** Factors on ranges by the source that the prices of a device rest on: those of some sources differ more than others. */
export type SourceScales = ReadonlyMap<string, RangeScales>

/** Name of the prices that rest on several sources. */
const SEVERAL = ''
/** Share of the weight from which on a price rests on one source. */
const MIN_SHARE = 0.75

type SourceRows = Pick<ObservationColumns, 'size' | 'weight' | 'recency' | 'channel'>

/** The source that holds nearly all the weight of a device's prices; silent sources drop out sooner. Null without prices. */
export function mainSource(rows: SourceRows, channels: readonly string[]): string | null {
  if (rows.size === 0) return null
  let newest = 0
  for (let at = 0; at < rows.size; at += 1) newest = Math.max(newest, rows.recency[at]!)
  const byChannel = new Float64Array(channels.length)
  for (let at = 0; at < rows.size; at += 1)
    byChannel[rows.channel[at]!]! += rows.weight[at]! * (rows.recency[at]! / newest) ** 2
  const bySource = new Map<string, number>()
  let total = 0
  byChannel.forEach((weight, channel) => {
    if (weight === 0) return
    const source = sourceOfChannel(channels[channel] as string)
    bySource.set(source, (bySource.get(source) ?? 0) + weight)
    total += weight
  })
  for (const [source, weight] of bySource) if (weight >= MIN_SHARE * total) return source
  return SEVERAL
}

/** The factors of each depth for the prices of a device. */
export function rangeScalesOf(
  { rangeScales, sourceScales }: { readonly rangeScales: RangeScales; readonly sourceScales: SourceScales },
  rows: SourceRows,
  channels: readonly string[],
): RangeScales {
  if (sourceScales.size === 0 || !uses('ranges by source')) return rangeScales
  const source = mainSource(rows, channels)
  return (source === null ? undefined : sourceScales.get(source)) ?? rangeScales
}
