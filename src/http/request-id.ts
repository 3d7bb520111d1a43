import { randomBytes } from 'node:crypto'

const LONGEST = 128
const SANE = /^[A-Za-z0-9._~:+/=@-]+$/

/** Unique without asking the CSPRNG per request: a random name for the process, then a count. */
const processName = randomBytes(8).toString('hex')
let count = 0

/** The caller's own id when it is a sane token, else a new one. */
export function requestIdFrom(sent: string | null): string {
  if (sent !== null && sent.length <= LONGEST && SANE.test(sent)) return sent
  return `req_${processName}${(count++).toString(36)}`
}
