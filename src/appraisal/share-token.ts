import { createHash, randomBytes } from 'node:crypto'

/** 128 random bits, short enough for a code that a phone reads from a receipt; the address holds nothing else. */
export function createShareToken(random: Uint8Array = randomBytes(16)): string {
  return Buffer.from(random).toString('base64url')
}

/** Whatever else is asked for cannot be one, and is not looked up. */
export const isShareToken = (text: string) => /^[A-Za-z0-9_-]{22}$/.test(text)

/** Plain SHA-256 is enough: nobody guesses 128 random bits. */
export const hashShareToken = (token: string) => createHash('sha256').update(token).digest('hex')
