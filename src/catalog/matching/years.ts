/** Years, days and versions. */

import type { NumberContext, TitleFacts } from './title-facts.ts'
import type { Item } from './token-phrases.ts'
import { GAP } from './tokens.ts'

export const FIRST_YEAR = 2005
export const LAST_YEAR = 2035

/** "16.6.1" and "27.7.2023": three numbers with dots are a version or a day. */
export function consumeDates(items: readonly Item[]): void {
  for (let at = 2; at < items.length; at++) {
    const last = items[at] as Item
    const middle = items[at - 1] as Item
    const first = items[at - 2] as Item
    if (last.gap !== GAP.joint || middle.gap !== GAP.joint) continue
    if (last.isNumber && middle.isNumber && first.isNumber)
      last.isConsumed = middle.isConsumed = first.isConsumed = true
  }
}

/** A year counts as the model's where it stands beside its name, or begins or ends what is said of it. */
export function readYear(title: TitleFacts, at: number, value: number, context: NumberContext): boolean {
  const { tokens: items } = title
  const before = items[at - 1]
  const next = items[at + 1]
  if (before?.word?.partOfYear) {
    title.partOfYear = before.word.partOfYear
    before.isConsumed = true
  }
  const isFirst = at === 0 && next !== undefined && context.isModelToken(next)
  if (isFirst || isAfterName(items, at, context) || (next && context.isModelToken(next))) title.years.push(value)
  else title.otherYears.push(value)
  return true
}

const SKIPPED_ROLES = new Set<string | null>(['color', 'lock', 'carrier', 'connectivity', 'category'])

/** Only numbers and what else is said of the device stand between the name and this. */
function isAfterName(items: readonly Item[], at: number, context: NumberContext): boolean {
  for (let back = at - 1; back >= 0; back--) {
    const item = items[back] as Item
    if (context.isModelToken(item) || item.text === '+') return true
    if (item.isConsumed || item.isNumber || SKIPPED_ROLES.has(item.word?.role ?? null)) continue
    return isJoined(items, back) || isWholeName(items, back)
  }
  return false
}

/** The "motog" of "MotoG100": make and line written together with the number are a name too. */
const isWholeName = (items: readonly Item[], at: number) => {
  const next = items[at + 1]
  return (items[at] as Item).word === null && next?.isNumber === true && next.gap === GAP.none
}

/** The "s" of "6s", the "e" of "16e". */
const isJoined = (items: readonly Item[], at: number) =>
  (items[at] as Item).text.length <= 2 && (items[at] as Item).gap === GAP.none && items[at - 1]?.isNumber === true
