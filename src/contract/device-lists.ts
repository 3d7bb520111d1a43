import { z } from 'zod'
import { APPRAISAL_DECISIONS, appraisalSchema } from './appraisal.ts'
import { APPRAISALS_MAX_BYTES, APPRAISALS_MAX_ITEMS } from './appraisal-request.ts'
import { batchCost } from './batch.ts'
import { CONDITIONS, conditionSchema } from './conditions.ts'
import { sheetFormatParameters } from './csv-format.ts'
import { currencyCode } from './currency.ts'
import { DEFECTS } from './device-kinds.ts'
import { LIST_CHANGE_KINDS, LIST_COLUMNS, ROW_QUESTIONS } from './device-list-columns.ts'
import { defineEndpoint } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { reasonFields } from './errors.ts'
import { EXAMPLE_TIME, exampleAppraisal } from './examples.ts'
import { LINE_SELECTION, readLineSelection } from './line-selection.ts'
import { cursorLimitParameter } from './paging.ts'
import { authorSchema, component, idValue, instant, optionalField, slugValue } from './values.ts'

export const LIST_STATES = ['open', 'offered', 'bought', 'declined'] as const
export type ListState = (typeof LIST_STATES)[number]

/**
 * A decision, or `unchecked`: the only doubt is that no source was asked about the identifier · `question`: something in the
 * row was not read, so that an offer holds only if it does not matter · `invalid`: the row was not appraised.
 */
export const ROW_OUTCOMES = [...APPRAISAL_DECISIONS, 'unchecked', 'question', 'invalid'] as const
export type RowOutcome = (typeof ROW_OUTCOMES)[number]

const MAX_COLUMNS = 200
const MAX_CELL = 2_000
const MAX_LINE = 1_000_000
const MAX_WORDS = 200
const MAX_WORD = 100
const MAX_PRICE = 10_000_000
const ASKING_PRICE = 'a price in units of the currency, 0 or more'
const ROWS_PER_PAGE = 100
export const MAX_DIFFERENCES = 2_000

const line = (maxLength: number) => {
  const expected = `text of at most ${maxLength} characters without control characters`
  return z
    .string({ error: expected })
    .trim()
    .max(maxLength, expected)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, expected)
}
const NAME = 'text of 1 to 100 characters without control characters'
const nameField = line(100).min(1, NAME)
const codes = DEFECTS.map(({ code }) => code)
const defectCode = z.enum(codes, { error: `one of ${codes.join(', ')}` })
const grade = z.enum(CONDITIONS, { error: `one of ${CONDITIONS.join(', ')}` })
const column = z.enum(LIST_COLUMNS, { error: `one of ${LIST_COLUMNS.join(', ')}` })

const wordSchema = component('DeviceListWord', 'What a word of device lists means to the organization.', {
  word: z.string().describe('The word or words, in lower case.'),
  condition: conditionSchema.nullable().describe('The grade it means; null if it means none.'),
  defect: defectCode.nullable().describe('The defect it means; null if it means none. Without both it means nothing.'),
})
export type DeviceListWordWire = z.infer<typeof wordSchema>

const questionSchema = component('DeviceListQuestion', 'Something in a row that a person has to decide.', {
  code: z.enum(ROW_QUESTIONS).describe('What is open.'),
  column: column.describe('Field that the words are in.'),
  words: z.string().describe('The words of the list.'),
})

const changeSchema = component('DeviceListRowChange', 'What a person corrected in a row.', {
  device_id: slugValue.nullable().describe('The device.'),
  storage: z.string().nullable().describe('Its storage, such as `128GB`.'),
  condition: conditionSchema.nullable().describe('Its grade.'),
  defects: z.array(defectCode).nullable().describe('All its defects; an empty list states that there are none.'),
  identifier: z.string().nullable().optional().describe('Its IMEI or serial number; empty if it has none.'),
  asking_price: z
    .number()
    .nullable()
    .optional()
    .describe('What the supplier asks per device, in units of the currency.'),
})

const askingPriceSchema = z.strictObject({
  value: z.number().min(0).describe('Price per device in units of the currency.'),
  currency: z.string().nullable().describe('ISO 4217 code; null if the row names none.'),
})

