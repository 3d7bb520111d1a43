import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothDatabases } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onBothDatabases((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  async function spoil(table: 'lookup' | 'appraisal' | 'idempotency'): Promise<void> {
    await service.app.db.transaction(async (tx) => {
      await tx.updateTable(table).set({ response: '{"lookup_id":"lkp_1","identi' }).execute()
    })
  }

  const lookUp = (headers: Record<string, string> = {}) =>
    service.ask('/api/imei', { tier: 'enterprise', json: { identifier: '490154203237518' }, headers })
  const fails = { status: 500, body: { success: false, error: { code: 'INTERNAL_ERROR' } } }

  test('a corrupt lookup fails only the page that contains it', async () => {
    expect((await lookUp()).status).toBe(200)
    await spoil('lookup')
    expect(await service.ask('/api/imei', { tier: 'enterprise' })).toMatchObject(fails)
    expect((await lookUp()).status).toBe(200)
    expect((await service.ask('/api/imei?limit=1', { tier: 'enterprise' })).status).toBe(200)
  })

  test('a corrupt appraisal fails only the page that contains it', async () => {
    const json = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
    const appraisal = await service.ask('/api/appraisals', { tier: 'enterprise', json })
    expect(appraisal.status).toBe(200)
    await spoil('appraisal')
    expect(await service.ask('/api/appraisals', { tier: 'enterprise' })).toMatchObject(fails)
    const { appraisal_id: id } = appraisal.body.data
    expect(await service.ask(`/api/appraisals/${id}`, { tier: 'enterprise' })).toMatchObject(fails)
  })

  test('a corrupt stored response of an idempotency key is not replayed', async () => {
    expect((await lookUp({ 'Idempotency-Key': 'once' })).status).toBe(200)
    await spoil('idempotency')
    expect(await lookUp({ 'Idempotency-Key': 'once' })).toMatchObject(fails)
    expect((await lookUp({ 'Idempotency-Key': 'another' })).status).toBe(200)
  })
})
