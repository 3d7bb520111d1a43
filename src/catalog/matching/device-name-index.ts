/** Index of the catalogue's devices by the keys of their names. */

import type { TimeSliced } from '../../lib/time-sliced.ts'
import type { Device } from '../device.ts'
import { addMake, titleMakeKey } from './alias-lexicon.ts'
import type { Aliases } from './aliases.ts'
import { joinPieces, type ModelFacts, modelFacts, type NamePiece, parseDeviceName } from './device-name.ts'
import type { TitleLexicon } from './title-lexicon.ts'
import { foldTitle } from './tokens.ts'

/** Indexing this many devices takes about a millisecond. */
export const DEVICES_PER_SLICE = 16

export type IndexedDevice = {
  readonly device: Device
  readonly make: string
  readonly facts: ModelFacts
  /**
   * The network that a title must name (4 or 5); 'none': it must not name 5G; 'wi-fi': it must name no network;
   * 'bluetooth': it must not name Wi-Fi; null: any.
   */
  readonly requiredNetwork: 4 | 5 | 'none' | 'wi-fi' | 'bluetooth' | null
  /** A version with another network is known under the same name, whether the catalogue has it or not. */
  readonly hasNetworkTwin: boolean
  /** Colors in the name. */
  readonly nameColors: readonly string[]
}

/** One name of a device. */
export type NameEntry = {
  readonly indexed: IndexedDevice
  /** Fact that the key itself states: the 6 of "iPad mini 6", the 11 of "iPad Pro 11". */
  readonly statedFact: 'time' | 'size' | 'all' | null
}

export type DeviceNameIndex = {
  /** By key within a make. */
  readonly byMake: ReadonlyMap<string, ReadonlyMap<string, readonly NameEntry[]>>
  /** By key alone, for names that are unambiguous without make and line. */
  readonly withoutMake: ReadonlyMap<string, readonly NameEntry[]>
  /** `make:pieces` of neighbouring name pieces of which one is a single letter. */
  readonly pairs: ReadonlySet<string>
  /** `make:number` of numbers in names that would be read as something else: "5.4", "150w". */
  readonly nameNumbers: ReadonlySet<string>
  readonly devices: readonly IndexedDevice[]
}

/** Time-sliced: indexing thousands of names takes a few tenths of a second. */
export function* buildDeviceNameIndex(
  devices: Iterable<Device>,
  lexicon: TitleLexicon,
  aliases: Aliases,
): TimeSliced<DeviceNameIndex> {
  const byMake = new Map<string, Map<string, NameEntry[]>>()
  const withoutMake = new Map<string, NameEntry[]>()
  const pairs = new Set<string>()
  const nameNumbers = new Set<string>()
  const indexedDevices: IndexedDevice[] = []
  const { models } = aliases
  const byMakeKey = (lists: Readonly<Record<string, readonly string[]>>) =>
    new Map(Object.entries(lists).map(([make, keys]) => [titleMakeKey(make), keys]))
  const optionalLines = byMakeKey(models.optionalLines)
  const optionalPieces = byMakeKey(models.optionalPieces)
  const bareStems = byMakeKey(models.bare)
  const generationLetters = new Map(
    Object.entries(models.generationLetter).map(([make, letter]) => [titleMakeKey(make), letter]),
  )
  const networkRules = {
    twins: byMakeKey(models.networkTwins),
    noise: byMakeKey(models.networkIsNoise),
    always: byMakeKey(models.alwaysFiveG),
    cellular: byMakeKey(models.cellularIsTwin),
  }
  const lineWords = new Map(Object.entries(models.lineWords))
  const makeKeys = new Map<string, string>()
  const keyOfMake = (name: string): string => {
    let key = makeKeys.get(name)
    if (key === undefined) {
      const spelledKey = titleMakeKey(name)
      key = lexicon.find(spelledKey)?.make ?? spelledKey
      makeKeys.set(name, key)
      addMake(lexicon, key, [name])
    }
    return key
  }
  const deviceList = [...devices]
  // Register all makes first, because a name is parsed without the words of its make.
  for (const device of deviceList) keyOfMake(device.make)
  for (const [at, device] of deviceList.entries()) {
    if (at % DEVICES_PER_SLICE === 0) yield
    const make = keyOfMake(device.make)
    const deviceAliases = aliases.devices[device.id]
    const names = [device.name, ...(deviceAliases?.names ?? [])].map((name) => parseDeviceName(name, make, lexicon))
    const [mainName] = names as [ReturnType<typeof parseDeviceName>]
    const mainKey = joinPieces(mainName.pieces)
    const indexed: IndexedDevice = {
      device,
      make,
      facts: modelFacts(device, mainName, deviceAliases?.generation ?? generationFromName(mainName.pieces)),
      hasNetworkTwin: networkRules.twins.get(make)?.includes(mainKey) === true,
      requiredNetwork: networkRule(device, make, mainKey, mainName.facts.networkGeneration, networkRules),
      nameColors: mainName.pieces.filter((piece) => piece.isColor).map((piece) => piece.text),
    }
    indexedDevices.push(indexed)
    let keys = byMake.get(make)
    if (!keys) {
      keys = new Map()
      byMake.set(make, keys)
    }
    for (const { pieces, facts } of names) {
      addScopes(pieces, make, lexicon, pairs)
      pieces.forEach(({ text, isNumber }, at) => {
        if (!isNumber) return
        if (text.includes('.')) nameNumbers.add(`${make}:${text}`)
        nameNumbers.add(`${make}:${text}${pieces[at + 1]?.text ?? ''}`)
      })
      const requiredPieces = lineWords.get(pieces[0]?.text ?? '') ?? []
      const isFullAlias = pieces !== mainName.pieces && facts.generation === null && facts.years.length === 0
      for (const [key, statedFact] of nameKeys(pieces, indexed, {
        lines: optionalLines.get(make) ?? [],
        pieces: optionalPieces.get(make) ?? [],
        requiredPieces,
        generationLetter: generationLetters.get(make),
      })) {
        const entry: NameEntry = { indexed, statedFact: isFullAlias ? 'all' : statedFact }
        addEntry(keys, key, entry)
        if (bareStems.get(make)?.some((stem) => startsWithStem(key, stem))) addEntry(withoutMake, key, entry)
      }
    }
  }
  // After all names: a color of one device must not remove a word from another device's name.
  for (const [at, { device, make }] of indexedDevices.entries()) {
    if (at % DEVICES_PER_SLICE === 0) yield
    addVariantWords(device, make, lexicon)
  }
  return { byMake, withoutMake, pairs, nameNumbers, devices: indexedDevices }
}

