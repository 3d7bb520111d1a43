import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { storeSources } from '../support/stored-entries.ts'
import { waitUntil } from '../support/wait.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A provider that responds, and one that accepts connections and never responds. */
let calls = 0
const answering = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    calls++
    const imei = new URL(request.url).pathname.slice(1)
    const status = imei.startsWith('4901') ? 'blocked' : 'ok'
    return Response.json({
      imei,
      status,
      lock: imei.endsWith('8') ? 'yes' : 'no',
      carrier: '=Alpha',
      ref: `chk ${imei}`,
    })
  },
})
/** Whether the silent provider closes every connection, which ends all lookups that wait for it. */
let isBreakingOff = false
const held = new Set<Socket>()
const silent = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('close', () => held.delete(socket))
  held.add(socket)
  if (isBreakingOff) socket.destroy()
})
await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
const silentPort = (silent.address() as { port: number }).port
closing.push(
  () => answering.stop(true),
  () => silent.close(),
)

const speaking = {
  name: 'gsma',
  speaks_for: ['blacklist', 'gsma', 'carrier_lock'],
  request: { url: `http://127.0.0.1:${answering.port}/{identifier}` },
  answer: {
    identifier: 'imei',
    evidence_id: 'ref',
    facts: {
      blacklist: { path: 'status', words: { ok: 'clean', blocked: 'blacklisted' } },
      gsma: { path: 'status', words: { ok: 'clean', blocked: 'blacklisted' } },
      carrier_lock: { path: 'lock', words: { yes: 'locked', no: 'unlocked' } },
      carrier_name: { path: 'carrier' },
    },
  },
}
const hanging = {
  name: 'carrier',
  request: { url: `http://127.0.0.1:${silentPort}/{identifier}` },
  answer: {},
  timeout_ms: 800,
  breaker: { failures: 1_000, pause_ms: 1_000 },
}

