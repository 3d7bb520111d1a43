import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { appleDrafts, appleRecordSchema } from './catalogue/appledb.ts'
import { groupGooglePlayRows } from './catalogue/google-play.ts'
import { lineageDraft, lineageRecordSchema, storageVariants } from './catalogue/lineageos.ts'
import { mergeDevice } from './catalogue/merge-device.ts'
import { joinPairs, joinValues, splitPairs, splitValues } from './catalogue/own-csv.ts'
import { ownDeviceSchema, toDeviceDraft, toOwnFormat } from './catalogue/own-format.ts'
import { detectListFormat, parseListEntry } from './identifier-lists/list-format.ts'
import { parseHeader } from './read/header.ts'
import { toTableRecord } from './read/table-records.ts'
import { createRowReport } from './row-report-service.ts'
import { nextStepRows } from './step-writer-service.ts'
import { parseTacRow, TAC_FORMATS } from './tac/tac-formats.ts'

const report = () => createRowReport({ path: null, show: () => {} })

test('rows of one marketing name are one device, and every model code is a variant', () => {
  const header = parseHeader(['Retail Branding', 'Marketing Name', 'Device', 'Model'])
  const rejected = report()
  const groups = groupGooglePlayRows(() => undefined, rejected)
  const rows = [
    ['Samsung', 'Galaxy S21 5G', 'o1s', 'SM-G991B'],
    ['samsung', 'Galaxy S21 5G', 'o1q', 'SM-G991U1'],
    ['Redmi', 'K30 PRO', 'lmi', 'Redmi K30 Pro'],
    ['Xiaomi', 'Redmi K30 Pro', 'lmiin', 'Redmi K30 Pro 5G'],
    ['', '', 'FJL21', 'FJL21'],
    ['Sony', '', 'C2005', 'C2005'],
  ]
  rows.forEach((fields, at) => void groups.addListed(toTableRecord({ line: at + 2, fields }, header)))
  expect(
    [...groups.drafts('google-play')].map((one) => [one.make, one.name, one.modelNumbers, one.modelIdentifiers]),
  ).toEqual([
    ['Samsung', 'Galaxy S21 5G', ['SM-G991B', 'SM-G991U1'], ['o1s', 'o1q']],
    ['Xiaomi', 'Redmi K30 PRO', ['Redmi K30 Pro', 'Redmi K30 Pro 5G'], ['lmi', 'lmiin']],
    ['Sony', 'C2005', ['C2005'], ['C2005']],
  ])
  expect(rejected.rejectedBy()).toEqual({ 'no brand': 1 })
})

test('an invalid field is ignored without losing the row', () => {
  const header = parseHeader(['Retail Branding', 'Marketing Name', 'Device', 'Model'])
  const rejected = report()
  const groups = groupGooglePlayRows(() => undefined, rejected)
  groups.addListed(toTableRecord({ line: 2, fields: ['Samsung', 'wifi '.repeat(200_000), 'x', 'y'] }, header))
  expect(rejected.rejectedBy()).toEqual({ 'a field is longer than 300 characters': 1 })
})

const apple = (more: object) => ({
  record: appleRecordSchema.parse({ type: 'iPhone', name: 'iPhone 7 (GSM)', ...more }),
  line: 1,
})

test('Apple records are merged by their group, and a series by its subgroups', () => {
  const members = [
    apple({
      name: 'iPhone 7 (CDMA)',
      identifier: 'iPhone9,1',
      model: ['A1660'],
      released: ['2016-09-16', '2017-03-24'],
      discontinued: '2019-09-10',
      colors: [{ name: 'Black' }],
    }),
    apple({
      name: 'iPhone 7 (GSM)',
      identifier: 'iPhone9,3',
      model: 'A1778',
      released: '2016-09-16',
      discontinued: '2019-09-10',
      colors: [{ name: 'Black' }, { name: 'Gold' }],
    }),
    apple({ name: 'iPhone 7 Plus (GSM)', identifier: 'iPhone9,4', model: 'A1784', released: '2016-09' }),
  ]
  const groups = [
    {
      name: 'iPhone 7',
      devices: ['iPhone9,1', 'iPhone9,3', 'iPhone9,4'],
      subgroups: [
        { name: 'iPhone 7', devices: ['iPhone9,1', 'iPhone9,3'] },
        { name: 'iPhone 7 Plus', devices: ['iPhone9,4'] },
      ],
    },
  ]
  const drafts = [...appleDrafts(members, groups, '2026-01-01')]
  expect(drafts).toMatchObject([
    { name: 'iPhone 7', modelNumbers: ['A1660', 'A1778'], releasedOn: '2016-09-16', status: 'discontinued' },
    { name: 'iPhone 7 Plus', modelNumbers: ['A1784'], releasePrecision: 'month', status: 'active' },
  ])
  expect(drafts[0]?.variants?.map((variant) => variant.attributes)).toEqual([
    [{ name: 'color', value: 'Black' }],
    [{ name: 'color', value: 'Gold' }],
  ])
  // Without groups, radio versions are merged by name.
  expect([...appleDrafts(members, [], '2026-01-01')].map((one) => one.name)).toEqual(['iPhone 7', 'iPhone 7 Plus'])
})

