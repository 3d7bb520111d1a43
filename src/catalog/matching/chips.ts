/** Processors and ports, by which computers of one name are told apart. */

import type { NumberContext, TitleFacts } from './title-facts.ts'
import type { Item } from './token-phrases.ts'
import { GAP } from './tokens.ts'

export function readChips(title: TitleFacts, { isApple }: NumberContext): void {
  const { tokens: items, chips } = title
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    const number = items[at + 1]
    if (!number?.isNumber || number.gap !== GAP.none || item.text.length !== 1) continue
    if (item.gap === GAP.none && at > 0) continue
    const after = items[at + 2]
    if (item.text === 'i' && ['3', '5', '7', '9'].includes(number.text)) {
      chips.push(`i${number.text}`)
      title.processor ??= 'intel'
      item.isConsumed = number.isConsumed = true
      readModelSuffix(items, at + 2)
    } else if (isApple && isAppleChip(item.text, number.text)) {
      // "i5-7267U" and "M3-7Y32" go on after the dash.
      if (after?.gap === GAP.none && !after.isSymbol) continue
      item.isConsumed = number.isConsumed = true
      let chip = item.text + number.text
      if (after && after.gap <= GAP.blank && ['pro', 'max', 'ultra'].includes(after.text)) {
        after.isConsumed = true
        chip += ` ${after.text}`
      } else readModelSuffix(items, at + 2)
      chips.push(chip)
    }
  }
}

/** Processors of other makes, by the word before the number. */
export function readProcessors(title: TitleFacts): void {
  const { tokens: items } = title
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    if (!item.word?.precedesVersion) continue
    if (item.text === 'ryzen') readRyzen(title, at)
    else if (item.text === 'core') readCoreUltra(title, at)
    else if (item.text === 'snapdragon') readSnapdragonX(items, at)
  }
}

/** "Core Ultra 7 155H": no model is called Ultra here. */
function readCoreUltra(title: TitleFacts, at: number): void {
  const { tokens: items } = title
  const [kind, number, rest] = [items[at + 1], items[at + 2], items[at + 3]]
  if (kind?.text !== 'ultra' || !number?.isNumber || number.text.length !== 1 || number.gap > GAP.blank) return
  title.processor = 'intel'
  title.chips.push(`ultra ${number.text}`)
  kind.isConsumed = number.isConsumed = true
  if (rest?.isNumber && rest.text.length === 3 && rest.gap <= GAP.blank) readJoinedModel(items, at + 3)
}

/** "Snapdragon X Elite": the letter and the word are the chip's. */
function readSnapdragonX(items: readonly Item[], at: number): void {
  const [letter, kind] = [items[at + 1], items[at + 2]]
  if (letter?.text !== 'x' || (kind?.text !== 'elite' && kind?.text !== 'plus')) return
  letter.isConsumed = kind.isConsumed = true
}

/** "Ryzen 5 PRO 5650U": the Pro is the processor's, and so is the number after it. */
function readRyzen(title: TitleFacts, from: number): void {
  const { tokens: items } = title
  title.processor = 'amd'
  const isNear = (at: number) => (items[at]?.gap ?? GAP.other) <= GAP.blank
  let at = from + 1
  if (isNear(at) && items[at]?.isNumber && items[at]?.text.length === 1) (items[at++] as Item).isConsumed = true
  if (isNear(at) && items[at]?.text === 'pro') (items[at++] as Item).isConsumed = true
  if (isNear(at) && items[at]?.isNumber && items[at]?.text.length === 4) readJoinedModel(items, at)
}

/** A number and the letters written together with it. */
function readJoinedModel(items: readonly Item[], from: number): void {
  ;(items[from] as Item).isConsumed = true
  for (let at = from + 1; items[at]?.gap === GAP.none; at++) (items[at] as Item).isConsumed = true
}

const isAppleChip = (letter: string, digits: string) =>
  letter === 'm' ? /^[1-9]$/.test(digits) : letter === 'a' && /^(?:[7-9]|1\d|2\d)$/.test(digits)

/** What hangs on a chip's name by a dash. */
function readModelSuffix(items: readonly Item[], from: number): void {
  if (items[from]?.gap !== GAP.joint || !items[from]?.isNumber) return
  for (let at = from; at < items.length; at++) {
    const item = items[at] as Item
    if (at > from && item.gap !== GAP.none) return
    item.isConsumed = true
  }
}

const PORTS: Readonly<Record<string, number>> = { two: 2, '2': 2, four: 4, '4': 4 }

/** "Two Thunderbolt 3 ports" tells MacBooks apart. */
export function readPorts(title: TitleFacts): void {
  const { tokens: items } = title
  const at = items.findIndex((item) => item.text === 'thunderbolt')
  if (at < 1) return
  const count = items[at - 1] as Item
  title.ports = PORTS[count.text] ?? null
  if (title.ports) count.isConsumed = true
  for (let i = at; i < items.length && i <= at + 2; i++) {
    const item = items[i] as Item
    if (i === at || item.text === 'ports' || (item.isNumber && item.text.length === 1)) item.isConsumed = true
  }
}
