import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { filledDataDir, newDataDir, runInProcess } from '../support/program.ts'
import { zipOf } from '../support/zip.ts'

const environment = { DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off' }

function file(name: string, content: string | Uint8Array): string {
  const path = join(newDataDir(), name)
  writeFileSync(path, content)
  return path
}

const run = (...args: string[]) => runInProcess(['import', 'observations', ...args, '--json'], environment)
async function imported(...args: string[]) {
  const ran = await run(...args)
  if (ran.code !== 0) throw new Error(ran.stderr)
  return { ...JSON.parse(ran.stdout), stderr: ran.stderr }
}
async function stored(): Promise<number> {
  const ran = await runInProcess(['export', 'observations'], environment)
  const [, ...lines] = ran.stdout.trimEnd().split(/\r?\n/)
  return lines.reduce((sum, line) => sum + Number(line.split(',')[3]), 0)
}

const row = (title: string, price: number) => `${title},${price},Good,USD,2024-01-05,ask`
const csv = (...rows: string[]) => `title,price,condition,currency,date,side\n${rows.join('\n')}\n`

describe('price lists', () => {
  test('of a zip archive are imported together, with a spreadsheet and gzip among them', async () => {
    const sheet = await writeXlsx({
      sheets: [
        { name: 'Notes', rows: [['nothing here']] },
        {
          name: 'Prices',
          rows: [
            ['Price list of January'],
            ['title', 'price', 'condition', 'currency', 'date', 'side'],
            ['iPhone 13 128GB', 401, 'Good', 'USD', new Date(Date.UTC(2024, 0, 5)), 'ask'],
          ],
        },
      ],
    })
    const archive = zipOf({
      'a.csv': csv(row('iPhone 13 128GB', 400)),
      'b.csv.gz': gzipSync(csv(row('iPhone 13 256GB', 450), row('iPhone 13 case', 9))),
      'c.ndjson': `${JSON.stringify({ title: 'iPhone 12 64GB', price: 300, condition: 'Fair', currency: 'USD', date: '2024-01-05', side: 'sold' })}\n`,
    })
    expect(await imported(file('shop.zip', archive))).toMatchObject({ rows: 4, observations: 3, rejected: 1 })
    expect(await imported(file('shop.xlsx', sheet), '--sheet', 'prices')).toMatchObject({ rows: 1, observations: 1 })
  })

  test('of a sheet that is named after a grade have that grade', async () => {
    const prices = (price: number) => [
      ['title', 'price', 'currency', 'date', 'side'],
      ['iPhone 13 128GB', price, 'USD', '2024-01-05', 'ask'],
    ]
    const sheet = await writeXlsx({
      sheets: [
        { name: 'Grade A', rows: prices(380) },
        { name: 'Grade C', rows: prices(310) },
      ],
    })
    const { preview } = await imported(file('grades.xlsx', sheet), '--dry-run')
    const rows: readonly { readonly parsed: object }[] = preview.rows
    expect(rows.map(({ parsed }) => parsed)).toMatchObject([
      { grade: 'Excellent', cents: 38_000 },
      { grade: 'Fair', cents: 31_000 },
    ])
  })

  test('of a nested JSON document are read by paths', async () => {
    const quotes = [
      {
        name: 'IPHONE 13',
        prices: [{ storageSize: '128GB', priceValue: { unlocked: { good: 239, damaged: 125, noPower: 47.5 } } }],
      },
    ]
    const options = [
      '--map',
      'price=prices[].priceValue.*.*,lock=*1,condition=*2',
      '--side',
      'quote',
      '--currency',
      'USD',
    ]
    const figures = await imported(
      file('dealer.json', JSON.stringify(quotes, null, 1)),
      ...options,
      '--date',
      '2024-06-01',
    )
    expect(figures).toMatchObject({ rows: 3, observations: 3, written: 3 })
  })

  test('are read in the given encoding', async () => {
    const bytes = Buffer.concat([
      Buffer.from('naziv;cijena;stanje;datum\niPhone 13 128GB o'),
      Buffer.from([0xe8]),
      Buffer.from('uvan;400;dobro;02.01.2024.\n'),
    ])
    const figures = await imported(
      file('ads.csv', bytes),
      '--encoding',
      'windows-1250',
      '--currency',
      'USD',
      '--side',
      'ask',
    )
    expect(figures).toMatchObject({ observations: 1, rejected: 0 })
  })
})

describe('nothing is imported from', () => {
  const good = csv(...Array.from({ length: 8 }, (_, at) => row('iPhone 13 512GB', 500 + at)))
  for (const [what, name, content, options, sentence] of [
    [
      'a file with too many rejected rows',
      'bad.csv',
      `${csv(...Array.from({ length: 3 }, () => row('x', 500)))}${good.slice(good.indexOf('\n') + 1)}`,
      ['--max-rejected', '20%'],
      '3 of 11 rows (27.3 %) would be rejected, more than 20 %',
    ],
    [
      'an archive with one file that is not a price list',
      'bad.zip',
      zipOf({ 'a.csv': good, 'b.csv': 'name,phone\nAnn,1\n' }),
      [],
      'is not a price list',
    ],
    ['a damaged gzip file', 'bad.csv.gz', gzipSync(good).subarray(0, 60), [], 'damaged gzip file'],
    [
      'truncated JSON',
      'bad.json',
      '[{"title":"iPhone 13 512GB","price":5,"condition":"Good","currency":"USD","date":"2024-01-05","side":"ask"},',
      [],
      'cut short',
    ],
    ['a text that is not a list', 'bad.csv', 'Dear customer,\nhere are no prices.\n', [], 'is not a price list'],
    [
      'a picture',
      'bad.csv',
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]),
      [],
      'is a PNG picture',
    ],
    ['a PDF', 'bad.pdf', '%PDF-1.7 x', [], 'is a PDF'],
    ['an empty file', 'bad.csv', '', [], 'is empty'],
  ] as const) {
    test(what, async () => {
      const before = await stored()
      const ran = await run(file(name, content), ...options)
      expect(ran.code).toBe(1)
      expect(ran.stdout + ran.stderr).toContain(sentence)
      expect(await stored()).toBe(before)
    })
  }
})
