import { describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { invitationMail, testMail } from '../../src/mail/mail.ts'
import { type MailOutcome, openMailService } from '../../src/mail/mail-service.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { freePort } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'

const FROM = 'Shop <noreply@shop.example>'

describe('mail', () => {
  type Settled = { readonly outcome: MailOutcome }
  function open(url: string, more: { retryDelaysMs?: number[]; sendTimeoutMs?: number } = {}) {
    const settled: Settled[] = []
    const failures: { cause: string; retryInMs: number | null }[] = []
    const service = openMailService({
      url,
      from: FROM,
      onSettled: (_, outcome) => settled.push({ outcome }),
      onFailure: (_, cause, retryInMs) => failures.push({ cause, retryInMs }),
      ...more,
    })
    return { service, settled, failures }
  }
  const isSettled = (settled: readonly Settled[]) =>
    waitUntil(() => settled.length > 0, { describe: 'the end of a message' })

  test('has one recipient and no header or link that text from people could add', async () => {
    const server = await startMailServer()
    const { service, settled } = open(server.url)
    const evil = 'Shop\r\nBcc: victim@example.test\r\n\r\n<script>alert(1)</script>'
    const mail = invitationMail(
      { email: 'a,b@example.test', language: 'en' },
      'https://shop.example/dashboard/join#token',
      {
        organization: evil,
        inviter: evil,
        role: 'clerk',
      },
    )
    service.send(mail)
    await isSettled(settled)
    const [received] = server.received as [ReceivedMail]
    expect(received.from).toBe('noreply@shop.example')
    expect(received.to).toEqual(['"a,b"@example.test'])
    expect([...received.headers.keys()]).not.toContain('bcc')
    expect(received.headers.get('subject')).toContain('Invitation to Shop Bcc: victim@example.test')
    expect(received.source).toContain('text/plain')
    expect(received.source).toContain('&lt;script&gt;')
    expect(received.source.slice(received.source.indexOf('text/html'))).not.toContain('<script>')
    service.close()
    await server.stop()
  })

  test('is retried after a failure and dropped after the last attempt', async () => {
    let failures = 1
    const server = await startMailServer({
      onMessage() {
        if (failures-- > 0) throw new Error('try later')
      },
    })
    const flaky = open(server.url, { retryDelaysMs: [1, 1] })
    flaky.service.send(testMail({ email: 'one@example.test', language: 'en' }))
    await isSettled(flaky.settled)
    expect(flaky.settled).toEqual([{ outcome: 'sent' }])
    expect(flaky.failures).toEqual([{ cause: expect.stringContaining('try later'), retryInMs: 1 }])
    await server.stop()

    const closed = open(`smtp://127.0.0.1:${await freePort()}`, { retryDelaysMs: [1] })
    closed.service.send(testMail({ email: 'two@example.test', language: 'en' }))
    await isSettled(closed.settled)
    expect(closed.settled).toEqual([{ outcome: 'failed' }])
    expect(closed.failures.map(({ retryInMs }) => retryInMs)).toEqual([1, null])
  })

  test('to a server that never responds times out', async () => {
    const silent: Server = createServer(() => {})
    const port = await freePort()
    await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve))
    const { service, settled } = open(`smtp://127.0.0.1:${port}`, { retryDelaysMs: [], sendTimeoutMs: 50 })
    expect(service.send(testMail({ email: 'one@example.test', language: 'en' }))).toBe(true)
    await isSettled(settled)
    expect(settled).toEqual([{ outcome: 'failed' }])
    silent.close()
  })

  test('is not sent if no mail server is configured', () => {
    expect(open('').service.send(testMail({ email: 'one@example.test', language: 'en' }))).toBe(false)
  })
})
