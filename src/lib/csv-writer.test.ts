import { expect, test } from 'bun:test'
import { formatCsvLine } from './csv-writer.ts'

test('cells that a spreadsheet would run as a formula are escaped', () => {
  expect(formatCsvLine(['=1+1', '+1', '-1', '@x', '\tx', 'a=1'])).toBe("'=1+1,'+1,'-1,'@x,'\tx,a=1\n")
  expect(formatCsvLine(['＝1+1', '＋1', '－1', '＠x'])).toBe("'＝1+1,'＋1,'－1,'＠x\n")
  expect(formatCsvLine(['\r=1', '\n=1'])).toBe(`"'\r=1","'\n=1"\n`)
})

test('quotes, commas, line ends and leading or trailing spaces are preserved', () => {
  expect(formatCsvLine(['a "b"', 'c,d', 'e\nf', '', ' g'])).toBe('"a ""b""","c,d","e\nf",," g"\n')
})
