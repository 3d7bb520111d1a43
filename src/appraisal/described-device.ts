/** Reads what a text states beside the name of a device: defects, grade, lock, battery health and missing accessories. */
import words from '../../data/aliases/description-words.json' with { type: 'json' }
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { luhnDigit } from '../identifier/check-digit.ts'
import { findMentions, type Mention, type PartName, type StateName, type StatePhrase } from './description-lexicon.ts'
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

type PartRule = { readonly codes: readonly DefectCode[]; readonly states: readonly StateName[] }

const FAULTS: readonly StateName[] = ['broken', 'damaged', 'failing', 'troubled', 'weak', 'worn']
const GLASS_FAULTS: readonly StateName[] = ['cracked', ...FAULTS]

/** The defects that a part and its state mean. */
const PART_RULES: Readonly<Record<PartName, PartRule>> = {
  screen: { codes: ['cracked_screen'], states: GLASS_FAULTS },
  back: { codes: ['cracked_back'], states: [...GLASS_FAULTS, 'missing'] },
  glass: { codes: ['cracked_screen', 'lens'], states: GLASS_FAULTS },
  battery: { codes: ['weak_battery'], states: FAULTS },
  camera: { codes: ['camera', 'lens'], states: GLASS_FAULTS },
  lens: { codes: ['lens', 'camera'], states: GLASS_FAULTS },
  sound: { codes: ['speaker_or_microphone'], states: [...GLASS_FAULTS, 'missing'] },
  earbud: { codes: ['missing_earbud', 'speaker_or_microphone'], states: [...GLASS_FAULTS, 'missing'] },
  ear_cushions: { codes: ['ear_cushions'], states: [...GLASS_FAULTS, 'missing'] },
  buttons: { codes: ['buttons'], states: [...GLASS_FAULTS, 'missing'] },
  biometric: { codes: ['biometric_sensor'], states: [...FAULTS, 'missing'] },
  charging: { codes: ['charging_port', 'ports'], states: FAULTS },
  sim: { codes: ['sim_reader'], states: [...FAULTS, 'missing'] },
  radio: { codes: ['radio'], states: [...FAULTS, 'missing'] },
  headphone_jack: { codes: ['headphone_jack'], states: FAULTS },
  keyboard: { codes: ['keyboard_or_trackpad'], states: [...GLASS_FAULTS, 'missing'] },
  hinge: { codes: ['hinge'], states: GLASS_FAULTS },
  fan: { codes: ['fan'], states: FAULTS },
  stick: { codes: ['stick_drift'], states: [...FAULTS, 'drift'] },
  disc_drive: { codes: ['disc_drive'], states: FAULTS },
  storage_drive: { codes: ['storage_drive'], states: [...FAULTS, 'missing'] },
  ports: { codes: ['ports', 'charging_port'], states: GLASS_FAULTS },
  image_sensor: { codes: ['image_sensor'], states: GLASS_FAULTS },
  panel_or_sensor: { codes: ['image_sensor', 'cracked_screen'], states: GLASS_FAULTS },
  shutter: { codes: ['shutter'], states: GLASS_FAULTS },
  viewfinder: { codes: ['viewfinder'], states: GLASS_FAULTS },
  gimbal: { codes: ['gimbal', 'camera'], states: GLASS_FAULTS },
  motor: { codes: ['motor', 'speaker_or_microphone'], states: GLASS_FAULTS },
}
/** "no Face ID": these parts belong to the device, so that their absence is a defect. */
const DEFECTIVE_IF_ABSENT = new Set<PartName>(['biometric', 'sound', 'radio', 'camera', 'storage_drive'])
/** "no back cover", "without keyboard": the device is incomplete, and no field says so. */
const UNREAD_IF_ABSENT = new Set<PartName>(['screen', 'back', 'battery', 'keyboard', 'buttons', 'stick', 'lens'])
const WORN = new Set<Condition>(['Fair', 'Poor'])
/** Scratches on these show in every picture, so that they are a defect and no wear. */
const SCRATCHED_OPTICS: Readonly<Partial<Record<PartName, readonly DefectCode[]>>> = {
  image_sensor: ['image_sensor'],
  lens: ['lens'],
  viewfinder: ['viewfinder'],
}
/** "new battery", "display good": says nothing about the grade of the device. */
const PARTS_IN_GOOD_STATE = new Set<PartName>(['screen', 'back', 'glass', 'battery'])

