import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { MAX_KEY_LIMIT } from '../../../src/contract/account-limits.ts'
import type { KeyWire } from '../../../src/contract/api-keys.ts'
import { KEY_RIGHTS, type KeyRight, TIERS } from '../../../src/contract/tiers.ts'
import { dayOf } from '../../../src/lib/time.ts'
import { callApi } from '../../api.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { TierBadge } from '../../ui/badge.tsx'
import { CopyableText } from '../../ui/copy-button.tsx'
import { type ErrorAt, FormDialog, OnceDialog } from '../../ui/dialog.tsx'
import { bindFields, Choice, Field, SelectField, TextField, toggle } from '../../ui/field.tsx'

type NewSecret = { readonly secret: string; readonly name: string }

export type KeyDialog =
  | { kind: 'create' }
  | { kind: 'change' | 'rotate' | 'revoke'; key: KeyWire }
  | ({ kind: 'secret' } & NewSecret)

type DialogProps = { close: () => void }
type SecretDialogProps = DialogProps & { show: (secret: NewSecret) => void }
type KeyProps = { apiKey: KeyWire }

export function CreateKeyDialog({ close, show }: SecretDialogProps) {
  const { t } = useTranslation('keys')
  const session = useSession()
  const mayPaid = useHasTier('paid')
  const mayEnterprise = useHasTier('enterprise')
  const allowed = TIERS.filter((tier) => tier === 'public' || (tier === 'paid' ? mayPaid : mayEnterprise))
  const [name, setName] = useState('')
  const [tier, setTier] = useState<(typeof TIERS)[number]>(allowed[0] ?? 'public')
  const [rights, setRights] = useState<KeyRight[]>([])
  const [expires, setExpires] = useState('')
  const [limits, setLimits] = useState<KeyLimits>({ limit: '', addresses: '' })
  const send = () =>
    callApi('POST /api/manage/keys', {
      body: { name, tier, rights, expires_on: expires || null, ...toKeyLimitsRequest(limits) },
    })
  // Rights that concern other organizations are given by the operator alone.
  const grantable = KEY_RIGHTS.filter((right) => right === 'manage' || session.runs_service)
  return (
    <FormDialog
      title={t('new')}
      action={t('create.action')}
      send={send}
      onSent={({ data }) => show({ secret: data.secret ?? '', name })}
      close={close}
    >
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
              <Choice
                key={option}
                type="radio"
                name="tier"
                checked={tier === option}
                onChange={() => setTier(option)}
                title={<TierBadge tier={option} />}
                hint={[
                  t(`tier.${option}`),
                  t('create.perMinute', { count: session.organization?.limits[option] ?? 0 }),
                ].join(' ')}
              />
            ))}
          </fieldset>
          <fieldset className="choices">
            <legend>{t('create.rights')}</legend>
            {grantable.map((right) => (
              <Choice
                key={right}
                type="checkbox"
                checked={rights.includes(right)}
                onChange={() => setRights(toggle(rights, right))}
                title={t(`right.${right}`)}
                hint={t(`rightHint.${right}`)}
              />
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
            <KeyLimitFields limits={limits} change={setLimits} errorAt={errorAt} />
          </details>
        </>
      )}
    </FormDialog>
  )
}

export function KeySecretDialog({ secret, name, close }: DialogProps & NewSecret) {
  const { t } = useTranslation('keys')
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

export function RotateKeyDialog({ apiKey: { id, name }, close, show }: SecretDialogProps & KeyProps) {
  const { t } = useTranslation('keys')
  const [days, setDays] = useState('7')
  return (
    <FormDialog
      title={t('rotate.named', { name })}
      action={t('rotate.button')}
      send={() =>
        callApi('POST /api/manage/keys/{id}/rotate', { params: { id }, body: { overlap_days: Number(days) } })
      }
      onSent={({ data }) => show({ secret: data.secret ?? '', name })}
      close={close}
    >
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

export function RevokeKeyDialog({ apiKey, close }: DialogProps & KeyProps) {
  const { t } = useTranslation('keys')
  return (
    <FormDialog
      title={t('revoke.title', { name: apiKey.name })}
      action={t('revoke.action')}
      isDangerous
      send={() => callApi('DELETE /api/manage/keys/{id}', { params: { id: apiKey.id } })}
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
  limits,
  change,
  errorAt,
}: {
  limits: KeyLimits
  change: (limits: KeyLimits) => void
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
        {...bindFields(limits, change)('limit')}
      />
      <Field label={t('limits.addresses')} hint={t('limits.addressesHint')} error={errorAt('allowed_addresses')}>
        {(props) => (
          <textarea
            {...props}
            className="list-field"
            rows={3}
            spellCheck={false}
            value={limits.addresses}
            onChange={(event) => change({ ...limits, addresses: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}

export function EditKeyDialog({ apiKey, close }: DialogProps & KeyProps) {
  const { t } = useTranslation(['keys', 'common'])
  const [name, setName] = useState(apiKey.name)
  const [limits, setLimits] = useState<KeyLimits>({
    limit: apiKey.limit_per_minute === null ? '' : String(apiKey.limit_per_minute),
    addresses: apiKey.allowed_addresses.join('\n'),
  })
  return (
    <FormDialog
      title={t('edit.title', { name: apiKey.name })}
      action={t('common:action.save')}
      send={() =>
        callApi('PATCH /api/manage/keys/{id}', {
          params: { id: apiKey.id },
          body: { name, ...toKeyLimitsRequest(limits) },
        })
      }
      close={close}
    >
      {(errorAt) => (
        <>
          <TextField label={t('column.name')} required maxLength={100} value={name} onValueChange={setName} />
          <KeyLimitFields limits={limits} change={setLimits} errorAt={errorAt} />
        </>
      )}
    </FormDialog>
  )
}
