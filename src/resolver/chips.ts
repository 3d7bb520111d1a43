/** Processors and ports, by which computers of one name are told apart. */
import type { Item } from './items.ts'
import type { FigureContext, Reading } from './reading.ts'
import { GAP } from './tokens.ts'

export function readChips(reading: Reading, { isApple }: FigureContext): void {
  const { items, chips } = reading
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    const number = items[at + 1]
    if (!number?.isNumber || number.gap !== GAP.none || item.text.length !== 1) continue
    if (item.gap === GAP.none && at > 0) continue
    const after = items[at + 2]
    if (item.text === 'i' && ['3', '5', '7', '9'].includes(number.text)) {
      chips.push(`i${number.text}`)
      reading.processor ??= 'intel'
      item.isRead = number.isRead = true
      readRest(items, at + 2)
    } else if (isApple && isAppleChip(item.text, number.text)) {
      // "i5-7267U" and "M3-7Y32" go on after the dash.
      if (after?.gap === GAP.none && !after.isSign) continue
      item.isRead = number.isRead = true
      let chip = item.text + number.text
      if (after && after.gap <= GAP.blank && ['pro', 'max', 'ultra'].includes(after.text)) {
        after.isRead = true
        chip += ` ${after.text}`
      } else readRest(items, at + 2)
      chips.push(chip)
    }
  }
}

/** Processors of other makes, by the word before the number. */
export function readProcessors(reading: Reading): void {
  const { items } = reading
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    if (!item.word?.isVersioned) continue
    if (item.text === 'ryzen') readRyzen(reading, at)
    else if (item.text === 'core') readCoreUltra(reading, at)
    else if (item.text === 'snapdragon') readSnapdragonX(items, at)
  }
}

/** "Core Ultra 7 155H": no model is called Ultra here. */
function readCoreUltra(reading: Reading, at: number): void {
  const { items } = reading
  const [kind, number, rest] = [items[at + 1], items[at + 2], items[at + 3]]
  if (kind?.text !== 'ultra' || !number?.isNumber || number.text.length !== 1 || number.gap > GAP.blank) return
  reading.processor = 'intel'
  reading.chips.push(`ultra ${number.text}`)
  kind.isRead = number.isRead = true
  if (rest?.isNumber && rest.text.length === 3 && rest.gap <= GAP.blank) readTied(items, at + 3)
}

/** "Snapdragon X Elite": the letter and the word are the chip's. */
function readSnapdragonX(items: readonly Item[], at: number): void {
  const [letter, kind] = [items[at + 1], items[at + 2]]
  if (letter?.text !== 'x' || (kind?.text !== 'elite' && kind?.text !== 'plus')) return
  letter.isRead = kind.isRead = true
}

/** "Ryzen 5 PRO 5650U": the Pro is the processor's, and so is the number after it. */
function readRyzen(reading: Reading, from: number): void {
  const { items } = reading
  reading.processor = 'amd'
  const isNear = (at: number) => (items[at]?.gap ?? GAP.other) <= GAP.blank
  let at = from + 1
  if (isNear(at) && items[at]?.isNumber && items[at]?.text.length === 1) (items[at++] as Item).isRead = true
  if (isNear(at) && items[at]?.text === 'pro') (items[at++] as Item).isRead = true
  if (isNear(at) && items[at]?.isNumber && items[at]?.text.length === 4) readTied(items, at)
}

/** A number and the letters written together with it. */
function readTied(items: readonly Item[], from: number): void {
  ;(items[from] as Item).isRead = true
  for (let at = from + 1; items[at]?.gap === GAP.none; at++) (items[at] as Item).isRead = true
}

const isAppleChip = (letter: string, digits: string) =>
  letter === 'm' ? /^[1-9]$/.test(digits) : letter === 'a' && /^(?:[7-9]|1\d|2\d)$/.test(digits)

/** What hangs on a chip's name by a dash. */
function readRest(items: readonly Item[], from: number): void {
  if (items[from]?.gap !== GAP.joint || !items[from]?.isNumber) return
  for (let at = from; at < items.length; at++) {
    const item = items[at] as Item
    if (at > from && item.gap !== GAP.none) return
    item.isRead = true
  }
}

const PORTS: Readonly<Record<string, number>> = { two: 2, '2': 2, four: 4, '4': 4 }

/** "Two Thunderbolt 3 ports" tells MacBooks apart. */
export function readPorts(reading: Reading): void {
  const { items } = reading
  const at = items.findIndex((item) => item.text === 'thunderbolt')
  if (at < 1) return
  const count = items[at - 1] as Item
  reading.ports = PORTS[count.text] ?? null
  if (reading.ports) count.isRead = true
  for (let i = at; i < items.length && i <= at + 2; i++) {
    const item = items[i] as Item
    if (i === at || item.text === 'ports' || (item.isNumber && item.text.length === 1)) item.isRead = true
  }
}
