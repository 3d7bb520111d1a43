import { useState } from 'react'
import type { KeyWire } from '../../../src/contract/dashboard.ts'
import { formatCount, formatDay, formatRelativeTime, formatTime } from '../../format.ts'
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

const STATES: Readonly<Record<KeyWire['state'], { tone: Tone; word: string }>> = {
  active: { tone: 'good', word: 'Active' },
  ending: { tone: 'warn', word: 'Expires soon' },
  expired: { tone: 'plain', word: 'Expired' },
  revoked: { tone: 'bad', word: 'Revoked' },
  blocked: { tone: 'bad', word: 'Above your tier' },
}

export function KeysPage() {
  const query = useApiQuery<KeyWire[]>('/account/keys')
  const session = useSession()
  const [open, setOpen] = useState<KeyDialog>()
  const isOwner = session.role === 'owner'
  const close = () => setOpen(undefined)
  const done = (next?: KeyDialog) => {
    setOpen(next)
  }
  return (
    <>
      <PageHeader
        title="API keys"
        lead="Each key has one tier. Use separate keys for development and production, and rotate them every 90 days."
      >
        {isOwner ? (
          <Button variant="primary" onClick={() => setOpen({ kind: 'create' })}>
            New key
          </Button>
        ) : null}
      </PageHeader>
      <Card>
        <QueryView query={query} skeletonLines={5}>
          {(keys) =>
            keys.length === 0 ? (
              <EmptyState title="No API keys yet">
                <p>{isOwner ? 'Create one to call the API.' : 'An owner can create one.'}</p>
              </EmptyState>
            ) : (
              <DataTable
                label="API keys"
                head={['Name', 'Key', 'Status', 'Limits', 'Last used', 'Created']}
                hasActions={isOwner}
              >
                {keys.map((key) => (
                  <KeyRow key={key.id} apiKey={key} isOwner={isOwner} open={setOpen} />
                ))}
              </DataTable>
            )
          }
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
  const { tone, word } = STATES[apiKey.state]
  const isLive = apiKey.state === 'active' || apiKey.state === 'ending'
  return (
    <tr className={isLive ? undefined : 'past'}>
      <td>
        <strong>{apiKey.name}</strong>
        <div className="muted">{apiKey.id}</div>
      </td>
      <td data-label="Key">
        <span>
          <TierBadge tier={apiKey.tier} />{' '}
          <code>
            {apiKey.prefix}…{apiKey.last_four}
          </code>
        </span>
      </td>
      <td data-label="Status">
        <Badge tone={tone}>{word}</Badge>
        {isLive && apiKey.expires_at ? <div className="muted">until {formatDay(apiKey.expires_at)}</div> : null}
        {apiKey.state === 'revoked' ? <div className="muted">{formatDay(apiKey.revoked_at)}</div> : null}
      </td>
      <td data-label="Limits">
        {apiKey.limit_per_minute === null ? null : <div>{formatCount(apiKey.limit_per_minute)} per minute</div>}
        {apiKey.allowed_addresses.length === 0 ? null : (
          <div title={apiKey.allowed_addresses.join(', ')}>
            from {apiKey.allowed_addresses[0]}
            {apiKey.allowed_addresses.length > 1 ? ` and ${formatCount(apiKey.allowed_addresses.length - 1)} more` : ''}
          </div>
        )}
        {apiKey.limit_per_minute === null && apiKey.allowed_addresses.length === 0 ? (
          <span className="muted">Tier default</span>
        ) : null}
      </td>
      <td data-label="Last used" title={formatTime(apiKey.last_used_at)}>
        {formatRelativeTime(apiKey.last_used_at)}
      </td>
      <td data-label="Created">
        {formatDay(apiKey.created_at)}
        <div className="muted">{apiKey.created_by ?? 'command line'}</div>
      </td>
      {isOwner ? (
        <td className="row-actions">
          {isLive ? (
            <>
              <Button onClick={() => open({ kind: 'change', key: apiKey })}>
                Edit<span className="visually-hidden"> {apiKey.name}</span>
              </Button>
              <Button onClick={() => open({ kind: 'rotate', key: apiKey })}>
                Rotate<span className="visually-hidden"> {apiKey.name}</span>
              </Button>
              <Button variant="danger" onClick={() => open({ kind: 'revoke', key: apiKey })}>
                Revoke<span className="visually-hidden"> {apiKey.name}</span>
              </Button>
            </>
          ) : null}
        </td>
      ) : null}
    </tr>
  )
}