function addEntry(map: Map<string, NameEntry[]>, key: string, entry: NameEntry): void {
  if (key === '') return
  const entries = map.get(key)
  if (!entries) map.set(key, [entry])
  else if (!entries.some((other) => other.indexed === entry.indexed)) entries.push(entry)
}

function startsWithStem(key: string, stem: string): boolean {
  if (!key.startsWith(stem)) return false
  const next = key.charCodeAt(stem.length)
  return Number.isNaN(next) || next < 48 || next > 57 || !/\d$/.test(stem)
}

/** All keys of a name: with and without optional words, and with the number that people add to it. */
function nameKeys(
  pieces: readonly NamePiece[],
  { device, facts: { inName, generation, inches } }: IndexedDevice,
  optional: {
    readonly lines: readonly string[]
    readonly pieces: readonly string[]
    readonly requiredPieces: readonly string[]
    readonly generationLetter: string | undefined
  },
): Map<string, NameEntry['statedFact']> {
  const keys = new Map<string, NameEntry['statedFact']>()
  // "iphone#": the line is optional only before a number.
  const isOptionalLine = (piece: NamePiece) =>
    optional.lines.includes(piece.text) || (pieces[1]?.isNumber === true && optional.lines.includes(`${piece.text}#`))
  const hasNumber = pieces.some((piece) => piece.isNumber)
  const isLaptop = /laptop/i.test(device.category)
  const isOmittable = (piece: NamePiece, at: number) =>
    (piece.isOptional && !optional.requiredPieces.includes(piece.text)) ||
    (at === 0 && isOptionalLine(piece)) ||
    (hasNumber && optional.pieces.includes(piece.text) && pieces[at + 1]?.isNumber === false) ||
    // "XPS 13 9310" is also the "XPS 9310" and, with the size as a fact, the "13-inch XPS 9310".
    (isLaptop && /^1\d$/.test(piece.text) && /^\d{4}$/.test(pieces[at + 1]?.text ?? ''))
  const omittable = pieces.flatMap((piece, at) => (isOmittable(piece, at) ? [at] : [])).slice(0, 6)
  for (let mask = 0; mask < 1 << omittable.length; mask++) {
    const remaining = pieces.filter((_, at) => {
      const bit = omittable.indexOf(at)
      return bit < 0 || !(mask & (1 << bit))
    })
    // A name of optional words only would match every title of the make.
    if (
      remaining.length === 0 ||
      (remaining.length < pieces.length && remaining.every((piece) => piece.isOptional || piece.isNumber))
    )
      continue
    keys.set(joinPieces(remaining), null)
    const add = (number: number, statedFact: 'time' | 'size') => {
      const key = joinPieces([...remaining, { text: String(number), isNumber: true }])
      if (!keys.has(key)) keys.set(key, statedFact)
    }
    if (inName.generation && generation !== null) {
      add(generation, 'time')
      if (optional.generationLetter)
        for (const key of withGenerationLetter(remaining, optional.generationLetter, generation)) keys.set(key, 'time')
    }
    // Titles of laptops state the screen size even if it is not in the name: "MacBook Air 13 M1".
    if (inName.inches || /laptop|desktop/i.test(device.category))
      for (const size of [...inches.map(Math.floor), ...inches]) add(size, 'size')
  }
  return keys
}

