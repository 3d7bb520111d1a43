import { type FormEvent, useState } from 'react'
import { MAX_KEY_LIMIT } from '../../../src/contract/account-limits.ts'
import type { KeyWire } from '../../../src/contract/dashboard.ts'
import { TIERS } from '../../../src/contract/tiers.ts'
import { dayOf } from '../../../src/lib/time.ts'
import { apiPost, type RequestError } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { TierBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

export type KeyDialog =
  | { kind: 'create' }
  | { kind: 'change' | 'rotate' | 'revoke'; key: KeyWire }
  | { kind: 'secret'; secret: string; name: string }

type KeyDialogProps = { close: () => void; done: (next?: KeyDialog) => void }

export function CreateKeyDialog({ close, done }: KeyDialogProps) {
  const session = useSession()
  const mayPaid = useHasTier('paid')
  const mayEnterprise = useHasTier('enterprise')
  const allowed = TIERS.filter((tier) => tier === 'public' || (tier === 'paid' ? mayPaid : mayEnterprise))
  const [name, setName] = useState('')
  const [tier, setTier] = useState<(typeof TIERS)[number]>(allowed[0] ?? 'public')
  const [expires, setExpires] = useState('')
  const [bounds, setBounds] = useState<KeyLimits>({ limit: '', addresses: '' })
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      const body = { name, tier, expires_on: expires || null, ...toKeyLimitsRequest(bounds) }
      const { data } = await apiPost<{ secret: string }>('/account/keys', body)
      done({ kind: 'secret', secret: data.secret, name })
    })
  }
  const errorAt = (field: string) => (change.error?.field === field ? change.error.message : undefined)
  return (
    <Dialog title="New key" onClose={close}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          hint="Where it will be used, for example “Shop, production”."
          error={errorAt('name')}
          required
          maxLength={100}
          value={name}
          onValueChange={setName}
        />
        <fieldset className="choices">
          <legend>Tier</legend>
          {allowed.map((one) => (
            <label key={one} className="choice">
              <input type="radio" name="tier" checked={tier === one} onChange={() => setTier(one)} />
              <span>
                <TierBadge tier={one} />
                <span className="muted">
                  {TIER_TEXTS[one]} {formatCount(session.organization?.limits[one] ?? 0)} requests per minute.
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <TextField
          label="Expires"
          hint="Optional. The key works until the end of that day (UTC)."
          error={errorAt('expires_on')}
          type="date"
          min={dayOf(Date.now())}
          value={expires}
          onValueChange={setExpires}
        />
        <details>
          <summary>Rate limit and IP addresses</summary>
          <KeyLimitFields bounds={bounds} set={setBounds} error={change.error} />
        </details>
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const TIER_TEXTS: Readonly<Record<(typeof TIERS)[number], string>> = {
  public: 'Devices and variants.',
  paid: 'Also prices and repairs.',
  enterprise: 'Also identifier checks.',
}

export function KeySecretDialog({ secret, name, close }: { secret: string; name: string; close: () => void }) {
  const session = useSession()
  const call = `curl -H 'Authorization: Bearer ${secret}' '${session.base_url}/api/devices?limit=1'`
  return (
    <Dialog title="Key created" onClose={close} isPersistent>
      <p>
        Copy <strong>{name}</strong> now. It won’t be shown again.
      </p>
      <div className="secret">
        <code data-testid="secret">{secret}</code>
        <CopyButton text={secret} label="key" />
      </div>
      <p className="muted">Try it:</p>
      <div className="secret">
        <code>{call}</code>
        <CopyButton text={call} label="call" />
      </div>
      <div className="dialog-actions">
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

export function RotateKeyDialog({ apiKey, close, done }: KeyDialogProps & { apiKey: KeyWire }) {
  const [days, setDays] = useState('7')
  const change = useApiMutation()
  const rotate = () =>
    change.mutate(async () => {
      const body = { id: apiKey.id, overlap_days: Number(days) }
      const { data } = await apiPost<{ secret: string }>('/account/keys/rotate', body)
      done({ kind: 'secret', secret: data.secret, name: apiKey.name })
    })
  return (
    <Dialog title={`Rotate ${apiKey.name}`} onClose={close}>
      <p>Creates a new key of the same tier. The old key keeps working for the time you choose.</p>
      <Field label="Old key expires">
        {(props) => (
          <select {...props} value={days} onChange={(event) => setDays(event.target.value)}>
            <option value="0">Immediately</option>
            <option value="1">In 1 day</option>
            <option value="7">In 7 days</option>
            <option value="30">In 30 days</option>
          </select>
        )}
      </Field>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button variant="primary" isBusy={change.isPending} onClick={rotate}>
          Rotate
        </Button>
      </div>
    </Dialog>
  )
}

export function RevokeKeyDialog({ apiKey, close, done }: KeyDialogProps & { apiKey: KeyWire }) {
  const change = useApiMutation()
  const revoke = () =>
    change.mutate(async () => {
      await apiPost('/account/keys/revoke', { id: apiKey.id })
      done()
    })
  return (
    <Dialog title={`Revoke ${apiKey.name}?`} onClose={close}>
      <p>
        Requests with <code>{`${apiKey.prefix}…${apiKey.last_four}`}</code> are rejected within a second. You cannot
        undo this.
      </p>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button variant="danger" isBusy={change.isPending} onClick={revoke}>
          Revoke key
        </Button>
      </div>
    </Dialog>
  )
}

type KeyLimits = { limit: string; addresses: string }

function toKeyLimitsRequest({ limit, addresses }: KeyLimits) {
  return {
    limit_per_minute: limit === '' ? null : Number(limit),
    allowed_addresses: addresses.split(/[\s,]+/).filter(Boolean),
  }
}

function KeyLimitFields({
  bounds,
  set,
  error,
}: {
  bounds: KeyLimits
  set: (next: KeyLimits) => void
  error: RequestError | null
}) {
  const errorAt = (field: string) => (error?.field?.startsWith(field) ? error.message : undefined)
  return (
    <div className="stack">
      <TextField
        label="Requests per minute"
        hint="Optional. Cannot exceed the limit of the tier."
        error={errorAt('limit_per_minute')}
        type="number"
        min={1}
        max={MAX_KEY_LIMIT}
        value={bounds.limit}
        onValueChange={(text) => set({ ...bounds, limit: text })}
      />
      <Field
        label="Allowed IP addresses"
        hint="Optional. Addresses or networks, such as 203.0.113.7 or 10.0.0.0/8, one per line. Other addresses are rejected."
        error={errorAt('allowed_addresses')}
      >
        {(props) => (
          <textarea
            {...props}
            rows={3}
            spellCheck={false}
            value={bounds.addresses}
            onChange={(event) => set({ ...bounds, addresses: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}

export function EditKeyDialog({ apiKey, close, done }: KeyDialogProps & { apiKey: KeyWire }) {
  const [name, setName] = useState(apiKey.name)
  const [bounds, setBounds] = useState<KeyLimits>({
    limit: apiKey.limit_per_minute === null ? '' : String(apiKey.limit_per_minute),
    addresses: apiKey.allowed_addresses.join('\n'),
  })
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      await apiPost('/account/keys/change', { id: apiKey.id, name, ...toKeyLimitsRequest(bounds) })
      done()
    })
  }
  return (
    <Dialog title={`Change ${apiKey.name}`} onClose={close}>
      <form className="stack" onSubmit={submit}>
        <TextField label="Name" required maxLength={100} value={name} onValueChange={setName} />
        <KeyLimitFields bounds={bounds} set={setBounds} error={change.error} />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
