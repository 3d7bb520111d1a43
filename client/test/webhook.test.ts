import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another secret altogether').toString('base64')}`
const NOW = Date.parse('2026-03-02T09:30:00Z')
const BODY = JSON.stringify({ type: 'identifier.status_changed', data: { note: 'ünïcode' } })

/** Signed as Standard Webhooks describe it, by other means than those that verify. */
function signed(body: string, secret = SECRET, at = NOW) {
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const verified = (body: string | Uint8Array, headers: Record<string, string>, secrets: string | string[] = SECRET) =>
  verifyWebhook(body, headers, secrets, { now: NOW })

test('the vector that others publish is verified', async () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const event = await verifyWebhook<unknown>('{"test": 2432232314}', headers, secret, { now: 1614265330_000 })
  expect(event).toEqual({ test: 2432232314 })
})

test('a delivery is given as its event, from text, bytes, headers of any case and several values', async () => {
  const headers = signed(BODY)
  expect(await verified(BODY, headers)).toEqual(JSON.parse(BODY))
  expect(await verified(new TextEncoder().encode(BODY), headers)).toEqual(JSON.parse(BODY))
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  expect(await verified(BODY, upper)).toEqual(JSON.parse(BODY))
  expect(await verifyWebhook(BODY, new Headers(headers), SECRET, { now: NOW })).toEqual(JSON.parse(BODY))
})

test('while a secret is rotated either of the two is enough', async () => {
  expect(await verified(BODY, signed(BODY, OTHER), [SECRET, OTHER])).toEqual(JSON.parse(BODY))
  const both = `${signed(BODY, OTHER)['webhook-signature']} ${signed(BODY)['webhook-signature']}`
  expect(await verified(BODY, { ...signed(BODY), 'webhook-signature': both })).toEqual(JSON.parse(BODY))
})

for (const [why, body, headers, secret] of [
  ['another body', `${BODY} `, signed(BODY), SECRET],
  ['another id', BODY, { ...signed(BODY), 'webhook-id': 'msg_2' }, SECRET],
  ['another secret', BODY, signed(BODY), OTHER],
  ['six minutes old', BODY, signed(BODY, SECRET, NOW - 6 * 60_000), SECRET],
  ['from the future', BODY, signed(BODY, SECRET, NOW + 6 * 60_000), SECRET],
  ['no time', BODY, { ...signed(BODY), 'webhook-timestamp': 'soon' }, SECRET],
  ['no signature', BODY, { ...signed(BODY), 'webhook-signature': '' }, SECRET],
  ['a signature of another kind', BODY, { ...signed(BODY), 'webhook-signature': 'v2,AAAA' }, SECRET],
  ['a signature that is no base64', BODY, { ...signed(BODY), 'webhook-signature': 'v1,%%%' }, SECRET],
  ['a secret that is none', BODY, signed(BODY), 'whsec_%%%'],
] as const) {
  test(`${why} is not believed`, async () => {
    expect(await verified(body, headers, secret).catch((error: unknown) => error)).toBeInstanceOf(
      WebhookVerificationError,
    )
  })
}