onDatabaseOfSuite((store) => {
  describe('a provider that responds', () => {
    let service: TestService
    const assess = async (identifier: string) =>
      (await service.ask('/api/imei', { tier: 'enterprise', json: { identifier } })).body.data
    beforeAll(async () => {
      const opening = await store.open()
      await storeSources(opening, [speaking])
      service = await startService(opening)
    })
    afterAll(() => service.stop())

    test('clears the statuses it covers, and the second lookup comes from the cache', async () => {
      const first = await assess('356938035643809')
      expect(first).toMatchObject({
        blacklist_status: 'clean',
        gsma_status: 'clean',
        ctia_status: 'unknown',
        carrier_lock: 'unlocked',
        carrier_name: '=Alpha',
        source: 'gsma',
        freshness: 'real-time',
        cache_age_minutes: null,
      })
      const before = calls
      const second = await assess('35-693803-564380-9')
      expect(second).toMatchObject({ source: 'gsma', freshness: 'cached', cache_age_minutes: 0, gsma_status: 'clean' })
      expect(second.lookup_id).not.toBe(first.lookup_id)
      expect(calls).toBe(before)
    })

    test('blacklists, and names itself in the reason', async () => {
      expect(await assess('490154203237518')).toMatchObject({
        blacklist_status: 'blacklisted',
        gsma_status: 'blacklisted',
        carrier_lock: 'locked',
        risk_factors: expect.arrayContaining([
          expect.objectContaining({ code: 'blacklisted', points: 70, source: 'gsma' }),
          expect.objectContaining({ code: 'carrier_locked', points: 10, source: 'gsma' }),
        ]),
      })
    })

    test('its reference of the check is in the response, the replay, the history, the export and the receipt', async () => {
      const identifier = '356938035643817'
      const request = { tier: 'enterprise', json: { identifier }, headers: { 'Idempotency-Key': 'evidence' } } as const
      const first = (await service.ask('/api/imei', request)).body.data
      const evidence = [{ source: 'gsma', evidence_id: `chk ${identifier}`, checked_at: first.timestamp }]
      expect(first.evidence).toEqual(evidence)
      const replayed = await service.ask('/api/imei', request)
      expect(replayed.headers.get('Idempotency-Replayed')).toBe('true')
      expect(replayed.body.data).toEqual(first)
      // From the cache: the reference and the time of the check behind it.
      const cached = await assess(identifier)
      expect(cached).toMatchObject({ freshness: 'cached', evidence: [{ evidence_id: `chk ${identifier}` }] })
      expect(Math.abs(Date.parse(cached.evidence[0].checked_at) - Date.parse(first.timestamp))).toBeLessThan(60_000)
      const history = await service.ask(`/api/imei?identifier=${identifier}`, { tier: 'enterprise' })
      expect(history.body.data[1]).toEqual(first)
      const owner = await member(service, service.organizationId, 'owner')
      const csv = await owner.get(`/api/imei?format=csv&identifier=${identifier}`)
      expect(csv.text).toContain(`gsma chk ${identifier}`)
      expect((await owner.get('/api/imei?format=csv&language=pl')).text).toContain('ID sprawdzenia;')
      const json = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good', identifier }
      const appraisal = (await service.ask('/api/appraisals', { tier: 'enterprise', json })).body.data
      expect(appraisal.risk.evidence).toMatchObject([{ source: 'gsma', evidence_id: `chk ${identifier}` }])
      const shares = `/api/appraisals/${appraisal.appraisal_id}/shares`
      const { url } = (await owner.post(shares, { facts: ['check'] })).body.data
      expect((await owner.get(new URL(url).pathname)).text).toContain(`gsma chk ${identifier}`)
    })

    test('does not clear an identifier with a wrong check digit', async () => {
      expect(await assess('356938035643801')).toMatchObject({ blacklist_status: 'unknown', gsma_status: 'unknown' })
    })

    test('is not queried for a sandbox identifier or a serial number', async () => {
      const before = calls
      expect((await assess('100000010000015')).source).toBe('sandbox')
      expect((await assess('C8QH6T96DPNG')).source).toBe('none')
      expect(calls).toBe(before)
    })

    test('old lookups are deleted by age and subtracted from the count', async () => {
      const records = lookupStore(service.app.db)
      const { meta } = (await service.ask('/api/imei', { tier: 'enterprise' })).body
      expect(meta.total).toBeGreaterThan(3)
      expect(await records.deleteLookupsBefore(Date.now() - 60_000)).toBe(0)
      expect(await records.deleteLookupsBefore(Date.now() + 60_000)).toBe(meta.total)
      expect((await service.ask('/api/imei', { tier: 'enterprise' })).body).toMatchObject({
        data: [],
        meta: { total: 0 },
      })
    })
  })

  describe('a provider that hangs', () => {
    let service: TestService
    beforeAll(async () => {
      isBreakingOff = false
      const opening = await store.open()
      await storeSources(opening, [speaking, hanging])
      service = await startService(opening)
    })
    afterAll(() => service.stop())

    test('is shown to owners with the start of the outage until it responds again', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const someone = await member(service, service.organizationId, 'manager')
      const attention = async (who: typeof owner) => (await who.get('/api/manage/attention')).body.data
      expect(await attention(owner)).toEqual([])
      const before = Date.now()
      const pendingLookups = ['356938035643809', '490154203237518', '353270070683190'].map((identifier) =>
        service.ask('/api/imei', { tier: 'enterprise', json: { identifier } }),
      )
      await Promise.all(pendingLookups)
      const [notice, ...others] = await attention(owner)
      expect(others).toEqual([])
      expect(notice).toMatchObject({ kind: 'source_down', subject: 'carrier' })
      expect(Date.parse(notice.at)).toBeGreaterThanOrEqual(before)
      expect(await attention(someone)).toEqual([])
    })

    test('costs only its own facts and delays no other request', async () => {
      const opening = await store.open()
      await storeSources(opening, [speaking, { ...hanging, timeout_ms: 10_000 }])
      await using patient = await startService(opening)
      let responseCount = 0
      const lookups = Promise.all(
        Array.from({ length: 30 }, async (_, at) => {
          const json = { identifier: String(35_693_803_000_000 + at) }
          const response = await patient.ask('/api/imei', { tier: 'enterprise', json })
          responseCount++
          return response
        }),
      )
      await waitUntil(() => held.size > 0, { describe: 'a connection to the provider that hangs' })
      for (let at = 0; at < 20; at++) {
        expect((await patient.ask('/api/devices?limit=1', { tier: 'public' })).status).toBe(200)
      }
      expect(responseCount).toBe(0)
      isBreakingOff = true
      for (const socket of held) socket.destroy()
      for (const { status, body } of await lookups) {
        expect(status).toBe(200)
        expect(body.data).toMatchObject({ source: 'gsma', blacklist_status: 'clean' })
        expect(body.data.risk_factors).toContainEqual(
          expect.objectContaining({ code: 'source_unavailable', source: 'carrier', points: 10 }),
        )
      }
      expect(patient.logged()).toContain('a source failed')
      expect(patient.logged()).toContain('35693803••••')
      expect(patient.logged()).not.toContain('35693803000')
    })
  })
})
