/** Rejects titles that do not sell a device, or not one that can be priced, by their words and word positions. */

import { isWrittenWithoutBlanks } from './ordinary-words.ts'
import {
  ALTERNATIVE_WORDS,
  EXTRA_ADJECTIVES,
  INCLUDED_WORDS,
  isCameraBodyWord,
  isDriveWord,
  isMemoryCardWord,
  isOriginalWord,
  isStateWord,
  NUMBER_WORDS,
  ONLY_WORDS,
  SOUND_WORDS,
} from './rejection-words.ts'
import type { TitleFacts } from './title-facts.ts'
import type { WordRole } from './title-lexicon.ts'
import { GAP, type Token } from './tokens.ts'

/** Roles of words that reject a title at any position. */
const REJECTED_ROLES = ['for_parts', 'lot', 'box', 'replica', 'wanted', 'service'] as const

export type MatchRejection =
  | (typeof REJECTED_ROLES)[number]
  | ('accessory' | 'part' | 'multiple_models' | 'unknown_model' | 'make_mismatch' | 'unknown_make')
  | ('conflicting_identifiers' | 'incomplete_name' | 'not_enough_information')

const REJECTIONS: ReadonlyMap<WordRole, MatchRejection> = new Map(REJECTED_ROLES.map((role) => [role, role]))

/** First and last token of the model's name. */
export type TokenRange = { readonly from: number; readonly to: number }

/**
 * `category`: category of the named device, if any. `isPartOfName`: whether a token belongs to its name. `mayBeDefective`:
 * whether a device that does not work is a device.
 */
