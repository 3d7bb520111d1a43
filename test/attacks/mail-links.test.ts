import { afterAll, beforeAll, expect, test } from 'bun:test'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const FORGED: readonly Record<string, string>[] = [
  { Host: 'evil.example' },
  { 'X-Forwarded-Host': 'evil.example' },
  { 'X-Forwarded-Server': 'evil.example', 'X-Host': 'evil.example' },
  { Forwarded: 'host=evil.example;proto=https' },
  { 'X-Original-URL': 'https://evil.example/', 'X-Rewrite-URL': 'https://evil.example/' },
  { Host: 'evil.example', 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' },
]

onDatabaseOfSuite((store) => {
  let server: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    server = await startMailServer()
  })
  afterAll(() => server.stop())

  const settings = () => ({ SMTP_URL: `${server.url}?from=noreply@shop.example` })
  const mailsTo = (email: string) => server.received.filter((mail) => mail.to[0] === email)
  const linksIn = ({ source }: ReceivedMail) => source.match(/https?:\/\/[^\s"<>]+/g) ?? []

  for (const [name, more] of [
    ['with BASE_URL', { BASE_URL: 'https://devices.example' }],
    ['with BASE_URL behind a proxy', { BASE_URL: 'https://devices.example', TRUST_PROXY: '1' }],
    ['without BASE_URL', {}],
  ] as const)
    test(`no header of a request decides where a mailed link leads (${name})`, async () => {
      await using service: TestService = await startService(await store.open(), { ...settings(), ...more })
      let mailed = 0
      for (const forged of FORGED) {
        const { email } = await member(service, service.organizationId, 'clerk')
        const before = mailsTo(email).length
        const response = await fetch(`${service.url}/account/forgot-password`, {
          method: 'POST',
          headers: { Origin: service.url, 'Content-Type': 'application/json', ...forged },
          body: JSON.stringify({ email }),
        })
        if (response.status !== 200) {
          // Another origin than the page's, or too many requests of this address.
          expect([400, 403, 429]).toContain(response.status)
          continue
        }
        await waitUntil(() => mailsTo(email).length > before, { describe: `mail to ${email}` })
        for (const mail of mailsTo(email)) {
          expect(mail.source).not.toContain('evil.example')
          mailed += linksIn(mail).length
        }
      }
      expect(mailed).toBeGreaterThan(1)
    })

  test('of twenty uses of a link at once one succeeds, and later ones fail', async () => {
    await using service: TestService = await startService(await store.open(), settings())
    const { email } = await member(service, service.organizationId, 'clerk')
    const visitor = browserSession(service)
    await visitor.post('/account/forgot-password', { email })
    const tokenIn = ({ source }: ReceivedMail) => /join#([\w-]+)/.exec(source)?.[1]
    const token = await waitUntil(() => mailsTo(email).map(tokenIn).find(Boolean), { describe: 'the reset mail' })
    const use = (link: string, password = 'seven purple tractors') =>
      browserSession(service).post('/account/link/use', { token: link, password })
    // Twenty at once: one wins.
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => use(token)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect((await use(token, 'eight yellow tractors')).status).not.toBe(200)
    expect((await browserSession(service).post('/account/sign-in', { email, password: PASSWORD })).status).not.toBe(200)
    const signedIn = await browserSession(service).post('/account/sign-in', {
      email,
      password: 'seven purple tractors',
    })
    expect(signedIn.status).toBe(200)
  })
})
