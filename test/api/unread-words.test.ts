import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { startService, type TestService } from '../support/service.ts'

const DEVICE = 'apple-iphone-13'
const WORD = 'glimmerstelle'
const TEXT = `iPhone 13 128GB Midnight ${WORD}`

type Appraised = Pick<AppraisalWire, 'offer' | 'identity'>

onDatabaseOfSuite((store) => {
  let service: TestService
  let manager: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
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
      return { identity: data.identity, offer: data } as unknown as Appraised
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

  describe.each(WAYS)('by %s, a word that no list has is named and the device inspected', (_way, appraise) => {
    test('in a text', async () => {
      expect(outcome(await appraise({ text: TEXT, condition: 'Good' }))).toEqual(INSPECTED)
      expect(outcome(await appraise({ text: 'iPhone 13 128GB Midnight', condition: 'Good' }))).toEqual({
        device: DEVICE,
        decision: 'buy',
        names: false,
      })
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
