/** The four kinds of TAC list, row by row: which makes and models an eight-digit type allocation code stands for. */

import { unguardFormula } from '../../lib/csv-writer.ts'
import type { FactOrigin } from '../catalogue/fact-origins.ts'
import type { CsvRow } from '../read/csv-reader.ts'
import { cellText, type TableHeader } from '../read/header.ts'

export type TacFact = {
  readonly tac: string
  readonly make: string
  readonly model: string
  /** Further names the same model goes by, to find its device. */
  readonly aliases: readonly string[]
  readonly deviceId?: string | undefined
  readonly confidence?: number | undefined
}

/** Facts of a row, a reason to reject it, or both a fact and a remark. */
type ParsedTacRow = { readonly facts?: readonly TacFact[]; readonly problem?: string; readonly remark?: string }

export type TacFormat = {
  readonly source: Extract<FactOrigin, 'own' | 'osmocom' | 'samsung-tac' | 'gsma'>
  /** How sure a fact of this list is by itself. */
  readonly confidence: number
  readonly isHeader: (header: TableHeader) => boolean
  readonly parseRow: (row: CsvRow, header: TableHeader) => ParsedTacRow
}

/** In the order they are tried on a header. */
export const TAC_FORMATS: readonly TacFormat[] = [
  {
    source: 'osmocom',
    confidence: 60,
    isHeader: (header) => header.has('tac', 'contributor', 'aka'),
    parseRow: ({ fields }) => {
      // By position: the header says "name" twice and "gsmarena" twice. The contributor is a person and is not kept.
      const tac = parseTac(cellText(fields, 0))
      if (!tac) return { problem: 'TAC is not 8 digits' }
      const make = cellText(fields, 1)
      const model = cellText(fields, 2)
      if (!make || !model) return { problem: 'no brand or no model' }
      const alsoKnownAs = cellText(fields, 7)
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)
      return { facts: [{ tac: tac.digits, make, model, aliases: alsoKnownAs }], ...tac.remark }
    },
  },
  {
    source: 'samsung-tac',
    confidence: 75,
    isHeader: (header) => header.has('tac', 'model', 'model2'),
    parseRow: ({ fields }) => {
      const tac = parseTac(cellText(fields, 0))
      if (!tac) return { problem: 'TAC is not 8 digits' }
      const models = [
        ...new Set(
          fields
            .slice(1)
            .map((model) => model.trim())
            .filter(Boolean),
        ),
      ]
      if (models.length === 0) return { problem: 'no model' }
      return {
        facts: models.map((model) => ({ tac: tac.digits, make: 'Samsung', model, aliases: [] })),
        ...tac.remark,
      }
    },
  },
  {
    source: 'gsma',
    confidence: 90,
    isHeader: (header) => header.has('tac', 'manufacturer', 'allocation date'),
    parseRow: ({ fields }, header) => {
      const tac = parseTac(cellText(fields, header.find('tac')))
      if (!tac) return { problem: 'TAC is not 8 digits' }
      const known = (...names: string[]) =>
        names.map((name) => cellText(fields, header.find(name))).find((text) => text && !/^not known$/i.test(text)) ??
        ''
      const make = known('brand name', 'manufacturer')
      const model = known('marketing name', 'model name', 'internal model name')
      if (!make || !model) return { problem: 'no manufacturer or no model' }
      if (!/^\d{2}-[A-Z][a-z]{2}-\d{4}$/.test(cellText(fields, header.find('allocation date')))) {
        return { problem: 'allocation date is not DD-Mon-YYYY' }
      }
      const alsoKnownAs = [known('model name'), known('internal model name')].filter((name) => name && name !== model)
      return { facts: [{ tac: tac.digits, make, model, aliases: alsoKnownAs }], ...tac.remark }
    },
  },
  {
    source: 'own',
    confidence: 95,
    isHeader: (header) => header.has('tac', 'make', 'model'),
    parseRow: ({ fields }, header) => {
      const at = (name: string) => unguardFormula(cellText(fields, header.find(name)))
      const tac = parseTac(at('tac'))
      if (!tac) return { problem: 'TAC is not 8 digits' }
      const make = at('make')
      const model = at('model')
      if (!make || !model) return { problem: 'no make or no model' }
      const confidence = at('confidence')
      if (confidence && !/^(?:100|[1-9]?\d)$/.test(confidence)) return { problem: 'confidence is not 0 to 100' }
      return {
        facts: [
          {
            tac: tac.digits,
            make,
            model,
            aliases: [],
            deviceId: at('device_id') || undefined,
            confidence: confidence ? Number(confidence) : undefined,
          },
        ],
        ...tac.remark,
      }
    },
  },
]

/**
 * Eight digits. A spreadsheet eats a leading zero; of the codes that begin with zero only 01 was ever given to real
 * devices, so seven digits are repaired when that makes them an 01 and refused otherwise.
 */
function parseTac(text: string): { digits: string; remark: { remark?: string } } | undefined {
  if (/^\d{8}$/.test(text)) return { digits: text, remark: {} }
  if (/^1\d{6}$/.test(text)) return { digits: `0${text}`, remark: { remark: 'lost leading zero of the TAC restored' } }
  return undefined
}
