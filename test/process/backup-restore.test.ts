import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openServiceDatabase } from '../../src/app/database.ts'
import { ENCRYPTED_VALUES } from '../../src/app/forget-secrets-store.ts'
import { replaceFeeds, replaceSources } from '../../src/app/replace-entries.ts'
import { serviceSettingsStore } from '../../src/app/service-settings-store.ts'
import { parseFeedRow, parseSourceRow } from '../../src/app/stored-entries.ts'
import { WHOLE_SERVICE } from '../../src/auth/audit-store.ts'
import { readConfig } from '../../src/config.ts'
import { checkPostgres } from '../../src/db/backup/check-postgres.ts'
import { checkSqlite } from '../../src/db/backup/check-sqlite.ts'
import { type DatabaseOptions, openDatabase, sqlitePath } from '../../src/db/database.ts'
import { webhookEndpointStore } from '../../src/events/webhook-endpoint-store.ts'
import { CIPHERTEXT_PREFIX } from '../../src/lib/encryption.ts'
import { openLog } from '../../src/lib/log.ts'
import { onBothDatabases, type Store } from '../support/databases.ts'
import { PROGRAM, runProgram, startProgram } from '../support/program.ts'
import { OPERATOR } from '../support/service.ts'

/** Runs the commands of docs/operations.md as written, but for the names of the program and the file. */
const page = readFileSync(join(import.meta.dir, '../../docs/operations.md'), 'utf8')
const section = page.slice(page.indexOf('## Backup'), page.indexOf('## Moving to PostgreSQL'))
const commandLine = (word: string) => {
  const line = new RegExp(`^bin/device-intelligence (${word} copy\\.sqlite)(?= +#)`, 'm').exec(section)?.[1]
  if (!line) throw new Error(`operations.md has no line for "${word}".`)
  return line
}

