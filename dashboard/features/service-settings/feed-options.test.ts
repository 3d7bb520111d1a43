import { expect, test } from 'bun:test'
import { formatOptions, parseOptions } from './feed-options.ts'

test('import options are read from text and written back', () => {
  const options = { list: 'national', clears: true, area: 'LT', rule: 'a=b' } as const
  expect(parseOptions(' list=national, clears,area = LT , rule=a=b,')).toEqual(options)
  expect(parseOptions(formatOptions(options))).toEqual(options)
  expect(parseOptions('')).toEqual({})
})
