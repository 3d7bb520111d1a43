/** Attributes that a title states in addition to the name, normalized. */

import { memoize } from '../../lib/memoize.ts'
import type { Attribute, Device } from '../device.ts'
import { parseGrade } from '../grade-words.ts'
import type { TitleFacts } from './title-facts.ts'
import { normalizeColorWord, type StatedAttributes, type VariantChoice } from './variant-choice.ts'

/** Colors, connectivity and amounts for the choice of a variant. */
export function statedAttributes(title: TitleFacts, declaredColors: readonly string[]): StatedAttributes {
  const colors = [...declaredColors]
  const connectivity: string[] = []
  for (const { word, text } of title.tokens) {
    if (word?.role === 'color') {
      addColor(word.value, colors)
      if (text !== word.value) addColor(text, colors)
    } else if (word?.role === 'connectivity') connectivity.push(word.value)
  }
  const { memoryAmounts: amounts, chips, graphics, millimeters, networkGeneration: network } = title
  if (network !== null && network >= 3) connectivity.push('LTE')
  return { amounts, chips, graphics, millimeters, connectivity, colors }
}

function addColor(text: string, colors: string[]): void {
  for (const word of splitColor(text)) colors.push(word)
}

/** Only called with words of the lexicon, so the cache is bounded. */
const splitColor = memoize(10_000, (text: string): readonly string[] => text.split(' ').map(normalizeColorWord))

const formatGigabytes = (value: number) => (value >= 1024 && value % 1024 === 0 ? `${value / 1024}TB` : `${value}GB`)

export type TitleDescription = {
  readonly attributes: readonly Attribute[]
  /** Stated conditions. */
  readonly conditions: readonly string[]
}

/** `device`: the device that the title names, if it is known. */
export function describeTitle(
  title: TitleFacts,
  choice: VariantChoice | null,
  device: Device | null,
): TitleDescription {
  const attributes: Attribute[] = []
  const conditions: string[] = []
  const addCondition = (value: string) => {
    if (!conditions.includes(value)) conditions.push(value)
  }
  const add = (name: string, value: string) => attributes.push({ name, value })
  if (choice) {
    if (choice.storageGb !== null) add('storage', formatGigabytes(choice.storageGb))
    if (choice.ramGb !== null) add('ram', formatGigabytes(choice.ramGb))
  } else
    for (const amount of title.memoryAmounts) add(amount.isRam ? 'ram' : 'storage', formatGigabytes(amount.gigabytes))
  for (const inches of title.inches) add('size', `${inches}-inch`)
  for (const size of title.millimeters) add('size', `${size}mm`)
  for (const year of title.years) add('year', String(year))
  if (title.generation !== null) add('generation', String(title.generation))
  for (const chip of title.chips)
    add(
      'chip',
      chip.replace(/^[am]\d/, (text) => text.toUpperCase()),
    )
  for (const graphics of title.graphics) add('graphics', graphicsName(graphics))
  for (const { word } of title.tokens) {
    switch (word?.role) {
      case 'condition':
        addCondition(word.value)
        break
      case 'color':
        if (device && isGradeOf(device, word.value)) addCondition(word.value)
        else if (!hasValue(attributes, word.value)) add(word.role, word.value)
        break
      case 'carrier':
      case 'lock':
      case 'connectivity':
        if (!hasValue(attributes, word.value)) add(word.role, word.value)
    }
  }
  return { attributes, conditions }
}

/** "mint": a color of the devices that were sold in it, and a grade of the others. */
const isGradeOf = ({ variants }: Device, word: string) =>
  parseGrade(word) !== undefined &&
  !variants.some(({ attributes }) =>
    attributes.some(({ name, value }) => name === 'color' && value.toLowerCase().includes(word)),
  )

/** "rtx 4060 ti" is an RTX 4060 Ti. */
const graphicsName = (text: string) =>
  text.toUpperCase().replace(/ (TI|SUPER)$/, (suffix) => ` ${suffix[1]}${suffix.slice(2).toLowerCase()}`)

function hasValue(attributes: readonly Attribute[], value: string): boolean {
  for (const attribute of attributes) if (attribute.value === value) return true
  return false
}
