/**
 * From a listing's text to a device of the catalogue, or a refusal with its reason. A wrong match spoils a price for
 * everybody, a refused row costs one row: so a device is matched only when it answers for every word that names a model.
 */
import type { Device } from '../catalog/device.ts'
import { agreement } from './agreement.ts'
import { ALIASES_ON_BOARD, type Aliases } from './aliases.ts'
import { attributesOf, conditionsOf, saidOf } from './attributes.ts'
import { type Claim, type Claims, claimsOf } from './claims.ts'
import { type Coded, openCodes } from './codes.ts'
import { readFigures } from './figures.ts'
import { openGuesser } from './guessing.ts'
import { type Item, itemsOf } from './items.ts'
import { type Entry, knowDevices, type Known } from './known.ts'
import { piecesOf } from './lexicon.ts'
import { makeNamed } from './makes.ts'
import { keyOf } from './names.ts'
import { openReading, type Reading } from './reading.ts'
import { type Refusal, refusalOf, type Span } from './refusal.ts'
import type { Candidate, Listing, Resolution } from './resolution.ts'
import { foldTitle, TITLE_LENGTH, tokensOf } from './tokens.ts'
import { chooseVariants, gigabytesOf, plainColor } from './variants.ts'
import { makeKey, vocabularyOf } from './vocabulary.ts'

export type Resolver = (listing: Listing) => Resolution

/** How sure a plain match is, and what takes from it. */
const BY_CODE = 99
const BY_NAME = 96
const LESS = { mistyped: 12, bare: 10, guessedMake: 15, loose: 6, unknownWord: 1, softDropped: 2 } as const
const MOST_CANDIDATES = 20

/** A device whose name was said. `isWhole`: with all that its name holds. `isUnsaid`: too much of it was left out. */
type Fit = { readonly known: Known; readonly isWhole: boolean; readonly isUnsaid: boolean; readonly isChipExact: boolean }

