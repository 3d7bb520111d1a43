import { afterAll, expect, test } from 'bun:test'
import { devicesOnBoard } from '../../catalog/onboard.ts'
import { type Named, openSubjects } from '../../pricing/market/subject.ts'
import { startTitleThreads } from './title-threads.ts'

const devices = devicesOnBoard().filter(({ make }) => make === 'Apple' || make === 'JBL')
const findHere = openSubjects(devices)
const named = (model: string, more: Partial<Named> = {}): Named => ({
  variantId: '',
  sku: '',
  partNumber: '',
  make: '',
  model,
  storage: '',
  ram: '',
  color: '',
  ...more,
})

const NAMES = [
  named('iPhone 13 128GB midnight, unlocked'),
  named('iPhone 13', { make: 'Apple', storage: '256GB' }),
  named('iPhone 13 Pro case'),
  named('iPhone 13 3TB'),
  named('Galaxy S23 128GB'),
  named('JBL Charge 5 Wi-Fi'),
  named('', { variantId: devices[0]?.variants[0]?.id ?? '' }),
]

let asked = 0
const threads = startTitleThreads(devices, (one) => {
  asked++
  return findHere(one)
})
afterAll(() => threads?.stop())

test('threads say of a title just what is said without them', async () => {
  if (!threads) return
  await threads.prepare(NAMES)
  for (const one of NAMES) {
    const { newSize: _, ...expected } = { newSize: undefined, ...findHere(one) }
    expect(threads.find(one)).toEqual(expected)
  }
  // Only the one with an id was not a thread's to answer.
  expect(asked).toBe(1)
})

test('a title nobody prepared is found all the same', () => {
  expect(threads?.find(named('iPhone 12 64GB')) ?? findHere(named('iPhone 12 64GB'))).toEqual(
    findHere(named('iPhone 12 64GB')),
  )
})

test('where threads fail, everything is found without them', async () => {
  const broken = [{ ...devices[0], variants: null }] as unknown as typeof devices
  const failing = startTitleThreads(broken, findHere)
  if (!failing) return
  for (let round = 0; round < 2; round++) {
    await failing.prepare(NAMES)
    for (const one of NAMES) expect(failing.find(one)).toEqual(findHere(one))
  }
  failing.stop()
})
