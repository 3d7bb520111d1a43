import { expect, test } from 'bun:test'
import { decide, EVIDENCE } from './precedence.ts'

const pairs = EVIDENCE.flatMap((stronger, at) => EVIDENCE.slice(at + 1).map((weaker) => [stronger, weaker] as const))

test.each(pairs)('%s goes before %s, in whichever order they are stated', (stronger, weaker) => {
  const decision = { value: 'EUR', by: stronger, overrules: [weaker] }
  expect(decide({ [stronger]: 'EUR', [weaker]: 'USD' })).toEqual(decision)
  expect(decide({ [weaker]: 'USD', [stronger]: 'EUR' })).toEqual(decision)
  expect(decide({ [stronger]: 'EUR', [weaker]: 'EUR' })).toEqual({ ...decision, overrules: [] })
})

test('what nothing states is undecided', () => {
  expect(decide({})).toBeNull()
  expect(decide({ option: undefined })).toBeNull()
})
