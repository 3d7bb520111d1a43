import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceSettingsWire } from '../../src/contract/service-settings.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startMailServer } from '../support/mail-server.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const IMEI = '356938035643809'
const SECRET = 'Bearer top-secret-token'

/** A registry and a list of rates; both require the secret. */
const outside = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/token') return Response.json({ access_token: SECRET.slice('Bearer '.length), expires_in: 60 })
    if (request.headers.get('authorization') !== SECRET) return new Response('no', { status: 401 })
    if (pathname === '/rates.csv') return new Response('day,currency,usd\n2026-11-01,VND,0.00004\n')
    return Response.json({ imei: pathname.slice(1), status: 'ok' })
  },
})
afterAll(() => outside.stop(true))

const source = (change: object = {}) => ({
  name: 'registry-x',
  speaks_for: ['blacklist'],
  request: { url: `http://127.0.0.1:${outside.port}/{identifier}` },
  answer: { identifier: 'imei', facts: { blacklist: { path: 'status', words: { ok: 'clean' } } } },
  retries: 0,
  ...change,
})
const feed = { format: 'rates', url: `http://127.0.0.1:${outside.port}/rates.csv`, schedule: '0 3 * * *' }

onDatabaseOfSuite((store) => {
  let service: TestService
  /** Another process on the same database. */
  let other: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let elsewhere: Awaited<ReturnType<typeof member>>
  let dataDir: string
  beforeAll(async () => {
    const options = await store.open()
    dataDir = options.dataDir
    service = await startService(options)
    other = await startService(options)
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    const email = `operator-${Date.now()}@example.test`
    owner = await member(service, service.organizationId, 'owner', email)
    elsewhere = await member(other, service.organizationId, 'owner')
  })
  afterAll(async () => {
    await other.stop()
    await service.stop()
  })

  const read = async (by = owner): Promise<ServiceSettingsWire> => (await by.get('/api/manage/service')).body.data
  const setting = async (name: string, by = owner) => (await read(by)).settings.find((each) => each.name === name)
  const change = (name: string, value: string | null) => owner.send('PATCH', '/api/manage/service', { [name]: value })
  const putSource = (definition: object, secrets: object = {}, name = 'registry-x') =>
    owner.send('PUT', `/api/manage/service/sources/${name}`, { definition, ...secrets })
  const putFeed = (name: string, body: object) => owner.send('PUT', `/api/manage/service/feeds/${name}`, body)
  const remove = (path: string) => owner.send('DELETE', `/api/manage/service/${path}`)
  const testSource = (body: object) => owner.post('/api/manage/service/sources/test', body)
  const settled = (describe: string, isSo: () => Promise<boolean>) => waitUntil(isSo, { describe, everyMs: 250 })
  const activity = async () => JSON.stringify((await owner.get('/api/manage/audit')).body.data)

  test('retention changes at once in every process, is audited and can be reset', async () => {
    expect(await setting('LOOKUP_RETENTION_DAYS')).toMatchObject({ value: '0', source: 'default' })
    expect((await change('LOOKUP_RETENTION_DAYS', '30')).status).toBe(200)
    expect(await setting('LOOKUP_RETENTION_DAYS')).toEqual({
      name: 'LOOKUP_RETENTION_DAYS',
      value: '30',
      default_value: '0',
      source: 'page',
    })
    await settled('the other process to know', async () => {
      return (await setting('LOOKUP_RETENTION_DAYS', elsewhere))?.value === '30'
    })
    // A watch on an identifier ends when its lookups would be deleted.
    const { body } = await other.ask('/api/watches', { tier: 'enterprise', json: { identifier: IMEI } })
    const days = (Date.parse(body.data.until) - Date.now()) / DAY_MS
    expect(days).toBeGreaterThan(29)
    expect(days).toBeLessThanOrEqual(30)
    expect(await activity()).toContain('"before":"0","value":"30"')
    await change('LOOKUP_RETENTION_DAYS', null)
    expect(await setting('LOOKUP_RETENTION_DAYS')).toMatchObject({ value: '0', source: 'default' })
  })

  test('invalid values are rejected with the expected ones', async () => {
    for (const [name, value, hint] of [
      ['LOOKUP_RETENTION_DAYS', 'soon', 'a whole number'],
      ['MARKET', 'croatai', 'hr (Croatia)'],
      ['SAMPLE_DATA', 'maybe', 'one of on, off'],
    ] as const) {
      const { status, body } = await change(name, value)
      expect(status).toBe(400)
      expect(body.error.message).toContain(hint)
    }
    expect((await change('SECRET_KEY', 'mine')).status).toBe(400)
  })

  test('without sample data no process serves a sample price', async () => {
    const { data: devices } = (await service.ask('/api/devices?limit=1&make=apple', { tier: 'public' })).body
    const { data: device } = (await service.ask(`/api/devices/${devices[0].id}`, { tier: 'public' })).body
    const price = async (at: TestService) =>
      (await at.ask(`/api/pricing?variant_id=${device.variants[0].id}`, { tier: 'paid' })).body.data.resale.source
    expect([await price(service), await price(other)]).toEqual(['sample', 'sample'])
    await change('SAMPLE_DATA', 'off')
    expect(await price(service)).not.toBe('sample')
    await settled('no sample in the other process', async () => (await price(other)) !== 'sample')
    expect((await owner.get('/account/session')).body.data.sample_data).toBe(false)
    await change('SAMPLE_DATA', 'on')
    expect(await price(service)).toBe('sample')
  })

  test('a new default market applies to every organization without its own, in every process', async () => {
    const marketIn = async (by: typeof owner) => (await by.get('/account/session')).body.data.organization.market
    expect(await marketIn(owner)).toBe('us')
    await change('MARKET', 'de')
    expect(await marketIn(owner)).toBe('de')
    await settled('the other process to know', async () => (await marketIn(elsewhere)) === 'de')
    const policy = (await owner.get('/api/manage/settings')).body.data.policy.policy
    expect(policy.labour_per_hour).toBe(4_000)
    await change('MARKET', null)
    expect(await marketIn(owner)).toBe('us')
  })

  test('a source is added, tested, queried and removed without a restart, and its secret is never returned', async () => {
    const added = await putSource(source(), { headers: { Authorization: SECRET } })
    expect(added.status).toBe(200)
    expect(added.body.data.sources).toMatchObject([
      { name: 'registry-x', header_names: ['Authorization'], host: `127.0.0.1:${outside.port}` },
    ])
    const test = async (identifier = IMEI) => (await testSource({ name: 'registry-x', identifier })).body.data
    expect(await test()).toMatchObject({ outcome: 'answered', facts: { blacklist: 'clean' } })
    expect(await test('F17XK2ABCD')).toMatchObject({ outcome: 'not_asked' })

    const status = async (at: TestService, identifier: string) =>
      (await at.ask('/api/imei', { tier: 'enterprise', json: { identifier } })).body.data.blacklist_status
    expect(await status(service, IMEI)).toBe('clean')
    await settled('the source in the other process', async () => (await status(other, IMEI)) === 'clean')

    // The definition changes; the header that was not entered again stays.
    await putSource(source({ list: 'Registry X' }))
    expect(await test()).toMatchObject({ outcome: 'answered' })
    await putSource(source(), { headers: { Authorization: 'wrong' } })
    expect(await test()).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('401') })

    const rows = await service.app.db.query.selectFrom('setting').selectAll().execute()
    for (const text of [
      added.text,
      JSON.stringify(await read()),
      JSON.stringify(rows),
      await activity(),
      service.logged(),
    ]) {
      expect(text).not.toContain('top-secret')
    }
    await remove('sources/registry-x')
    expect((await read()).sources).toEqual([])
    expect(await status(service, '490154203237518')).toBe('unknown')
    const trail = await activity()
    for (const action of ['source.changed', 'source.tested', 'source.removed']) expect(trail).toContain(action)
  })

  test('a source is tested before it is saved, and an OAuth client secret is never returned', async () => {
    const url = `http://127.0.0.1:${outside.port}/{identifier}`
    const oauth = { token_url: `http://127.0.0.1:${outside.port}/token`, client_id: 'shop' }
    const definition = source({ name: 'carrier-x', request: { url, oauth } })
    const test = async (body: object) => (await testSource({ identifier: IMEI, ...body })).body
    expect((await test({ definition })).error.message).toContain('client_secret: required for OAuth')
    const entered = { definition, client_secret: 'client-top-secret' }
    expect((await test(entered)).data).toMatchObject({ outcome: 'answered', facts: { blacklist: 'clean' } })
    expect((await read()).sources).toEqual([])

    const { body } = await putSource(definition, { client_secret: 'client-top-secret' }, 'carrier-x')
    expect(body.data.sources).toMatchObject([{ name: 'carrier-x', has_client_secret: true }])
    const [{ definition: shown }] = body.data.sources
    expect(shown.request).toMatchObject({ url, oauth })
    // The shown definition can be saved again: the stored client secret stays.
    expect((await putSource(shown, {}, 'carrier-x')).status).toBe(200)
    expect((await test({ name: 'carrier-x' })).data).toMatchObject({ outcome: 'answered' })
    const rows = await service.app.db.query.selectFrom('setting').selectAll().execute()
    for (const text of [JSON.stringify(await read()), JSON.stringify(rows), await activity()]) {
      expect(text).not.toContain('top-secret')
    }
    await remove('sources/carrier-x')
  })

  test('a stored secret is not sent to another host: it has to be entered again', async () => {
    const headers = { Authorization: SECRET }
    await putSource(source(), { headers })
    await putFeed('dong', { ...feed, headers })
    const moved = { request: { url: 'http://elsewhere.example/{identifier}' } }
    for (const { status, body } of [
      await putSource(source(moved)),
      await testSource({ identifier: IMEI, definition: source(moved) }),
      await putFeed('dong', { ...feed, url: 'http://elsewhere.example/rates.csv' }),
    ]) {
      expect(status).toBe(400)
      expect(body.error.message).toContain('Enter the secret again')
    }
    expect((await putSource(source(moved), { headers })).status).toBe(200)
    await remove('sources/registry-x')
    await remove('feeds/dong')
  })

  test('a feed shows its settings for editing, and keeps its secret and its paused state', async () => {
    const list = {
      ...feed,
      format: 'lists',
      options: { list: 'national', kind: 'stolen', clears: true },
    }
    await putFeed('blocked', { ...list, time_zone: 'Europe/Vilnius', headers: { 'X-Key': 'k' } })
    await putFeed('blocked', { ...list, is_paused: true })
    const { body } = await putFeed('blocked', { ...list, schedule: '0 * * * *' })
    expect(body.data.feeds).toMatchObject([
      {
        name: 'blocked',
        format: 'lists',
        address: feed.url,
        schedule: '0 * * * *',
        time_zone: 'UTC',
        options: { list: 'national', kind: 'stolen', clears: true },
        header_names: ['X-Key'],
        is_paused: true,
      },
    ])
    expect(body.data.feed_formats).toContainEqual({
      name: 'lists',
      options: expect.arrayContaining(['list', 'kind', 'area']),
      flags: ['clears'],
    })
    await remove('feeds/blocked')
  })

  test('an invalid source or feed is rejected and changes nothing', async () => {
    for (const [hint, response] of [
      ['definition', await owner.send('PUT', '/api/manage/service/sources/registry-x', { definition: '{' })],
      ['the name of the source', await putSource(source(), {}, 'another')],
      ['not in speaks_for', await putSource(source({ speaks_for: [] }))],
      // Environment variables are not substituted: they may be secrets.
      ['a placeholder', await putSource(source(), { headers: { Authorization: `\${SECRET_KEY}` } })],
      ['http or https', await putFeed('dong', { ...feed, url: '/etc/passwd' })],
      ['a placeholder', await putFeed('dong', { ...feed, url: `http://127.0.0.1/\${SECRET_KEY}` })],
      ['expected one of', await putFeed('dong', { ...feed, format: 'nonsense' })],
      ['schedule', await putFeed('dong', { ...feed, schedule: 'often' })],
      ['was not found', await testSource({ name: 'nobody', identifier: IMEI })],
      ['was not found', await owner.send('POST', '/api/manage/service/feeds/nobody/run')],
      ['Nothing was changed', await owner.send('PATCH', '/api/manage/service', { feeds: [{ name: 'x' }] })],
    ] as const) {
      expect(response.status === 400 || response.status === 404, response.text).toBe(true)
      expect(response.body.error.message).toContain(hint)
    }
    expect(await read()).toMatchObject({ sources: [], feeds: [] })
  })

  test('a feed is added, paused, run and removed, and its secret is never returned', async () => {
    const added = await putFeed('dong', { ...feed, headers: { Authorization: SECRET } })
    expect(added.body.data.feeds).toMatchObject([
      { name: 'dong', is_paused: false, outcome: null, header_names: ['Authorization'] },
    ])
    expect(added.body.data.feeds[0].next_run_at).not.toBeNull()
    const paused = await putFeed('dong', { ...feed, is_paused: true })
    expect(paused.body.data.feeds[0]).toMatchObject({ is_paused: true, schedule: '0 3 * * *', next_run_at: null })
    await settled('the pause in the other process', async () => (await read(elsewhere)).feeds[0]?.is_paused === true)

    expect((await owner.send('POST', '/api/manage/service/feeds/dong/run')).status).toBe(200)
    // The leader runs it, whichever process was asked.
    const stopLeading = other.app.startLeading()
    await settled('the import', async () => (await read()).feeds[0]?.outcome === 'imported')
    await stopLeading()
    // The service reloads rates when they change.
    await settled('the imported rate', async () => {
      const rates: { currency: string; rate: number }[] = (await owner.get('/api/manage/rates')).body.data
      return rates.find(({ currency }) => currency === 'VND')?.rate === 25_000
    })

    expect(JSON.stringify(await read())).not.toContain('top-secret')
    await remove('feeds/dong')
    expect((await read()).feeds).toEqual([])
    const trail = await activity()
    for (const action of ['feed.changed', 'feed.paused', 'feed.started', 'feed.removed'])
      expect(trail).toContain(action)
  }, 240_000)

  test('one document replaces all sources or feeds; applying it again changes nothing', async () => {
    const replace = async (kind: 'sources' | 'feeds', list: readonly object[]) =>
      (await owner.send('PATCH', '/api/manage/service', { [kind]: list })).body.data.replaced[kind]
    const sources = [source(), source({ name: 'registry-y' })]
    expect(await replace('sources', sources)).toMatchObject({ added: ['registry-x', 'registry-y'], removed: [] })
    expect(await replace('sources', sources)).toMatchObject({ added: [], changed: [], removed: [] })
    expect(await replace('sources', sources.slice(1))).toMatchObject({
      removed: ['registry-x'],
      unchanged: ['registry-y'],
    })
    expect((await read()).sources).toMatchObject([{ name: 'registry-y' }])
    expect(await replace('feeds', [{ name: 'dong', ...feed, retries: 1 }])).toMatchObject({ added: ['dong'] })
    // A change of one feed keeps fields that only the document has.
    await putFeed('dong', { ...feed, is_paused: true })
    const paused = [{ name: 'dong', ...feed, time_zone: 'UTC', options: {}, retries: 1, is_paused: true }]
    expect(await replace('feeds', paused)).toMatchObject({ unchanged: ['dong'] })
    await replace('sources', [])
    await replace('feeds', [])
    expect(await read()).toMatchObject({ sources: [], feeds: [] })
  })

  test('a backup is created and shown if the database is SQLite', async () => {
    const started = await owner.send('POST', '/api/manage/service/backup')
    const { backup } = await read()
    expect(backup.is_supported).toBe(store.name === 'SQLite')
    if (!backup.is_supported) {
      expect(started.status).toBe(400)
      expect(started.body.error.message).toContain('pg_dump')
      return
    }
    expect(started.status).toBe(200)
    await settled('the backup', async () => (await read()).backup.last_at !== null)
    const [file] = (await read()).backup.files
    expect(readdirSync(join(dataDir, 'backups'))).toContain(file?.name ?? '')
    expect(file?.bytes).toBeGreaterThan(0)
    expect(await activity()).toContain('backup.started')
  }, 240_000)

  test('the base URL is shown', async () => {
    expect((await read()).base_url).toMatchObject({ is_set: false, is_secure: false, is_loopback: true })
  })

  test('a test message needs SMTP_URL', async () => {
    expect((await read()).mail).toBeNull()
    const { status, body } = await owner.post('/api/manage/service/mail/test', { to: 'shop@example.test' })
    expect(status).toBe(400)
    expect(body.error.message).toContain('Set SMTP_URL and restart')
  })

  describe('settings from the environment', () => {
    let set: TestService
    let operator: typeof owner
    let mailServer: Awaited<ReturnType<typeof startMailServer>>
    let isLoginAccepted = true
    beforeAll(async () => {
      mailServer = await startMailServer({ onLogin: () => isLoginAccepted })
      set = await startService(await store.open(), {
        MARKET: 'gb',
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=hidden-in-the-environment',
        SMTP_URL: `${mailServer.url.replace('//', '//shop:hidden-in-the-environment@')}?from=Shop%20<shop@example.test>`,
      })
      await set.app.auth.setOperatorOrganization(set.organizationId, OPERATOR, Date.now())
      operator = await member(set, set.organizationId, 'owner')
    })
    afterAll(async () => {
      await set.stop()
      await mailServer.stop()
    })

    test('are shown with their variable, secrets masked, and cannot be changed', async () => {
      const { status, body } = await operator.send('PATCH', '/api/manage/service', { MARKET: 'de' })
      expect(status).toBe(400)
      expect(body.error.message).toContain('MARKET is set in the environment')
      const { text, body: shown } = await operator.get('/api/manage/service')
      const settings: ServiceSettingsWire = shown.data
      expect(settings.settings).toContainEqual({
        name: 'MARKET',
        value: 'gb',
        default_value: 'us',
        source: 'environment',
      })
      expect(settings.environment.map(({ name }) => name)).toContain('OTEL_EXPORTER_OTLP_HEADERS')
      expect(settings.mail).toEqual({ server: new URL(mailServer.url).host, from: 'Shop <shop@example.test>' })
      expect(text).not.toContain('hidden-in-the-environment')
    })

    test('a test message is sent, or the error of the mail server is quoted', async () => {
      const send = async () =>
        (await operator.post('/api/manage/service/mail/test', { to: 'owner@example.test' })).body.data
      expect(await send()).toEqual({ outcome: 'sent', reason: null })
      expect(mailServer.received.map(({ to }) => to)).toEqual([['owner@example.test']])
      isLoginAccepted = false
      expect(await send()).toEqual({ outcome: 'failed', reason: expect.stringMatching(/535 .*authentication failed/) })
      const { text } = await operator.get('/api/manage/audit')
      expect(text).toContain('mail.tested')
      expect(text).not.toContain('hidden-in-the-environment')
    })
  })
})
