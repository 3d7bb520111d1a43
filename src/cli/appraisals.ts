import { APPRAISAL_HEADER, appraisalCells } from '../appraisal/appraisal-export.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { recordExport } from './record-export.ts'

export const appraisalsExport = recordExport({
  nouns: ['appraisal', 'appraisals'],
  what: 'appraisals',
  header: APPRAISAL_HEADER,
  cells: appraisalCells,
  open: appraisalStore,
})