test('a group of several known devices is split', () => {
  const members = [
    apple({ name: 'MacBook (Two ports)', key: 'a', model: 'A1' }),
    apple({ name: 'MacBook (Four ports)', key: 'b', model: 'A2' }),
  ]
  const groups = [{ name: 'MacBook', devices: ['a', 'b'] }]
  expect(
    [
      ...appleDrafts(members, groups, '2026-01-01', {
        findByName: () => undefined,
        findByModel: (model) => [`device-${model}`],
      }),
    ].map((one) => one.name),
  ).toEqual(['MacBook (Two ports)', 'MacBook (Four ports)'])
})

test('a LineageOS record gives specifications and storage variants', () => {
  const record = lineageRecordSchema.parse({
    vendor: 'Xiaomi',
    name: 'Redmi Note 8',
    codename: 'ginkgo',
    type: 'phone',
    release: '2019-8',
    storage: '64/128 GB',
    battery: { capacity: 4000 },
    screen: { size: '6.3"', resolution: '1080x2340' },
  })
  expect(lineageDraft(record, 1, () => undefined)).toMatchObject({
    make: 'Xiaomi',
    category: 'Smartphone',
    releasedOn: '2019-08-01',
    specifications: { battery: '4000 mAh', display: '6.3-inch, 1080x2340' },
  })
  expect(storageVariants('128/256 GB UFS3.1').map((one) => one.attributes[0]?.value)).toEqual(['128GB', '256GB'])
  expect(storageVariants('512 GB or 1 TB').map((one) => one.attributes[0]?.value)).toEqual(['512GB', '1TB'])
  expect(storageVariants('64 GB eMMC 5.1, 128 GB UFS 2.1').map((one) => one.attributes[0]?.value)).toEqual([
    '64GB',
    '128GB',
  ])
  expect(storageVariants('unknown')).toEqual([])
  expect(storageVariants('1'.repeat(1_000_000))).toEqual([])
})

test('cells with several values may contain any text', () => {
  const word = fc
    .string({ unit: fc.constantFrom('a', ';', '=', '\\', ' ', 'é', "'"), minLength: 1 })
    .map((text) => text.trim())
    .filter(Boolean)
  fc.assert(
    fc.property(fc.array(word), (values) => {
      expect(splitValues(joinValues(values))).toEqual(values)
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word)), (pairs) => {
      expect(splitPairs(joinPairs(pairs))).toEqual(pairs)
    }),
  )
})

test('our JSON format round-trips, including sources', () => {
  const first = mergeDevice('x-y', undefined, {
    make: 'X',
    name: 'Y',
    category: 'Tablet',
    releasedOn: '2020-05-01',
    releasePrecision: 'month',
    specifications: { chip: 'Z' },
    modelNumbers: ['A1'],
    variants: [{ attributes: [{ name: 'storage', value: '64GB' }], listCents: 100, disabled: false }],
    source: 'google-play',
    line: 1,
  }).device
  const again = toDeviceDraft(ownDeviceSchema.parse(JSON.parse(JSON.stringify(toOwnFormat(first)))), 1)
  if (typeof again === 'string') throw new Error(again)
  expect(mergeDevice('x-y', undefined, again).device).toEqual(first)
})

function tacOf(source: string, header: string[], fields: string[]) {
  const read = parseHeader(header)
  const kind = TAC_FORMATS.find((one) => one.isHeader(read))
  expect(kind?.source as string).toBe(source)
  return kind && parseTacRow(kind, toTableRecord({ line: 2, fields }, read))
}

