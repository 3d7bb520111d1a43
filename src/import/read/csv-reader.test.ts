import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatCsvLine, guardFormula, unguardFormula } from '../../lib/csv-writer.ts'
import { type Delimiter, detectDelimiter, readCsvRows } from './csv-reader.ts'

async function rowsOf(
  text: string,
  { chunk = text.length || 1, delimiter }: { chunk?: number; delimiter?: Delimiter } = {},
) {
  async function* pieces() {
    for (let at = 0; at < text.length; at += chunk) yield text.slice(at, at + chunk)
  }
  const rows: (readonly [number, readonly string[]])[] = []
  for await (const row of readCsvRows(pieces(), 'file.csv', delimiter)) rows.push([row.line, row.fields])
  return rows
}

for (const chunk of [1, 2, 5, 1000]) {
  test(`quotes, doubled quotes, line breaks in quotes and all line endings are parsed, in chunks of ${chunk}`, async () => {
    expect(await rowsOf('a,b\r\n"x, ""y""",2\r"two\nlines",\n\n  \nlast', { chunk, delimiter: ',' })).toEqual([
      [1, ['a', 'b']],
      [2, ['x, "y"', '2']],
      [3, ['two\nlines', '']],
      [7, ['last']],
    ])
  })
}

test('a quote inside an unquoted field is an ordinary character', async () => {
  expect(await rowsOf('TAC|Name\n01234567|A """Marketing name\n1|5" screen\n')).toEqual([
    [1, ['TAC', 'Name']],
    [2, ['01234567', 'A """Marketing name']],
    [3, ['1', '5" screen']],
  ])
})

test('rows may have different lengths', async () => {
  expect(await rowsOf('a,b,c\n1\n1,2,3,4\n')).toEqual([
    [1, ['a', 'b', 'c']],
    [2, ['1']],
    [3, ['1', '2', '3', '4']],
  ])
})

for (const [head, delimiter] of [
  ['a,b\n1,2', ','],
  ['a;b\n"1,5";2', ';'],
  ['a\tb\nx, y\tz', '\t'],
  ['tac|bands\n1|GSM 900, GSM 1800', '|'],
  ['A banner, with a comma\ntac;name;model\n1;2;3', ';'],
  ['IMEI\n123', ','],
  ['title;description;price\na;"x, y\nz, q, r\n, , ,";1\nb;"u\nv, w";2', ';'],
  ['"a","b;c"\n"d","e;f;g"', ','],
  [`title,description,price\n${'a,"line one; x\nline two; y; z\n\n; ;",5\n'.repeat(30)}`, ','],
  ['', ','],
] as const) {
  test(`the delimiter of ${JSON.stringify(head)} is ${JSON.stringify(delimiter)}`, () => {
    expect(detectDelimiter(head)).toBe(delimiter)
  })
}

test('written rows are read back unchanged, formulas included', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', '=', "'", 'é', '-') }), {
          minLength: 2,
          maxLength: 4,
        }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      fc.integer({ min: 1, max: 9 }),
      async (table, chunk) => {
        const rows = await rowsOf(table.map((fields) => formatCsvLine(fields)).join(''), { chunk, delimiter: ',' })
        expect(rows.map(([, fields]) => fields.map(unguardFormula))).toEqual(table)
      },
    ),
    { numRuns: 200 },
  )
})

test('a cell that a spreadsheet would run as a formula is escaped', () => {
  expect(guardFormula('=HYPERLINK("x")')).toBe(`'=HYPERLINK("x")`)
  expect(guardFormula("'=1")).toBe("''=1")
  expect(guardFormula('Galaxy')).toBe('Galaxy')
})

async function* endless(piece: string) {
  for (;;) yield piece
}

async function consume(rows: AsyncIterable<unknown>) {
  for await (const _ of rows);
}

test('reading an endless line stops with an error after 1 MiB', async () => {
  await expect(consume(readCsvRows(endless('x'.repeat(65536)), 'file.csv'))).rejects.toThrow(
    'line 1 is longer than 1 MiB',
  )
})

test('a row with a million columns is rejected', async () => {
  await expect(rowsOf(`${','.repeat(1_000_000)}\n`)).rejects.toThrow('line 1 has more than 2,000 columns')
  await expect(consume(readCsvRows(endless('a,'.repeat(30000)), 'file.csv'))).rejects.toThrow('more than 2,000 columns')
  await expect(rowsOf(`"a"${','.repeat(3000)}\n`)).rejects.toThrow('more than 2,000 columns')
})

test('an unclosed quote is rejected with the line where it opens', async () => {
  async function* text() {
    yield 'a,b\n1,"2\n'
    yield* endless('word,word\n'.repeat(10000))
  }
  await expect(consume(readCsvRows(text(), 'file.csv'))).rejects.toThrow('the quote opened on line 2 is not closed')
  await expect(rowsOf('a,b\n1,2\n"3,4')).rejects.toThrow('the quote opened on line 3 is not closed')
})
