/** Looks up devices by the name parts of a title. */

import { joinPieces, type ModelFacts } from './device-name.ts'
import type { DeviceNameIndex, IndexedDevice, NameEntry } from './device-name-index.ts'
import { checkFacts } from './fact-agreement.ts'
import { detachedPart, type NamePart, type NameParts } from './name-parts.ts'
import type { NameMatch } from './resolution-builder.ts'
import type { TitleFacts } from './title-facts.ts'
import type { Token } from './tokens.ts'

/** Confidence lost by a less direct match. */
const CONFIDENCE_PENALTIES = { bare: 10, detached: 6, optionalDropped: 2 } as const

export type NameLookup = {
  readonly matches: NameMatch[]
  readonly penalty: number
  readonly key: string
  /** Numbers away from the name turned out to be part of it. */
  readonly usesDetachedParts?: boolean
}

/** If a part is doubtful, returns the devices of both readings. */
export function lookUpName(
  nameParts: NameParts,
  make: string | null,
  title: TitleFacts,
  index: DeviceNameIndex,
): NameLookup {
  const lookup = lookUpParts(nameParts, make, title, index)
  if (!nameParts.parts.some((part) => part.isDoubtful)) return lookup
  const parts = nameParts.parts.filter((part) => !part.isDoubtful)
  const withoutDoubtful = lookUpParts({ ...nameParts, parts }, make, title, index)
  if (lookup.matches.length === 0 || isSameDevices(lookup.matches, withoutDoubtful.matches)) return withoutDoubtful
  const matches = [...lookup.matches, ...withoutDoubtful.matches]
  return { ...lookup, matches: withoutDoubtful.matches.length === 0 ? matches : matches.map(asTooVague) }
}

/** "13 Pro 128GB … Pro": the doubtful word repeats the name. */
const isSameDevices = (matches: readonly NameMatch[], others: readonly NameMatch[]) =>
  matches.length === others.length && matches.every(({ indexed }, at) => indexed === others[at]?.indexed)

const withOpenNetwork = (match: NameMatch): NameMatch => ({ ...match, isTooVague: true, isNetworkOpen: true })

const asTooVague = (match: NameMatch): NameMatch => ({ ...match, isTooVague: true })

/** Tries all parts, then without optional ones, then with numbers away from the name. */
function lookUpParts(
  nameParts: NameParts,
  make: string | null,
  title: TitleFacts,
  { byMake, withoutMake }: DeviceNameIndex,
): NameLookup {
  const keys = make === null ? withoutMake : byMake.get(make)
  const basePenalty = make === null ? CONFIDENCE_PENALTIES.bare : 0
  // Without a make, every word before the name must be known: "Cubot Note 20" is not a Samsung.
  if (!keys || (make === null && hasUnknownWordBeforeName(nameParts, title.tokens)))
    return { matches: [], penalty: basePenalty, key: '' }
  const { parts, detachedParts } = nameParts
  // Most titles name a model as the catalogue does.
  const direct = parts.length === 0 ? null : lookUpKey(keys, joinPieces(parts), title)
  if (direct) return { ...direct, penalty: basePenalty }
  const requiredParts = parts.some((part) => part.isOptional) ? parts.filter((claim) => !claim.isOptional) : parts
  const attempts: (readonly [readonly NamePart[], number])[] = [[parts, 0]]
  if (requiredParts !== parts) attempts.push([requiredParts, CONFIDENCE_PENALTIES.optionalDropped])
  const withDetachedParts =
    detachedParts.length > 0 && requiredParts.some((part) => !part.isNumber)
      ? [...requiredParts, ...detachedParts].sort((a, b) => a.position - b.position)
      : null
  if (withDetachedParts) attempts.push([withDetachedParts, CONFIDENCE_PENALTIES.detached])
  // "T14 Gen 2 i5" is the device with "(Intel)" in its name, and 'Tab A 10.1"' is the "Tab A 10.1".
  if (title.processor !== null) attempts.push([[...requiredParts, extraPart(title.processor, false)], 0])
  for (const inches of title.inches) attempts.push([[...requiredParts, extraPart(inches.toFixed(1), true)], 0])
  for (const [attempt, penalty] of attempts) {
    if (attempt.length === 0) continue
    for (const order of ORDERS) {
      const ordered = order(attempt)
      if (ordered === attempt && order !== asWritten) continue
      const found = lookUpKey(keys, joinPieces(ordered), title)
      if (found) return { ...found, penalty: basePenalty + penalty, usesDetachedParts: attempt === withDetachedParts }
    }
  }
  const matches = title.processor === null ? matchAnyProcessor(requiredParts, keys, title) : []
  return { matches, penalty: basePenalty, key: joinPieces(requiredParts) }
}

