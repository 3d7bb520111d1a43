import { type CallApi, readApiResult, toApiRequest } from './api-client.ts'

/** The API of a remote service, with an API key. */
export function remoteApi(url: string, key: string, fetch: (request: Request) => Promise<Response>): CallApi {
  return async (call) => {
    try {
      return await readApiResult(await fetch(toApiRequest(call, url, { Authorization: `Bearer ${key}` })))
    } catch {
      // No connection, or another program responded: a model cannot correct either.
      const message = `The service at ${url} cannot be reached or is another service.`
      return { success: false, code: 'SERVICE_UNAVAILABLE', message }
    }
  }
}
