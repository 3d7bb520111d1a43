import { expect, test } from 'bun:test'
import { csvLine } from './csv.ts'

test('what a spreadsheet would run stays text', () => {
  expect(csvLine(['=1+1', '+1', '-1', '@x', '\tx', -1])).toBe("'=1+1,'+1,'-1,'@x,'\tx,-1\r\n")
})

test('quotes, commas and line ends survive', () => {
  expect(csvLine(['a "b"', 'c,d', 'e\nf', null, true])).toBe('"a ""b""","c,d","e\nf",,true\r\n')
})
