import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyWire } from '../../../src/contract/api-keys.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, TierBadge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { actorName } from '../activity/describe-activity.ts'
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
  const query = useOperation('GET /api/manage/keys', {})
  const isOwner = useSession().role === 'owner'
  const [open, setOpen] = useState<KeyDialog>()
  const close = () => setOpen(undefined)
  const show = (secret: { secret: string; name: string }) => setOpen({ kind: 'secret', ...secret })
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
          {(keys) => <KeysTable keys={keys} open={isOwner ? setOpen : null} />}
        </QueryView>
      </Card>
      {open?.kind === 'create' ? <CreateKeyDialog close={close} show={show} /> : null}
      {open?.kind === 'change' ? <EditKeyDialog apiKey={open.key} close={close} /> : null}
      {open?.kind === 'rotate' ? <RotateKeyDialog apiKey={open.key} close={close} show={show} /> : null}
      {open?.kind === 'revoke' ? <RevokeKeyDialog apiKey={open.key} close={close} /> : null}
      {open?.kind === 'secret' ? <KeySecretDialog secret={open.secret} name={open.name} close={close} /> : null}
    </>
  )
}

const isLive = ({ state }: KeyWire) => state === 'active' || state === 'ending'

/** `open` is null for people who may not change keys. */
function KeysTable({ keys, open }: { keys: readonly KeyWire[]; open: ((dialog: KeyDialog) => void) | null }) {
  const { t } = useTranslation('keys')
  return (
    <DataTable
      label={t('title')}
      rows={keys}
      rowKey={(key) => key.id}
      isMuted={(key) => !isLive(key)}
      columns={[
        {
          title: t('column.name'),
          isRowName: true,
          cell: ({ id, name }) => (
            <>
              <strong>{name}</strong>
              <div className="muted">{id}</div>
            </>
          ),
        },
        {
          title: t('column.key'),
          cell: ({ tier, prefix, last_four: lastFour, rights }) => (
            <>
              <span>
                <TierBadge tier={tier} />{' '}
                <code className="nowrap">
                  {prefix}…{lastFour}
                </code>
              </span>
              {rights.map((right) => (
                <div key={right} className="muted" title={t(`rightHint.${right}`)}>
                  {t(`right.${right}`)}
                </div>
              ))}
            </>
          ),
        },
        {
          title: t('column.status'),
          cell: (key) => (
            <>
              <Badge tone={STATE_TONES[key.state]}>{t(`state.${key.state}`)}</Badge>
              {isLive(key) && key.expires_at ? (
                <div className="muted">{t('until', { day: formatDay(key.expires_at) })}</div>
              ) : null}
              {key.state === 'revoked' ? <div className="muted">{formatDay(key.revoked_at)}</div> : null}
            </>
          ),
        },
        { title: t('column.limits'), cell: (key) => <KeyLimits apiKey={key} /> },
        {
          title: t('column.used'),
          cell: ({ last_used_at: at }) => <span title={formatTime(at)}>{formatRelativeTime(at)}</span>,
        },
        {
          title: t('column.created'),
          cell: ({ created_at: at, created_by: by }) => (
            <>
              <div className="nowrap">{formatDay(at)}</div>
              <div className="muted breakable">{actorName({ who: by ?? 'command line', who_name: null })}</div>
            </>
          ),
        },
      ]}
      actions={
        open
          ? (key) =>
              isLive(key) ? (
                <>
                  <Button
                    aria-label={t('edit.named', { name: key.name })}
                    onClick={() => open({ kind: 'change', key })}
                  >
                    {t('edit.button')}
                  </Button>
                  <Button
                    aria-label={t('rotate.named', { name: key.name })}
                    onClick={() => open({ kind: 'rotate', key })}
                  >
                    {t('rotate.button')}
                  </Button>
                  <Button
                    variant="danger"
                    aria-label={t('revoke.named', { name: key.name })}
                    onClick={() => open({ kind: 'revoke', key })}
                  >
                    {t('revoke.button')}
                  </Button>
                </>
              ) : null
          : undefined
      }
    />
  )
}

function KeyLimits({ apiKey: { limit_per_minute: limit, allowed_addresses: addresses } }: { apiKey: KeyWire }) {
  const { t } = useTranslation('keys')
  const [address] = addresses
  if (limit === null && address === undefined) return <span className="muted nowrap">{t('tierDefault')}</span>
  return (
    <>
      {limit === null ? null : <div>{t('perMinute', { limit })}</div>}
      {address === undefined ? null : (
        <div title={addresses.join(', ')}>
          {addresses.length > 1 ? t('fromMore', { address, count: addresses.length - 1 }) : t('from', { address })}
        </div>
      )}
    </>
  )
}
