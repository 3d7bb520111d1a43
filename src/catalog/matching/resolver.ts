/**
 * Matches the text of a listing to a device of the catalogue, or rejects it with a reason. A wrong match distorts a price
 * while a rejection only loses one row, so a device matches only if its name accounts for every model word.
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
import { type ModifierRules, resolveLines, type TitleLines } from './name-eligibility.ts'
import { lookUpName } from './name-lookup.ts'
import { findNameParts, type NamePart, type NameParts } from './name-parts.ts'
import { consumeDeniedBeginning, consumeNegated } from './negation.ts'
import { bundledOrdinaryTexts, createOrdinaryWords } from './ordinary-words.ts'
import { findRejection, type MatchRejection, type TokenRange } from './rejection.ts'
import type { Resolution, TitleListing } from './resolution.ts'
import { buildResolution } from './resolution-builder.ts'
import { emptyTitleFacts, type NumberContext, type TitleFacts } from './title-facts.ts'
import { ORDINARY_WORD } from './title-lexicon.ts'
import { decideMake, type MakeDecision, type MakeRules } from './title-make.ts'
import { readNumbers } from './title-numbers.ts'
import { resolvePhrases } from './token-phrases.ts'
import { foldTitle, MAX_TITLE_CHARS, type Token, tokenize } from './tokens.ts'
import { parseGigabytes } from './variant-choice.ts'
import { createGuesser } from './word-guesser.ts'

export type Resolver = (listing: TitleListing) => Resolution

/** Make from a field of its own; `line` if the field names a product line instead. */
type MakeField = { readonly make: string; readonly line: string | null }

type MakeContext = {
  readonly isInCatalogue: boolean
  readonly findLines: (names: readonly string[]) => TitleLines
  readonly scopeOf: (line: string) => string
  readonly numbers: NumberContext
}

/** Callers choose the texts, so caches are bounded. */
const MAX_CACHED_LINES = 1_000
const MAX_CACHED_MAKES = 10_000

/** Confidence of a plain match by name, and deductions from it. */
const CONFIDENCE_BY_NAME = 96
const CONFIDENCE_PENALTIES = { mistyped: 12, guessedMake: 15, unknownWord: 1, maxForUnknownWords: 10 } as const

export function createResolver(devices: Iterable<Device>, aliases: Aliases = BUNDLED_ALIASES): Resolver {
  return runToEnd(buildResolver(devices, aliases))
}

