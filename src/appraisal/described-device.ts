/** Reads what a text states beside the name of a device: defects, grade, lock, battery health and missing accessories. */
import words from '../../data/aliases/description-words.json' with { type: 'json' }
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { luhnDigit } from '../identifier/check-digit.ts'
import { readStatements, type Statement } from './description-clauses.ts'
import { findMentions, isModelWord } from './description-lexicon.ts'
import { shortenNames, type TextRange, tidyName } from './shortened-names.ts'

/** A statement of the text. `codes`: the defects it may mean; the first that the device can have counts. */
export type TextFinding =
  | {
      readonly field: 'defects'
      readonly words: string
      readonly codes: readonly DefectCode[]
      /** The word before a state without a part: "webcam broken". The device itself is meant if its name has the word. */
      readonly subject?: string
      /** Says nothing about devices that cannot have the defect: a broken case matters for earbuds. */
      readonly isOptional?: boolean
    }
  | { readonly field: 'condition'; readonly words: string; readonly condition: Condition }
  | { readonly field: 'lock'; readonly words: string; readonly lock: CarrierLock }
  | { readonly field: 'battery_health'; readonly words: string; readonly percent: number }

/** Words that change the price but fit no field, or that no list has. `withholdsOffer`: no offer is made, as for "stolen". */
export type UnreadWords = { readonly words: string; readonly withholdsOffer: boolean }

export type DescribedDevice = {
  /** The text without what was read from it and without identifiers. */
  readonly name: string
  readonly findings: readonly TextFinding[]
  readonly unreadWords: readonly UnreadWords[]
  /** The text states or denies something about a device, so that it does not sell an accessory or a part. */
  readonly hasStatements: boolean
  /** IMEI in the text, if its check digit is right. */
  readonly identifier: string | null
  /** The same with fewer words beside the faults in the name, for a name that is no device: "Canon EOS R5 hot shoe damaged". */
  readonly shortened: readonly ShortenedDescription[]
}

export type ShortenedDescription = Pick<DescribedDevice, 'name' | 'findings' | 'unreadWords'> & {
  /** Words behind the name are left out that state nothing known: "geht einfach aus". */
  readonly isTail?: boolean
}

/** Below this health a battery counts as weak. */
const WEAK_BATTERY_PERCENT = 80
const MIN_BATTERY_PERCENT = 40

const BATTERY_WORD =
  '(?:batter\\p{L}*|batt|bh|akku\\p{L}*|akum\\p{L}*|bat[ae]r\\p{L}*|accu|pil|pili|pin|аккум|(?:배터리|베터리|밧데리)\\p{L}*|성능|효율|аккумулятор\\p{L}*|батаре\\p{L}*|акб|(?:ال)?بطارية|แบต[\\p{L}\\p{M}]*|סוללה|סוללת|बैटरी|电池(?:健康|效率)?|電池|バッテリー)'
const HEALTH_WORD =
  '(?:health|zustand|kapazität|(?:max(?:imum)? )?capacity|status|talpa|būklė|sağlığı|kapasitesi|stan|stav|gezondheid|capaciteit|sức khỏe|효율|성능|estado|salute|santé|salud|kondycja|состояние|صحة|สุขภาพ|健康|最大容量|최대치|최대용량|최대 용량|잔량)'
/** A number with a percent sign, or alone behind the word: "battery health 78", "battery 97, unlocked". */
const BATTERY_HEALTH = new RegExp(
  [
    `(?<![\\p{L}\\d])(?:${BATTERY_WORD}|max(?:imum|imale|\\.)? capacity)(?: max(?:imum)?| maximale)?(?: ?${HEALTH_WORD}){0,2}(?: (?:at|is|of|only|bei|noch|nur|al|à|a|na|на|op|de|tik|yra))*[^\\p{L}\\d]{0,3}(\\d{2,3}) ?(?:%|프로|퍼센트|percent|prozent|procent\\p{L}*|процент\\p{L}*|パーセント)대?(?:[ ,/-]{1,3}(?:service|serwis|servis|servicio|assistenza|서비스)(?!\\p{L}))?`,
    // "battery health in the 70s"
    `(?<![\\p{L}\\d])(?:${BATTERY_WORD})(?: ${HEALTH_WORD})?(?: is)? in the (?:high |low |mid )?([4-9]0)['’]?s(?!\\p{L})`,
    `(?<![\\p{L}\\d])(\\d{2,3}) ?% (?:maximum |max )?(?:${BATTERY_WORD}(?: health)?|capacity|capacité|kapazität|capacidad|capacità|pojemności)`,
    `(?<![\\p{L}\\d])(?:${BATTERY_WORD}(?: ${HEALTH_WORD})?|max(?:imum)? capacity)[^\\p{L}\\d]{0,3}(\\d{2,3})(?![\\d.]|\\+\\+|,\\d|\\s?[\\p{L}%])`,
  ].join('|'),
  'giu',
)
/** "8/10", "7 out of 10", "6,5 von 10": the seller's grade. */
const OUT_OF_TEN = new RegExp(
  `(?<![\\p{L}\\d.,/-])(\\d|10)(?:[.,]\\d)? ?(?:/|${words.outOf.join('|')}) ?10(?![\\d/.-]|,\\d|\\p{L})`,
  'giu',
)
/** "after 10 minutes": no model. */
const DURATION =
  /(?<![\p{L}\d])(?:(?:after|nach|après|después de|dopo|po|após|depois de|через|sonra) )?\d{1,3} ?(?:min|mins|minutes?|minuten|minutos?|minuti|minuto|minut|minuty|minučių|minutes?|sec|seconds?|sekunden?|secondes?|segundos?|secondi|sekund|hrs?|hours?|stunden?|heures?|horas?|ore|ora|uur|uren|godzin\p{L}*|valand\p{L}*|분|시간|초|минут\p{L}*)(?![\p{L}\d])/giu
