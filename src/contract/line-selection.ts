/** Lines of a list, as one text of an address. */

/** Longer addresses are not accepted everywhere. */
const MAX_RANGES_LENGTH = 2_000
const BITS = 'bits:'

export const LINE_SELECTION = /^(?:\d{1,7}(?:-\d{1,7})?(?:,\d{1,7}(?:-\d{1,7})?)*|bits:[\w-]{1,8000})$/

/** Whether a line is selected. */
export type LineSelection = (line: number) => boolean

/** `4-10,12`, or a bit per line if there are too many ranges. */
export function writeLineSelection(lines: readonly number[]): string {
  const ranges: { from: number; to: number }[] = []
  const sorted = lines.toSorted((a, b) => a - b)
  for (const line of sorted) {
    const last = ranges.at(-1)
    if (last?.to === line - 1) last.to = line
    else ranges.push({ from: line, to: line })
  }
  const text = ranges.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(',')
  return text.length > MAX_RANGES_LENGTH ? BITS + toBits(sorted) : text
}

function toBits(sorted: readonly number[]): string {
  const bytes = new Uint8Array(Math.ceil((sorted.at(-1) ?? 0) / 8))
  for (const line of sorted) {
    const at = (line - 1) >> 3
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> ((line - 1) & 7))
  }
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

export function readLineSelection(text: string): LineSelection {
  if (text.startsWith(BITS)) {
    const bytes = atob(completed(text.slice(BITS.length)).replaceAll('-', '+').replaceAll('_', '/'))
    return (line) => (bytes.charCodeAt((line - 1) >> 3) & (0x80 >> ((line - 1) & 7))) !== 0
  }
  const ranges = text.split(',').map((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return { from, to }
  })
  return (line) => ranges.some(({ from, to }) => line >= from && line <= to)
}

/** A text of base64 that was cut in the middle of a byte has no meaning in its last letter. */
const completed = (text: string) => (text.length % 4 === 1 ? text.slice(0, -1) : text)
