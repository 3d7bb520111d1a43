import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const TEXT = 'iPhone 13 128GB Midnight Katzenspuren, Glasbruchstelle'
const READ_GRADE = { words: 'Katzenspuren', field: 'condition', value: 'Fair' }
const READ_DEFECT = { words: 'Glasbruchstelle', field: 'defects', value: 'cracked_back' }

onDatabaseOfSuite((store) => {
  let service: TestService
  let manager: Awaited<ReturnType<typeof member>>
  let listId: string
  beforeAll(async () => {
    service = await startService(await store.open())
    manager = await member(service, service.organizationId, 'manager')
    listId = (await manager.post('/api/lists', { name: 'Lot.csv', header: ['Modell', 'Zustand'] })).body.data.id
    await teach(
      { word: 'katzenspuren', condition: 'Fair' },
      { word: 'Glasbruchstelle', defect: 'cracked_back' },
      { word: 'G', condition: 'Poor' },
    )
  })
  afterAll(() => service.stop())

  const teach = async (...words: object[]) => {
    const { status } = await manager.send('PATCH', `/api/lists/${listId}`, { words })
    expect(status).toBe(200)
  }
  const appraise = async (json: object): Promise<AppraisalWire> => {
    const { status, body } = await service.ask('/api/appraisals', { tier: 'enterprise', json })
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
    return body.data
  }
  const expectRead = (appraisal: Pick<AppraisalWire, 'identity' | 'offer' | 'defects' | 'read_from_text'>) => {
    expect(appraisal.identity.device_id).toBe('apple-iphone-13')
    expect(appraisal.offer.condition).toBe('Fair')
    expect(appraisal.defects).toEqual(['cracked_back'])
    expect(appraisal.read_from_text).toEqual(expect.arrayContaining([READ_GRADE, READ_DEFECT]))
  }

  describe('words taught in a list are read', () => {
    test('in a single appraisal', async () => expectRead(await appraise({ text: TEXT })))

    test('in a batch', async () => {
      const json = { items: [{ text: TEXT }, { text: TEXT.toUpperCase() }] }
      const { body } = await service.ask('/api/appraisals/batch', { tier: 'enterprise', json })
      expectRead(body.data[0].result)
      expect(body.data[1].result.offer.condition).toBe('Fair')
    })

    test('at the counter', async () => {
      const { body } = await manager.post('/api/appraisals/preview', { lookup_id: null, text: TEXT })
      expectRead(body.data)
    })

    test('by an assistant', async () => {
      const client = await connectOverHttp(service.url, service.keys.enterprise)
      try {
        const { data } = await callTool(client, 'appraise_device', { text: TEXT })
        expect(data).toMatchObject({ condition: 'Fair', defects: ['cracked_back'] })
      } finally {
        await client.close()
      }
    })
  })

  test('a better condition that the request states is contradicted by a taught word', async () => {
    const { offer } = await appraise({ text: 'iPhone 13 128GB Katzenspuren', condition: 'Excellent' })
    expect([offer.condition, offer.decision]).toEqual(['Excellent', 'inspect'])
  })

  test('a negated taught word states nothing', async () => {
    const { read_from_text: read } = await appraise({ text: 'iPhone 13 128GB, ohne Katzenspuren', condition: 'Good' })
    expect(read.map(({ field }) => field)).not.toContain('condition')
  })

  test('a taught grade code is not read in a text, where it may name a device', async () => {
    const { read_from_text: read } = await appraise({ text: 'iPhone 13 128GB G' })
    expect(read.map(({ field }) => field)).not.toContain('condition')
  })

  test('another organization does not read them', async () => {
    const { id } = await service.app.auth.createOrganization('Other shop', OPERATOR, Date.now())
    const other = await member(service, id, 'manager')
    const { body } = await other.post('/api/appraisals/preview', { lookup_id: null, text: TEXT })
    expect(body.data.read_from_text).not.toContainEqual(READ_GRADE)
  })

  test('a forgotten word is not read in the next appraisal', async () => {
    await teach({ word: 'katzenspuren', forget: true })
    const { read_from_text: read } = await appraise({ text: TEXT })
    expect(read).not.toContainEqual(READ_GRADE)
    expect(read).toContainEqual(READ_DEFECT)
  })
})
