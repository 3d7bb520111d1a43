import { expect, test } from 'bun:test'
import { formatNumberTable, formatTextTable } from './text-table.ts'

const rows = [
  ['devices', '871'],
  ['new', ''],
]

test('columns are as wide as their widest cell, and no line ends in spaces', () => {
  expect(formatTextTable(['WHAT', 'COUNT'], rows)).toBe('WHAT     COUNT\ndevices  871\nnew')
})

test('numbers are right-aligned', () => {
  expect(formatNumberTable(['what', 'count'], rows)).toBe('what     count\n-------  -----\ndevices    871\nnew')
})
