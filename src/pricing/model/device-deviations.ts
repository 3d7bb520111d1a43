import type { Spreads } from './device-fit.ts'
import { uses } from './model-parts.ts'
import type { ObservationColumns } from './observation-columns.ts'

/** A deviation specific to this device, its variance, and the share (by weight) of the device's rows that it does not cover. */
export type DeviceDeviation = { readonly offset: number; readonly variance: number; readonly otherRowsShare: number }

/** Groups of rows with the same cell and channel; `channelIndex` numbers only the channels of this device. */
type RowGroups = {
  readonly count: number
  /** The group of each row. */
  readonly groupOfRow: Int32Array
  readonly cell: readonly number[]
  readonly channel: readonly number[]
  readonly channelIndex: readonly number[]
  readonly channelIndexes: ReadonlyMap<number, number>
}

/** Weight and sum of weighted distances of the accepted rows of each group. */
export type GroupSums = { readonly weight: Float64Array; readonly sum: Float64Array }

export function groupRows(rows: ObservationColumns): RowGroups {
  const groupOfRow = new Int32Array(rows.size)
  const cell: number[] = []
  const channel: number[] = []
  const channelIndex: number[] = []
  const channelIndexes = new Map<number, number>()
  /** The group of each channel in the current cell; rows are sorted by cell. */
  const groupOfChannel: number[] = []
  let firstGroupOfCell = 0
  let currentCell = -1
  for (let at = 0; at < rows.size; at += 1) {
    if (rows.cell[at] !== currentCell) {
      currentCell = rows.cell[at]!
      firstGroupOfCell = cell.length
    }
    const channelNumber = rows.channel[at]!
    let group = groupOfChannel[channelNumber] ?? -1
    if (group < firstGroupOfCell) {
      group = cell.length
      groupOfChannel[channelNumber] = group
      let index = channelIndexes.get(channelNumber)
      if (index === undefined) {
        index = channelIndexes.size
        channelIndexes.set(channelNumber, index)
      }
      cell.push(currentCell)
      channel.push(channelNumber)
      channelIndex.push(index)
    }
    groupOfRow[at] = group
  }
  return { count: cell.length, groupOfRow, cell, channel, channelIndex, channelIndexes }
}

/**
 * Deviations of this device from the market's offset of each channel, in all its grades. They are estimated alternately with
 * the tree, each shrunk according to the weight of its rows.
 */
export function deviationLearner({ count, cell: cellOf, channelIndex, channelIndexes }: RowGroups) {
  const channelOffset = new Float64Array(channelIndexes.size)
  const channelWeight = new Float64Array(channelIndexes.size)
  let priorWeight = 0
  let listingVariance = 0
  let totalWeight = 0
  /** A deviation shared by all rows of the device is its level: with a single channel the deviation is zero. */
  const otherRowsShare = (weight: number) => (totalWeight > 0 ? 1 - weight / totalWeight : 0)
  return {
    offsetOf: (group: number): number => channelOffset[channelIndex[group]!]!,
    /** Leverage of a row of this group on the deviations, per unit of its weight. */
    leverageOf(group: number): number {
      if (priorWeight === 0) return 0
      const weight = channelWeight[channelIndex[group]!]!
      return otherRowsShare(weight) / (weight + priorWeight)
    },
    channelDeviations() {
      const deviations = new Map<number, DeviceDeviation>()
      for (const [channel, at] of channelIndexes) {
        const weight = channelWeight[at]!
        deviations.set(channel, {
          offset: channelOffset[at]!,
          variance: listingVariance / (weight + priorWeight),
          otherRowsShare: otherRowsShare(weight),
        })
      }
      return deviations
    },
    update({ weight, sum }: GroupSums, level: Float64Array, variance: number, spreads: Spreads): void {
      listingVariance = variance
      priorWeight = uses('own channel deviations') ? variance / spreads.channel ** 2 : 1e12
      channelWeight.fill(0)
      channelOffset.fill(0)
      totalWeight = 0
      for (let group = 0; group < count; group += 1) {
        const groupWeight = weight[group]!
        const channel = channelIndex[group]!
        channelWeight[channel] = channelWeight[channel]! + groupWeight
        channelOffset[channel] = channelOffset[channel]! + sum[group]! - groupWeight * level[cellOf[group]!]!
        totalWeight += groupWeight
      }
      for (let channel = 0; channel < channelOffset.length; channel += 1) {
        channelOffset[channel] = channelOffset[channel]! / (channelWeight[channel]! + priorWeight)
      }
    },
  }
}
