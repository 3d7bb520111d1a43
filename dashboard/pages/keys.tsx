import { useState } from 'react'
import type { KeyWire } from '../../src/contract/account.ts'
import { useAnswer } from '../answers.ts'
import { Badge, Button, Card, Empty, PageHead, Shown, TierBadge, type Tone } from '../parts/basics.tsx'
import { Table } from '../parts/table.tsx'
import { useSession } from '../session.tsx'
import { ago, count, day, time } from '../words.ts'
import { ChangeDialog, CreateDialog, type Open, RevokeDialog, RotateDialog, SecretDialog } from './key-dialogs.tsx'

const STATES: Readonly<Record<KeyWire['state'], { tone: Tone; word: string }>> = {
  active: { tone: 'good', word: 'active' },
  ending: { tone: 'warn', word: 'ending soon' },
  expired: { tone: 'plain', word: 'expired' },
  revoked: { tone: 'bad', word: 'revoked' },
  blocked: { tone: 'bad', word: 'above your tier' },
}

export function KeysPage() {
  const asked = useAnswer<KeyWire[]>('/account/keys')
  const session = useSession()
  const [open, setOpen] = useState<Open>()
  const isOwner = session.role === 'owner'
  const close = () => setOpen(undefined)
  const done = (next?: Open) => {
    setOpen(next)
  }
  return (
    <>
      <PageHead
        title="API keys"
        lead="Each key belongs to this organization and has one tier. Use separate keys for development and production, and rotate them about every 90 days."
      >
        {isOwner ? (
          <Button look="main" onClick={() => setOpen({ kind: 'create' })}>
            New key
          </Button>
        ) : null}
      </PageHead>
      <Card>
        <Shown asked={asked} lines={5}>
          {(keys) =>
            keys.length === 0 ? (
              <Empty title="No keys yet">
                <p>{isOwner ? 'Make the first one to call the API.' : 'An owner can make one.'}</p>
              </Empty>
            ) : (
              <Table
                label="API keys"
                head={['Name', 'Key', 'State', 'Bounds', 'Last used', 'Created']}
                hasActions={isOwner}
              >
                {keys.map((key) => (
                  <KeyRow key={key.id} apiKey={key} isOwner={isOwner} open={setOpen} />
                ))}
              </Table>
            )
          }
        </Shown>
      </Card>
      {open?.kind === 'create' ? <CreateDialog close={close} done={done} /> : null}
      {open?.kind === 'change' ? <ChangeDialog apiKey={open.key} close={close} done={done} /> : null}
      {open?.kind === 'rotate' ? <RotateDialog apiKey={open.key} close={close} done={done} /> : null}
      {open?.kind === 'revoke' ? <RevokeDialog apiKey={open.key} close={close} done={done} /> : null}
      {open?.kind === 'secret' ? <SecretDialog secret={open.secret} name={open.name} close={close} /> : null}
    </>
  )
}

function KeyRow({ apiKey, isOwner, open }: { apiKey: KeyWire; isOwner: boolean; open: (what: Open) => void }) {
  const { tone, word } = STATES[apiKey.state]
  const isLive = apiKey.state === 'active' || apiKey.state === 'ending'
  return (
    <tr className={isLive ? undefined : 'past'}>
      <td>
        <strong>{apiKey.name}</strong>
        <div className="soft">{apiKey.id}</div>
      </td>
      <td data-label="Key">
        <span>
          <TierBadge tier={apiKey.tier} />{' '}
          <code>
            {apiKey.prefix}…{apiKey.last_four}
          </code>
        </span>
      </td>
      <td data-label="State">
        <Badge tone={tone}>{word}</Badge>
        {isLive && apiKey.expires_at ? <div className="soft">until {day(apiKey.expires_at)}</div> : null}
        {apiKey.state === 'revoked' ? <div className="soft">{day(apiKey.revoked_at)}</div> : null}
      </td>
      <td data-label="Bounds">
        {apiKey.limit_per_minute === null ? null : <div>{count(apiKey.limit_per_minute)} a minute</div>}
        {apiKey.allowed_addresses.length === 0 ? null : (
          <div title={apiKey.allowed_addresses.join(', ')}>
            from {apiKey.allowed_addresses[0]}
            {apiKey.allowed_addresses.length > 1 ? ` and ${count(apiKey.allowed_addresses.length - 1)} more` : ''}
          </div>
        )}
        {apiKey.limit_per_minute === null && apiKey.allowed_addresses.length === 0 ? (
          <span className="soft">those of its tier</span>
        ) : null}
      </td>
      <td data-label="Last used" title={time(apiKey.last_used_at)}>
        {ago(apiKey.last_used_at)}
      </td>
      <td data-label="Created">
        {day(apiKey.created_at)}
        <div className="soft">{apiKey.created_by ?? 'command line'}</div>
      </td>
      {isOwner ? (
        <td className="row-actions">
          {isLive ? (
            <>
              <Button onClick={() => open({ kind: 'change', key: apiKey })}>
                Change<span className="unseen"> {apiKey.name}</span>
              </Button>
              <Button onClick={() => open({ kind: 'rotate', key: apiKey })}>
                Rotate<span className="unseen"> {apiKey.name}</span>
              </Button>
              <Button look="danger" onClick={() => open({ kind: 'revoke', key: apiKey })}>
                Revoke<span className="unseen"> {apiKey.name}</span>
              </Button>
            </>
          ) : null}
        </td>
      ) : null}
    </tr>
  )
}
