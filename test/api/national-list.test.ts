import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { runFeedAsJob } from '../../src/import/feeds/feed-run-service.ts'
import { parseFeed } from '../../src/import/feeds/feed-settings.ts'
import { IMPORTERS } from '../../src/import/importers.ts'
import recordings from '../../src/risk/sources/recordings/national-list.json'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR } from '../support/service.ts'

const TEMPLATE = readFileSync(join(import.meta.dir, '../../docs/examples/sources/national-list.json'), 'utf8')

let recording: (typeof recordings)[number] | undefined
let authorization: string | null = null
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    authorization = request.headers.get('authorization')
    const response = recording?.response
    if (!response) return new Promise<Response>(() => {})
    const headers = new Headers(Object.entries(response.headers))
    return new Response(response.text || null, { status: response.status, headers })
  },
})
afterAll(() => server.stop(true))

onDatabaseOfSuite((store) => {
  let db: Database
  let dataDir: string
  beforeAll(async () => {
    const opening = await store.openEmpty()
    dataDir = opening.dataDir
    db = await openDatabase(opening)
  })
  afterAll(() => db.close())

  const fetchList = async () => {
    const text = TEMPLATE.replace('https://authority.example', `http://127.0.0.1:${server.port}`)
    const [definition] = JSON.parse(text.replace(`\${NATIONAL_LIST_TOKEN}`, 't1')).feeds
    const { feed } = parseFeed(definition, { formats: IMPORTERS, now: Date.now() })
    const importer = IMPORTERS.find(({ format }) => format === feed?.format)
    if (!feed || !importer) throw new Error('the template has no feed')
    return runFeedAsJob({
      feed: { ...feed, retries: 0, timeoutMs: 500 },
      importer,
      db,
      dataDir,
      allowPrivateAddresses: false,
      defaultMarket: 'us',
      actor: OPERATOR,
      force: false,
      acceptShrink: false,
      now: Date.now,
      notify: () => {},
      signal: new AbortController().signal,
    })
  }
  const listed = async () => {
    const rows = await db.query
      .selectFrom('listed_identifier')
      .select('key14')
      .where('cleared_at', 'is', null)
      .orderBy('key14')
      .execute()
    return rows.map(({ key14 }) => key14)
  }

  // In this order: the list that was imported first must survive every failure.
  for (const each of recordings) {
    test(`the national list: ${each.name}`, async () => {
      recording = each
      if ('failure' in each) await expect(fetchList()).rejects.toThrow(each.failure)
      else expect((await fetchList()).outcome).toBe('unchanged' in each ? 'unchanged' : 'imported')
      expect(await listed()).toEqual(['35693803564380', '49015420323751'])
      expect(authorization).toBe('Bearer t1')
    })
  }
})