export function findRejection(
  title: TitleFacts,
  nameRange: TokenRange | null,
  category: string,
  isPartOfName: (at: number) => boolean,
  mayBeDefective: boolean,
): MatchRejection | null {
  const { tokens } = title
  if (title.isLot) return 'lot'
  let hasName = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token.isConsumed && token.word?.role !== 'for_parts') continue
    const role = token.word?.role
    const rejection = role ? REJECTIONS.get(role) : undefined
    if (rejection && !(mayBeDefective && rejection === 'for_parts') && !(role === 'service' && isExtra(tokens, at)))
      return rejection
    // "swap for iPhone 15".
    if (!hasName && token.word?.introducesExchange && token.word.firstWord?.isExchangeVerb) return 'wanted'
    hasName ||= token.line !== null || token.word?.make != null
  }
  if (!nameRange) return null
  // "For iPhone 13 Pro …", "Hülle für iPhone": something for the phone, not the phone.
  for (let at = Math.min(nameRange.from, tokens.length) - 1; at >= 0; at--) {
    const { word, isConsumed } = tokens[at] as Token
    if (word?.role === 'meant_for') return 'accessory'
    if (!isConsumed && !word?.make && word?.role !== 'condition' && word?.role !== 'category') break
  }
  if (namesAlternatives(tokens, nameRange)) return 'multiple_models'
  // "PS5 disc drive for Slim".
  if (tokens.slice(nameRange.from, nameRange.to + 1).some(({ word }) => word?.role === 'meant_for')) return 'accessory'
  if (isSingleEarbud(tokens, category)) return 'part'
  const isDevice = describesWholeDevice(title)
  const isUnclear =
    !isDevice &&
    (beginsWithUnknownNoun(title, nameRange) ||
      endsWithUnknownNoun(title, nameRange) ||
      isBesideUnknownScript(title, nameRange) ||
      mayBeGame(tokens, category, isPartOfName))
  if (category.includes('Console') && mayBeDrive(tokens, nameRange)) return 'part'
  if (!isDevice && sellsSoundFor(tokens, nameRange, category)) return 'accessory'
  if (!isDevice && tokens.some(isMemory) && !tokens.some(isUsedCondition)) return 'part'
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const role = token.word?.role
    if (token.isConsumed || (role !== 'accessory' && role !== 'part' && role !== 'weak_part' && role !== 'weak_box'))
      continue
    const isSoldAlone = isFollowedByOnly(tokens, at)
    const isInside = at >= nameRange.from && at <= nameRange.to
    // "Switch carrying case OLED".
    if (
      isInside &&
      !isDevice &&
      role === 'accessory' &&
      !isPartOfName(at) &&
      !isIncluded(tokens, at, nameRange, isDevice)
    )
      return 'accessory'
    // "PS5 camera": beside another device these words name no device.
    const isNamed = isPartOfName(at) && (role !== 'weak_part' || !token.word?.isOptional)
    if ((isInside || isNamed) && !isSoldAlone) continue
    const isBefore = at < nameRange.from
    if (isSoldAlone || isPrecededByOnly(tokens, at) || (!isDevice && isListedBeforeOnly(tokens, at)))
      return role === 'weak_box' ? 'box' : role === 'accessory' ? 'accessory' : 'part'
    if (role === 'weak_box' && !isDevice && !isBefore && isBoxOfName(tokens, at, nameRange)) return 'box'
    // "Original case iPhone 13": before the name, extras are listed with a described device only.
    if ((isDevice || !isBefore) && isIncluded(tokens, at, nameRange, isDevice)) continue
    if (isListedWithConsole(tokens, at, nameRange, category)) continue
    if (isOwnCategory(token.text, role, category)) continue
    if (role === 'part') {
      // "128GB, back glass cracked" describes the device.
      if (isDevice && !isBefore && statesDamage(tokens, at)) continue
      // "40mm replacement strap": made for the size.
      if (isDevice && !hasMoreThanCaseSize(title) && isAccessoryOrPart(tokens[at + 1])) return 'part'
      // A board or a display assembly is never included with a device; "replacement" may describe a past repair.
      if (isBefore || !isDevice || !token.text.includes('replacement')) return 'part'
    } else if (role === 'accessory') {
      if (isMemoryCard(tokens, at, title)) return 'accessory'
      if (isBefore || !isDevice || (isSizedAccessory(token.text) && !hasMoreThanSize(title))) return 'accessory'
      if (isBand(token.text) && !hasMoreThanCaseSize(title) && !describesWatch(tokens, at)) return 'accessory'
    } else if (role === 'weak_box') {
      if (!isDevice && isBefore && !isDescribedBox(tokens, at)) return 'box'
    } else if (
      !(isDevice && hasMoreThanCaseSize(title)) &&
      (isBefore ? at === 0 || (at === 1 && !describesUsedDevice(tokens, at)) : !describesCondition(tokens, at))
    )
      return 'part'
  }
  return isUnclear ? 'not_enough_information' : null
}

/** "+ subscription". */
const isExtra = (tokens: readonly Token[], at: number) =>
  tokens[at - 1]?.text === '+' || tokens[at - 1]?.word?.introducesExtras === true

const isAccessoryOrPart = (token: Token | undefined) =>
  token?.word?.role === 'accessory' || token?.word?.role === 'weak_part'

/** "iPhone 13 Pro or 13 Pro Max": the title leaves open which model is sold. */
const namesAlternatives = (tokens: readonly Token[], { from, to }: TokenRange) =>
  tokens.slice(from, to + 1).some(({ text }) => ALTERNATIVE_WORDS.has(text))

const MIN_NOUN_LENGTH = 3
const isUnknownWord = ({ word, isNumber, isSymbol, isConsumed }: Token) =>
  word === null && !isNumber && !isSymbol && !isConsumed

/** "very good", "cracked": describes a device. Accessories and parts are described as new, too. */
const isUsedCondition = ({ word }: Token) => word?.role === 'condition' && word.value !== 'new'

/** Words that a title puts between a noun and the name without changing what is sold. */
const ROLES_BEFORE_NAME = new Set<WordRole | null>(['color', 'condition', 'connectivity'])

/**
 * "Husa iPhone 13 neagra": an unknown word before the name may be an accessory or a wanted ad in another language, unless the
 * title describes a device or its condition, or a comma, a dash or an ordinary word stands between.
 */
