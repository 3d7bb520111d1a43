/** The lexicon as it is before any device is known: everything the alias files say. */
import type { Aliases } from './aliases.ts'
import { type Lexicon, openLexicon, piecesOf, type Role } from './title-lexicon.ts'
import { foldTitle, tokensOf } from './tokens.ts'

/** Equal for spellings of one make: "F-Plus", "fplus". */
export const makeKey = (make: string): string => piecesOf(make).join('')

/**
 * Where a word has several meanings the first of these wins; the last are the most harmless. What refuses a title comes
 * first: a price of a broken phone does more harm than a phone not recognised.
 */
const ROLES: readonly Role[] = [
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

export function vocabularyOf(aliases: Aliases): Lexicon {
  const lexicon = openLexicon()
  const give = (text: string, role: Role, value?: string) => {
    const word = lexicon.entry(text)
    if (word.role) return
    word.role = role
    if (value !== undefined) word.value = value
  }
  const giveValues = (role: Role, values: Readonly<Record<string, readonly string[]>>) => {
    for (const [value, texts] of Object.entries(values)) for (const text of texts) give(text, role, value)
  }
  const { words, models, makes, rewrites } = aliases
  for (const role of ROLES.slice(0, -1)) for (const text of words.plain[role] ?? []) give(text, role)
  giveValues('carrier', words.carriers)
  giveValues('lock', words.locks)
  giveValues('color', words.colors)
  giveValues('condition', words.conditions)
  giveValues('connectivity', words.connectivity)
  giveValues('category', words.categories)
  for (const text of words.plain.noise ?? []) give(text, 'noise')
  for (const text of words.plain.soft ?? []) lexicon.entry(text).isSoft = true
  for (const text of words.plain.version ?? []) lexicon.entry(text).isVersioned = true
  for (const text of words.plain.gift ?? []) lexicon.entry(text).isGift = true
  for (const [unit, texts] of Object.entries(words.units)) for (const text of texts) lexicon.entry(text).unit = unit
  for (const [part, texts] of Object.entries(words.partsOfYear)) {
    for (const text of texts) lexicon.entry(text).partOfYear = part
  }
  for (const text of models.modelWords) lexicon.entry(text).isModel = true
  for (const text of models.adjacentWords) lexicon.entry(text).isModelBeside = true
  for (const [make, lines] of Object.entries(models.lines)) {
    for (const line of lines) lexicon.entry(line).line = makeKey(make)
  }
  for (const [make, spellings] of Object.entries(makes.spellings)) addMake(lexicon, makeKey(make), [make, ...spellings])
  for (const text of makes.ordinaryWords) lexicon.entry(text).isWeakMake = true
  for (const [text, means] of Object.entries(rewrites.always)) lexicon.entry(text).rewrite = tokensOf(foldTitle(means))
  for (const [text, means] of Object.entries(rewrites.beforeNumber)) {
    lexicon.entry(text).rewriteBeforeNumber = tokensOf(foldTitle(means))
  }
  return lexicon
}

export function addMake(lexicon: Lexicon, key: string, spellings: readonly string[]): void {
  for (const spelling of spellings) {
    if (foldTitle(spelling).trim() === '') continue
    const word = lexicon.entry(spelling)
    word.make ??= key
    // A make of the registry that is also an ordinary word must not be seen in every title that uses the word.
    if (word.role) word.isWeakMake = true
  }
}
