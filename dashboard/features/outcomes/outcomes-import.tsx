import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withEnglishTitles } from '../../../src/appraisal/sheet-words.ts'
import type { SellerRecordMode } from '../../../src/contract/sellers.ts'
import { parseHeader } from '../../../src/import/read/header.ts'
import { readTableFile } from '../../../src/import/read/table-file.ts'
import { DomainError } from '../../../src/lib/errors.ts'
import { presentReason } from '../../../src/lib/reasons.ts'
import { OUTCOME_COLUMNS, outcomeFromRow } from '../../../src/lists/outcome-row.ts'
import { findHeaderLine } from '../../../src/tables/table-lines.ts'
import { callApi } from '../../api.ts'
import { errorText } from '../../error-text.ts'
import { useMoney } from '../../money.ts'
import { useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

/** Rows per request, so that its body stays small. */
const ROWS_PER_REQUEST = 150

type ResultRow = { readonly line: number; readonly id: string; readonly problem: string | null }

/** Records outcomes from an Excel or CSV file and shows what became of each row. */
export function OutcomesImport() {
  const { t } = useTranslation('outcomes')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('import.title')}</Button>
      {isOpen ? <ImportDialog close={() => setOpen(false)} /> : null}
    </>
  )
}

function ImportDialog({ close }: { close: () => void }) {
  const { t } = useTranslation('outcomes')
  const { currency } = useMoney()
  const { seller_record: sellerRecord } = useSession().organization
  const [results, setResults] = useState<readonly ResultRow[]>()
  const [problem, setProblem] = useState('')
  const change = useApiMutation()

  const take = (file: Blob | undefined) => {
    if (!file) return
    setProblem('')
    change.mutate(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const lines = await readTableFile(bytes, 'outcomes').then(
        ({ rows }) => rows,
        () => [],
      )
      const headerOf = (titles: readonly string[]) => parseHeader(withEnglishTitles(titles))
      const at = findHeaderLine(lines, (titles) => (headerOf(titles).find(...OUTCOME_COLUMNS.status) >= 0 ? 1 : 0))
      const header = lines[at]
      if (!header) {
        setProblem(t('import.columnsMissing'))
        return
      }
      const { find } = headerOf(header.fields)
      const items = lines
        .slice(at + 1)
        .map(({ line, fields }) => ({ line, ...toItem(fields, find, currency, sellerRecord) }))
      setResults(await recordAll(items))
    })
  }
  const applied = results?.filter((row) => row.problem === null).length ?? 0
  return (
    <Dialog title={t('import.title')} onClose={close}>
      {results ? (
        <>
          <p role="status">{t('import.summary', { count: applied, rejected: results.length - applied })}</p>
          <DataTable
            label={t('import.rows')}
            rows={results}
            rowKey={(row) => row.line}
            columns={[
              { title: t('import.line'), cell: (row) => row.line },
              { title: t('import.appraisal'), cell: (row) => row.id },
              {
                title: t('import.result'),
                cell: ({ problem: reason }) => (
                  <>
                    <Badge tone={reason === null ? 'good' : 'bad'}>
                      {t(reason === null ? 'import.applied' : 'import.rejected')}
                    </Badge>{' '}
                    {reason}
                  </>
                ),
              },
            ]}
          />
        </>
      ) : (
        <FileDrop title={t('import.drop')} accept=".xlsx,.csv,.tsv,.txt,text/csv,text/plain" take={take}>
          {t('import.help', { currency })} {t('import.purchases')}
        </FileDrop>
      )}
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      {change.isPending ? <p role="status">{t('import.recording')}</p> : null}
      <ErrorMessage error={change.error} />
      <div className="dialog-actions">
        <Button onClick={close}>{t('import.close')}</Button>
      </div>
    </Dialog>
  )
}

/** Index within the request, in an English message. */
const ITEM_INDEX = /^items\[\d+\]\.?/

type FileItem = { readonly line: number; readonly id: string; readonly item: object | string }

function toItem(
  cells: readonly string[],
  find: (...names: string[]) => number,
  currency: string,
  sellerRecord: SellerRecordMode,
): Pick<FileItem, 'id' | 'item'> {
  const cell = (...names: string[]) => cells[find(...names)]?.trim() ?? ''
  const id = cell(...OUTCOME_COLUMNS.appraisal_id)
  try {
    return { id, item: outcomeFromRow(cell, currency, sellerRecord) }
  } catch (error) {
    if (error instanceof DomainError)
      return {
        id,
        item: errorText({ code: 'VALIDATION_ERROR', message: error.message, ...presentReason(error.reason) }),
      }
    throw error
  }
}

async function recordAll(all: readonly FileItem[]): Promise<ResultRow[]> {
  const results: ResultRow[] = all.flatMap(({ line, id, item }) =>
    typeof item === 'string' ? [{ line, id, problem: item }] : [],
  )
  const valid = all.filter(({ item }) => typeof item !== 'string')
  for (let at = 0; at < valid.length; at += ROWS_PER_REQUEST) {
    const some = valid.slice(at, at + ROWS_PER_REQUEST)
    const { data } = await callApi('POST /api/appraisals/outcomes/batch', {
      body: { items: some.map(({ item }) => item) },
    })
    for (const [index, { line, id }] of some.entries()) {
      const result = data[index]
      const problem = result?.success === false ? errorText(result.error).replace(ITEM_INDEX, '') : null
      results.push({ line, id, problem })
    }
  }
  return results.sort((left, right) => left.line - right.line)
}
