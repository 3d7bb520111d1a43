/** Titles that sell no device, or none that could be priced: told by their words and where these stand. */

import type { TitleFacts } from './title-facts.ts'
import type { WordRole } from './title-lexicon.ts'
import type { Item } from './token-phrases.ts'
import { GAP } from './tokens.ts'

export type MatchRejection =
  | 'accessory'
  | 'part'
  | 'box'
  | 'lot'
  | 'for_parts'
  | 'wanted'
  | 'service'
  | 'replica'
  | 'multiple_models'
  | 'unknown_model'
  | 'make_mismatch'
  | 'unknown_make'
  | 'conflicting_identifiers'
  | 'not_enough_information'

/** These words say it wherever they stand. */
const REJECTION_BY_ROLE: ReadonlyMap<WordRole, MatchRejection> = new Map([
  ['for_parts', 'for_parts'],
  ['lot', 'lot'],
  ['box', 'box'],
  ['replica', 'replica'],
  ['wanted', 'wanted'],
  ['service', 'service'],
])

/** Where the name of the model stands among the items. */
export type TokenRange = { readonly from: number; readonly to: number }

/** `category` is that of the device whose name was said, where there is one; `isPartOfName` tells the pieces of that name. */
export function findRejection(
  title: TitleFacts,
  nameRange: TokenRange | null,
  category: string,
  isPartOfName: (at: number) => boolean,
): MatchRejection | null {
  const { tokens: items } = title
  if (title.isLot) return 'lot'
  for (const item of items) {
    if (item.isConsumed && item.word?.role !== 'for_parts') continue
    const refusal = item.word?.role ? REJECTION_BY_ROLE.get(item.word.role) : undefined
    if (refusal) return refusal
  }
  if (!nameRange) return null
  // "For iPhone 13 Pro …", "Hülle für iPhone": whatever it is, it is not the phone.
  for (let at = nameRange.from - 1; at >= 0; at--) {
    const { word, isConsumed: isRead } = items[at] as Item
    if (word?.role === 'meant_for') return 'accessory'
    if (!isRead && !word?.make && word?.role !== 'condition' && word?.role !== 'category') break
  }
  const isDevice = describesWholeDevice(title)
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    const role = item.word?.role
    if (item.isConsumed || (role !== 'accessory' && role !== 'part' && role !== 'weak_part' && role !== 'weak_box'))
      continue
    if ((at >= nameRange.from && at <= nameRange.to) || isPartOfName(at)) continue
    const isBefore = at < nameRange.from
    if (isSoldAlone(items, at)) return role === 'weak_box' ? 'box' : role === 'accessory' ? 'accessory' : 'part'
    if (isIncluded(items, at, nameRange) || (role === 'weak_part' && isOwnCategory(item.text, category))) continue
    if (role === 'part') {
      // A board or a display assembly is never sold along; a replacement may have been made.
      if (isBefore || !isDevice || !item.text.includes('replacement')) return 'part'
    } else if (role === 'accessory') {
      if (isBefore || !isDevice || (isSizedAccessory(item.text) && !hasMoreThanSize(title))) return 'accessory'
    } else if (role === 'weak_box') {
      if (!isDevice && !describesCondition(items, at) && (isBefore || at === nameRange.to + 1)) return 'box'
    } else if (
      !isDevice &&
      (isBefore ? at === 0 || (at === 1 && !describesCondition(items, at)) : !describesCondition(items, at))
    )
      return 'part'
  }
  return null
}

/** A camera is not sold as a part of a camera. */
const isOwnCategory = (text: string, category: string) =>
  category.includes('Camera') ? /[ck]am[ae]r|lens/.test(text) : category.toLowerCase().includes(text)

/** What only a whole device has: memory, a network, a share of battery, a size of case. */
function describesWholeDevice(title: TitleFacts): boolean {
  if (title.memoryAmounts.length > 0 || title.hasBattery || title.millimeters.some((size) => size >= 30 && size <= 60))
    return true
  return title.tokens.some(
    ({ word, isConsumed: isRead }) => !isRead && (word?.role === 'lock' || word?.role === 'carrier'),
  )
}

/** Protectors and chargers are made for a size of watch; cases and bands belong to the watch itself. */
const isSizedAccessory = (text: string) => /protector|film|charg|bumper|tempered|foli|stand|dock/.test(text)

const hasMoreThanSize = (title: TitleFacts) => title.memoryAmounts.length > 0 || title.hasBattery

const ONLY_WORDS = new Set(['only', 'just', 'samo', 'nur', 'solo', 'tylko', 'seulement', 'tik', 'apenas', 'alleen'])

/** "keyboard cover only", "nur Ladecase": nothing else is sold, whatever is said of the device. */
function isSoldAlone(items: readonly Item[], at: number): boolean {
  const after = items[at + 1]
  if (after?.text === 'only' && !items[at + 2]?.isNumber) return true
  return (items[at] as Item).gap <= GAP.blank && ONLY_WORDS.has(items[at - 1]?.text ?? '')
}

const INCLUDED_WORDS = new Set([
  'gratis',
  'poklon',
  'included',
  'free',
  'inklusive',
  'inkl',
  'inclus',
  'incluido',
  'inclusa',
  'w zestawie',
  '포함',
  '증정',
])

/** So many words of a game's name may follow the one that is known. */
const MAX_GAME_NAME_WORDS = 4

/** "Zelda Edition", "Mario Kart World bundle": a console that is sold with a game; but a "games bundle" is games. */
function isPartOfBundle(items: readonly Item[], at: number): boolean {
  if (/games?$/.test((items[at] as Item).text)) return false
  for (let next = at + 1; next <= at + 1 + MAX_GAME_NAME_WORDS; next++) {
    const text = items[next]?.text
    if (text === 'bundle' || text === 'edition') return true
  }
  return false
}

/** "with case", "+ charger", "gratis maska": it comes along. */
function isIncluded(items: readonly Item[], at: number, nameRange: TokenRange): boolean {
  if (INCLUDED_WORDS.has(items[at + 1]?.text ?? '') || isPartOfBundle(items, at)) return true
  for (let back = at - 1; back >= 0 && back >= at - 4; back--) {
    if (back >= nameRange.from && back <= nameRange.to) return false
    const item = items[back] as Item
    if (item.word?.introducesExtras || (item.isSymbol && (item.text === '+' || item.text === '&'))) return true
    // "with 2 cases and a charger": numbers, colors and other accessories stand between.
    const role = item.word?.role
    if (
      !item.isNumber &&
      !item.word?.make &&
      role !== 'accessory' &&
      role !== 'color' &&
      role !== 'noise' &&
      role !== 'condition'
    )
      return false
  }
  return false
}

/** "cracked screen", "no box", "pristine display", "battery 90 %": said of the device. */
function describesCondition(items: readonly Item[], at: number): boolean {
  const before = items[at - 1]
  const after = items[at + 1]
  const says = (item: Item | undefined) =>
    item !== undefined &&
    item.gap <= GAP.other &&
    (item.word?.role === 'condition' || item.word?.role === 'noise' || item.isConsumed)
  return says(before) || says(after)
}
