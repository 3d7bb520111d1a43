import { afterAll, expect, test } from 'bun:test'
import { bundledDevices } from '../../catalog/bundled-catalogue-service.ts'
import { createSubjectMatcher, type SubjectQuery } from '../../pricing/observations/subject-matcher.ts'
import { startTitleWorkers } from './title-workers-service.ts'

const devices = bundledDevices().filter(({ make }) => make === 'Apple' || make === 'JBL')
const findHere = createSubjectMatcher(devices)
const named = (model: string, more: Partial<SubjectQuery> = {}): SubjectQuery => ({
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

let resolvedHere = 0
const threads = startTitleWorkers(devices, (one) => {
  resolvedHere++
  return findHere(one)
})
afterAll(() => threads?.stop())

test('workers resolve titles exactly as the main thread does', async () => {
  if (!threads) return
  await threads.prepare(NAMES)
  for (const one of NAMES) {
    const { missingVariant: _, ...expected } = { missingVariant: undefined, ...findHere(one) }
    expect(threads.find(one)).toEqual(expected)
  }
  // Only the row with a variant id is resolved on the main thread.
  expect(resolvedHere).toBe(1)
})

test('a title that was not prepared is still found', () => {
  expect(threads?.find(named('iPhone 12 64GB')) ?? findHere(named('iPhone 12 64GB'))).toEqual(
    findHere(named('iPhone 12 64GB')),
  )
})

test('if workers fail, the main thread finds everything', async () => {
  const broken = [{ ...devices[0], variants: null }] as unknown as typeof devices
  const failing = startTitleWorkers(broken, findHere)
  if (!failing) return
  for (let round = 0; round < 2; round++) {
    await failing.prepare(NAMES)
    for (const one of NAMES) expect(failing.find(one)).toEqual(findHere(one))
  }
  failing.stop()
})