function beginsWithUnknownNoun({ tokens }: TitleFacts, { from }: TokenRange): boolean {
  for (let at = Math.min(from, tokens.length) - 1; at >= 0; at--) {
    const token = tokens[at] as Token
    if ((tokens[at + 1]?.gap ?? GAP.blank) >= GAP.list) return false
    if (isNoun(token)) {
      const mayBeSold = token.text.length >= MIN_NOUN_LENGTH && (at === 0 || !isOtherScript(token))
      return mayBeSold && !tokens.some(isUsedCondition)
    }
    if (token.word !== null && !token.word.make && !ROLES_BEFORE_NAME.has(token.word.role)) return false
  }
  return false
}

/** An unknown word, or one that only occurs in names of other devices, as in "ring light iPhone 12". */
function isNoun({ word, line, isNumber, isSymbol, isConsumed }: Token): boolean {
  if (isNumber || isSymbol || isConsumed || line !== null) return false
  if (word === null) return true
  const hasMeaning = word.role || word.make || word.unit || word.introducesExtras || word.isArticle || word.partOfYear
  return !hasMeaning && !word.isOptional && !word.isModelWord && !word.precedesVersion && !word.negates
}

/** Greek, Cyrillic, Arabic, Thai, Chinese and other words that are not written in Latin letters. */
const isOtherScript = ({ text }: Token) => text.charCodeAt(0) > 0x36f

/**
 * "iPhone 13 电池": an unknown word of another script right beside the name may be an accessory or a part, if nothing else follows
 * or, without blanks between words, wherever it stands.
 */
const isBesideUnknownScript = ({ tokens }: TitleFacts, { from, to }: TokenRange) =>
  [from - 1, to + 1].some((at) => {
    const token = tokens[at]
    return (
      token !== undefined &&
      isUnknownWord(token) &&
      isOtherScript(token) &&
      token.text.length >= 2 &&
      (at < from ? (tokens[from]?.gap ?? GAP.blank) : token.gap) < GAP.list &&
      (at === 0 || at === tokens.length - 1 || isWrittenWithoutBlanks(token.text))
    )
  }) && !tokens.some(isUsedCondition)

const MIN_LAST_NOUN_LENGTH = 4

const ROLES_THAT_EXPLAIN = new Set<WordRole | null>(['condition', 'noise', 'ordinary'])

/** "iPhone 13 gaming trigger": the same for an unknown last word. After a comma or a dash it is a place or a name. */
function endsWithUnknownNoun({ tokens }: TitleFacts, { to }: TokenRange): boolean {
  const last = tokens.at(-1)
  if (!last || tokens.length - 1 <= to || !isUnknownWord(last)) return false
  if (last.gap > GAP.blank || last.text.length < MIN_LAST_NOUN_LENGTH) return false
  // After a comma or "for": "80D για παιδί".
  if (tokens.slice(to + 1).some(({ gap, word }) => gap >= GAP.list || word?.role === 'meant_for')) return false
  // "iPhone 13 new kickstand": the adjective belongs to the noun.
  let end = tokens.length - 1
  while (end - 1 > to && isAdjectiveOfExtra(tokens[end - 1] as Token)) end--
  return !tokens
    .slice(0, end)
    .some(
      ({ word, text, isConsumed }) =>
        isConsumed || ROLES_THAT_EXPLAIN.has(word?.role ?? null) || word?.introducesExtras || text === '+',
    )
}

const MIN_GAME_WORD_LENGTH = 3
/** Words with these roles belong to the sale of a console, not of a game. */
const CONSOLE_ROLES = new Set<WordRole | null>(['category', 'condition', 'accessory', 'weak_box', 'for_parts'])

/** "PS5 Ghost of Yotei": unknown words beside the name of a console may be the title of a game. */
function mayBeGame(tokens: readonly Token[], category: string, isPartOfName: (at: number) => boolean): boolean {
  if (!category.includes('Console')) return false
  let hasUnknownWord = false
  for (const [at, { text, word, isNumber, isSymbol, isConsumed }] of tokens.entries()) {
    // What is included is listed after these words: "with 5 games".
    if (word?.introducesExtras && !isPartOfName(at)) return hasUnknownWord
    if (CONSOLE_ROLES.has(word?.role ?? null)) return false
    if (word === null && !isNumber && !isSymbol && !isConsumed && !isPartOfName(at))
      hasUnknownWord ||= text.length >= MIN_GAME_WORD_LENGTH
  }
  return hasUnknownWord
}

