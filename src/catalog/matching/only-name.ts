/** Titles that are nothing but the name of a device state nothing beside it, so that nobody has to read them. */
import { memoizeWeak } from '../../lib/memoize.ts'
import { isNumber, isWord, tokenize } from '../../text/text-tokens.ts'
import type { Device } from '../device.ts'

/** The words of a device's name, make and variants. */
const wordsOfDevice = memoizeWeak(({ make, name, variants }: Device): ReadonlySet<string> => {
  const values = variants.flatMap(({ attributes }) => attributes.map(({ value }) => value))
  return new Set(tokenize([make, name, ...values].join(' ')).map(({ text }) => text))
})

/** All words of the title belong to the device that it names. */
export function isOnlyName(title: string, device: Device): boolean {
  const words = wordsOfDevice(device)
  return tokenize(title).every(({ text }) => words.has(text) || isNumber(text) || !isWord(text))
}
