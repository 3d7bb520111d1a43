import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactorsWire } from '../../../src/contract/account.ts'
import { callApi } from '../../api.ts'
import { formatDay, formatRelativeTime } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyableText, CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { QueryView } from '../../ui/states.tsx'
import { canUsePasskeys, createPasskey } from '../sign-in/passkeys.ts'

type Open =
  | { kind: 'app' | 'passkey' | 'codes' | 'remove app' }
  | { kind: 'scan'; secret: string; picture: string }
  | { kind: 'remove passkey'; id: string; name: string }
  | { kind: 'shown'; codes: string[] }

type FactorCreated = { data: { recovery_codes: string[] | null } }

export function SecondFactorCard() {
  const { t } = useTranslation(['account', 'common'])
  const query = useOperation('GET /account/second-factor', {})
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const showCodes = ({ data: { recovery_codes: codes } }: FactorCreated) =>
    setOpen(codes ? { kind: 'shown', codes } : undefined)
  return (
    <Card title={t('factor.title')} note={t('factor.note')}>
      <QueryView query={query}>{(mine) => <FactorList mine={mine} open={setOpen} />}</QueryView>
      {open?.kind === 'app' ? (
        <PasswordDialog
          title={t('app.add')}
          action={t('factor.continue')}
          close={close}
          send={startAppSetup}
          onSent={setOpen}
        />
      ) : null}
      {open?.kind === 'scan' ? (
        <ScanDialog secret={open.secret} picture={open.picture} close={close} onSent={showCodes} />
      ) : null}
      {open?.kind === 'passkey' ? <PasskeyDialog close={close} onSent={showCodes} /> : null}
      {open?.kind === 'codes' ? (
        <PasswordDialog
          title={t('codes.new')}
          action={t('codes.create')}
          close={close}
          send={(password) => callApi('POST /account/second-factor', { body: { kind: 'recovery_codes', password } })}
          onSent={showCodes}
        >
          <p>{t('codes.warning')}</p>
        </PasswordDialog>
      ) : null}
      {open?.kind === 'remove app' ? (
        <PasswordDialog
          title={t('app.remove')}
          action={t('common:action.remove')}
          close={close}
          send={(password) => removeFactor('totp', password)}
        />
      ) : null}
      {open?.kind === 'remove passkey' ? (
        <PasswordDialog
          title={t('passkey.remove', { name: open.name })}
          action={t('common:action.remove')}
          close={close}
          send={(password) => removeFactor(open.id, password)}
        />
      ) : null}
      {open?.kind === 'shown' ? <CodesDialog codes={open.codes} close={close} /> : null}
    </Card>
  )
}

function FactorList({ mine, open }: { mine: SecondFactorsWire; open: (what: Open) => void }) {
  const { t } = useTranslation(['account', 'common'])
  const session = useSession()
  const organization = session.organization?.name
  const hasAny = mine.totp || mine.passkeys.length > 0
  const mayPasskey = mine.passkey_host !== null && canUsePasskeys()
  return (
    <>
      {session.second_factor.required && !hasAny ? (
        <p className="problem" role="alert">
          {organization ? t('factor.requiredBy', { organization }) : t('factor.required')}
        </p>
      ) : null}
      <ul className="plain-list">
        <li>
          <span>
            <strong>{t('app.name')}</strong>{' '}
            {mine.totp ? (
              <Badge tone="good">{t('factor.on')}</Badge>
            ) : (
              <span className="muted block">{t('app.hint')}</span>
            )}
          </span>
          {mine.totp ? (
            <Button aria-label={t('app.removeLabel')} onClick={() => open({ kind: 'remove app' })}>
              {t('common:action.remove')}
            </Button>
          ) : (
            <Button aria-label={t('app.addLabel')} onClick={() => open({ kind: 'app' })}>
              {t('factor.add')}
            </Button>
          )}
        </li>
        {mine.passkeys.map(({ id, name, created_at, last_used_at }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong> <Badge tone="good">{t('passkey.name')}</Badge>
              <span className="muted block">
                {t('passkey.used', { day: formatDay(created_at), when: formatRelativeTime(last_used_at) })}
              </span>
            </span>
            <Button
              aria-label={t('common:action.removeNamed', { name })}
              onClick={() => open({ kind: 'remove passkey', id, name })}
            >
              {t('common:action.remove')}
            </Button>
          </li>
        ))}
        <li>
          <span>
            <strong>{t(mine.passkeys.length > 0 ? 'passkey.another' : 'passkey.name')}</strong>
            <span className="muted block">{t(mayPasskey ? 'passkey.hint' : 'passkey.needsHost')}</span>
          </span>
          <Button aria-label={t('passkey.add')} disabled={!mayPasskey} onClick={() => open({ kind: 'passkey' })}>
            {t('factor.add')}
          </Button>
        </li>
        {hasAny ? (
          <li>
            <span>
              <strong>{t('codes.name')}</strong>
              <span className="muted block">{t('codes.left', { count: mine.recovery_codes_left })}</span>
            </span>
            <Button onClick={() => open({ kind: 'codes' })}>{t('codes.create')}</Button>
          </li>
        ) : null}
      </ul>
    </>
  )
}