/** Yields to the event loop. */
export function* buildResolver(devices: Iterable<Device>, aliases: Aliases = BUNDLED_ALIASES): TimeSliced<Resolver> {
  const lexicon = yield* buildAliasLexicon(aliases)
  yield
  const catalogue = yield* buildDeviceNameIndex(devices, lexicon, aliases)
  const codes = yield* buildCodeIndex(catalogue.devices)
  yield
  const guess = createGuesser(lexicon, aliases.words, createOrdinaryWords(bundledOrdinaryTexts()))
  const { pairs, nameNumbers } = catalogue
  const optionalLines = new Map(
    Object.entries(aliases.models.optionalLines).map(([make, lines]) => [titleMakeKey(make), lines]),
  )
  const lineWords = new Map(Object.entries(aliases.models.lineWords).map(([line, words]) => [line, new Set(words)]))
  const lensMakes = new Set(aliases.makes.withLenses.map(titleMakeKey))
  const componentsAndShops = new Set(aliases.makes.componentsAndShops.map(titleMakeKey))
  const makeRules: MakeRules = {
    owners: new Map(
      Object.entries(aliases.makes.owners).map(([make, list]) => [titleMakeKey(make), new Set(list.map(titleMakeKey))]),
    ),
    isAlsoComponentOrShop: (make) => componentsAndShops.has(make),
    nameContains: (make, word) => hasScope(lexicon.find(word)?.scopes, make),
  }

  const modifiers: ModifierRules = new Map(
    Object.entries(aliases.models.modifiers).map(([word, { nouns, roles, isDoubtfulNextToName, describesLocks }]) => [
      word,
      { nouns: new Set(nouns), roles: new Set(roles), isDoubtfulNextToName, describesLocks: describesLocks ?? false },
    ]),
  )
  const cards = createCardWords(aliases.cards.makers, aliases.cards.words)

  /** The make from its own field: "Redmi" is a line of Xiaomi and stays part of the name. */
  const parseMakeField = memoize(MAX_CACHED_MAKES, (text: string): MakeField => {
    const word = lexicon.findPhrase(text)
    const line = word?.make ? null : (word?.line ?? null)
    return { make: word?.make ?? line ?? titleMakeKey(text), line: line ? text : null }
  })

  const contextOf = memoize(MAX_CACHED_MAKES, (make: string | null): MakeContext => {
    const isInCatalogue = make !== null && catalogue.byMake.has(make)
    const scopeOf = memoize(MAX_CACHED_LINES, (line: string) => (isInCatalogue ? `${make}/${line}` : ''))
    const silentLines = optionalLines.get(make ?? '') ?? []
    const findLines = (names: readonly string[]) => resolveLines(names, silentLines, scopeOf, lineWords)
    const findLine = memoize(MAX_CACHED_LINES, (name: string) => findLines(name === '' ? [] : [name]))
    return {
      isInCatalogue,
      // Nearly every title names one line or none.
      findLines: (names) => (names.length > 1 ? findLines(names) : findLine(names[0] ?? '')),
      scopeOf,
      numbers: {
        isApple: make === 'apple',
        hasLenses: make !== null && lensMakes.has(make),
        isModelToken: (token) => namesModel(token, make),
        isNameNumber: (number) => nameNumbers.has(`${make}:${number}`),
      },
    }
  })

  function tokensOf(text: string, makeField: MakeField | null): Token[] {
    const folded = foldTitle(makeField?.line ? `${makeField.line} ${text}` : text)
    const tokens = resolvePhrases(tokenize(folded, lexicon.findAt), lexicon, guess)
    for (const word of accentedWords(text))
      for (const token of tokens) if (token.word === null && token.text === word) token.word = ORDINARY_WORD
    return tokens
  }

  /** An empty range at the code: it takes the place of a name. */
  function codeRange({ remainingText, position }: CodeMatches, makeField: MakeField | null): TokenRange {
    const tokensBefore = tokensOf(remainingText.slice(0, position), makeField).length
    return { from: tokensBefore, to: tokensBefore - 1 }
  }

  return (listing) => {
    const text = listing.text.length > MAX_TITLE_CHARS ? listing.text.slice(0, MAX_TITLE_CHARS) : listing.text
    const makeField = listing.make?.trim() ? parseMakeField(listing.make) : null
    const codeLookup = codes.find(text, makeField?.make ?? null)
    const textWithoutCodes = codeLookup?.remainingText ?? text
    const tokens = tokensOf(textWithoutCodes, makeField)
    const isFiveGDenied = consumeNegated(tokens)
    const card = findGraphicsCardMake(tokens, makeField?.make ?? null, cards)
    const decide = () => decideMake(tokens, makeField?.make ?? null, makeRules)
    let makeDecision: MakeDecision = card ? { make: card, isGuess: false } : decide()
    if (makeDecision.make === null && makeDecision.problem && consumeDeniedBeginning(tokens)) makeDecision = decide()
    const { make } = makeDecision
    const title = emptyTitleFacts(tokens)
    const { numbers, findLines, scopeOf, isInCatalogue } = contextOf(make)
    readNumbers(title, numbers)
    if (isFiveGDenied) title.networkGeneration ??= 4
    addDeclaredMemory(title, listing)
    const reject = (rejection: MatchRejection) =>
      buildResolution({ title, listing, rejection, matches: [], confidence: 0, unmatchedWords: [] })
    if (makeDecision.make === null && makeDecision.problem) return reject(makeDecision.problem)

    const nameParts = findNameParts(tokens, {
      make,
      isMakeGiven: makeField !== null,
      findLines,
      hasCode: codeLookup !== null && codeLookup.matches.length > 0,
      scopeOf,
      pairs,
      modifiers,
      isNameNumber: numbers.isNameNumber,
    })
    const lookup = lookUpName(nameParts, make, title, catalogue)
    const { matches } = lookup
    const unmatchedWords = lookup.usesDetachedParts ? nameParts.unknownWords : listUnmatchedWords(nameParts)
    const result = { title, listing, unmatchedWords }
    const rejection = findRejection(
      title,
      nameRange(nameParts, tokens) ?? (codeLookup ? codeRange(codeLookup, makeField) : null),
      matches[0]?.indexed.device.category ?? '',
      (position) => matches.length > 0 && nameParts.parts.some((part) => part.position === position),
      listing.mayBeDefective ?? false,
    )
    if (rejection) return buildResolution({ ...result, matches, confidence: 0, rejection })
    const codeMatches = codeLookup?.matches.filter((match) => make === null || match.indexed.make === make)
    if (codeMatches?.length) {
      return buildResolution({ ...result, codeMatches, ...decideByCode(codeMatches, lookup, nameParts, title) })
    }
    // "Lenovo IdeaTab A3000": the code of another make, or an unknown model that looks like one.
    if (codeLookup && make !== null && codeLookup.matches.length > 0) return reject('conflicting_identifiers')
    if (make !== null && !isInCatalogue) return reject('unknown_make')
    if (matches.length === 0) {
      return buildResolution({ ...result, matches, confidence: 0, rejection: rejectionWithoutMatch(nameParts) })
    }
    const unknownWordPenalty = nameParts.unknownWords.length * CONFIDENCE_PENALTIES.unknownWord
    const confidence =
      CONFIDENCE_BY_NAME -
      lookup.penalty -
      Math.min(CONFIDENCE_PENALTIES.maxForUnknownWords, unknownWordPenalty) -
      (nameParts.isMistyped ? CONFIDENCE_PENALTIES.mistyped : 0) -
      (makeDecision.make !== null && makeDecision.isGuess ? CONFIDENCE_PENALTIES.guessedMake : 0)
    return buildResolution({ ...result, matches, confidence, rejection: null })
  }
}

