/** Determines the make that a title is about. */
import type { Token } from './tokens.ts'

export type MakeDecision =
  | { readonly make: string; readonly isGuess: boolean }
  | { readonly make: null; readonly problem: 'make_mismatch' | 'multiple_models' | null }

export type MakeRules = {
  /** Brand → makes that sell it and may be named beside it. */
  readonly owners: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether names of this make contain the word, as in "ROG Xbox Ally" of ASUS. */
  readonly nameContains: (make: string, word: string) => boolean
  /** Makes that titles of other makes name as well: of the processor, the network or the shop. */
  readonly isAlsoComponentOrShop: (make: string) => boolean
}

/**
 * The make from its own field takes precedence, then makes by name, then lines that imply their make, then makes whose
 * name is an ordinary word. Two unrelated makes are a conflict and are never resolved by a guess.
 */
export function decideMake(tokens: readonly Token[], givenMake: string | null, rules: MakeRules): MakeDecision {
  const namedMakes: string[] = []
  const weakMakes: string[] = []
  const makesOfLines: (readonly [string, string])[] = []
  for (const { word, line, text } of tokens) {
    if (line !== null) makesOfLines.push([line, text])
    const make = word?.make ?? null
    if (make === null) continue
    const list = word?.isWeakMake ? weakMakes : namedMakes
    if (!list.includes(make)) list.push(make)
  }
  const fits = (make: string, other: string, text = '') =>
    make === other ||
    rules.owners.get(make)?.has(other) ||
    rules.owners.get(other)?.has(make) ||
    rules.nameContains(make, text)
  if (givenMake !== null) {
    const isConflicting =
      namedMakes.some((make) => !fits(givenMake, make)) ||
      makesOfLines.some(([make, text]) => !fits(givenMake, make, text))
    return isConflicting ? { make: null, problem: 'make_mismatch' } : { make: givenMake, isGuess: false }
  }
  const [first, ...others] = namedMakes
  if (first !== undefined) {
    // A brand and the make that sells it: the catalogue lists the device under the brand.
    let make = first
    for (const other of others) {
      if (rules.owners.get(other)?.has(make)) make = other
      else if (!rules.owners.get(make)?.has(other)) return { make: null, problem: 'multiple_models' }
    }
    for (const [other, text] of makesOfLines) {
      if (rules.owners.get(other)?.has(make)) make = other
      else if (!fits(make, other, text)) return { make: null, problem: 'make_mismatch' }
    }
    return { make, isGuess: false }
  }
  if (makesOfLines.length > 0) {
    // "Honor Galaxy S7": at the beginning the make is meant, although its name is an ordinary word.
    const [start, next] = tokens
    const startMake =
      start?.word?.isWeakMake && !rules.isAlsoComponentOrShop(start.word.make ?? '') ? start.word.make : null
    if (startMake && next?.line && !fits(startMake, next.line, next.text))
      return { make: null, problem: 'make_mismatch' }
    for (const make of [...makesOfLines.map(([line]) => line), ...weakMakes]) {
      if (makesOfLines.every(([other, text]) => fits(make, other, text))) return { make, isGuess: false }
    }
    return { make: null, problem: 'multiple_models' }
  }
  const [only] = weakMakes
  if (weakMakes.length === 1 && only !== undefined) return { make: only, isGuess: true }
  return { make: null, problem: null }
}
