import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { jobStore } from '../../src/jobs/job-store.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { newDataDir } from '../support/program.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

type Owner = Awaited<ReturnType<typeof member>>

const part = (text: string, at = 0) => ({ at, content: Buffer.from(text).toString('base64') })
const PRICES = [
  'ad_title;px;zst;dtm;btr',
  'Apple iPhone 13 128GB;x;sahne;2026-07-01;389,00',
  'Apple iPhone 13 128GB;x;top;2026-07-02;360,00',
  'Apple iPhone 13 Ultra 128GB;x;top;2026-07-02;360,00',
  'Apple iPhone 13 128GB;x;top;someday;=360',
].join('\n')
const OPTIONS = {
  map: JSON.stringify({ model: 'ad_title', amount: 'btr', condition: 'zst', date: 'dtm' }),
  side: 'ask',
  currency: 'USD',
}
const GRADES = JSON.stringify({ sahne: 'Excellent', top: 'Good' })

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let service: TestService
  let owner: Owner
  let stopLeading: () => Promise<void>
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening, {}, { uploadLimitBytes: 9 * 1024 * 1024 })
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    owner = await member(service, service.organizationId, 'owner')
    stopLeading = service.app.startLeading()
  })
  afterAll(async () => {
    await stopLeading()
    await service.stop()
  })

  /** Uploads whose bytes are stored. */
  const contentLeft = async () => (await service.app.uploads.store.withContent()).map(({ id }) => id)
  /** Bytes are deleted after the upload is settled, not at the same time. */
  const contentIs = (ids: readonly string[]) =>
    waitUntil(async () => Bun.deepEquals(await contentLeft(), ids), {
      describe: `the bytes of ${ids.join(', ') || '(none)'}`,
    })

  async function sent(who: Owner, format: string, file: string, text: string): Promise<string> {
    const bytes = Buffer.byteLength(text)
    const started = await who.post('/api/manage/uploads', { format, file, bytes })
    expect(started.status, started.text).toBe(200)
    const { id } = started.body.data
    const response = await who.post(`/api/manage/uploads/${id}/parts`, part(text))
    expect(response.body).toMatchObject({ data: { received: bytes } })
    return id
  }

  /** The upload once no process works on it. Polls the database, because requests per address are limited. */
  async function settled(who: Owner, id: string) {
    const isSettled = async () => {
      const { state } = (await service.app.uploads.store.find(id)) ?? {}
      return state !== 'checking' && state !== 'running'
    }
    await waitUntil(isSettled, { describe: 'the upload to be settled' })
    return (await who.get(`/api/manage/uploads/${id}`)).body.data
  }

  async function checked(who: Owner, id: string, options: object) {
    const response = await who.send('PATCH', `/api/manage/uploads/${id}`, { action: 'check', options })
    expect(response.status, response.text).toBe(200)
    expect(response.body.data.state).toBe('checking')
    return settled(who, id)
  }

  async function imported(who: Owner, id: string) {
    const response = await who.send('PATCH', `/api/manage/uploads/${id}`, { action: 'run' })
    expect(response.status, response.text).toBe(200)
    return settled(who, id)
  }

  const trail = async () => {
    const { rows } = await accountsStore(service.app.db).auditTrail(service.organizationId, { limit: 100 })
    return rows.map(({ who, action, detail }) => ({ who, action, detail: JSON.parse(detail) }))
  }

  test('a price list is uploaded, previewed, corrected and imported, and its rejected rows can be downloaded', async () => {
    const id = await sent(owner, 'observations', 'C:\\ads\\../anzeigen.csv', PRICES)

    const first = await checked(owner, id, {})
    expect(first).toMatchObject({ state: 'checked', file: 'anzeigen.csv', run: null })
    expect(first.failure).toMatch(/^anzeigen\.csv does not say what its prices are, their currency, and the condition/)
    expect(first.preview.prices.columns).toEqual([
      { name: 'ad_title', field: 'model', examples: ['Apple iPhone 13 128GB', 'Apple iPhone 13 Ultra 128GB'] },
      { name: 'px', field: null, examples: ['x'] },
      { name: 'zst', field: null, examples: ['sahne', 'top'] },
      { name: 'dtm', field: null, examples: ['2026-07-01', '2026-07-02', 'someday'] },
      { name: 'btr', field: 'amount', examples: ['389,00', '360,00', '=360'] },
    ])
    expect((await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'run' })).status).toBe(400)

    const second = await checked(owner, id, OPTIONS)
    expect(second).toMatchObject({ failure: null, options: OPTIONS })
    expect(second.preview).toMatchObject({
      counts: { rows: 4, observations: 0, rejected: 4 },
      rejected_by: { condition_unknown: 2, unknown_model: 1, date_invalid: 1 },
      prices: {
        unknown_conditions: [
          { word: 'top', rows: 3 },
          { word: 'sahne', rows: 1 },
        ],
      },
    })

    const third = await checked(owner, id, { ...OPTIONS, condition: GRADES, profile: 'anzeigen' })
    expect(third.preview).toMatchObject({
      counts: { rows: 4, observations: 2, written: 0, rejected: 2 },
      unknown_models: [{ name: 'apple iphone 13 ultra 128gb', count: 1 }],
    })
    expect(third.preview.prices.rows[0]).toMatchObject({
      line: 2,
      problem: null,
      parsed: { device_id: 'apple-iphone-13', grade: 'Excellent', side: 'ask', cents: 38900, day: '2026-07-01' },
    })
    // So far only the upload itself was written.
    expect((await owner.get('/api/manage/imports')).body.data).toEqual([])
    expect((await owner.get('/api/manage/uploads')).body.data.profiles).toEqual([])

    const done = await imported(owner, id)
    expect(done).toMatchObject({
      state: 'ended',
      failure: null,
      run: { format: 'observations', state: 'done', file: 'anzeigen.csv', has_report: true },
    })
    expect(done.run.counts).toMatchObject({ rows: 4, observations: 2, written: 2, rejected: 2 })
    expect(done.run.summary.columns).toContainEqual({ name: 'ad_title', field: 'model' })
    expect(done.run.summary.terms).toContainEqual({ fact: 'side', value: 'ask', by: 'option', overrules: [] })
    await contentIs([])
    expect((await trail()).slice(0, 2)).toEqual([
      {
        who: owner.email,
        action: 'import.finished',
        detail: { format: 'observations', rows: '4', rejected: '2' },
      },
      { who: owner.email, action: 'import.started', detail: { format: 'observations', file: 'anzeigen.csv' } },
    ])

    const rejected = await owner.get(`/api/manage/imports/${done.run.id}/rejected`)
    expect(rejected.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(rejected.headers.get('content-disposition')).toBe('attachment; filename="rejected-observations.csv"')
    const lines = rejected.text.trim().split('\n')
    expect(lines[0]).toBe('Line,Reason,Detail,ad_title,px,zst,dtm,btr')
    expect(lines[1]).toMatch(/^4,.*,Apple iPhone 13 Ultra 128GB,x,top,2026-07-02,"360,00"$/)
    // As text: a spreadsheet would evaluate it as a formula otherwise.
    expect(lines[2]).toMatch(/^5,date is not valid,someday,.*,'=360$/)

    expect(done.run).toMatchObject({ can_undo: true, undone_at: null })
    const undone = await owner.send('POST', `/api/manage/imports/${done.run.id}/undo`)
    expect(undone.body.data).toEqual({ observations: 2, restored: 0, devices: 1 })
    expect((await owner.send('POST', `/api/manage/imports/${done.run.id}/undo`)).status).toBe(400)
    expect((await owner.send('POST', '/api/manage/imports/imp_unknown/undo')).status).toBe(404)
    const [run] = (await owner.get('/api/manage/imports')).body.data
    expect(run).toMatchObject({ id: done.run.id, can_undo: false, undone_at: expect.stringMatching(/^20/) })

    const { current, profiles } = (await owner.get('/api/manage/uploads')).body.data
    expect(current).toMatchObject({ id, state: 'ended' })
    expect(profiles).toEqual([{ name: 'anzeigen', options: { ...OPTIONS, condition: GRADES } }])
  })

  test('rejected rows are corrected and imported by themselves, and an assigned title is remembered', async () => {
    const list = [
      'title;price;condition;date',
      'Telefonas vienuolika pro 64;300;Good;2026-07-01',
      'iPhone 13 128GB;389;Good;2026-07-01',
    ]
    const options = { side: 'ask', currency: 'USD' }
    const title = 'telefonas vienuolika pro 64'
    const id = await sent(owner, 'observations', 'skelbimai.csv', list.join('\n'))
    const preview = await checked(owner, id, options)
    expect(preview.preview).toMatchObject({
      counts: { rows: 2, rejected: 1 },
      unknown_models: [{ name: title, count: 1 }],
    })
    expect(preview.preview.prices.effect).toMatchObject({
      text: expect.stringMatching(/prices/),
      is_large: expect.any(Boolean),
    })
    const first = await imported(owner, id)

    const { body, text } = await owner.post('/api/manage/uploads', { rejected_rows_of: first.run.id })
    expect(body.data, text).toMatchObject({ file: 'skelbimai.csv', options })
    await settled(owner, body.data.id)
    const again = await checked(owner, body.data.id, {
      ...options,
      assign: JSON.stringify({ [title]: 'Apple iPhone 11 Pro 64GB' }),
    })
    expect(again.preview.counts).toMatchObject({ rows: 1, observations: 1, rejected: 0 })
    expect((await imported(owner, body.data.id)).run.counts).toMatchObject({ rows: 1, written: 1 })

    const whole = await sent(owner, 'observations', 'skelbimai.csv', list.join('\n'))
    expect((await checked(owner, whole, options)).preview.counts).toMatchObject({
      rows: 2,
      observations: 2,
      rejected: 0,
    })
    expect((await owner.post('/api/manage/uploads', { rejected_rows_of: 'imp_unknown' })).status).toBe(404)
  })

  test('an identifier list is uploaded like any other, and a list that shrank needs a confirmation', async () => {
    const imeis = Array.from({ length: 8 }, (_, i) => `3569380356438${i}`)
    const whole = ['imei,reporting_date,status', ...imeis.map((imei) => `${imei},,`)].join('\n')
    const options = { list: 'uploaded' }
    const first = await sent(owner, 'lists', 'stolen.csv', whole)
    const preview = await checked(owner, first, options)
    expect(preview).toMatchObject({ failure: null, preview: { counts: { rows: 8, entries: 8 }, prices: null } })
    expect(preview.preview.notes).toContainEqual({
      message: 'Reports only: devices that are not on the list stay unverified.',
      reason_code: 'note_list_reports_only',
    })
    expect((await imported(owner, first)).run).toMatchObject({ state: 'done', counts: { entries: 8 } })

    const fewer = await sent(owner, 'lists', 'stolen.csv', whole.split('\n').slice(0, 3).join('\n'))
    expect((await checked(owner, fewer, options)).failure).toMatch(/from 8 to 2 identifiers, by more than 25 %/)
    expect(await checked(owner, fewer, { ...options, 'accept-shrink': 'yes' })).toMatchObject({ failure: null })
    expect((await imported(owner, fewer)).run).toMatchObject({ state: 'done', counts: { entries: 2, cleared: 6 } })
  })

  test('an uploaded list that clears may lose one percent; more needs a confirmation', async () => {
    const imeis = Array.from({ length: 100 }, (_, i) => `${35693803564000 + i},,`)
    const list = (count: number) => ['imei,reporting_date,status', ...imeis.slice(0, count)].join('\n')
    const options = { list: 'clearing', clears: 'yes', area: 'DE', 'max-age-days': '30' }
    const whole = await sent(owner, 'lists', 'stolen.csv', list(100))
    await checked(owner, whole, options)
    expect((await imported(owner, whole)).run).toMatchObject({ state: 'done', counts: { entries: 100 } })
    const fewer = await sent(owner, 'lists', 'stolen.csv', list(98))
    expect((await checked(owner, fewer, options)).failure).toMatch(/by more than 1 %/)
    expect(await checked(owner, fewer, { ...options, 'accept-shrink': 'yes' })).toMatchObject({ failure: null })
    expect((await imported(owner, fewer)).run).toMatchObject({ state: 'done', counts: { entries: 98, cleared: 2 } })
  })

  // Formats are recognised before the database is written to.
  if (store.name === 'SQLite') {
    test.each([
      ['observations', '{"hello":"world"}', /no column is recognised as a price/],
      ['observations', 'PK\u0003\u0004 an archive', /archive|unpack|text/i],
      ['lists', '{"hello":"world"}', /imei/],
      ['rates', '{"hello":"world"}', /currency|column/],
      ['catalogue', '{"hello":"world"}', /./],
      ['tac', '{"hello":"world"}', /./],
      ['repairs', '{"hello":"world"}', /./],
      ['open-repair', '{"hello":"world"}', /fault_type|column/],
      ['observations', `[${'['.repeat(50_000)}`, /./],
    ])('a file that is not a list of %s is rejected and not imported', async (format, text, says) => {
      const id = await sent(owner, format, 'hello.json', text)
      const { failure } = await checked(owner, id, {})
      expect(failure).toMatch(says)
      expect(failure).not.toMatch(/uploads\/|--\w/)
      expect((await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'run' })).status).toBe(400)
      expect((await owner.send('DELETE', `/api/manage/uploads/${id}`)).status).toBe(200)
      await contentIs([])
    })
  }

  describe('a file that is too large', () => {
    test('is rejected by its declared size before a byte is sent', async () => {
      const refused = await owner.post('/api/manage/uploads', {
        format: 'rates',
        file: 'x.csv',
        bytes: 9 * 1024 * 1024 + 1,
      })
      expect(refused.status).toBe(413)
      expect(refused.body.error.message).toBe('A list may have 9 MB at most.')
    })

    test('is rejected as soon as it exceeds the declared size, and the received part is deleted', async () => {
      const { id } = (await owner.post('/api/manage/uploads', { format: 'rates', file: 'x.csv', bytes: 10 })).body.data
      const path = `/api/manage/uploads/${id}/parts`
      expect((await owner.post(path, part('x'.repeat(11)))).status).toBe(413)
      expect((await owner.post(path, part('x'.repeat(700_003)))).status).toBe(400)
      expect((await owner.post(path, part('x'.repeat(1_000_000)))).status).toBe(413)
      expect((await owner.get(`/api/manage/uploads/${id}`)).body.data.received).toBe(0)
      expect((await owner.post(path, part('12345'))).body.data).toEqual({ received: 5 })
      // The same chunk again, as after a lost connection: the error names the next offset.
      const again = await owner.post(path, part('12345'))
      expect(again.body.error.message).toBe('The upload has 5 bytes so far; the next part begins there.')
      expect(
        (await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'check', options: {} })).body.error.message,
      ).toMatch(/upload is incomplete/)
      expect((await owner.post(path, part('67890', 5))).body.data.received).toBe(10)
    })
  })

  test('choosing another file deletes the first', async () => {
    const first = await sent(owner, 'rates', 'first.csv', 'currency,day,usd\n')
    const second = await sent(owner, 'rates', 'second.csv', 'currency,day,usd\n')
    await contentIs([second])
    expect((await settled(owner, first)).failure).toBe('Another file was chosen in its place.')
    await owner.send('DELETE', `/api/manage/uploads/${second}`)
  })

  describe('rejected uploads', () => {
    test.each([
      ['a path as id', '/api/manage/uploads/..%2f..%2fetc%2fpasswd/parts', { at: 0, content: '' }, 404],
      ['an unknown id', '/api/manage/uploads/upl_none/parts', { at: 0, content: '' }, 404],
      ['an unknown format', '/api/manage/uploads', { format: 'sql', file: 'x', bytes: 1 }, 400],
      ['an empty file', '/api/manage/uploads', { format: 'rates', file: 'x', bytes: 0 }, 400],
    ])('%s', async (_, path, body, status) => {
      expect((await owner.post(path, body)).status).toBe(status)
    })

    test('options that name a local file or that the format does not have', async () => {
      const id = await sent(owner, 'catalogue', 'devices.json', '[]')
      for (const options of [{ groups: '/etc/passwd' }, { 'make-column': 'x' }, { 'accept-shrink': 'yes' }]) {
        expect((await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'check', options })).status).toBe(400)
      }
      await owner.send('DELETE', `/api/manage/uploads/${id}`)
    })

    test('parts that are not base64 in JSON', async () => {
      const { id } = (await owner.post('/api/manage/uploads', { format: 'rates', file: 'x.csv', bytes: 1 })).body.data
      const path = `/api/manage/uploads/${id}/parts`
      expect((await owner.post(path, 'x', { 'Content-Type': 'application/octet-stream' })).status).toBe(415)
      expect((await owner.post(path, { at: 0, content: '%' })).status).toBe(400)
      await owner.send('DELETE', `/api/manage/uploads/${id}`)
    })

    test('requests of anyone but an owner of the operating organization', async () => {
      const id = await sent(owner, 'rates', 'rates.csv', 'currency,day,usd\nEUR,2026-07-01,1.09\n')
      const { organizationId } = await service.newOrganization('Tenant')
      const tenant = await member(service, organizationId, 'owner')
      const someone = await member(service, service.organizationId, 'manager')
      for (const who of [tenant, someone]) {
        const path = `/api/manage/uploads/${id}`
        expect((await who.send('PATCH', `${path}`, { action: 'check', options: {} })).status).toBe(403)
        expect((await who.send('PATCH', `${path}`, { action: 'run' })).status).toBe(403)
        expect((await who.send('DELETE', path)).status).toBe(403)
        expect((await who.post(`${path}/parts`, part('x'))).status).toBe(403)
        expect((await who.post('/api/manage/uploads', { format: 'rates', file: 'x', bytes: 1 })).status).toBe(403)
        expect((await who.get(`/api/manage/uploads/${id}`)).status).toBe(403)
        expect((await who.get('/api/manage/imports/imp_x/rejected')).status).toBe(403)
      }
      expect((await tenant.get('/api/manage/uploads')).status).toBe(403)
      expect((await tenant.get('/api/manage/imports')).text).not.toMatch(/stolen\.csv|anzeigen/)
      await owner.send('DELETE', `/api/manage/uploads/${id}`)
    })
  })

  test('one upload is read at a time, and a second one waits', async () => {
    const other = await member(service, service.organizationId, 'owner')
    const rows = Array.from({ length: 3_000 }, (_, i) => `EUR,20${String(10 + (i % 15))}-01-01,1.0${i % 9}`)
    const text = ['currency,day,usd', ...rows].join('\n')
    const [mine, theirs] = [
      await sent(owner, 'rates', 'mine.csv', text),
      await sent(other, 'rates', 'theirs.csv', text),
    ]
    const responses = await Promise.all([
      owner.send('PATCH', `/api/manage/uploads/${mine}`, { action: 'check', options: {} }),
      other.send('PATCH', `/api/manage/uploads/${theirs}`, { action: 'check', options: {} }),
    ])
    expect(responses.map(({ status, body }) => [status, body.data.state])).toEqual([
      [200, 'checking'],
      [200, 'checking'],
    ])
    expect(await settled(owner, mine)).toMatchObject({ state: 'checked', failure: null })
    expect(await settled(other, theirs)).toMatchObject({ state: 'checked', failure: null })
    for (const [who, id] of [
      [owner, mine],
      [other, theirs],
    ] as const)
      await who.send('DELETE', `/api/manage/uploads/${id}`)
  })

  test('the import and its audit entry are committed together or not at all', async () => {
    const id = await sent(owner, 'rates', 'rates.csv', 'currency,day,usd\nEUR,2026-07-01,1.09\n')
    await checked(owner, id, {})
    const { db } = service.app
    const rename = (from: string, to: string) =>
      db.transaction(async (tx) => {
        await tx.schema.alterTable(from).renameTo(to).execute()
      })
    await rename('audit_entry', 'audit_entry_elsewhere')
    const refused = await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'run' })
    await rename('audit_entry_elsewhere', 'audit_entry')
    expect(refused.status).toBe(500)
    expect((await owner.get(`/api/manage/uploads/${id}`)).body.data).toMatchObject({ state: 'checked', run: null })
    expect((await imported(owner, id)).run.state).toBe('done')
  })

  describe('without a leader', () => {
    const RATES = 'currency,day,usd\nEUR,2026-07-01,1.09\n'
    beforeAll(() => stopLeading())
    afterAll(() => {
      stopLeading = service.app.startLeading()
    })

    test('a queued check waits; stopping it ends it at once, and it can be checked again', async () => {
      const id = await sent(owner, 'rates', 'rates.csv', RATES)
      expect(
        (await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'check', options: {} })).body.data.state,
      ).toBe('checking')
      expect((await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'stop' })).status).toBe(200)
      expect((await owner.get(`/api/manage/uploads/${id}`)).body.data).toMatchObject({
        state: 'checked',
        failure: 'Stopped; nothing was written.',
      })
      const stop = service.app.startLeading()
      expect(await checked(owner, id, {})).toMatchObject({ state: 'checked', failure: null })
      await stop()
      await owner.send('DELETE', `/api/manage/uploads/${id}`)
    })

    test('an import that a killed leader left is finished by the next one, and three times at most', async () => {
      const id = await sent(owner, 'rates', 'rates.csv', RATES)
      let stop = service.app.startLeading()
      await checked(owner, id, {})
      await stop()
      await owner.send('PATCH', `/api/manage/uploads/${id}`, { action: 'run' })
      const jobs = jobStore(service.app.db)
      const { jobId } = await service.app.uploads.store.read(service.organizationId, id)
      // As left by two processes that were killed.
      for (let count = 0; count < 2; count++) await jobs.begin(jobId ?? '', Date.now())
      expect((await owner.get(`/api/manage/uploads/${id}`)).body.data.state).toBe('running')
      stop = service.app.startLeading()
      expect(await settled(owner, id)).toMatchObject({ state: 'ended', failure: null, run: { state: 'done' } })
      await contentIs([])
      await stop()

      const again = await sent(owner, 'rates', 'rates.csv', RATES)
      stop = service.app.startLeading()
      await checked(owner, again, {})
      await stop()
      await owner.send('PATCH', `/api/manage/uploads/${again}`, { action: 'run' })
      const upload = await service.app.uploads.store.read(service.organizationId, again)
      for (let count = 0; count < 3; count++) await jobs.begin(upload.jobId ?? '', Date.now())
      stop = service.app.startLeading()
      expect(await settled(owner, again)).toMatchObject({
        state: 'ended',
        failure: expect.stringMatching(/^Interrupted/),
      })
      await service.app.uploads.removeExpired(Date.now())
      await contentIs([])
      await stop()
    })

    test('a list that one machine received is imported by another, and its rejected rows are served by both', async () => {
      if (!opening.url) return
      const id = await sent(owner, 'rates', 'rates.csv', `${RATES}EUR,someday,1\n`)
      await using other = await startService({ url: opening.url, dataDir: newDataDir() })
      const stop = other.app.startLeading()
      expect(await checked(owner, id, {})).toMatchObject({ failure: null })
      const { run } = await imported(owner, id)
      await stop()
      expect(run).toMatchObject({ state: 'done', has_report: true, counts: { rejected: 1 } })
      expect((await owner.get(`/api/manage/imports/${run.id}/rejected`)).text).toContain('someday')
    })

    test('an upload that is not imported within a day is deleted', async () => {
      const id = await sent(owner, 'rates', 'rates.csv', RATES)
      await service.app.uploads.removeExpired(Date.now())
      await contentIs([id])
      await service.app.uploads.removeExpired(Date.now() + DAY_MS + 1)
      await contentIs([])
      expect((await settled(owner, id)).failure).toMatch(/not imported within a day/)
    })
  })

  test('only the organization that operates the service may upload, and the operator can change which one that is', async () => {
    const { organizationId } = await service.newOrganization('Next')
    await service.app.auth.setOperatorOrganization(organizationId, OPERATOR, Date.now())
    expect((await owner.get('/api/manage/uploads')).status).toBe(403)
    expect((await trail())[0]).toMatchObject({ action: 'organization.runs_service', detail: { runs: 'no' } })
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    expect((await owner.get('/api/manage/uploads')).status).toBe(200)
  })
})
