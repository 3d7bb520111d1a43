const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const HALF = 2 ** 40

/** Base 32 without the letters that look like digits; text order is number order, on every database and locale. */
function base32(value: number, length: number): string {
  let text = ''
  let rest = value
  for (let at = 0; at < length; at++) {
    text = ALPHABET.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/**
 * Ids that sort by time: 48 bits of milliseconds, 80 random ones that count up within a millisecond. They never go
 * back, even when the clock does.
 */
export function lookupIds(randomBelow: (limit: number) => number): (now: number) => string {
  let lastMs = 0
  let high = 0
  let low = 0
  let prefix = ''
  return (now) => {
    if (now > lastMs) {
      lastMs = now
      high = randomBelow(HALF)
      low = randomBelow(HALF / 2)
      prefix = `lkp_${base32(lastMs, 10)}${base32(high, 8)}`
    } else low++
    return prefix + base32(low, 8)
  }
}

/** Below every id made at `epochMs` or later, above every id made before. */
export function lookupIdBound(epochMs: number): string {
  return `lkp_${base32(Math.max(0, epochMs), 10)}`
}
