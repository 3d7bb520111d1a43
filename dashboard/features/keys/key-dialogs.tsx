import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { MAX_KEY_LIMIT } from '../../../src/contract/account-limits.ts'
import type { KeyWire } from '../../../src/contract/api-keys.ts'
import { KEY_RIGHTS, type KeyRight, TIERS } from '../../../src/contract/tiers.ts'
import { dayOf } from '../../../src/lib/time.ts'
import { apiPost } from '../../api.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { TierBadge } from '../../ui/badge.tsx'
import { CopyableText } from '../../ui/copy-button.tsx'
import { OnceDialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { type ErrorAt, FormDialog } from '../../ui/form-dialog.tsx'
import { SelectField } from '../../ui/select.tsx'

export type KeyDialog =
  | { kind: 'create' }
  | { kind: 'change' | 'rotate' | 'revoke'; key: KeyWire }
  | { kind: 'secret'; secret: string; name: string }

type KeyDialogProps = { close: () => void; done: (next?: KeyDialog) => void }

export function CreateKeyDialog({ close, done }: KeyDialogProps) {
  const { t } = useTranslation(['keys', 'common'])
  const session = useSession()
  const mayPaid = useHasTier('paid')
  const mayEnterprise = useHasTier('enterprise')
  const allowed = TIERS.filter((tier) => tier === 'public' || (tier === 'paid' ? mayPaid : mayEnterprise))
  const [name, setName] = useState('')
  const [tier, setTier] = useState<(typeof TIERS)[number]>(allowed[0] ?? 'public')
  const [rights, setRights] = useState<KeyRight[]>([])
  const [expires, setExpires] = useState('')
  const [bounds, setBounds] = useState<KeyLimits>({ limit: '', addresses: '' })
  const send = async () => {
    const body = { name, tier, rights, expires_on: expires || null, ...toKeyLimitsRequest(bounds) }
    const { data } = await apiPost('/account/keys', body)
    done({ kind: 'secret', secret: data.secret, name })
  }
  // Rights that concern other organizations are given by the operator alone.
  const grantable = KEY_RIGHTS.filter((right) => right === 'manage' || session.runs_service)
  const toggle = (right: KeyRight) =>
    setRights(rights.includes(right) ? rights.filter((each) => each !== right) : [...rights, right])
  return (
    <FormDialog title={t('new')} action={t('create.action')} send={send} close={close}>
      {(errorAt) => (
        <>
          <TextField
            label={t('column.name')}
            hint={t('create.nameHint')}
            error={errorAt('name')}
            required
            maxLength={100}
            value={name}
            onValueChange={setName}
          />
          <fieldset className="choices">
            <legend>{t('create.tier')}</legend>
            {allowed.map((option) => (
              <label key={option} className="choice">
                <input type="radio" name="tier" checked={tier === option} onChange={() => setTier(option)} />
                <span>
                  <TierBadge tier={option} />
                  <span className="muted">
                    {t(`tier.${option}`)} {t('create.perMinute', { count: session.organization?.limits[option] ?? 0 })}
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
          <fieldset className="choices">
            <legend>{t('create.rights')}</legend>
            {grantable.map((right) => (
              <label key={right} className="choice">
                <input type="checkbox" checked={rights.includes(right)} onChange={() => toggle(right)} />
                <span>
                  <strong>{t(`right.${right}`)}</strong> <span className="muted">{t(`rightHint.${right}`)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <TextField
            label={t('create.expires')}
            hint={t('create.expiresHint')}
            error={errorAt('expires_on')}
            type="date"
            min={dayOf(Date.now())}
            value={expires}
            onValueChange={setExpires}
          />
          <details>
            <summary>{t('create.limits')}</summary>
            <KeyLimitFields bounds={bounds} set={setBounds} errorAt={errorAt} />
          </details>
        </>
      )}
    </FormDialog>
  )
}

export function KeySecretDialog({ secret, name, close }: { secret: string; name: string; close: () => void }) {
  const { t } = useTranslation(['keys', 'common'])
  const session = useSession()
  const call = `curl -H 'Authorization: Bearer ${secret}' '${session.base_url}/api/devices?limit=1'`
  return (
    <OnceDialog title={t('secret.title')} close={close}>
      <p>
        <Trans t={t} i18nKey="secret.hint" values={{ name }} components={{ strong: <strong /> }} />
      </p>
      <CopyableText text={secret} label={t('secret.key')} testId="secret" />
      <p className="muted">{t('secret.try')}</p>
      <CopyableText text={call} label={t('secret.call')} />
    </OnceDialog>
  )
}

export function RotateKeyDialog({ apiKey, close, done }: KeyDialogProps & { apiKey: KeyWire }) {
  const { t } = useTranslation(['keys', 'common'])
  const [days, setDays] = useState('7')
  const send = async () => {
    const { data } = await apiPost('/account/keys/rotate', { id: apiKey.id, overlap_days: Number(days) })
    done({ kind: 'secret', secret: data.secret, name: apiKey.name })
  }
  return (
    <FormDialog title={t('rotate.named', { name: apiKey.name })} action={t('rotate.button')} send={send} close={close}>
      <p>{t('rotate.hint')}</p>
      <SelectField
        label={t('rotate.oldExpires')}
        value={days}
        options={[
          ['0', t('rotate.now')],
          ...[1, 7, 30].map((count) => [String(count), t('rotate.inDays', { count })] as const),
        ]}
        onValueChange={setDays}
      />
    </FormDialog>
  )
}

export function RevokeKeyDialog({ apiKey, close, done }: KeyDialogProps & { apiKey: KeyWire }) {
  const { t } = useTranslation(['keys', 'common'])
  const send = async () => {
    await apiPost('/account/keys/revoke', { id: apiKey.id })
    done()
  }
  return (
    <FormDialog
      title={t('revoke.title', { name: apiKey.name })}
      action={t('revoke.action')}
      isDangerous
      send={send}
      close={close}
    >
      <p>
        <Trans
          t={t}
          i18nKey="revoke.hint"
          values={{ key: `${apiKey.prefix}…${apiKey.last_four}` }}
          components={{ code: <code /> }}
        />
      </p>
    </FormDialog>
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
  errorAt,
}: {
  bounds: KeyLimits
  set: (next: KeyLimits) => void
  errorAt: ErrorAt
}) {
  const { t } = useTranslation('keys')
  return (
    <div className="stack">
      <TextField
        label={t('limits.rate')}
        hint={t('limits.rateHint')}
        error={errorAt('limit_per_minute')}
        type="number"
        min={1}
        max={MAX_KEY_LIMIT}
        value={bounds.limit}
        onValueChange={(text) => set({ ...bounds, limit: text })}
      />
      <Field label={t('limits.addresses')} hint={t('limits.addressesHint')} error={errorAt('allowed_addresses')}>
        {(props) => (
          <textarea
            {...props}
            className="list-field"
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
  const { t } = useTranslation(['keys', 'common'])
  const [name, setName] = useState(apiKey.name)
  const [bounds, setBounds] = useState<KeyLimits>({
    limit: apiKey.limit_per_minute === null ? '' : String(apiKey.limit_per_minute),
    addresses: apiKey.allowed_addresses.join('\n'),
  })
  const send = async () => {
    await apiPost('/account/keys/change', { id: apiKey.id, name, ...toKeyLimitsRequest(bounds) })
    done()
  }
  return (
    <FormDialog
      title={t('edit.title', { name: apiKey.name })}
      action={t('common:action.save')}
      send={send}
      close={close}
    >
      {(errorAt) => (
        <>
          <TextField label={t('column.name')} required maxLength={100} value={name} onValueChange={setName} />
          <KeyLimitFields bounds={bounds} set={setBounds} errorAt={errorAt} />
        </>
      )}
    </FormDialog>
  )
}