const rowSchema = component('DeviceListRow', 'A row of a device list.', {
  line: z.int().min(1).describe('Line in the file.'),
  cells: z.array(z.string()).describe('The cells as they are in the file.'),
  change: changeSchema.nullable().describe('Corrections; fields that were not corrected are null.'),
  questions: z.array(questionSchema).describe('What could not be read.'),
  is_settled: z.boolean().describe('Whether a person decided the questions by giving all defects.'),
  quantity: z.int().min(1).describe('Number of devices.'),
  asking_price: askingPriceSchema.nullable().describe('What the supplier asks per device.'),
  asking_amount: z
    .int()
    .nullable()
    .describe('The asking price in minor units of the currency of the appraisal; null if it cannot be converted.'),
  outcome: z
    .enum(ROW_OUTCOMES)
    .describe(
      'What the row comes to: the decision of its appraisal; `unchecked` if it holds for a device that is not blocked; `question` if it holds only with an answer; `invalid` without an appraisal.',
    ),
  appraisal: appraisalSchema.nullable().describe('The appraisal; null if the row could not be appraised.'),
  error: z.string().nullable().describe('Why the row could not be appraised.'),
  ...reasonFields,
  in_lists: z
    .array(z.strictObject({ id: z.string().describe('Id of the list.'), name: z.string().describe('Its name.') }))
    .describe('Other lists of the organization with the same IMEI or serial number.'),
})
export type DeviceListRowWire = z.infer<typeof rowSchema>

const listFields = {
  id: z.string().describe('Id of the list.'),
  name: z.string().describe('Its name.'),
  supplier: z.string().describe('Who offers the devices; may be empty.'),
  state: z.enum(LIST_STATES).describe('How far the deal is.'),
  header: z.array(z.string()).describe('Titles of the columns; empty texts if the file has none.'),
  columns: z.array(column.nullable()).describe('Field of each column; null if it is not used.'),
  row_count: z.int().min(0).describe('Number of rows.'),
  currency: currencyCode.describe("Currency of the organization's policy."),
  created_by: authorSchema.describe('Who added it.'),
  created_at: instant.describe('When it was added.'),
  updated_at: instant.describe('Time of the last change.'),
}
const listSchema = component('DeviceList', 'A list of devices from a supplier.', listFields)
export type DeviceListWire = z.infer<typeof listSchema>

const otherListSchema = component('OtherDeviceList', 'Another device list of the organization.', {
  id: z.string().describe('Id of the list.'),
  name: z.string().describe('Its name.'),
  created_at: instant.describe('When it was added.'),
})

const comparedRowSchema = component('ComparedListRow', 'A row of one version of a list.', {
  line: z.int().min(1).describe('Line in the file.'),
  grade: z.string().describe('The grade in the words of the list; may be empty.'),
  asking_price: askingPriceSchema.nullable().describe('What the supplier asks per device.'),
  quantity: z.int().min(1).describe('Number of devices.'),
})

const differenceSchema = component('DeviceListDifference', 'A row that differs between two versions of a list.', {
  kinds: z.array(z.enum(LIST_CHANGE_KINDS)).min(1).describe('What changed.'),
  device: z.string().describe('The device in the words of the list.'),
  identifier: z.string().nullable().describe('IMEI or serial number, if the row has one.'),
  after: comparedRowSchema.nullable().describe('The row in this list; null if it is gone.'),
  before: comparedRowSchema.nullable().describe('The row in the other list; null if it was added.'),
})
export type DeviceListDifferenceWire = z.infer<typeof differenceSchema>

