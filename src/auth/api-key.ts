import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_PREFIXES, TIERS, type Tier } from '../contract/tiers.ts'

/**
 * An API key is a tier prefix, 32 random characters and 6 characters of checksum. The checksum rejects
 * mistyped and invented keys without a database query, and lets scanners recognise a leaked key.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
export const MAX_KEY_LENGTH = KEY_PREFIXES.paid.length + RANDOM_LENGTH + CHECKSUM_LENGTH

export function generateKey(tier: Tier, randomBelow: (below: number) => number = randomInt): string {
  let body: string = KEY_PREFIXES[tier]
  for (let i = 0; i < RANDOM_LENGTH; i++) body += ALPHABET[randomBelow(ALPHABET.length)]
  return body + checksum(body)
}

function checksum(body: string): string {
  let remaining = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[remaining % ALPHABET.length] + text
    remaining = Math.floor(remaining / ALPHABET.length)
  }
  return text
}

/** The tier of a well-formed key; undefined if its form or checksum is wrong. */
export function parseKeyTier(key: string): Tier | undefined {
  const tier = TIERS.find((candidate) => key.startsWith(KEY_PREFIXES[candidate]))
  if (!tier) return undefined
  const prefixLength = KEY_PREFIXES[tier].length
  if (key.length !== prefixLength + RANDOM_LENGTH + CHECKSUM_LENGTH) return undefined
  if (!/^[0-9A-Za-z]+$/.test(key.slice(prefixLength))) return undefined
  const body = key.slice(0, -CHECKSUM_LENGTH)
  return checksum(body) === key.slice(-CHECKSUM_LENGTH) ? tier : undefined
}

/** How a key is shown after its creation: enough to tell two apart, too little to use. */
export function maskKey(tier: Tier, lastFour: string): string {
  return `${KEY_PREFIXES[tier]}…${lastFour}`
}
