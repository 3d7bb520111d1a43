import { KEY_PREFIXES } from '../contract/tiers.ts'
import { sortableId } from '../id.ts'

const LONGEST = 128
const SANE = /^[A-Za-z0-9._~:+/=@-]+$/

/** Unique without a random number per request: an id of the process, then a count. */
const OWN_PREFIX = sortableId('req', Date.now())
let count = 0

export function newRequestId(): string {
  return `${OWN_PREFIX}${(count++).toString(36)}`
}

/** The caller's own id when it is a sane token, else a new one. */
export function requestIdFrom(sent: string): string {
  return sent.length <= LONGEST && SANE.test(sent) ? sent : newRequestId()
}

const KEY = new RegExp(`(?:${Object.values(KEY_PREFIXES).join('|')})\\w*`, 'g')
const IDENTIFIER = /(?<![0-9A-Za-z])\d{14,16}(?![0-9A-Za-z])/g

/** As a log may repeat it: a caller who sends a key or an IMEI for an id gets it back, but it is not kept. */
export function loggedId(requestId: string): string {
  return requestId
    .replace(KEY, 'pk_***')
    .replace(IDENTIFIER, (digits) => `${digits.slice(0, 8)}${'*'.repeat(digits.length - 10)}${digits.slice(-2)}`)
}
