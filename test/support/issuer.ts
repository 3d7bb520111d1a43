import { createServer } from 'node:http'
import type { AccountClaims } from 'oidc-provider'

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
