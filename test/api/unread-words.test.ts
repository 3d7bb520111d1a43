import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { startService, type TestService } from '../support/service.ts'

const DEVICE = 'apple-iphone-13'
/** Words that may state a fault, which no defect covers. */
const WORD = 'reboots randomly'
const TEXT = `iPhone 13 128GB Midnight, ${WORD}`
/** Words that mean nothing to the reader. */
const HARMLESS = 'glimmerstelle'

type Appraised = Pick<AppraisalWire, 'offer' | 'identity' | 'defects' | 'lock'>

type Reading = { readonly device: string | null; readonly defects?: readonly string[]; readonly lock?: string }

/** Texts without a stated field, the device and what is read about it. */
const READINGS: readonly (readonly [string, Reading & { readonly condition?: string }])[] = [
  ['iPhone 13 128GB cracked screen', { device: DEVICE, defects: ['cracked_screen'] }],
  ['iPhone 13 128GB AT&T locked', { device: DEVICE, lock: 'locked' }],
  ['iPhone 13 128GB factory unlocked', { device: DEVICE, lock: 'unlocked' }],
  ['iPhone 13 128GB poor condition', { device: DEVICE, condition: 'Poor' }],
  ['iphone 12 kaputt', { device: 'apple-iphone-12', defects: ['no_power'] }],
  ['iPhone 13 128GB dalims', { device: DEVICE, defects: ['no_power'] }],
  ['아이폰 13 128GB 배터리 74%', { device: DEVICE, defects: ['weak_battery'] }],
  ['iPhone 13 128GB ohne Ladegerät', { device: DEVICE, defects: ['missing_accessories'] }],
  ['Nintendo Switch tablet only', { device: 'nintendo-switch', defects: ['missing_accessories'] }],
  ['Looking to buy iPhone 13 128GB', { device: null }],
  ['iPhone 14 128GB pro case included', { device: 'apple-iphone-14' }],
  ['iPhone 13 128GB mini tripod', { device: DEVICE }],
  ['Galaxy S23 256GB ultra rare colour', { device: 'samsung-galaxy-s23' }],
  ['iPhone 13 128GB pro refurbished', { device: null }],
  ['iPhone 13 128GB Pro Unlock', { device: null }],
  ['iPhone 13 leather wallet', { device: null }],
  ['Apple Watch Series 8 45mm watch strap', { device: null }],
  ['PS5 Ghost of Yotei', { device: null }],
  ['iPhone 6 16/32/64/128GB', { device: 'apple-iphone-6' }],
  ['Galaxy A52s 128', { device: 'samsung-galaxy-a52s-5g' }],
  ['ايفون 13 برو 256', { device: 'apple-iphone-13-pro' }],
  ['ไอโฟน 12 โปร 128', { device: 'apple-iphone-12-pro' }],
  ['אייפון 12 64 שחור', { device: 'apple-iphone-12' }],
  ['आईफोन 13 128GB', { device: DEVICE }],
  ['苹果14 pro max 256G', { device: 'apple-iphone-14-pro-max' }],
  ['Самсунг S21 FE 128', { device: 'samsung-galaxy-s21-fe' }],
  ['CFI-1216A', { device: 'sony-playstation-5' }],
  ['CUH-7216B', { device: 'sony-playstation-4-pro' }],
]

