/** What a title says of a device beside its name, in one spelling. */
import type { Attribute } from '../catalog/device.ts'
import type { Reading } from './reading.ts'
import { type Chosen, plainColor, type Said } from './variants.ts'

/** Colors, radios and amounts as the choice of a variant needs them. */
export function saidOf(reading: Reading, declared: { readonly color: readonly string[] }): Said {
  const colors = new Set<string>(declared.color)
  const connectivity = new Set<string>()
  for (const { word, text } of reading.items) {
    if (word?.role === 'color') {
      for (const piece of word.value.split(' ')) colors.add(plainColor(piece))
      for (const piece of text.split(' ')) colors.add(plainColor(piece))
    } else if (word?.role === 'connectivity') connectivity.add(word.value)
  }
  const { amounts, chips, millimeters, network } = reading
  if (network !== null && network >= 3) connectivity.add('LTE')
  return { amounts, chips, millimeters, connectivity, colors }
}

const gigabytes = (value: number) => (value >= 1024 && value % 1024 === 0 ? `${value / 1024}TB` : `${value}GB`)

export function attributesOf(reading: Reading, chosen: Chosen | null): Attribute[] {
  const found: Attribute[] = []
  const add = (name: string, value: string | number | null) => {
    if (value !== null) found.push({ name, value: String(value) })
  }
  if (chosen) {
    if (chosen.storageGb !== null) add('storage', gigabytes(chosen.storageGb))
    if (chosen.ramGb !== null) add('ram', gigabytes(chosen.ramGb))
  } else for (const amount of reading.amounts) add(amount.isRam ? 'ram' : 'storage', gigabytes(amount.gigabytes))
  for (const inches of reading.inches) add('size', `${inches}-inch`)
  for (const size of reading.millimeters) add('size', `${size}mm`)
  for (const year of reading.years) add('year', year)
  add('generation', reading.generation)
  for (const chip of reading.chips) add('chip', chip.replace(/^[am]\d/, (text) => text.toUpperCase()))
  const seen = new Set<string>()
  for (const { word } of reading.items) {
    const role = word?.role
    if (role !== 'color' && role !== 'carrier' && role !== 'lock' && role !== 'connectivity') continue
    const { value } = word as { value: string }
    if (seen.has(value)) continue
    seen.add(value)
    add(role, value)
  }
  return found
}

export function conditionsOf(reading: Reading): string[] {
  const found = new Set<string>()
  for (const { word } of reading.items) if (word?.role === 'condition') found.add(word.value)
  return [...found]
}