const SOUND_CATEGORIES = new Set(['Earbuds', 'Headphones', 'VR Headset', 'Portable Speaker', 'Smart Speaker'])

/** "iPhone 13 headphones", "PS5 headset", unlike "iPhone 13 with headphones". */
const sellsSoundFor = (tokens: readonly Token[], nameRange: TokenRange, category: string) =>
  category !== '' &&
  !SOUND_CATEGORIES.has(category) &&
  tokens.some(
    ({ text, isConsumed }, at) => !isConsumed && SOUND_WORDS.has(text) && !isIncluded(tokens, at, nameRange, false),
  )

/** "MacBook Air M1 SSD" without an amount. */
const isMemory = ({ text, isConsumed, gap }: Token) =>
  !isConsumed && gap >= GAP.blank && (text === 'ram' || isDriveWord(text))

/** "Steam Deck SSD 1TB", unlike "Steam Deck 1TB SSD": a drive for the console, unless the title describes a used device. */
function mayBeDrive(tokens: readonly Token[], { to }: TokenRange): boolean {
  const [drive, size] = tokens.slice(to + 1, to + 3)
  return drive !== undefined && size?.isConsumed === true && isDriveWord(drive.text) && !tokens.some(isUsedCondition)
}

const CAMERA_WORDS = /[ck]am[ae]r|lens/
/** A camera is not sold as a part of a camera. */
function isOwnCategory(text: string, role: WordRole, category: string): boolean {
  const isCamera = category.includes('Camera')
  // An action camera has no lenses to change: its housing is an accessory.
  if (role === 'part') return isCamera && !category.includes('Action') && isCameraBodyWord(text)
  return role === 'weak_part' && (isCamera ? CAMERA_WORDS.test(text) : category.toLowerCase().includes(text))
}

/** "AirPods Pro links", "fone direito": one earbud of a pair. A title with both sides describes the pair. */
function isSingleEarbud(tokens: readonly Token[], category: string): boolean {
  if (!category.toLowerCase().includes('earbud')) return false
  const sides = new Set(tokens.flatMap(({ word }) => (word?.role === 'side' ? [word.value] : [])))
  return sides.size === 1
}

/** Whether the title states something only a whole device has: memory, battery health, case size, lock or carrier. */
const describesWholeDevice = (title: TitleFacts) =>
  title.millimeters.some((size) => size >= 30 && size <= 60) || hasMoreThanCaseSize(title)

/** Parts of a watch are sold with the size of its case too. */
const hasMoreThanCaseSize = (title: TitleFacts) =>
  hasMoreThanSize(title) ||
  title.tokens.some(({ word, isConsumed }) => !isConsumed && (word?.role === 'lock' || word?.role === 'carrier'))

/** Accessories made for a watch size. Cases and bands are not among them: they may belong to the watch itself. */
const isSizedAccessory = (text: string) => /protector|film|charg|bumper|tempered|foli|stand|dock/.test(text)

/** "Nintendo Switch microSD 256GB": the only amount is that of the card. */
const isMemoryCard = (tokens: readonly Token[], at: number, { memoryAmounts }: TitleFacts) =>
  isMemoryCardWord((tokens[at] as Token).text) && memoryAmounts.length === 1 && tokens[at + 1]?.isConsumed === true

/** Bands that are sold alone more often than with a watch; trail and alpine loops come with the watch. */
const isBand = (text: string) =>
  /(?<!ocean )band|strap|sport loop|milan|bracelet|riem|juosta|pasek|correa|cinturino|bracciale/.test(text)

