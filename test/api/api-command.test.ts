import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { apiCommand } from '../../src/cli/api.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { KeyRight } from '../../src/contract/tiers.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { runCommandOn } from '../support/command.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const VARIANT = 'apple-iphone-13-128gb-midnight'

onDatabaseOfSuite((store) => {
  let service: TestService
  let database: DatabaseOptions
  let operatorKey: string
  beforeAll(async () => {
    database = await store.open()
    service = await startService(database, { SAMPLE_DATA: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' })
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    operatorKey = await newKey(['operate'])
  })
  afterAll(() => service.stop())

  async function newKey(rights: readonly KeyRight[]) {
    const fresh = { tier: 'enterprise', name: 'Back office', expiresAt: null, rights } as const
    return (await service.app.auth.createKey(service.organizationId, fresh, OPERATOR, Date.now())).secret
  }
  const environment = { SAMPLE_DATA: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' }
  const onDatabase = (...args: string[]) => runCommandOn(database, apiCommand, args, environment)
  const onService = (...args: string[]) =>
    runCommandOn(database, apiCommand, args, {
      ...environment,
      DEVICE_INTELLIGENCE_URL: service.url,
      DEVICE_INTELLIGENCE_KEY: operatorKey,
    })
  type Run = typeof onDatabase
  /** The data of a call that must succeed. */
  async function data(run: Run, ...args: string[]) {
    const { code, stdout, stderr } = await run(...args)
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  describe.each([
    ['on the database', onDatabase],
    ['on a running service', onService],
  ] as const)('%s', (_, run) => {
    test('a file of sources, feeds or settings is applied; applied again it changes nothing', async () => {
      const apply = async (content: object) => {
        const file = join(database.dataDir, 'applied.json')
        writeFileSync(file, JSON.stringify(content))
        return data(run, 'PATCH', '/api/manage/service', `@${file}`)
      }
      const replace = async (kind: 'sources' | 'feeds', list: readonly object[]) =>
        (await apply({ [kind]: list })).replaced[kind]
      const changes = async () => {
        const { rows } = await accountsStore(service.app.db).auditTrail(service.organizationId, { limit: 100 })
        return rows.filter(({ action }) => /^(source|feed|setting)\./.test(action)).length
      }
      const none = { added: [], changed: [], removed: [], unchanged: [] }
      const source = { name: 'device-registry', request: { url: 'https://registry.example/{identifier}' }, answer: {} }
      const feed = { name: 'police', format: 'lists', url: 'https://lists.example/a.csv', options: { list: 'police' } }
      const before = await changes()
      expect(await replace('sources', [source])).toEqual({ ...none, added: ['device-registry'] })
      expect(await replace('feeds', [feed])).toEqual({ ...none, added: ['police'] })
      const settings = await apply({ MARKET: 'de', LOOKUP_RETENTION_DAYS: '30' })
      expect(await changes()).toBe(before + 4)
      expect(await replace('sources', [source])).toEqual({ ...none, unchanged: ['device-registry'] })
      expect(await replace('feeds', [feed])).toEqual({ ...none, unchanged: ['police'] })
      const again = await apply({ MARKET: 'de', LOOKUP_RETENTION_DAYS: '30' })
      expect(again).toEqual(settings)
      expect(await changes()).toBe(before + 4)
      const other = { ...feed, url: 'https://lists.example/b.csv' }
      expect(await replace('feeds', [other])).toEqual({ ...none, changed: ['police'] })
      expect(await replace('feeds', [])).toEqual({ ...none, removed: ['police'] })
      expect(await replace('sources', [])).toEqual({ ...none, removed: ['device-registry'] })
      await apply({ MARKET: null, LOOKUP_RETENTION_DAYS: null })
      expect(await changes()).toBe(before + 9)
    })

    test('an organization is created, changed and used', async () => {
      const { id } = await data(run, 'POST', '/api/manage/organizations', 'name=Corner Shop', 'tier=enterprise')
      const path = `/api/manage/organizations/${id}`
      const changed = await data(run, 'PATCH', path, 'name=X Shop', 'limit_per_minute:=6000', 'common_source:=true')
      expect(changed).toMatchObject({ name: 'X Shop', tier: 'enterprise', limit_per_minute: 6000, common_source: true })
      expect(await data(run, 'get', path)).toEqual(changed)

      const terms = 'policy:={"target_margin_percent":33}'
      const { policy } = await data(run, 'PATCH', '/api/manage/settings', terms, '--org', id)
      expect(policy.policy.target_margin_percent).toBe(33)
      const file = join(database.dataDir, 'key.json')
      writeFileSync(file, JSON.stringify({ name: 'Back office', tier: 'paid', rights: ['manage'] }))
      const created = await data(run, 'POST', '/api/manage/keys', `@${file}`, '--org', id)
      expect(created.key).toMatchObject({ organization_id: id, rights: ['manage'] })
      expect((await service.ask('/api/manage/keys', { key: created.secret })).status).toBe(200)

      const hook = ['url=http://127.0.0.1:9/hook', 'types:=["appraisal.created"]']
      const { webhook } = await data(run, 'POST', '/api/manage/webhooks', ...hook, '--org', id)
      expect(webhook).toMatchObject({ organization_id: id, types: ['appraisal.created'] })
      const { event_id: event } = await data(run, 'POST', `/api/manage/webhooks/${webhook.id}/test`, '--org', id)
      const [delivery] = await data(run, 'GET', `/api/manage/webhooks/${webhook.id}/deliveries`, '--org', id)
      expect(delivery).toMatchObject({ event_id: event })

      const entries = await data(run, 'GET', '/api/manage/audit', '--org', id)
      expect(entries.map(({ action }: { action: string }) => action)).toContain('webhook.created')
    })

    test('parameters of a GET, and that there are more results', async () => {
      const args = ['GET', '/api/devices', 'search=iphone 13', 'limit=1']
      const [device] = await data(run, ...args)
      expect(device.id).toBe('apple-iphone-13')
      expect((await run(...args)).stderr).toBe('There are more: repeat it with page=2.')
      expect(await data(run, 'GET', '/api/devices?search=iphone 13&limit=1')).toEqual([device])
    })

    test('a rejected request prints one sentence and exits with 1', async () => {
      const unknown = await run('GET', '/api/pricing', 'variant_id=nothing')
      expect({ ...unknown, stderr: unknown.stderr.includes('nothing') }).toEqual({ code: 1, stdout: '', stderr: true })
      const invalid = await run('GET', '/api/pricing', `variant_id=${VARIANT}`, 'pricing_type=x')
      expect({ code: invalid.code, stderr: invalid.stderr.includes('pricing_type') }).toEqual({ code: 1, stderr: true })
      const organization = await run('GET', '/api/manage/keys', '--org', 'org_unknown')
      expect({ code: organization.code, stderr: organization.stderr.includes('org_unknown') }).toEqual({
        code: 1,
        stderr: true,
      })
    })
  })

  test('acts for the organization that runs the service unless --org names another', async () => {
    const { organizationId } = await service.newOrganization('Other')
    const appraise = ['POST', '/api/appraisals', `variant_id=${VARIANT}`, 'condition=Good']
    const { appraisal_id: own } = await data(onDatabase, ...appraise)
    const { appraisal_id: others } = await data(onDatabase, ...appraise, '--org', organizationId)
    const ids = async (...args: string[]) =>
      (await data(onDatabase, 'GET', '/api/appraisals', ...args)).map(
        (appraisal: { appraisal_id: string }) => appraisal.appraisal_id,
      )
    expect(await ids()).toEqual([own])
    expect(await ids('--org', organizationId)).toEqual([others])
    const trail = await service.app.auth.auditTrail(organizationId, { limit: 5 })
    expect(JSON.stringify(trail.rows)).toContain('command line')
  })

  test('another organization takes over the service', async () => {
    const { organizationId } = await service.newOrganization('Successor')
    const path = (id: string) => `/api/manage/organizations/${id}`
    expect(await data(onDatabase, 'PATCH', path(organizationId), 'runs_service:=true')).toMatchObject({
      runs_service: true,
    })
    expect(await data(onDatabase, 'GET', path(service.organizationId))).toMatchObject({ runs_service: false })
    await data(onDatabase, 'PATCH', path(service.organizationId), 'runs_service:=true')
    expect(await data(onService, 'GET', path(organizationId))).toMatchObject({ runs_service: false })
  })

  test('a file is printed as it is', async () => {
    const { code, stdout } = await onDatabase('GET', '/api/usage', 'format=csv', '--org', service.organizationId)
    expect({ code, header: stdout.split(/\r?\n/)[0]?.split(',').length }).toEqual({ code: 0, header: 5 })
  })

  test('lists every operation', async () => {
    for (const args of [[], ['--list']]) {
      const { code, stdout } = await onDatabase(...args)
      expect(code).toBe(0)
      for (const { method, path, summary } of endpoints) {
        const line = stdout.split('\n').find((each) => each.startsWith(method) && each.split(/ +/)[1] === path)
        expect(line).toEndWith(summary)
      }
    }
  })

  describe('a wrong call exits with 2 and says what to do', () => {
    for (const [why, args, message] of [
      ['an unknown path', ['GET', '/api/manage/key'], 'GET /api/manage/keys'],
      [
        'a method that the path does not have',
        ['PUT', '/api/watches'],
        '/api/watches has no PUT. Nearest: POST /api/watches, GET /api/watches.',
      ],
      ['an unknown method', ['FETCH', '/api/watches'], 'METHOD takes GET, POST, PUT, PATCH, DELETE'],
      ['no path', ['GET'], 'PATH is missing'],
      ['a word that is no value', ['GET', '/api/devices', 'iphone'], '"iphone" must be name=value'],
      ['a value that is not JSON', ['POST', '/api/watches', 'until:=soon'], '"until:=soon" is not JSON'],
      ['a body and fields', ['POST', '/api/watches', '@package.json', 'a=b'], '@FILE or fields'],
      ['a key without an address', ['GET', '/api/devices', '--key', 'x'], '--key needs --url'],
      ['a wrong address', ['GET', '/api/devices', '--url', 'devices', '--key', 'x'], 'not "devices"'],
      ['no key', ['GET', '/api/devices', '--url', 'http://127.0.0.1:9'], 'DEVICE_INTELLIGENCE_KEY is missing'],
      [
        'another organization than that of the key',
        ['GET', '/api/devices', '--url', 'http://127.0.0.1:9', '--key', 'x', '--org', 'org_1'],
        'omit --org',
      ],
    ] as const) {
      test(why, async () => {
        const { code, stdout, stderr } = await onDatabase(...args)
        expect({ code, stdout, stderr: stderr.includes(message) ? message : stderr }).toEqual({
          code: 2,
          stdout: '',
          stderr: message,
        })
      })
    }
  })

  describe('errors of a running service say what to do', () => {
    const withKey = (url: string, key: string) =>
      onDatabase('GET', '/api/manage/organizations', '--url', url, '--key', key)

    test('an unknown key', async () => {
      const { code, stderr } = await withKey(service.url, 'pk_pub_wrong')
      expect({ code, hint: stderr.includes('Check --key') }).toEqual({ code: 1, hint: true })
    })

    test('a missing right', async () => {
      expect(await withKey(service.url, await newKey(['manage']))).toEqual({
        code: 1,
        stdout: '',
        stderr: 'This endpoint needs a key with the right to operate. The operator of the service issues one.',
      })
    })

    test('an unreachable service', async () => {
      const url = `http://127.0.0.1:${await freePort()}`
      const { code, stderr } = await withKey(url, operatorKey)
      expect({ code, stderr: stderr.startsWith(`Cannot reach the service at ${url}`) }).toEqual({
        code: 1,
        stderr: true,
      })
    })
  })
})
