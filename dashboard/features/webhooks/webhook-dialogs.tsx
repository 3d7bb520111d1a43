import { type FormEvent, useState } from 'react'
import type { WebhookWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button, CopyButton, Dialog, ErrorMessage, TextField } from '../../ui/basics.tsx'

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
    <Dialog title="New webhook" close={close}>
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
          <Button variant="main" type="submit" isBusy={change.isPending}>
            Add webhook
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function WebhookSecretDialog({ secret, close }: { secret: string; close: () => void }) {
  return (
    <Dialog title="Webhook secret" close={close} stays>
      <p>Signs all deliveries. Copy it now. It won’t be shown again.</p>
      <div className="secret">
        <code data-testid="webhook-secret">{secret}</code>
        <CopyButton text={secret} what="secret" />
      </div>
      <div className="dialog-actions">
        <Button variant="main" onClick={close}>
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
    <Dialog title="Remove webhook?" close={close}>
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
