import { lookup } from 'node:dns/promises'
import { OutgoingHttpError, type OutgoingRequest, sendOutgoing } from './outgoing-http.ts'
import { isNeverCalled, isPublicAddress, namesPrivateHost } from './public-address.ts'

/** Resolves a host name. */
export type ResolveHost = (name: string) => Promise<{ readonly address: string; readonly family: number }>

export type AddressRules = {
  /** Whether addresses of private networks and of this machine are allowed. */
  readonly allowPrivate: boolean
  readonly resolve?: ResolveHost | undefined
}

/** Addresses that a person entered as private ones are allowed; a public name that leads inside is not. */
export const allowEnteredPrivate = (url: string | URL, { allowPrivate, resolve }: AddressRules): AddressRules => ({
  allowPrivate: allowPrivate || namesPrivateHost(hostNameOf(new URL(url))),
  resolve,
})

/** The host of an address, an IPv6 one without its brackets. */
export const hostNameOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** The name of a host leads to this machine or to a private network, where requests are not sent. */
export class PrivateAddressError extends OutgoingHttpError {
  constructor() {
    super('The host name does not resolve to a public address.')
  }
}

/**
 * Sends a request to the address that was checked: the name is resolved once, so DNS rebinding is not possible. Redirects are
 * not followed, because they would bypass the check.
 */
export async function sendPinned(
  url: string | URL,
  { allowPrivate, resolve = lookup }: AddressRules,
  request: Omit<OutgoingRequest, 'tlsServerName'>,
): Promise<Response> {
  const target = new URL(url)
  const name = hostNameOf(target)
  const { address, family } = await beforeAbort(resolve(name), request.signal)
  if (isNeverCalled(address) || (!allowPrivate && !isPublicAddress(address))) throw new PrivateAddressError()
  const pinned = new URL(url)
  pinned.hostname = family === 6 ? `[${address}]` : address
  return sendOutgoing(pinned, {
    ...request,
    headers: { ...request.headers, Host: target.host },
    tlsServerName: target.protocol === 'https:' ? name : undefined,
  })
}

/** A name server that does not answer must not outlast the request. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}
