/** Whether a piece of a title can be part of a model's name, by the words alone. */
import type { Token } from './tokens.ts'

/** Model words that also describe what follows them, as in "mini scratches" and "plus charger". */
export type ModifierRules = ReadonlyMap<
  string,
  {
    readonly nouns: ReadonlySet<string>
    /** Roles of the words that it may describe. */
    readonly roles: ReadonlySet<string>
    /** Right after the name both readings are possible. */
    readonly isDoubtfulNextToName: boolean
    /** Away from the name it may describe how the device was unlocked. */
    readonly describesLocks: boolean
  }
>

export type NameContext = {
  readonly make: string | null
  /** The make came from its own field, so the name may begin at the first word. */
  readonly isMakeGiven: boolean
  /** Lines of this make that these words name. */
  readonly findLines: (names: readonly string[]) => TitleLines
  /** The scope of words in names of a line; '' for words that begin names. */
  readonly scopeOf: (line: string) => string
  /** A code in the title identifies the device: numbers away from the name are not part of it. */
  readonly hasCode: boolean
  /** `make:pieces` of neighbouring name pieces of which one is a single letter: "6s", "s23", "series s". */
  readonly pairs: ReadonlySet<string>
  readonly modifiers: ModifierRules
  /** Whether a name of the make contains the number, as in "Galaxy Book3 360". */
  readonly isNameNumber: (text: string) => boolean
}

/** `never`: not part of a name here. `adjacent`: only next to a name. `near`: also near a name. */
export type NameEligibility = 'always' | 'near' | 'adjacent' | 'never'

/** The lines that a title names. */
export type TitleLines = {
  readonly names: readonly string[]
  /** Scopes of words in the names of these lines. */
  readonly scopes: readonly string[]
  /** Words of the alias files that distinguish models of these lines. */
  readonly words: readonly ReadonlySet<string>[]
}

/** Line words of the make in the title. */
export function findTitleLines(tokens: readonly Token[], context: NameContext): TitleLines {
  const { make, scopeOf } = context
  const top = scopeOf('')
  const names: string[] = []
  for (const { isConsumed, word, text } of tokens) {
    if (isConsumed || !word || (word.scopes === null && word.line === null)) continue
    if (!word.scopes?.has(top) && (word.line === null || word.line !== make)) continue
    if (!names.includes(text)) names.push(text)
  }
  return context.findLines(names)
}

/** The lines of these words plus optional lines, which count as stated; "iphone#" only if there is no other line. */
export function resolveLines(
  stated: readonly string[],
  optionalLines: readonly string[],
  scopeOf: (line: string) => string,
  lineWords: ReadonlyMap<string, ReadonlySet<string>>,
): TitleLines {
  const names = [...stated]
  const namesNoLine = names.length === 0
  for (const line of optionalLines) {
    const name = line.endsWith('#') ? (namesNoLine ? line.slice(0, -1) : '') : line
    if (name !== '' && !names.includes(name)) names.push(name)
  }
  const scopes = [scopeOf('')]
  const words: ReadonlySet<string>[] = []
  for (const name of names) {
    scopes.push(scopeOf(name))
    const wordsOfLine = lineWords.get(name)
    if (wordsOfLine) words.push(wordsOfLine)
  }
  return { names, scopes, words }
}

export function nameEligibility(token: Token, lines: TitleLines): NameEligibility {
  const { word } = token
  if (!word || token.isConsumed) return 'never'
  if (word.isModelWord || token.line !== null) return 'always'
  const isOrdinary =
    word.role !== null || word.isModelWordNextToName || word.isOptional || word.introducesExtras || word.unit !== null
  const isInScope = word.scopes !== null && hasScope(word.scopes, lines)
  if (isInScope && !isOrdinary) return 'always'
  if (isLineWord(token, lines)) return word.role === null && token.text.length > 1 ? 'always' : 'adjacent'
  if (isInScope) return 'near'
  return word.isModelWordNextToName ? 'adjacent' : 'never'
}

/** "Vive Cosmos Blue": the first word of a color can be part of a model name. */
export function isColorPartOfName({ word }: Token, lines: TitleLines, make: string | null): boolean {
  if (word?.role !== 'color' || !word.firstWord) return false
  if (word.firstWord.scopes && hasScope(word.firstWord.scopes, lines)) return true
  return word.firstWord.isModelWordNextToName && word.scopes !== null && !word.scopes.has(`${make}:color`)
}

export function isLineWord({ text }: Token, { words }: TitleLines): boolean {
  for (const wordsOfLine of words) if (wordsOfLine.has(text)) return true
  return false
}

function hasScope(scopes: ReadonlySet<string>, lines: TitleLines): boolean {
  for (const scope of lines.scopes) if (scopes.has(scope)) return true
  return false
}