const comparisonSchema = component('DeviceListComparison', 'What changed since another list.', {
  list: otherListSchema.describe('The list that is compared with.'),
  counts: z
    .strictObject({
      added: z.int().min(0).describe('Rows that the other list does not have.'),
      gone: z.int().min(0).describe('Rows that only the other list has.'),
      price_changed: z.int().min(0).describe('Rows with another asking price.'),
      grade_changed: z.int().min(0).describe('Rows with another grade.'),
      quantity_changed: z.int().min(0).describe('Rows with another number of devices.'),
      unchanged: z.int().min(0).describe('Rows without a change.'),
    })
    .describe('Number of rows by change; a row may have several.'),
  differences: z
    .array(differenceSchema)
    .max(MAX_DIFFERENCES)
    .describe(`Rows that differ, at most ${MAX_DIFFERENCES.toLocaleString('en')}; rows that are gone come last.`),
})
export type DeviceListComparisonWire = z.infer<typeof comparisonSchema>

const listWithRowsSchema = component('DeviceListRows', 'A device list with rows.', {
  ...listFields,
  is_new: z.boolean().describe('False if the same file was already added; the list is the earlier one.'),
  words: z.array(wordSchema).describe('Words that the organization taught.'),
  rows: z.array(rowSchema).describe('Rows, by line.'),
  next_after: z
    .int()
    .nullable()
    .describe(
      'Line to continue after; null if there are no further rows. Long rows make a response shorter than `limit`.',
    ),
  previous: otherListSchema
    .nullable()
    .describe('The list that this one seems to be the next version of: the last one of the supplier, or of the name.'),
  comparison: comparisonSchema.nullable().describe('What changed; null unless `compare` asks for it.'),
})
export type DeviceListWithRowsWire = z.infer<typeof listWithRowsSchema>

const newListSchema = z
  .object({
    name: nameField.describe('Name of the list, such as the name of its file.'),
    supplier: optionalField(line(100)).describe('Who offers the devices.'),
    header: z
      .array(line(MAX_CELL), { error: 'an array of column titles' })
      .max(MAX_COLUMNS, `at most ${MAX_COLUMNS} columns`)
      .describe('Titles of the columns.'),
    columns: optionalField(z.array(column.nullable()).max(MAX_COLUMNS)).describe(
      'Field of each column; null for one that is not used. Default: by the titles.',
    ),
    file_hash: optionalField(z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal')).describe(
      'SHA-256 of the file. If a list has the same one, that list is returned.',
    ),
    is_copy: optionalField(z.boolean({ error: 'true or false' })).describe(
      'Adds a further list even if the same file was added.',
    ),
  })
  .meta({ id: 'NewDeviceList', description: 'A new list without rows.' })

const newRowSchema = z.object({
  line: z.int({ error: 'a line number' }).min(1).max(MAX_LINE).describe('Line in the file.'),
  cells: optionalField(z.array(z.string()).max(MAX_COLUMNS)).describe(
    'The cells; those that are stored when absent. A cell is cut after 2,000 characters and a row after 16 kB, with the question `cell_cut`.',
  ),
  change: optionalField(
    z.object({
      device_id: optionalField(slugValue).describe('The device.'),
      storage: optionalField(line(MAX_WORD)).describe('Its storage.'),
      condition: optionalField(grade).describe('Its grade.'),
      defects: optionalField(z.array(defectCode).max(codes.length)).describe('All its defects.'),
      identifier: optionalField(line(MAX_WORD)).describe('Its IMEI or serial number; empty if it has none.'),
      asking_price: optionalField(
        z.number({ error: ASKING_PRICE }).min(0, ASKING_PRICE).max(MAX_PRICE, ASKING_PRICE),
      ).describe('What the supplier asks per device, in units of the currency of the row.'),
    }),
  ).describe('Corrections, which replace earlier ones. A row whose defects are given counts as settled.'),
})

