import { describe, expect, test } from 'bun:test'
import { supplierSheets } from '../../test/support/supplier-files.ts'
import { createByteSource } from '../import/read/byte-source-service.ts'
import { readCsvBlocks } from '../import/read/csv-reader.ts'
import { decodeText } from '../import/read/encoding.ts'
import { readTableFile } from '../import/read/table-file.ts'
import { withUnpackedSource } from '../import/read/unpack-service.ts'
import { splitLines } from './device-lines.ts'
import { detectListLayout } from './list-columns.ts'
import { createLineReader, type DeviceListBlock, readDeviceList } from './read-device-list.ts'

type Rows = DeviceListBlock['rows']

async function readAsPage(bytes: Uint8Array): Promise<Rows> {
  const rows = splitLines((await readTableFile(bytes, 'list')).rows)
  const layout = detectListLayout(rows)
  return createLineReader(layout, layout.columns)(rows.slice(layout.firstRow)).rows
}

async function readAsCommand(bytes: Uint8Array): Promise<Rows> {
  async function* chunks() {
    yield bytes
  }
  const rows: Rows[number][] = []
  await withUnpackedSource(createByteSource('list', chunks), {}, async (list) => {
    for await (const block of readDeviceList(
      readCsvBlocks(
        decodeText(list, () => {}),
        'list',
      ),
    ))
      rows.push(...block.rows)
  })
  return rows
}

describe.each([...(await supplierSheets())])('a list with $name', ({ bytes, rows: expected, questions }) => {
  test('loses no row, and asks only about what it cannot know', async () => {
    const rows = await readAsPage(bytes)
    expect(rows).toHaveLength(expected)
    expect(rows.every(({ request }) => request?.text !== undefined)).toBe(true)
    expect(rows.filter((row) => row.questions.length > 0)).toHaveLength(questions)
  })

  test('is read by the command as by the page', async () => {
    const withoutCells = (rows: Rows) => rows.map(({ fields: _, ...row }) => row)
    expect(withoutCells(await readAsCommand(bytes))).toEqual(withoutCells(await readAsPage(bytes)))
  })
})

test('the title of the prices names their currency', async () => {
  const read = (title: string) => readAsPage(new TextEncoder().encode(`Model,${title}\niPhone 13,120`))
  const currencyOf = async (title: string) => (await read(title))[0]?.askingPrice?.currency
  expect(await currencyOf('Preis (€)')).toBe('EUR')
  expect(await currencyOf('Price GBP')).toBe('GBP')
  expect(await currencyOf('Price ($)')).toBe(null)
  expect(await currencyOf('Price')).toBe(null)
})

describe('a column that its name does not tell', () => {
  const fieldsOf = async (text: string) => {
    const rows = splitLines((await readTableFile(new TextEncoder().encode(text), 'list')).rows)
    return detectListLayout(rows).columns
  }

  test('is the storage if its cells are sizes: the offer would be that of the smallest size', async () => {
    expect(await fieldsOf('Modelo;Alm. int.;Estado\niPhone 13;256GB;Bueno\nGalaxy S23;128GB;Bueno')).toEqual([
      ...(['text', 'storage', 'condition'] as const),
    ])
    expect(
      await fieldsOf('359044110000911,Apple iPhone 12,64GB,B,$120\n359044110000929,Apple iPhone 12,128GB,A,$150'),
    ).toEqual(['identifier', 'text', 'storage', 'condition', 'asking_price'])
  })

  test('is the condition if it has the most grades, not the one with remarks', async () => {
    expect(
      await fieldsOf('機種名,IMEI,評価,メモ書き\niPhone 13,359044110001018,A,\niPhone 12,359044110001026,C,画面割れ'),
    ).toEqual([...(['text', 'identifier', 'condition', 'notes'] as const)])
  })

  test('names the device if it is a description beside remarks', async () => {
    expect(await fieldsOf('Codice,Descrizione,IMEI,Note\nA1,iPhone 14 128GB,359044110000515,graffi')).toEqual([
      ...(['reference', 'text', 'identifier', 'notes'] as const),
    ])
  })

  test('of sizes may state the memory, too', async () => {
    const rows = await readAsPage(new TextEncoder().encode('Model,RAM/ROM\nRedmi Note 12,8GB/256GB'))
    expect(rows[0]?.request?.attributes).toEqual({ storage: '256GB', ram: '8GB' })
  })
})
