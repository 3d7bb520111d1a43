import { expect, test } from 'bun:test'
import { endpoints } from './endpoints.ts'

test('the password of who approves is never repeated in an error', () => {
  const approved = endpoints.filter(({ body }) =>
    Object.hasOwn((body?.schema as { shape?: object })?.shape ?? {}, 'approval'),
  )
  expect(approved.map(({ id }) => id)).toContain('recordOutcome')
  for (const { id, body } of approved) expect([id, body?.secretFields]).toEqual([id, ['approval']])
})
