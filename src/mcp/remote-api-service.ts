import { type CallApi, readApiResult, toApiRequest } from './api-client.ts'

/** The API of a service elsewhere, with a key of it. */
export function remoteApi(url: string, key: string, fetch: (request: Request) => Promise<Response>): CallApi {
  return async (call) => {
    try {
      return await readApiResult(await fetch(toApiRequest(call, url, { Authorization: `Bearer ${key}` })))
    } catch {
      // No connection, or something that is not the service answered: neither is anything a model can correct.
      const message = `The service at ${url} cannot be reached or does not answer as one.`
      return { success: false, code: 'SERVICE_UNAVAILABLE', message }
    }
  }
}