test('each TAC list is detected by its header and parsed accordingly', () => {
  const osmocom = ['tac', 'name', 'name', 'contributor', 'comment', 'gsmarena', 'gsmarena', 'aka']
  const read = tacOf('osmocom', osmocom, ['49013920', 'Nokia', '1610', 'A Person', '', '', '', '1610+,1611'])
  expect(read).toEqual({ facts: [{ tac: '49013920', make: 'Nokia', model: '1610', aliases: ['1610+', '1611'] }] })
  expect(JSON.stringify(read)).not.toContain('A Person')

  expect(tacOf('samsung-tac', ['tac', 'model', 'model2'], ['35123456', 'SM-A1', 'SM-A2', 'SM-A3'])?.facts).toHaveLength(
    3,
  )

  const gsma = ['TAC', 'Marketing Name', 'Manufacturer', 'Allocation Date', 'Brand Name', 'Model Name']
  expect(tacOf('gsma', gsma, ['01234567', 'A phone', 'Maker', '01-Mar-2004', 'Not Known', 'M1'])?.facts).toMatchObject([
    { make: 'Maker', model: 'A phone', aliases: ['M1'] },
  ])
  expect(tacOf('gsma', gsma, ['01234567', 'A phone', 'Maker', 'Sep-23-2011', '', ''])).toEqual({
    problem: 'allocation date is not DD-Mon-YYYY',
  })
  expect(tacOf('own', ['TAC', 'Make', 'Model', 'Confidence'], ['35123456', 'A', 'B', '101'])?.problem).toBeDefined()
})

test('a lost leading zero is restored only if that gives a valid TAC', () => {
  expect(tacOf('own', ['tac', 'make', 'model'], ['1355400', 'Apple', 'iPhone 5'])).toMatchObject({
    facts: [{ tac: '01355400' }],
    remark: 'lost leading zero of the TAC restored',
  })
  expect(tacOf('own', ['tac', 'make', 'model'], ['9113177', 'A', 'B'])).toEqual({ problem: 'TAC is not 8 digits' })
})

for (const [header, form] of [
  [['IMEI', 'reporting_date', 'status'], { kind: 'stolen', isDelta: false }],
  [['imei', 'REPORTING DATE', 'status', 'Change-Type'], { kind: 'stolen', isDelta: true }],
  [['IMEI'], { kind: 'barred', isDelta: false }],
  [['TAC'], { kind: 'barred_tac', isDelta: false }],
  [['APPROVED_IMEI', 'make', 'model', 'status'], { kind: 'registration', isDelta: false }],
] as const) {
  test(`${header.join(',')} is a ${form.isDelta ? 'delta of a ' : ''}${form.kind} list`, () => {
    expect(detectListFormat(parseHeader(header))).toEqual(form)
  })
}

test('a list without a header, a pairing list and a golden list are rejected', () => {
  expect(detectListFormat(parseHeader(['642222222222222', '', '']))).toBe('has no header line')
  expect(detectListFormat(parseHeader(['IMEI', 'IMSI', 'MSISDN']))).toContain('pairing list')
  expect(detectListFormat(parseHeader(['GOLDEN_IMEI']))).toContain('golden list')
})

const stolen = parseHeader(['imei', 'reporting_date', 'status', 'change_type'])
const listing = (...fields: string[]) =>
  parseListEntry(toTableRecord({ line: 2, fields }, stolen), { kind: 'stolen', isDelta: true })

test('fourteen characters identify a listing', () => {
  expect(listing('622222222222222', '20190826', '', 'add')).toEqual({
    key14: '62222222222222',
    status: 'blacklist',
    reportedOn: '2019-08-26',
    change: 'add',
  })
  expect(listing('af0123450abcde', '', 'Pending', 'REMOVE')).toEqual({
    key14: 'AF0123450ABCDE',
    status: 'pending',
    reportedOn: null,
    change: 'remove',
  })
})

for (const [fields, reason] of [
  [['62%222222222222', '', '', 'add'], 'no digit'],
  [['', '', '', 'add'], 'no identifier'],
  [['6'.repeat(17), '', '', 'add'], 'longer than 16'],
  [['3569', '', '', 'add'], 'has 4 characters'],
  [['1172200370026', '', '', 'add'], 'zeros in front may have been lost'],
  [['622222222222222', '2019-08-26', '', 'add'], 'not yyyymmdd'],
  [['622222222222222', '20190230', '', 'add'], 'not yyyymmdd'],
  [['622222222222222', '', 'fine', 'add'], 'status'],
  [['622222222222222', '', '', 'drop'], 'change_type'],
] as const) {
  test(`${fields.join(',')} is rejected: ${reason}`, () => expect(listing(...fields)).toContain(reason))
}

test('steps shrink when they hold the lock too long and grow otherwise', () => {
  expect(nextStepRows(1000, 40)).toBe(500)
  expect(nextStepRows(1000, 1)).toBe(2000)
  expect(nextStepRows(60, 500)).toBe(50)
})
