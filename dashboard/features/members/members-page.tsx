import { type FormEvent, useState } from 'react'
import type { MemberRole, MembersWire, MemberWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

type Open = { kind: 'invite' } | { kind: 'link'; link: string; email: string } | { kind: 'remove'; member: MemberWire }

export function MembersPage() {
  const query = useApiQuery<MembersWire>('/account/members')
  const session = useSession()
  const [open, setOpen] = useState<Open>()
  const change = useApiMutation()
  const isOwner = session.role === 'owner'
  const close = () => setOpen(undefined)
  const act = (path: string, body: unknown) =>
    change.mutate(async () => {
      await apiPost(path, body)
      close()
    })
  return (
    <>
      <PageHeader title="Members" lead="Owners manage keys and members. Managers see all data. Clerks use the counter.">
        {isOwner ? (
          <Button variant="primary" onClick={() => setOpen({ kind: 'invite' })}>
            Invite
          </Button>
        ) : null}
      </PageHeader>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      {isOwner ? (
        <Card>
          <label className="choice">
            <input
              type="checkbox"
              checked={session.second_factor.required}
              disabled={change.isPending || (!session.second_factor.has && !session.second_factor.required)}
              onChange={(event) => act('/account/organization/second-factor', { required: event.target.checked })}
            />
            <span>
              <strong>Require two-factor authentication</strong>
              <span className="muted">
                {session.second_factor.has || session.second_factor.required
                  ? 'Members without it cannot access the organization until they set it up.'
                  : 'Set it up for your own account first.'}
              </span>
            </span>
          </label>
        </Card>
      ) : null}
      <QueryView query={query}>
        {({ members, invitations }) => (
          <>
            <Card>
              <DataTable label="Members" head={['Person', 'Role', 'Joined']} hasActions={isOwner}>
                {members.map((member) => (
                  <tr key={member.id}>
                    <td>
                      <strong>{member.name || member.email}</strong> {member.you ? <Badge>You</Badge> : null}
                      <div className="muted">{member.email}</div>
                    </td>
                    <td data-label="Role">
                      {isOwner ? (
                        <label>
                          <span className="visually-hidden">Role of {member.email}</span>
                          <select
                            value={member.role}
                            onChange={(event) =>
                              act('/account/members/role', { id: member.id, role: event.target.value })
                            }
                          >
                            <option value="owner">owner</option>
                            <option value="manager">manager</option>
                            <option value="clerk">clerk</option>
                          </select>
                        </label>
                      ) : (
                        member.role
                      )}
                    </td>
                    <td data-label="Joined">{formatDay(member.joined_at)}</td>
                    {isOwner ? (
                      <td className="row-actions">
                        <Button variant="danger" onClick={() => setOpen({ kind: 'remove', member })}>
                          Remove<span className="visually-hidden"> {member.email}</span>
                        </Button>
                      </td>
                    ) : null}
                  </tr>
                ))}
              </DataTable>
            </Card>
            {invitations.length > 0 ? (
              <Card title="Invitations">
                <ul className="plain-list">
                  {invitations.map((invitation) => (
                    <li key={invitation.id}>
                      <span>
                        <strong>{invitation.email}</strong> as {invitation.role}
                        <span className="muted">
                          {' '}
                          · invited by {invitation.invited_by} · expires {formatDay(invitation.expires_at)}
                        </span>
                      </span>
                      <Button onClick={() => act('/account/invitations/withdraw', { id: invitation.id })}>
                        Cancel<span className="visually-hidden"> {invitation.email}</span>
                      </Button>
                    </li>
                  ))}
                </ul>
              </Card>
            ) : null}
          </>
        )}
      </QueryView>
      {open?.kind === 'invite' ? (
        <InviteDialog
          close={close}
          made={(link, email) => {
            setOpen({ kind: 'link', link, email })
          }}
        />
      ) : null}
      {open?.kind === 'link' ? (
        <Dialog title="Invitation link" onClose={close}>
          <p>
            Send this link to <strong>{open.email}</strong>. It works once, for three days, and won’t be shown again.
          </p>
          <div className="secret">
            <code data-testid="link">{open.link}</code>
            <CopyButton text={open.link} label="link" />
          </div>
          <div className="dialog-actions">
            <Button variant="primary" onClick={close}>
              Done
            </Button>
          </div>
        </Dialog>
      ) : null}
      {open?.kind === 'remove' ? (
        <Dialog title={`Remove ${open.member.email}?`} onClose={close}>
          <p>They lose access to this organization. Keys they created keep working until revoked.</p>
          <div className="dialog-actions">
            <Button onClick={close}>Cancel</Button>
            <Button
              variant="danger"
              isBusy={change.isPending}
              onClick={() => act('/account/members/remove', { id: open.member.id })}
            >
              Remove
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

function InviteDialog({ close, made }: { close: () => void; made: (link: string, email: string) => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('clerk')
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      const { data } = await apiPost<{ link: string }>('/account/invitations', { email, role })
      made(data.link, email)
    })
  }
  return (
    <Dialog title="Invite a member" onClose={close}>
      <form className="stack" onSubmit={submit}>
        <TextField label="Email" type="email" required value={email} onValueChange={setEmail} />
        <Field label="Role">
          {(props) => (
            <select {...props} value={role} onChange={(event) => setRole(event.target.value as MemberRole)}>
              <option value="clerk">clerk</option>
              <option value="manager">manager</option>
              <option value="owner">owner</option>
            </select>
          )}
        </Field>
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            Create link
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
