/** Whether a piece of a title can be part of a model's name, by the words alone. */
import type { Token } from './tokens.ts'

/** Model words that also describe what follows them, as in "mini scratches" and "plus charger". */
export type ModifierRules = ReadonlyMap<
  string,
  {
    readonly nouns: ReadonlySet<string>
    /** Roles of words that it describes. */
    readonly roles: ReadonlySet<string>
    /** Right after the name both readings are possible. */
    readonly isDoubtfulNextToName: boolean
  }
>

export type NameContext = {
  readonly make: string | null
  /** It was given beside the title, so the name may begin at once. */
  readonly isMakeGiven: boolean
  /** The lines that these words name at this make. */
  readonly findLines: (names: readonly string[]) => TitleLines
  /** The scope of words in names of a line; '' for words that begin names. */
  readonly scopeOf: (line: string) => string
  /** A code in the title says which device it is: numbers apart from the name are no part of it. */
  readonly hasCode: boolean
  /** `make:pieces` of names that follow each other where one is a letter alone: "6s", "s23", "series s". */
  readonly pairs: ReadonlySet<string>
  readonly modifiers: ModifierRules
  /** Whether a name of the make has the number, as "Galaxy Book3 360" has. */
  readonly isNameNumber: (text: string) => boolean
}

/** `never`: not part of a name here. `beside`: only where it stands beside one. `own`: likewise, but nearby is enough. */
export type NameEligibility = 'always' | 'own' | 'beside' | 'never'

/** The lines a title speaks of. */
export type TitleLines = {
  readonly names: readonly string[]
  /** Scopes of words that are part of their names. */
  readonly scopes: readonly string[]
  /** Words that tell models of these lines apart, as the alias files know them. */
  readonly words: readonly ReadonlySet<string>[]
}

/** Line words of the make that stand in the title. */
export function findTitleLines(tokens: readonly Token[], context: NameContext): TitleLines {
  const { make, scopeOf } = context
  const top = scopeOf('')
  const names: string[] = []
  for (const { isConsumed: isRead, word, text } of tokens) {
    if (isRead || !word || (word.scopes === null && word.line === null)) continue
    if (!word.scopes?.has(top) && (word.line === null || word.line !== make)) continue
    if (!names.includes(text)) names.push(text)
  }
  return context.findLines(names)
}

/** The lines of these words, with those that people leave out: they count as said; "iphone#" only where no other line is. */
export function resolveLines(
  stated: readonly string[],
  optionalLines: readonly string[],
  scopeOf: (line: string) => string,
  lineWords: ReadonlyMap<string, ReadonlySet<string>>,
): TitleLines {
  const names = [...stated]
  const isBare = names.length === 0
  for (const line of optionalLines) {
    const name = line.endsWith('#') ? (isBare ? line.slice(0, -1) : '') : line
    if (name !== '' && !names.includes(name)) names.push(name)
  }
  const scopes = [scopeOf('')]
  const words: ReadonlySet<string>[] = []
  for (const name of names) {
    scopes.push(scopeOf(name))
    const own = lineWords.get(name)
    if (own) words.push(own)
  }
  return { names, scopes, words }
}

export function nameEligibility(token: Token, lines: TitleLines): NameEligibility {
  const { word } = token
  if (!word || token.isConsumed) return 'never'
  if (word.isModelWord || token.line !== null) return 'always'
  const isOrdinary =
    word.role !== null || word.isModelWordNextToName || word.isOptional || word.introducesExtras || word.unit !== null
  const isOwn = word.scopes !== null && hasScope(word.scopes, lines)
  if (isOwn && !isOrdinary) return 'always'
  if (isLineWord(token, lines)) return word.role === null && token.text.length > 1 ? 'always' : 'beside'
  if (isOwn) return 'own'
  return word.isModelWordNextToName ? 'beside' : 'never'
}

/** "Vive Cosmos Blue": the first word of a color is a model's here. */
export function isColorPartOfName({ word }: Token, lines: TitleLines, make: string | null): boolean {
  if (word?.role !== 'color' || !word.firstWord) return false
  if (word.firstWord.scopes && hasScope(word.firstWord.scopes, lines)) return true
  return word.firstWord.isModelWordNextToName && word.scopes !== null && !word.scopes.has(`${make}:color`)
}

export function isLineWord({ text }: Token, { words }: TitleLines): boolean {
  for (const own of words) if (own.has(text)) return true
  return false
}

function hasScope(scopes: ReadonlySet<string>, lines: TitleLines): boolean {
  for (const scope of lines.scopes) if (scopes.has(scope)) return true
  return false
}
