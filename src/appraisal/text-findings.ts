import type { DefectCode } from '../contract/defect-catalogue.ts'
import { luhnDigit } from '../identifier/check-digit.ts'

/** A defect stated in a text. */
export type TextFinding = { readonly code: DefectCode; readonly words: string }

export type DescribedDevice = {
  /** The text without defects and identifier. */
  readonly name: string
  readonly findings: readonly TextFinding[]
  /** IMEI in the text, if its check digit is right. */
  readonly identifier: string | null
}

/** Below this health a battery counts as weak. */
const WEAK_BATTERY_PERCENT = 80

const SCREEN = '(?:screen|display|front glass|lcd|oled|touch ?screen|bildschirm|écran|ecran|pantalla|schermo)'
const BACK = '(?:back(?: ?glass| ?cover)?|rear(?: glass)?|housing|rückseite|ruckseite|rückglas|backcover|dos|tapa)'
const BROKEN =
  '(?:cracked|broken|smashed|shattered|damaged|defective|faulty|dead|bent|gesprungen(?:es|e)?|gebrochen|kaputt(?:es|e)?|defekt(?:es|e)?|gerissen|cassée?|casse|fissurée?|fissure|rot[ao]|rajad[ao]|rotto)'
const FAILS =
  "(?:(?:is |does |ist |geht )?(?:not|n't|doesn't|doesnt|nicht|ohne funktion)(?: work(?:ing)?| functional)?|broken|faulty|defective|dead|disabled|defekt|kaputt|stuck|fails?)"
const BIOMETRIC = '(?:face ?id|touch ?id|finger ?print(?: (?:sensor|reader))?|face unlock)'

const inEitherOrder = (part: string, state: string) =>
  `${state} ${part}(?! ?(?:protector|guard|film|folie))|${part}(?: (?:is|ist|has|est))?(?: (?:a|an|einen))? ?${state}`

/** Patterns are tried in this order; the words of a match are not read again. */
const PATTERNS: readonly (readonly [DefectCode, string])[] = [
  [
    'activation_locked',
    '(?:icloud|activation|account|google|frp|mdm)[ -]?lock(?:ed)?|locked to (?:icloud|an? account)|icloud gesperrt',
  ],
  ['carrier_locked', '(?:sim|network|carrier|net)[ -]?lock(?:ed)?(?![ -]?free|frei)|locked to [\\p{L}&-]+'],
  [
    'no_power',
    "no power|dead device|(?:does ?n[o']?t|won'?t|will not|cannot) (?:turn|power|switch|boot)(?: on)?|geht nicht an|startet nicht|ne s'allume pas|no enciende",
  ],
  ['water_damage', '(?:water|liquid)[ -]?damaged?|wasserschaden|dégâts des eaux'],
  ['biometric_sensor', `(?:no|without|broken|faulty|ohne|kein|sans|sin) ${BIOMETRIC}|${BIOMETRIC} ${FAILS}`],
  ['cracked_back', inEitherOrder(BACK, BROKEN)],
  ['cracked_screen', `${inEitherOrder(SCREEN, BROKEN)}|displayschaden|displaybruch|cracked glass|burn[ -]?in`],
  [
    'weak_battery',
    '(?:weak|bad|poor|dead|swollen|faulty|degraded) battery|battery (?:is )?(?:weak|bad|poor|dead|swollen|faulty|degraded|service)|akku (?:ist )?(?:schwach|defekt|kaputt)|schwacher akku',
  ],
  [
    'charging_port',
    "(?:does ?n[o']?t|not|won'?t) charg(?:e|ing)|(?:broken|faulty) charging port|charging port (?:is )?(?:broken|faulty|not working)|lädt nicht|ladebuchse (?:defekt|kaputt)",
  ],
  [
    'camera',
    `(?:broken|cracked|faulty) (?:(?:rear|front|back) )?(?:camera|lens)|(?:camera|kamera|lens) (?:${FAILS}|cracked)`,
  ],
  [
    'speaker_or_microphone',
    `(?:broken|faulty|no) (?:speaker|microphone|mic|earpiece|sound)|(?:speaker|microphone|mic|earpiece|lautsprecher|mikrofon) ${FAILS}`,
  ],
  [
    'buttons',
    `(?:broken|stuck|faulty|missing) (?:(?:home|power|volume|side) )?buttons?|(?:home|power|volume|side)? ?buttons? ${FAILS}`,
  ],
]

const COMPILED = PATTERNS.map(([code, source]) => ({
  code,
  pattern: new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'giu'),
}))
const BATTERY_HEALTH =
  /(?<![\p{L}\d])(?:battery(?: health)?|batt|bh|akku(?:zustand)?|batterie|batería|bateria)\W{0,3}(\d{2,3}) ?%|(?<![\p{L}\d])(\d{2,3}) ?% (?:battery|akku|batterie)(?: health)?/giu
/** "no cracked screen", "without water damage", "ohne Wasserschaden". */
const NEGATED = /(?:^|[^\p{L}])(?:no|not|never|without|free of|kein|keine|keinen|nicht|ohne|sans|pas de|sin)\s+$/iu
const IMEI = /(?<!\d)(?:imei(?: ?\d)?\W{0,3})?(\d{15})(?!\d)/gi
const SERIAL = /(?<![\p{L}\d])(?:s\/?n|serial(?: ?(?:no|number))?|seriennummer)\W{0,3}[A-Z0-9]{8,20}(?![\p{L}\d])/giu

/** Splits a seller's text into the name of the device, its defects and its identifier. */
export function describeDevice(text: string): DescribedDevice {
  const findings: TextFinding[] = []
  let rest = text
  const blankOut = (words: string, start: number) => {
    rest = rest.slice(0, start) + ' '.repeat(words.length) + rest.slice(start + words.length)
  }
  const add = (code: DefectCode, words: string) => {
    if (!findings.some((finding) => finding.code === code)) findings.push({ code, words: words.trim() })
  }
  let identifier: string | null = null
  for (const { 0: words, 1: digits = '', index } of text.matchAll(IMEI)) {
    if (luhnDigit(digits.slice(0, 14)) === digits.at(-1)) identifier ??= digits
    blankOut(words, index)
  }
  for (const { 0: words, index } of text.matchAll(SERIAL)) blankOut(words, index)
  for (const { 0: words, 1: healthAfterWord, 2: healthBeforeWord, index } of text.matchAll(BATTERY_HEALTH)) {
    if (Number(healthAfterWord ?? healthBeforeWord) < WEAK_BATTERY_PERCENT) add('weak_battery', words)
    blankOut(words, index)
  }
  for (const { code, pattern } of COMPILED) {
    for (const { 0: words, index } of rest.matchAll(pattern)) {
      const negation = NEGATED.exec(rest.slice(0, index))
      if (!negation) add(code, words)
      blankOut(words, index)
      if (negation) blankOut(negation[0], negation.index)
    }
  }
  const name = rest
    .replace(/\s*[,;|+&](?=\s*(?:[,;|+&]|$))/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;|+&-]+|[\s,;|+&-]+$/g, '')
  return { name, findings, identifier }
}