export function openResolver(devices: Iterable<Device>, aliases: Aliases = ALIASES_ON_BOARD): Resolver {
  const lexicon = vocabularyOf(aliases)
  const { byMake, bare, pairs, known } = knowDevices(devices, lexicon, aliases)
  const codes = openCodes(known)
  const guess = openGuesser(lexicon, aliases.words.beginnings)
  const owners = new Map(
    Object.entries(aliases.makes.owners).map(([make, list]) => [makeKey(make), new Set(list.map(makeKey))]),
  )
  const optional = new Map(Object.entries(aliases.models.optionalLines).map(([make, lines]) => [makeKey(make), lines]))
  const lineWords = new Map(Object.entries(aliases.models.lineWords).map(([line, words]) => [line, new Set(words)]))
  const holds = (make: string, word: string) => {
    for (const scope of lexicon.find(word)?.scopes ?? []) if (scope.startsWith(`${make}/`)) return true
    return false
  }
  /** A make as given beside the text: "Redmi" is a line of Xiaomi and stays part of the name. */
  const givenMake = (text: string | null | undefined): { make: string; line: string | null } | null => {
    const key = text ? makeKey(text) : ''
    if (key === '' || !text) return null
    const word = lexicon.entry(text)
    if (word.make) return { make: word.make, line: null }
    if (word.line) return { make: word.line, line: text }
    return { make: key, line: null }
  }

  function read(text: string, given: string | null): { reading: Reading; named: ReturnType<typeof makeNamed> } {
    const items = itemsOf(tokensOf(foldTitle(text)), lexicon, guess.guess)
    const reading = openReading(items)
    const named = makeNamed(items, given, { owners, holds })
    const { make } = named
    readFigures(reading, {
      isApple: make === 'apple',
      namesModel: ({ word, line }) =>
        word !== null && (word.isModel || line !== null || (word.make !== null && word.make === make) || hasScope(word.scopes, make)),
    })
    return { reading, named }
  }

  /** Devices whose name is said, each with how its facts agree. */
  function fitting(entries: readonly Entry[], reading: Reading): Fit[] {
    const fits: Fit[] = []
    for (const { known: one, says } of entries) {
      const isFiveG = reading.network === 5
      if (one.network === 'must' ? !isFiveG : one.network === 'must_not' && isFiveG) continue
      if (one.nameColors.length > 0 && !fitsColors(one.nameColors, reading)) continue
      const agreed = agreement(reading, one.facts)
      if (!agreed) continue
      const isTimeSaid = agreed.isTimeSaid || says === 'time' || says === 'all'
      const isSizeSaid = agreed.isSizeSaid || says === 'size' || says === 'all'
      fits.push({ known: one, isWhole: isTimeSaid && isSizeSaid, isUnsaid: !isTimeSaid, isChipExact: agreed.isChipExact })
    }
    return fits
  }

  return (listing) => {
    const text = listing.text.length > TITLE_LENGTH ? listing.text.slice(0, TITLE_LENGTH) : listing.text
    const given = givenMake(listing.make)
    const coded = codes.find(text, given?.make ?? null)
    const rest = coded?.rest ?? text
    const { reading, named } = read(given?.line ? `${given.line} ${rest}` : rest, given?.make ?? null)
    declare(reading, listing)
    const answer = (refusal: Refusal | null, fits: readonly Fit[], sureness: number, unmatched: readonly string[], by: readonly Coded[] = []) =>
      present(reading, listing, refusal, fits, sureness, unmatched, by)

    if (named.make === null && named.problem) return answer(named.problem, [], 0, [])
    const context = { make: named.make, isMakeGiven: given !== null, hasCode: (coded?.found.length ?? 0) > 0, silentLines: optional.get(named.make ?? '') ?? [], lineWords, pairs, resembles: guess.resembles }
    const claims = claimsOf(reading.items, context)
    const unmatched = [...claims.unknown, ...claims.loose.map((claim) => claim.text)]
    const byCode = (coded?.found ?? []).filter((one) => named.make === null || one.known.make === named.make)
    const looked = lookUp(claims, named.make, reading)
    const category = looked.fits[0]?.known.device.category ?? ''
    const refused = refusalOf(reading, spanOf(claims, reading.items), category)
    if (refused) return answer(refused, looked.fits, 0, unmatched)
    if (byCode.length > 0) return decideByCode(byCode, looked, claims, reading, answer, unmatched)
    if (named.make !== null && !byMake.has(named.make)) return answer('make_not_on_board', [], 0, unmatched)
    if (looked.fits.length === 0) return answer(reasonFor(claims), [], 0, unmatched)
    let sureness = BY_NAME - looked.less - Math.min(10, claims.unknown.length * LESS.unknownWord)
    if (claims.isMistyped) sureness -= LESS.mistyped
    if (named.make !== null && named.isGuess) sureness -= LESS.guessedMake
    return answer(null, looked.fits, sureness, unmatched)
  }

  type Looked = { readonly fits: Fit[]; readonly less: number; readonly key: string }

  /** First everything that was said, then without what people say beside a name, then with numbers that stand apart. */
  function lookUp(claims: Claims, make: string | null, reading: Reading): Looked {
    const keys = make === null ? bare : byMake.get(make)
    const less = make === null ? LESS.bare : 0
    // Without a make every word before the name must be known: "Cubot Note 20" is not Samsung's.
    if (!keys || (make === null && hasUnknownBefore(claims, reading.items))) return { fits: [], less, key: '' }
    const hard = claims.list.filter((claim) => !claim.isSoft)
    const tries: (readonly [readonly Claim[], number])[] = [[claims.list, 0]]
    if (hard.length < claims.list.length) tries.push([hard, LESS.softDropped])
    if (claims.loose.length > 0 && hard.some((claim) => !claim.isNumber)) {
      tries.push([[...hard, ...claims.loose].sort((a, b) => a.at - b.at), LESS.loose])
    }
    for (const [list, costs] of tries) {
      if (list.length === 0) continue
      for (const key of [keyOf(list), keyOf(withoutRepeats(list)), keyOf(linesFirst(list)), keyOf(numberSecond(list))]) {
        const entries = keys.get(key)
        if (!entries) continue
        const fits = fitting(entries, reading)
        if (fits.length > 0) return { fits, less: less + costs, key }
      }
    }
    return { fits: [], less, key: keyOf(hard) }
  }

  type Answer = (refusal: Refusal | null, fits: readonly Fit[], sureness: number, unmatched: readonly string[], by?: readonly Coded[]) => Resolution

  /** The code decides, unless the name beside it is plainly another device's. */
  function decideByCode(byCode: readonly Coded[], looked: Looked, claims: Claims, reading: Reading, answer: Answer, unmatched: readonly string[]): Resolution {
    const devices = new Set(byCode.map((one) => one.known))
    const both = looked.fits.filter((fit) => devices.has(fit.known))
    if (both.length > 0) return answer(null, both.map(settled), BY_CODE, unmatched, byCode)
    const fits = [...devices].flatMap((one) => {
      const agreed = agreement(reading, one.facts)
      return agreed ? [{ known: one, isWhole: true, isUnsaid: false, isChipExact: agreed.isChipExact }] : []
    })
    const said = keyOf(claims.list.filter((claim) => !claim.isSoft))
    const numbers = claims.list.filter((claim) => claim.isNumber).map((claim) => claim.text)
    const names = [...devices].map((one) => nameKey(one))
    const isPartOf = names.some((name) => name.includes(said) || numbers.every((number) => name.includes(number)))
    if (said === '' || (isPartOf && looked.fits.length === 0) || (isPartOf && names.some((name) => name.startsWith(looked.key)))) {
      if (fits.length > 0) return answer(null, fits, BY_CODE - 4, unmatched, byCode)
    }
    return answer('contradiction', [...looked.fits, ...fits], 0, unmatched)
  }
}

