import { expect, test } from 'bun:test'
import { csvLine } from './csv-line.ts'

test('what a spreadsheet would run stays text', () => {
  expect(csvLine(['=1+1', '+1', '-1', '@x', '\tx', 'a=1'])).toBe("'=1+1,'+1,'-1,'@x,'\tx,a=1\n")
  expect(csvLine(['\r=1', '\n=1'])).toBe(`"'\r=1","'\n=1"\n`)
})

test('quotes, commas, line ends and blanks at the ends survive', () => {
  expect(csvLine(['a "b"', 'c,d', 'e\nf', '', ' g'])).toBe('"a ""b""","c,d","e\nf",," g"\n')
})
