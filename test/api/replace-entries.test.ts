import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readServiceSettings } from '../../src/app/service-settings.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { secretKeyFor } from '../support/secret-key.ts'
import { storeFeeds, storeSources } from '../support/stored-entries.ts'

const carrier = {
  name: 'carrier',
  request: {
    url: 'https://api.carrier.example/{identifier}',
    headers: { 'X-Api-Key': 'k1' },
    oauth: { token_url: 'https://login.carrier.example/token', client_id: 'shop', client_secret: 'client-secret' },
  },
  answer: {},
}
const registry = { name: 'device-registry', request: { url: 'https://registry.example/{identifier}' }, answer: {} }
const police = { name: 'police', format: 'lists', url: 'https://lists.example/stolen.csv', headers: { Key: 'k1' } }

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let db: Database
  beforeAll(async () => {
    opening = await store.openEmpty()
    db = await openDatabase(opening)
  })
  afterAll(() => db.close())

  const settings = () =>
    readServiceSettings(db, {
      config: readConfig({}),
      environment: {},
      encryption: openEncryption({ secretKey: secretKeyFor(opening.url), dataDir: opening.dataDir }),
      onInvalid: (name, reasons) => {
        throw new Error(`${name}: ${reasons.join()}`)
      },
    })
  let seenEntries = 0
  /** Audit entries since the last call. */
  async function newestActions(): Promise<string[]> {
    const rows = await db.query.selectFrom('audit_entry').select(['action', 'subject']).orderBy('id').execute()
    const newest = rows.slice(seenEntries).map(({ action, subject }) => `${action} ${subject}`)
    seenEntries = rows.length
    return newest
  }
  const none = { added: [], changed: [], removed: [], unchanged: [] }

  test('a document becomes the list of sources, and applied again it changes nothing', async () => {
    expect(await storeSources(opening, [carrier, registry])).toEqual({ ...none, added: ['carrier', 'device-registry'] })
    expect(await newestActions()).toEqual(['source.changed carrier', 'source.changed device-registry'])
    expect((await settings()).sources).toMatchObject([
      { name: 'carrier', request: { headers: { 'X-Api-Key': 'k1' }, oauth: { client_secret: 'client-secret' } } },
      { name: 'device-registry' },
    ])
    expect(await storeSources(opening, [registry, carrier])).toEqual({
      ...none,
      unchanged: ['device-registry', 'carrier'],
    })
    expect(await newestActions()).toEqual([])
    const stored = JSON.stringify(await db.query.selectFrom('setting').selectAll().execute())
    for (const secret of ['"k1"', 'client-secret']) expect(stored).not.toContain(secret)
  })

  test('a document without secrets keeps the stored ones, but does not send them to another host', async () => {
    const { url, oauth } = carrier.request
    const { client_secret: _, ...client } = oauth
    const withoutSecrets = { ...carrier, request: { url, oauth: client } }
    expect(await storeSources(opening, [withoutSecrets, registry])).toMatchObject({
      unchanged: ['carrier', 'device-registry'],
    })
    const moved = { ...carrier, request: { url: 'https://elsewhere.example/{identifier}', oauth: client } }
    await expect(storeSources(opening, [moved, registry])).rejects.toThrow('Enter the secret again')
    expect(await storeSources(opening, [{ ...carrier, request: { ...carrier.request, headers: {} } }])).toEqual({
      ...none,
      changed: ['carrier'],
      removed: ['device-registry'],
    })
    expect(await newestActions()).toEqual(['source.changed carrier', 'source.removed device-registry'])
    expect((await settings()).sources).toMatchObject([{ name: 'carrier', request: { headers: {} } }])
  })

  test('a document with any mistake changes nothing, and all mistakes are reported', async () => {
    const wrong = [registry, registry, { ...registry, name: 'Other', timeout_ms: 'x' }, { ...carrier, answer: 1 }]
    const failure = await storeSources(opening, wrong).catch((error) => error)
    expect(failure.details.map(({ field }: { field: string }) => field)).toEqual([
      'sources.1.name',
      'sources.2.name',
      'sources.2.timeout_ms',
      'sources.3.answer',
    ])
    await expect(storeSources(opening, Array(33).fill(registry))).rejects.toThrow('32 at most, got 33')
    expect((await settings()).sources).toMatchObject([{ name: 'carrier' }])
    expect(await newestActions()).toEqual([])
  })

  test('a document becomes the list of feeds; a paused feed stays paused until the document resumes it', async () => {
    expect(await storeFeeds(opening, [{ ...police, is_paused: true }, { preset: 'ecb' }])).toEqual({
      ...none,
      added: ['police', 'ecb'],
    })
    expect(await storeFeeds(opening, [police, { preset: 'ecb' }])).toEqual({ ...none, unchanged: ['police', 'ecb'] })
    expect((await settings()).feeds).toMatchObject([
      { isPaused: false, settings: { name: 'ecb', format: 'rates' } },
      { isPaused: true, settings: { name: 'police', headers: { Key: 'k1' } } },
    ])
    const resumed = { ...police, schedule: '@daily', is_paused: false }
    expect(await storeFeeds(opening, [resumed])).toEqual({ ...none, changed: ['police'], removed: ['ecb'] })
    expect((await settings()).feeds).toMatchObject([{ isPaused: false, settings: { schedule: { cron: '@daily' } } }])
    expect(await newestActions()).toEqual([
      'feed.changed police',
      'feed.changed ecb',
      'feed.changed police',
      'feed.removed ecb',
    ])
    expect((await settings()).sources).toHaveLength(1)
    expect(await storeFeeds(opening, [])).toEqual({ ...none, removed: ['police'] })
  })
})
