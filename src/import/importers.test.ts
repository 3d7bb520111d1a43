import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DomainError } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import type { Schema } from '../tables/assign-columns.ts'
import { mergeDevice } from './catalogue/merge-device.ts'
import { DEVICE_COLUMNS, joinPairs, joinValues, splitPairs, splitValues } from './catalogue/own-csv.ts'
import { ownDeviceSchema, toDeviceDraft, toOwnFormat } from './catalogue/own-format.ts'
import { detectListFormat, LIST_COLUMNS, parseListEntry } from './identifier-lists/list-format.ts'
import { parseHeader } from './read/header.ts'
import { openTable, toTableRecord } from './read/table-records.ts'
import { nextStepRows } from './step-writer-service.ts'
import { parseTacRow, TAC_COLUMNS, TAC_FORMATS } from './tac/tac-formats.ts'

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
    source: 'own',
    line: 1,
  }).device
  const again = toDeviceDraft(ownDeviceSchema.parse(JSON.parse(JSON.stringify(toOwnFormat(first)))), 1)
  if (typeof again === 'string') throw new Error(again)
  expect(mergeDevice('x-y', undefined, again).device).toEqual(first)
})

test('tables of other programs have the columns of their kind by words in any language, and lists are not taken for each other', async () => {
  const open = (schema: Schema<string>, ...texts: readonly string[]) =>
    openTable(
      (async function* () {
        yield texts.join('\n')
      })(),
      'list.csv',
      schema,
      (header) =>
        header.has('make', 'model') || header.has('make', 'device') || header.has('imei') || header.has('usd')
          ? header.names
          : undefined,
      () => new DomainError('invalid', 'unknown', reason('technical')),
    )
  expect((await open(TAC_COLUMNS, 'TAC;Hersteller;Modell', '35123456;Apple;iPhone 13')).format).toEqual([
    'tac',
    'make',
    'model',
  ])
  const devices = await open(DEVICE_COLUMNS, 'Marque;Modèle;Capacité', 'Apple;iPhone 13;128 Go')
  expect(devices.format).toEqual(['make', 'device', 'storage'])
  expect(open(LIST_COLUMNS, 'golden_imei', '350000000000006')).rejects.toThrow('unknown')
  expect(open(LIST_COLUMNS, 'imsi;note', '350000000000006;IMEI unknown')).rejects.toThrow('unknown')
  const listed = await open(LIST_COLUMNS, 'Nr;Numer IMEI;Data zgłoszenia', '1;350000000000006;20260101')
  expect(listed.format).toEqual(['Nr', 'imei', 'reporting_date'])
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
    problem: 'allocation_date_invalid',
  })
  expect(tacOf('own', ['TAC', 'Make', 'Model', 'Confidence'], ['35123456', 'A', 'B', '101'])?.problem).toBeDefined()
})

test('a lost leading zero is restored only if that gives a valid TAC', () => {
  expect(tacOf('own', ['tac', 'make', 'model'], ['1355400', 'Apple', 'iPhone 5'])).toMatchObject({
    facts: [{ tac: '01355400' }],
    remark: 'leading_zero_restored',
  })
  expect(tacOf('own', ['tac', 'make', 'model'], ['9113177', 'A', 'B'])).toEqual({ problem: 'tac_invalid' })
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
  [['62%222222222222', '', '', 'add'], 'identifier_characters'],
  [['', '', '', 'add'], 'identifier_missing'],
  [['6'.repeat(17), '', '', 'add'], 'identifier_too_long'],
  [['3569', '', '', 'add'], 'identifier_too_short'],
  [['1172200370026', '', '', 'add'], 'identifier_too_short'],
  [['622222222222222', '2019-08-26', '', 'add'], 'reporting_date_invalid'],
  [['622222222222222', '20190230', '', 'add'], 'reporting_date_invalid'],
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