/** "45mm GPS midnight sport band", "44mm sport band very good": the watch with its band; "45mm sport band blue" may be the band. */
const describesWatch = (tokens: readonly Token[], bandAt: number) =>
  tokens.some(
    ({ word, isConsumed }, at) =>
      !isConsumed &&
      (word?.role === 'connectivity' || word?.role === 'condition' || (word?.role === 'color' && at < bandAt)),
  )

const hasMoreThanSize = (title: TitleFacts) => title.memoryAmounts.length > 0 || title.hasBattery

/** "keyboard cover only": only the accessory is sold, even if the title describes the device. */
function isFollowedByOnly(tokens: readonly Token[], at: number): boolean {
  let next = at + 1
  // "kit lens 16-50 only".
  if (tokens[at]?.text.startsWith('lens')) while (tokens[next]?.isConsumed) next++
  const after = tokens[next]
  // "phone and cable only": the device is sold, too.
  if (tokens[at - 1]?.word?.introducesExtras === true && tokens[at - 2]?.word?.role === 'category') return false
  return (after?.text === 'only' || after?.text === '단품') && !tokens[next + 1]?.isNumber
}

/** "nur Ladecase". */
const isPrecededByOnly = (tokens: readonly Token[], at: number) =>
  (tokens[at] as Token).gap <= GAP.blank && ONLY_WORDS.has(tokens[at - 1]?.text ?? '')

/** "box and papers only". */
const isListedBeforeOnly = (tokens: readonly Token[], at: number) =>
  tokens[at + 1]?.word?.introducesExtras === true && tokens[at + 3]?.text === 'only' && at + 4 === tokens.length

/** Maximum number of words between the known word of a game's name and "bundle" or "edition". */
const MAX_GAME_NAME_WORDS = 4

/** "Zelda Edition", "Mario Kart World bundle": a console with a game. A "games bundle" is games only. */
function isPartOfBundle(tokens: readonly Token[], at: number): boolean {
  if (/games?$/.test((tokens[at] as Token).text)) return false
  for (let next = at + 1; next <= at + 1 + MAX_GAME_NAME_WORDS; next++) {
    const text = tokens[next]?.text
    if (text !== undefined && /(?:bundle|edition)\b/.test(text)) return true
  }
  return false
}

const isAdjectiveOfExtra = ({ text, word }: Token) =>
  isOriginalWord(text) || EXTRA_ADJECTIVES.has(text) || (word?.role === 'condition' && word.value === 'new')

/** "iPhone 13 original box", "iPhone 12 box and manuals", unlike "AirPods Pro, OVP", "full box" and "box sealed". */
function isBoxOfName(tokens: readonly Token[], at: number, { to }: TokenRange): boolean {
  const box = tokens[at] as Token
  const adjectives = tokens.slice(to + 1, at)
  const isDescribed =
    adjectives.length > 0 && adjectives.every((word) => word.gap < GAP.list && isAdjectiveOfExtra(word))
  if (box.gap >= GAP.list || (at !== to + 1 && !isDescribed) || isFollowedByIncluded(tokens, at)) return false
  return isExtraWord(tokens[at + 1]) || (isDescribed ? at === tokens.length - 1 : !describesCondition(tokens, at))
}

/** "with 2 cases and a charger": these may come between "with" and the accessory, like numbers and makes. */
const ROLES_IN_LISTS = new Set<WordRole | null>(['accessory', 'color', 'noise', 'condition'])

const MAX_UNKNOWN_WORDS_IN_LISTS = 1

/** "case included", "lens kit included". */
function isFollowedByIncluded(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  // "case free shipping".
  if (INCLUDED_WORDS.has(next?.text ?? '')) return next?.text !== 'free' || at + 2 === tokens.length
  return next !== undefined && !next.isNumber && next.gap <= GAP.blank && INCLUDED_WORDS.has(tokens[at + 2]?.text ?? '')
}

