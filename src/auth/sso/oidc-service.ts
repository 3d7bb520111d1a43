import { lookup } from 'node:dns/promises'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { type AddressRules, hostNameOf, type ResolveHost, sendPinned } from '../../lib/pinned-http.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import type { OidcSettings } from './oidc-mapping.ts'

const TIMEOUT_S = 10
/** Keys and endpoints of the issuer are read again after this time. */
const DISCOVERY_MAX_AGE_MS = 60 * 60 * 1000

/** Secrets of one sign-in, which only the browser that began it can finish. */
export type OidcAttempt = { readonly state: string; readonly nonce: string; readonly codeVerifier: string }

export type OidcClient = ReturnType<typeof createOidcClient>

/** The standard defaults to Basic; some issuers accept the secret only in the body. */
function clientAuthentication(secret: string): ClientAuth {
  if (secret === '') return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request)
  }
}

/**
 * Requests to the issuer. It may be inside the own network; but one that was on the internet at the first request leads to
 * no address inside later, neither by its name nor by an endpoint that it publishes.
 */
function issuerFetch(issuer: URL, resolve: ResolveHost): CustomFetch {
  let rules: Promise<AddressRules> | undefined
  const decideRules = async (): Promise<AddressRules> => {
    const { address } = await resolve(hostNameOf(issuer))
    return { allowPrivate: !isPublicAddress(address), resolve }
  }
  return async (url, { method, headers, body, signal }) => {
    rules ??= decideRules().catch((error) => {
      rules = undefined
      throw error
    })
    return sendPinned(url, await rules, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body ? String(body) : undefined,
      signal: signal ?? AbortSignal.timeout(TIMEOUT_S * 1000),
    })
  }
}

export type OidcClientOptions = { readonly now?: () => number; readonly resolve?: ResolveHost }

/** The issuer's side of a sign-in: authorization code flow with PKCE, state and nonce. */
export function createOidcClient(
  { issuer, clientId, clientSecret }: OidcSettings,
  { now = Date.now, resolve = lookup }: OidcClientOptions = {},
) {
  const request = issuerFetch(new URL(issuer), resolve)
  let discovered: { readonly configuration: Promise<Configuration>; readonly at: number } | undefined

  function configuration(): Promise<Configuration> {
    if (!discovered || now() - discovered.at > DISCOVERY_MAX_AGE_MS) {
      const url = new URL(issuer)
      const reading = discovery(url, clientId, undefined, clientAuthentication(clientSecret), {
        timeout: TIMEOUT_S,
        [customFetch]: request,
        // ID tokens are checked against the keys of the issuer. Plain http is only for an issuer on the same machine.
        execute:
          url.protocol === 'http:' ? [enableNonRepudiationChecks, allowInsecureRequests] : [enableNonRepudiationChecks],
      })
      discovered = { configuration: reading, at: now() }
      // A failure is not cached.
      reading.catch(() => {
        discovered = undefined
      })
    }
    return discovered.configuration
  }

  return {
    /** URL to send the browser to, and the state to keep until it returns. */
    async begin(redirectUri: string): Promise<{ readonly url: string; readonly attempt: OidcAttempt }> {
      const attempt = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
        state: attempt.state,
        nonce: attempt.nonce,
      })
      return { url: url.href, attempt }
    },

    /** Exchanges the code that the browser brought back and returns the verified claims. */
    async finish(
      callback: URL,
      attempt: OidcAttempt,
    ): Promise<{ readonly claims: Readonly<Record<string, unknown>>; readonly idToken: string }> {
      const issuerConfiguration = await configuration()
      const tokens = await authorizationCodeGrant(issuerConfiguration, callback, {
        pkceCodeVerifier: attempt.codeVerifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      const idToken = tokens.id_token
      if (!claims || idToken === undefined) throw new Error('The issuer returned no id token.')
      // Many issuers put the address into the user info only.
      if (claims.email !== undefined) return { claims, idToken }
      const userInfo = await fetchUserInfo(issuerConfiguration, tokens.access_token, claims.sub)
      return { claims: { ...claims, ...userInfo }, idToken }
    },

    /** Where the browser signs out at the issuer (RP-initiated logout); undefined if the issuer has no such page. */
    async signOutUrl(idToken: string, returnTo: string): Promise<string | undefined> {
      const issuerConfiguration = await configuration()
      if (issuerConfiguration.serverMetadata().end_session_endpoint === undefined) return undefined
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnTo }
      return buildEndSessionUrl(issuerConfiguration, parameters).href
    },
  }
}
