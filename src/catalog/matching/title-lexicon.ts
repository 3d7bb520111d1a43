/** The words the resolver knows, whatever language they are of, and what each of them is in a title. */
import { foldTitle, type Token, tokenize } from './tokens.ts'

/** What a word is. A word of no role is either part of a name or nobody knows it. */
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

export type LexiconWord = {
  readonly text: string
  role: WordRole | null
  /** The same thing in one spelling: a color, a carrier, a unit. */
  value: string
  /** Key of the make this word names. */
  make: string | null
  /** The make's name is an ordinary word too ("Nothing", "Honor"): it counts only where nothing else names a make. */
  isWeakMake: boolean
  /** Key of the make whose line this is: "iphone" says Apple. */
  line: string | null
  /** Tells models apart at any make: Pro, Max, Lite … */
  isModelWord: boolean
  /** An ordinary word that tells models apart where it stands beside a model's name: "Power", "One". */
  isModelWordNextToName: boolean
  /** What a number before it counts. */
  unit: string | null
  partOfYear: string | null
  /** A number after it is the version of some software. */
  precedesVersion: boolean
  /** What follows comes along with the device. */
  introducesExtras: boolean
  /** "the", "le": followed by the noun it belongs to. */
  isArticle: boolean
  /** Denies the words after it ("not Pro", "ohne Defekte") or before it (프로 아님). */
  negates: 'next' | 'previous' | null
  /** What follows is wanted in exchange. */
  introducesExchange: boolean
  /** Part of many names that people leave out: "Edition", "Model". */
  isOptional: boolean
  /** Where it is part of a device's name: `make/line`, or `make/` where names begin with it. */
  scopes: Set<string> | null
  /** What it stands for. */
  replacement: readonly Token[] | null
  /** Likewise, but only before a number: "ps 5", "ip 13". */
  replacementBeforeNumber: readonly Token[] | null
  /** Of a phrase, its first word. */
  firstWord: LexiconWord | null
  /** Longer texts that begin with this word. */
  phrases: PhraseNode | null
}

export type PhraseNode = { readonly next: Map<string, PhraseNode>; meaning: LexiconWord | null }

export type TitleLexicon = {
  /** A single piece. */
  find(text: string): LexiconWord | undefined
  /** The word that stands there in a folded text; else its letters. */
  findAt(folded: string, from: number, to: number): LexiconWord | string
  /** A word or phrase, without making it known. */
  findPhrase(text: string): LexiconWord | undefined
  /** The word or phrase, made if need be. Several words become one entry, found by their first word. */
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
    isOptional: false,
    scopes: null,
    replacement: null,
    replacementBeforeNumber: null,
    firstWord: null,
    phrases: null,
  }
}

/** The pieces of a text, as a title's would be cut. */
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
