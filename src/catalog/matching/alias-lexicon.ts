/** Builds the initial lexicon from the alias files; the words of device names are added later. */
import type { TimeSliced } from '../../lib/time-sliced.ts'
import type { Aliases } from './aliases.ts'
import { createTitleLexicon, splitPieces, type TitleLexicon, type WordRole } from './title-lexicon.ts'
import { foldTitle, tokenize } from './tokens.ts'

/** Normalized make: "F-Plus" and "fplus" have the same key. */
export const titleMakeKey = (make: string): string => splitPieces(make).join('')

/**
 * If a word has several roles, the first of these wins. Roles that reject a title come first: the price of a broken phone
 * does more harm than an unrecognised phone.
 */
const ROLES_BY_PRECEDENCE: readonly WordRole[] = [
  'for_parts',
  'box',
  'lot',
  'replica',
  'wanted',
  'service',
  'part',
  'accessory',
  'meant_for',
  'weak_box',
  'weak_part',
  'noise',
]

/** Yields to the event loop. */
export function* buildAliasLexicon(aliases: Aliases): TimeSliced<TitleLexicon> {
  const lexicon = createTitleLexicon()
  const assignRole = (text: string, role: WordRole, value?: string) => {
    const word = lexicon.getOrAdd(text)
    if (word.role) return
    word.role = role
    if (value !== undefined) word.value = value
  }
  const assignValues = (role: WordRole, values: Readonly<Record<string, readonly string[]>>) => {
    for (const [value, texts] of Object.entries(values)) for (const text of texts) assignRole(text, role, value)
  }
  const { words, models, makes, rewrites, transliterations } = aliases
  for (const role of ROLES_BY_PRECEDENCE.slice(0, -1))
    for (const text of words.plain[role] ?? []) assignRole(text, role)
  yield
  assignValues('side', words.sides)
  assignValues('carrier', words.carriers)
  assignValues('lock', words.locks)
  assignValues('color', words.colors)
  assignValues('condition', words.conditions)
  assignValues('connectivity', words.connectivity)
  assignValues('category', words.categories)
  yield
  for (const text of words.plain.noise ?? []) assignRole(text, 'noise')
  for (const text of words.plain.soft ?? []) lexicon.getOrAdd(text).isOptional = true
  for (const text of words.plain.version ?? []) lexicon.getOrAdd(text).precedesVersion = true
  for (const text of words.plain.gift ?? []) lexicon.getOrAdd(text).introducesExtras = true
  for (const text of words.plain.article ?? []) lexicon.getOrAdd(text).isArticle = true
  for (const text of words.plain.negation ?? []) {
    assignRole(text, 'noise')
    lexicon.getOrAdd(text).negates = 'next'
  }
  for (const text of words.plain.negationAfter ?? []) {
    assignRole(text, 'noise')
    lexicon.getOrAdd(text).negates = 'previous'
  }
  for (const text of words.plain.exchange ?? []) {
    assignRole(text, 'noise')
    lexicon.getOrAdd(text).introducesExchange = true
  }
  for (const text of words.plain.exchangeVerb ?? []) {
    assignRole(text, 'noise')
    lexicon.getOrAdd(text).isExchangeVerb = true
  }
  for (const text of words.plain.exchangeFor ?? []) lexicon.getOrAdd(text).followsExchangeVerb = true
  for (const [unit, texts] of Object.entries(words.units)) for (const text of texts) lexicon.getOrAdd(text).unit = unit
  for (const [part, texts] of Object.entries(words.partsOfYear)) {
    for (const text of texts) lexicon.getOrAdd(text).partOfYear = part
  }
  yield
  for (const text of models.modelWords) lexicon.getOrAdd(text).isModelWord = true
  for (const text of models.adjacentWords) lexicon.getOrAdd(text).isModelWordNextToName = true
  for (const [make, lines] of Object.entries(models.lines)) {
    for (const line of lines) lexicon.getOrAdd(line).line = titleMakeKey(make)
  }
  for (const [make, spellings] of Object.entries(makes.spellings))
    addMake(lexicon, titleMakeKey(make), [make, ...spellings])
  yield
  for (const text of makes.ordinaryWords) lexicon.getOrAdd(text).isWeakMake = true
  for (const [text, means] of withSpellings(Object.entries(rewrites.always)))
    lexicon.getOrAdd(text).replacement ??= tokenize(foldTitle(means))
  yield
  for (const [means, spellings] of Object.entries(transliterations.names)) {
    const replacement = tokenize(foldTitle(means))
    for (const text of spellings) lexicon.getOrAdd(text).replacement ??= replacement
  }
  for (const [letter, spellings] of Object.entries(transliterations.letters)) {
    const tokens = tokenize(letter)
    for (const text of spellings) {
      const word = lexicon.getOrAdd(text)
      word.replacementBeforeNumber ??= tokens
      word.replacementAfterNumber ??= { after: null, tokens }
    }
  }
  for (const [text, means] of Object.entries(rewrites.beforeNumber)) {
    lexicon.getOrAdd(text).replacementBeforeNumber = tokenize(foldTitle(means))
  }
  for (const [text, { after, means }] of Object.entries(rewrites.afterNumber)) {
    lexicon.getOrAdd(text).replacementAfterNumber = { after: new Set(after), tokens: tokenize(foldTitle(means)) }
  }
  for (const [text, means] of Object.entries(rewrites.joinedToNumber)) {
    lexicon.getOrAdd(text).replacementJoinedToNumber = tokenize(foldTitle(means))
  }
  return lexicon
}

/** "iphone 10" is rewritten in other scripts too: the same phrases with the other spellings of their first word, at the end. */
function withSpellings(rewrites: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const spellings = new Map<string, string[]>()
  for (const [text, means] of rewrites) {
    const others = spellings.get(means)
    if (others) others.push(text)
    else spellings.set(means, [text])
  }
  const respelled = rewrites.flatMap(([text, means]) => {
    const [first = '', ...rest] = text.split(' ')
    if (rest.length === 0) return []
    return (spellings.get(first) ?? []).map((spelling) => [[spelling, ...rest].join(' '), means] as const)
  })
  return [...rewrites, ...respelled]
}

export function addMake(lexicon: TitleLexicon, key: string, spellings: readonly string[]): void {
  for (const spelling of spellings) {
    if (foldTitle(spelling).trim() === '') continue
    const word = lexicon.getOrAdd(spelling)
    word.make ??= key
    // A make that is also an ordinary word must not be recognised in every title with that word.
    if (word.role) word.isWeakMake = true
  }
}
