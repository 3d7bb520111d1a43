/** Processors and ports, which distinguish computers of the same name. */

import type { NumberContext, TitleFacts } from './title-facts.ts'
import { GAP, isLatinOrDigit, type Token } from './tokens.ts'

/** Series of phone chips. */
export const CHIP_SERIES = ['snapdragon', 'exynos', 'dimensity', 'helio', 'kirin', 'tensor', 'unisoc']

export function readChips(title: TitleFacts, { isApple }: NumberContext): void {
  const { tokens, chips } = title
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const number = tokens[at + 1]
    if (!number?.isNumber || number.gap !== GAP.none || token.text.length !== 1) continue
    if (token.gap === GAP.none && at > 0 && !isWholeWord(tokens[at - 1])) continue
    const after = tokens[at + 2]
    if (token.text === 'i' && ['3', '5', '7', '9'].includes(number.text)) {
      chips.push(`i${number.text}`)
      title.processor ??= 'intel'
      token.isConsumed = number.isConsumed = true
      readModelSuffix(tokens, at + 2)
      consumeProcessorNumber(tokens, at + 2)
      consumeProcessorGeneration(tokens, at + 2)
    } else if (isApple && isAppleChip(token.text, number.text)) {
      // "i5-7267U" and "M3-7Y32" continue after the dash.
      if (after?.gap === GAP.none && isLatinOrDigit(after) && !isWholeWord(after)) continue
      token.isConsumed = number.isConsumed = true
      let chip = token.text + number.text
      if (after && after.gap <= GAP.blank && ['pro', 'max', 'ultra'].includes(after.text)) {
        after.isConsumed = true
        chip += ` ${after.text}`
      } else readModelSuffix(tokens, at + 2)
      chips.push(chip)
    }
  }
}

/** A line, or a word of another script: "M1맥북", "M1칩", "macbookm1". */
const isWholeWord = (token: Token | undefined) =>
  token !== undefined && (!isLatinOrDigit(token) || token.line !== null || token.word?.isModelWord === true)

export const GRAPHICS_SERIES = ['rtx', 'gtx', 'rx']
const GRAPHICS_SUFFIXES = ['ti', 'super', 'xt', 's', 'm']

/** "RTX 4060", "GTX1660 Ti": the graphics chip of a computer. */
export function readGraphics({ tokens, graphics }: TitleFacts): void {
  for (let at = 0; at < tokens.length; at++) {
    const [series, number, suffix] = [tokens[at] as Token, tokens[at + 1], tokens[at + 2]]
    if (!GRAPHICS_SERIES.includes(series.text) || !number?.isNumber || number.gap > GAP.blank) continue
    if (!/^\d{3,4}$/.test(number.text)) continue
    const hasSuffix = suffix && GRAPHICS_SUFFIXES.includes(suffix.text) && suffix.gap <= GAP.blank
    // A letter belongs to the number only if it is joined to it: "6700S".
    const isPart = hasSuffix && (suffix.text.length > 1 || suffix.gap === GAP.none)
    const space = isPart && suffix.text.length > 1 ? ' ' : ''
    graphics.push(`${series.text} ${number.text}${isPart ? `${space}${suffix.text}` : ''}`)
  }
}

/** Processors of other makes, by the word before the number. */
export function readProcessors(title: TitleFacts): void {
  const { tokens } = title
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (!token.word?.precedesVersion) continue
    if (CHIP_SERIES.includes(token.text)) title.chipSeries.push(token.text)
    if (token.text === 'ryzen') readRyzen(title, at)
    else if (token.text === 'core') readCoreUltra(title, at)
    else if (token.text === 'snapdragon') readSnapdragonX(tokens, at)
  }
}

/** "Core Ultra 7 155H": Ultra belongs to the processor, not to the model. */
function readCoreUltra(title: TitleFacts, at: number): void {
  const { tokens } = title
  const [kind, number, rest] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]]
  if (kind?.text !== 'ultra' || !number?.isNumber || number.text.length !== 1 || number.gap > GAP.blank) return
  title.processor = 'intel'
  title.chips.push(`ultra ${number.text}`)
  kind.isConsumed = number.isConsumed = true
  if (rest?.isNumber && rest.text.length === 3 && rest.gap <= GAP.blank) readJoinedModel(tokens, at + 3)
}