/** What a state means if the text names no part. The other states are unread words or describe the grade. */
const STATE_ALONE: Readonly<Partial<Record<StateName, readonly DefectCode[] | 'unread' | 'Fair'>>> = {
  cracked: ['cracked_screen', 'cracked_back'],
  broken: ['no_power'],
  failing: ['no_power'],
  damaged: 'unread',
  troubled: 'unread',
  missing: 'unread',
  drift: ['stick_drift'],
  worn: 'Fair',
}

/** "case broken" of earbuds, which are sold with it. */
const CASE_FAULTS: Readonly<Partial<Record<StateName, readonly DefectCode[]>>> = {
  broken: ['missing_earbud'],
  failing: ['missing_earbud'],
  missing: ['missing_earbud'],
  cracked: ['cracked_back'],
  damaged: ['cracked_back'],
  troubled: ['cracked_back'],
}
/** "crease line dead": the state belongs to the phrase before it, not to the device. */
const PICTURE_PHRASES = new Set<StatePhrase>(['cracked_screen', 'image_errors', 'no_picture', 'stick_drift'])

/** A device that is sold for parts counts as one that does not work. */
const PHRASE_CODES: Readonly<Record<StatePhrase, readonly DefectCode[]>> = {
  activation_locked: ['activation_locked'],
  no_power: ['no_power'],
  for_parts: ['no_power'],
  water_damage: ['water_damage'],
  cracked_screen: ['cracked_screen', 'image_errors'],
  cracked_back: ['cracked_back'],
  weak_battery: ['weak_battery'],
  charging_port: ['charging_port'],
  sim_reader: ['sim_reader'],
  radio: ['radio'],
  missing_earbud: ['missing_earbud'],
  stick_drift: ['stick_drift'],
  missing_accessories: ['missing_accessories'],
  image_errors: ['image_errors', 'cracked_screen'],
  no_picture: ['cracked_screen', 'ports', 'no_power'],
  disc_drive: ['disc_drive', 'ports'],
  speaker_or_microphone: ['speaker_or_microphone', 'missing_earbud'],
  fan: ['fan'],
  camera: ['camera', 'lens'],
  buttons: ['buttons'],
  biometric_sensor: ['biometric_sensor'],
}

const BATTERY_WORD =
  '(?:batter\\p{L}*|batt|bh|akku\\p{L}*|bater\\p{L}*|accu|배터리\\p{L}*|성능|аккумулятор\\p{L}*|батаре\\p{L}*|акб|(?:ال)?بطارية|แบต[\\p{L}\\p{M}]*|סוללה|סוללת|बैटरी|电池(?:健康|效率)?|電池|バッテリー)'
const HEALTH_WORD =
  '(?:health|zustand|kapazität|(?:max(?:imum)? )?capacity|status|talpa|būklė|효율|성능|estado|salute|santé|salud|kondycja|состояние|صحة|สุขภาพ|健康|最大容量)'
