/** Amounts of memory and storage. */

import type { TitleFacts } from './title-facts.ts'
import { GAP, type Token } from './tokens.ts'

/** Amounts that people write without a unit. */
export const SIZES_WITHOUT_UNIT = new Set([64, 128, 256, 512, 1024])
/** Amounts before "SSD" or "HDD". */
export const STORAGE_SIZES = new Set([64, 120, 128, 240, 250, 256, 480, 500, 512, 1000, 1024])
const LAPTOP_MEMORY = new Set([8, 16, 24, 32])
export const MEMORY_SIZES = new Set([
  1, 2, 3, 4, 6, 8, 12, 16, 18, 24, 32, 36, 48, 64, 96, 120, 128, 240, 250, 256, 320, 480, 500, 512, 750, 825, 1000,
  1024, 2048,
])

/** "8GB RAM" and "RAM 8GB"; but of "8GB RAM/512GB" and "8GB RAM 512GB" the second is storage. */
export function isRam(tokens: readonly Token[], at: number): boolean {
  const after = tokens[at + 2]
  if (after?.text === 'ram' && after.gap <= GAP.blank) return true
  const before = tokens[at - 1]
  const unit = tokens[at - 2]?.word?.unit
  return before?.text === 'ram' && (tokens[at] as Token).gap <= GAP.blank && unit !== 'gb' && unit !== 'tb'
}

/** "64/128/256GB": the amounts before the one that has the unit. */
export function readAmountLists(title: TitleFacts): void {
  const { tokens } = title
  for (let at = tokens.length - 2; at >= 0; at--) {
    const token = tokens[at] as Token
    // The 6 of "J6+ 64GB" belongs to the J.
    if (!token.isNumber || token.isConsumed || (token.gap === GAP.none && at > 0)) continue
    const next = tokens[at + 1] as Token
    const isInList = next.isNumber && next.isConsumed && next.gap === GAP.list
    const isAddend = next.isSymbol && (next.text === '+' || next.text === '&') && isListSeparated(tokens[at + 2])
    const value = Number(token.text)
    // "13-inch M1 8 512": memory before storage, separate from the name.
    const precedesStorage =
      next.isNumber && next.isConsumed && next.gap === GAP.blank && tokens[at - 1]?.isConsumed === true
    if (precedesStorage && LAPTOP_MEMORY.has(value) && Number(next.text) >= 128) {
      title.memoryAmounts.push({ gigabytes: value, isRam: true })
      token.isConsumed = true
      continue
    }
    if (!(isInList || isAddend) || !MEMORY_SIZES.has(value) || title.memoryAmounts.length === 0) continue
    // "iPhone 6/64GB", "iPhone 8+64GB": the number of the model is not an amount.
    const mayBeModel = value >= 8 || (isAddend && at > 0)
    const isModel = mayBeModel && isFirstNumber(tokens, at) && !beginsAmountList(tokens, at)
    if (isModel || (value < 8 && !isMemory(value, next, tokens[at + 2]))) continue
    title.memoryAmounts.push({ gigabytes: value, isRam: false })
    token.isConsumed = true
  }
}

/** Each offered size is at most this many times the one before it; memory and storage are farther apart. */
const MAX_SIZE_STEP = 4
const MIN_OFFERED_SIZES = 3

/** Whether these are the sizes a model is offered in, like 16, 32, 64 and 128, rather than memory and storage. */
export function areOfferedSizes(amounts: readonly number[]): boolean {
  const sizes = [...new Set(amounts)].sort((a, b) => a - b)
  return (
    sizes.length >= MIN_OFFERED_SIZES &&
    sizes.every((size, at) => at === 0 || size <= MAX_SIZE_STEP * Number(sizes[at - 1]))
  )
}

/** "iPhone SE 16/32/64GB": the first number is a size, too; in "iPhone 16/128/256GB" it is the model. */
function beginsAmountList(tokens: readonly Token[], at: number): boolean {
  const amounts = [Number((tokens[at] as Token).text)]
  for (let next = at + 1; tokens[next]?.isNumber && tokens[next]?.gap === GAP.list; next++)
    amounts.push(Number((tokens[next] as Token).text))
  return areOfferedSizes(amounts)
}

const isListSeparated = (token: Token | undefined) =>
  token?.isNumber === true && token.isConsumed && token.gap <= GAP.blank

const isMemory = (value: number, next: Token, afterNext: Token | undefined) =>
  [2, 3, 4, 6].includes(value) && Number((next.isNumber ? next : afterNext)?.text) >= 16

function isFirstNumber(tokens: readonly Token[], at: number): boolean {
  for (let i = 0; i < at; i++) if ((tokens[i] as Token).isNumber) return false
  return true
}
