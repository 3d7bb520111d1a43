import { z } from 'zod'
import { OutgoingHttpError, readBodyText, sendOutgoing } from '../../lib/outgoing-http.ts'
import { ProviderError } from './provider-http-service.ts'
import type { ProviderSettings } from './provider-settings.ts'

type OAuthSettings = NonNullable<ProviderSettings['request']['oauth']>

export type ProviderTokens = {
  /** The current token; a new one shortly before it expires. Concurrent calls share one request. */
  get(signal: AbortSignal): Promise<string>
  /** Forgets a token that the provider rejected. */
  invalidate(): void
}

const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 10_000
const RENEW_BEFORE_MS = 30_000
const DEFAULT_LIFETIME_S = 300
const tokenSchema = z.object({
  access_token: z.string().min(1).max(10_000),
  expires_in: z.coerce.number().min(0).max(31_536_000).default(DEFAULT_LIFETIME_S),
})

/** Tokens by OAuth 2.0 client credentials (RFC 6749, section 4.4). */
export function providerTokens(settings: OAuthSettings, now: () => number): ProviderTokens {
  let token: { readonly value: string; readonly renewAt: number } | undefined
  let pending: Promise<string> | undefined

  // A time limit of its own: the request must outlive a caller that gives up, because others wait for it.
  async function request(): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { access_token: value, expires_in: lifetime } = await fetchToken(settings, signal)
    token = { value, renewAt: now() + Math.max(0, lifetime * 1000 - RENEW_BEFORE_MS) }
    return value
  }

  return {
    async get(signal) {
      if (token && now() < token.renewAt) return token.value
      pending ??= request().finally(() => {
        pending = undefined
      })
      return orAborted(pending, signal)
    },
    invalidate() {
      token = undefined
    },
  }
}

/** The promise, or an error as soon as the signal is aborted. */
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(new ProviderError('no token in time', false))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

async function fetchToken({ token_url, client_id, client_secret, scope }: OAuthSettings, signal: AbortSignal) {
  // Both are form-encoded before they are joined (RFC 6749, section 2.3.1).
  const credentials = [client_id, client_secret].map(encodeURIComponent).join(':')
  try {
    const response = await sendOutgoing(token_url, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}) }).toString(),
      signal,
    })
    const text = await readBodyText(response, { maxBytes: MAX_BYTES, signal, whenLonger: 'reject' })
    const { status } = response
    if (status !== 200) throw new ProviderError(`no token: status ${status}`, status >= 500)
    return tokenSchema.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (error instanceof OutgoingHttpError || error instanceof SyntaxError || error instanceof z.ZodError) {
      throw new ProviderError('no token: the response is not a token', false)
    }
    throw new ProviderError(
      signal.aborted ? 'no token in time' : 'no connection to the token endpoint',
      !signal.aborted,
    )
  }
}
