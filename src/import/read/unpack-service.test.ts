import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { zipOf } from '../../../test/support/zip.ts'
import { createByteSource, openByteSource } from './byte-source-service.ts'
import { type FileOptions, withUnpackedSource } from './unpack-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'unpack-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Name and text of every list in a file. */
async function unpacked(name: string, bytes: string | Uint8Array, options: FileOptions = {}) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return withUnpackedSource({ ...(await openByteSource(path)), name }, options, async (source) => {
    const lists: [string, string][] = []
    for (const member of source.members ?? [source]) {
      const chunks: Uint8Array[] = []
      for await (const chunk of member.bytes()) chunks.push(chunk)
      lists.push([member.name, Buffer.concat(chunks).toString()])
    }
    return lists
  })
}

const CSV = 'title,price\niPhone 13,400\n'

test('a plain file is passed through unchanged', async () => {
  expect(await unpacked('a.csv', CSV)).toEqual([['a.csv', CSV]])
})

test('gzip is unpacked, also from a pipe', async () => {
  expect(await unpacked('a.csv.gz', gzipSync(CSV))).toEqual([['a.csv', CSV]])
  const packed = gzipSync(CSV)
  const pipe = createByteSource('-', () => [packed.subarray(0, 7), packed.subarray(7)], { repeatable: false })
  await withUnpackedSource(pipe, {}, async (source) => {
    expect(source.isRepeatable).toBe(true)
    for await (const chunk of source.bytes()) expect(chunk.toString()).toBe(CSV)
  })
})

test('all lists of a zip are unpacked; folders, hidden and other files are not', async () => {
  const files = {
    'prices/': '',
    'prices/a.csv': CSV,
    'b.json': '[]',
    'c.csv.gz': gzipSync(CSV),
    'readme.md': 'x',
    'prices/README.txt': 'Thank you for buying our list.',
    '__MACOSX/a.csv': 'x',
    'prices/.b.csv': 'x',
  }
  expect(await unpacked('all.zip', zipOf(files))).toEqual([
    ['prices/a.csv', CSV],
    ['b.json', '[]'],
    ['c.csv', CSV],
  ])
  expect(await unpacked('one.zip', zipOf({ 'a.csv': CSV }))).toEqual([['a.csv', CSV]])
})

test('a spreadsheet without its sheet is rejected as damaged', async () => {
  const workbook = '<workbook><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>'
  const files = { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': workbook }
  await expect(unpacked('list.xlsx', zipOf(files))).rejects.toThrow('list.xlsx is a damaged spreadsheet')
})

const WORKBOOK = await writeXlsx({
  sheets: [
    {
      name: 'Prices & more',
      rows: [
        ['title', 'price', 'date'],
        ['iPhone "13"\nblue, boxed', 400.5, new Date(Date.UTC(2024, 0, 2))],
        [],
        ['Galaxy; S21', null, new Date(Date.UTC(2024, 0, 2, 13, 30))],
      ],
    },
    { name: 'Second', rows: [['x']] },
  ],
})
const FIRST_SHEET =
  '"title","price","date"\n"iPhone ""13"" blue, boxed","400.5","2024-01-02"\n\n"Galaxy; S21","","2024-01-02T13:30:00.000Z"\n'

test('a spreadsheet becomes CSV with the same line numbers: its first sheet, or the requested one', async () => {
  expect(await unpacked('a.xlsx', WORKBOOK)).toEqual([['a.xlsx', FIRST_SHEET]])
  expect(await unpacked('a.xlsx', WORKBOOK, { sheet: 'prices & MORE' })).toEqual([['a.xlsx', FIRST_SHEET]])
  expect(await unpacked('a.xlsx', WORKBOOK, { sheet: '2' })).toEqual([['a.xlsx', '"x"\n']])
  expect(await unpacked('sheets.zip', zipOf({ 'a.xlsx': WORKBOOK }))).toEqual([['a.xlsx', FIRST_SHEET]])
  await expect(unpacked('a.xlsx', WORKBOOK, { sheet: 'Third' })).rejects.toMatchObject({
    details: [{ field: 'sheet', message: expect.stringContaining('Prices & more, Second') }],
  })
})

test('a cell that is merged over several rows counts for all of them', async () => {
  const rows = [
    ['title', 'storage', 'price'],
    ['iPhone 13', '128GB', 400],
    [null, '256GB', 450],
    ['iPhone 14', '128GB', 500],
  ]
  const merges = [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }]
  const workbook = await writeXlsx({
    sheets: [
      { name: 'First', rows: [['x']] },
      { name: 'Prices', rows, merges },
    ],
  })
  expect(await unpacked('a.xlsx', workbook, { sheet: 'Prices' })).toEqual([
    [
      'a.xlsx',
      '"title","storage","price"\n"iPhone 13","128GB","400"\n"iPhone 13","256GB","450"\n"iPhone 14","128GB","500"\n',
    ],
  ])
})

