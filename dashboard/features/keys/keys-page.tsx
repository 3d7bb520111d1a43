import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyWire } from '../../../src/contract/api-keys.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, TierBadge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import {
  CreateKeyDialog,
  EditKeyDialog,
  type KeyDialog,
  KeySecretDialog,
  RevokeKeyDialog,
  RotateKeyDialog,
} from './key-dialogs.tsx'

const STATE_TONES: Readonly<Record<KeyWire['state'], Tone>> = {
  active: 'good',
  ending: 'warn',
  expired: 'plain',
  revoked: 'bad',
  blocked: 'bad',
}

export function KeysPage() {
  const { t } = useTranslation('keys')
  const query = useApiQuery('/account/keys')
  const session = useSession()
  const [open, setOpen] = useState<KeyDialog>()
  const isOwner = session.role === 'owner'
  const close = () => setOpen(undefined)
  const done = (next?: KeyDialog) => {
    setOpen(next)
  }
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {isOwner ? (
          <Button variant="primary" onClick={() => setOpen({ kind: 'create' })}>
            {t('new')}
          </Button>
        ) : null}
      </PageHeader>
      <Card>
        <QueryView
          query={query}
          skeletonLines={5}
          empty={<EmptyState title={t('none')} hint={t(isOwner ? 'noneOwner' : 'noneOther')} />}
        >
          {(keys) => (
            <DataTable
              label={t('title')}
              head={[
                t('column.name'),
                t('column.key'),
                t('column.status'),
                t('column.limits'),
                t('column.used'),
                t('column.created'),
              ]}
              hasActions={isOwner}
            >
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} isOwner={isOwner} open={setOpen} />
              ))}
            </DataTable>
          )}
        </QueryView>
      </Card>
      {open?.kind === 'create' ? <CreateKeyDialog close={close} done={done} /> : null}
      {open?.kind === 'change' ? <EditKeyDialog apiKey={open.key} close={close} done={done} /> : null}
      {open?.kind === 'rotate' ? <RotateKeyDialog apiKey={open.key} close={close} done={done} /> : null}
      {open?.kind === 'revoke' ? <RevokeKeyDialog apiKey={open.key} close={close} done={done} /> : null}
      {open?.kind === 'secret' ? <KeySecretDialog secret={open.secret} name={open.name} close={close} /> : null}
    </>
  )
}

function KeyRow({ apiKey, isOwner, open }: { apiKey: KeyWire; isOwner: boolean; open: (what: KeyDialog) => void }) {
  const { t } = useTranslation('keys')
  const { name, limit_per_minute: limit, allowed_addresses: addresses } = apiKey
  const [address] = addresses
  const isLive = apiKey.state === 'active' || apiKey.state === 'ending'
  return (
    <tr className={isLive ? undefined : 'past'}>
      <td>
        <strong>{name}</strong>
        <div className="muted">{apiKey.id}</div>
      </td>
      <td data-label={t('column.key')}>
        <span>
          <TierBadge tier={apiKey.tier} />{' '}
          <code className="nowrap">
            {apiKey.prefix}…{apiKey.last_four}
          </code>
        </span>
        {apiKey.rights.map((right) => (
          <div key={right} className="muted" title={t(`rightHint.${right}`)}>
            {t(`right.${right}`)}
          </div>
        ))}
      </td>
      <td data-label={t('column.status')}>
        <Badge tone={STATE_TONES[apiKey.state]}>{t(`state.${apiKey.state}`)}</Badge>
        {isLive && apiKey.expires_at ? (
          <div className="muted">{t('until', { day: formatDay(apiKey.expires_at) })}</div>
        ) : null}
        {apiKey.state === 'revoked' ? <div className="muted">{formatDay(apiKey.revoked_at)}</div> : null}
      </td>
      <td data-label={t('column.limits')}>
        {limit === null ? null : <div>{t('perMinute', { limit })}</div>}
        {address === undefined ? null : (
          <div title={addresses.join(', ')}>
            {addresses.length > 1 ? t('fromMore', { address, count: addresses.length - 1 }) : t('from', { address })}
          </div>
        )}
        {limit === null && address === undefined ? <span className="muted nowrap">{t('tierDefault')}</span> : null}
      </td>
      <td data-label={t('column.used')} title={formatTime(apiKey.last_used_at)}>
        {formatRelativeTime(apiKey.last_used_at)}
      </td>
      <td data-label={t('column.created')}>
        <div className="nowrap">{formatDay(apiKey.created_at)}</div>
        <div className="muted ellipsis" title={apiKey.created_by ?? undefined}>
          {apiKey.created_by ?? t('commandLine')}
        </div>
      </td>
      {isOwner ? (
        <td className="row-actions">
          {isLive ? (
            <>
              <Button aria-label={t('edit.named', { name })} onClick={() => open({ kind: 'change', key: apiKey })}>
                {t('edit.button')}
              </Button>
              <Button aria-label={t('rotate.named', { name })} onClick={() => open({ kind: 'rotate', key: apiKey })}>
                {t('rotate.button')}
              </Button>
              <Button
                variant="danger"
                aria-label={t('revoke.named', { name })}
                onClick={() => open({ kind: 'revoke', key: apiKey })}
              >
                {t('revoke.button')}
              </Button>
            </>
          ) : null}
        </td>
      ) : null}
    </tr>
  )
}
