/** Features of a token: its letters in groups, hashed. Words of one stem and misspelt words share most of theirs. */
import { isNumber, isSyllable, isWord } from './text-tokens.ts'

/** FNV-1a with a final mix; the same in every process. */
export function hashFeature(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}

function featuresOfNumber(digits: string): string[] {
  const value = digits.length < 5 ? Number(digits) : 99_999
  const size = value <= 100 ? `#${Math.floor(value / 10)}` : '#>'
  return ['#', size, `#${digits.length}d`, ...(value <= 200 ? [`#=${digits}`] : [])]
}

const isHangul = (word: string) => /^[\uac00-\ud7a3]/.test(word)

function featuresOfWord(word: string): string[] {
  const bounded = `<${word}>`
  const [shortest, longest] = isHangul(word) ? [1, 3] : [3, 5]
  const features = [bounded]
  for (let length = shortest as number; length <= (longest as number); length++)
    for (let at = 0; at + length <= bounded.length && length < bounded.length; at++) {
      const group = bounded.slice(at, at + length)
      if (group !== '<' && group !== '>') features.push(group)
    }
  return features
}

const PUNCTUATION = '.,!?:;()%/"\'+-&#$€£°\n。！？、，：'
const CHECK_MARKS = '✓✔✅☑'
const CROSSES = '✗✘✖❌❎'

/** Sellers put any sign before a line: bullets are one sign, whatever they look like. */
function featureOfSign(sign: string): string {
  if (PUNCTUATION.includes(sign)) return sign
  if (CHECK_MARKS.includes(sign)) return '✓'
  return CROSSES.includes(sign) ? '✗' : '•'
}

/** `next`: the token behind a syllable of a script without spaces, with which it forms words. */
export function featuresOfToken(token: string, next: string): string[] {
  if (isNumber(token)) return featuresOfNumber(token)
  if (!isSyllable(token)) return isWord(token) ? featuresOfWord(token) : [featureOfSign(token)]
  return isSyllable(next) ? [token, token + next] : [token]
}
