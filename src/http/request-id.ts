import { KEY_PREFIXES } from '../contract/tiers.ts'
import { sortableId } from '../lib/id.ts'

const MAX_LENGTH = 128
const VALID_TOKEN = /^[A-Za-z0-9._~:+/=@-]+$/

/** Unique without a random number per request: a process id and a counter. */
const PROCESS_PREFIX = sortableId('req', Date.now())
let count = 0

export function newRequestId(): string {
  return `${PROCESS_PREFIX}${(count++).toString(36)}`
}

/** The caller's id if it is a valid token, otherwise a new one. */
export function acceptRequestId(sent: string | null): string {
  return sent !== null && sent.length <= MAX_LENGTH && VALID_TOKEN.test(sent) ? sent : newRequestId()
}

const KEY = new RegExp(`(?:${Object.values(KEY_PREFIXES).join('|')})\\w*`, 'g')
/** Runs of digits as long as an IMEI, a decimal MEID or a card number. */
const IDENTIFIER = /\d{14,}/g
/** Session and link tokens: long, with mixed case. */
const TOKEN = /[A-Za-z0-9_-]{32,}/g
/** A set-up code. */
const SETUP_CODE = /(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}/gi

/** For the log: a request id that contains a secret or an identifier is redacted. */
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
