/** What a title says of a device beside its name, in one spelling. */
import type { Attribute } from '../catalog/device.ts'
import { remembered } from '../remembered.ts'
import type { Reading } from './reading.ts'
import { type Chosen, plainColor, type Said } from './variants.ts'

/** Colors, radios and amounts as the choice of a variant needs them. */
export function saidOf(reading: Reading, declaredColors: readonly string[]): Said {
  const colors = [...declaredColors]
  const connectivity: string[] = []
  for (const { word, text } of reading.items) {
    if (word?.role === 'color') {
      addColor(word.value, colors)
      if (text !== word.value) addColor(text, colors)
    } else if (word?.role === 'connectivity') connectivity.push(word.value)
  }
  const { amounts, chips, millimeters, network } = reading
  if (network !== null && network >= 3) connectivity.push('LTE')
  return { amounts, chips, millimeters, connectivity, colors }
}

function addColor(text: string, colors: string[]): void {
  for (const word of wordsOfColor(text)) colors.push(word)
}

/** Asked for words of the lexicon alone, so what is kept has an end. */
const wordsOfColor = remembered(10_000, (text: string): readonly string[] => text.split(' ').map(plainColor))

const gigabytes = (value: number) => (value >= 1024 && value % 1024 === 0 ? `${value / 1024}TB` : `${value}GB`)

export type Described = {
  readonly attributes: readonly Attribute[]
  /** What was said of the condition. */
  readonly conditions: readonly string[]
}

export function describe(reading: Reading, chosen: Chosen | null): Described {
  const attributes: Attribute[] = []
  const conditions: string[] = []
  const add = (name: string, value: string) => attributes.push({ name, value })
  if (chosen) {
    if (chosen.storageGb !== null) add('storage', gigabytes(chosen.storageGb))
    if (chosen.ramGb !== null) add('ram', gigabytes(chosen.ramGb))
  } else for (const amount of reading.amounts) add(amount.isRam ? 'ram' : 'storage', gigabytes(amount.gigabytes))
  for (const inches of reading.inches) add('size', `${inches}-inch`)
  for (const size of reading.millimeters) add('size', `${size}mm`)
  for (const year of reading.years) add('year', String(year))
  if (reading.generation !== null) add('generation', String(reading.generation))
  for (const chip of reading.chips)
    add(
      'chip',
      chip.replace(/^[am]\d/, (text) => text.toUpperCase()),
    )
  for (const { word } of reading.items) {
    switch (word?.role) {
      case 'condition':
        if (!conditions.includes(word.value)) conditions.push(word.value)
        break
      case 'color':
      case 'carrier':
      case 'lock':
      case 'connectivity':
        if (!isThere(attributes, word.value)) add(word.role, word.value)
    }
  }
  return { attributes, conditions }
}

function isThere(attributes: readonly Attribute[], value: string): boolean {
  for (const attribute of attributes) if (attribute.value === value) return true
  return false
}
