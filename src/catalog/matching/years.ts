/** Years, days and versions. */

import type { NumberContext, TitleFacts } from './title-facts.ts'
import { GAP, type Token } from './tokens.ts'

export const FIRST_YEAR = 2005
export const LAST_YEAR = 2035

/** "16.6.1" and "27.7.2023": three numbers with dots are a version or a date. */
export function consumeDates(tokens: readonly Token[]): void {
  for (let at = 2; at < tokens.length; at++) {
    const last = tokens[at] as Token
    const middle = tokens[at - 1] as Token
    const first = tokens[at - 2] as Token
    if (last.gap !== GAP.joint || middle.gap !== GAP.joint) continue
    if (last.isNumber && middle.isNumber && first.isNumber)
      last.isConsumed = middle.isConsumed = first.isConsumed = true
  }
}

/** A year before or after the model's name is the model year; any other may be the year of purchase. */
export function readYear(title: TitleFacts, at: number, value: number, context: NumberContext): boolean {
  const { tokens } = title
  const before = tokens[at - 1]
  if (before?.word?.partOfYear) {
    title.partOfYear = before.word.partOfYear
    before.isConsumed = true
  }
  if (isBeforeName(tokens, at, context) || isAfterName(tokens, at, context)) title.years.push(value)
  else title.otherYears.push(value)
  return true
}

/** "2022 MacBook", "2022 M2 MacBook". */
function isBeforeName(tokens: readonly Token[], at: number, context: NumberContext): boolean {
  let next = at + 1
  // Only chips are consumed so far.
  while (tokens[next]?.isConsumed) next++
  const token = tokens[next]
  return token !== undefined && context.isModelToken(token)
}

const SKIPPED_ROLES = new Set<string | null>(['color', 'lock', 'carrier', 'connectivity', 'category'])

/** Whether only numbers and attributes separate the year from the name before it. */
function isAfterName(tokens: readonly Token[], at: number, context: NumberContext): boolean {
  for (let back = at - 1; back >= 0; back--) {
    const token = tokens[back] as Token
    if (context.isModelToken(token) || token.text === '+') return true
    if (token.isConsumed || token.isNumber || SKIPPED_ROLES.has(token.word?.role ?? null)) continue
    return isJoined(tokens, back) || isWholeName(tokens, back)
  }
  return false
}

/** The "motog" of "MotoG100": make and line joined to the number are a name too. */
const isWholeName = (tokens: readonly Token[], at: number) => {
  const next = tokens[at + 1]
  return (tokens[at] as Token).word === null && next?.isNumber === true && next.gap === GAP.none
}

/** The "s" of "6s", the "e" of "16e". */
const isJoined = (tokens: readonly Token[], at: number) =>
  (tokens[at] as Token).text.length <= 2 && (tokens[at] as Token).gap === GAP.none && tokens[at - 1]?.isNumber === true
