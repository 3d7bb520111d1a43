import type { Database } from '../../src/db/database.ts'
import type { ImportContext } from '../../src/import/importer.ts'
import { findImporter } from '../../src/import/importers.ts'
import { createTextSource } from '../../src/import/read/byte-source-service.ts'
import { createRowReport } from '../../src/import/row-report-service.ts'
import { OPERATOR } from './service.ts'

type ImporterOptions = Pick<ImportContext, 'now'> & Partial<ImportContext>

/** Runs the importer of a format on an open database, without a file and without a recorded run. */
export async function runImporter(db: Database, format: string, text: string, options: ImporterOptions) {
  const importer = findImporter(format)
  if (!importer) throw new Error(`no format ${format}`)
  const report = createRowReport({ path: null, show: () => {} })
  const result = await importer.run(createTextSource(text), {
    db,
    dryRun: false,
    organizationId: '',
    defaultMarket: 'us',
    acceptShrink: false,
    options: {},
    report,
    progress: { at: () => {}, clear: () => {} },
    onPreview: () => {},
    notify: () => {},
    actor: OPERATOR,
    signal: new AbortController().signal,
    runId: 'run',
    open: async () => createTextSource('[]'),
    ...options,
  })
  return { ...result, added: report.additions(), remarks: report.remarks(), rejectedBy: report.rejectedBy() }
}
