/** Amounts of memory and storage. */

import type { TitleFacts } from './title-facts.ts'
import type { Item } from './token-phrases.ts'
import { GAP } from './tokens.ts'

/** Amounts that people write without a unit. */
export const SIZES_WITHOUT_UNIT = new Set([64, 128, 256, 512, 1024])
export const MEMORY_SIZES = new Set([
  1, 2, 3, 4, 6, 8, 12, 16, 18, 24, 32, 36, 48, 64, 96, 120, 128, 240, 250, 256, 320, 480, 500, 512, 750, 825, 1000,
  1024, 2048,
])

/** "8GB RAM" and "RAM 8GB"; but of "8GB RAM/512GB" and "8GB RAM 512GB" the second is storage. */
export function isRam(items: readonly Item[], at: number): boolean {
  const after = items[at + 2]
  if (after?.text === 'ram' && after.gap <= GAP.blank) return true
  const before = items[at - 1]
  const unit = items[at - 2]?.word?.unit
  return before?.text === 'ram' && (items[at] as Item).gap <= GAP.blank && unit !== 'gb' && unit !== 'tb'
}

/** "64/128/256GB": the amounts before the one that has the unit. */
export function readAmountLists(title: TitleFacts): void {
  const { tokens: items } = title
  for (let at = items.length - 2; at >= 0; at--) {
    const item = items[at] as Item
    // The 6 of "J6+ 64GB" belongs to its letter.
    if (!item.isNumber || item.isConsumed || (item.gap === GAP.none && at > 0)) continue
    const next = items[at + 1] as Item
    const listed = next.isNumber && next.isConsumed && next.gap === GAP.list
    const added = next.isSymbol && (next.text === '+' || next.text === '&') && isListSeparated(items[at + 2])
    const value = Number(item.text)
    if (!(listed || added) || !MEMORY_SIZES.has(value) || title.memoryAmounts.length === 0) continue
    // "iPhone 6/64GB": the number of the model is no amount.
    if (value < 8 ? !isMemory(value, next, items[at + 2]) : isFirstNumber(items, at)) continue
    title.memoryAmounts.push({ gigabytes: value, isRam: false })
    item.isConsumed = true
  }
}

const isListSeparated = (item: Item | undefined) => item?.isNumber === true && item.isConsumed && item.gap <= GAP.blank

const isMemory = (value: number, next: Item, afterNext: Item | undefined) =>
  [3, 4, 6].includes(value) && Number((next.isNumber ? next : afterNext)?.text) >= 32

function isFirstNumber(items: readonly Item[], at: number): boolean {
  for (let i = 0; i < at; i++) if ((items[i] as Item).isNumber) return false
  return true
}
