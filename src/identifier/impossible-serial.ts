/** Detects placeholder texts that no manufacturer uses as a serial number. */

/** Words of placeholders and labels; digits around them do not make a serial number. */
const PLACEHOLDER_WORDS: readonly string[] = (
  'APPLE ASDF AVAILABLE BLANK CODE DEFAULT DEMO DEVICE DUMMY EMPTY ERROR EXAMPLE FAKE GALAXY GOOGLE HELLO HUAWEI IMEI ' +
  'INVALID IPAD IPHONE KNOWN MAX MINI MISSING MOBILE MODEL MOTOROLA NONE NOT NULL NUMBER NUMMER ONEPLUS PASSWORD PHONE ' +
  'PIXEL PLUS PRO QWERTY QWERTZ REDMI SAMPLE SAMSUNG SERIAL SERIEN STRING TEST TESTING TABLET THE TODO ULTRA UNDEFINED ' +
  'UNKNOWN VALUE WATCH WORLD XIAOMI'
).split(' ')
const CHARACTER_SEQUENCES = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789', 'QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM']
const VOWELS = /[AEIOU]/g
const CONSONANT_CLUSTER = /[^AEIOUY]{5}/

/** Why the text cannot be a serial number, or null. Letters are upper case. */
export function impossibleSerialReason(serial: string): string | null {
  if (/^(.{1,2})\1+$/.test(serial)) return 'It repeats one or two characters throughout.'
  if (CHARACTER_SEQUENCES.some((row) => row.includes(serial) || [...row].reverse().join('').includes(serial))) {
    return 'Its characters are a sequence of the alphabet, of digits or of a keyboard row.'
  }
  if (consistsOfPlaceholders(serial.replace(/\d+/g, '')) || readsLikeWords(serial)) {
    return 'It reads like a word, not like a serial number.'
  }
  return null
}

function consistsOfPlaceholders(letters: string): boolean {
  if (letters.length < 4) return false
  const reachable = new Set([0])
  for (let at = 0; at < letters.length; at++) {
    if (!reachable.has(at)) continue
    for (const word of PLACEHOLDER_WORDS) if (letters.startsWith(word, at)) reachable.add(at + word.length)
  }
  return reachable.has(letters.length)
}

/**
 * Eight or more letters without a digit, with as many vowels as natural language and no long run of consonants.
 * About one in five hundred random serial numbers looks like that.
 */
function readsLikeWords(serial: string): boolean {
  if (!/^[A-Z]{8,}$/.test(serial) || CONSONANT_CLUSTER.test(serial)) return false
  const share = (serial.match(VOWELS)?.length ?? 0) / serial.length
  return share >= 0.3 && share <= 0.6
}
