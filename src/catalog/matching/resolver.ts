/**
 * From a listing's text to a device of the catalogue, or a refusal with its reason. A wrong match spoils a price for
 * everybody, a refused row costs one row: so a device is matched only when it answers for every word that names a model.
 */

import { memoize } from '../../lib/memoize.ts'
import { runToEnd, type TimeSliced } from '../../lib/time-sliced.ts'
import type { Device } from '../device.ts'
import { buildAliasLexicon, titleMakeKey } from './alias-lexicon.ts'
import { type Aliases, BUNDLED_ALIASES } from './aliases.ts'
import { decideByCode } from './code-decision.ts'
import { buildCodeIndex, type CodeMatches } from './code-index.ts'
import { buildDeviceNameIndex } from './device-name-index.ts'
import { createCardWords, findGraphicsCardMake } from './graphics-card.ts'
import { resolveLines, type TitleLines } from './name-eligibility.ts'
import { lookUpName } from './name-lookup.ts'
import { findNameParts, type NamePart, type NameParts } from './name-parts.ts'
import { findRejection, type MatchRejection, type TokenRange } from './rejection.ts'
import type { Resolution, TitleListing } from './resolution.ts'
import { buildResolution } from './resolution-builder.ts'
import { emptyTitleFacts, type NumberContext, type TitleFacts } from './title-facts.ts'
import { decideMake, type MakeRules } from './title-make.ts'
import { readNumbers } from './title-numbers.ts'
import { type Item, resolvePhrases } from './token-phrases.ts'
import { foldTitle, MAX_TITLE_CHARS, tokenize } from './tokens.ts'
import { parseGigabytes } from './variant-choice.ts'
import { createGuesser } from './word-guesser.ts'

export type Resolver = (listing: TitleListing) => Resolution

type MakeContext = {
  readonly isInCatalogue: boolean
  readonly findLines: (names: readonly string[]) => TitleLines
  readonly scopeOf: (line: string) => string
  readonly numbers: NumberContext
}

/** Lines of one make that are kept in memory. */
const MAX_CACHED_LINES = 1_000

/** How sure a plain match by name is, and what takes from it. */
const CONFIDENCE_BY_NAME = 96
const CONFIDENCE_PENALTIES = { mistyped: 12, guessedMake: 15, unknownWord: 1, mostUnknownWords: 10 } as const

export function createResolver(devices: Iterable<Device>, aliases: Aliases = BUNDLED_ALIASES): Resolver {
  return runToEnd(buildResolver(devices, aliases))
}

/** The same in slices, for a process that answers others meanwhile. */
export function* buildResolver(devices: Iterable<Device>, aliases: Aliases = BUNDLED_ALIASES): TimeSliced<Resolver> {
  const lexicon = buildAliasLexicon(aliases)
  yield
  const catalogue = yield* buildDeviceNameIndex(devices, lexicon, aliases)
  const codes = yield* buildCodeIndex(catalogue.devices)
  yield
  const guess = createGuesser(lexicon, aliases.words.beginnings)
  const { pairs, nameNumbers } = catalogue
  const optionalLines = new Map(
    Object.entries(aliases.models.optionalLines).map(([make, lines]) => [titleMakeKey(make), lines]),
  )
  const lineWords = new Map(Object.entries(aliases.models.lineWords).map(([line, words]) => [line, new Set(words)]))
  const makeRules: MakeRules = {
    owners: new Map(
      Object.entries(aliases.makes.owners).map(([make, list]) => [titleMakeKey(make), new Set(list.map(titleMakeKey))]),
    ),
    nameContains: (make, word) => hasScope(lexicon.find(word)?.scopes, make),
  }

  const cards = createCardWords(aliases.cards.makers, aliases.cards.words)

  /** A make as given beside the text: "Redmi" is a line of Xiaomi and stays part of the name. */
  const givenMakes = new Map<string, { make: string; line: string | null }>()
  function givenMake(text: string | null | undefined): { make: string; line: string | null } | null {
    if (!text?.trim()) return null
    const key = titleMakeKey(text)
    const known = givenMakes.get(key)
    if (known) return known
    const word = lexicon.findPhrase(text)
    const line = word?.make ? null : (word?.line ?? null)
    const given = { make: word?.make ?? line ?? key, line: line ? text : null }
    if (givenMakes.size < 10_000) givenMakes.set(key, given)
    return given
  }

  /** What depends on the make alone is put together once per make of the catalogue. */
  const ofMake = new Map<string | null, MakeContext>()
  const contextOf = (make: string | null): MakeContext => {
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
    const linesNamed = (names: readonly string[]) => resolveLines(names, silentLines, scopeOf, lineWords)
    const lineNamed = memoize(MAX_CACHED_LINES, (name: string) => linesNamed(name === '' ? [] : [name]))
    const context: MakeContext = {
      isInCatalogue: isOnBoard,
      // Nearly every title names one line or none.
      findLines: (names) => (names.length > 1 ? linesNamed(names) : lineNamed(names[0] ?? '')),
      scopeOf,
      numbers: {
        isApple: make === 'apple',
        isModelToken: (item) => namesModel(item, make),
        isNameNumber: (number) => nameNumbers.has(`${make}:${number}`),
      },
    }
    // Callers name makes at will; only those of the catalogue are kept.
    if (isOnBoard || make === null) ofMake.set(make, context)
    return context
  }

  return (listing) => {
    const text = listing.text.length > MAX_TITLE_CHARS ? listing.text.slice(0, MAX_TITLE_CHARS) : listing.text
    const given = givenMake(listing.make)
    const coded = codes.find(text, given?.make ?? null)
    const rest = coded?.remainingText ?? text
    const said = foldTitle(given?.line ? `${given.line} ${rest}` : rest)
    const items = resolvePhrases(tokenize(said, lexicon.findAt), lexicon, guess)
    const card = findGraphicsCardMake(items, given?.make ?? null, cards)
    const named = card ? { make: card, isGuess: false } : decideMake(items, given?.make ?? null, makeRules)
    const { make } = named
    const reading = emptyTitleFacts(items)
    const { numbers: figures, findLines: linesNamed, scopeOf, isInCatalogue: isOnBoard } = contextOf(make)
    readNumbers(reading, figures)
    addDeclaredMemory(reading, listing)
    const refuse = (refusal: MatchRejection) =>
      buildResolution({ title: reading, listing, rejection: refusal, matches: [], confidence: 0, unmatchedWords: [] })
    if (named.make === null && named.problem) return refuse(named.problem)

    const claims = findNameParts(items, {
      make,
      isMakeGiven: given !== null,
      findLines: linesNamed,
      hasCode: coded !== null && coded.matches.length > 0,
      scopeOf,
      pairs,
    })
    const unmatched = listUnmatchedWords(claims)
    const looked = lookUpName(claims, make, reading, catalogue)
    const { matches: fits } = looked
    const refusal = findRejection(
      reading,
      nameRange(claims, items) ?? (coded ? codeRange(coded) : null),
      fits[0]?.indexed.device.category ?? '',
      (at) => fits.length > 0 && claims.parts.some((claim) => claim.position === at),
    )
    if (refusal)
      return buildResolution({
        title: reading,
        listing,
        unmatchedWords: unmatched,
        matches: fits,
        confidence: 0,
        rejection: refusal,
      })
    const byCode = coded?.matches.filter((one) => make === null || one.indexed.make === make)
    if (byCode?.length) {
      return buildResolution({
        title: reading,
        listing,
        unmatchedWords: unmatched,
        codeMatches: byCode,
        ...decideByCode(byCode, looked, claims, reading),
      })
    }
    if (make !== null && !isOnBoard) return refuse('unknown_make')
    if (fits.length === 0)
      return buildResolution({
        title: reading,
        listing,
        unmatchedWords: unmatched,
        matches: fits,
        confidence: 0,
        rejection: rejectionWithoutMatch(claims),
      })
    let sureness = CONFIDENCE_BY_NAME - looked.penalty
    sureness -= Math.min(
      CONFIDENCE_PENALTIES.mostUnknownWords,
      claims.unknownWords.length * CONFIDENCE_PENALTIES.unknownWord,
    )
    if (claims.isMistyped) sureness -= CONFIDENCE_PENALTIES.mistyped
    if (named.make !== null && named.isGuess) sureness -= CONFIDENCE_PENALTIES.guessedMake
    return buildResolution({
      title: reading,
      listing,
      unmatchedWords: unmatched,
      matches: fits,
      confidence: sureness,
      rejection: null,
    })
  }
}