/** A number with a percent sign, or without one after a word for health: "battery health 78". */
const BATTERY_HEALTH = new RegExp(
  [
    `(?<![\\p{L}\\d])(?:${BATTERY_WORD}|max(?:imum|imale|\\.)? capacity)(?: max(?:imum)?| maximale)?(?: ?${HEALTH_WORD})?(?: (?:at|is|of|only|bei|noch|nur|al|à|a|na|на|op|de|tik|yra))*[^\\p{L}\\d]{0,3}(\\d{2,3}) ?(?:%|프로|퍼센트|percent|prozent|procent\\p{L}*|процент\\p{L}*|パーセント)`,
    `(?<![\\p{L}\\d])(\\d{2,3}) ?% (?:maximum |max )?(?:${BATTERY_WORD}(?: health)?|capacity|capacité|kapazität|capacidad|capacità|pojemności)`,
    `(?<![\\p{L}\\d])(?:${BATTERY_WORD} ${HEALTH_WORD}|bh)[^\\p{L}\\d]{0,3}(\\d{2,3})(?![\\d.,]|\\s?[\\p{L}%])`,
  ].join('|'),
  'giu',
)
/** "after 10 minutes": no model. */
const DURATION =
  /(?<![\p{L}\d])\d{1,3} ?(?:min|mins|minutes?|minuten|minutos?|minuti|minuto|minut|minuty|minučių|minutes?|sec|seconds?|sekunden?|secondes?|segundos?|secondi|sekund|hrs?|hours?|stunden?|heures?|horas?|ore|ora|uur|uren|godzin\p{L}*|valand\p{L}*|분|시간|초|минут\p{L}*)(?![\p{L}\d])/giu
