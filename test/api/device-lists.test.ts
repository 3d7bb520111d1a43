import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { DeviceListWithRowsWire } from '../../src/contract/device-lists.ts'
import { parseCsv } from '../../src/import/read/csv-reader.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const HEADER = ['IMEI', 'Modell', 'Zustand', 'Preis']
const FILE_HASH = 'a'.repeat(64)
const IMEI = '351044631234567'

onDatabaseOfSuite((store) => {
  let service: TestService
  let manager: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    manager = await member(service, service.organizationId, 'manager')
  })
  afterAll(() => service.stop())

  const add = async (fields: object = {}): Promise<DeviceListWithRowsWire> =>
    (await manager.post('/api/lists', { name: 'October.xlsx', header: HEADER, ...fields })).body.data
  const change = async (id: string, body: object): Promise<DeviceListWithRowsWire> => {
    const { status, body: response } = await manager.send('PATCH', `/api/lists/${id}`, body)
    expect([status, response.error]).toEqual([200, undefined])
    return response.data
  }

  describe('a device list', () => {
    test('is read, appraised and opened again by a colleague', async () => {
      const { id, columns, is_new: isNew } = await add({ supplier: 'Wholesale North', file_hash: FILE_HASH })
      expect([isNew, columns]).toEqual([true, ['identifier', 'text', 'condition', 'asking_price']])
      const rows = [
        { line: 4, cells: [IMEI, 'iPhone 13 128GB Midnight', 'gut', '120 USD'] },
        { line: 5, cells: ['', 'Galaxy S23 256GB', 'Kreidig irgendwie', '90'] },
        { line: 6, cells: ['', 'Summe', '', '210'] },
      ]
      const sent = await change(id, { rows })
      expect(sent.rows.map(({ line }) => line)).toEqual([4, 5])
      expect(sent.rows[0]).toMatchObject({
        questions: [],
        asking_amount: 12_000,
        appraisal: { identity: { device_id: 'apple-iphone-13' }, offer: { condition: 'Good' } },
      })
      expect(sent.rows[1]).toMatchObject({ is_settled: false, questions: [{ code: 'unknown_grade' }] })
      const colleague = await member(service, service.organizationId, 'owner')
      const opened = (await colleague.get(`/api/lists/${id}`)).body.data
      expect(opened).toMatchObject({ name: 'October.xlsx', supplier: 'Wholesale North', state: 'open', row_count: 2 })
      expect(opened.rows).toEqual(sent.rows)
      const [listed] = (await colleague.get('/api/lists')).body.data
      expect(listed).toMatchObject({ id, row_count: 2, created_by: { kind: 'person' } })
      const [first] = (await colleague.get(`/api/lists/${id}?limit=1`)).body.data.rows
      expect(first.line).toBe(4)
    })

    test('of many rows is appraised as a whole by one request, in the order of its lines', async () => {
      const { id } = await add({ name: 'Many.xlsx' })
      const rows = Array.from({ length: 230 }, (_, at) => ({
        line: at + 2,
        cells: ['', `iPhone 13 ${at % 2 ? 128 : 256}GB`, 'B', String(100 + at)],
      }))
      const sent = await change(id, { rows })
      expect(sent.rows.map(({ line }) => line)).toEqual(rows.map(({ line }) => line))
      expect(sent.rows.map(({ asking_price: price }) => price?.value)).toEqual(rows.map((_, at) => 100 + at))
      expect(new Set(sent.rows.map(({ appraisal }) => appraisal?.appraisal_id)).size).toBe(rows.length)
      expect((await manager.get(`/api/lists/${id}?limit=500`)).body.data.rows).toEqual(sent.rows)
    })

    test('of the same file is the earlier one, unless a copy is wanted', async () => {
      const first = await add({ file_hash: FILE_HASH })
      expect(first).toMatchObject({ is_new: false, supplier: 'Wholesale North', row_count: 2 })
      const copy = await add({ file_hash: FILE_HASH, is_copy: true })
      expect(copy).toMatchObject({ is_new: true, row_count: 0 })
      expect(copy.id).not.toBe(first.id)
    })

    test('has rows that are no offers until they are bought, which a lot does for all at once', async () => {
      const { id } = await add({ name: 'Lot.xlsx' })
      const total = async () => (await manager.get('/api/appraisals?limit=100')).body.meta.total
      const offers = async (query = '') =>
        (await manager.get(`/api/appraisals?limit=100${query}`)).body.data.map(
          (offer: { appraisal_id: string }) => offer.appraisal_id,
        )
      const before = await total()
      const rows = [2, 3, 4].map((line) => ({
        line,
        cells: ['', 'iPhone 13 128GB Midnight', 'Good', String(100 + line)],
      }))
      const appraised = (await change(id, { rows })).rows.map(({ appraisal }) => appraisal?.appraisal_id ?? '')
      expect(await total()).toBe(before)
      for (const query of ['', '&outcome=open', '&device_id=apple-iphone-13', '&q=iphone'])
        expect((await offers(query)).filter((each: string) => appraised.includes(each))).toEqual([])
      const items = appraised.slice(0, 2).map((appraisal_id) => ({ appraisal_id }))
      const seller = { kind: 'company', name: 'Wholesale North', vat_number: 'GB999' }
      const bought = await manager.post('/api/purchases', {
        items,
        total: 15_001,
        list_id: id,
        seller,
        confirm_amount: true,
      })
      expect(bought.body.data).toMatchObject({ total: 15_001, list_id: id, seller })
      expect(bought.body.data.lines).toHaveLength(2)
      expect(await total()).toBe(before + 2)
      expect((await offers('&outcome=bought')).filter((each: string) => appraised.includes(each)).sort()).toEqual(
        appraised.slice(0, 2).sort(),
      )
    })

    test('marks a device that is in another list', async () => {
      const earlier = await add({ file_hash: FILE_HASH })
      const { id } = await add({ name: 'November.xlsx' })
      const { rows } = await change(id, { rows: [{ line: 2, cells: [IMEI, 'iPhone 13 128GB Midnight', 'B', ''] }] })
      expect(rows[0]?.in_lists.map(({ name }) => name)).toContain(earlier.name)
      // Appraising the row again does not make it known from its own list.
      const again = await change(id, { rows: [{ line: 2 }] })
      expect(again.rows[0]?.in_lists.map((list) => list.id)).not.toContain(id)
    })

    test('is corrected row by row: only the rows that are sent are appraised again', async () => {
      const { id } = await add()
      const rows = [
        { line: 2, cells: ['', 'Telefon von Oma, Display kaputt', 'prima', '50'] },
        { line: 3, cells: ['', 'iPhone 13 128GB Midnight', 'Good', '50'] },
      ]
      const before = await change(id, { rows })
      expect(before.rows[0]?.appraisal?.identity.device_id).toBe(null)
      const correction = { device_id: 'apple-iphone-13', storage: '256GB', condition: 'Fair' }
      const { rows: corrected } = await change(id, { rows: [{ line: 2, change: correction }] })
      expect(corrected).toHaveLength(1)
      expect(corrected[0]).toMatchObject({
        is_settled: false,
        change: { ...correction, defects: null },
        appraisal: { identity: { device_id: 'apple-iphone-13' }, offer: { condition: 'Fair' } },
      })
      // What the title said about faults still counts.
      expect(corrected[0]?.appraisal?.defects).toEqual(['cracked_screen'])
      const { rows: withoutFaults } = await change(id, { rows: [{ line: 2, change: { ...correction, defects: [] } }] })
      expect(withoutFaults[0]).toMatchObject({ is_settled: true, appraisal: { defects: [] } })
      const opened = (await manager.get(`/api/lists/${id}`)).body.data
      expect(opened.rows[1].appraisal.appraisal_id).toBe(before.rows[1]?.appraisal?.appraisal_id)
    })

    test('has identifiers and prices that are corrected and stay, also when something else of the row is corrected', async () => {
      const { id } = await add({ name: 'Typos.xlsx' })
      const rows = [{ line: 2, cells: ['356938035643808', 'iPhone 13 128GB Midnight', 'Good', '12 €'] }]
      await change(id, { rows })
      const correction = { identifier: '356938035643809', asking_price: 120.5 }
      const { rows: corrected } = await change(id, { rows: [{ line: 2, change: correction }] })
      expect(corrected[0]).toMatchObject({
        cells: rows[0]?.cells,
        questions: [],
        change: correction,
        asking_price: { value: 120.5, currency: 'EUR' },
        appraisal: { risk: { recommendation: expect.not.stringMatching('recheck_identifier') } },
      })
      const opened = (await manager.get(`/api/lists/${id}`)).body.data
      expect(opened.rows[0]).toMatchObject({ change: correction, asking_price: { value: 120.5, currency: 'EUR' } })
      // An empty identifier states that the row has none.
      const { rows: without } = await change(id, { rows: [{ line: 2, change: { ...correction, identifier: '' } }] })
      expect(without[0]).toMatchObject({ questions: [], appraisal: { risk: null } })
    })

    test('replaces the appraisal of a corrected row, unless it was dealt with', async () => {
      const { id } = await add({ name: 'Replaced' })
      const cells = ['356938035643809', 'iPhone 13 128GB Midnight', 'B', '']
      const rows = [
        { line: 2, cells },
        { line: 3, cells: ['', 'iPhone 12 64GB', 'B', ''] },
      ]
      const idsOf = (list: DeviceListWithRowsWire) => list.rows.map(({ appraisal }) => appraisal?.appraisal_id ?? '')
      const offers = async () => {
        const { data, meta } = (await manager.get('/api/appraisals?limit=100')).body
        return { ids: data.map((each: { appraisal_id: string }) => each.appraisal_id), total: meta.total }
      }
      const first = idsOf(await change(id, { rows }))
      const before = await offers()
      const bought = { status: 'bought', price: 5_000, currency: 'USD', date: '2026-03-01' }
      expect((await manager.post(`/api/appraisals/${first[1]}/outcome`, bought)).status).toBe(200)
      const correction = { change: { condition: 'Fair' } }
      const corrected = await change(id, {
        rows: [
          { line: 2, ...correction },
          { line: 3, ...correction },
        ],
      })
      const after = await offers()
      expect(after.ids).not.toContain(first[0])
      expect(after.ids).toContain(first[1])
      // One is replaced, one added beside the purchase.
      expect(after.total).toBe(before.total + 1)
      expect(corrected.rows[0]?.appraisal?.identity.known_to_you).toEqual([])
      expect((await manager.get(`/api/appraisals/${first[0]}`)).status).toBe(404)
    })

    test('learns a word once for the whole organization', async () => {
      const { id } = await add()
      const cells = ['', 'iPhone 13 128GB Midnight', 'Katzenspuren, Schnurrlaut', '']
      const { rows } = await change(id, { rows: [{ line: 2, cells }] })
      expect(rows[0]?.questions).toMatchObject([{ code: 'unknown_grade' }])
      const words = [
        { word: 'Katzenspuren', condition: 'Fair' },
        { word: 'SCHNURRLAUT', defect: 'cracked_back' },
      ]
      const taught = await change(id, { words, rows: [{ line: 2 }] })
      expect(taught.rows[0]).toMatchObject({ questions: [], appraisal: { defects: ['cracked_back'] } })
      expect(taught.rows[0]?.appraisal?.offer.condition).toBe('Fair')
      const next = await add({ name: 'Next.csv' })
      expect(next.words.map(({ word }) => word)).toEqual(['katzenspuren', 'schnurrlaut'])
      const read = await change(next.id, { rows: [{ line: 2, cells }] })
      expect(read.rows[0]?.questions).toEqual([])
      expect((await change(id, { words: [{ word: 'katzenspuren', forget: true }] })).words).toHaveLength(1)
    })

    test('is compared with its next version', async () => {
      const first = await add({ name: 'Lot May.xlsx', supplier: 'Wholesale East' })
      const rows = [
        { line: 2, cells: [IMEI, 'iPhone 13 128GB Midnight', 'B', '120'] },
        { line: 3, cells: ['', 'Galaxy S23 256GB', 'gut', '90'] },
        { line: 4, cells: ['', 'Pixel 7 128GB', 'gut', '60'] },
      ]
      await change(first.id, { rows })
      const next = await add({ name: 'Lot June.xlsx', supplier: 'wholesale east' })
      expect(next.previous).toMatchObject({ id: first.id, name: 'Lot May.xlsx' })
      expect((await manager.get(`/api/lists/${next.id}?compare=previous`)).body.data.comparison.counts.gone).toBe(3)
      await change(next.id, {
        rows: [
          { line: 2, cells: ['', 'Galaxy S23 256GB', 'gut', '85'] },
          { line: 3, cells: [IMEI, 'iPhone 13 128GB', 'C', '120'] },
          { line: 4, cells: ['', 'iPhone 12 64GB', 'A', '100'] },
        ],
      })
      const { comparison } = (await manager.get(`/api/lists/${next.id}?compare=previous`)).body.data
      expect(comparison).toMatchObject({
        list: { id: first.id },
        counts: { added: 1, gone: 1, price_changed: 1, grade_changed: 1, quantity_changed: 0, unchanged: 0 },
      })
      expect(comparison.differences.slice(0, 2)).toMatchObject([
        { kinds: ['price_changed'], before: { line: 3, asking_price: { value: 90 } }, after: { line: 2 } },
        { kinds: ['grade_changed'], identifier: IMEI, before: { grade: 'B' }, after: { grade: 'C' } },
      ])
      const chosen = (await manager.get(`/api/lists/${first.id}?compare=${next.id}`)).body.data.comparison
      expect(chosen.counts).toMatchObject({ added: 1, gone: 1 })
      expect((await manager.get(`/api/lists/${first.id}?compare=list_other`)).status).toBe(404)
      expect((await manager.get(`/api/lists/${first.id}`)).body.data.comparison).toBe(null)
    })

    test('is downloaded as CSV or XLSX in the language of the reader', async () => {
      const { id } = await add({ name: 'Lot für Köln.csv' })
      await change(id, {
        rows: [
          { line: 2, cells: ['', 'iPhone 13 128GB Midnight', 'Katzenhaar', '120,50 €'] },
          { line: 3, cells: ['', 'Galaxy S23 256GB', 'gut', '90'] },
        ],
      })
      const csv = await manager.get(`/api/lists/${id}?format=csv&language=de`)
      expect(csv.status).toBe(200)
      expect(csv.headers.get('content-disposition')).toContain(
        "filename*=UTF-8''Lot%20f%C3%BCr%20K%C3%B6ln-appraised.csv",
      )
      const [header = [], first = [], ...others] = parseCsv(csv.text.replace(/^\uFEFF/, ''), ';')
      expect(header.slice(0, 6)).toEqual([...HEADER, 'Zeile', 'Fehler'])
      expect(first[header.indexOf('Fragen')]).toContain('Katzenhaar')
      expect(others.filter((cells) => cells.length > 1)).toHaveLength(1)
      const chosen = await manager.get(`/api/lists/${id}?format=csv&lines=3-9`)
      expect(parseCsv(chosen.text, ',').flat()).not.toContain('Katzenhaar')
      const xlsx = await manager.get(`/api/lists/${id}?format=xlsx&language=de`)
      expect(xlsx.headers.get('content-type')).toContain('spreadsheetml')
      expect((await manager.get(`/api/lists/${id}?format=csv&lines=x`)).status).toBe(400)
      expect((await manager.get('/api/lists/list_other?format=csv')).status).toBe(404)
    })

    test('gives every reason in the language of the download', async () => {
      const { id } = await add({ header: ['Gerät', 'Text'], columns: ['device_id', 'text'] })
      const { rows } = await change(id, {
        rows: [
          { line: 2, cells: ['no-such-device', ''] },
          { line: 3, cells: ['', 'Telefon von Oma'] },
          { line: 4, cells: ['apple-iphone-13', 'verbogen'] },
        ],
      })
      expect(rows[0]).toMatchObject({ appraisal: null, reason_code: 'not_found' })
      expect((await manager.get(`/api/lists/${id}`)).body.data.rows).toEqual(rows)
      const cellsOf = async (language: string, separator: ';' | ',', titles: readonly string[]) => {
        const { text } = await manager.get(`/api/lists/${id}?format=csv&language=${language}`)
        const [header = [], ...lines] = parseCsv(text.replace(/^\uFEFF/, ''), separator)
        return lines.flatMap((cells) => titles.map((title) => cells[header.indexOf(title)] ?? '')).filter(Boolean)
      }
      const english = await cellsOf('en', ',', ['Error', 'Reason in full'])
      const german = await cellsOf('de', ';', ['Fehler', 'Grund im Wortlaut'])
      expect(german).toHaveLength(english.length)
      expect(english.length).toBeGreaterThan(2)
      expect(german.filter((text) => english.includes(text))).toEqual([])
      expect(german).toContain('Das Gerät konnte nicht bestimmt werden.')
    })

    test('has a name, a supplier and a state, and is removed without its appraisals', async () => {
      const { id } = await add()
      const { rows } = await change(id, { rows: [{ line: 2, cells: ['', 'iPhone 13 128GB Midnight', 'B', ''] }] })
      expect(await change(id, { name: 'Lot 7', supplier: 'North', state: 'offered' })).toMatchObject({
        name: 'Lot 7',
        supplier: 'North',
        state: 'offered',
      })
      expect((await manager.send('DELETE', `/api/lists/${id}`)).status).toBe(200)
      expect((await manager.get(`/api/lists/${id}`)).status).toBe(404)
      expect((await manager.get(`/api/appraisals/${rows[0]?.appraisal?.appraisal_id}`)).status).toBe(200)
      const trail = (await manager.get('/api/manage/audit?kind=appraisal')).text
      for (const action of ['list_added', 'list_changed', 'list_removed']) expect(trail).toContain(action)
    })

    test('is not checked without the Enterprise tier, and hidden from clerks and other organizations', async () => {
      const { id } = (await service.ask('/api/lists', { tier: 'paid', json: { name: 'API', header: HEADER } })).body
        .data
      const rows = [{ line: 1, cells: [IMEI, 'iPhone 13 128GB Midnight', 'B', ''] }]
      const sent = await service.ask(`/api/lists/${id}`, { tier: 'paid', method: 'PATCH', json: { rows } })
      expect(sent.body.data.rows[0].appraisal.risk).toBe(null)
      const clerk = await member(service, service.organizationId, 'clerk')
      expect((await clerk.get('/api/lists')).status).toBe(403)
      expect((await manager.get('/api/lists/list_other')).status).toBe(404)
      const missing = await manager.send('PATCH', `/api/lists/${id}`, { rows: [{ line: 9 }] })
      expect([missing.status, missing.body.error.details[0].field]).toEqual([400, 'rows.0.cells'])
    })
  })
})