/** "error 70", "CE-108255-1". */
const ERROR_CODE =
  /(?<![\p{L}\d])(?:(?:error|err|fehler(?:code)?|erreur|errore|błąd|klaida|chyba|erro|fout|오류|ошибка)(?: ?code)?[ :#]*(?!43\b)[a-z]{0,3}[- ]?\d[\d-]*|[a-z]{2}-\d{5,6}-\d(?: error)?)(?![\p{L}\d])/giu
const CYCLES =
  /(?<![\p{L}\d])(?:(?:cycle count|cycles?|ladezyklen|zyklen|cycli|ciclos?(?: de carga)?|cicli|cykli|ciklai|циклов|циклы|사이클|循环次数|循環次數|充放電回数)[ :]{0,3}(\d{3,4})(?!\d)|(?<![\p{L}\d])(\d{3,4}) ?(?:charge |charging |battery |lade)?(?:cycles?|zyklen|cycli|ciclos|cicli|cykli|ciklai|ciklų|циклов|цикла|사이클|次循环))/giu
/** A battery with this many charges may be worn. */
const MANY_CYCLES = 500
/** What is left behind a state: "drifts like crazy", "turns off by itself". */
const AFTER_STATES = new RegExp(`(?<![\\p{L}\\d])(?:${words.afterStates.join('|')})(?![\\p{L}\\d])`, 'giu')
/** "ne capte plus": plus is no model here. */
const NEGATED_IN_FRENCH = /(?<![\p{L}\d])n(?:e |['’])\p{L}+(?: \p{L}+)? (?:plus|pas)(?![\p{L}\d])/giu
const LETTER = `["'„“”«»]?[\\p{L}\\d]["'“”«»]?`
const LETTERS = `${LETTER}(?:(?: ?[,/&+] ?| (?:and|und|et|y|e|i|ir|en|a|ve|и) )${LETTER})*`
/** "touche E cassée", "A and S keys dead": the letters of keys. */
const KEY_LETTER = new RegExp(
  `(?<![\\p{L}\\d])(?<=(?:${words.keys.join('|')}) )${LETTERS}(?![\\p{L}\\d])|(?<![\\p{L}\\d])${LETTERS}(?=[ -](?:${words.keys.join('|')})(?![\\p{L}\\d]))`,
  'giu',
)
/** "والبطارية": "and" written together with the article. */
const ARABIC_AND = /(?<!\p{L})و(?=ال\p{L})/gu
const IMEI = /(?<!\d)(?:imei(?: ?\d)?\W{0,3})?(\d{15})(?!\d)/gi
const SERIAL = /(?<![\p{L}\d])(?:s\/?n|serial(?: ?(?:no|number))?|seriennummer)\W{0,3}[A-Z0-9]{8,20}(?![\p{L}\d])/giu
const LOCKED_TO =
  /(?<![\p{L}\d])locked (?:to|on|for) (?:the )?(?!icloud|apple|google|an? |any |no |account|(?:previous |old )?owner|compan|parts|spares|repairs?)[\p{L}&-]+/giu
/** "bloqueado na Vodafone", "gebunden an Telekom". */
const LOCKED_TO_CARRIER = new RegExp(
  `(?<![\\p{L}\\d])(?:${words.lockedTo.join('|')})(?: \\p{L}{1,6})? (?:${words.carriers.join('|')})(?![\\p{L}\\d])`,
  'giu',
)

/** "Vodafone only", "o2-Sperre". */
const CARRIER_ONLY = new RegExp(
  `(?<![\\p{L}\\d])(?:${words.carriers.join('|')})[ -](?:${words.onlyCarrier.join('|')})(?![\\p{L}\\d])`,
  'giu',
)

const carriersOfOneMeaning = words.carriers.filter((name) => !words.ordinaryWordCarriers.includes(name))
/** "nur Vodafone Netz", "only on T-Mobile", unlike "only three scratches". */
const ONLY_ON_CARRIER = new RegExp(
  `(?<![\\p{L}\\d])(?:${words.onlyBefore.join('|')})(?: \\p{L}{1,6})? (?:${carriersOfOneMeaning.join('|')})(?: (?:network|netz|sim))?(?![\\p{L}\\d])`,
  'giu',
)
/** "not locked to AT&T". */
const NOT_LOCKED_TO =
  /(?<![\p{L}\d])(?:not|never|no longer|isn['’]?t|wasn['’]?t) locked (?:to|on|for) (?:the |a |an |any )?(?!icloud|account)[\p{L}&-]+/giu
/** "holds charge 2 hours", "Akku hält nur 3 Stunden": a battery that is soon empty. */
const SHORT_BATTERY_LIFE = new RegExp(
  `(?<![\\p{L}\\d])(?:${words.batteryLife.join('|')})(?: \\p{L}+){0,3} (?:[1-5](?:[.,]\\d)?|\\d{1,3}(?= ?min)) ?(?:min\\p{L}*|h|hrs?|hours?|std|stunden?|heures?|horas?|ore|ora|uur|godzin\\p{L}*|valand\\p{L}*|ч|час\\p{L}*|시간|분)(?![\\p{L}\\d])`,
  'giu',
)

/**
 * Splits a seller's text into the name of the device, what it states about it, and its identifier. `ownFindings` were read
 * from words of the organization, which the text no longer has.
 */
export function describeDevice(sellerText: string, ownFindings: readonly TextFinding[] = []): DescribedDevice {
  const text = sellerText.normalize('NFC')
  let rest = text
  const blankOut = (from: number, to: number) => {
    rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)
  }
  const findings: TextFinding[] = [...ownFindings]
  const unreadWords: UnreadWords[] = []
  const imeis = new Set<string>()
  for (const { 0: words, 1: digits = '', index } of text.matchAll(IMEI)) {
    if (luhnDigit(digits.slice(0, 14)) === digits.at(-1)) imeis.add(digits)
    blankOut(index, index + words.length)
  }
  for (const pattern of [ARABIC_AND, KEY_LETTER])
    for (const { 0: words, index } of rest.matchAll(pattern)) blankOut(index, index + words.length)
  for (const { 0: words, index } of text.matchAll(SERIAL)) blankOut(index, index + words.length)
  for (const { 0: words, index, ...groups } of rest.matchAll(BATTERY_HEALTH)) {
    const percent = Number(groups[1] ?? groups[2] ?? groups[3] ?? groups[4])
    if (percent > 100 || percent < MIN_BATTERY_PERCENT) continue
    findings.push({ field: 'battery_health', words, percent })
    if (percent < WEAK_BATTERY_PERCENT) findings.push({ field: 'defects', words, codes: ['weak_battery'] })
    blankOut(index, index + words.length)
  }
  for (const { 0: words, 1: points, index } of rest.matchAll(OUT_OF_TEN)) {
    // "iPhone 8/10": two models.
    if (isModelWord(/\p{L}+(?= $)/u.exec(rest.slice(0, index))?.[0] ?? '')) continue
    findings.push({ field: 'condition', words, condition: gradeOfPoints(Number(points)) })
    blankOut(index, index + words.length)
  }
  for (const { 0: words, index } of rest.matchAll(SHORT_BATTERY_LIFE)) {
    unreadWords.push({ words, withholdsOffer: false })
    blankOut(index, index + words.length)
  }
  for (const { 0: words, index } of rest.matchAll(DURATION)) blankOut(index, index + words.length)
  for (const { 0: words, index } of rest.matchAll(ERROR_CODE)) {
    unreadWords.push({ words, withholdsOffer: false })
    blankOut(index, index + words.length)
  }
  for (const { 0: words, 1: behind, 2: before, index } of rest.matchAll(CYCLES)) {
    if (Number(behind ?? before) < MANY_CYCLES) continue
    unreadWords.push({ words, withholdsOffer: false })
    blankOut(index, index + words.length)
  }
  for (const { 0: words, index } of rest.matchAll(NOT_LOCKED_TO)) {
    findings.push({ field: 'lock', words, lock: 'unlocked' })
    blankOut(index, index + words.length)
  }
  for (const pattern of [LOCKED_TO, LOCKED_TO_CARRIER, ONLY_ON_CARRIER, CARRIER_ONLY])
    for (const { 0: words, index } of rest.matchAll(pattern)) {
      findings.push({ field: 'lock', words, lock: 'locked' })
      blankOut(index, index + words.length)
    }
  const wordsOf = ({ from, to }: TextRange) => text.slice(from, to).replace(/\s+/g, ' ').trim()
  const faults: (TextRange & { readonly reads: TextFinding | UnreadWords | null })[] = []
  let hasStatements = findings.length > 0 || unreadWords.length > 0
  for (const statement of readStatements(findMentions(rest))) {
    const words = wordsOf(statement)
    const finding = toFinding(statement, words, text)
    const unread = { words, withholdsOffer: statement.means === 'withheld' }
    const isUnread = statement.means === 'unread' || statement.means === 'withheld'
    if (finding) findings.push(finding)
    else if (isUnread) unreadWords.push(unread)
    if (isAboutDevice(statement) || isUnread)
      faults.push({ from: statement.from, to: statement.to, reads: finding ?? (isUnread ? unread : null) })
    hasStatements ||= isAboutDevice(statement)
    blankOut(statement.from, statement.to)
  }
  for (const { 0: words, index } of rest.matchAll(AFTER_STATES)) blankOut(index, index + words.length)
  for (const { 0: words, index } of rest.matchAll(NEGATED_IN_FRENCH)) {
    unreadWords.push({ words, withholdsOffer: false })
    hasStatements = true
    blankOut(index, index + words.length)
  }
  const shortened = shortenNames(rest, faults).map(({ name, unread, isTail }): ShortenedDescription => {
    const widened = faults.filter(({ from, to }) => unread.some((range) => range.from <= from && to <= range.to))
    const isWidened = (reads: TextFinding | UnreadWords) => widened.some((fault) => fault.reads === reads)
    const isWithheld = unreadWords.some((words) => words.withholdsOffer && isWidened(words))
    return {
      name,
      // In "hot shoe broken", what is left out is broken and not the device.
      findings: withoutRepetitions(findings.filter((finding) => !isBare(finding) || !isWidened(finding))),
      unreadWords: [
        ...unreadWords.filter((words) => !isWidened(words)),
        ...unread.map((range) => ({ words: wordsOf(range), withholdsOffer: isWithheld })),
      ],
      ...(isTail && { isTail }),
    }
  })
  return {
    name: tidyName(rest),
    findings: withoutRepetitions(findings),
    unreadWords,
    hasStatements,
    identifier: identifierOf([...imeis]),
    shortened,
  }
}

/** The grade of a seller who gives points out of ten. */
function gradeOfPoints(points: number): Condition {
  if (points === 10) return 'Excellent'
  if (points >= 8) return 'Good'
  return points >= 6 ? 'Fair' : 'Poor'
}

const isBare = (finding: TextFinding) => finding.field === 'defects' && finding.subject !== undefined

/** Both IMEIs of a device with two SIM cards in one text, as a lookup reads them. */
function identifierOf(imeis: readonly string[]): string | null {
  return imeis.length === 2 ? imeis.join(' / ') : (imeis[0] ?? null)
}

/** The first words for a defect are enough; of several grades the worst counts, and a lock before "unlocked". */
function withoutRepetitions(findings: readonly TextFinding[]): TextFinding[] {
  const grades = findings.flatMap((finding) => (finding.field === 'condition' ? [finding.condition] : []))
  const worst = CONDITIONS.findLast((condition) => grades.includes(condition))
  const isLocked = findings.some((finding) => finding.field === 'lock' && finding.lock === 'locked')
  const seen = new Set<string>()
  return findings.filter((finding) => {
    if (finding.field === 'lock' && finding.lock === 'unlocked' && isLocked) return false
    if (finding.field === 'condition' && finding.condition !== worst) return false
    const key = `${finding.field} ${finding.field === 'defects' ? finding.codes[0] : ''}`
    return !seen.has(key) && seen.add(key)
  })
}

/** New, original and unlocked things are sold alone too, and an unknown word may name an accessory. */
function isAboutDevice({ means, isDenied, isUnknown }: Statement): boolean {
  if (means === 'nothing') return isDenied === true
  return !isUnknown && means !== 'unlocked' && means !== 'Excellent' && means !== 'Good'
}

function toFinding({ means, from, isBare, isOptional }: Statement, words: string, text: string): TextFinding | null {
  if (means === 'locked' || means === 'unlocked') return { field: 'lock', words, lock: means }
  if (typeof means !== 'string') {
    const subject = isBare ? /([\p{L}\p{M}]+)\s+$/u.exec(text.slice(0, from))?.[1] : undefined
    return { field: 'defects', words, codes: means, ...(subject && { subject }), ...(isOptional && { isOptional }) }
  }
  const condition = CONDITIONS.find((grade) => grade === means)
  return condition ? { field: 'condition', words, condition } : null
}