function lookUpKey(
  keys: ReadonlyMap<string, readonly NameEntry[]>,
  key: string,
  title: TitleFacts,
): Pick<NameLookup, 'matches' | 'key'> | null {
  const entries = keys.get(key)
  const matches = entries ? matchEntries(entries, title) : []
  return matches.length > 0 ? { matches, key } : null
}

const PROCESSORS_IN_NAMES = ['intel', 'amd', 'snapdragon'] as const

/** "T14 Gen 3" without a processor may be the "(Intel)" or the "(AMD)" one. */
function matchAnyProcessor(
  parts: readonly NamePart[],
  keys: ReadonlyMap<string, readonly NameEntry[]>,
  title: TitleFacts,
): NameMatch[] {
  if (parts.length === 0) return []
  return PROCESSORS_IN_NAMES.flatMap((processor) =>
    matchEntries(keys.get(joinPieces([...parts, extraPart(processor, false)])) ?? [], title).map(asTooVague),
  )
}

/** A stated fact that is part of some names. */
const extraPart = (text: string, isNumber: boolean): NamePart =>
  detachedPart({ text, isNumber }, Number.POSITIVE_INFINITY, false)

/** Devices of one key that nothing in the title contradicts, each with how much of its name is stated. */
function matchEntries(entries: readonly NameEntry[], title: TitleFacts): NameMatch[] {
  const decided: NameMatch[] = []
  /** Devices that differ from others by a network or an amount that the title does not state. */
  const undecided: NameMatch[] = []
  for (const { indexed, statedFact } of entries) {
    const { requiredNetwork: network, nameColors } = indexed
    if (network === 'none' && title.networkGeneration === 5) continue
    if (network === 'wi-fi' && isCellularStated(title)) continue
    if (network === 'bluetooth' && isConnectivityStated(title, 'Wi-Fi')) continue
    const isNetworkNamed = typeof network !== 'number' || title.networkGeneration === network
    if (!isNetworkNamed && title.networkGeneration !== null) continue
    // "Galaxy A52s" was only sold with 5G.
    const isNetworkStated = isNetworkNamed || (network === 5 && entries.length === 1 && !indexed.hasNetworkTwin)
    if (nameColors.length > 0 && !matchesNameColors(nameColors, title)) continue
    const agreement = checkFacts(title, indexed.facts)
    if (!agreement) continue
    const isTimeStated = agreement.isTimeStated || statedFact === 'time' || statedFact === 'all'
    const isSizeStated = agreement.isSizeStated || statedFact === 'size' || statedFact === 'all'
    const list = isNetworkStated && agreement.isAmountStated ? decided : undecided
    list.push({
      indexed,
      isNameComplete: isTimeStated && isSizeStated && isNetworkStated,
      isTooVague: !isTimeStated || !isNetworkStated,
      isChipExact: agreement.isChipExact,
      usesNumberAsFact: statedFact === 'size' || statedFact === 'time',
    })
  }
  if (decided.length === 0) return undecided
  const twins = undecided.filter(
    ({ indexed }) =>
      decided.some((match) => isNetworkTwin(match.indexed.facts, indexed)) && isSoldWithStorage(indexed.facts, title),
  )
  return twins.length > 0 && !isConnectivityStated(title, 'LTE') ? [...decided, ...twins].map(withOpenNetwork) : decided
}

const MAX_TWIN_INCHES_APART = 0.2
/** Smaller price differences do not matter for an estimate. */
const MIN_PRICE_APART = 0.08

/** 4G and 5G versions of about the same size and different prices: a title without "4G" or "5G" may mean either. */
function isNetworkTwin(plain: ModelFacts, { requiredNetwork, facts }: IndexedDevice): boolean {
  if (requiredNetwork !== 5) return false
  const [inches, otherInches] = [plain.inches[0] ?? Number.NaN, facts.inches[0] ?? Number.NaN]
  if (Math.abs(inches - otherInches) > MAX_TWIN_INCHES_APART + 0.01) return false
  const [cents, otherCents] = [plain.listCents, facts.listCents]
  return cents === null || otherCents === null || Math.abs(cents - otherCents) > MIN_PRICE_APART * cents
}