test('an explicit encoding takes precedence over the detected one', async () => {
  const bytes = Uint8Array.from([...Buffer.from('cijena;opis\n1;o'), 0xe8])
  expect(await unpacked('a.csv', bytes, { encoding: 'windows-1250' })).toEqual([['a.csv', 'cijena;opis\n1;oč']])
  await expect(unpacked('a.csv', bytes, { encoding: 'klingon' })).rejects.toMatchObject({
    details: [{ field: 'encoding', message: expect.stringContaining('klingon') }],
  })
})

/** A spreadsheet of one sheet with these rows. */
function sheetOf(rows: string, sharedStrings = '<sst/>'): Buffer {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': sharedStrings,
  })
}

test('a sheet of the largest size is read', async () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="BXX1048576"><v>2</v></c></row>'
  const [[, text = ''] = []] = await unpacked('a.xlsx', sheetOf(rows))
  expect([text.split('\n').length - 1, text.split(',').length]).toEqual([1_048_576, 2_000])
})

const damagedZip = zipOf({ 'a.csv': CSV.repeat(100) })
damagedZip[50] = (damagedZip[50] as number) ^ 0xff
for (const [problem, name, bytes, message] of [
  ['a gzip file that is cut short', 'a.csv.gz', gzipSync(CSV.repeat(500)).subarray(0, 40), 'damaged gzip file'],
  ['a zip archive that is cut short', 'a.zip', zipOf({ 'a.csv': CSV }).subarray(0, 60), 'damaged zip archive'],
  ['a zip archive with changed bytes', 'a.zip', damagedZip, 'damaged zip archive'],
  [
    'a zip archive that lies about its size',
    'a.zip',
    zipOf({ 'a.csv': CSV.repeat(100) }, { claimedBytes: 5 }),
    'damaged zip',
  ],
  ['a zip archive without a list', 'a.zip', zipOf({ 'photo.png': 'x' }), 'holds no list'],
  ['a gzip bomb', 'a.gz', gzipSync(Buffer.alloc(80 * 1024 ** 2)), 'unpacks to far more'],
  ['a zip bomb', 'a.zip', zipOf({ 'a.csv': Buffer.alloc(80 * 1024 ** 2) }), 'unpacks to far more'],
  [
    'a spreadsheet that is a bomb',
    'a.xlsx',
    zipOf({ 'xl/workbook.xml': '<x/>', 'xl/s.xml': Buffer.alloc(80 * 1024 ** 2) }),
    'unpacks to far more',
  ],
  [
    'a spreadsheet with a row behind the last possible one',
    'a.xlsx',
    sheetOf('<row r="1"><c r="A1"><v>1</v></c></row><row spans="1:1" r="1000000000"><c><v>1</v></c></row>'),
    'row 1000000000',
  ],
  [
    'a spreadsheet with rows of thousands of columns',
    'a.xlsx',
    sheetOf('<row r="1"><c s="1" r="XFD1"><v>1</v></c></row>'.repeat(5_000)),
    'more than 2,000 columns',
  ],
  [
    'a spreadsheet with thousands of cells without a place',
    'a.xlsx',
    sheetOf(`<row>${'<x:c><v>1</v></x:c>'.repeat(2_001)}</row>`),
    'more than 2,000 columns',
  ],
  [
    'a spreadsheet with millions of texts',
    'a.xlsx',
    sheetOf('<row r="1"/>', `<sst>${'<si/>'.repeat(1_000_001)}</sst>`),
    'more than 1,000,000 different texts',
  ],
  ['archives within archives', 'a.gz', gzipSync(gzipSync(gzipSync('x'))), 'archive within an archive'],
] as const) {
  test(`${problem} is rejected before anything is read from it`, async () => {
    let isUsed = false
    const path = join(folder, name)
    writeFileSync(path, bytes)
    const source = { ...(await openByteSource(path)), name }
    await expect(
      withUnpackedSource(source, {}, async () => {
        isUsed = true
      }),
    ).rejects.toThrow(message)
    expect(isUsed).toBe(false)
  })
}

test('temporary files are deleted', async () => {
  let path: string | undefined
  await withUnpackedSource(
    createByteSource('a.gz', () => [gzipSync(CSV)]),
    {},
    async (source) => {
      path = source.path
      expect(existsSync(path ?? '')).toBe(true)
    },
  )
  expect(existsSync(path ?? '')).toBe(false)
})

test('all visible sheets with a table are lists if the importer takes several', async () => {
  const sheet = (name: string, model: string) => ({
    name,
    rows: [
      ['title', 'price'],
      [model, 400],
    ],
  })
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Cover', rows: [['Offer']] },
      sheet('Apple', 'iPhone 13'),
      sheet('Samsung', 'Galaxy S21'),
      { ...sheet('Old', 'iPhone 4'), hidden: true },
    ],
  })
  expect((await unpacked('a.xlsx', bytes, { allSheets: true })).map(([name]) => name)).toEqual([
    'a.xlsx (Apple)',
    'a.xlsx (Samsung)',
  ])
  expect((await unpacked('a.xlsx', bytes)).map(([name]) => name)).toEqual(['a.xlsx'])
})
