import { expect, test } from 'bun:test'
import { revocationFreshnessCheck } from './revocation-freshness.ts'

for (const [silentS, graceS, read, write] of [
  [0, 60, true, true],
  [4, 60, true, true],
  [6, 60, true, false],
  [59, 60, true, false],
  [61, 60, false, false],
  [3, 2, false, false],
  [6, 0, false, false],
  [0.5, 0, true, true],
] as const) {
  test(`a database silent for ${silentS} s, with ${graceS} s of grace: reads ${read}, writes ${write}`, () => {
    const check = revocationFreshnessCheck(() => silentS * 1000, graceS * 1000)
    const passes = (kind: 'read' | 'write') => {
      try {
        check(kind)
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } })
        return false
      }
    }
    expect({ read: passes('read'), write: passes('write') }).toEqual({ read, write })
  })
}
