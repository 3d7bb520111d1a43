import { LOOKUP_EXPORT_HEADER, lookupExportCells } from '../risk/lookup-export.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { recordExport } from './record-export.ts'

export const lookupsExport = recordExport({
  nouns: ['lookup', 'lookups'],
  description: 'identifier lookups',
  header: LOOKUP_EXPORT_HEADER,
  cells: lookupExportCells,
  open: lookupStore,
})
