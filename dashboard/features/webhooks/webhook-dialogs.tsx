import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { WebhookWire } from '../../../src/contract/webhooks.ts'
import { callApi } from '../../api.ts'
import { CopyableText } from '../../ui/copy-button.tsx'
import { FormDialog, OnceDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

export function NewWebhookDialog({ close, show }: { close: () => void; show: (secret: string) => void }) {
  const { t } = useTranslation('webhooks')
  const [url, setUrl] = useState('')
  return (
    <FormDialog
      title={t('new')}
      action={t('add.action')}
      send={() => callApi('POST /api/manage/webhooks', { body: { url } })}
      onSent={({ data }) => {
        close()
        show(data.secret ?? '')
      }}
      close={close}
    >
      {(errorAt) => (
        <TextField
          label={t('column.url')}
          hint={t('add.hint')}
          error={errorAt('url')}
          type="url"
          required
          maxLength={1000}
          value={url}
          onValueChange={setUrl}
        />
      )}
    </FormDialog>
  )
}

export function WebhookSecretDialog({ secret, close }: { secret: string; close: () => void }) {
  const { t } = useTranslation('webhooks')
  return (
    <OnceDialog title={t('secret.title')} close={close}>
      <p>{t('secret.hint')}</p>
      <CopyableText text={secret} label={t('secret.label')} testId="webhook-secret" />
    </OnceDialog>
  )
}

export function RemoveWebhookDialog({ webhook, close }: { webhook: WebhookWire; close: () => void }) {
  const { t } = useTranslation('webhooks')
  const send = () => callApi('DELETE /api/manage/webhooks/{id}', { params: { id: webhook.id } })
  return (
    <FormDialog title={t('remove.title')} action={t('remove.action')} isDangerous send={send} close={close}>
      <p>
        <Trans t={t} i18nKey="remove.hint" values={{ url: webhook.url }} components={{ code: <code /> }} />
      </p>
    </FormDialog>
  )
}
