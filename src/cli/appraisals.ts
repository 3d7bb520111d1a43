import { APPRAISAL_HEADER, appraisalRowFromJson } from '../appraisal/appraisal-export.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { recordExport } from './record-export.ts'

export const appraisalsExport = recordExport({
  nouns: ['appraisal', 'appraisals'],
  description: 'appraisals',
  header: APPRAISAL_HEADER,
  cells: appraisalRowFromJson,
  open: appraisalStore,
})
