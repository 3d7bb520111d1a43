import { useTranslation } from 'react-i18next'
import { callApi } from '../../api.ts'
import { FormDialog } from '../../ui/dialog.tsx'

export function RemoveDialog({ kind, name, close }: { kind: 'sources' | 'feeds'; name: string; close: () => void }) {
  const { t } = useTranslation(['service-settings', 'common'])
  const send = () =>
    kind === 'sources'
      ? callApi('DELETE /api/manage/service/sources/{name}', { params: { name } })
      : callApi('DELETE /api/manage/service/feeds/{name}', { params: { name } })
  return (
    <FormDialog title={t('remove', { name })} action={t('common:action.remove')} isDangerous send={send} close={close}>
      <p>{kind === 'sources' ? t('sources.removeHint') : t('feeds.removeHint')}</p>
    </FormDialog>
  )
}
