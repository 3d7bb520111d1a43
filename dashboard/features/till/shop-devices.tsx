import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleIncludes } from '../../../src/contract/account-limits.ts'
import { callApi } from '../../api.ts'
import { formatRelativeTime } from '../../format.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ApiButton, ApiForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

/** For whom a one-time code is made: a clerk on a tablet of the shop by default, or the person alone on a phone of their own. */
export function useCodeOwner() {
  const { t } = useTranslation(['till', 'common'])
  const { person, role } = useSession()
  const people = useOperation('GET /account/people', {}).data?.data ?? []
  const mayLink = people.filter(
    (other) =>
      other.id !== person.id &&
      (role === 'owner' ? other.role !== 'owner' : roleIncludes(role, 'manager') && other.role === 'clerk'),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const [device, setDevice] = useState('')
  // The owner is never chosen silently.
  const accountId = chosen ?? mayLink.find((other) => other.role === 'clerk')?.id ?? mayLink[0]?.id ?? person.id
  const isOwn = accountId === person.id
  const fields = (
    <>
      <SelectField
        label={t('codeFor')}
        hint={isOwn ? t('codeForSelf') : t('codeForHint')}
        value={accountId}
        options={[
          ...mayLink.map(
            (other) =>
              [
                other.id,
                t('personWithRole', { name: other.name || other.email, role: t(`common:role.${other.role}`) }),
              ] as const,
          ),
          [person.id, t('ownPhone', { name: person.name || person.email, role: t(`common:role.${role}`) })] as const,
        ]}
        onValueChange={setChosen}
      />
      {isOwn ? null : (
        <TextField
          label={t('deviceName')}
          placeholder={t('deviceNameDefault')}
          maxLength={60}
          value={device}
          onValueChange={setDevice}
        />
      )}
    </>
  )
  const makeToken = async () => {
    const shop_device = isOwn ? null : device.trim() || t('deviceNameDefault')
    return (await callApi('POST /account/sessions', { body: { account_id: accountId, shop_device } })).data.token
  }
  return { fields, makeToken, key: `${accountId} ${device}` }
}

/** Devices that are signed in for the shop, with the person who is there, and when they ask who it is. */
export function ShopDevices() {
  const { t } = useTranslation('till')
  const isOwner = useHasRole('owner')
  const devices = useOperation('GET /account/shop-devices', isOwner ? {} : null).data?.data ?? []
  const ending = useApiMutation()
  if (!isOwner) return null
  return (
    <Card title={t('devices')} note={t('devicesNote')}>
      <ErrorMessage error={ending.error} />
      {devices.length > 0 ? (
        <DataTable
          label={t('devices')}
          rows={devices}
          rowKey={({ id }) => id}
          columns={[
            { title: t('deviceName'), isRowName: true, cell: ({ name }) => name },
            { title: t('person'), cell: ({ person }) => person },
            { title: t('lastUse'), cell: ({ seen_at: at }) => formatRelativeTime(at) },
          ]}
          actions={({ id, name }) => (
            <ApiButton
              aria-label={t('endDevice', { name })}
              send={() => callApi('DELETE /account/shop-devices/{id}', { params: { id } })}
            >
              {t('end')}
            </ApiButton>
          )}
        />
      ) : (
        <p className="muted">{t('noDevices')}</p>
      )}
      <IdleForm />
    </Card>
  )
}

function IdleForm() {
  const { t } = useTranslation(['till', 'common'])
  const { organization } = useSession()
  const [minutes, setMinutes] = useState(String(organization.till_idle_minutes ?? ''))
  return (
    <ApiForm
      action={t('common:action.save')}
      saved={t('common:saved')}
      send={async () => {
        const till_idle_minutes = minutes.trim() === '' ? null : Number(minutes)
        await callApi('PATCH /api/manage/settings', { body: { till_idle_minutes } })
      }}
    >
      <TextField
        label={t('idle')}
        hint={t('idleHint')}
        type="number"
        min={1}
        max={480}
        value={minutes}
        onValueChange={setMinutes}
      />
    </ApiForm>
  )
}
