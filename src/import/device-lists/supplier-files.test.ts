import { describe, expect, test } from 'bun:test'
import { supplierSheets } from '../../../test/support/supplier-files.ts'
import { createByteSource } from '../read/byte-source-service.ts'
import { readCsvBlocks } from '../read/csv-reader.ts'
import { decodeText } from '../read/encoding.ts'
import { readTableFile } from '../read/table-file.ts'
import { withUnpackedSource } from '../read/unpack-service.ts'
import { detectListLayout } from './list-columns.ts'
import { createLineReader, type DeviceListBlock, readDeviceList, splitLines } from './read-device-list.ts'

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
