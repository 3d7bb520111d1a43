/** Cells that state a storage size, alone or behind the memory: `128GB`, `1 To`, `8GB/256GB`, `12+512`. */
import { gigabytesFromText } from '../text/sizes.ts'

const SIZES_GB = new Set([4, 8, 16, 32, 64, 128, 256, 512, 1000, 1024, 2000, 2048])
/** A bare number of this size or less counts something else. */
const MIN_BARE_GB = 32
const UNIT = /[gtгт][boбt]|기가|테라/iu
const PAIR =
  /^(?:ram\s*)?(\d{1,2})\s*(?:gb|go|гб)?(?:\s*ram)?\s*[/+|]\s*(?:rom\s*)?(\d{2,4}|[12])\s*(gb|go|гб|tb|to|тб)?$/iu

export type SizeCell = { readonly storage: string; readonly ram: string }

/** "128 Gt" of Finnish lists is 128GB; in a title "GT" is a name. */
export const withCommonUnit = (cell: string) => cell.replace(/^(\d+) ?([gt])t$/i, '$1$2B')

/** Memory and storage of a cell that states both; null for other cells. */
export function readSizePair(cell: string): SizeCell | null {
  const [, ram = '', storage = '', unit = ''] = PAIR.exec(cell.trim()) ?? []
  const isTerabytes = /^[tт]/i.test(unit)
  if (ram === '' || (Number(storage) < MIN_BARE_GB && !isTerabytes)) return null
  return { ram: `${ram}GB`, storage: `${storage}${isTerabytes ? 'TB' : 'GB'}` }
}

/** Whether a cell is a storage size; a bare number only if `isBareAllowed`. */
export function isSizeCell(cell: string, isBareAllowed: boolean): boolean {
  if (readSizePair(cell)) return true
  const gigabytes = gigabytesFromText(cell) ?? 0
  return SIZES_GB.has(gigabytes) && (UNIT.test(cell) || (isBareAllowed && gigabytes >= MIN_BARE_GB))
}