/** A code may stand for the name: what stands before it and behind it is told apart all the same. */
function codeRange({ remainingText: rest, position: from }: CodeMatches): TokenRange {
  const before = tokenize(foldTitle(rest.slice(0, from))).length
  return { from: before, to: before - 1 }
}

function listUnmatchedWords({ unknownWords: unknown, detachedParts: loose }: NameParts): readonly string[] {
  return loose.length === 0 ? unknown : [...unknown, ...loose.map((claim) => claim.text)]
}

function namesModel({ word, line }: Item, make: string | null): boolean {
  if (word === null) return false
  return word.isModelWord || line !== null || (word.make !== null && word.make === make) || hasScope(word.scopes, make)
}

function hasScope(scopes: ReadonlySet<string> | null | undefined, make: string | null): boolean {
  if (!scopes || make === null) return false
  for (const scope of scopes) if (scope.startsWith(make) && scope[make.length] === '/') return true
  return false
}

/** What the row says in columns of its own counts like words of the title. */
function addDeclaredMemory(title: TitleFacts, { storage, ram }: TitleListing): void {
  const size = storage ? parseGigabytes(storage) : null
  const memory = ram ? parseGigabytes(ram) : null
  if (size !== null) {
    const others = title.memoryAmounts.filter(
      (amount) => amount.isRam || (amount.gigabytes < size && amount.gigabytes <= 24),
    )
    title.memoryAmounts.splice(0, title.memoryAmounts.length, ...others, { gigabytes: size, isRam: false })
  }
  if (memory !== null && !title.memoryAmounts.some((amount) => amount.isRam)) {
    title.memoryAmounts.push({ gigabytes: memory, isRam: true })
  }
}

/** From the first to the last word of the name. Words that are an accessory's name as well do not begin one. */
function nameRange({ parts: list }: NameParts, items: readonly Item[]): TokenRange | null {
  let first: NamePart | null = null
  let last: NamePart | null = null
  for (const claim of list) {
    const role = items[claim.position]?.word?.role
    if (claim.isOptional || role === 'accessory' || role === 'weak_part') continue
    first ??= claim
    last = claim
  }
  return first && last ? { from: first.position, to: last.position } : null
}

/** Many numbers or lines: several devices. Else it is one that the catalogue does not hold. */
function rejectionWithoutMatch({ parts: list }: NameParts): MatchRejection {
  if (list.every((claim) => claim.isOptional)) return 'not_enough_information'
  const numbers = list.filter((claim) => claim.isNumber).length
  const lines = new Set(list.filter((claim) => claim.isLine).map((claim) => claim.text)).size
  return numbers > 2 || lines > 2 ? 'multiple_models' : 'unknown_model'
}
