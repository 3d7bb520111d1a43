import { type FormEvent, type ReactNode, useState } from 'react'
import type { SecondFactorsWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay, formatRelativeTime, pluralize } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { canUsePasskeys, createPasskey, type PasskeyChallenge } from '../sign-in/passkeys.ts'

type Open =
  | { kind: 'app' | 'passkey' | 'codes' | 'remove app' }
  | { kind: 'scan'; secret: string; picture: string }
  | { kind: 'remove passkey'; id: string; name: string }
  | { kind: 'shown'; codes: string[] }

type FactorCreated = { recovery_codes: string[] | null }

export function SecondFactorCard() {
  const query = useApiQuery<SecondFactorsWire>('/account/second-factor')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const made = ({ recovery_codes }: FactorCreated) =>
    setOpen(recovery_codes ? { kind: 'shown', codes: recovery_codes } : undefined)
  return (
    <Card
      title="Two-factor authentication"
      note="Required after your password. A passkey can also replace the password."
    >
      <QueryView query={query}>{(mine) => <FactorList mine={mine} open={setOpen} />}</QueryView>
      {open?.kind === 'app' ? (
        <PasswordDialog title="Add an authenticator app" action="Continue" close={close} run={startAppSetup(setOpen)} />
      ) : null}
      {open?.kind === 'scan' ? (
        <ScanDialog secret={open.secret} picture={open.picture} close={close} made={made} />
      ) : null}
      {open?.kind === 'passkey' ? <PasskeyDialog close={close} made={made} /> : null}
      {open?.kind === 'codes' ? (
        <PasswordDialog
          title="New recovery codes"
          action="Create new codes"
          close={close}
          run={async (password) => made((await apiPost<FactorCreated>('/account/recovery-codes', { password })).data)}
        >
          <p>Your current codes stop working.</p>
        </PasswordDialog>
      ) : null}
      {open?.kind === 'remove app' ? (
        <PasswordDialog
          title="Remove the authenticator app?"
          action="Remove"
          close={close}
          run={async (password) => {
            await apiPost('/account/totp/remove', { password })
            close()
          }}
        />
      ) : null}
      {open?.kind === 'remove passkey' ? (
        <PasswordDialog
          title={`Remove the passkey “${open.name}”?`}
          action="Remove"
          close={close}
          run={async (password) => {
            await apiPost('/account/passkeys/remove', { id: open.id, password })
            close()
          }}
        />
      ) : null}
      {open?.kind === 'shown' ? <CodesDialog codes={open.codes} close={close} /> : null}
    </Card>
  )
}

function FactorList({ mine, open }: { mine: SecondFactorsWire; open: (what: Open) => void }) {
  const session = useSession()
  const hasAny = mine.totp || mine.passkeys.length > 0
  const mayPasskey = mine.passkey_host !== null && canUsePasskeys()
  return (
    <>
      {session.second_factor.required && !hasAny ? (
        <p className="problem" role="alert">
          {session.organization?.name ?? 'Your organization'} requires two-factor authentication. Set it up to continue.
        </p>
      ) : null}
      <ul className="plain-list">
        <li>
          <span>
            <strong>Authenticator app</strong>{' '}
            {mine.totp ? (
              <Badge tone="good">On</Badge>
            ) : (
              <span className="muted block">A six-digit code that changes every 30 seconds.</span>
            )}
          </span>
          {mine.totp ? (
            <Button onClick={() => open({ kind: 'remove app' })}>
              Remove<span className="visually-hidden"> the app</span>
            </Button>
          ) : (
            <Button onClick={() => open({ kind: 'app' })}>
              Add<span className="visually-hidden"> an app</span>
            </Button>
          )}
        </li>
        {mine.passkeys.map(({ id, name, created_at, last_used_at }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong> <Badge tone="good">Passkey</Badge>
              <span className="muted block">
                Added {formatDay(created_at)}, last used {formatRelativeTime(last_used_at)}
              </span>
            </span>
            <Button onClick={() => open({ kind: 'remove passkey', id, name })}>
              Remove<span className="visually-hidden"> {name}</span>
            </Button>
          </li>
        ))}
        <li>
          <span>
            <strong>{mine.passkeys.length > 0 ? 'Another passkey' : 'Passkey'}</strong>
            <span className="muted block">
              {mayPasskey
                ? 'Fingerprint, face, PIN or security key. Resistant to phishing.'
                : 'Needs a host name: open this page at localhost, or set BASE_URL to the name of the service.'}
            </span>
          </span>
          <Button disabled={!mayPasskey} onClick={() => open({ kind: 'passkey' })}>
            Add<span className="visually-hidden"> a passkey</span>
          </Button>
        </li>
        {hasAny ? (
          <li>
            <span>
              <strong>Recovery codes</strong>
              <span className="muted block">{pluralize(mine.recovery_codes_left, 'code')} left</span>
            </span>
            <Button onClick={() => open({ kind: 'codes' })}>Create new codes</Button>
          </li>
        ) : null}
      </ul>
    </>
  )
}

/** Draws the QR code locally, so that the secret never leaves the page. */
const startAppSetup = (open: (what: Open) => void) => async (password: string) => {
  const { data } = await apiPost<{ secret: string; address: string }>('/account/totp', { password })
  const { renderSVG } = await import('uqr')
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(data.address, { border: 2 }))}`
  open({ kind: 'scan', secret: data.secret, picture })
}

function PasswordDialog({
  title,
  action,
  close,
  run,
  children,
}: {
  title: string
  action: string
  close: () => void
  run: (password: string) => Promise<void>
  children?: ReactNode
}) {
  const [password, setPassword] = useState('')
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(() => run(password))
  }
  return (
    <Dialog title={title} onClose={close}>
      {children}
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onValueChange={setPassword}
        />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function ScanDialog({
  secret,
  picture,
  close,
  made,
}: {
  secret: string
  picture: string
  close: () => void
  made: (made: FactorCreated) => void
}) {
  const [code, setCode] = useState('')
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => made((await apiPost<FactorCreated>('/account/totp/confirm', { code })).data))
  }
  return (
    <Dialog title="Scan with your authenticator app" onClose={close}>
      <form className="stack" onSubmit={submit}>
        <img className="scan" src={picture} alt="QR code for your authenticator app" />
        <div className="secret">
          <code data-testid="totp-secret">{secret}</code>
          <CopyButton text={secret} label="secret" />
        </div>
        <TextField
          label="Code from the app"
          hint="Six digits."
          className="code-field"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onValueChange={setCode}
        />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            Turn on
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function PasskeyDialog({ close, made }: { close: () => void; made: (made: FactorCreated) => void }) {
  const [name, setName] = useState('')
  const run = async (password: string) => {
    const { data } = await apiPost<PasskeyChallenge>('/account/passkeys/question', { password })
    const response = await createPasskey(data.question)
    made(
      (
        await apiPost<FactorCreated>('/account/passkeys', {
          token: data.token,
          name: name.trim() || 'Passkey',
          response,
        })
      ).data,
    )
  }
  return (
    <PasswordDialog title="Add a passkey" action="Create passkey" close={close} run={run}>
      <Field label="Name" hint="For example “Phone”.">
        {(props) => <input {...props} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
    </PasswordDialog>
  )
}

function CodesDialog({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <Dialog title="Save your recovery codes" onClose={close} isPersistent>
      <p>Each code signs you in once if you lose your other factors. They won’t be shown again.</p>
      <ul className="codes" data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} label="codes" />
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