const listChangeSchema = z
  .object({
    name: optionalField(nameField).describe('New name.'),
    supplier: optionalField(line(100)).describe('Who offers the devices.'),
    state: optionalField(z.enum(LIST_STATES, { error: `one of ${LIST_STATES.join(', ')}` })).describe(
      'How far the deal is.',
    ),
    words: optionalField(
      z
        .array(
          z.object({
            word: line(MAX_WORD).min(1).describe('The word or words.'),
            condition: optionalField(grade).describe('The grade it means.'),
            defect: optionalField(defectCode).describe('The defect it means. Without both it means nothing.'),
            forget: optionalField(z.boolean()).describe('Forgets the word.'),
          }),
        )
        .max(MAX_WORDS, `at most ${MAX_WORDS} words`),
    ).describe('Words to learn. Later lists of the organization are read with them.'),
    rows: optionalField(
      z
        .array(newRowSchema, { error: 'an array of rows' })
        .max(APPRAISALS_MAX_ITEMS, `at most ${APPRAISALS_MAX_ITEMS}`)
        .refine((rows) => new Set(rows.map(({ line }) => line)).size === rows.length, { error: 'each line once' }),
    ).describe('Rows to appraise: new ones, and those that changed. Others stay as they are.'),
    omit_rows: optionalField(z.boolean({ error: 'true or false' })).describe(
      'Leaves the rows out of the response, which is faster for a long list that is sent in parts.',
    ),
  })
  .meta({ id: 'DeviceListChange', description: 'What to change; other fields stay.' })
export type DeviceListChangeWire = z.output<typeof listChangeSchema>

const exampleList: DeviceListWire = {
  id: 'list_0f246810c52148df3',
  name: 'Stock October.xlsx',
  supplier: 'Wholesale North',
  state: 'open',
  header: ['IMEI', 'Model', 'Grade', 'Price'],
  columns: ['identifier', 'text', 'condition', 'asking_price'],
  row_count: 1,
  currency: 'USD',
  created_by: exampleAppraisal.created_by,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
}
const exampleRow: DeviceListRowWire = {
  line: 4,
  cells: ['', 'iPhone 13 128GB Midnight', 'B, Kratzer', '120'],
  change: null,
  questions: [{ code: 'unknown_grade', column: 'condition', words: 'Kratzer' }],
  is_settled: false,
  quantity: 1,
  asking_price: { value: 120, currency: null },
  asking_amount: 12_000,
  outcome: 'question',
  appraisal: exampleAppraisal,
  error: null,
  in_lists: [],
}
const exampleListWithRows: DeviceListWithRowsWire = {
  ...exampleList,
  is_new: true,
  words: [{ word: 'kratzer', condition: 'Fair', defect: null }],
  rows: [exampleRow],
  next_after: null,
  previous: null,
  comparison: null,
}
const exampleOther = { id: 'list_0f246810c42148df3', name: 'Stock September.xlsx', created_at: EXAMPLE_TIME }
const exampleComparison: DeviceListComparisonWire = {
  list: exampleOther,
  counts: { added: 0, gone: 0, price_changed: 1, grade_changed: 0, quantity_changed: 0, unchanged: 0 },
  differences: [
    {
      kinds: ['price_changed'],
      device: 'iPhone 13 128GB Midnight',
      identifier: null,
      after: { line: 4, grade: 'B, Kratzer', asking_price: exampleRow.asking_price, quantity: 1 },
      before: { line: 7, grade: 'B, Kratzer', asking_price: { value: 135, currency: null }, quantity: 1 },
    },
  ],
}

const LIMIT_RANGE = `a whole number from 1 to ${APPRAISALS_MAX_ITEMS}`
const params = z.object({ id: z.string().describe('Id of a list of your organization.') })

export const listDeviceLists = defineEndpoint('GET /api/lists', {
  id: 'listDeviceLists',
  permission: 'appraisals:batch',
  tag: 'Appraisals',
  summary: 'List your device lists',
  description: 'Lists of devices that your organization appraised, newest first.',
  query: z.object({
    after: idValue.optional().describe('The `meta.next_after` of the previous page.'),
    limit: cursorLimitParameter('Lists'),
  }),
  response: cursorPageSchema(listSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'One list',
      data: [exampleList],
      meta: { limit: 50, has_next: false, next_after: exampleList.id },
    },
  ],
})

export const addDeviceList = defineEndpoint('POST /api/lists', {
  id: 'addDeviceList',
  permission: 'appraisals:batch',
  tag: 'Appraisals',
  isMetered: false,
  summary: 'Add a device list',
  description:
    'Adds a list without rows; send its rows with `PATCH /api/lists/{id}`. A file that was already added returns its list.',
  body: { schema: newListSchema, maxBytes: 64 * 1024 },
  response: envelopeSchema(listWithRowsSchema),
  errors: ['LIMIT_REACHED'],
  examples: [
    {
      summary: 'The list of a supplier',
      body: { name: exampleList.name, supplier: exampleList.supplier, header: exampleList.header },
      data: { ...exampleListWithRows, row_count: 0, rows: [] },
    },
  ],
})

