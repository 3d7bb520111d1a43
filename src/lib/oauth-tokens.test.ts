import { afterAll, expect, test } from 'bun:test'
import { waitUntil } from '../../test/support/wait.ts'
import { oauthTokens } from './oauth-tokens.ts'

const released = Promise.withResolvers<void>()
let requests = 0
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch() {
    requests++
    await released.promise
    return Response.json({ access_token: 't1', expires_in: 3600 })
  },
})
afterAll(() => server.stop(true))

test('a cancelled caller does not cancel the token request that others wait for', async () => {
  const settings = { token_url: `http://127.0.0.1:${server.port}/token`, client_id: 'shop', client_secret: 's' }
  const tokens = oauthTokens(settings, Date.now)
  const first = new AbortController()
  const givenUp = tokens.get(first.signal)
  const waiting = tokens.get(new AbortController().signal)
  await waitUntil(() => requests === 1, { describe: 'the token request' })
  first.abort()
  await expect(givenUp).rejects.toThrow('no token in time')
  released.resolve()
  expect(await waiting).toBe('t1')
  expect(await tokens.get(AbortSignal.abort())).toBe('t1')
  expect(requests).toBe(1)
})
