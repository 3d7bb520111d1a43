/** Letters that Unicode does not decompose into a base letter and an accent. */
const UNDECOMPOSED_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/** Lower case without accents. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øłđðþæœßı]/g, (letter) => UNDECOMPOSED_LETTERS[letter] ?? letter)
}

/** The text as part of a pattern. Pages use it, too, and browsers of 2024 have no `RegExp.escape`. */
export const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A pattern for folded text: Korean syllables are single letters there. A syllable that may be absent needs a group. */
export function foldPattern({ source, flags }: RegExp): RegExp {
  const letters = source.replace(/\\u([\da-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return new RegExp(letters.normalize('NFKD'), flags)
}
