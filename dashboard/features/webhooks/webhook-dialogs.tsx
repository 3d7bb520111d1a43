import { type FormEvent, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { WebhookWire } from '../../../src/contract/webhooks.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

export function NewWebhookDialog({ close, done }: { close: () => void; done: (secret: string) => void }) {
  const { t } = useTranslation(['webhooks', 'common'])
  const [url, setUrl] = useState('')
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      const { data } = await apiPost('/account/webhooks', { url, types: [] })
      close()
      done(data.secret)
    })
  }
  const isAddress = change.error?.field === 'url'
  return (
    <Dialog title={t('new')} onClose={close}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('column.url')}
          hint={t('add.hint')}
          error={isAddress ? change.error?.message : undefined}
          type="url"
          required
          maxLength={1000}
          value={url}
          onValueChange={setUrl}
        />
        {change.error && !isAddress ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>{t('common:action.cancel')}</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            {t('add.action')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function WebhookSecretDialog({ secret, close }: { secret: string; close: () => void }) {
  const { t } = useTranslation(['webhooks', 'common'])
  return (
    <Dialog title={t('secret.title')} onClose={close} isPersistent>
      <p>{t('secret.hint')}</p>
      <div className="secret">
        <code data-testid="webhook-secret">{secret}</code>
        <CopyButton text={secret} label={t('secret.label')} />
      </div>
      <div className="dialog-actions">
        <Button variant="primary" onClick={close}>
          {t('common:action.done')}
        </Button>
      </div>
    </Dialog>
  )
}

export function RemoveWebhookDialog({ webhook, close }: { webhook: WebhookWire; close: () => void }) {
  const { t } = useTranslation(['webhooks', 'common'])
  const change = useApiMutation()
  const remove = () =>
    change.mutate(async () => {
      await apiPost('/account/webhooks/remove', { id: webhook.id })
      close()
    })
  return (
    <Dialog title={t('remove.title')} onClose={close}>
      <p>
        <Trans t={t} i18nKey="remove.hint" values={{ url: webhook.url }} components={{ code: <code /> }} />
      </p>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>{t('common:action.cancel')}</Button>
        <Button variant="danger" onClick={remove} isBusy={change.isPending}>
          {t('remove.action')}
        </Button>
      </div>
    </Dialog>
  )
}
