import { memoize } from '../../lib/memoize.ts'
import type { Device, Variant } from '../device.ts'
import { foldCode, splitWords } from '../search/search-term.ts'

/**
 * The searchable text of a device as the full-text index stores it. Words are folded and separated by blanks, fields by
 * commas, variants by line breaks.
 */
export type SearchText = { readonly device: string; readonly variants: string }

const FIELD_SEPARATOR = ','
const VARIANT_SEPARATOR = '\n'

/** The fields of a device in the order of their weight. */
export const DEVICE_FIELDS = ['name', 'make', 'category', 'slug'] as const
/** Of a variant: its name, then each attribute. */
export const VARIANT_FIELDS = ['name', 'category'] as const

export function searchTextOf(device: Device): SearchText {
  const name = [...new Set(splitWords(device.name))]
  // Most of the slug repeats the name.
  const otherSlugWords = device.id.split('-').filter((word) => word && !name.includes(word))
  const fields = [name, labelWords(device.make), labelWords(device.category), otherSlugWords]
  return {
    device: fields.map(joinWords).join(FIELD_SEPARATOR),
    variants: device.variants.map(variantText).join(VARIANT_SEPARATOR),
  }
}

/** The words of the name, then those of each attribute that adds words to it. */
function variantText({ name, attributes }: Variant): string {
  const nameWords = [...new Set(splitWords(name))]
  let text = joinWords(nameWords)
  for (const { value } of attributes) {
    const words = labelWords(value)
    if (words.some((word) => !nameWords.includes(word))) text += FIELD_SEPARATOR + joinWords(words)
  }
  return text
}

/** Makes, categories and values of attributes repeat from device to device. */
const labelWords = memoize(20_000, splitWords)

const joinWords = (words: readonly string[]) => words.join(' ')

export const splitVariants = (text: string): string[] => text.split(VARIANT_SEPARATOR)
export const wordsOf = (text: string): string[] => text.split(/[ ,\n]/).filter(Boolean)

/** Model numbers and model identifiers of the device itself. */
export function deviceCodes({ modelNumbers, modelIdentifiers }: Device): Set<string> {
  return new Set([...modelNumbers, ...modelIdentifiers].map(foldCode))
}

/** SKU, part numbers and model numbers of a variant. A SKU that repeats the id is found by the id. */
export function variantCodes({ id, sku, partNumbers, modelNumbers }: Variant): Set<string> {
  const hasOwnSku = sku !== '' && foldCode(sku) !== id.toUpperCase()
  const codes = new Set<string>()
  if (hasOwnSku) codes.add(foldCode(sku))
  for (const code of partNumbers) codes.add(foldCode(code))
  for (const code of modelNumbers) codes.add(foldCode(code))
  return codes
}

/** Sorts like a person reads: without regard to case and accents, and numbers by their value. */
export function naturalSortKey(foldedText: string): string {
  return foldedText.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(10, '0'))
}
