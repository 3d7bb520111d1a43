import { KEY_PREFIXES } from '../contract/tiers.ts'
import { sortableId } from '../lib/id.ts'

const MAX_LENGTH = 128
const VALID_TOKEN = /^[A-Za-z0-9._~:+/=@-]+$/

/** Unique without a random number per request: an id of the process, then a count. */
const PROCESS_PREFIX = sortableId('req', Date.now())
let count = 0

export function newRequestId(): string {
  return `${PROCESS_PREFIX}${(count++).toString(36)}`
}

/** The caller's own id when it is a sane token, else a new one. */
export function acceptRequestId(sent: string): string {
  return sent.length <= MAX_LENGTH && VALID_TOKEN.test(sent) ? sent : newRequestId()
}

const KEY = new RegExp(`(?:${Object.values(KEY_PREFIXES).join('|')})\\w*`, 'g')
/** As many digits as a MEID in decimal has, an IMEI or a card number, wherever they stand. */
const IDENTIFIER = /\d{14,}/g
/** Tokens of sessions and links: long, and of small and capital letters, which no usual id mixes. Some have no digit. */
const TOKEN = /[A-Za-z0-9_-]{32,}/g
/** A set-up code, as people are given it. */
const SETUP_CODE = /(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}/gi

/** As a log may repeat it: a caller who sends a secret or an identifier for an id gets it back, but it is not kept. */
export function redactRequestId(requestId: string): string {
  return requestId
    .replace(KEY, 'pk_***')
    .replace(TOKEN, (text) => (hasMixedCase(text) ? '***' : text))
    .replace(SETUP_CODE, (text) => (/^[0-9a-f-]+$/.test(text) ? text : '***'))
    .replace(IDENTIFIER, (digits) => `${digits.slice(0, 8)}${'*'.repeat(digits.length - 10)}${digits.slice(-2)}`)
}

function hasMixedCase(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text)
}