export const getDeviceList = defineEndpoint('GET /api/lists/{id}', {
  id: 'getDeviceList',
  permission: 'appraisals:batch',
  tag: 'Appraisals',
  summary: 'Get a device list with its rows',
  description:
    'Rows by line, each with its appraisal and questions. Continue with `after` = `next_after`. With `format=csv` or `format=xlsx` the whole list as a file: the columns of the supplier, then the results.',
  params,
  csvPermission: 'appraisals:batch',
  query: z.object({
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'the `next_after` of the previous response')
      .transform(Number)
      .optional()
      .meta({
        description: 'Only rows after this line.',
        override: { type: 'integer', minimum: 0 },
      }),
    limit: z
      .string()
      .regex(/^\d{1,4}$/, LIMIT_RANGE)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= APPRAISALS_MAX_ITEMS, LIMIT_RANGE)
      .optional()
      .meta({
        description: `Rows per response; default ${ROWS_PER_PAGE}.`,
        override: { type: 'integer', minimum: 1, maximum: APPRAISALS_MAX_ITEMS, default: ROWS_PER_PAGE },
      }),
    lines: z
      .string()
      .regex(LINE_SELECTION, 'lines such as 4-10,12')
      .transform(readLineSelection)
      .optional()
      .meta({
        description:
          'Only these lines of a file, such as `4-10,12`. For many single lines: `bits:` and a base64url text with a bit per line, line 1 first.',
        override: { type: 'string' },
      }),
    ...sheetFormatParameters,
    compare: z
      .union([z.literal('previous'), idValue], { error: '`previous` or the id of a list' })
      .optional()
      .describe('Also returns what changed since another list: its id, or `previous`.'),
  }),
  response: envelopeSchema(listWithRowsSchema),
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  examples: [
    { summary: 'A list with one row', params: { id: exampleList.id }, data: exampleListWithRows },
    {
      summary: 'What changed since the last list of the supplier',
      params: { id: exampleList.id },
      query: { compare: 'previous' },
      data: { ...exampleListWithRows, previous: exampleOther, comparison: exampleComparison },
    },
  ],
})
export const DEFAULT_LIST_ROWS = ROWS_PER_PAGE

export const changeDeviceList = defineEndpoint('PATCH /api/lists/{id}', {
  id: 'changeDeviceList',
  permission: 'appraisals:batch',
  tag: 'Appraisals',
  summary: `Change a device list, or appraise up to ${APPRAISALS_MAX_ITEMS} of its rows`,
  description:
    'Changes the given fields and returns the list with the rows that were sent. Rows are read as `appraise FILE` reads them: what cannot be read is a question, never an error. IMEIs and serial numbers are checked with the Enterprise tier and ignored without it. Each row counts as one request against the limit.',
  params,
  body: {
    schema: listChangeSchema,
    maxBytes: APPRAISALS_MAX_BYTES,
    cost: batchCost('rows', APPRAISALS_MAX_ITEMS),
  },
  response: envelopeSchema(listWithRowsSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  examples: [
    {
      summary: 'A row, and what its word means',
      params: { id: exampleList.id },
      body: { words: [{ word: 'Kratzer', condition: 'Fair' }], rows: [{ line: 4, cells: exampleRow.cells }] },
      data: exampleListWithRows,
    },
  ],
})

export const removeDeviceList = defineEndpoint('DELETE /api/lists/{id}', {
  id: 'removeDeviceList',
  permission: 'appraisals:batch',
  tag: 'Appraisals',
  isMetered: false,
  summary: 'Remove a device list',
  description: 'Removes a list with its rows. Its appraisals stay.',
  params,
  response: envelopeSchema(listSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A list that is removed', params: { id: exampleList.id }, data: exampleList }],
})
