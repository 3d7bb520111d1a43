import { useTranslation } from 'react-i18next'
import { apiPost } from '../../api.ts'
import { ApiButton } from '../../ui/form.tsx'

/** Opens the rejected rows of an import as a new upload, so that only they are corrected and imported again. */
export function RetryButton({ runId }: { runId: string }) {
  const { t } = useTranslation('imports')
  return <ApiButton send={() => apiPost('/account/imports/retry', { id: runId })}>{t('action.fixRejected')}</ApiButton>
}
