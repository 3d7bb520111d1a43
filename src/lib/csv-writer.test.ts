import { expect, test } from 'bun:test'
import { formatCsvLine, guardFormula, unguardFormula } from './csv-writer.ts'

test('cells that a spreadsheet would run as a formula are escaped', () => {
  expect(formatCsvLine(['=1+1', '+1', '-1', '@x', '\tx', 'a=1'])).toBe("'=1+1,'+1,'-1,'@x,'\tx,a=1\n")
  expect(formatCsvLine(['＝1+1', '＋1', '－1', '＠x'])).toBe("'＝1+1,'＋1,'－1,'＠x\n")
  expect(formatCsvLine(['\r=1', '\n=1'])).toBe(`"'\r'=1","'\n'=1"\n`)
})

test('quotes, commas, line ends and leading or trailing spaces are preserved', () => {
  expect(formatCsvLine(['a "b"', 'c,d', 'e\nf', '', ' g'])).toBe('"a ""b""","c,d","e\nf",," g"\n')
})

test('no cell becomes a formula when a spreadsheet expects another separator', () => {
  const hostile = [
    'a;=1+1;b',
    'a,=1+1,b',
    'a\t@SUM(1)',
    'a\n=1+1',
    'a;"=1+1";b',
    `a;'=1+1`,
    'a;+cmd|A0',
    'a,-cmd|A0',
    'a;＝1+1',
    'a;;=1',
  ]
  for (const style of [
    { delimiter: ',', decimal: '.' },
    { delimiter: ';', decimal: ',' },
  ] as const)
    for (const text of hostile)
      for (const line of [
        [text, 'x'],
        ['x', text],
      ])
        for (const separator of [',', ';', '\t'])
          for (const cell of cellsOf(formatCsvLine(line, style), separator))
            expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/)
})

test('a text with separators is read back as it was', () => {
  for (const text of ['a;=1', `a;'=1`, "a,''\"+1", `'=1;=2`, '199,-', 'Sofa, -5 %', 'a;-', `;'x`])
    expect(unguardFormula(guardFormula(text))).toBe(text)
  for (const text of ['199,-', '199,- €', 'Main Street 1, +49 30 1', 'a;-']) expect(guardFormula(text)).toBe(text)
})

/** As a spreadsheet splits a line: quotes count at the start of a cell only, and what follows them is taken as it is. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= line.length; at++) {
    let cell = ''
    if (line[at] === '"') {
      for (at++; at < line.length && (line[at] !== '"' || line[at + 1] === '"'); at++) {
        if (line[at] === '"') at++
        cell += line[at]
      }
      at++
    }
    for (; at < line.length && line[at] !== separator && line[at] !== '\n'; at++) cell += line[at]
    cells.push(cell)
  }
  return cells
}