const isSoldWithStorage = ({ storages }: ModelFacts, { memoryAmounts }: TitleFacts) =>
  storages.length === 0 ||
  memoryAmounts.every(({ gigabytes, isRam }) => isRam || gigabytes <= MAX_RAM_GB || storages.includes(gigabytes))

/** Amounts up to this one may be memory. */
const MAX_RAM_GB = 24

const isCellularStated = (title: TitleFacts) =>
  title.networkGeneration !== null || isConnectivityStated(title, 'LTE') || isConnectivityStated(title, 'Cellular')

const isConnectivityStated = ({ tokens }: TitleFacts, connectivity: string) =>
  tokens.some(({ word }) => word?.role === 'connectivity' && word.value === connectivity)

/** HERO7 Silver is not HERO7 White, but a missing color rules out nothing. The first stated color belongs to the name. */
function matchesNameColors(nameColors: readonly string[], title: TitleFacts): boolean {
  const firstColor = title.tokens.find((token) => token.word?.role === 'color')?.word?.value
  return firstColor === undefined || nameColors.includes(firstColor)
}

/** Titles state the pieces of a name in different orders and sometimes twice. */
const asWritten = (list: readonly NamePart[]) => list
/** Each function returns its argument if it changes nothing. */
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

/** A part, or several parts written as one word, which keep their order. */
type Unit = readonly NamePart[]

function splitUnits(list: readonly NamePart[]): Unit[] {
  const units: NamePart[][] = []
  for (const part of list) {
    if (part.isJoined) units.at(-1)?.push(part)
    else units.push([part])
  }
  return units
}

const isLineUnit = (unit: Unit) => unit.length === 1 && unit[0]?.isLine === true
const hasNumber = (unit: Unit) => unit.some((part) => part.isNumber)

/** Removes repetitions: "Galaxy S21 … Galaxy S21 5G", "13 Pro 프로". */
function withoutRepeats(list: readonly NamePart[]): readonly NamePart[] {
  const half = list.length / 2
  if (Number.isInteger(half) && half > 0 && list.slice(0, half).every(({ text }, at) => text === list[at + half]?.text))
    return list.slice(0, half)
  const withSingleLines = list.filter(
    // The second x of "X70x" is not a repetition.
    ({ isLine, text }, at) =>
      !isLine || text.length === 1 || list.findIndex((part) => part.isLine && part.text === text) === at,
  )
  const unrepeated: NamePart[] = []
  for (let at = 0; at < withSingleLines.length; at++) {
    unrepeated.push(withSingleLines[at] as NamePart)
    const repeatedCount = [3, 2, 1].find((words) => {
      const next = withSingleLines.slice(at + 1, at + 1 + words)
      // "14 Pro / 14 Pro Max" names two models.
      if (next[0]?.isListed && at + 1 + words < withSingleLines.length) return false
      return isRepetition(unrepeated.slice(-words), next)
    })
    at += repeatedCount ?? 0
  }
  return unrepeated.length === list.length ? list : unrepeated
}

/** Whether `next` repeats `parts`, of which at least one is a word: "pro pro", "13 mini 13 mini". */
const isRepetition = (parts: readonly NamePart[], next: readonly NamePart[]) =>
  parts.length === next.length &&
  parts.every((part, at) => part.text === next[at]?.text) &&
  parts.some((part) => !part.isNumber && part.text.length > 1)

/** "13 Pro Max iPhone". */
function linesFirst(list: readonly NamePart[]): readonly NamePart[] {
  const first = list.findIndex((part) => !part.isLine)
  if (first < 0 || !list.some((part, at) => at > first && part.isLine)) return list
  const units = splitUnits(list)
  return [...units.filter(isLineUnit), ...units.filter((unit) => !isLineUnit(unit))].flat()
}

/** "iPhone Pro Max 12". */
function numberAfterLines(list: readonly NamePart[]): readonly NamePart[] {
  if (list.filter((part) => part.isNumber).length !== 1) return list
  const units = splitUnits(list)
  const lines = units.filter(isLineUnit)
  const others = units.filter((unit) => !isLineUnit(unit))
  const ordered = [...lines, ...others.filter(hasNumber), ...others.filter((unit) => !hasNumber(unit))].flat()
  return ordered.every((part, at) => part === list[at]) ? list : ordered
}