/** "X1 Carbon G10" and "T14 G2 AMD": at the end, or before the word that distinguishes models of one generation. */
function withGenerationLetter(pieces: readonly NamePiece[], letter: string, generation: number): string[] {
  const generationPieces = [
    { text: letter, isNumber: false },
    { text: String(generation), isNumber: true },
  ]
  return [
    joinPieces([...pieces, ...generationPieces]),
    joinPieces([...pieces.slice(0, -1), ...generationPieces, ...pieces.slice(-1)]),
  ]
}

/** "AirPods 4" is the fourth generation. */
function generationFromName(pieces: readonly NamePiece[]): number | null {
  const numbers = pieces.filter((piece) => piece.isNumber)
  const [only] = numbers
  if (!only || numbers.length > 1 || !/^\d{1,2}$/.test(only.text)) return null
  const at = pieces.indexOf(only)
  // The 23 of "S23" is not a generation.
  return (pieces[at - 1]?.text.length ?? 0) > 2 ? Number(only.text) : null
}

type NetworkRules = Readonly<Record<'twins' | 'noise' | 'always' | 'cellular', ReadonlyMap<string, readonly string[]>>>

/**
 * A Galaxy A16 and a Galaxy A16 5G are two devices, a Galaxy S21 and a "Galaxy S21 5G" are one. If no alias list decides,
 * title and name must agree on "5G".
 */
function networkRule(
  device: Device,
  make: string,
  key: string,
  nameGeneration: number | null,
  rules: NetworkRules,
): IndexedDevice['requiredNetwork'] {
  if (!/phone/i.test(device.category)) {
    if (nameGeneration === 4 || nameGeneration === 5) return nameGeneration
    // Portable speakers use Bluetooth; versions with Wi-Fi are sold under the same name.
    if (/portable speaker/i.test(device.category) && !/wi-?fi/i.test(device.name)) return 'bluetooth'
    return rules.cellular.get(make)?.some((line) => key.startsWith(line)) ? 'wi-fi' : null
  }
  const isTwin = rules.twins.get(make)?.includes(key) === true
  if (nameGeneration === 4) return 4
  const isAlwaysFiveG = !isTwin && rules.always.get(make)?.includes(key) === true
  if (nameGeneration === 5) return isAlwaysFiveG ? null : 5
  if (isTwin) return 'none'
  if (isAlwaysFiveG) return null
  return rules.noise.get(make)?.some((line) => key.startsWith(line)) ? null : 'none'
}

/** Adds the words of variant attributes. "Phantom Gray" is one color: "Phantom" does not name a model. */
function addVariantWords({ variants }: Device, make: string, lexicon: TitleLexicon): void {
  for (const { attributes } of variants) {
    for (const { name, value } of attributes) {
      const key = name.toLowerCase()
      if (key !== 'color' && (key !== 'edition' || /\d/.test(value))) continue
      const word = lexicon.getOrAdd(value)
      // "Fly More Combo", "Solar": an edition is not another device.
      if (key === 'edition') {
        if (!word.role && !word.make && !word.line && !word.isModelWord && !word.replacement) word.role = 'noise'
        continue
      }
      if (word.firstWord && (word.role === null || word.scopes)) {
        word.scopes ??= new Set()
        word.scopes.add(`${make}:color`)
      }
      if (word.role || word.make || word.line || word.isModelWord || word.replacement) continue
      if (!word.firstWord && (word.scopes || word.isModelWordNextToName)) continue
      word.role = 'color'
      word.value = foldTitle(value)
    }
  }
}

/** Registers the words of a name: the first counts alone, the others only next to it. */
function addScopes(pieces: readonly NamePiece[], make: string, lexicon: TitleLexicon, pairs: Set<string>): void {
  const line = pieces.find((piece) => !piece.isNumber && piece.text.length > 1)
  pieces.forEach((piece, at) => {
    const before = pieces[at - 1]
    if (before && (piece.text.length === 1 || before.text.length === 1))
      pairs.add(`${make}:${before.text}${piece.text}`)
    if (piece.isNumber) return
    const word = lexicon.getOrAdd(piece.text)
    word.scopes ??= new Set()
    word.scopes.add(piece === line || !line ? `${make}/` : `${make}/${line.text}`)
  })
}
