import { parseGrade } from '../catalog/grade-words.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import { CONDITIONS } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import { DEFECTS } from '../contract/device-kinds.ts'
import { invalid } from '../lib/errors.ts'
import { describeDevice } from './described-device.ts'
import { defectOfWord, gradeOfWord, isAssumedGrade } from './sheet-words.ts'

/** The columns of a list of devices with their accepted names; the first name that the list has is used. */
export const LIST_COLUMNS = {
  reference: ['reference', 'ref', 'stock number', 'stock no', 'stock id', 'asset tag', 'asset', 'lot', 'id'],
  identifier: [
    'identifier',
    'imei',
    'imei 1',
    'imei1',
    'imei number',
    'meid',
    'esn',
    'serial number',
    'serial no',
    'serial',
    'identifier checked',
  ],
  variant_id: ['variant id', 'variant'],
  device_id: ['device id'],
  text: [
    'text',
    'title',
    'model',
    'model name',
    'device',
    'device name',
    'name',
    'product',
    'product name',
    'item',
    'description',
  ],
  make: ['make', 'manufacturer', 'brand', 'oem'],
  condition: ['condition', 'grade', 'cosmetic grade', 'cosmetic condition', 'grade used'],
  defects: ['defects', 'defect', 'faults', 'fault', 'issues', 'problems'],
  storage: ['storage', 'capacity', 'size gb', 'gb'],
  color: ['color', 'colour'],
  ram: ['ram', 'memory'],
  carrier: ['carrier', 'network'],
} as const

export type ListColumn = keyof typeof LIST_COLUMNS

const ATTRIBUTES = ['storage', 'color', 'ram', 'carrier'] as const

/**
 * One row of a list as a request; the appraisal reads its text. `cellOf` returns the cell of the first column that exists, or
 * an empty text.
 */
export function requestFromRow(cellOf: (...names: readonly string[]) => string): Partial<AppraisalRequestWire> {
  const cell = (column: ListColumn) => cellOf(...LIST_COLUMNS[column])
  const idField = (column: 'reference' | 'identifier' | 'variant_id' | 'device_id') =>
    cell(column) === '' ? {} : { [column]: cell(column) }
  const text = joinMakeAndText(cell('make'), cell('text'))
  const attributes = ATTRIBUTES.flatMap((name) =>
    cell(name) === '' ? [] : [[name, withStorageUnit(name, cell(name))]],
  )
  const condition = parseCondition(cell('condition'))
  const defects = [...new Set(parseDefects(cell('defects')))]
  return {
    ...idField('reference'),
    ...idField('identifier'),
    ...idField('variant_id'),
    ...idField('device_id'),
    ...(text === '' ? {} : { text }),
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
    ...(condition ? { condition } : {}),
    // "none" states that there are no defects; an empty cell states nothing.
    ...(cell('defects') === '' ? {} : { defects }),
  }
}

/** Does not repeat a make that the text already starts with. */
function joinMakeAndText(make: string, text: string): string {
  if (make === '' || text.toLowerCase().startsWith(make.toLowerCase())) return text
  return `${make} ${text}`.trim()
}

/** In a storage or memory column, "128" means gigabytes. */
function withStorageUnit(name: string, value: string): string {
  return (name === 'storage' || name === 'ram') && /^\d+$/.test(value) ? `${value}GB` : value
}

/** Accepts every grade name of price imports; new devices count as Excellent. */
function parseCondition(word: string): AppraisalRequestWire['condition'] {
  if (word === '' || isAssumedGrade(word)) return undefined
  const grade = parseGrade(word)?.grade ?? gradeOfWord(word)
  if (grade === 'New') return 'Excellent'
  const condition = CONDITIONS.find((candidate) => candidate === grade)
  if (!condition) throw invalid('condition', word, `a grade such as ${CONDITIONS.join(', ')}`)
  return condition
}

const normalizeWord = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()
const DEFECT_BY_WORD = new Map<string, DefectCode>(
  DEFECTS.flatMap(({ code, name }) => [
    [normalizeWord(code), code],
    [normalizeWord(name), code],
  ]),
)
const NO_DEFECT_WORDS = new Set(['', 'none', 'no', 'n a', 'ok'])

/** Codes, names or a seller's words such as "screen is cracked", separated by punctuation. */
function parseDefects(text: string): DefectCode[] {
  const words = text.split(/[;,|/+]/).filter((word) => !NO_DEFECT_WORDS.has(normalizeWord(word)))
  return words.flatMap((word) => {
    const code = DEFECT_BY_WORD.get(normalizeWord(word)) ?? (defectOfWord(word) as DefectCode | undefined)
    if (code) return code
    const { findings } = describeDevice(word)
    const codes = findings.flatMap((finding): DefectCode[] => {
      if (finding.field === 'defects') return finding.codes.slice(0, 1)
      return finding.field === 'lock' && finding.lock === 'locked' ? ['carrier_locked'] : []
    })
    if (codes.length === 0 && !findings.some(({ field }) => field === 'battery_health' || field === 'lock'))
      throw invalid(
        'defects',
        word.trim(),
        `defects such as ${DEFECTS.slice(0, 4)
          .map((defect) => defect.code)
          .join(', ')}`,
      )
    return codes
  })
}
