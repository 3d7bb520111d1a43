import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { APPRAISALS_MAX_ITEMS, TEXT_MAX_LENGTH } from '../src/contract/appraisal-request.ts'
import { LOOKUP_BATCH_MAX_ITEMS } from '../src/contract/lookups.ts'
import { PHOTO_MAX_BYTES } from '../src/contract/sellers.ts'
import { MAX_STOCK_PHOTOS } from '../src/contract/stock.ts'
import { STORAGE } from '../src/contract/storage.ts'
import { MAX_RESPONSE_BYTES } from '../src/http/response.ts'
import { MAX_CELL_CHARS, MAX_ROW_BYTES } from '../src/lists/row-bounds.ts'

const FILE = join(import.meta.dir, '../docs/operations.md')
const [START, END] = ['<!-- table: bounds -->\n', '<!-- end: bounds -->']

const count = (value: number) => value.toLocaleString('en-US')
const size = (bytes: number) =>
  bytes >= 1e9 ? `${bytes / 1e9} GB` : bytes >= 1e6 ? `${bytes / 1e6} MB` : `${bytes / 1e3} kB`

function boundsTable(): string {
  const rows = [
    ['one answer', size(MAX_RESPONSE_BYTES), 'a smaller `limit`; files are streamed'],
    ['text of an appraisal', `${count(TEXT_MAX_LENGTH)} characters`, '400'],
    ['appraisals, outcomes or rows in a request', count(APPRAISALS_MAX_ITEMS), '400'],
    ['identifier checks in a request', count(LOOKUP_BATCH_MAX_ITEMS), '400'],
    ['cell of a device list', `${count(MAX_CELL_CHARS)} characters`, 'cut, with the question `cell_cut`'],
    ['row of a device list', size(MAX_ROW_BYTES), 'cut, with the question `cell_cut`'],
    ['photo', size(PHOTO_MAX_BYTES), '400'],
    ['photos of a device in stock', count(MAX_STOCK_PHOTOS), '400'],
    ...Object.values(STORAGE).map(({ subject, unit, limit, freedBy }) => [
      `${subject} of an organization`,
      unit === 'bytes' ? size(limit) : count(limit),
      `409. ${freedBy}`,
    ]),
  ]
  return ['| what | bound | beyond it |', '|---|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`), ''].join(
    '\n',
  )
}

// UPDATE_DOCS=1 rewrites it.
test('the table of bounds in docs/operations.md is that of the code', () => {
  const document = readFileSync(FILE, 'utf8')
  const [from, to] = [document.indexOf(START) + START.length, document.indexOf(END)]
  expect(from).toBeGreaterThan(START.length)
  const current = document.slice(0, from) + boundsTable() + document.slice(to)
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, current)
  else expect(document).toBe(current)
})
