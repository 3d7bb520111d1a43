/** Words, numbers and signs of a text with their places in it. */

export type Token = {
  /** Lower case without accents. */
  readonly text: string
  readonly from: number
  readonly to: number
}

const SYLLABIC =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
/** Letters of scripts without spaces one by one, words, numbers of ASCII digits, and signs. */
const TOKEN = new RegExp(
  `[${SYLLABIC}]\\p{M}*|(?:(?![${SYLLABIC}])\\p{L})(?:(?![${SYLLABIC}])[\\p{L}\\p{M}'’](?=[\\p{L}\\p{M}])|(?![${SYLLABIC}])[\\p{L}\\p{M}])*|\\d+|\\n|[^\\s\\p{L}\\p{N}\\p{M}]`,
  'gu',
)
const isSyllabic = new RegExp(`^[${SYLLABIC}]`, 'u')

export const isSyllable = (token: string) => token.charCodeAt(0) > 0xe00 && isSyllabic.test(token)
export const isNumber = (token: string) => token.charCodeAt(0) >= 48 && token.charCodeAt(0) <= 57
export const isWord = (token: string) => /^\p{L}/u.test(token)

const UNDECOMPOSED: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ё: 'е', '’': "'" }

/** Accents of Latin and Greek letters are often left out; marks of other scripts are letters. */
function foldWord(word: string): string {
  let isPlain = true
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 127) isPlain = false
  if (isPlain) return word.toLowerCase()
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[øłđıё’]/g, (letter) => UNDECOMPOSED[letter] as string)
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u064b-\u0652\u0670\u0640]/g, '')
    .normalize('NFC')
}

/** Native digits of Arabic, Persian, Hindi, Bengali and Thai as ASCII digits; each is one unit long. */
function asciiDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹०-९০-৯๐-๙０-９]/g, (digit) => {
    const code = digit.charCodeAt(0)
    const zero = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10].findLast((start) => code >= start) as number
    return String(code - zero)
  })
}

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: word, index } of asciiDigits(text).matchAll(TOKEN)) {
    const folded = foldWord(word)
    if (folded !== '') tokens.push({ text: folded, from: index, to: index + word.length })
  }
  return tokens
}