const MIN_ACCENTED_LETTERS = 3

/** "váz", "kenttäpuhelin": no name of a model has letters with accents. */
const accentedWords = (text: string): string[] =>
  /[\u00c0-\u024f\u1e00-\u1eff]/.test(text)
    ? (
        text.match(/[a-z\u00c0-\u024f\u1e00-\u1eff]*[\u00c0-\u024f\u1e00-\u1eff][a-z\u00c0-\u024f\u1e00-\u1eff]*/gi) ??
        []
      )
        .filter((word) => word.length >= MIN_ACCENTED_LETTERS)
        .map(foldTitle)
    : []

function listUnmatchedWords({ unknownWords, detachedParts }: NameParts): readonly string[] {
  return detachedParts.length === 0 ? unknownWords : [...unknownWords, ...detachedParts.map((part) => part.text)]
}

function namesModel({ word, line }: Token, make: string | null): boolean {
  if (word === null) return false
  return word.isModelWord || line !== null || (word.make !== null && word.make === make) || hasScope(word.scopes, make)
}

function hasScope(scopes: ReadonlySet<string> | null | undefined, make: string | null): boolean {
  if (!scopes || make === null) return false
  for (const scope of scopes) if (scope.startsWith(make) && scope[make.length] === '/') return true
  return false
}

/** Storage and RAM from fields of their own count like words of the title. */
function addDeclaredMemory(title: TitleFacts, { storage, ram }: TitleListing): void {
  const storageGb = storage ? parseGigabytes(storage) : null
  const ramGb = ram ? parseGigabytes(ram) : null
  if (storageGb !== null) {
    const others = title.memoryAmounts.filter(
      (amount) => amount.isRam || (amount.gigabytes < storageGb && amount.gigabytes <= 24),
    )
    title.memoryAmounts.splice(0, title.memoryAmounts.length, ...others, { gigabytes: storageGb, isRam: false })
  }
  if (ramGb !== null && !title.memoryAmounts.some((amount) => amount.isRam)) {
    title.memoryAmounts.push({ gigabytes: ramGb, isRam: true })
  }
}

/** From the first to the last word of the name, ignoring optional and doubtful words and words that also name an accessory. */
function nameRange({ parts }: NameParts, tokens: readonly Token[]): TokenRange | null {
  let first: NamePart | null = null
  let last: NamePart | null = null
  for (const part of parts) {
    const role = tokens[part.position]?.word?.role
    if (part.isOptional || part.isDoubtful || role === 'accessory' || role === 'weak_part') continue
    first ??= part
    last = part
  }
  return first && last ? { from: first.position, to: last.position } : null
}

/** Many numbers or lines mean several devices, otherwise a device that is not in the catalogue. */
function rejectionWithoutMatch({ parts }: NameParts): MatchRejection {
  if (parts.every((part) => part.isOptional)) return 'not_enough_information'
  const numbers = parts.filter((part) => part.isNumber).length
  const lines = new Set(parts.filter((part) => part.isLine).map((part) => part.text)).size
  return numbers > 2 || lines > 2 ? 'multiple_models' : 'unknown_model'
}
