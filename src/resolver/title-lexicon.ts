/** The words the resolver knows, whatever language they are of, and what each of them is in a title. */
import { openPieceTable } from './piece-table.ts'
import { foldTitle, type Token, tokensOf } from './tokens.ts'

/** What a word is. A word of no role is either part of a name or nobody knows it. */
export type Role =
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

export type Word = {
  readonly text: string
  role: Role | null
  /** The same thing in one spelling: a color, a carrier, a unit. */
  value: string
  /** Key of the make this word names. */
  make: string | null
  /** The make's name is an ordinary word too ("Nothing", "Honor"): it counts only where nothing else names a make. */
  isWeakMake: boolean
  /** Key of the make whose line this is: "iphone" says Apple. */
  line: string | null
  /** Tells models apart at any make: Pro, Max, Lite … */
  isModel: boolean
  /** An ordinary word that tells models apart where it stands beside a model's name: "Power", "One". */
  isModelBeside: boolean
  /** What a number before it counts. */
  unit: string | null
  partOfYear: string | null
  /** A number after it is the version of some software. */
  isVersioned: boolean
  /** What follows comes along with the device. */
  isGift: boolean
  /** Part of many names that people leave out: "Edition", "Model". */
  isSoft: boolean
  /** Where it is part of a device's name: `make/line`, or `make/` where names begin with it. */
  scopes: Set<string> | null
  /** What it stands for. */
  rewrite: readonly Token[] | null
  /** Likewise, but only before a number: "ps 5", "ip 13". */
  rewriteBeforeNumber: readonly Token[] | null
  /** Of a phrase, its first word. */
  head: Word | null
  /** Longer texts that begin with this word. */
  phrases: PhraseNode | null
}

export type PhraseNode = { readonly next: Map<string, PhraseNode>; meaning: Word | null }

export type Lexicon = {
  /** A single piece. */
  find(text: string): Word | undefined
  /** The word that stands there in a folded text; else its letters. */
  at(folded: string, from: number, to: number): Word | string
  /** A word or phrase, without making it known. */
  known(text: string): Word | undefined
  /** The word or phrase, made if need be. Several words become one entry, found by their first word. */
  entry(text: string): Word
  words(): IterableIterator<Word>
}

function emptyWord(text: string): Word {
  return {
    text,
    role: null,
    value: text,
    make: null,
    isWeakMake: false,
    line: null,
    isModel: false,
    isModelBeside: false,
    unit: null,
    partOfYear: null,
    isVersioned: false,
    isGift: false,
    isSoft: false,
    scopes: null,
    rewrite: null,
    rewriteBeforeNumber: null,
    head: null,
    phrases: null,
  }
}

/** The pieces of a text, as a title's would be cut. */
export const piecesOf = (text: string): string[] => tokensOf(foldTitle(text)).map((token) => token.text)

export function openLexicon(): Lexicon {
  const words = new Map<string, Word>()
  const table = openPieceTable<Word>()
  const single = (text: string): Word => {
    let word = words.get(text)
    if (!word) {
      word = emptyWord(text)
      words.set(text, word)
      table.add(word)
    }
    return word
  }
  return {
    find: (text) => words.get(text),
    at: table.at,
    known(text) {
      const [first = '', ...rest] = piecesOf(text)
      const head = words.get(first)
      if (rest.length === 0) return head
      let node: PhraseNode | null | undefined = head?.phrases
      for (const piece of rest) node = node?.next.get(piece)
      return node?.meaning ?? undefined
    },
    words: () => words.values(),
    entry(text) {
      const [first = '', ...rest] = piecesOf(text)
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
      node.meaning ??= { ...emptyWord([first, ...rest].join(' ')), head }
      return node.meaning
    },
  }
}
