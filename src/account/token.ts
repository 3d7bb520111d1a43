import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits for a cookie or a one-time link. The store keeps only the hash, so a copy of it opens nothing. */
export function mintToken(random: Uint8Array = randomBytes(32)): string {
  return Buffer.from(random).toString('base64url')
}

/** Plain SHA-256 is enough: a token is random, not a password that can be guessed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
