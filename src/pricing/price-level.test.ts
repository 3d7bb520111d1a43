import { expect, test } from 'bun:test'
import type { NewObservation } from './model/observation.ts'
import { isDoubtfulLevel, type KnownPrices, levelOf } from './price-level.ts'

const row = (deviceId: string, cents: number, grade = 'Good') =>
  ({ subject: { deviceId }, cents, terms: { grade } }) as unknown as NewObservation

const known: KnownPrices = ({ subject: { deviceId } }) =>
  deviceId === 'unknown' ? null : { cents: 30_000, isObserved: deviceId.startsWith('observed') }

test('the level is the median over known devices that work', () => {
  const amounts = [30_000, 33_000, 33_000, 120_000]
  const rows = [...amounts.map((cents, at) => row(`phone ${at}`, cents)), row('a', 500, 'dead'), row('unknown', 1)]
  expect(levelOf(rows, known)).toEqual({ ratio: 1.1, rows: 4, isObserved: false })
  expect(levelOf(rows.slice(1), known)).toBeNull()
  expect(
    levelOf(
      amounts.map((cents) => row('phone', cents)),
      known,
    ),
  ).toBeNull()
})

test('observed prices count before first prices', () => {
  const observed = [1, 2, 3, 4].map((number) => row(`observed ${number}`, 60_000))
  expect(levelOf([...observed, row('a', 30_000)], known)).toEqual({ ratio: 2, rows: 4, isObserved: true })
})

test('a list at twice the observed prices is asked about, at twice the first prices it may be right', () => {
  const doubtful = (ratio: number, isObserved: boolean) => isDoubtfulLevel({ ratio, rows: 9, isObserved })
  expect([doubtful(1.5, true), doubtful(2, true), doubtful(0.5, true)]).toEqual([false, true, true])
  expect([doubtful(2, false), doubtful(3.9, false), doubtful(0.1, false)]).toEqual([false, true, true])
})
