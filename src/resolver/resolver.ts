/**
 * From a listing's text to a device of the catalogue, or a refusal with its reason. A wrong match spoils a price for
 * everybody, a refused row costs one row: so a device is matched only when it answers for every word that names a model.
 */
import type { Device } from '../catalog/device.ts'
import { remembered } from '../remembered.ts'
import { atOnce, type Slices } from '../slices.ts'
import { ALIASES_ON_BOARD, type Aliases } from './aliases.ts'
import { present } from './answer.ts'
import { type Claim, type Claims, claimsOf } from './claims.ts'
import { decideByCode } from './code-decision.ts'
import { type FoundCodes, openCodes } from './codes.ts'
import { readFigures } from './figures.ts'
import { cardMake, cardWords } from './graphics-card.ts'
import { openGuesser } from './guessing.ts'
import { type Item, itemsOf } from './items.ts'
import { knowDevices } from './known.ts'
import { lookUp } from './lookup.ts'
import { type FigureContext, openReading, type Reading } from './reading.ts'
import { type Refusal, refusalOf, type Span } from './refusal.ts'
import type { Listing, Resolution } from './resolution.ts'
import { type Lines, linesOfNames } from './standing.ts'
import { type MakeRules, makeNamed } from './title-make.ts'
import { foldTitle, TITLE_LENGTH, tokensOf } from './tokens.ts'
import { gigabytesOf } from './variants.ts'
import { makeKey, vocabularyOf } from './vocabulary.ts'

export type Resolver = (listing: Listing) => Resolution

type OfMake = {
  readonly isOnBoard: boolean
  readonly linesNamed: (names: readonly string[]) => Lines
  readonly scopeOf: (line: string) => string
  readonly figures: FigureContext
}

/** Lines of one make that are kept in memory. */
const MOST_LINES = 1_000

/** How sure a plain match by name is, and what takes from it. */
const BY_NAME = 96
const COSTS = { mistyped: 12, guessedMake: 15, unknownWord: 1, mostUnknownWords: 10 } as const

export function openResolver(devices: Iterable<Device>, aliases: Aliases = ALIASES_ON_BOARD): Resolver {
  return atOnce(buildResolver(devices, aliases))
}

/** The same in slices, for a process that answers others meanwhile. */
export function* buildResolver(devices: Iterable<Device>, aliases: Aliases = ALIASES_ON_BOARD): Slices<Resolver> {
  const lexicon = vocabularyOf(aliases)
  yield
  const catalogue = yield* knowDevices(devices, lexicon, aliases)
  const codes = yield* openCodes(catalogue.known)
  yield
  const guess = openGuesser(lexicon, aliases.words.beginnings)
  const { pairs, nameNumbers } = catalogue
  const optionalLines = new Map(
    Object.entries(aliases.models.optionalLines).map(([make, lines]) => [makeKey(make), lines]),
  )
  const lineWords = new Map(Object.entries(aliases.models.lineWords).map(([line, words]) => [line, new Set(words)]))
  const makeRules: MakeRules = {
    owners: new Map(
      Object.entries(aliases.makes.owners).map(([make, list]) => [makeKey(make), new Set(list.map(makeKey))]),
    ),
    holds: (make, word) => hasScope(lexicon.find(word)?.scopes, make),
  }

  const cards = cardWords(aliases.cards.makers, aliases.cards.words)

  /** A make as given beside the text: "Redmi" is a line of Xiaomi and stays part of the name. */
  const givenMakes = new Map<string, { make: string; line: string | null }>()
  function givenMake(text: string | null | undefined): { make: string; line: string | null } | null {
    if (!text?.trim()) return null
    const key = makeKey(text)
    const known = givenMakes.get(key)
    if (known) return known
    const word = lexicon.known(text)
    const line = word?.make ? null : (word?.line ?? null)
    const given = { make: word?.make ?? line ?? key, line: line ? text : null }
    if (givenMakes.size < 10_000) givenMakes.set(key, given)
    return given
  }

  /** What depends on the make alone is put together once per make of the catalogue. */
  const ofMake = new Map<string | null, OfMake>()
  const contextOf = (make: string | null): OfMake => {
    const known = ofMake.get(make)
    if (known) return known
    const isOnBoard = make !== null && catalogue.byMake.has(make)
    const scopes = new Map<string, string>()
    const scopeOf = (line: string) => {
      let scope = scopes.get(line)
      if (scope === undefined) {
        scope = isOnBoard ? `${make}/${line}` : ''
        scopes.set(line, scope)
      }
      return scope
    }
    const silentLines = optionalLines.get(make ?? '') ?? []
    const linesNamed = (names: readonly string[]) => linesOfNames(names, silentLines, scopeOf, lineWords)
    const lineNamed = remembered(MOST_LINES, (name: string) => linesNamed(name === '' ? [] : [name]))
    const context: OfMake = {
      isOnBoard,
      // Nearly every title names one line or none.
      linesNamed: (names) => (names.length > 1 ? linesNamed(names) : lineNamed(names[0] ?? '')),
      scopeOf,
      figures: {
        isApple: make === 'apple',
        namesModel: (item) => namesModel(item, make),
        isNameNumber: (number) => nameNumbers.has(`${make}:${number}`),
      },
    }
    // Callers name makes at will; only those of the catalogue are kept.
    if (isOnBoard || make === null) ofMake.set(make, context)
    return context
  }

  return (listing) => {
    const text = listing.text.length > TITLE_LENGTH ? listing.text.slice(0, TITLE_LENGTH) : listing.text
    const given = givenMake(listing.make)
    const coded = codes.find(text, given?.make ?? null)
    const rest = coded?.rest ?? text
    const said = foldTitle(given?.line ? `${given.line} ${rest}` : rest)
    const items = itemsOf(tokensOf(said, lexicon.at), lexicon, guess)
    const card = cardMake(items, given?.make ?? null, cards)
    const named = card ? { make: card, isGuess: false } : makeNamed(items, given?.make ?? null, makeRules)
    const { make } = named
    const reading = openReading(items)
    const { figures, linesNamed, scopeOf, isOnBoard } = contextOf(make)
    readFigures(reading, figures)
    declare(reading, listing)
    const refuse = (refusal: Refusal) => present({ reading, listing, refusal, fits: [], sureness: 0, unmatched: [] })
    if (named.make === null && named.problem) return refuse(named.problem)

    const claims = claimsOf(items, {
      make,
      isMakeGiven: given !== null,
      linesNamed,
      hasCode: coded !== null && coded.found.length > 0,
      scopeOf,
      pairs,
    })
    const unmatched = unmatchedOf(claims)
    const looked = lookUp(claims, make, reading, catalogue)
    const { fits } = looked
    const refusal = refusalOf(
      reading,
      spanOf(claims, items) ?? (coded ? placeOf(coded) : null),
      fits[0]?.known.device.category ?? '',
      (at) => fits.length > 0 && claims.list.some((claim) => claim.at === at),
    )
    if (refusal) return present({ reading, listing, unmatched, fits, sureness: 0, refusal })
    const byCode = coded?.found.filter((one) => make === null || one.known.make === make)
    if (byCode?.length) {
      return present({ reading, listing, unmatched, byCode, ...decideByCode(byCode, looked, claims, reading) })
    }
    if (make !== null && !isOnBoard) return refuse('make_not_on_board')
    if (fits.length === 0)
      return present({ reading, listing, unmatched, fits, sureness: 0, refusal: reasonFor(claims) })
    let sureness = BY_NAME - looked.less
    sureness -= Math.min(COSTS.mostUnknownWords, claims.unknown.length * COSTS.unknownWord)
    if (claims.isMistyped) sureness -= COSTS.mistyped
    if (named.make !== null && named.isGuess) sureness -= COSTS.guessedMake
    return present({ reading, listing, unmatched, fits, sureness, refusal: null })
  }
}

