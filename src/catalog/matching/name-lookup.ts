/** Devices by what was said of their names. */

import { joinPieces } from './device-name.ts'
import type { DeviceNameIndex, NameEntry } from './device-name-index.ts'
import { checkFacts } from './fact-agreement.ts'
import type { NamePart, NameParts } from './name-parts.ts'
import type { NameMatch } from './resolution-builder.ts'
import type { TitleFacts } from './title-facts.ts'
import type { Token } from './tokens.ts'

/** What a way of finding takes from how sure it is. */
const CONFIDENCE_PENALTIES = { bare: 10, loose: 6, softDropped: 2 } as const

export type NameLookup = { readonly matches: NameMatch[]; readonly penalty: number; readonly key: string }

/** First everything that was said, then without what people say beside a name, then with numbers that stand apart. */
export function lookUpName(
  nameParts: NameParts,
  make: string | null,
  title: TitleFacts,
  { byMake, withoutMake: bare }: DeviceNameIndex,
): NameLookup {
  const keys = make === null ? bare : byMake.get(make)
  const less = make === null ? CONFIDENCE_PENALTIES.bare : 0
  // Without a make every word before the name must be known: "Cubot Note 20" is not Samsung's.
  if (!keys || (make === null && hasUnknownWordBeforeName(nameParts, title.tokens)))
    return { matches: [], penalty: less, key: '' }
  const { parts: list, detachedParts: loose } = nameParts
  const hard = list.some((claim) => claim.isOptional) ? list.filter((claim) => !claim.isOptional) : list
  const tries: (readonly [readonly NamePart[], number])[] = [[list, 0]]
  if (hard !== list) tries.push([hard, CONFIDENCE_PENALTIES.softDropped])
  if (loose.length > 0 && hard.some((claim) => !claim.isNumber)) {
    tries.push([[...hard, ...loose].sort((a, b) => a.position - b.position), CONFIDENCE_PENALTIES.loose])
  }
  // "T14 Gen 2 i5" is the one with "(Intel)" in its name, and 'Tab A 10.1"' the "Tab A 10.1".
  if (title.processor !== null) tries.push([[...hard, extraPart(title.processor, false)], 0])
  for (const inches of title.inches) tries.push([[...hard, extraPart(inches.toFixed(1), true)], 0])
  for (const [said, costs] of tries) {
    if (said.length === 0) continue
    for (const order of ORDERS) {
      const list = order(said)
      if (list === said && order !== asWritten) continue
      const key = joinPieces(list)
      const entries = keys.get(key)
      if (!entries) continue
      const fits = matchEntries(entries, title)
      if (fits.length > 0) return { matches: fits, penalty: less + costs, key }
    }
  }
  return { matches: [], penalty: less, key: joinPieces(hard) }
}

/** Something that was said beside the name and is part of some names. */
const extraPart = (text: string, isNumber: boolean): NamePart => ({
  text,
  position: Number.POSITIVE_INFINITY,
  isOptional: false,
  isNumber,
  isLine: false,
})

/** Devices of one key that nothing in the title speaks against, each with how much of its name was said. */
function matchEntries(entries: readonly NameEntry[], title: TitleFacts): NameMatch[] {
  const fits: NameMatch[] = []
  /** Those that differ from others by a network or an amount the title does not name. */
  const undecided: NameMatch[] = []
  for (const { indexed: known, statedFact: says } of entries) {
    const { requiredNetwork: network, nameColors } = known
    if (network === 'none' && title.networkGeneration === 5) continue
    if (network === 'wi-fi' && isCellularStated(title)) continue
    if (network === 'bluetooth' && isConnectivityStated(title, 'Wi-Fi')) continue
    const isNetworkSaid = typeof network !== 'number' || title.networkGeneration === network
    if (!isNetworkSaid && title.networkGeneration !== null) continue
    if (nameColors.length > 0 && !matchesNameColors(nameColors, title)) continue
    const agreed = checkFacts(title, known.facts)
    if (!agreed) continue
    const isTimeSaid = agreed.isTimeStated || says === 'time' || says === 'all'
    const isSizeSaid = agreed.isSizeStated || says === 'size' || says === 'all'
    const list = isNetworkSaid && agreed.isAmountStated ? fits : undecided
    list.push({
      indexed: known,
      isNameComplete: isTimeSaid && isSizeSaid && isNetworkSaid,
      isTooVague: !isTimeSaid || !isNetworkSaid,
      isChipExact: agreed.isChipExact,
      usesNumberAsFact: says === 'size' || says === 'time',
    })
  }
  return fits.length > 0 ? fits : undecided
}

const isCellularStated = (title: TitleFacts) =>
  title.networkGeneration !== null || isConnectivityStated(title, 'LTE') || isConnectivityStated(title, 'Cellular')

const isConnectivityStated = ({ tokens }: TitleFacts, connectivity: string) =>
  tokens.some(({ word }) => word?.role === 'connectivity' && word.value === connectivity)

/** HERO7 Silver is not HERO7 White; but a color that is not said rules out nothing. The first one said belongs to the name. */
function matchesNameColors(own: readonly string[], title: TitleFacts): boolean {
  const first = title.tokens.find((token) => token.word?.role === 'color')?.word?.value
  return first === undefined || own.includes(first)
}

/** People say the pieces of a name in several orders, and some of them twice. */
const asWritten = (list: readonly NamePart[]) => list
/** Each gives back the list itself where it would change nothing. */
const ORDERS: readonly ((list: readonly NamePart[]) => readonly NamePart[])[] = [
  asWritten,
  withoutRepeats,
  linesFirst,
  numberAfterLines,
]

function hasUnknownWordBeforeName(nameParts: NameParts, tokens: readonly Token[]): boolean {
  const first = nameParts.parts[0]?.position ?? 0
  return tokens.slice(0, first).some((token) => !token.isConsumed && !token.isSymbol && token.word === null)
}

/** "Galaxy S21 … Galaxy S21 5G": what is said twice is said once. Only line words may repeat by themselves. */
function withoutRepeats(list: readonly NamePart[]): readonly NamePart[] {
  const half = list.length / 2
  if (Number.isInteger(half) && half > 0) {
    const isTwice = list.slice(0, half).every((claim, at) => claim.text === list[at + half]?.text)
    if (isTwice) return list.slice(0, half)
  }
  const once = list.filter(
    ({ isLine, text }, at) => !isLine || list.findIndex((claim) => claim.isLine && claim.text === text) === at,
  )
  return once.length === list.length ? list : once
}

/** "13 Pro Max iPhone". */
function linesFirst(list: readonly NamePart[]): readonly NamePart[] {
  const first = list.findIndex((claim) => !claim.isLine)
  if (first < 0 || !list.some((claim, at) => at > first && claim.isLine)) return list
  return [...list.filter((claim) => claim.isLine), ...list.filter((claim) => !claim.isLine)]
}

/** "iPhone Pro Max 12". */
function numberAfterLines(list: readonly NamePart[]): readonly NamePart[] {
  const numbers = list.filter((claim) => claim.isNumber)
  if (numbers.length !== 1) return list
  const lines = list.filter((claim) => claim.isLine)
  if (list[lines.length]?.isNumber && !list.slice(0, lines.length).some((claim) => !claim.isLine)) return list
  return [...lines, ...numbers, ...list.filter((claim) => !claim.isLine && !claim.isNumber)]
}