/** `id` is `totp` or that of a passkey. */
const removeFactor = (id: string, password: string) =>
  callApi('DELETE /account/second-factor/{id}', { params: { id }, body: { password } })

/** Draws the QR code locally, so that the secret never leaves the page. */
async function startAppSetup(password: string): Promise<Open> {
  const { data } = await callApi('POST /account/second-factor', { body: { kind: 'totp', password } })
  const { secret = '', address = '' } = data.totp ?? {}
  const { renderSVG } = await import('uqr')
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(address, { border: 2 }))}`
  return { kind: 'scan', secret, picture }
}

function PasswordDialog<Result>({
  send,
  children,
  ...dialog
}: {
  title: string
  action: string
  close: () => void
  send: (password: string) => Promise<Result>
  onSent?: (result: Result) => void
  children?: ReactNode
}) {
  const { t } = useTranslation('account')
  const [password, setPassword] = useState('')
  return (
    <FormDialog {...dialog} send={() => send(password)}>
      {children}
      <PasswordField label={t('factor.yourPassword')} value={password} onValueChange={setPassword} />
    </FormDialog>
  )
}

type AddFactorProps = { close: () => void; onSent: (created: FactorCreated) => void }

function ScanDialog({ secret, picture, ...dialog }: AddFactorProps & { secret: string; picture: string }) {
  const { t } = useTranslation('account')
  const [code, setCode] = useState('')
  const send = () => callApi('POST /account/second-factor/confirm', { body: { code } })
  return (
    <FormDialog title={t('app.scan')} action={t('app.turnOn')} send={send} {...dialog}>
      <img className="scan" src={picture} alt={t('app.image')} />
      <CopyableText text={secret} label={t('app.secret')} testId="totp-secret" />
      <TextField
        label={t('app.code')}
        hint={t('app.codeHint')}
        className="code-field"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onValueChange={setCode}
      />
    </FormDialog>
  )
}

function PasskeyDialog(dialog: AddFactorProps) {
  const { t } = useTranslation('account')
  const [name, setName] = useState('')
  const send = async (password: string) => {
    const { data } = await callApi('POST /account/second-factor', { body: { kind: 'passkey', password } })
    const { token = '', options = {} } = data.passkey ?? {}
    const passkey = await createPasskey(options)
    const body = { token, name: name.trim() || t('passkey.name'), passkey }
    return callApi('POST /account/second-factor/confirm', { body })
  }
  return (
    <PasswordDialog title={t('passkey.add')} action={t('passkey.create')} send={send} {...dialog}>
      <TextField
        label={t('passkey.label')}
        hint={t('passkey.labelHint')}
        maxLength={100}
        value={name}
        onValueChange={setName}
      />
    </PasswordDialog>
  )
}

function CodesDialog({ codes, close }: { codes: string[]; close: () => void }) {
  const { t } = useTranslation(['account', 'common'])
  return (
    <Dialog title={t('codes.save')} onClose={close} isPersistent>
      <p>{t('codes.hint')}</p>
      <ul className="codes" data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} label={t('codes.label')} />
        <Button variant="primary" onClick={close}>
          {t('common:action.done')}
        </Button>
      </div>
    </Dialog>
  )
}
