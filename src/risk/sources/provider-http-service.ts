import { OutgoingHttpError, readBodyText, sendOutgoing } from '../../lib/outgoing-http.ts'

/** One HTTP request to an untrusted provider: no redirects, limited body. */

export type ProviderRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A failed provider request, and whether a retry may succeed. */
export class ProviderError extends Error {
  readonly isRetriable: boolean
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined

  constructor(message: string, isRetriable: boolean, status?: number) {
    super(message)
    this.isRetriable = isRetriable
    this.status = status
  }
}

export async function fetchWithSizeLimit(
  request: ProviderRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: unknown }> {
  let response: Response
  try {
    response = await sendOutgoing(request.url, {
      method: request.method,
      headers: { Accept: 'application/json', ...request.headers },
      body: request.body,
      signal,
    })
  } catch {
    // The reason may contain the URL and with it the identifier, so it is not logged.
    throw new ProviderError(signal.aborted ? 'no response in time' : 'no connection', !signal.aborted)
  }
  const { status } = response
  try {
    if (status >= 300 && status < 400) throw new ProviderError('the provider redirects', false, status)
    if (status === 404) return { status, body: null }
    if (status >= 500 || status === 429) throw new ProviderError(`status ${status}`, status !== 429, status)
    if (status !== 200) throw new ProviderError(`status ${status}`, false, status)
    return { status, body: JSON.parse(await readBodyText(response, { maxBytes, signal, whenLonger: 'reject' })) }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (error instanceof OutgoingHttpError) throw new ProviderError(error.message, false)
    if (error instanceof SyntaxError) throw new ProviderError('the response is not JSON', false)
    throw new ProviderError(
      signal.aborted ? 'the response did not end in time' : 'the response broke off',
      !signal.aborted,
    )
  } finally {
    if (!response.bodyUsed || response.body?.locked === false) await response.body?.cancel().catch(() => {})
  }
}
