import { type CallApi, replyOf, requestOf } from './api-call.ts'

/** The API of a service elsewhere, with a key of it. */
export function remoteApi(url: string, key: string, ask: (request: Request) => Promise<Response>): CallApi {
  return async (call) => {
    try {
      return await replyOf(await ask(requestOf(call, url, { Authorization: `Bearer ${key}` })))
    } catch {
      // No connection, or something that is not the service answered: neither is anything a model can correct.
      const message = `The service at ${url} cannot be reached or does not answer as one.`
      return { success: false, code: 'SERVICE_UNAVAILABLE', message }
    }
  }
}
