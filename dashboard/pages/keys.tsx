import { type FormEvent, useState } from 'react'
import type { KeyWire } from '../../src/contract/account.ts'
import { TIERS } from '../../src/contract/tiers.ts'
import { dayOf } from '../../src/time.ts'
import { useAnswer, useChange } from '../answers.ts'
import {
  Badge,
  Button,
  Card,
  CopyButton,
  Dialog,
  Empty,
  Field,
  PageHead,
  Problem,
  Scroll,
  Shown,
  TierBadge,
  type Tone,
} from '../parts/basics.tsx'
import { post } from '../service.ts'
import { useMayUse, useSession } from '../session.tsx'
import { ago, count, day, time } from '../words.ts'

type Open =
  | { kind: 'create' }
  | { kind: 'rotate' | 'revoke'; key: KeyWire }
  | { kind: 'secret'; secret: string; name: string }

const STATES: Readonly<Record<KeyWire['state'], { tone: Tone; word: string }>> = {
  active: { tone: 'good', word: 'active' },
  ending: { tone: 'warn', word: 'expires' },
  expired: { tone: 'plain', word: 'expired' },
  revoked: { tone: 'bad', word: 'revoked' },
  blocked: { tone: 'bad', word: 'Above your tier' },
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
              <Scroll label="API keys" cards>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Name</th>
                      <th scope="col">Key</th>
                      <th scope="col">State</th>
                      <th scope="col">Last used</th>
                      <th scope="col">Created</th>
                      {isOwner ? (
                        <th scope="col">
                          <span className="unseen">Actions</span>
                        </th>
                      ) : null}
                    </tr>
                  </thead>
                  <tbody>
                    {keys.map((key) => (
                      <KeyRow key={key.id} apiKey={key} isOwner={isOwner} open={setOpen} />
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )
          }
        </Shown>
      </Card>
      {open?.kind === 'create' ? <CreateDialog close={close} done={done} /> : null}
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
        {apiKey.state === 'ending' ? <div className="soft">{day(apiKey.expires_at)}</div> : null}
        {apiKey.state === 'revoked' ? <div className="soft">{day(apiKey.revoked_at)}</div> : null}
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

type Step = { close: () => void; done: (next?: Open) => void }

function CreateDialog({ close, done }: Step) {
  const session = useSession()
  const mayPaid = useMayUse('paid')
  const mayEnterprise = useMayUse('enterprise')
  const allowed = TIERS.filter((tier) => tier === 'public' || (tier === 'paid' ? mayPaid : mayEnterprise))
  const [name, setName] = useState('')
  const [tier, setTier] = useState<(typeof TIERS)[number]>(allowed.at(-1) ?? 'public')
  const [expires, setExpires] = useState('')
  const change = useChange()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      const { data } = await post<{ secret: string }>('/account/keys', { name, tier, expires_on: expires || null })
      done({ kind: 'secret', secret: data.secret, name })
    })
  }
  const errorAt = (field: string) => (change.error?.field === field ? change.error.message : undefined)
  return (
    <Dialog title="New key" close={close}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" hint="Where it will be used, for example “Shop, production”." error={errorAt('name')}>
          {(props) => (
            <input {...props} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <fieldset className="choices">
          <legend>Tier</legend>
          {allowed.map((one) => (
            <label key={one} className="choice">
              <input type="radio" name="tier" checked={tier === one} onChange={() => setTier(one)} />
              <span>
                <TierBadge tier={one} />
                <span className="soft">
                  {TIER_TEXTS[one]} {count(session.organization?.limits[one] ?? 0)} requests a minute.
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field
          label="Expires"
          hint="Optional. The key works to the end of that day, UTC."
          error={errorAt('expires_on')}
        >
          {(props) => (
            <input
              {...props}
              type="date"
              min={dayOf(Date.now())}
              value={expires}
              onChange={(event) => setExpires(event.target.value)}
            />
          )}
        </Field>
        {change.error ? <Problem error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button look="main" type="submit" busy={change.isPending}>
            Make key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const TIER_TEXTS: Readonly<Record<(typeof TIERS)[number], string>> = {
  public: 'Devices and variants.',
  paid: 'Also prices and repairs.',
  enterprise: 'Also identifier risk.',
}

function SecretDialog({ secret, name, close }: { secret: string; name: string; close: () => void }) {
  const session = useSession()
  const call = `curl -H 'Authorization: Bearer ${secret}' '${session.base_url}/api/devices?limit=1'`
  return (
    <Dialog title="Copy your new key now" close={close}>
      <p>
        This is the only time <strong>{name}</strong> is shown. We keep a fingerprint of it, not the key.
      </p>
      <div className="secret">
        <code data-testid="secret">{secret}</code>
        <CopyButton text={secret} what="key" />
      </div>
      <p className="soft">Try it:</p>
      <div className="secret">
        <code>{call}</code>
        <CopyButton text={call} what="call" />
      </div>
      <div className="dialog-actions">
        <Button look="main" onClick={close}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  )
}

function RotateDialog({ apiKey, close, done }: Step & { apiKey: KeyWire }) {
  const [days, setDays] = useState('7')
  const change = useChange()
  const rotate = () =>
    change.mutate(async () => {
      const body = { id: apiKey.id, overlap_days: Number(days) }
      const { data } = await post<{ secret: string }>('/account/keys/rotate', body)
      done({ kind: 'secret', secret: data.secret, name: apiKey.name })
    })
  return (
    <Dialog title={`Rotate ${apiKey.name}`} close={close}>
      <p>You get a new key of the same tier. The old one goes on working for the time you choose.</p>
      <Field label="The old key works for">
        {(props) => (
          <select {...props} value={days} onChange={(event) => setDays(event.target.value)}>
            <option value="0">no longer</option>
            <option value="1">1 more day</option>
            <option value="7">7 more days</option>
            <option value="30">30 more days</option>
          </select>
        )}
      </Field>
      {change.error ? <Problem error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button look="main" busy={change.isPending} onClick={rotate}>
          Rotate
        </Button>
      </div>
    </Dialog>
  )
}

function RevokeDialog({ apiKey, close, done }: Step & { apiKey: KeyWire }) {
  const change = useChange()
  const revoke = () =>
    change.mutate(async () => {
      await post('/account/keys/revoke', { id: apiKey.id })
      done()
    })
  return (
    <Dialog title={`Revoke ${apiKey.name}?`} close={close}>
      <p>
        Every call with <code>{`${apiKey.prefix}…${apiKey.last_four}`}</code> is refused within a second. This cannot be
        undone.
      </p>
      {change.error ? <Problem error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>Keep it</Button>
        <Button look="danger" busy={change.isPending} onClick={revoke}>
          Revoke key
        </Button>
      </div>
    </Dialog>
  )
}
