import { afterAll, expect, test } from 'bun:test'
import { callWebhook } from '../../src/events/webhook-call-service.ts'

/** An attacker's name server: a public address at first, an address of this machine for every later lookup. */
let answers: { address: string; family: number }[] = []
let asked = 0

let received = 0
const inside = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => {
    received++
    return new Response('internal')
  },
})
afterAll(() => {
  inside.stop(true)
})

const PRIVATE = [
  ...[
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '168.63.129.16',
  ],
  ...[
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
  ],
]
const call = (signal = AbortSignal.timeout(1_500)) =>
  callWebhook(
    `http://rebind.example:${inside.port}/`,
    '{}',
    {},
    {
      allowPrivateAddresses: false,
      userAgent: 'test',
      signal,
      resolve: async () => answers[asked++] ?? { address: '127.0.0.1', family: 4 },
    },
  )

test('a webhook never reaches an address inside, whatever the name resolves to', async () => {
  for (const address of PRIVATE) {
    asked = 0
    answers = [{ address, family: address.includes(':') ? 6 : 4 }]
    expect({ address, ...(await call()) }).toMatchObject({
      address,
      isAccepted: false,
      responseText: 'The host name does not resolve to a public address.',
    })
  }
  expect(received).toBe(0)
})

test('a name that changes to an address inside after the check is not asked again', async () => {
  for (let attempt = 0; attempt < 3; attempt++) {
    asked = 0
    answers = [
      { address: '198.41.0.4', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    // The call ends before it connects: no test sends anything to a public address.
    const result = await call(AbortSignal.abort())
    expect(result.isAccepted).toBe(false)
    expect(asked).toBe(1)
  }
  expect(received).toBe(0)
})
