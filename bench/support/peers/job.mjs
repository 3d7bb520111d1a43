/**
 * The job that the program does for a keyed read, without the program: find the key by its SHA-256, count it against a
 * limit, answer with ready bytes and the same headers, and write a line to the log. Every peer does it with these very
 * functions, so that what differs between them is the server and its way of putting handlers together.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [, , bodyFile, secret = ''] = process.argv

export const bytes = readFileSync(bodyFile)

const LIMIT = 10_000_000
const WINDOW_MS = 60_000
const hashOf = (key) =>
  typeof Bun === 'undefined' ? createHash('sha256').update(key).digest('hex') : Bun.SHA256.hash(key, 'hex')
const keys = new Map([[hashOf(secret), { id: 'key_bench', organizationId: 'org_bench' }]])

/** The key behind an Authorization header, or undefined. */
export function findKey(authorization) {
  if (!authorization?.startsWith('Bearer ')) return undefined
  return keys.get(hashOf(authorization.slice(7)))
}

const windows = new Map()

/** Spends one request of the key's minute. */
export function take(keyId, now) {
  let window = windows.get(keyId)
  if (window === undefined || now - window.from >= WINDOW_MS) {
    window = { from: now, spent: 0 }
    windows.set(keyId, window)
  }
  window.spent++
  return { remaining: LIMIT - window.spent, resetAt: Math.ceil((window.from + WINDOW_MS) / 1000) }
}

let count = 0
export const newRequestId = () => `req_0123456789abcdef${(count++).toString(36)}`

export function headersOf(requestId, { remaining, resetAt }, now) {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    Vary: 'Accept-Encoding',
    'X-Request-Id': requestId,
    ETag: '"18lucb1ti0b4jt4"',
    'X-RateLimit-Limit': String(LIMIT),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAt),
    'RateLimit-Policy': `"per-minute";q=${LIMIT};w=60`,
    RateLimit: `"per-minute";r=${remaining};t=${Math.ceil(resetAt - now / 1000)}`,
  }
}

let lines = ''
setInterval(() => {
  process.stderr.write(lines)
  lines = ''
}, 100)

export function logLine(requestId, status, key, startedMs, now) {
  const us = Math.round((performance.now() - startedMs) * 1000)
  lines += `{"time":"${new Date(now).toISOString()}","level":"info","message":"request","request_id":"${requestId}","method":"GET","route":"/","status":${status},"us":${us},"key_id":"${key.id}","organization_id":"${key.organizationId}"}\n`
}

export const REFUSAL = JSON.stringify({ success: false, error: { code: 'UNAUTHORIZED' } })