/** "Snapdragon X Elite": the letter and the word belong to the chip. */
function readSnapdragonX(tokens: readonly Token[], at: number): void {
  const [letter, kind] = [tokens[at + 1], tokens[at + 2]]
  if (letter?.text !== 'x' || (kind?.text !== 'elite' && kind?.text !== 'plus')) return
  letter.isConsumed = kind.isConsumed = true
}

/** "Ryzen 5 PRO 5650U": Pro and the number after it belong to the processor. */
function readRyzen(title: TitleFacts, from: number): void {
  const { tokens } = title
  title.processor = 'amd'
  const isNear = (at: number) => (tokens[at]?.gap ?? GAP.other) <= GAP.blank
  let at = from + 1
  if (isNear(at) && tokens[at]?.isNumber && tokens[at]?.text.length === 1) (tokens[at++] as Token).isConsumed = true
  if (isNear(at) && tokens[at]?.text === 'pro') (tokens[at++] as Token).isConsumed = true
  if (isNear(at) && tokens[at]?.isNumber && tokens[at]?.text.length === 4) readJoinedModel(tokens, at)
}

/** A number and the letters written together with it. */
function readJoinedModel(tokens: readonly Token[], from: number): void {
  ;(tokens[from] as Token).isConsumed = true
  for (let at = from + 1; tokens[at]?.gap === GAP.none; at++) (tokens[at] as Token).isConsumed = true
}

const isAppleChip = (letter: string, digits: string) =>
  letter === 'm' ? /^[1-9]$/.test(digits) : letter === 'a' && /^(?:[7-9]|1\d|2\d)$/.test(digits)

/** Suffix joined to a chip's name by a dash. */
function readModelSuffix(tokens: readonly Token[], from: number): void {
  if (tokens[from]?.gap !== GAP.joint || !tokens[from]?.isNumber) return
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (at > from && token.gap !== GAP.none) return
    token.isConsumed = true
  }
}

/** "i5 1145G7", "i7 8565U": the number of the processor ends with a letter. */
function consumeProcessorNumber(tokens: readonly Token[], at: number): void {
  const [number, letter] = [tokens[at], tokens[at + 1]]
  if (!number?.isNumber || number.gap !== GAP.blank || !/^\d{4,5}$/.test(number.text)) return
  if (letter?.gap === GAP.none && /^(?:[gukhy]|h[qxk]|kf)$/.test(letter.text)) readJoinedModel(tokens, at)
}

/** "i5 11th gen", "i7 8. Generation": the generation of the processor, not of the computer. */
function consumeProcessorGeneration(tokens: readonly Token[], from: number): void {
  if (!tokens[from]?.isNumber || (tokens[from]?.gap ?? GAP.other) > GAP.blank) return
  const to = tokens.slice(from + 1, from + 3).findIndex((token) => token.word?.unit === 'generation')
  if (to < 0) return
  for (const token of tokens.slice(from, from + 2 + to)) token.isConsumed = true
}

const PORTS: Readonly<Record<string, number>> = { two: 2, '2': 2, four: 4, '4': 4 }

/** "Two Thunderbolt 3 ports" distinguishes MacBooks. */
export function readPorts(title: TitleFacts): void {
  const { tokens } = title
  const at = tokens.findIndex((token) => token.text === 'thunderbolt')
  if (at < 1) return
  const count = tokens[at - 1] as Token
  title.ports = PORTS[count.text] ?? null
  if (title.ports) count.isConsumed = true
  for (let i = at; i < tokens.length && i <= at + 2; i++) {
    const token = tokens[i] as Token
    if (i === at || token.text === 'ports' || (token.isNumber && token.text.length === 1)) token.isConsumed = true
  }
}
