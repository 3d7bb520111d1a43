import { type FormEvent, useState } from 'react'
import type { WebhookWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

export function NewWebhookDialog({ close, done }: { close: () => void; done: (secret: string) => void }) {
  const [url, setUrl] = useState('')
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      const { data } = await apiPost<{ secret: string }>('/account/webhooks', { url, types: [] })
      close()
      done(data.secret)
    })
  }
  const isAddress = change.error?.field === 'url'
  return (
    <Dialog title="New webhook" onClose={close}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="URL"
          hint="An https URL that receives all events."
          error={isAddress ? change.error?.message : undefined}
          type="url"
          required
          maxLength={1000}
          value={url}
          onValueChange={setUrl}
        />
        {change.error && !isAddress ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            Add webhook
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function WebhookSecretDialog({ secret, close }: { secret: string; close: () => void }) {
  return (
    <Dialog title="Webhook secret" onClose={close} isPersistent>
      <p>Signs all deliveries. Copy it now. It won’t be shown again.</p>
      <div className="secret">
        <code data-testid="webhook-secret">{secret}</code>
        <CopyButton text={secret} label="secret" />
      </div>
      <div className="dialog-actions">
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

export function RemoveWebhookDialog({ webhook, close }: { webhook: WebhookWire; close: () => void }) {
  const change = useApiMutation()
  const remove = () =>
    change.mutate(async () => {
      await apiPost('/account/webhooks/remove', { id: webhook.id })
      close()
    })
  return (
    <Dialog title="Remove webhook?" onClose={close}>
      <p>
        No more events are sent to <code>{webhook.url}</code> and its delivery history is deleted. The events are kept.
      </p>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button variant="danger" onClick={remove} isBusy={change.isPending}>
          Remove webhook
        </Button>
      </div>
    </Dialog>
  )
}
