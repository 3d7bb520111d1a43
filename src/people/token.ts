import { randomBytes } from 'node:crypto'

/** 256 random bits for a cookie or a one-time link. */
export function generateToken(random: Uint8Array = randomBytes(32)): string {
  return Buffer.from(random).toString('base64url')
}