onDatabaseOfSuite((store) => {
  let service: TestService
  let manager: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.openFull())
    manager = await member(service, service.organizationId, 'manager')
  })
  afterAll(() => service.stop())

  const single = async (request: object): Promise<Appraised> =>
    (await service.ask('/api/appraisals', { tier: 'enterprise', json: request })).body.data
  const inBatch = async (request: object): Promise<Appraised> =>
    (await service.ask('/api/appraisals/batch', { tier: 'enterprise', json: { items: [request] } })).body.data[0].result
  const atCounter = async (request: object): Promise<Appraised> =>
    (await manager.post('/api/appraisals/preview', { lookup_id: null, ...request })).body.data
  const byAssistant = async (request: object): Promise<Appraised> => {
    const client = await connectOverHttp(service.url, service.keys.enterprise)
    try {
      const { data } = await callTool(client, 'appraise_device', request as Record<string, unknown>)
      return { ...data, offer: data } as unknown as Appraised
    } finally {
      await client.close()
    }
  }
  const COLUMNS = ['text', 'condition', 'variant_id', 'device_id'] as const
  const listOf = async (header: readonly string[], columns: readonly string[]): Promise<string> =>
    (await manager.post('/api/lists', { name: 'Lot.csv', header, columns })).body.data.id
  const inList = async (request: Readonly<Record<string, string | undefined>>): Promise<Appraised> => {
    const id = await listOf(COLUMNS, COLUMNS)
    const cells = COLUMNS.map((column) => request[column] ?? '')
    const { body } = await manager.send('PATCH', `/api/lists/${id}`, { rows: [{ line: 2, cells }] })
    return body.data.rows[0].appraisal
  }

  const WAYS = [
    ['a single appraisal', single],
    ['a batch', inBatch],
    ['the counter', atCounter],
    ['an assistant', byAssistant],
    ['a device list', inList],
  ] as const

  const outcome = ({ identity, offer }: Appraised) => ({
    device: identity.device_id,
    decision: offer.decision,
    names: offer.reasons.find(({ code }) => code === 'unread_words')?.message.includes(WORD) ?? false,
  })
  const INSPECTED = { device: DEVICE, decision: 'inspect', names: true } as const

  describe.each(WAYS)('by %s, words that may state a fault are named and the device inspected', (_way, appraise) => {
    test('in a text', async () => {
      expect(outcome(await appraise({ text: TEXT, condition: 'Good' }))).toEqual(INSPECTED)
      expect(outcome(await appraise({ text: 'iPhone 13 128GB Midnight', condition: 'Good' }))).toEqual({
        device: DEVICE,
        decision: 'buy',
        names: false,
      })
    })

    test('and words that mean nothing change nothing', async () => {
      const read = await appraise({ text: `iPhone 13 128GB Midnight, ${HARMLESS}`, condition: 'Good' })
      expect(outcome(read)).toMatchObject({ decision: 'buy', names: false })
    })

    test('beside an id', async () => {
      for (const id of [{ device_id: DEVICE }, { variant_id: 'apple-iphone-13-128gb-midnight' }])
        for (const text of [TEXT, WORD])
          expect({ text, ...outcome(await appraise({ ...id, text, condition: 'Good' })) }).toEqual({
            text,
            ...INSPECTED,
          })
    })
  })

  const readingOf = ({ identity, defects, lock, offer }: Appraised, expected: (typeof READINGS)[number][1]) => ({
    device: identity.device_id,
    ...(expected.defects && { defects }),
    ...(expected.lock && { lock }),
    ...(expected.condition && { condition: offer.condition }),
  })

  test.each(WAYS)('by %s, a text is read into device, defects, lock and grade', async (_way, appraise) => {
    const readings: unknown[] = []
    for (const [text, expected] of READINGS) readings.push([text, readingOf(await appraise({ text }), expected)])
    expect(readings).toEqual(READINGS.map(([text, expected]) => [text, { ...expected }]))
  })

  test('a word is known once it is taught, and unknown again once it is forgotten', async () => {
    const id = await listOf(['Modell'], ['text'])
    const teach = (word: object) => manager.send('PATCH', `/api/lists/${id}`, { words: [word] })
    await teach({ word: WORD, condition: 'Good' })
    for (const [, appraise] of WAYS)
      expect(outcome(await appraise({ text: TEXT, condition: 'Good' }))).toMatchObject({
        decision: 'buy',
        names: false,
      })
    await teach({ word: WORD, forget: true })
    for (const [, appraise] of WAYS)
      expect(outcome(await appraise({ text: TEXT, condition: 'Good' }))).toEqual(INSPECTED)
  })
})