const settled = (fit: Fit): Fit => ({ ...fit, isUnsaid: false })

const nameKey = ({ device }: Known) => piecesOf(device.name).join('')

function hasScope(scopes: ReadonlySet<string> | null, make: string | null): boolean {
  if (!scopes || make === null) return false
  for (const scope of scopes) if (scope.startsWith(`${make}/`)) return true
  return false
}

/** HERO7 Silver is not HERO7 White; but a color that is not said rules out nothing. The first one said belongs to the name. */
function fitsColors(own: readonly string[], reading: Reading): boolean {
  const first = reading.items.find((item) => item.word?.role === 'color')?.word?.value
  return first === undefined || own.includes(first)
}

/** What the row says in columns of its own counts like words of the title. */
function declare(reading: Reading, { storage, ram }: Listing): void {
  const size = storage ? gigabytesOf(storage) : null
  const memory = ram ? gigabytesOf(ram) : null
  if (size !== null) {
    const others = reading.amounts.filter((amount) => amount.isRam || (amount.gigabytes < size && amount.gigabytes <= 24))
    reading.amounts.splice(0, reading.amounts.length, ...others, { gigabytes: size, isRam: false })
  }
  if (memory !== null && !reading.amounts.some((amount) => amount.isRam)) reading.amounts.push({ gigabytes: memory, isRam: true })
}

function spanOf(claims: Claims, items: readonly Item[]): Span | null {
  const hard = claims.list.filter((claim) => !claim.isSoft && !isOwnKind(items[claim.at] as Item))
  const first = hard[0]
  if (!first) return null
  return { from: first.at, to: (hard.at(-1) as Claim).at }
}

/** Words that are an accessory's name as well do not begin a device's name. */
const isOwnKind = (item: Item) => item.word?.role === 'accessory' || item.word?.role === 'weak_part'

function hasUnknownBefore(claims: Claims, items: readonly Item[]): boolean {
  const first = claims.list[0]?.at ?? 0
  return items.slice(0, first).some((item) => !item.isRead && !item.isSign && item.word === null)
}

