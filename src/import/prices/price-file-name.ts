/** What the name of a price list says: its market, and the device that all its prices are of. */
import { basename } from 'node:path'
import { type Device, nameWithoutMake } from '../../catalog/device.ts'

const YEAR = /^(?:19|20)\d\d$/
const MAX_NAME_WORDS = 6

/** `shop_kr/ads.csv`: folders are named after their market. */
export const nameWithFolder = (file: string) => file.split(/[\\/]/).slice(-2).join('/')

export function marketFromFileName(file: string): string {
  return (
    basename(file)
      .replace(/\.(gz|zip)$/i, '')
      .replace(/\.[^.]{1,6}$/, '')
      .slice(0, 60) || 'import'
  )
}

/**
 * The device that the name of the file names, such as `iPhone 13.xlsx`; null if it names none or several. `idsNamedBy`
 * returns the devices that a phrase names.
 */
export function deviceInName(
  file: string,
  devices: readonly Device[],
  idsNamedBy: (phrase: string) => readonly string[],
): string | null {
  for (const phrases of phrasesOf(nameWithFolder(file))) {
    const ids = new Set(phrases.flatMap(idsNamedBy))
    const device = ids.size === 1 ? devices.find(({ id }) => ids.has(id)) : undefined
    if (ids.size > 0) return device ? `${device.make} ${nameWithoutMake(device)}` : null
  }
  return null
}

/** Words of a name that stand beside each other, the most words first. The year of a list is not the year of a device. */
function phrasesOf(name: string): string[][] {
  const words = name.split(/[\s_/\\.-]+/).filter((word) => word !== '' && !YEAR.test(word))
  const sizes = Array.from({ length: Math.min(words.length, MAX_NAME_WORDS) }, (_, shorter) => words.length - shorter)
  return sizes.map((size) =>
    Array.from({ length: words.length - size + 1 }, (_, at) => words.slice(at, at + size).join(' ')),
  )
}
