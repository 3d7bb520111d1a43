import { EXPORT_HEADER, exportCells } from '../risk/lookup-export.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { recordExport } from './record-export.ts'

export const lookupsExport = recordExport({
  nouns: ['lookup', 'lookups'],
  what: 'identifier lookups',
  header: EXPORT_HEADER,
  cells: exportCells,
  open: lookupStore,
})