/** "with case", "+ charger", "gratis maska": included with the device. */
function isIncluded(tokens: readonly Token[], at: number, nameRange: TokenRange, isDevice: boolean): boolean {
  if (isFollowedByIncluded(tokens, at) || isPartOfBundle(tokens, at)) return true
  let unknownWords = 0
  for (let back = at - 1; back >= 0 && back >= at - 4; back--) {
    if (back >= nameRange.from && back <= nameRange.to) return false
    const token = tokens[back] as Token
    // The "W" of "65W charger" is no "with".
    const introducesExtras =
      token.word?.introducesExtras === true &&
      !(token.isConsumed && token.word.unit !== null) &&
      // "iPhone 13 original charger" sells the charger, unlike "iPhone 13 128GB, original charger".
      (isDevice || !isOriginalWord(token.text))
    if (introducesExtras || (token.isSymbol && (token.text === '+' || token.text === '&'))) return true
    // "with carry case".
    if (
      (token.word === null || token.word.role === 'ordinary') &&
      !token.isNumber &&
      !token.isSymbol &&
      ++unknownWords <= MAX_UNKNOWN_WORDS_IN_LISTS
    )
      continue
    if (!token.isNumber && !token.word?.make && !ROLES_IN_LISTS.has(token.word?.role ?? null)) return false
  }
  return false
}

/** "PS5, 2 controllers", "PS5 console two controllers". */
function isListedWithConsole(tokens: readonly Token[], at: number, { to }: TokenRange, category: string): boolean {
  const count = tokens[at - 1]
  if (!category.includes('Console') || at - 1 <= to || count === undefined) return false
  if (count.isNumber && count.gap >= GAP.list) return true
  return (count.isNumber || NUMBER_WORDS.has(count.text)) && tokens[at - 2]?.word?.isOptional === true
}

/** "keyboard UK backlit" sells a keyboard. */
const KEYBOARD_LAYOUT =
  /^(?:us|uk|eu|hu|ca|german|japanese|korean|canadian|international|nordic|layout|qwert[yz]|azerty|backlit|keyboard layout|clavier \w+|qwertz tastatur)$/

/** "back glass cracked". */
const statesDamage = (tokens: readonly Token[], at: number) =>
  [tokens[at - 1], tokens[at + 1]].some((token) => token !== undefined && token.word?.role === 'condition')

/** "cracked screen iPhone 13"; "new battery iPhone 13" may be the battery. */
const describesUsedDevice = (tokens: readonly Token[], at: number) =>
  describesCondition(tokens, at) && tokens[at - 1]?.word?.value !== 'new' && !isExtraWord(tokens[at - 1])

const isExtraWord = (token: Token | undefined) => token?.word?.introducesExtras === true

/** "no box iPhone 13" sells the phone, "selling box iPhone 13" the box. */
const isDescribedBox = (tokens: readonly Token[], at: number) =>
  describesCondition(tokens, at) && tokens[at - 1]?.word?.role !== 'noise'

/** A part may be sold as new or good, too. */
const GOOD_CONDITIONS = new Set(['new', 'open box', 'like new', 'excellent', 'very good', 'good'])

const YEAR = /^20\d\d$/

/** "cracked screen", "no box", "pristine display", "battery 90 %": describes the device. */
function describesCondition(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  const after = tokens[at + 1]
  // "battery 86 Wh" is a battery.
  if (tokens[at + 2]?.word?.unit === 'battery') return false
  const statesCondition = (token: Token | undefined) =>
    token !== undefined &&
    token.gap <= GAP.other &&
    !isOriginalWord(token.text) &&
    ((token.word?.role === 'condition' && !GOOD_CONDITIONS.has(token.word.value)) ||
      (token.isConsumed && token.word?.unit === 'count') ||
      (token.word?.role === 'noise' && (token.word.negates !== null || isStateWord(token.text))) ||
      (token.isConsumed && token.word === null && !YEAR.test(token.text)))
  if (after?.word?.role === 'noise' && KEYBOARD_LAYOUT.test(after.text)) return statesCondition(before)
  // "battery new" sells a battery, "new battery" a device with one; "battery A1496" and "battery charging hub" are no states.
  const isCode = after?.text.length === 1 && tokens[at + 2]?.gap === GAP.none
  return statesCondition(before) || (statesCondition(after) && after?.word?.value !== 'new' && !isCode)
}
