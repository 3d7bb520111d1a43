import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { parseIpAddress } from '../../lib/ip-network.ts'
import type { Passkey } from './second-factor.ts'

/** The relying party: a passkey belongs to one host name. */
export type RelyingParty = { readonly hostName: string; readonly origins: readonly string[] }

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]'])

/**
 * The relying party of this service; null if there is none, because browsers support passkeys only for host names, not for
 * IP addresses. Without BASE_URL the service runs at a loopback address, which browsers also reach as `localhost`. The Host
 * header only says whether that name was used: name and port of the origin never come from the request, so that a page on
 * another port or host cannot relay a signature that was made for it.
 */
export function relyingPartyOf(baseUrl: string, requestHost: string | undefined): RelyingParty | null {
  const { hostname, origin, protocol, port } = new URL(baseUrl)
  if (!parseIpAddress(hostname.replace(/^\[|\]$/g, ''))) return { hostName: hostname, origins: [origin] }
  const local = port ? `localhost:${port}` : 'localhost'
  if (!LOOPBACK_HOSTS.has(hostname) || requestHost !== local) return null
  return { hostName: 'localhost', origins: [`${protocol}//${local}`] }
}

/**
 * Loads the library on first use, not at every start. Its polyfill comes first: in the one-file executable the bundler does
 * not keep the library's own order.
 */
async function loadWebAuthn() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}

type PasskeyOwner = { readonly id: string; readonly email: string; readonly name: string }

export async function passkeyCreationOptions(
  relyingParty: RelyingParty,
  person: PasskeyOwner,
  existing: readonly Passkey[],
) {
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpName: 'Device Intelligence',
    rpID: relyingParty.hostName,
    userID: new TextEncoder().encode(person.id),
    userName: person.email,
    userDisplayName: person.name || person.email,
    excludeCredentials: existing.map(toCredentialDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** The new passkey if the response is valid for this challenge; undefined otherwise. */
export async function verifyNewPasskey(relyingParty: RelyingParty, response: unknown, challenge: string) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.hostName,
      requireUserVerification: false,
    })
    if (!verified) return undefined
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
  } catch {
    // Invalid responses are treated alike; the reason is not revealed.
    return undefined
  }
}

/** Without a password the authenticator must verify its user, by fingerprint or PIN. */
export async function passkeyRequestOptions(relyingParty: RelyingParty, allowed: readonly Passkey[] | null) {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: relyingParty.hostName,
    userVerification: allowed ? 'preferred' : 'required',
    ...(allowed ? { allowCredentials: allowed.map(toCredentialDescriptor) } : {}),
  })
}

/** The new counter of the passkey if the signature is valid; undefined otherwise. */
export async function verifyPasskey(
  relyingParty: RelyingParty,
  passkey: Passkey,
  response: unknown,
  { challenge, isOnlyFactor }: { readonly challenge: string; readonly isOnlyFactor: boolean },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.hostName,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: [...passkey.transports],
      },
      requireUserVerification: isOnlyFactor,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

const toCredentialDescriptor = ({ id, transports }: Passkey) => ({ id, transports: [...transports] })