/** A code may stand for the name: what stands before it and behind it is told apart all the same. */
function placeOf({ rest, from }: FoundCodes): Span {
  const before = tokensOf(foldTitle(rest.slice(0, from))).length
  return { from: before, to: before - 1 }
}

function unmatchedOf({ unknown, loose }: Claims): readonly string[] {
  return loose.length === 0 ? unknown : [...unknown, ...loose.map((claim) => claim.text)]
}

function namesModel({ word, line }: Item, make: string | null): boolean {
  if (word === null) return false
  return word.isModel || line !== null || (word.make !== null && word.make === make) || hasScope(word.scopes, make)
}

function hasScope(scopes: ReadonlySet<string> | null | undefined, make: string | null): boolean {
  if (!scopes || make === null) return false
  for (const scope of scopes) if (scope.startsWith(make) && scope[make.length] === '/') return true
  return false
}

/** What the row says in columns of its own counts like words of the title. */
function declare(reading: Reading, { storage, ram }: Listing): void {
  const size = storage ? gigabytesOf(storage) : null
  const memory = ram ? gigabytesOf(ram) : null
  if (size !== null) {
    const others = reading.amounts.filter(
      (amount) => amount.isRam || (amount.gigabytes < size && amount.gigabytes <= 24),
    )
    reading.amounts.splice(0, reading.amounts.length, ...others, { gigabytes: size, isRam: false })
  }
  if (memory !== null && !reading.amounts.some((amount) => amount.isRam)) {
    reading.amounts.push({ gigabytes: memory, isRam: true })
  }
}

/** From the first to the last word of the name. Words that are an accessory's name as well do not begin one. */
function spanOf({ list }: Claims, items: readonly Item[]): Span | null {
  let first: Claim | null = null
  let last: Claim | null = null
  for (const claim of list) {
    const role = items[claim.at]?.word?.role
    if (claim.isSoft || role === 'accessory' || role === 'weak_part') continue
    first ??= claim
    last = claim
  }
  return first && last ? { from: first.at, to: last.at } : null
}

/** Many numbers or lines: several devices. Else it is one that the catalogue does not hold. */
function reasonFor({ list }: Claims): Refusal {
  if (list.every((claim) => claim.isSoft)) return 'too_little'
  const numbers = list.filter((claim) => claim.isNumber).length
  const lines = new Set(list.filter((claim) => claim.isLine).map((claim) => claim.text)).size
  return numbers > 2 || lines > 2 ? 'several_devices' : 'other_model'
}
