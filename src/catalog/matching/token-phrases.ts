/** Replaces words and phrases of a title by their meaning in the lexicon. */
import { type LexiconWord, ORDINARY_WORD, type PhraseNode, type TitleLexicon } from './title-lexicon.ts'
import { GAP, isLatinOrDigit, type Token } from './tokens.ts'

/** What an unknown word may mean: joined words, or a word one typing error away. */
export type Guess = { readonly tokens: readonly Token[]; readonly isMistyped: boolean }
export type Guesser = (text: string) => Guess | 'ordinary' | null

/** `tokens` were looked up in the lexicon. */
export function resolvePhrases(tokens: readonly Token[], lexicon: TitleLexicon, guess: Guesser | null): Token[] {
  const resolved: Token[] = []
  /** Replacements are not replaced again, so there are no cycles. */
  const pushAll = (replacement: readonly Token[], gap: number, isMistyped: boolean) => {
    for (const token of replacement) {
      const word = lexicon.find(token.text) ?? null
      const isFirst = token === replacement[0]
      resolved.push({ ...token, gap: isFirst ? gap : token.gap, word, line: word?.line ?? null, isMistyped })
    }
  }
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token
    const { word } = token
    // The "1+" of "Redmi A1+" is not the make.
    const isJoinedNumber = token.isNumber && token.gap === GAP.none && at > 0
    const phrase = word?.phrases && !isJoinedNumber ? longestPhrase(tokens, at, word.phrases) : null
    if (phrase) {
      const { meaning, length } = phrase
      if (meaning.replacement) pushAll(meaning.replacement, token.gap, false)
      else if (meaning.line && !meaning.role) {
        for (let i = 0; i < length; i++) {
          const piece = tokens[at + i] as Token
          if (i === 0) piece.line = meaning.line
          resolved.push(piece)
        }
      } else resolved.push({ ...token, text: meaning.text, isNumber: false, word: meaning, line: meaning.line })
      at += length
      continue
    }
    const next = tokens[at + 1]
    if (word?.unit === 'percent' && isBatteryPercent(tokens, at)) resolved.push(token)
    else if (word?.replacement) pushAll(word.replacement, token.gap, false)
    else if (word?.replacementBeforeNumber && next?.isNumber && next.gap <= GAP.blank) {
      pushAll(word.replacementBeforeNumber, token.gap, false)
    } else if (word?.replacementJoinedToNumber && isJoinedToNumber(tokens, at)) {
      pushAll(word.replacementJoinedToNumber, token.gap, false)
    } else if (word?.replacementAfterNumber && isAfterNumber(resolved, token, word.replacementAfterNumber.after)) {
      pushAll(word.replacementAfterNumber.tokens, GAP.blank, false)
    } else {
      const guessed = !word && !token.isNumber && !token.isSymbol && guess ? guess(token.text) : null
      if (guessed === 'ordinary') {
        // "Redmi 8apro" is no ordinary word.
        if (!(isJoinedToNumber(tokens, at) && isLatinOrDigit(token))) token.word = ORDINARY_WORD
        resolved.push(token)
      }
      // Typing errors are never corrected in a word with a digit.
      else if (guessed && !(guessed.isMistyped && isJoinedToNumber(tokens, at)))
        pushAll(guessed.tokens, token.gap, guessed.isMistyped)
      else {
        token.line = word?.line ?? null
        resolved.push(token)
      }
    }
    at++
  }
  return resolved
}

function isJoinedToNumber(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (next?.isNumber && next.gap === GAP.none) return true
  return (tokens[at] as Token).gap === GAP.none && tokens[at - 1]?.isNumber === true
}

function isAfterNumber(resolved: readonly Token[], { gap }: Token, lines: ReadonlySet<string> | null): boolean {
  const number = resolved.at(-1)
  return gap <= GAP.blank && number?.isNumber === true && (lines === null || lines.has(resolved.at(-2)?.text ?? ''))
}

const MIN_BATTERY_PERCENT = 70

/** 배터리 85프로: after a number that is not part of a name, the word for "Pro" means percent. */
function isBatteryPercent(tokens: readonly Token[], at: number): boolean {
  const { gap } = tokens[at] as Token
  const number = tokens[at - 1]
  const before = tokens[at - 2]
  if (gap > GAP.blank || !number?.isNumber || Number(number.text) > 100) return false
  if (before?.word?.role === 'weak_part' || before?.word?.role === 'noise') return Number(number.text) >= 50
  return Number(number.text) >= MIN_BATTERY_PERCENT && number.gap >= GAP.blank && !before?.word?.make
}

function longestPhrase(
  tokens: readonly Token[],
  at: number,
  head: PhraseNode,
): { meaning: LexiconWord; length: number } | null {
  let node = head
  let longest: { meaning: LexiconWord; length: number } | null = null
  for (let i = at + 1; i < tokens.length; i++) {
    const next = node.next.get((tokens[i] as Token).text)
    if (!next) break
    node = next
    if (node.meaning && !isInsideNumber(tokens, i)) longest = { meaning: node.meaning, length: i - at + 1 }
  }
  return longest
}

/** The phrase "iphone 1" does not match "iphone 1.5", nor "mark 2" "mark 2b". */
function isInsideNumber(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  return (
    (tokens[at] as Token).isNumber && next !== undefined && next.gap === GAP.none && !next.isNumber && !next.isSymbol
  )
}
