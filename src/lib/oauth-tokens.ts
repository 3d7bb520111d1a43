import { z } from 'zod'
import { JsonRequestError, type SendRequest } from './json-request.ts'
import { OutgoingHttpError, readBodyText, sendOutgoing } from './outgoing-http.ts'
import { PrivateAddressError } from './pinned-http.ts'

const webAddress = z.string().regex(/^https?:\/\/[^\s]+$/, 'an http or https address')

/** A template names its secrets `\${NAME}`; such a text is never sent. */
export const enteredSecret = z
  .string()
  .min(1)
  .regex(/^(?![\s\S]*\$\{\w+\})/, 'a placeholder: enter the secret itself')

/** OAuth 2.0 client credentials: a token is fetched and sent as the bearer token. */
export const oauthSchema = z.strictObject({
  token_url: webAddress,
  client_id: z.string().min(1).max(200),
  client_secret: enteredSecret,
  scope: z.string().min(1).max(500).optional(),
})
export type OAuthSettings = z.infer<typeof oauthSchema>

export type OAuthTokens = {
  /** The current token; a new one shortly before it expires. Concurrent calls share one request. */
  get(signal: AbortSignal): Promise<string>
  /** Forgets a token that the service rejected. */
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
export function oauthTokens(settings: OAuthSettings, now: () => number, send: SendRequest = sendOutgoing): OAuthTokens {
  let token: { readonly value: string; readonly renewAt: number } | undefined
  let pending: Promise<string> | undefined

  // A time limit of its own: the request must outlive a caller that gives up, because others wait for it.
  async function request(): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { access_token: value, expires_in: lifetime } = await fetchToken(settings, signal, send)
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
  const onAbort = () => reject(new JsonRequestError('no token in time', false))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

async function fetchToken(
  { token_url, client_id, client_secret, scope }: OAuthSettings,
  signal: AbortSignal,
  send: SendRequest,
) {
  // Both are form-encoded before they are joined (RFC 6749, section 2.3.1).
  const credentials = [client_id, client_secret].map(encodeURIComponent).join(':')
  try {
    const response = await send(token_url, {
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
    if (status !== 200) throw new JsonRequestError(`no token: status ${status}`, status >= 500, status)
    return tokenSchema.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof JsonRequestError) throw error
    if (error instanceof PrivateAddressError) throw new JsonRequestError(`no token: ${error.message}`, false)
    if (error instanceof OutgoingHttpError || error instanceof SyntaxError || error instanceof z.ZodError) {
      throw new JsonRequestError('no token: the response is not a token', false)
    }
    throw new JsonRequestError(
      signal.aborted ? 'no token in time' : 'no connection to the token endpoint',
      !signal.aborted,
    )
  }
}
