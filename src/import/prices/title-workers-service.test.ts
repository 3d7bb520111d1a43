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

const threads = startTitleWorkers(devices)
afterAll(() => threads?.stop())

test('workers resolve titles exactly as the main thread does; rows with an id or a code are left to it', async () => {
  if (!threads) return
  const expected = NAMES.map((row) => {
    const { missingVariant: _, ...subject } = { missingVariant: undefined, ...findHere(row) }
    return row.variantId === '' ? subject : undefined
  })
  expect(await threads.resolve(NAMES)).toEqual(expected)
  // The answer of a later block refers to subjects that an earlier one has sent.
  expect(await threads.resolve(NAMES.toReversed())).toEqual(expected.toReversed())
})

test('rows of the same subject share one object, so that it is stored once', async () => {
  const [subject, again] = (await threads?.resolve([NAMES[0], NAMES[0]] as SubjectQuery[])) ?? []
  expect(subject).toBe(again)
})

test('if workers fail, all rows are left to the main thread', async () => {
  const broken = [{ ...devices[0], variants: null }] as unknown as typeof devices
  const failing = startTitleWorkers(broken)
  if (!failing) return
  for (let round = 0; round < 2; round++) {
    const subjects = await failing.resolve(NAMES)
    expect(NAMES.filter((_, at) => subjects[at] !== undefined)).toEqual([])
  }
  failing.stop()
})
