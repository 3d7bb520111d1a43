import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another secret altogether').toString('base64')}`
const NOW = Date.parse('2026-03-02T09:30:00Z')
const BODY = JSON.stringify({ type: 'identifier.status_changed', data: { note: 'ünïcode' } })

/** Signs as Standard Webhooks specifies, with other code than the code under test. */
function signed(body: string, secret = SECRET, at = NOW) {
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const verified = (body: string | Uint8Array, headers: Record<string, string>, secrets: string | string[] = SECRET) =>
  verifyWebhook(body, headers, secrets, { now: NOW })

test('verifies the published Standard Webhooks test vector', async () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const event = await verifyWebhook<unknown>('{"test": 2432232314}', headers, secret, { now: 1614265330_000 })
  expect(event).toEqual({ test: 2432232314 })
})

test('returns the event for a body as text or bytes and headers in any case', async () => {
  const headers = signed(BODY)
  expect(await verified(BODY, headers)).toEqual(JSON.parse(BODY))
  expect(await verified(new TextEncoder().encode(BODY), headers)).toEqual(JSON.parse(BODY))
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  expect(await verified(BODY, upper)).toEqual(JSON.parse(BODY))
  expect(await verifyWebhook(BODY, new Headers(headers), SECRET, { now: NOW })).toEqual(JSON.parse(BODY))
})

test('while a secret is rotated, a signature of either secret is accepted', async () => {
  expect(await verified(BODY, signed(BODY, OTHER), [SECRET, OTHER])).toEqual(JSON.parse(BODY))
  const both = `${signed(BODY, OTHER)['webhook-signature']} ${signed(BODY)['webhook-signature']}`
  expect(await verified(BODY, { ...signed(BODY), 'webhook-signature': both })).toEqual(JSON.parse(BODY))
})

for (const [why, body, headers, secret] of [
  ['another body', `${BODY} `, signed(BODY), SECRET],
  ['another id', BODY, { ...signed(BODY), 'webhook-id': 'msg_2' }, SECRET],
  ['another secret', BODY, signed(BODY), OTHER],
  ['an event that is six minutes old', BODY, signed(BODY, SECRET, NOW - 6 * 60_000), SECRET],
  ['an event from the future', BODY, signed(BODY, SECRET, NOW + 6 * 60_000), SECRET],
  ['an invalid timestamp', BODY, { ...signed(BODY), 'webhook-timestamp': 'soon' }, SECRET],
  ['a missing signature', BODY, { ...signed(BODY), 'webhook-signature': '' }, SECRET],
  ['a signature of another scheme', BODY, { ...signed(BODY), 'webhook-signature': 'v2,AAAA' }, SECRET],
  ['a signature that is not base64', BODY, { ...signed(BODY), 'webhook-signature': 'v1,%%%' }, SECRET],
  ['an invalid secret', BODY, signed(BODY), 'whsec_%%%'],
] as const) {
  test(`${why} is rejected`, async () => {
    expect(await verified(body, headers, secret).catch((error: unknown) => error)).toBeInstanceOf(
      WebhookVerificationError,
    )
  })
}
