import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appraiseCommand } from '../../src/cli/appraise.ts'
import { member } from '../support/browser-session.ts'
import { runCommandOn } from '../support/command.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { startService, type TestService } from '../support/service.ts'

const REQUEST = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: Awaited<ReturnType<typeof store.open>>
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
  })
  afterAll(() => service.stop())

  /** Author of an appraisal as it is stored, and the audit entries about it, newest first. */
  async function stored(id: string) {
    const { body } = await service.ask(`/api/appraisals/${id}`, { tier: 'paid' })
    const entries = await service.app.db.query
      .selectFrom('audit_entry')
      .select(['who', 'action', 'detail'])
      .where('subject', '=', id)
      .orderBy('id', 'desc')
      .execute()
    return { author: body.data.created_by, entries }
  }

  test('an appraisal by an API key is stored with the key, in record, response and audit trail', async () => {
    const { body } = await service.ask('/api/appraisals', { tier: 'paid', json: REQUEST })
    expect(body.data.created_by).toMatchObject({ kind: 'key', id: expect.stringMatching(/^key_/) })
    const { author, entries } = await stored(body.data.appraisal_id)
    expect(author).toEqual(body.data.created_by)
    expect(entries).toMatchObject([{ action: 'appraisal.created', who: expect.stringContaining(author.id) }])
  })

  test('a lookup names who made it, in the response, the history and a batch', async () => {
    const clerk = await member(service, service.organizationId, 'clerk')
    const made = (await clerk.post('/api/imei', { identifier: '356938035643809' })).body.data
    expect(made.created_by).toMatchObject({ kind: 'person', name: expect.stringMatching(/^Person /) })
    const newest = await service.ask('/api/imei?limit=1', { tier: 'enterprise' })
    expect(newest.body.data[0].created_by).toEqual(made.created_by)
    const json = { items: [{ identifier: '356938035643809' }] }
    const batch = await service.ask('/api/imei/batch', { tier: 'enterprise', json })
    expect(batch.body.data[0].result.created_by).toMatchObject({ kind: 'key', id: expect.stringMatching(/^key_/) })
  })

  test('outcomes and share codes keep their first author when others change them', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const clerk = await member(service, service.organizationId, 'clerk')
    const { appraisal_id: id, created_by: author } = (await owner.post('/api/appraisals', REQUEST)).body.data
    const record = (by: typeof owner, outcome: object) => by.post(`/api/appraisals/${id}/outcome`, outcome)
    const bought = await record(owner, { status: 'bought', price: 20_000 })
    expect(bought.body.data.outcome.created_by).toEqual(author)
    const noted = await record(clerk, { status: 'bought', price: 20_000, note: 'Box is missing.' })
    expect(noted.body.data.outcome.created_by).toEqual(author)
    const sold = await record(clerk, { status: 'sold', price: 30_000 })
    expect(sold.body.data.outcome.created_by).toEqual(author)
    expect((await owner.get(`/api/appraisals/${id}`)).body.data.outcome.created_by).toEqual(author)
    const { share } = (await owner.post(`/api/appraisals/${id}/shares`, { facts: ['device'] })).body.data
    expect(share.created_by).toEqual(author)
    const { entries } = await stored(id)
    expect(entries.map(({ action, who }) => [action, who])).toEqual([
      ['appraisal.shared', owner.email],
      ['appraisal.outcome_recorded', clerk.email],
      ['appraisal.outcome_recorded', clerk.email],
      ['appraisal.outcome_recorded', owner.email],
      ['appraisal.created', owner.email],
    ])
  })

  test('an appraisal by a person is stored with the person', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const { appraisal_id: id, created_by: createdBy } = (await owner.post('/api/appraisals', REQUEST)).body.data
    expect(createdBy).toMatchObject({ kind: 'person', name: expect.stringMatching(/^Person /) })
    expect(await stored(id)).toMatchObject({
      author: createdBy,
      entries: [{ action: 'appraisal.created', who: owner.email }],
    })
  })

  test('a batch is stored with its author in every appraisal and one audit entry with their number', async () => {
    const items = [REQUEST, { variant_id: 'no-such' }, REQUEST]
    const { body } = await service.ask('/api/appraisals/batch', { tier: 'paid', json: { items } })
    const [first, , last] = body.data
    expect(last.result.created_by).toMatchObject({ kind: 'key' })
    const { author, entries } = await stored(first.result.appraisal_id)
    expect(author).toEqual(last.result.created_by)
    expect(entries).toMatchObject([{ action: 'appraisal.batch_created', detail: '{"appraisals":"2"}' }])
  })

  test('a batch without an appraisal leaves no audit entry', async () => {
    const count = async () => (await service.app.db.query.selectFrom('audit_entry').select('id').execute()).length
    const before = await count()
    await service.ask('/api/appraisals/batch', { tier: 'paid', json: { items: [{ variant_id: 'no-such' }] } })
    expect(await count()).toBe(before)
  })

  test('a tool call of MCP is stored with its key', async () => {
    const client = await connectOverHttp(service.url, service.keys.paid, 'auto')
    await callTool(client, 'appraise_device', REQUEST)
    await client.close()
    const newest = (await service.ask('/api/appraisals?limit=1', { tier: 'paid' })).body.data[0]
    expect(newest.created_by).toMatchObject({ kind: 'key' })
    expect((await stored(newest.appraisal_id)).entries).toMatchObject([{ action: 'appraisal.created' }])
  })

  test('a list on the command line is stored with the command', async () => {
    const file = join(opening.dataDir, 'authors.csv')
    writeFileSync(file, 'Make,Model,Capacity,Colour,Grade\nApple,iPhone 13,128GB,Midnight,Good\n')
    const { code, stdout } = await runCommandOn(opening, appraiseCommand, [
      file,
      '--org',
      service.organizationId,
      '--json',
    ])
    expect(code).toBe(0)
    const { result } = JSON.parse(stdout)
    expect(result.created_by).toEqual({ kind: 'command', id: 'command line', name: 'command line' })
    expect((await stored(result.appraisal_id)).entries).toMatchObject([
      { action: 'appraisal.created', who: expect.stringMatching(/^command line/) },
    ])
  })

  test('an agreed offer above the maximum has an audit entry of its own', async () => {
    const json = { ...REQUEST, agreed_offer: 90_000_00, confirm_amount: true }
    const { body } = await service.ask('/api/appraisals', {
      key: await service.newBuyer(service.organizationId),
      json,
    })
    const { entries } = await stored(body.data.appraisal_id)
    expect(entries.map(({ action }) => action).sort()).toEqual(['appraisal.created', 'appraisal.offer_above_maximum'])
    expect(entries.find(({ action }) => action === 'appraisal.offer_above_maximum')?.detail).toContain('$90,000.00')
  })
})
