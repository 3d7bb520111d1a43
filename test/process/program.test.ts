import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import {
  filledDataDir,
  newDataDir,
  type RunningProgram,
  runInProcess,
  runProgram,
  shownKeys,
  startProgram,
} from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('the command line', () => {
  const DATA_DIR = newDataDir()
  const run = (...args: string[]) => runProgram(args, { DATA_DIR })
  const runHere = (...args: string[]) => runInProcess(args, { DATA_DIR })

  test('creates an organization and a key and prints each alone on stdout', async () => {
    const org = await run('org', 'create', 'Trade-in Ltd')
    expect(org.code).toBe(0)
    expect(org.stdout).toMatch(/^org_[0-9a-z]+\n$/)
    const id = org.stdout.trim()
    const key = await run('key', 'create', '--org', id, '--tier', 'paid', '--name', 'shop', '--expires', '2099-01-31')
    expect(key.code).toBe(0)
    expect(key.stdout).toMatch(/^pk_paid_[0-9A-Za-z]{38}\n$/)
    const listed = await run('key', 'list', '--org', id, '--json')
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        id: expect.stringMatching(/^key_/),
        organization_id: id,
        tier: 'paid',
        rights: [],
        name: 'shop',
        prefix: 'pk_paid_',
        state: 'active',
        created_by: expect.stringMatching(/^command line/),
        last_four: key.stdout.trim().slice(-4),
        created_at: expect.stringMatching(ISO),
        expires_at: '2099-01-31T23:59:59.999Z',
        last_used_at: null,
        revoked_at: null,
        rotated_from: null,
        limit_per_minute: null,
        allowed_addresses: [],
      },
    ])
    expect(listed.stdout).not.toContain(key.stdout.trim())
    expect((await run('org', 'list')).stdout).toContain('Trade-in Ltd')
    const [organization] = JSON.parse((await run('org', 'list', '--json')).stdout)
    expect(organization).toEqual({
      id,
      name: 'Trade-in Ltd',
      tier: 'enterprise',
      limit_per_minute: null,
      quota: null,
      market: null,
      common_source: false,
      runs_service: false,
      being_removed: false,
      created_at: expect.stringMatching(ISO),
    })
  })

  test('gives a key the right to contribute and rejects unknown rights', async () => {
    const id = (await run('org', 'create', 'Contributing')).stdout.trim()
    const key = await run('key', 'create', '--org', id, '--tier', 'public', '--may', 'contribute', '--json')
    expect(JSON.parse(key.stdout).key).toMatchObject({ tier: 'public', rights: ['contribute'] })
    const other = await run('key', 'create', '--org', id, '--tier', 'public', '--may', 'everything')
    expect(other).toMatchObject({ code: 2, stdout: '' })
    expect(other.stderr).toContain('--may takes contribute')
  })

  test('rotates and revokes', async () => {
    const id = (await run('org', 'create', 'Rotating')).stdout.trim()
    await run('key', 'create', '--org', id, '--tier', 'public')
    const [old] = JSON.parse((await run('key', 'list', '--org', id, '--json')).stdout)
    const successor = await run('key', 'rotate', old.id, '--overlap', '3', '--json')
    expect(JSON.parse(successor.stdout).key).toMatchObject({ tier: 'public', rotated_from: old.id })
    expect((await run('key', 'revoke', old.id)).code).toBe(0)
    expect((await run('key', 'rotate', old.id)).stderr).toContain('is revoked and cannot be rotated')
  })

  for (const [why, args, code, message] of [
    ['no command', [], 2, '<command>'],
    ['an unknown command', ['fly'], 2, 'There is no command "fly"'],
    ['an incomplete command', ['key'], 2, 'key create'],
    ['a missing name', ['org', 'create'], 2, 'Usage: org create NAME'],
    ['an unknown option', ['org', 'list', '--loud'], 2, "Unknown option '--loud'"],
    ['a missing tier', ['key', 'create', '--org', 'org_x'], 2, '--tier is missing'],
    ['an unknown tier', ['key', 'create', '--org', 'org_x', '--tier', 'gold'], 2, 'not "gold"'],
    [
      'an unknown organization',
      ['key', 'create', '--org', 'org_x', '--tier', 'paid'],
      1,
      'There is no organization org_x',
    ],
    ['an unknown key', ['key', 'revoke', 'key_x'], 1, 'There is no key key_x'],
    ['an overlap too long', ['key', 'rotate', 'key_x', '--overlap', '31'], 2, '0 to 30 days'],
    [
      'an invalid date',
      ['key', 'create', '--org', 'o', '--tier', 'paid', '--expires', '2027-02-30'],
      2,
      'takes a date',
    ],
    [
      'a date in the past',
      ['key', 'create', '--org', 'o', '--tier', 'paid', '--expires', '2020-01-01'],
      1,
      'expected a day that is not over',
    ],
    ['an empty name', ['org', 'create', '  '], 1, '1 to 100 characters'],
  ] as const) {
    test(`${why} exits with ${code} and one sentence on stderr`, async () => {
      const ran = await runHere(...args)
      expect(ran).toMatchObject({ code, stdout: '' })
      expect(ran.stderr).toContain(message)
      expect(ran.stderr).not.toMatch(/^ +at /m)
    })
  }

  for (const [args, hint] of [
    [['statsu'], 'Did you mean "status"?'],
    [['ogr', 'create', 'X'], 'Did you mean "org create"?'],
    [['org', 'creat', 'X'], 'Did you mean "org create"?'],
    [['org', 'list', '--jsno'], 'Did you mean --json?'],
    [['import', 'catalog', 'x.csv'], 'Did you mean "catalogue"?'],
  ] as const) {
    test(`suggests the right spelling of: ${args.join(' ')}`, async () => {
      const ran = await runHere(...args)
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain(hint)
    })
  }

  test('an unknown organization is an error for every command that takes one', async () => {
    for (const args of ['api GET /api/manage/webhooks', 'key list', 'export lookups', 'export appraisals']) {
      const ran = await runHere(...args.split(' '), '--org', 'nope')
      expect([args, ran.code, ran.stdout]).toEqual([args, 1, ''])
      expect(ran.stderr).toContain('There is no organization nope')
    }
  })

  test('with --json a failing command prints its error as JSON', async () => {
    const unknown = await run('key', 'list', '--org', 'nope', '--json')
    expect(unknown.code).toBe(1)
    expect(JSON.parse(unknown.stdout)).toEqual({
      error: { code: 'not_found', message: expect.stringContaining('There is no organization nope') },
    })
    const misused = await run('org', 'list', '--json', '--loud')
    expect([misused.code, JSON.parse(misused.stdout).error.code]).toEqual([2, 'usage'])
  })

  test('a webhook to a private address says which setting allows it', async () => {
    const id = (await run('org', 'create', 'Hooks')).stdout.trim()
    const ran = await run(
      'api',
      'POST',
      '/api/manage/webhooks',
      'url=http://127.0.0.1:9/hooks',
      'types:=[]',
      '--org',
      id,
    )
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('WEBHOOK_ALLOW_PRIVATE=on')
  })

  test('names the run of a feed in the line of imports', async () => {
    expect((await run('--help')).stdout).toMatch(/^ {2}import FORMAT FILE \| feed NAME /m)
    expect((await run('import', 'feed', '--help')).stdout).toStartWith(
      'device-intelligence import feed NAME [--dry-run]',
    )
  })

  test('lists at most 21 commands', async () => {
    const lines = (await run('--help')).stdout.split('\n').filter((line) => /^ {2}\S/.test(line))
    const names = ['serve', 'status', 'config', 'openapi', 'org create', 'org list', 'key create', 'key list']
    names.push('key revoke', 'key rotate', 'user create', 'import', 'import list', 'import undo', 'export', 'appraise')
    names.push('backup', 'restore', 'move', 'mcp', 'api')
    expect(lines.map((line) => /^ {2}([a-z]+(?: [a-z]+)?)/.exec(line)?.[1])).toEqual(names)
    expect(names).toHaveLength(21)
  })

  test('explains every command', async () => {
    const help = await run('--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('serve')
    expect((await run('key', 'create', '--help')).stdout).toContain('--expires DATE')
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('shows its settings without secrets', async () => {
    const shown = await runProgram(['config'], { DATA_DIR, REDIS_URL: 'redis://:hunter2@localhost:6379' })
    expect(shown.stdout).toContain('REDIS_URL')
    expect(shown.stdout + shown.stderr).not.toContain('hunter2')
  })

  test('prints the OpenAPI document', async () => {
    expect(JSON.parse((await run('openapi')).stdout).openapi).toMatch(/^3\.1/)
  })

  test('reports all invalid settings and does not start', async () => {
    const ran = await runProgram(['serve'], { DATA_DIR, PORT: 'abc', LOG_LEVEL: 'loud' })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('PORT (port to listen on): expected a whole number')
    expect(ran.stderr).toContain('LOG_LEVEL (minimum log level): expected one of')
  })

  test('reports that the database cannot be reached', async () => {
    const ran = await runProgram(['org', 'list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('Database unavailable')
  })
})

describe('serve', () => {
  let program: RunningProgram
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(async () => {
    program.kill('SIGKILL')
  })
  const ask = (path: string, key?: string) =>
    fetch(`${program.url}${path}`, { headers: key ? { Authorization: `Bearer ${key}` } : {} })

  test('prints one line on stdout, and its first keys are in a file with a call to paste', () => {
    expect(program.stdout()).toBe(`listening on ${program.url}\n`)
    const keys = shownKeys(program.stderr())
    expect(keys.public).toMatch(/^pk_pub_/)
    expect(keys.enterprise).toMatch(/^pk_ent_/)
    const shown = readFileSync(`${program.dataDir}/first-keys.txt`, 'utf8')
    expect(shown).toContain(`curl -H 'Authorization: Bearer ${keys.public}' '${program.url}/api/devices`)
  })

  test('accepts the keys it printed', async () => {
    const response = await ask('/api/devices?limit=1', shownKeys(program.stderr()).public)
    expect(response.status).toBe(200)
    expect(((await response.json()) as { meta: { total: number } }).meta.total).toBeGreaterThan(30)
  })

  test('is alive and ready without a key', async () => {
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/readyz')).status).toBe(200)
  })

  test('accepts a key created on the command line at once and rejects it after its revocation', async () => {
    const { environment } = program
    const org = (await runProgram(['org', 'create', 'Late'], environment)).stdout.trim()
    const key = (await runProgram(['key', 'create', '--org', org, '--tier', 'public'], environment)).stdout.trim()
    expect((await ask('/api/meta/conditions', key)).status).toBe(200)
    const [{ id }] = JSON.parse((await runProgram(['key', 'list', '--org', org, '--json'], environment)).stdout)
    await runProgram(['key', 'revoke', id], environment)
    await waitUntil(async () => (await ask('/api/meta/conditions', key)).status === 401, {
      describe: 'the revoked key to be rejected',
    })
  })

  test('shows changes of the command line in the dashboard', async () => {
    const { environment } = program
    const out = async (...args: string[]) => (await runProgram(args, environment)).stdout.trim()
    const org = await out('org', 'create', 'Watched')
    await out('key', 'create', '--org', org, '--tier', 'public', '--name', 'till')
    const [{ id }] = JSON.parse(await out('key', 'list', '--org', org, '--json'))
    await out('key', 'rotate', id, '--overlap', '1')
    await out('key', 'revoke', id)
    await out('api', 'PATCH', `/api/manage/organizations/${org}`, 'limit_per_minute:=50', 'tier=paid')
    const link = await out('user', 'create', '--email', 'owner@example.test', '--org', org)
    const joined = await fetch(`${program.url}/account/link/use`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: program.url },
      body: JSON.stringify({ token: new URL(link).hash.slice(1), password: 'correct horse battery' }),
    })
    const again = ['user', 'create', '--email', 'owner@example.test', '--org', org]
    const rejected = await runProgram(again, program.environment)
    expect(rejected).toMatchObject({ code: 1, stdout: '' })
    expect(rejected.stderr).toContain('owner@example.test already has an account in this organization.')
    const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? ''
    const shown = await fetch(`${program.url}/api/manage/audit`, {
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'dashboard' },
    })
    const { data } = (await shown.json()) as { data: { who: string; action: string }[] }
    const typed = data.filter(({ who }) => /^command line( \(.+\))?$/.test(who)).map(({ action }) => action)
    expect(typed.reverse()).toEqual([
      'organization.created',
      'key.created',
      'key.rotated',
      'key.revoked',
      'organization.tier_changed',
      'organization.limit_changed',
      'member.invited',
    ])
    const members = JSON.parse(await out('api', 'GET', '/api/manage/members', '--org', org))
    const reset = await out('api', 'POST', `/api/manage/members/${members[0].id}/link`, '--org', org)
    expect(JSON.parse(reset).link).toStartWith('http')
  })

  test('rejects a port in use with a sentence', async () => {
    const ran = await runProgram(['serve'], { DATA_DIR: filledDataDir('small'), PORT: program.environment.PORT ?? '' })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('another program already does')
  })

  test('is found by status', async () => {
    const ran = await runProgram(['status', '--json'], program.environment)
    expect(JSON.parse(ran.stdout)).toMatchObject({ serving: true, database: 'sqlite' })
  })

  test('keeps its keys and prints none again after a restart', async () => {
    const keys = shownKeys(program.stderr())
    expect(await program.stop()).toBe(0)
    program = await startProgram(program.environment)
    expect(program.stderr()).not.toContain('pk_')
    expect((await ask('/api/meta/conditions', keys.public)).status).toBe(200)
  })

  test('recovers after kill -9', async () => {
    program.kill('SIGKILL')
    await program.exited
    program = await startProgram(program.environment)
    expect((await ask('/readyz')).status).toBe(200)
  })
})

test('several workers serve one port and stop together', async () => {
  const program = await startProgram({ WORKERS: '2' })
  const keys = shownKeys(program.stderr())
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${program.url}/api/meta/conditions`, {
        headers: { Authorization: `Bearer ${keys.public}`, Connection: 'close' },
      }),
    ),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await program.stop()).toBe(0)
  expect(fetch(`${program.url}/healthz`)).rejects.toThrow()
})
