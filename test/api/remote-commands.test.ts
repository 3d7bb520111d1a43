import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCommands } from '../../src/cli/commands.ts'
import { takeLeadingTarget } from '../../src/cli/remote.ts'
import type { KeyRight } from '../../src/contract/tiers.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { member } from '../support/browser-session.ts'
import { type CommandResult, runCommandOn } from '../support/command.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const commands = await loadCommands()
const VARIANT = 'apple-iphone-13-128gb-midnight'
const PRICES = `variant_id,price,currency,condition,date,side,listing_id
${VARIANT},410.00,USD,Good,${new Date().toISOString().slice(0, 10)},sold,a-1
${VARIANT},not a price,USD,Good,${new Date().toISOString().slice(0, 10)},sold,a-2
`

onDatabaseOfSuite((store) => {
  let service: TestService
  let database: DatabaseOptions
  let operatorKey: string
  beforeAll(async () => {
    database = await store.open()
    service = await startService(database, { SAMPLE_DATA: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' })
    operatorKey = await newKey(['operate'])
  })
  afterAll(() => service.stop())

  async function newKey(rights: readonly KeyRight[]) {
    const fresh = { tier: 'enterprise', name: 'Back office', expiresAt: null, rights } as const
    return (await service.app.auth.createKey(service.organizationId, fresh, OPERATOR, Date.now())).secret
  }
  function run(words: string, remote?: { url: string; key: string }) {
    // "·" stands for a space inside a value.
    const args = words.split(' ').map((word) => word.replaceAll('·', ' '))
    const command = commands.find(({ name }) => name.split(' ').every((word, at) => args[at] === word))
    if (!command) throw new Error(`no command ${words}`)
    return runCommandOn(database, command, args.slice(command.name.split(' ').length), remote)
  }
  const local = (words: string) => run(words)
  const remote = (words: string, key = operatorKey) => run(words, { url: service.url, key })
  const json = async (words: string) => {
    const { code, stdout, stderr } = await remote(`${words} --json`)
    expect({ words, code, stderr: code === 0 ? '' : stderr }).toEqual({ words, code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  /** Runs a command on the database and on the service and expects the same output from both. */
  async function expectSame(words: string) {
    const [onDatabase, onService] = [await local(words), await remote(words)]
    const parsed = ({ stdout, ...rest }: CommandResult) => ({
      words,
      ...rest,
      stdout: words.endsWith('--json') ? JSON.parse(stdout) : stdout,
    })
    expect(parsed(onService)).toEqual(parsed(onDatabase))
    expect({ words, code: onService.code }).toEqual({ words, code: 0 })
  }

  test('an organization is created, shown as on the database, and removed', async () => {
    const { id } = await json('org create Corner·Shop')
    for (const change of ['rename X·Shop', 'tier enterprise', 'limit 6000', 'market de', 'source common']) {
      const [verb, value] = change.split(' ')
      await expectSame(`org ${verb} ${id} ${value}`)
    }
    await expectSame(`org quota ${id} 1000 --hard`)
    await expectSame(`org policy set ${id} target_margin_percent=33`)
    expect((await json(`org policy show ${id}`)).policy.target_margin_percent).toBe(33)

    const { secret: key, key: created } = await json(
      `key create --org ${id} --tier paid --may manage --expires 2099-01-31`,
    )
    expect(created).toMatchObject({ organization_id: id, rights: ['manage'], expires_at: '2099-01-31T23:59:59.999Z' })
    expect((await service.ask('/api/manage/keys', { key })).status).toBe(200)
    await json(`key change ${created.id} --limit 60 --allow 10.0.0.0/8 --org ${id}`)
    const { key: rotated } = await json(`key rotate ${created.id} --overlap 0 --org ${id}`)
    expect(rotated).toMatchObject({ rotated_from: created.id, limit_per_minute: 60 })
    expect((await remote(`key revoke ${rotated.id} --org ${id}`)).stderr).toBe(`Key ${rotated.id} is revoked.`)

    const { webhook: hook } = await json(
      `webhook create --org ${id} --url http://127.0.0.1:9/hook --types appraisal.created`,
    )
    expect(hook).toMatchObject({ organization_id: id, types: ['appraisal.created'] })
    const event = (await remote(`webhook test ${hook.id} --org ${id}`)).stdout.trim()
    expect((await json(`webhook deliveries ${hook.id} --org ${id}`))[0]).toMatchObject({ event_id: event })
    expect((await remote(`webhook replay ${hook.id} ${event} --org ${id}`)).stderr).toContain(event)
    expect((await remote(`webhook rotate ${hook.id} --org ${id}`)).stdout).toStartWith('whsec_')

    expect(await json(`user create --email ada@shop.example --org ${id}`)).toMatchObject({ role: 'owner' })
    const lists = ['org list', `org policy show ${id}`, `key list --org ${id}`, `webhook list --org ${id}`]
    await service.app.flushUsage()
    for (const list of [...lists, `usage --org ${id}`, `audit export --org ${id}`]) {
      await expectSame(list)
      if (!list.startsWith('audit')) await expectSame(`${list} --json`)
    }
    await expectSame(`usage --org ${id} --format csv`)
    expect((await remote(`usage --org ${id} --format csv`)).stdout).toContain(',/api/manage/keys,200,')
    expect((await remote(`webhook remove ${hook.id} --org ${id}`)).code).toBe(0)
    const removed = await remote(`org remove ${id} --confirm X·Shop`)
    expect(removed.stderr).toContain(`Access of ${id} ended`)
  })

  test('members are listed, reset and removed by organization', async () => {
    const { organizationId } = await service.newOrganization('People')
    await member(service, organizationId, 'owner')
    const { email } = await member(service, organizationId, 'clerk')
    const people = await json(`user list --org ${organizationId}`)
    expect(people.map((person: { email: string }) => person.email)).toContain(email)
    expect((await remote('user list')).stderr).toContain('needs --org')
    const reset = await remote(`user reset-second-factor ${email} --org ${organizationId}`)
    expect(reset.stderr).toContain('password alone')
    const { link } = await json(`user reset-password ${email} --org ${organizationId}`)
    expect(link).toContain('#')
    expect((await remote(`user remove ${email} --org ${organizationId}`)).code).toBe(0)
    const again = await remote(`user remove ${email} --org ${organizationId}`)
    expect(again).toMatchObject({ code: 1, stderr: `${email} is not a member of the organization.` })
  })

  test('a file is checked, imported and undone', async () => {
    const file = join(database.dataDir, 'prices.csv')
    writeFileSync(file, PRICES)
    const dryRun = await json(`import observations ${file} --source erp --dry-run`)
    expect(dryRun).toMatchObject({ dry_run: true, rows: 2, rejected: 1 })
    expect(dryRun.preview.columns.length).toBeGreaterThan(3)
    const imported = await json(`import observations ${file} --source erp`)
    expect(imported).toMatchObject({ dry_run: false, rows: 2, rejected: 1, written: 1 })
    await expectSame('import list')
    const [{ id }] = await json('import list')
    expect(await json(`import undo ${id}`)).toMatchObject({ observations: 1 })
    const wrong = await remote(`import observations ${file} --organization ${service.organizationId}`)
    expect(wrong.stderr).toContain('for all organizations')
  }, 240_000)

  describe('errors say what to do', () => {
    test('an unknown key', async () => {
      const { code, stderr } = await remote('org list', 'pk_pub_wrong')
      expect({ code, hint: stderr.includes('Check --key') }).toEqual({ code: 1, hint: true })
    })

    test('a missing right', async () => {
      const { code, stderr } = await remote('org list', await newKey(['manage']))
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'This endpoint needs a key with the right to operate. The operator of the service issues one.',
      })
    })

    test('an unreachable service and a wrong address', async () => {
      const url = `http://127.0.0.1:${await freePort()}`
      const { code, stderr } = await run('org list', { url, key: operatorKey })
      expect({ code, stderr: stderr.startsWith(`Cannot reach the service at ${url}`) }).toEqual({
        code: 1,
        stderr: true,
      })
      expect((await run('org list', { url: 'devices', key: operatorKey })).stderr).toContain('not "devices"')
      expect((await run('org list', { url, key: '' })).stderr).toContain('DEVICE_INTELLIGENCE_KEY is missing')
    })

    test('an unknown organization, feed and import', async () => {
      expect((await remote('key list --org org_unknown')).stderr).toContain('org_unknown')
      expect((await remote('feed run nothing')).stderr).toContain('nothing')
      expect((await remote('feed list')).stderr).toContain('There are no feeds')
      expect((await remote('import undo imp_unknown')).code).toBe(1)
    })

    test('a command without a remote form', async () => {
      const { code, stderr } = await local(`backup --url ${service.url} --key ${operatorKey}`)
      expect({ code, stderr: stderr.split(':')[0] }).toEqual({ code: 2, stderr: '"backup" works on the database only' })
      expect((await local('key revoke key_1 --org org_1')).stderr).toContain('--org needs --url')
    })
  })
})

test('--url and --key may precede the command, for commands with options of the same name', () => {
  const words = [
    '--url',
    'https://devices.example',
    '--key=pk_ent_1',
    'webhook',
    'create',
    '--url',
    'https://hook.example',
  ]
  expect(takeLeadingTarget(words, { HOME: '/' })).toEqual({
    args: ['webhook', 'create', '--url', 'https://hook.example'],
    environment: {
      HOME: '/',
      DEVICE_INTELLIGENCE_URL: 'https://devices.example',
      DEVICE_INTELLIGENCE_KEY: 'pk_ent_1',
    },
  })
})
