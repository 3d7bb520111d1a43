import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeDevice } from '../../src/appraisal/described-device.ts'
import { parseCsv } from '../../src/import/read/csv-reader.ts'
import { readListingText } from '../../src/pricing/observations/listing-text.ts'
import { member } from '../support/browser-session.ts'
import { onSqlite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { startService, type TestService } from '../support/service.ts'

const SENTENCES = 200

type ReadField = { readonly words: string; readonly field: string; readonly value: string }

/** Faults, locks and battery health with their words; grades differ where a request states one. */
const statements = (fields: readonly ReadField[]) =>
  fields
    .filter(({ field }) => ['defects', 'lock', 'battery_health'].includes(field))
    .map(({ words, field, value }) => `${field} ${value}: ${words}`)
    .sort()

onSqlite((store) => {
  let service: TestService
  let manager: Awaited<ReturnType<typeof member>>
  const texts = parseCsv(readFileSync(join(import.meta.dir, '../matching/descriptions.csv'), 'utf8'))
    .slice(1, SENTENCES + 1)
    .map(([text = '']) => text)
  /** By text, as a batch of appraisals reads it. */
  const read = new Map<string, readonly string[]>()

  beforeAll(async () => {
    service = await startService(await store.openFull())
    manager = await member(service, service.organizationId, 'manager')
    const items = texts.map((text) => ({ text }))
    const { body } = await service.ask('/api/appraisals/batch', { tier: 'enterprise', json: { items } })
    for (const [at, { result }] of body.data.entries()) read.set(texts[at] ?? '', statements(result.read_from_text))
  })
  afterAll(() => service.stop())

  async function expectSame(readText: (text: string) => Promise<readonly string[]>, sentences = texts) {
    const different: unknown[] = []
    for (const text of sentences) {
      const own = await readText(text)
      if (!Bun.deepEquals(own, read.get(text))) different.push({ text, own, batch: read.get(text) })
    }
    expect(different).toEqual([])
  }

  test('200 sentences state something: the comparison is not of nothing with nothing', () => {
    expect(texts).toHaveLength(SENTENCES)
    expect([...read.values()].filter((fields) => fields.length > 0).length).toBeGreaterThan(SENTENCES / 3)
  })

  test('a single appraisal reads the same statements', () =>
    expectSame(
      async (text) => {
        const { body } = await service.ask('/api/appraisals', { tier: 'enterprise', json: { text } })
        return statements(body.data.read_from_text)
      },
      texts.slice(0, 40),
    ))

  test('a preview reads the same statements', () =>
    expectSame(async (text) => {
      const { body } = await manager.post('/api/appraisals/preview', { lookup_id: null, text })
      return statements(body.data.read_from_text)
    }))

  test('a match, from which the counter takes its choices, reads the same statements', () =>
    expectSame(async (text) => {
      const { body } = await service.ask(`/api/match?text=${encodeURIComponent(text)}`, { tier: 'enterprise' })
      return statements(body.data.read_from_text)
    }))

  test('a row of a list reads the same statements', async () => {
    const { body: list } = await manager.post('/api/lists', { name: 'Lot.csv', header: ['Modell'], columns: ['text'] })
    const rows = texts.map((text, at) => ({ line: at + 2, cells: [text] }))
    const { body } = await manager.send('PATCH', `/api/lists/${list.data.id}`, { rows })
    const byLine = new Map<number, readonly string[]>(
      body.data.rows.map((row: { line: number; appraisal: { read_from_text: ReadField[] } | null }) => [
        row.line,
        statements(row.appraisal?.read_from_text ?? []),
      ]),
    )
    await expectSame(async (text) => byLine.get(texts.indexOf(text) + 2) ?? [])
  })

  test('a language model gets the same statements', async () => {
    const client = await connectOverHttp(service.url, service.keys.enterprise)
    try {
      await expectSame(
        async (text) => {
          const { data } = await callTool(client, 'match_device', { text })
          return statements((data as { read_from_text: ReadField[] }).read_from_text)
        },
        texts.slice(0, 60),
      )
    } finally {
      await client.close()
    }
  })

  test('a row of a price list has the faults that an appraisal reads', () => {
    for (const text of texts) {
      const { statements } = describeDevice(text).reading
      if (!statements.some(({ assertion }) => assertion === 'present')) continue
      expect({ text, hasFault: readListingText(text).withoutFaults !== null }).toEqual({ text, hasFault: true })
    }
  })
})
