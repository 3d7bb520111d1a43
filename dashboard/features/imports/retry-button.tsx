import { useTranslation } from 'react-i18next'
import { callApi } from '../../api.ts'
import { ApiButton } from '../../ui/form.tsx'

/** Opens the rejected rows of an import as a new upload, so that only they are corrected and imported again. */
export function RetryButton({ runId }: { runId: string }) {
  const { t } = useTranslation('imports')
  const send = () => callApi('POST /api/manage/uploads', { body: { rejected_rows_of: runId } })
  return <ApiButton send={send}>{t('action.fixRejected')}</ApiButton>
}