const folder = mkdtempSync(join(tmpdir(), 'di-drill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let machines = 0
const newMachine = () => join(folder, `machine-${++machines}`)

type Environment = Record<string, string>

const run = (line: string, file: string, environment: Environment, ...options: string[]) =>
  runProgram([...line.split(' ').map((word) => (word === 'copy.sqlite' ? file : word)), ...options], environment, [
    PROGRAM,
  ])

const SECRETS = { totp: 'JBSWY3DPEHPK3PXP', idToken: 'an id token', header: 'a credential', feed: 'a feed credential' }

const open = (environment: Environment) =>
  openServiceDatabase(readConfig({ SAMPLE_DATA: 'off', ...environment }), openLog('silent'))

/** Stores one of every kind of secret; returns the secret of the webhook. */
async function storeSecrets(environment: Environment): Promise<string> {
  const { db, encryption } = await open(environment)
  try {
    const now = Date.now()
    const author = { organizationId: WHOLE_SERVICE, actor: OPERATOR, now }
    const organizationId = 'org_drill'
    await db.transaction(async (tx) => {
      await tx
        .insertInto('organization')
        .values({ id: organizationId, name: 'Drill', created_at: now } as never)
        .execute()
    })
    const webhooks = webhookEndpointStore(db, encryption)
    const target = { url: 'https://receiver.example/hook', types: [] }
    const { endpoint } = await webhooks.createEndpoint(organizationId, target, OPERATOR, now)
    const secret = await webhooks.rotateSecret(organizationId, endpoint.id, 24, OPERATOR, now)
    await db.transaction(async (tx) => {
      await tx
        .insertInto('account')
        .values({
          id: 'acc_drill',
          organization_id: organizationId,
          email: 'ada@shop.example',
          name: 'Ada',
          role: 'owner',
          created_at: now,
        } as never)
        .execute()
      const totp = {
        account_id: 'acc_drill',
        encrypted_secret: encryption.encrypt(SECRETS.totp, 'acc_drill'),
        confirmed_at: now,
        last_step: null,
      }
      await tx.insertInto('totp').values(totp).execute()
      const session = {
        id: 'ses_drill',
        token_hash: 'x',
        account_id: 'acc_drill',
        address: '',
        agent: '',
        created_at: now,
        seen_at: now,
      }
      const document = encryption.encrypt('{}', 'seller')
      const photo = { organization_id: organizationId, photos_id: 'img_0', position: 0, bytes: 2, document }
      await tx.insertInto('seller_photo').values(photo).execute()
      const seller = {
        organization_id: organizationId,
        id: 'sel_0',
        appraisal_id: 'apr_0',
        purchase_id: null,
        kind: 'person',
        version: 1,
        status: 'current',
        person_key: '',
        document,
        digest: '',
        photos_id: 'img_0',
        bought_on: '2026-01-01',
        bought_price: 1,
        bought_currency: 'USD',
        created_by: '{}',
        created_at: now,
        ended_at: null,
      }
      await tx.insertInto('seller_record').values(seller).execute()
      const quote = {
        organization_id: organizationId,
        id: 'Q-DRILL',
        revision: 1,
        created_at: now,
        is_kept: 1,
        channel: 'page',
        state: 'open',
        device_id: 'apple-iphone-13',
        document: '{}',
        contact: encryption.encrypt('{}', organizationId),
        valid_until: now + 30 * 86_400_000,
      }
      await tx
        .insertInto('quote')
        .values(quote as never)
        .execute()
      await tx
        .insertInto('session')
        .values({ ...session, id_token: encryption.encrypt(SECRETS.idToken, 'acc_drill') })
        .execute()
    })
    const dependencies = { store: serviceSettingsStore(db), encryption }
    await replaceSources(dependencies, [source], author)
    await replaceFeeds(dependencies, [feed], author)
    return secret
  } finally {
    await db.close()
  }
}

const source = {
  name: 'drill',
  request: { url: 'https://source.example/{identifier}', headers: { Authorization: SECRETS.header } },
  answer: {},
}
const feed = {
  name: 'rates',
  format: 'rates',
  url: 'https://feed.example/x.csv',
  schedule: '0 0 1 1 *',
  headers: { Authorization: SECRETS.feed },
}

/** Decrypts every secret, as the service does. */
async function readSecrets(environment: Environment) {
  const { db, encryption } = await open(environment)
  try {
    const webhook = await db.query.selectFrom('webhook_endpoint').selectAll().executeTakeFirstOrThrow()
    const totp = await db.query.selectFrom('totp').selectAll().executeTakeFirstOrThrow()
    const session = await db.query.selectFrom('session').selectAll().executeTakeFirstOrThrow()
    const rows = await serviceSettingsStore(db).read()
    const sourceEntry = await parseSourceRow(encryption, 'source:drill', rows.get('source:drill') ?? '')
    const feedEntry = await parseFeedRow(encryption, 'feed:rates', rows.get('feed:rates') ?? '')
    return {
      webhook: encryption.decrypt(webhook.secret, webhook.id),
      previous: encryption.decrypt(webhook.previous_secret ?? '', webhook.id),
      totp: encryption.decrypt(totp.encrypted_secret, totp.account_id),
      idToken: encryption.decrypt(session.id_token ?? '', session.account_id),
      header: sourceEntry.secrets.headers.Authorization,
      feed: feedEntry.secrets.headers.Authorization,
    }
  } finally {
    await db.close()
  }
}

async function rowsOf({ DATABASE_URL, DATA_DIR = '' }: Environment): Promise<Record<string, number>> {
  const { tables } = DATABASE_URL ? await checkPostgres(DATABASE_URL) : checkSqlite(sqlitePath(DATA_DIR))
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
}

/** A machine of its own; PostgreSQL has an empty database. */
async function emptyMachine(store: Store, more: Environment = {}): Promise<Environment> {
  const { url } = await store.openEmpty()
  return { DATA_DIR: newMachine(), SECRET_KEY: '', SAMPLE_DATA: 'off', ...(url ? { DATABASE_URL: url } : {}), ...more }
}

/** A machine whose service stored secrets, and its backup. */
async function backedUp(store: Store, more: Environment = {}) {
  const { url, dataDir } = await store.open()
  const environment: Environment = {
    DATA_DIR: url ? newMachine() : dataDir,
    SECRET_KEY: '',
    SAMPLE_DATA: 'off',
    ...(url ? { DATABASE_URL: url } : {}),
    ...more,
  }
  const webhook = await storeSecrets(environment)
  const file = join(folder, `copy-${++machines}.sqlite`)
  const backup = await run(commandLine('backup'), file, environment, '--json')
  expect(backup).toMatchObject({ code: 0 })
  return { environment, webhook, file, report: JSON.parse(backup.stdout) }
}

onBothDatabases((store) => {
  test('a backup restores on an empty machine: the service starts, every secret decrypts, no row is missing', async () => {
    const { environment, webhook, file, report } = await backedUp(store)
    expect(report).toMatchObject({ key: 'included' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = await rowsOf(environment)
    const machine = await emptyMachine(store)
    expect(await run(commandLine('restore'), file, machine)).toMatchObject({ code: 0 })
    const after = await rowsOf(machine)
    // The time of the backup is stored after it.
    expect({ ...after, setting: 0 }).toEqual({ ...before, setting: 0 })
    expect(await readSecrets(machine)).toMatchObject({ webhook, ...SECRETS })
    const program = await startProgram(machine)
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
    expect(await program.stop()).toBe(0)
    expect(readdirSync(machine.DATA_DIR ?? '')).not.toContain('restoring')
    const stored = await openDatabase(options(machine))
    expect(await stored.query.selectFrom('setting').select('name').where('name', '=', 'backup_key').execute()).toEqual(
      [],
    )
    await stored.close()
  })

  test('a sealed key needs its passphrase, SECRET_KEY stays outside, and without the right key nothing is restored', async () => {
    const sealed = await backedUp(store, { BACKUP_PASSPHRASE: 'four plain words here' })
    expect(sealed.report).toMatchObject({ key: 'sealed' })
    const separate = await backedUp(store, { SECRET_KEY: 'a key from the environment' })
    expect(separate.report).toMatchObject({ key: 'separate' })
    const both = await backedUp(store, {
      SECRET_KEY: 'another key of this test',
      BACKUP_PASSPHRASE: 'four plain words here',
    })
    for (const { file } of [sealed, separate, both]) {
      const bytes = readFileSync(file)
      const key = join(sealed.environment.DATA_DIR ?? '', 'secret.key')
      for (const secret of [readFileSync(key, 'utf8').trim(), 'a key from the environment', 'another key of this test'])
        expect(bytes.includes(secret)).toBe(false)
    }
    for (const [{ file }, more, message] of [
      [sealed, {}, 'Set BACKUP_PASSPHRASE.'],
      [sealed, { BACKUP_PASSPHRASE: 'wrong words here' }, 'BACKUP_PASSPHRASE does not open the key'],
      [sealed, { SECRET_KEY: 'a key that is wrong' }, 'SECRET_KEY is not the key'],
      [separate, {}, 'Set SECRET_KEY.'],
      [separate, { SECRET_KEY: 'a key that is wrong' }, 'SECRET_KEY is not the key'],
    ] as const) {
      const machine = await emptyMachine(store, more)
      const refused = await run(commandLine('restore'), file, machine)
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr.trim().split('\n')).toHaveLength(1)
      expect(refused.stderr).toContain(message)
      expect(refused.stderr).toContain('Nothing was restored')
      expect(existsSync(machine.DATA_DIR ?? '')).toBe(false)
    }
    for (const [{ file, webhook }, more] of [
      [sealed, { BACKUP_PASSPHRASE: 'four plain words here' }],
      [separate, { SECRET_KEY: 'a key from the environment' }],
      [both, { BACKUP_PASSPHRASE: 'four plain words here' }],
    ] as const) {
      const machine = await emptyMachine(store, more)
      expect(await run(commandLine('restore'), file, machine)).toMatchObject({ code: 0 })
      expect(await readSecrets(machine)).toMatchObject({ webhook, ...SECRETS })
    }
  })

  test('a lost key: everything else is restored, what is forgotten is listed, and nothing undecryptable is left', async () => {
    const { environment, file } = await backedUp(store, { SECRET_KEY: 'a lost key of this test' })
    const machine = await emptyMachine(store)
    const restored = await run(commandLine('restore'), file, machine, '--forget-secrets', '--json')
    expect(restored.code).toBe(0)
    const { forgotten } = JSON.parse(restored.stdout) as { forgotten: string[] }
    expect(forgotten).toEqual([
      expect.stringContaining('https://receiver.example/hook'),
      'authenticator app of ada@shop.example',
      'feed rates, with its credentials',
      'source drill, with its credentials',
      'record of the seller of 1 purchase',
      'name and contact of 1 quote',
    ])
    for (const secret of forgotten) expect(restored.stderr).toContain(secret)
    const { db, encryption } = await open(machine)
    const webhook = await db.query.selectFrom('webhook_endpoint').selectAll().executeTakeFirstOrThrow()
    expect(webhook.disabled_reason).toContain('Rotate the secret')
    expect(encryption.decrypt(webhook.secret, webhook.id)).toStartWith('whsec_')
    await db.close()
    const rows = { setting: 0, totp: 0, audit_entry: 0, seller_record: 0, seller_photo: 0 }
    expect({ ...(await rowsOf(machine)), ...rows }).toEqual({ ...(await rowsOf(environment)), ...rows })
    const program = await startProgram(machine)
    expect(await program.stop()).toBe(0)
  })

  test('a backup with a wrong or missing key is rejected, because it could not be restored', async () => {
    const { environment } = await backedUp(store)
    const file = join(folder, `rejected-${++machines}.sqlite`)
    const wrong = await run(commandLine('backup'), file, { ...environment, SECRET_KEY: 'a key that is wrong' })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toContain('SECRET_KEY is not the key of this database')
    rmSync(join(environment.DATA_DIR ?? '', 'secret.key'))
    const missing = await run(commandLine('backup'), file, environment)
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toContain('secret.key')
    expect(readdirSync(folder).filter((name) => name.startsWith('rejected'))).toEqual([])
    // Nor does the service replace the key.
    await expect(startProgram(environment)).rejects.toThrow('Cannot decrypt stored secrets')
    expect(existsSync(join(environment.DATA_DIR ?? '', 'secret.key'))).toBe(false)
  })

  test('every column with encrypted values is in the list of --forget-secrets', async () => {
    const { environment } = await backedUp(store)
    const db = await openDatabase(options(environment))
    const columns: string[] = []
    for (const { name, columns: tableColumns } of await db.query.introspection.getTables())
      for (const column of tableColumns) {
        const value = sql<string>`cast(${sql.ref(column.name)} as text)`
        const { rows } =
          await sql`select 1 from ${sql.table(name)} where ${value} like ${`%${CIPHERTEXT_PREFIX}%`} limit 1`.execute(
            db.query,
          )
        if (rows.length > 0) columns.push(`${name}.${column.name}`)
      }
    await db.close()
    expect(columns.sort()).toEqual(ENCRYPTED_VALUES.flatMap((value) => value.columns).sort())
  })
})

const options = ({ DATABASE_URL = '', DATA_DIR = '' }: Environment): DatabaseOptions => ({
  url: DATABASE_URL,
  dataDir: DATA_DIR,
})
