import { useTranslation } from 'react-i18next'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

/** Opens the rejected rows of an import as a new upload, so that only they are corrected and imported again. */
export function RetryButton({ runId }: { runId: string }) {
  const { t } = useTranslation('imports')
  const change = useApiMutation()
  const retry = () => change.mutate(() => apiPost('/account/imports/retry', { id: runId }))
  return (
    <>
      <Button isBusy={change.isPending} onClick={retry}>
        {t('action.fixRejected')}
      </Button>
      {change.error ? <ErrorMessage error={change.error} /> : null}
    </>
  )
}
