import { lookup } from 'node:dns/promises'
import { isPublicAddress } from './public-address.ts'

/** How a call ended: with an answer, or why there is none. */
export type CallOutcome = {
  readonly status: number | null
  /** The beginning of the answer, or why there is none. */
  readonly answer: string
  readonly isTaken: boolean
}

const TIMEOUT_MS = 15_000
const MOST_ANSWER_BYTES = 4_096
const KEPT_ANSWER_CHARS = 500

export type CallOptions = {
  readonly allowPrivate: boolean
  readonly userAgent: string
  readonly signal: AbortSignal
}

/**
 * Posts a delivery. The name is resolved here and the connection goes to the very address that was checked: a name that leads
 * elsewhere at the second look leads nowhere. Redirects are not followed, because they would lead past the check.
 */
export async function callWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowPrivate, userAgent, signal }: CallOptions,
): Promise<CallOutcome> {
  try {
    const target = new URL(url)
    const name = target.hostname.replace(/^\[|\]$/g, '')
    const { address, family } = await lookup(name)
    if (!allowPrivate && !isPublicAddress(address)) {
      return failed(`${name} leads to ${address}, which is no address of the internet`)
    }
    const pinned = new URL(url)
    pinned.hostname = family === 6 ? `[${address}]` : address
    const answer = await fetch(pinned, {
      method: 'POST',
      body,
      headers: { ...headers, Host: target.host, 'Content-Type': 'application/json', 'User-Agent': userAgent },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // The certificate must be that of the name, whatever the address.
      ...(target.protocol === 'https:' ? { tls: { serverName: name } } : {}),
    })
    const text = await beginningOf(answer)
    if (answer.status >= 300 && answer.status < 400) {
      return { status: answer.status, answer: `Redirects are not followed. ${text}`.trim(), isTaken: false }
    }
    return { status: answer.status, answer: text, isTaken: answer.status >= 200 && answer.status < 300 }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

const failed = (why: string): CallOutcome => ({ status: null, answer: why.slice(0, KEPT_ANSWER_CHARS), isTaken: false })

async function beginningOf(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    bytes += value.length
    if (bytes < MOST_ANSWER_BYTES) continue
    await reader.cancel()
    break
  }
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, KEPT_ANSWER_CHARS)
}
