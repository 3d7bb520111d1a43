/** Guesses the encoding of text that is not UTF-8 from the letters that each candidate produces. */

type Candidate = { readonly encoding: string; readonly letters: string }

/** Non-ASCII letters of each language; text in that language has hardly any others. */
const SINGLE_BYTE: readonly Candidate[] = [
  { encoding: 'windows-1252', letters: 'äöüßé' },
  { encoding: 'windows-1252', letters: 'àâçéèêëîïôûùœ' },
  { encoding: 'windows-1252', letters: 'áéíóúñü¿¡' },
  { encoding: 'windows-1252', letters: 'àèéìòù' },
  { encoding: 'windows-1252', letters: 'áàâãçéêíóôõúü' },
  { encoding: 'windows-1252', letters: 'åäöæøé' },
  { encoding: 'windows-1250', letters: 'čćđšž' },
  { encoding: 'windows-1250', letters: 'áčďéěíňóřšťúůýž' },
  { encoding: 'windows-1250', letters: 'áäčďéíľĺňóôŕšťúýž' },
  { encoding: 'windows-1250', letters: 'ąćęłńóśźż' },
  { encoding: 'windows-1250', letters: 'áéíóöőúüű' },
  { encoding: 'windows-1250', letters: 'ăâîşţ' },
  // A dotted capital I becomes an i with a combining dot.
  { encoding: 'windows-1254', letters: 'çğıöşüâî\u0307' },
  { encoding: 'windows-1257', letters: 'ąčęėįšųūž' },
  { encoding: 'windows-1257', letters: 'āčēģīķļņšūž' },
  { encoding: 'windows-1257', letters: 'äöõüšž' },
  { encoding: 'windows-1251', letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґў' },
]

const NEVER_BEHIND_LETTERS = /[¢£¥¦¨¯±³¶¸¹¼½¾]/
const isLetter = (text: string) => /\p{L}|[¿¡]/u.test(text)

/** The most likely encoding of these bytes; windows-1252 if no candidate fits better. */
export function detectEncoding(bytes: Uint8Array): string {
  return isDamagedUtf8(bytes) ? 'utf-8' : (detectDoubleByte(bytes) ?? detectSingleByte(bytes))
}

/** More valid UTF-8 letters than invalid bytes: other encodings hardly ever look like that. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  let valid = 0
  let invalid = 0
  for (const letter of new TextDecoder().decode(bytes)) {
    if (letter === '\uFFFD') invalid++
    else if (letter.charCodeAt(0) > 127) valid++
  }
  return valid > invalid
}

/** Share of kana and full-width signs: lists of devices are mostly kanji. */
const MIN_KANA = 0.05
/** Fewer non-ASCII letters are not enough to detect a double-byte encoding. */
const MIN_LETTERS = 6

function detectDoubleByte(bytes: Uint8Array): string | undefined {
  const share = (encoding: string, common: RegExp): number => {
    const letters = [...new TextDecoder(encoding).decode(bytes)].filter((letter) => letter.charCodeAt(0) > 127)
    // Double-byte text has high bytes in runs; in Latin text most stand alone between ASCII letters.
    const highBytes = bytes.reduce((count, byte) => count + (byte > 127 ? 1 : 0), 0)
    if (letters.length < MIN_LETTERS || highBytes < letters.length * 1.5) return 0
    return letters.filter((letter) => common.test(letter)).length / letters.length
  }
  if (
    share('shift_jis', /[\u3000-\u30ff\uff01-\uff5e\uffe5]/) > MIN_KANA &&
    share('shift_jis', /[\u3000-\u9fff\uff01-\uff5e\uffe5]/) > 0.9
  )
    return 'shift_jis'
  if (share('euc-kr', /[\uac00-\ud7a3]/) > 0.85) return 'euc-kr'
  return share('gb18030', /[\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e\uffe5\u00a5]/) > 0.9 && !isCyrillic(bytes)
    ? 'gb18030'
    : undefined
}

/** Cyrillic text is long runs of high bytes too, nearly all of them small letters. */
function isCyrillic(bytes: Uint8Array): boolean {
  const high = bytes.filter((byte) => byte > 127)
  return high.filter((byte) => byte >= 0xe0).length > high.length * 0.6
}

function detectSingleByte(bytes: Uint8Array): string {
  let best = { encoding: 'windows-1252', score: 0 }
  for (const { encoding, letters } of SINGLE_BYTE) {
    const expected = new Set(letters)
    const text = new TextDecoder(encoding).decode(bytes).toLowerCase()
    let expectedCount = 0
    let letterCount = 0
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) < 128) continue
      const letter = text[at] as string
      // Symbols such as € and ° are no evidence, unless they are inside a word, or at the end of one like no symbol is: z³ for zł.
      const isBehindLetter = isLetter(text[at - 1] ?? ' ')
      const isInWord = isBehindLetter && (isLetter(text[at + 1] ?? ' ') || NEVER_BEHIND_LETTERS.test(letter))
      if (!isLetter(letter) && !isInWord) continue
      letterCount++
      if (expected.has(letter)) expectedCount++
    }
    const score = letterCount === 0 ? 0 : expectedCount / letterCount
    if (score > best.score + 0.001) best = { encoding, score }
  }
  return best.encoding
}
