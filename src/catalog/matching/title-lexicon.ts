/** Words of all languages that the resolver knows, with their role in a title. */
import { foldTitle, type Token, tokenize } from './tokens.ts'

/** Role of a word. A word without a role is part of a name or unknown. */
export type WordRole =
  | 'noise'
  | 'condition'
  | 'carrier'
  | 'lock'
  | 'color'
  | 'category'
  | 'connectivity'
  | 'meant_for'
  | 'accessory'
  | 'part'
  | 'weak_part'
  | 'box'
  | 'weak_box'
  | 'lot'
  | 'for_parts'
  | 'wanted'
  | 'service'
  | 'replica'
  | 'side'
  | 'ordinary'

export type LexiconWord = {
  readonly text: string
  role: WordRole | null
  /** Normalized color, carrier or unit. */
  value: string
  /** Key of the make this word names. */
  make: string | null
  /** The make's name is also an ordinary word ("Nothing", "Honor"): it counts only if nothing else names a make. */
  isWeakMake: boolean
  /** Key of the make whose line this is: "iphone" implies Apple. */
  line: string | null
  /** Distinguishes models of any make: Pro, Max, Lite … */
  isModelWord: boolean
  /** An ordinary word that distinguishes models when it is next to a model's name: "Power", "One". */
  isModelWordNextToName: boolean
  /** Unit of the number before it. */
  unit: string | null
  partOfYear: string | null
  /** The number after it is a software version. */
  precedesVersion: boolean
  /** The following words are included with the device. */
  introducesExtras: boolean
  /** "the", "le": followed by the noun it belongs to. */
  isArticle: boolean
  /** Negates the words after it ("not Pro", "ohne Defekte") or before it (프로 아님). */
  negates: 'next' | 'previous' | null
  /** The following words are wanted in exchange. */
  introducesExchange: boolean
  /** "swap", "tausche": before "for" without a device, what follows is wanted. */
  isExchangeVerb: boolean
  /** "for", "gegen": after such a verb and a device, what follows is wanted. */
  followsExchangeVerb: boolean
  /** Part of many names and often omitted: "Edition", "Model". */
  isOptional: boolean
  /** Device names that contain it: `make/line`, or `make/` if names begin with it. */
  scopes: Set<string> | null
  /** Tokens that replace it. */
  replacement: readonly Token[] | null
  /** Tokens that replace it before a number only: "ps 5", "ip 13". */
  replacementBeforeNumber: readonly Token[] | null
  /** Tokens that replace it after a number only, which follows one of these words: "iPhone 15 PM", "S24U"; null: any word. */
  replacementAfterNumber: { readonly after: ReadonlySet<string> | null; readonly tokens: readonly Token[] } | null
  /** Tokens that replace it if it is written as one word with a number: the Cyrillic letter of "С23". */
  replacementJoinedToNumber: readonly Token[] | null
  /** First word of a phrase. */
  firstWord: LexiconWord | null
  /** Longer texts that begin with this word. */
  phrases: PhraseNode | null
}

/** Stands for every word of ordinary texts that has no meaning of its own. */
export const ORDINARY_WORD: LexiconWord = { ...emptyWord(''), role: 'ordinary' }

export type PhraseNode = { readonly next: Map<string, PhraseNode>; meaning: LexiconWord | null }

export type TitleLexicon = {
  /** A single piece. */
  find(text: string): LexiconWord | undefined
  /** The word at this position of a folded text; its letters if unknown. */
  findAt(folded: string, from: number, to: number): LexiconWord | string
  /** Finds a word or phrase without adding it. */
  findPhrase(text: string): LexiconWord | undefined
  /** Finds or adds a word or phrase. A phrase becomes one entry, found by its first word. */
  getOrAdd(text: string): LexiconWord
  words(): IterableIterator<LexiconWord>
}

function emptyWord(text: string): LexiconWord {
  return {
    text,
    role: null,
    value: text,
    make: null,
    isWeakMake: false,
    line: null,
    isModelWord: false,
    isModelWordNextToName: false,
    unit: null,
    partOfYear: null,
    precedesVersion: false,
    introducesExtras: false,
    isArticle: false,
    negates: null,
    introducesExchange: false,
    isExchangeVerb: false,
    followsExchangeVerb: false,
    isOptional: false,
    scopes: null,
    replacement: null,
    replacementBeforeNumber: null,
    replacementAfterNumber: null,
    replacementJoinedToNumber: null,
    firstWord: null,
    phrases: null,
  }
}

/** Splits a text into pieces like a title. */
export const splitPieces = (text: string): string[] => tokenize(foldTitle(text)).map((token) => token.text)

export function createTitleLexicon(): TitleLexicon {
  const words = new Map<string, LexiconWord>()
  const single = (text: string): LexiconWord => {
    let word = words.get(text)
    if (!word) {
      word = emptyWord(text)
      words.set(text, word)
    }
    return word
  }
  return {
    find: (text) => words.get(text),
    findAt(folded, from, to) {
      const text = folded.slice(from, to)
      return words.get(text) ?? text
    },
    findPhrase(text) {
      const [first = '', ...rest] = splitPieces(text)
      const head = words.get(first)
      if (rest.length === 0) return head
      let node: PhraseNode | null | undefined = head?.phrases
      for (const piece of rest) node = node?.next.get(piece)
      return node?.meaning ?? undefined
    },
    words: () => words.values(),
    getOrAdd(text) {
      const [first = '', ...rest] = splitPieces(text)
      if (rest.length === 0) return single(first)
      const head = single(first)
      head.phrases ??= { next: new Map(), meaning: null }
      let node = head.phrases
      for (const piece of rest) {
        let next = node.next.get(piece)
        if (!next) {
          next = { next: new Map(), meaning: null }
          node.next.set(piece, next)
        }
        node = next
      }
      node.meaning ??= { ...emptyWord([first, ...rest].join(' ')), firstWord: head }
      return node.meaning
    },
  }
}
