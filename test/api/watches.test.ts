import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { storeSources } from '../support/stored-entries.ts'
import { waitUntil } from '../support/wait.ts'

const SOLD = '356938035643809'
const OTHER = '354178036859789'
const MIDNIGHT = 'apple-iphone-13-128gb-midnight'

type WatchEvent = { id: string; type: string; data: Record<string, unknown> }

/** A provider whose status of a device changes. */
let word = 'ok'
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => Response.json({ imei: new URL(request.url).pathname.slice(1), status: word }),
})
const SOURCE = {
  name: 'gsma',
  speaks_for: ['blacklist', 'gsma'],
  request: { url: `http://127.0.0.1:${provider.port}/{identifier}` },
  cache_minutes: 0,
  answer: {
    identifier: 'imei',
    facts: { gsma: { path: 'status', words: { ok: 'clean', blocked: 'blacklisted' } } },
  },
}
afterAll(() => {
  provider.stop(true)
})

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: DatabaseOptions
  let stopKeeping: () => Promise<void>
  beforeAll(async () => {
    opening = await store.open()
    await storeSources(opening, [SOURCE])
    service = await startService(opening, { SAMPLE_DATA: 'off' })
    stopKeeping = service.app.startLeading()
  })
  afterAll(async () => {
    await stopKeeping()
    await service.stop()
  })

  const watch = (json: unknown, key = service.keys.enterprise) => service.ask('/api/watches', { key, json })
  const list = (rows: string[]) =>
    importText(opening, 'lists', 'stolen.csv', `imei,reporting_date,status\n${rows.join('\n')}\n`)

  async function eventsAfter(after: string | null, key = service.keys.enterprise, more = ''): Promise<WatchEvent[]> {
    const { status, body } = await service.ask(`/api/events?limit=100${after ? `&after=${after}` : ''}${more}`, { key })
    expect(status).toBe(200)
    return body.data
  }
  async function newest(key = service.keys.enterprise): Promise<string | null> {
    return (await eventsAfter(null, key)).at(-1)?.id ?? null
  }
  async function awaitEvents(
    after: string | null,
    type: string,
    count = 1,
    key = service.keys.enterprise,
  ): Promise<WatchEvent[]> {
    const look = async () => {
      const seen = await eventsAfter(after, key, `&type=${type}`)
      return seen.length >= count ? seen : undefined
    }
    return waitUntil(look, { describe: `${count} events of type ${type}`, everyMs: 50 })
  }

  describe('a watch', () => {
    test('is created, listed to its organization only, and ended', async () => {
      const created = await watch({ identifier: '35 417803 685978 9', until: '2099-12-31', reference: 'sale-1' })
      expect(created.status).toBe(200)
      expect(created.body.data).toMatchObject({
        kind: 'identifier',
        identifier: '35 417803 685978 9',
        identifier_type: 'imei',
        until: '2099-12-31T23:59:59.999Z',
        reference: 'sale-1',
      })
      const { id } = created.body.data
      const stranger = await service.newOrganization('Stranger')
      const theirs = (path: string, method = 'GET') => service.ask(path, { key: stranger.keys.enterprise, method })
      expect((await theirs('/api/watches')).body.data).toEqual([])
      expect((await theirs(`/api/watches/${id}`, 'DELETE')).status).toBe(404)
      const mine = await service.ask('/api/watches?reference=sale-1', { tier: 'enterprise' })
      expect(mine.body.data).toEqual([created.body.data])
      const ended = await service.ask(`/api/watches/${id}`, { tier: 'enterprise', method: 'DELETE' })
      const { rows } = await service.app.auth.auditTrail(service.organizationId, { limit: 5 })
      expect(rows.filter(({ subject }) => subject === id)).toEqual([
        expect.objectContaining({ action: 'watch.ended', who: expect.stringMatching(/^API key .+ \(key_\w+\)$/) }),
        expect.objectContaining({ action: 'watch.created', who: expect.stringMatching(/^API key .+ \(key_\w+\)$/) }),
      ])
      expect(ended.body.data).toEqual(created.body.data)
      expect((await service.ask(`/api/watches/${id}`, { tier: 'enterprise', method: 'DELETE' })).status).toBe(404)
      expect((await service.ask('/api/watches?reference=sale-1', { tier: 'enterprise' })).body.data).toEqual([])
    })

    test('of the same subject and reference is the same watch, with the new end', async () => {
      const first = (await watch({ identifier: OTHER, reference: 'again' })).body.data
      const second = (await watch({ identifier: OTHER, reference: 'again', until: '2098-01-01' })).body.data
      expect(second).toEqual({ ...first, until: '2098-01-01T23:59:59.999Z' })
      expect((await watch({ identifier: OTHER, reference: 'other' })).body.data.id).not.toBe(first.id)
    })

    test('is listed by cursor without repeats or gaps', async () => {
      const { keys } = await service.newOrganization('Pages')
      const created: string[] = []
      for (let at = 0; at < 5; at++) {
        created.push((await watch({ identifier: OTHER, reference: `r${at}` }, keys.enterprise)).body.data.id)
      }
      const read: string[] = []
      for (let after = ''; ; ) {
        const { body } = await service.ask(`/api/watches?limit=2${after && `&after=${after}`}`, {
          key: keys.enterprise,
        })
        read.push(...body.data.map(({ id }: { id: string }) => id))
        after = body.meta.next_after
        if (!body.meta.has_next) break
      }
      expect(read).toEqual(created.sort())
    })

    describe('that is invalid is 400 with the field', () => {
      for (const [why, json, field] of [
        ['no subject', {}, 'identifier'],
        ['an impossible identifier', { identifier: '12' }, 'identifier'],
        ['a number', { identifier: 356938035643809 }, 'identifier'],
        ['an unknown type of identifier', { identifier: SOLD, identifier_type: 'vin' }, 'identifier_type'],
        ['two subjects', { identifier: SOLD, variant_id: MIDNIGHT }, 'variant_id'],
        ['an end in the past', { identifier: SOLD, until: '2020-01-01' }, 'until'],
        ['an end that is not a time', { identifier: SOLD, until: 'soon' }, 'until'],
        ['a long reference', { identifier: SOLD, reference: 'x'.repeat(101) }, 'reference'],
        ['a threshold for an identifier', { identifier: SOLD, threshold_percent: 5 }, 'threshold_percent'],
        ['a threshold of zero', { variant_id: MIDNIGHT, threshold_percent: 0 }, 'threshold_percent'],
        ['a list', [SOLD], 'body'],
      ] as const) {
        test(why, async () => {
          const { status, body } = await watch(json)
          expect(status).toBe(400)
          expect(body.error.details[0].field).toBe(field)
        })
      }
    })

    test('of an unknown variant is 404 with the nearest ids', async () => {
      const { status, body } = await watch({ variant_id: 'apple-iphone-13-64gb-midnight' })
      expect(status).toBe(404)
      expect(body.error.nearest_ids[0]).toBe(MIDNIGHT)
    })
  })

  describe('an invalid query for events is 400 with the parameter', () => {
    for (const [query, field] of [
      ['after=evt_1', 'after'],
      ['after=5', 'after'],
      ['type=everything', 'type'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=x', 'limit'],
    ] as const) {
      test(query, async () => {
        const { status, body } = await service.ask(`/api/events?${query}`, { tier: 'enterprise' })
        expect(status).toBe(400)
        expect(body.error.details[0].field).toBe(field)
      })
    }
  })

  test('each status change of a watched identifier creates an event, and nothing else does', async () => {
    const stranger = await service.newOrganization('Stranger')
    const { id } = (await watch({ identifier: SOLD, reference: 'sale-1077' })).body.data
    const after = await newest()
    const change = { source: 'registry', list: 'stolen', watch_id: id, reference: 'sale-1077', identifier: SOLD }
    expect((await list([`${OTHER},20260301,`, `${SOLD},20260301,pending`])).code).toBe(0)
    expect((await list([`${OTHER},20260301,`, `${SOLD},20260301,pending`])).code).toBe(0)
    expect((await list([`${OTHER},20260301,`, `${SOLD},20260301,blacklist`])).code).toBe(0)
    expect(
      (
        await importText(
          opening,
          'lists',
          'delta.csv',
          `imei,reporting_date,status,change_type\n${SOLD},20260301,,remove\n`,
        )
      ).code,
    ).toBe(0)
    const events = await eventsAfter(after, service.keys.enterprise, '&type=identifier.status_changed')
    expect(events.map(({ data }) => data).filter(({ watch_id }) => watch_id === id)).toEqual([
      {
        ...change,
        identifier_type: 'imei',
        change: 'listed',
        status_before: null,
        status_after: 'pending',
        message: expect.any(String),
      },
      {
        ...change,
        identifier_type: 'imei',
        change: 'changed',
        status_before: 'pending',
        status_after: 'blacklist',
        message: expect.any(String),
      },
      {
        ...change,
        identifier_type: 'imei',
        change: 'cleared',
        status_before: 'blacklist',
        status_after: null,
        message: expect.any(String),
      },
    ])
    expect(await eventsAfter(null, stranger.keys.enterprise, '&type=identifier.status_changed')).toEqual([])
    // Every organization gets an event for the import, without file or reason.
    const imports = await eventsAfter(after, stranger.keys.enterprise, '&type=import.finished')
    expect(imports.length).toBe(4)
    expect(imports[0]?.data).toMatchObject({ format: 'lists', state: 'done', counts: { rows: 2 } })
    expect(JSON.stringify(imports)).not.toContain('stolen.csv')
  })

  test('barring a type allocation code creates an event for every watched IMEI with it', async () => {
    const { id } = (await watch({ identifier: '861234050000017', reference: 'by tac' })).body.data
    const after = await newest()
    expect((await importText(opening, 'lists', 'tacs.csv', 'tac\n86123405\n')).code).toBe(0)
    const [event] = await awaitEvents(after, 'identifier.status_changed')
    expect(event?.data).toMatchObject({ watch_id: id, list: 'barred-tac', change: 'listed', status_after: 'barred' })
  })

  test('an ended watch creates no events', async () => {
    const after = await newest()
    const endedImei = '861234060000016'
    const { id } = (await watch({ identifier: endedImei, until: '2099-12-31' })).body.data
    const { db } = service.app
    await db.transaction((tx) => tx.updateTable('watch').set({ until: Date.now() }).where('id', '=', id).execute())
    expect((await importText(opening, 'lists', 'barred.csv', `imei\n${endedImei}\n`)).code).toBe(0)
    expect(await eventsAfter(after, service.keys.enterprise, '&type=identifier.status_changed')).toEqual([])
  })

  test('a changed status of a source creates an event that names the lookup', async () => {
    const imei = '490154203237518'
    const { id } = (await watch({ identifier: imei })).body.data
    const assess = () => service.ask('/api/imei', { tier: 'enterprise', json: { identifier: imei } })
    const after = await newest()
    await assess()
    word = 'blocked'
    await assess()
    await assess()
    const [event, ...more] = await awaitEvents(after, 'identifier.status_changed')
    expect(event?.data).toMatchObject({
      watch_id: id,
      source: 'gsma',
      list: null,
      change: 'listed',
      status_after: 'blacklisted',
    })
    expect(more).toEqual([])
  })

  test('a watched price creates one event per move', async () => {
    const fresh = { tier: 'public', name: 'till', expiresAt: null, rights: ['contribute'] } as const
    const key = (await service.app.auth.createKey(service.organizationId, fresh, OPERATOR, Date.now())).secret
    const { id, reference_price } = (await watch({ variant_id: MIDNIGHT, threshold_percent: 10, reference: 'stock' }))
      .body.data
    expect(reference_price).toBeGreaterThan(0)
    const after = await newest()
    async function sell(count: number, amount: number): Promise<void> {
      const observations = Array.from({ length: count }, (_, at) => ({
        listing_id: `sale-${amount}-${at}`,
        variant_id: MIDNIGHT,
        condition: 'Good',
        amount,
        observed_at: dayOf(Date.now() - DAY_MS),
      }))
      expect((await service.ask('/api/observations', { key, json: { observations } })).status).toBe(200)
    }
    await sell(30, reference_price * 2)
    const [event] = await awaitEvents(after, 'price.changed')
    expect(event?.data).toMatchObject({
      watch_id: id,
      variant_id: MIDNIGHT,
      previous_price: reference_price,
      condition: 'Good',
    })
    const { current_price: current = 0, change_percent } = (event?.data ?? {}) as {
      current_price?: number
      change_percent?: number
    }
    expect(change_percent).toBeCloseTo(((current - reference_price) / reference_price) * 100, 0)
    const priced = await service.ask(`/api/pricing?variant_id=${MIDNIGHT}`, { tier: 'paid' })
    expect(priced.body.data.resale.current.Good).toBe(current)
    const [own] = await awaitEvents(after, 'import.finished')
    expect(own?.data).toMatchObject({ format: 'observations', counts: { written: 30 } })
    await sell(100, reference_price * 3)
    const moves = await awaitEvents(after, 'price.changed', 2)
    expect(moves.map(({ data }) => data.previous_price)).toEqual([reference_price, current])
  })

  test('an appraisal creates an event for its organization in the same transaction', async () => {
    const after = await newest()
    const json = { variant_id: MIDNIGHT, condition: 'Good', reference: 'in-77' }
    const { body } = await service.ask('/api/appraisals', {
      tier: 'paid',
      json,
      headers: { 'Idempotency-Key': 'once' },
    })
    await service.ask('/api/appraisals', { tier: 'paid', json, headers: { 'Idempotency-Key': 'once' } })
    await service.ask('/api/appraisals/batch', { tier: 'paid', json: { items: [json, { variant_id: 'nothing' }] } })
    const events = await eventsAfter(after, service.keys.enterprise, '&type=appraisal.created')
    expect(events).toHaveLength(2)
    expect(events[0]?.data).toMatchObject({
      appraisal_id: body.data.appraisal_id,
      reference: 'in-77',
      decision: body.data.offer.decision,
    })
  })

  test("event ids do not show how many events other organizations have, nor is another organization's id a position", async () => {
    const [quiet, busy] = [await service.newOrganization('Quiet'), await service.newOrganization('Busy')]
    const appraise = async (key: string, count: number) => {
      const items = Array.from({ length: count }, () => ({ variant_id: MIDNIGHT, condition: 'Good' }))
      expect((await service.ask('/api/appraisals/batch', { key, json: { items } })).status).toBe(200)
    }
    await appraise(quiet.keys.paid, 1)
    await appraise(busy.keys.paid, 50)
    await appraise(quiet.keys.paid, 1)
    await appraise(busy.keys.paid, 1)
    const own = (events: WatchEvent[]) => events.filter(({ type }) => type === 'appraisal.created')
    const [first, second] = own(await eventsAfter(null, quiet.keys.enterprise))
    // Time and random bits only, no counter.
    for (const { id } of [first, second] as WatchEvent[]) expect(id).toMatch(/^evt_[0-9a-z]{25}$/)
    expect(first?.id.slice(13)).not.toBe(second?.id.slice(13))
    const busyIds = (await eventsAfter(null, busy.keys.enterprise)).map(({ id }) => id)
    expect(own(await eventsAfter(busyIds.at(-1) ?? null, quiet.keys.enterprise))).toHaveLength(2)
    // Guessed ids cannot probe positions in the events of all organizations.
    for (const guess of ['evt_0000000000001', 'evt_00000zzzz0001', 'evt_zzzzzzzzzzzzz']) {
      expect(own(await eventsAfter(guess, quiet.keys.enterprise))).toHaveLength(2)
    }
    expect(own(await eventsAfter(first?.id ?? null, quiet.keys.enterprise)).map(({ id }) => id)).toEqual([
      second?.id ?? '',
    ])
  })

  test('events are paged by id without repeats or gaps', async () => {
    const whole = await eventsAfter(null)
    const read: WatchEvent[] = []
    for (let after = ''; ; ) {
      const { body } = await service.ask(`/api/events?limit=3${after && `&after=${after}`}`, { tier: 'enterprise' })
      read.push(...body.data)
      after = body.meta.next_after
      if (!body.meta.has_next) break
    }
    expect(read).toEqual(whole)
    expect(whole.length).toBeGreaterThan(5)
    expect(whole.map(({ id }) => id)).toEqual(whole.map(({ id }) => id).toSorted())
  })

  test('a key that expires within a week creates one event', async () => {
    await using service = await startService(await store.open())
    const expiringKeys = async () => {
      const { body } = await service.ask('/api/events?type=key.expiring', { tier: 'enterprise' })
      return body.data.map(({ data }: WatchEvent) => [data.name, data.tier])
    }
    for (const [at, name] of ['ending', 'ending too'].entries()) {
      const key = { tier: 'paid', name, expiresAt: Date.now() + 3 * DAY_MS } as const
      await service.app.auth.createKey(service.organizationId, key, OPERATOR, Date.now())
      const stop = service.app.startLeading()
      try {
        // The check that finds the first key again also reports the second one.
        await waitUntil(async () => (await expiringKeys()).length > at, { describe: `the end of the key "${name}"` })
      } finally {
        await stop()
      }
    }
    expect(await expiringKeys()).toEqual([
      ['ending', 'paid'],
      ['ending too', 'paid'],
    ])
  })
})