/** "error 70", "CE-108255-1". */
const ERROR_CODE =
  /(?<![\p{L}\d])(?:(?:error|err|fehler(?:code)?|erreur|errore|błąd|klaida|chyba|erro|fout|오류|ошибка)(?: ?code)?[ :#]*(?!43\b)[a-z]{0,3}[- ]?\d[\d-]*|[a-z]{2}-\d{5,6}-\d(?: error)?)(?![\p{L}\d])/giu
const CYCLES =
  /(?<![\p{L}\d])(\d{3,4}) ?(?:charge |charging |battery |lade)?(?:cycles?|zyklen|cycli|ciclos|cicli|cykli|ciklai|ciklų|циклов|цикла|사이클|次循环)/giu
/** A battery with this many charges may be worn. */
const MANY_CYCLES = 500
/** "ne capte plus": plus is no model here. */
const NEGATED_IN_FRENCH = /(?<![\p{L}\d])n(?:e |['’])\p{L}+(?: \p{L}+)? (?:plus|pas)(?![\p{L}\d])/giu
const IMEI = /(?<!\d)(?:imei(?: ?\d)?\W{0,3})?(\d{15})(?!\d)/gi
const SERIAL = /(?<![\p{L}\d])(?:s\/?n|serial(?: ?(?:no|number))?|seriennummer)\W{0,3}[A-Z0-9]{8,20}(?![\p{L}\d])/giu
const LOCKED_TO =
  /(?<![\p{L}\d])locked (?:to|on|for) (?:the )?(?!icloud|an? |account|parts|spares|repairs?)[\p{L}&-]+/giu
/** "bloqueado na Vodafone", "gebunden an Telekom". */
const LOCKED_TO_CARRIER = new RegExp(
  `(?<![\\p{L}\\d])(?:${words.lockedTo.join('|')})(?: \\p{L}{1,6})? (?:${words.carriers.join('|')})(?![\\p{L}\\d])`,
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
  for (const { 0: words, index } of text.matchAll(SERIAL)) blankOut(index, index + words.length)
  for (const { 0: words, 1: afterWord, 2: beforeWord, 3: withoutSign, index } of rest.matchAll(BATTERY_HEALTH)) {
    const percent = Number(afterWord ?? beforeWord ?? withoutSign)
    if (percent > 100 || percent < MIN_BATTERY_PERCENT) continue
    findings.push({ field: 'battery_health', words, percent })
    if (percent < WEAK_BATTERY_PERCENT) findings.push({ field: 'defects', words, codes: ['weak_battery'] })
    blankOut(index, index + words.length)
  }
  for (const { 0: words, index } of rest.matchAll(DURATION)) blankOut(index, index + words.length)
  for (const { 0: words, index } of rest.matchAll(ERROR_CODE)) {
    unreadWords.push({ words, withholdsOffer: false })
    blankOut(index, index + words.length)
  }
  for (const { 0: words, 1: count, index } of rest.matchAll(CYCLES)) {
    if (Number(count) < MANY_CYCLES) continue
    unreadWords.push({ words, withholdsOffer: false })
    blankOut(index, index + words.length)
  }
  for (const pattern of [LOCKED_TO, LOCKED_TO_CARRIER])
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

const isBare = (finding: TextFinding) => finding.field === 'defects' && finding.subject !== undefined

/** Both IMEIs of a device with two SIM cards in one text, as a lookup reads them. */
function identifierOf(imeis: readonly string[]): string | null {
  return imeis.length === 2 ? imeis.join(' / ') : (imeis[0] ?? null)
}

/** The first words for a defect are enough; of several grades the worst counts. */
function withoutRepetitions(findings: readonly TextFinding[]): TextFinding[] {
  const grades = findings.flatMap((finding) => (finding.field === 'condition' ? [finding.condition] : []))
  const worst = CONDITIONS.findLast((condition) => grades.includes(condition))
  const seen = new Set<string>()
  return findings.filter((finding) => {
    if (finding.field === 'condition' && finding.condition !== worst) return false
    const key = `${finding.field} ${finding.field === 'defects' ? finding.codes[0] : ''}`
    return !seen.has(key) && seen.add(key)
  })
}

/** A range of the text and its meaning; `nothing` for words that are negated or describe something else. */
type Statement = {
  readonly from: number
  readonly to: number
  readonly means: readonly DefectCode[] | Condition | CarrierLock | 'unread' | 'withheld' | 'nothing'
  /** A state without a part. */
  readonly isBare?: boolean
  readonly isOptional?: boolean
  /** The text denies it: "no cracks". */
  readonly isDenied?: boolean
  /** No list has the word. */
  readonly isUnknown?: boolean
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

function readStatements(mentions: readonly Mention[]): Statement[] {
  const clauses: Mention[][] = []
  for (const mention of mentions) {
    if (mention.startsClause || clauses.length === 0) clauses.push([mention])
    else clauses.at(-1)?.push(mention)
  }
  return clauses.flatMap(readClause)
}

/** Words that follow each other with nothing but blanks between them. */
function readClause(clause: readonly Mention[]): Statement[] {
  const statements: Statement[] = []
  const used = new Set<number>()
  const add = (
    positions: readonly number[],
    means: Statement['means'],
    details: Omit<Statement, 'from' | 'to' | 'means'> = {},
  ) => {
    const first = Math.min(...positions)
    const last = Math.max(...positions)
    for (let at = first; at <= last; at++) used.add(at)
    statements.push({ from: (clause[first] as Mention).from, to: (clause[last] as Mention).to, means, ...details })
  }
  const isFree = (at: number) => !used.has(at)
  /** The nearest mention in a direction, without fillers. */
  const next = (from: number, step: 1 | -1): number => {
    let at = from + step
    while (clause[at]?.kind === 'filler') at += step
    return at
  }
  /** Position of the word that negates this one, or -1. */
  const negationOf = (at: number): number => {
    const after = next(at, 1)
    if (clause[after]?.kind === 'negation_after') return after
    const before = next(at, -1)
    if (clause[before]?.kind === 'negation' && isFree(before)) return before
    // "no dents or scratches": both are denied.
    if (clause[before]?.kind === 'or') return deniedBefore(next(before, -1))
    const farther = next(before, -1)
    return clause[before]?.kind === 'part' && clause[farther]?.kind === 'negation' ? farther : -1
  }

  function deniedBefore(at: number): number {
    const mention = clause[at]
    if (mention?.kind !== 'state' && mention?.kind !== 'condition' && mention?.kind !== 'phrase') return -1
    const before = next(at, -1)
    if (clause[before]?.kind === 'negation') return before
    return clause[before]?.kind === 'or' ? deniedBefore(next(before, -1)) : -1
  }

  readStates()
  for (let at = 0; at < clause.length; at++) if (isFree(at)) readSingle(at)
  return statements

  /** A state belongs to the part after it ("cracked screen") or before it ("screen cracked"), in the order of the clause. */
  function readStates(): void {
    const first = clause.find(({ kind }) => kind === 'part' || kind === 'state')
    const steps = first?.kind === 'part' ? ([-1, 1] as const) : ([1, -1] as const)
    for (let at = 0; at < clause.length; at++) {
      const mention = clause[at] as Mention
      if (mention.kind !== 'state' || !isFree(at)) continue
      const { state } = mention
      const parts = steps.map((step) => partsBeside(at, step, state)).find((found) => found.length > 0) ?? []
      const negation = negationOf(at)
      const positions = negation < 0 ? [at] : [at, negation]
      const covering = [next(at, 1), next(at, -1)].find((beside) => clause[beside]?.kind === 'covering_part')
      if (parts.length > 0 && parts.some((part) => clause[next(part, 1)]?.kind === 'covering_part')) {
        add([...positions, ...parts, next(Math.max(...parts), 1)], 'nothing')
      } else if (parts.length > 0) {
        const codes = parts.map((part) => codesOfPart(clause[part] as Mention, state))
        // "display hinge loose", "camera glass broken": the word before the part says which one.
        const whichPart = Math.min(...parts) - 1
        if (isFreePart(whichPart)) {
          if (isGlass(Math.min(...parts))) codes[0] = codesOfPart(clause[whichPart] as Mention, state)
          parts.push(whichPart)
        }
        const isFaulty = state === 'ok' ? isVerbalNegation(negation) : negation < 0
        for (const partCodes of isFaulty ? codes : []) add([...positions, ...parts], partCodes)
        add([...positions, ...parts], 'nothing', { isDenied: negation >= 0 })
      } else if (covering !== undefined) {
        const covered = next(covering, -1)
        const isCovered = clause[covered]?.kind === 'part'
        const isFaultyCase = isCase(covering) && negation < 0 && !isCovered
        const means = (isFaultyCase && CASE_FAULTS[state]) || 'nothing'
        add([...positions, covering, isCovered ? covered : covering], means, { isOptional: true })
      } else if (accessoryBeside(at) >= 0 && state === 'missing') {
        add([...positions, accessoryBeside(at)], ['missing_accessories'])
      } else if (isPicturePhrase(next(at, -1))) {
        add(positions, 'nothing')
      } else if (state === 'ok' && isVerbalNegation(negation)) {
        add(positions, PHRASE_CODES.no_power, { isBare: true })
      } else {
        const means = STATE_ALONE[state]
        if (means) add(positions, negation < 0 ? means : 'nothing', { isBare: true, isDenied: negation >= 0 })
      }
    }
  }

  function accessoryBeside(at: number): number {
    return [next(at, 1), next(at, -1)].find((beside) => clause[beside]?.kind === 'accessory') ?? -1
  }

  /** Positions of the parts that a state describes: "cracked screen and back". */
  function partsBeside(at: number, step: 1 | -1, state: StateName): number[] {
    const fits = (position: number) => {
      const mention = clause[position]
      if (mention?.kind !== 'part' || !isFree(position)) return false
      if (state === 'ok') return PARTS_IN_GOOD_STATE.has(mention.part) || isVerbalNegation(negationOf(at))
      return PART_RULES[mention.part].states.includes(state)
    }
    let position = next(at, step)
    if (step === -1 && clause[position]?.kind === 'negation') position = next(position, step)
    const parts: number[] = []
    while (fits(position)) {
      parts.push(position)
      const conjunction = next(position, step)
      if (clause[conjunction]?.kind !== 'and') break
      position = next(conjunction, step)
    }
    return parts
  }

  /** "not functional", unlike "no original box". */
  function isVerbalNegation(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'negation' && mention.isVerbal
  }

  /** "works, but Face ID does not". */
  function endsWithVerbalNegation(at: number): boolean {
    return isVerbalNegation(at) && clause[at]?.unknownWordTo === undefined && clause[next(at, 1)] === undefined
  }

  function isPicturePhrase(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'phrase' && PICTURE_PHRASES.has(mention.phrase)
  }

  function isCase(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'covering_part' && mention.isCase
  }

  function isCovering(at: number): boolean {
    return clause[at]?.kind === 'covering_part'
  }

  function scratchedOptics(at: number): readonly DefectCode[] | undefined {
    const mention = clause[at]
    return mention?.kind === 'part' ? SCRATCHED_OPTICS[mention.part] : undefined
  }

  function isGlass(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'part' && mention.part === 'glass'
  }

  /** "bent charging port": the part is bent, not the housing. */
  function codesOfPhrase(phrase: StatePhrase, at: number): readonly DefectCode[] {
    const part = [next(at, 1), next(at, -1)].find(isFreePart)
    return phrase === 'cracked_back' && part !== undefined ? codesOfPart(clause[part] as Mention) : PHRASE_CODES[phrase]
  }

  function isFreePart(at: number): boolean {
    return clause[at]?.kind === 'part' && isFree(at)
  }

  function readSingle(at: number): void {
    const mention = clause[at] as Mention
    const negation = negationOf(at)
    const positions = negation < 0 ? [at] : [at, negation]
    const isNegated = negation >= 0
    switch (mention.kind) {
      case 'phrase':
        // "green line on the display": the part belongs to the phrase.
        add(
          [...positions, ...[next(at, 1), next(at, -1)].filter((beside) => isFreePart(beside) || isCovering(beside))],
          isNegated || isCovering(next(at, 1)) ? 'nothing' : codesOfPhrase(mention.phrase, at),
          { isBare: mention.phrase === 'cracked_back', isDenied: isNegated },
        )
        break
      case 'condition': {
        // "display scratches": the part belongs to the wear.
        const parts = WORN.has(mention.condition) ? [next(at, 1), next(at, -1)].filter(isFreePart) : []
        const optics = parts.map(scratchedOptics).find((codes) => codes !== undefined)
        add([...positions, ...parts], isNegated ? 'nothing' : (optics ?? mention.condition), { isDenied: isNegated })
        break
      }
      case 'locked':
        add(positions, isNegated ? 'unlocked' : 'locked')
        break
      case 'unlocked':
        add(positions, isNegated ? 'locked' : 'unlocked')
        break
      case 'unread':
      case 'withheld':
        // What is denied may be the fault: 不亮, if no list has 亮.
        add(positions, isNegated && !mention.isUnknown ? 'nothing' : mention.kind, {
          isDenied: isNegated && !mention.isUnknown,
          isUnknown: mention.isUnknown === true,
        })
        break
      case 'assurance':
        add([at], 'nothing', { isDenied: true })
        break
      case 'accessory':
        // "won't dock" names no accessory that is missing.
        if (isNegated) add(positions, isVerbalNegation(negation) ? 'unread' : ['missing_accessories'])
        break
      case 'part':
        // "everything works except the speaker".
        if (clause[next(at, -1)]?.kind === 'exception' && !isCovering(next(at, 1)))
          add([at, next(at, -1)], codesOfPart(mention, 'failing'))
        else if (endsWithVerbalNegation(next(at, 1))) add([at, next(at, 1)], codesOfPart(mention, 'failing'))
        else if (isNegated && DEFECTIVE_IF_ABSENT.has(mention.part)) add(positions, codesOfPart(mention))
        else if (isNegated && UNREAD_IF_ABSENT.has(mention.part) && !isCovering(next(at, 1))) add(positions, 'unread')
        else if (!isNegated && mention.unknownWordTo !== undefined)
          statements.push({ from: mention.from, to: mention.unknownWordTo, means: 'unread' })
        break
      case 'negation':
        // "can't hear me": no list has what is denied.
        if (mention.unknownWordTo !== undefined)
          statements.push({ from: mention.from, to: mention.unknownWordTo, means: 'unread' })
    }
  }
}

/** A bud that is quiet or crackles is not dead. */
function codesOfPart(mention: Mention, state: StateName | null = null): readonly DefectCode[] {
  if (mention.kind !== 'part') return []
  const isAudible = mention.part === 'earbud' && (state === 'weak' || state === 'troubled')
  return isAudible ? PART_RULES.sound.codes : PART_RULES[mention.part].codes
}
