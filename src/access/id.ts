import { randomBytes } from 'node:crypto'

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** A short name for a row, sortable by the time it was made: prefix, time in base 32, 80 random bits. */
export function sortableId(prefix: string, now: number, random: Uint8Array = randomBytes(10)): string {
  let time = ''
  for (let rest = now, i = 0; i < 9; i++) {
    time = DIGITS[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  let tail = ''
  let bits = 0
  let held = 0
  for (const byte of random) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      tail += DIGITS[(held >>> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return `${prefix}_${time}${tail}`
}