/** "Galaxy S21 … Galaxy S21 5G": what is said twice is said once. Only line words may repeat by themselves. */
function withoutRepeats(list: readonly Claim[]): readonly Claim[] {
  const half = list.length / 2
  if (Number.isInteger(half) && half > 0) {
    const isTwice = list.slice(0, half).every((claim, at) => claim.text === list[at + half]?.text)
    if (isTwice) return list.slice(0, half)
  }
  const seen = new Set<string>()
  return list.filter(({ isLine, text }) => {
    if (!isLine) return true
    const isFirst = !seen.has(text)
    seen.add(text)
    return isFirst
  })
}

/** "13 Pro Max iPhone". */
const linesFirst = (list: readonly Claim[]): readonly Claim[] => [...list.filter((claim) => claim.isLine), ...list.filter((claim) => !claim.isLine)]

/** "iPhone Pro Max 12". */
function numberSecond(list: readonly Claim[]): readonly Claim[] {
  const numbers = list.filter((claim) => claim.isNumber)
  if (numbers.length !== 1) return list
  const lines = list.filter((claim) => claim.isLine)
  return [...lines, ...numbers, ...list.filter((claim) => !claim.isLine && !claim.isNumber)]
}

/** Two numbers or two lines: several devices. Else it is one that the catalogue does not hold. */
function reasonFor({ list }: Claims): Refusal {
  if (list.every((claim) => claim.isSoft)) return 'too_little'
  const numbers = list.filter((claim) => claim.isNumber).length
  const lines = new Set(list.filter((claim) => claim.isLine).map((claim) => claim.text)).size
  return numbers > 2 || lines > 2 ? 'several_devices' : 'other_model'
}

function present(
  reading: Reading,
  listing: Listing,
  refusal: Refusal | null,
  fits: readonly Fit[],
  sureness: number,
  unmatchedWords: readonly string[],
  byCode: readonly Coded[],
): Resolution {
  const color = listing.color ? piecesOf(listing.color).map(plainColor) : []
  const said = saidOf(reading, { color })
  const best = bestOf(fits)
  const [only] = best
  const isMatched = refusal === null && best.length === 1 && only !== undefined && !only.isUnsaid
  const parts = byCode.filter((one) => one.variant !== null && one.known === only?.known)
  const chosen = isMatched && only ? chooseVariants(only.known.device, said) : null
  const [part] = parts
  const variants = parts.length === 1 && part?.variant ? [part.variant] : (chosen?.variants ?? [])
  const variant = variants.length === 1 ? (variants[0] ?? null) : null
  const share = refusal !== null ? 0 : isMatched ? sureness : Math.floor(Math.min(60, sureness) / Math.max(1, best.length))
  const candidates: Candidate[] = (isMatched ? best : fits.slice(0, MOST_CANDIDATES)).map(({ known }) => ({
    device: known.device,
    variant,
    confidence: share,
  }))
  return {
    decision: isMatched ? 'matched' : refusal === null && fits.length > 0 ? 'ambiguous' : refusal === 'contradiction' ? 'ambiguous' : 'unknown',
    device: isMatched && only ? only.known.device : null,
    variant,
    variants,
    note: variant ? null : (chosen?.note ?? null),
    refusal,
    confidence: isMatched ? share : 0,
    attributes: attributesOf(reading, chosen),
    conditions: conditionsOf(reading),
    unmatchedWords,
    candidates,
  }
}

/** Where one name is said whole and the others only in part, the whole one is meant. */
function bestOf(fits: readonly Fit[]): readonly Fit[] {
  if (fits.length < 2) return fits
  const named = fits.filter((fit) => fit.known.network === 'must')
  const byNetwork = named.length > 0 && named.length < fits.length ? named : fits
  const exact = byNetwork.filter((fit) => fit.isChipExact)
  const list = exact.length > 0 ? exact : byNetwork
  const whole = list.filter((fit) => fit.isWhole)
  return whole.length === 1 && list.every((fit) => !fit.isUnsaid) ? whole : list
}
