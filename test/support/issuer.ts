import { createServer } from 'node:http'
import type { AccountClaims } from 'oidc-provider'
import { freePort } from './postgres.ts'

// The library prints notices for operators, such as that its keys are for development only, already when it is loaded.
for (const level of ['info', 'warn'] as const) {
  const print = console[level]
  console[level] = (...values: unknown[]) => {
    if (!/oidc-provider (NOTICE|WARNING): /.test(String(values[0]))) print(...values)
  }
}
const { default: Provider } = await import('oidc-provider')

export type Issuer = Awaited<ReturnType<typeof startIssuer>>

/** A real OpenID Connect server on loopback, with accounts by login name. */
export async function startIssuer(
  port: number,
  { redirectUri, signedOutUri }: { redirectUri: string; signedOutUri: string },
  accounts: Record<string, Partial<AccountClaims>>,
) {
  const url = `http://127.0.0.1:${port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'devices',
        client_secret: 'test-secret',
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [signedOutUri],
      },
    ],
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts[accountId] }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
  })
  const server = createServer(provider.callback())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An issuer whose token endpoint returns ID tokens that are signed with another key than the published one. */
export async function startForgingIssuer() {
  const newKeys = () =>
    crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ]) as Promise<CryptoKeyPair>
  const [published, forged] = [await newKeys(), await newKeys()]
  const publicKey = {
    ...(await crypto.subtle.exportKey('jwk', published.publicKey)),
    kid: 'one',
    alg: 'ES256',
    use: 'sig',
  }
  let nonce = ''
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    routes: {
      '/.well-known/openid-configuration': () =>
        Response.json({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        }),
      '/jwks': () => Response.json({ keys: [publicKey] }),
      '/authorize': (request) => {
        const { searchParams } = new URL(request.url)
        nonce = searchParams.get('nonce') ?? ''
        const back = new URL(searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('code', 'one')
        back.searchParams.set('state', searchParams.get('state') ?? '')
        return Response.redirect(back.href, 303)
      },
      '/token': async () => {
        const now = Math.floor(Date.now() / 1000)
        const claims = { iss: url, aud: 'devices', sub: 'x', nonce, iat: now, exp: now + 60, email_verified: true }
        const head = base64url({ alg: 'ES256', kid: 'one' })
        const signed = `${head}.${base64url({ ...claims, email: 'boss@shop.example' })}`
        const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
        const signature = await crypto.subtle.sign(algorithm, forged.privateKey, new TextEncoder().encode(signed))
        const id_token = `${signed}.${Buffer.from(signature).toString('base64url')}`
        return Response.json({ access_token: 'a', token_type: 'bearer', id_token })
      },
    },
  })
  return { url, stop: () => server.stop(true) }
}

/** A browser without pages: keeps the cookies of every host and follows redirects. */
export function createBrowser() {
  const jar = new Map<string, Map<string, string>>()

  async function request(url: string, init: RequestInit = {}): Promise<{ url: string; response: Response }> {
    for (let at = url, options = init; ; ) {
      const { host } = new URL(at)
      const cookies = jar.get(host) ?? new Map<string, string>()
      jar.set(host, cookies)
      const headers = new Headers(options.headers)
      headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await fetch(at, { ...options, headers, redirect: 'manual' })
      for (const set of response.headers.getSetCookie()) {
        const [pair = ''] = set.split(';')
        const name = pair.slice(0, pair.indexOf('='))
        if (/max-age=0|1970/i.test(set)) cookies.delete(name)
        else cookies.set(name, pair.slice(name.length + 1))
      }
      const location = response.headers.get('location')
      if (location === null) return { url: at, response }
      at = new URL(location, at).href
      options = {}
      // The dashboard's pages are not needed.
      if (new URL(at).pathname.startsWith('/dashboard')) return { url: at, response }
    }
  }

  return {
    request,
    cookies: (host: string) => jar.get(host) ?? new Map<string, string>(),
    /** Signs in at the issuer's own pages and returns where the browser ends. */
    async signIn(start: string, login: string): Promise<string> {
      let { url, response } = await request(start)
      for (const prompt of ['login', 'consent']) {
        if (!url.includes('/interaction/')) return url
        const action = /action="([^"]+)"/.exec(await response.text())?.[1] ?? url
        const form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) })
        const next = await request(new URL(action, url).href, { method: 'POST', body: form })
        url = next.url
        response = next.response
      }
      return url
    },
  }
}
