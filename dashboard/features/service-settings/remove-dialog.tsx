import { useTranslation } from 'react-i18next'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

export function RemoveDialog({ kind, name, close }: { kind: 'sources' | 'feeds'; name: string; close: () => void }) {
  const { t } = useTranslation(['service-settings', 'common'])
  const removing = useApiMutation()
  const remove = () =>
    removing.mutate(async () => {
      await apiPost(`/account/service/${kind}/remove`, { name })
      close()
    })
  return (
    <Dialog title={t('remove', { name })} onClose={close}>
      <p>{kind === 'sources' ? t('sources.removeHint') : t('feeds.removeHint')}</p>
      {removing.error ? <ErrorMessage error={removing.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>{t('common:action.cancel')}</Button>
        <Button variant="danger" onClick={remove} isBusy={removing.isPending}>
          {t('common:action.remove')}
        </Button>
      </div>
    </Dialog>
  )
}
