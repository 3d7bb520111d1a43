import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { failRun, listNewestRuns, startRun } from '../../src/import/import-run-store.ts'
import { forgetObservations, listObservationOrigins } from '../../src/import/prices/observation-removal-store.ts'
import { NO_RATE } from '../../src/import/prices/price-row.ts'
import { INTERRUPTED } from '../../src/jobs/job-store.ts'
import { sortableId } from '../../src/lib/id.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const MIDNIGHT = 'apple-iphone-13-128gb-midnight'
const yesterday = dayOf(Date.now() - DAY_MS)
const deal = (listing: string, more: object = {}) => ({
  listing_id: listing,
  variant_id: MIDNIGHT,
  condition: 'Good',
  amount: 30_000,
  observed_at: yesterday,
  ...more,
})

onDatabaseOfSuite((store) => {
  let service: TestService
  let key: string
  beforeAll(async () => {
    service = await startService(await store.openFull(), { SAMPLE_DATA: 'off' })
    key = await contributorOf(service.organizationId)
  })
  afterAll(() => service.stop())

  async function contributorOf(organizationId: string): Promise<string> {
    const fresh = { tier: 'public', name: 'till', expiresAt: null, rights: ['contribute'] } as const
    return (await service.app.auth.createKey(organizationId, fresh, OPERATOR, Date.now())).secret
  }
  const send = (rows: unknown, by = key) => service.ask('/api/observations', { key: by, json: { observations: rows } })
  const priceOf = async (variant: string) =>
    (await service.ask(`/api/pricing?variant_id=${variant}`, { tier: 'paid' })).body.data

  async function until<T>(look: () => Promise<T>, good: (seen: T) => boolean): Promise<T> {
    const { seen } = await waitUntil(
      async () => {
        const seen = await look()
        return good(seen) ? { seen } : undefined
      },
      { describe: 'the new observations', everyMs: 50 },
    )
    return seen
  }

  for (const by of ['source', 'import'] as const) {
    test(`observations of one ${by} can be removed, and the price returns to its value without them`, async () => {
      const { db } = service.app
      const kept = Array.from({ length: 20 }, (_, at) => deal(`kept-${by}-${at}`, { amount: 50_000 + at * 10 }))
      expect((await send(kept)).body.data).toMatchObject({ written: 20 })
      const seen = async (rows: number) =>
        until(
          () => priceOf(MIDNIGHT),
          ({ data_points }) => data_points === rows,
        )
      const before = await seen(20)
      const organizationId =
        by === 'source' ? (await service.app.auth.createOrganization('Poison', OPERATOR, Date.now())).id : null
      const contributor = organizationId === null ? key : await contributorOf(organizationId)
      if (organizationId) await service.app.auth.setCommonSource(organizationId, true, OPERATOR, Date.now())
      const poison = Array.from({ length: 40 }, (_, at) => deal(`poison-${by}-${at}`, { amount: 60_000 + at }))
      const { run_id } = (await send(poison, contributor)).body.data
      // Outliers are not counted, so the number is not simply the sum.
      const during = await until(
        () => priceOf(MIDNIGHT),
        ({ data_points }) => data_points !== 20,
      )
      expect(during.resale.current.Good).toBeGreaterThan(before.resale.current.Good)

      const origins = await listObservationOrigins(db)
      expect(origins.find(({ importId }) => importId === run_id)).toMatchObject({
        source: organizationId ?? service.organizationId,
        observations: 40,
      })
      const target = organizationId === null ? { importId: run_id } : { source: organizationId }
      expect(await forgetObservations(db, target, OPERATOR, Date.now())).toMatchObject({ observations: 40, devices: 1 })
      expect((await seen(20)).resale.current).toEqual(before.resale.current)
      const entry = await db.query
        .selectFrom('audit_entry')
        .select(['action', 'detail'])
        .where('action', '=', 'observations.forgotten')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      expect(JSON.parse(entry.detail)).toEqual({ kind: by, observations: '40', restored: '0', devices: '1' })

      await forgetObservations(db, { source: service.organizationId }, OPERATOR, Date.now())
      await seen(0)
      const nothing = forgetObservations(db, { importId: 'imp_unknown' }, OPERATOR, Date.now())
      await expect(nothing).rejects.toMatchObject({ code: 'not_found' })
    })
  }

  test('deals change the served price and are recorded as a run', async () => {
    const before = await priceOf(MIDNIGHT)
    expect(before).toMatchObject({ data_points: 0 })
    const rows = Array.from({ length: 30 }, (_, at) => deal(`sale-${at}`, { amount: 61_000 + at * 10 }))
    const { status, body } = await send(rows)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ rows: 30, accepted: 30, written: 30, rejected: 0, rejected_by: {} })
    expect(body.data.results[3]).toEqual({
      index: 3,
      accepted: true,
      listing_id: 'sale-3',
      device_id: 'apple-iphone-13',
      variant_id: MIDNIGHT,
      condition: 'Good',
    })
    const after = await until(
      () => priceOf(MIDNIGHT),
      ({ data_points }) => data_points > 0,
    )
    expect(after.data_points).toBe(30)
    expect(after.resale.source).toBe('market')
    expect(after.resale.current.Good).toBeGreaterThan(before.resale.current.Good)
    const runs = await listNewestRuns(service.app.db, 20)
    expect(runs.find(({ id }) => id === body.data.run_id)).toMatchObject({
      format: 'observations',
      file: `contributed by ${service.organizationId}`,
      state: 'done',
      counts: { rows: 30, observations: 30, written: 30, rejected: 0 },
    })
  })

  test("another organization's owner sees neither the run of a contribution nor how many rows it had", async () => {
    const { body } = await send([deal('private-1', { amount: 0 })])
    const contributor = await member(service, service.organizationId, 'owner')
    const { organizationId } = await service.newOrganization('Neighbour')
    const neighbour = await member(service, organizationId, 'owner')
    expect((await contributor.get('/api/manage/imports')).text).toContain(body.data.run_id)
    expect((await neighbour.get('/api/manage/imports')).text).not.toContain(body.data.run_id)
  })

  test('removed prices of an organization are in its own audit trail and that of the operator only', async () => {
    const [contributor, neighbour, operator] = await Promise.all(
      ['Contributor', 'Neighbour', 'Operator'].map(
        async (name) => (await service.newOrganization(name)).organizationId,
      ),
    )
    if (!contributor || !neighbour || !operator) throw new Error('no organizations')
    await service.app.auth.setOperatorOrganization(operator, OPERATOR, Date.now())
    const by = await contributorOf(contributor)
    const importId = (await send([deal('removed-1')], by)).body.data.run_id
    await forgetObservations(service.app.db, { importId }, OPERATOR, Date.now())
    await send([deal('removed-2')], by)
    await forgetObservations(service.app.db, { source: contributor }, OPERATOR, Date.now())
    const removals = async (organizationId: string) =>
      (await service.app.auth.auditTrail(organizationId, { limit: 50 })).rows
        .filter(
          ({ action, subject }) => action === 'observations.forgotten' && [importId, contributor].includes(subject),
        )
        .map(({ subject }) => subject)
    expect(await removals(contributor)).toEqual([contributor, importId])
    expect(await removals(operator)).toEqual([contributor, importId])
    expect(await removals(neighbour)).toEqual([])
  })

  test("another organization's owner sees neither a running import nor that it was interrupted", async () => {
    const { organizationId } = await service.newOrganization('Beside')
    const neighbour = await member(service, organizationId, 'owner')
    const owner = await member(service, service.organizationId, 'owner')
    const startedAt = Date.now()
    const id = sortableId('imp', startedAt)
    const { db } = service.app
    const run = { id, format: 'observations', file: 'prices.csv', startedAt, organizationId: service.organizationId }
    await startRun(db, run)
    expect((await owner.get('/api/manage/imports')).text).toContain(id)
    expect((await neighbour.get('/api/manage/imports')).text).not.toContain(id)
    await failRun(db, id, Date.now(), INTERRUPTED)
    expect((await neighbour.get('/api/manage/imports')).text).not.toContain(id)
    const event = await db.query
      .selectFrom('event')
      .select('organization_id')
      .where('data', 'like', `%${id}%`)
      .executeTakeFirst()
    expect(event).toEqual({ organization_id: service.organizationId })
  })

  test('a contribution is in the audit trail, with the rows that lie far outside the price range', async () => {
    const galaxy = 'apple-iphone-14-128gb-blue'
    const { body } = await send([
      deal('audit-1', { variant_id: galaxy }),
      deal('audit-2', { variant_id: galaxy, amount: 500_000, confirm_amount: true }),
    ])
    const { rows } = await service.app.auth.auditTrail(service.organizationId, { limit: 50 })
    const entry = rows.find(({ subject }) => subject === body.data.run_id)
    expect(entry?.action).toBe('observations.contributed')
    expect(JSON.parse(entry?.detail ?? '{}')).toMatchObject({ rows: '2', written: '2', quarantined: '1' })
    const { data_points } = await until(
      () => priceOf(galaxy),
      (seen) => seen.data_points > 0,
    )
    expect(data_points).toBe(1)
  })

  test('sending the same request again changes nothing, and a corrected deal replaces the old one', async () => {
    const pixel = 'google-pixel-8-128gb-obsidian'
    const ofPixel = { variant_id: pixel, amount: 26_000 }
    const rows = [deal('pixel-1', ofPixel), deal('pixel-2', ofPixel)]
    expect((await send(rows)).body.data.written).toBe(2)
    expect((await send(rows)).body.data).toMatchObject({ accepted: 2, written: 0 })
    const corrected = deal('pixel-2', { ...ofPixel, amount: 27_000 })
    expect((await send([corrected, corrected])).body.data).toMatchObject({ accepted: 2, written: 1 })
    const { data_points } = await until(
      () => priceOf(pixel),
      (seen) => seen.data_points > 0,
    )
    expect(data_points).toBe(2)
  })

  test("another organization's deal with the same number is a separate deal", async () => {
    const other = await service.newOrganization('Other shop')
    const theirs = await contributorOf(other.organizationId)
    expect((await send([deal('own-1')])).body.data.written).toBe(1)
    expect((await send([deal('own-1')], theirs)).body.data.written).toBe(1)
  })

  test('a title is matched as in an import, and each rejected row has a reason', async () => {
    const titled = { variant_id: undefined, title: 'iphone 13 128gb midnight unlocked' }
    const { body } = await send([
      deal('t-1', titled),
      deal('t-2', { ...titled, title: 'case for iphone 13' }),
      deal('t-3', { variant_id: 'no-such-variant' }),
      deal('t-4', { condition: 'iCloud locked' }),
      deal('t-5', { amount: 90_000_000 }),
      deal('t-6', { amount: 12.5 }),
      deal('t-7', { observed_at: 'yesterday' }),
      deal('t-8', { observed_at: dayOf(Date.now() + 2 * DAY_MS) }),
      deal('t-9', { currency: 'XTS' }),
      'not_a_row',
      null,
      deal('', {}),
    ])
    expect(body.data).toMatchObject({ rows: 12, accepted: 1, rejected: 11 })
    expect(body.data.results.map(({ reason }: { reason?: string }) => reason ?? 'accepted')).toEqual([
      'accepted',
      'accessory',
      'unknown_variant',
      'locked',
      'amount_out_of_range',
      'value_invalid',
      'value_invalid',
      'date_in_future',
      NO_RATE,
      'value_invalid',
      'value_invalid',
      'value_invalid',
    ])
    expect(body.data.results[0].variant_id).toBe(MIDNIGHT)
    expect(body.data.results[4].detail).toMatch(
      /^\$900,000.00; expected \$[\d,.]+ to \$[\d,.]+ \(minor units: \d+ is \$/,
    )
    expect(body.data.results[5].detail).toContain('12.5')
  })

  describe('a key without the right', () => {
    for (const tier of ['public', 'paid', 'enterprise'] as const) {
      test(`of the ${tier} tier is 403 before the body is read`, async () => {
        const { status, body } = await service.ask('/api/observations', { tier, json: { observations: [deal('x')] } })
        expect(status).toBe(403)
        expect(body.error.message).toContain('right to contribute')
      })
    }
  })

  test('the successor of a key keeps its rights', async () => {
    const [keyWithRights] = (await service.app.auth.keys(service.organizationId)).filter(
      ({ rights }) => rights.length > 0,
    )
    const { secret } = await service.app.auth.rotateKey(
      service.organizationId,
      keyWithRights?.id ?? '',
      1,
      OPERATOR,
      Date.now(),
    )
    expect((await send([deal('rotated')], secret)).status).toBe(200)
  })

  describe('an invalid body is 400 with the field', () => {
    for (const [why, json] of [
      ['an empty object', {}],
      ['an empty list', { observations: [] }],
      ['too many rows', { observations: Array(1_001).fill(deal('x')) }],
      ['a bare list', [deal('x')]],
    ] as const) {
      test(why, async () => {
        const { status, body } = await service.ask('/api/observations', { key, json })
        expect(status).toBe(400)
        expect(body.error.details[0].field).toBe('observations')
      })
    }
  })
})
