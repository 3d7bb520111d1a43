/**
 * Learns from the labelled texts which words are ordinary: they belong to no name of a device and name nothing that is sold
 * beside one. `npm run lab -- ordinary-words` writes them.
 */
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { buildAliasLexicon } from '../../src/catalog/matching/alias-lexicon.ts'
import { BUNDLED_ALIASES } from '../../src/catalog/matching/aliases.ts'
import { buildDeviceNameIndex } from '../../src/catalog/matching/device-name-index.ts'
import {
  createOrdinaryWords,
  isWrittenWithoutBlanks,
  type OrdinaryTexts,
  pairsOf,
} from '../../src/catalog/matching/ordinary-words.ts'
import { resolvePhrases } from '../../src/catalog/matching/token-phrases.ts'
import { foldTitle, GAP, MAX_TITLE_CHARS, type Token, tokenize } from '../../src/catalog/matching/tokens.ts'
import { createGuesser } from '../../src/catalog/matching/word-guesser.ts'
import { runToEnd } from '../../src/lib/time-sliced.ts'
import { isHeld, isOffer, type LabelledText, readCorpus } from '../text/corpus.ts'
import { readFirstLines } from './first-lines.ts'

/** A word of fewer texts may be a typing error, the name of a model or of a shop. */
const MIN_TEXTS = 2
const MIN_LETTERS = 2
/** Short words of Latin letters may be the end of a model's name. */
const MAX_SHORT_LETTERS = 3
const MIN_TEXTS_OF_SHORT = 10
/** Of pairs of letters in scripts without blanks. */
const MIN_TEXTS_OF_PAIR = 2
/** A word that mostly stands right behind or before a name may be part of it. */
const MAX_SHARE_BESIDE_NAME = 0.5
/** Words of so many texts are ordinary wherever they stand. */
const MANY_TEXTS = 12
/** Names of models, games and accessories are mostly made of English words. */
const MIN_ENGLISH_TEXTS = 12
const MAX_SHARE_IN_MARKS = 0.7
/** A word that is this much more frequent in offers of accessories, parts and boxes names them. */
const MAX_TIMES_IN_OTHER_OFFERS = 4

type Count = { texts: number; englishTexts: number; besideName: number; inMarks: number; inOtherOffers: number }

export function learnOrdinaryTexts(): OrdinaryTexts {
  const lexicon = runToEnd(buildAliasLexicon(BUNDLED_ALIASES))
  runToEnd(buildDeviceNameIndex(bundledDevices(), lexicon, BUNDLED_ALIASES))
  const guess = createGuesser(lexicon, BUNDLED_ALIASES.words, createOrdinaryWords({ words: [], pairs: [] }))
  const kept = new Set(readFirstLines().flatMap(({ part, title }) => (part === 'kept' ? [title] : [])))
  const words = new Map<string, Count>()
  const pairs = new Map<string, number>()
  let offers = 0
  let others = 0
  const tokensOf = (text: string) => resolvePhrases(tokenize(foldTitle(text), lexicon.findAt), lexicon, null)
  for (const text of readCorpus()) {
    if (
      isHeld(text) ||
      kept.has(text.text.split('\n')[0]?.trim() ?? '') ||
      text.kind === 'wanted' ||
      text.kind === 'several'
    )
      continue
    const isDevice = isOffer(text)
    if (isDevice) offers++
    else others++
    const seen = new Map<string, { isBesideName: boolean; isInMark: boolean }>()
    for (const { piece, isInMark } of pieces(text)) {
      const tokens = tokensOf(piece)
      for (const [at, token] of tokens.entries()) {
        if (token.word !== null || token.isNumber || token.isSymbol || token.text.length < MIN_LETTERS) continue
        if (isWrittenWithoutBlanks(token.text) && isDevice)
          for (const pair of new Set(pairsOf(token.text))) pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
        const isBesideName =
          isName(tokens[at - 1], token.gap) || isName(tokens[at + 1], tokens[at + 1]?.gap ?? GAP.other)
        const before = seen.get(token.text)
        seen.set(token.text, {
          isBesideName: isBesideName && (before?.isBesideName ?? true),
          isInMark: isInMark && (before?.isInMark ?? true),
        })
      }
    }
    for (const [word, { isBesideName, isInMark }] of seen) {
      const count = words.get(word) ?? { texts: 0, englishTexts: 0, besideName: 0, inMarks: 0, inOtherOffers: 0 }
      words.set(word, count)
      if (isDevice) {
        count.texts++
        if (text.language === 'en') count.englishTexts++
        if (isBesideName) count.besideName++
        if (isInMark) count.inMarks++
      } else count.inOtherOffers++
    }
  }
  const isOrdinary = ([word, { texts, englishTexts, besideName, inMarks, inOtherOffers }]: [string, Count]) => {
    if (texts < MIN_TEXTS || (texts < MANY_TEXTS && besideName > MAX_SHARE_BESIDE_NAME * texts)) return false
    if (word.length <= MAX_SHORT_LETTERS && word.charCodeAt(0) < 0x250 && texts < MIN_TEXTS_OF_SHORT) return false
    if (englishTexts > 0 && englishTexts < MIN_ENGLISH_TEXTS) return false
    if (inMarks > MAX_SHARE_IN_MARKS * texts) return false
    if (inOtherOffers >= 3 && inOtherOffers / others > (MAX_TIMES_IN_OTHER_OFFERS * texts) / offers) return false
    const meaning = guess(word)
    return meaning === null || meaning === 'ordinary' || (meaning.isMistyped && texts >= MANY_TEXTS)
  }
  return {
    words: [...words]
      .filter(isOrdinary)
      .map(([word]) => word)
      .sort(),
    pairs: [...pairs]
      .filter(([, texts]) => texts >= MIN_TEXTS_OF_PAIR)
      .map(([pair]) => pair)
      .sort(),
  }
}

const isName = (token: Token | undefined, gap: number) =>
  token !== undefined &&
  gap <= GAP.blank &&
  (token.word?.make != null || token.line !== null || token.word?.isModelWord === true || token.word?.scopes != null)

/** The text in pieces that are short enough for a title. */
function* pieces({ text, marks }: LabelledText): Generator<{ piece: string; isInMark: boolean }> {
  let from = 0
  const bounds = [...marks].sort((a, b) => a.from - b.from)
  for (const { from: start, to } of [...bounds, { from: text.length, to: text.length }]) {
    for (const piece of shortPieces(text.slice(from, start))) yield { piece, isInMark: false }
    for (const piece of shortPieces(text.slice(start, to))) yield { piece, isInMark: true }
    from = Math.max(from, to)
  }
}

function* shortPieces(text: string): Generator<string> {
  for (const line of text.split(/\n|(?<=[.!?。！？;])\s*/)) {
    for (let at = 0; at < line.length; at += MAX_TITLE_CHARS) yield line.slice(at, at + MAX_TITLE_CHARS)
  }
}

const LINE_OF = (text: string) => text.slice(0, 1)

/** As lines of words with the same first letter. */
export function writeOrdinaryTexts({ words, pairs }: OrdinaryTexts): string {
  const lines = (texts: readonly string[]) =>
    [...Map.groupBy(texts, LINE_OF).values()].map((group) => group.join(' ')).join('\n')
  return `${lines(words)}\n\n${lines(pairs)}\n`
}
