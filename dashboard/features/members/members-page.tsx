import { useState } from 'react'
import type { MemberRole, MembersWire, MemberWire, SignOnWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import {
  CancelInvitationDialog,
  ChangeRoleDialog,
  InviteDialog,
  LinkDialog,
  type MemberDialog,
  RemoveMemberDialog,
  ResetAccessDialog,
  ROLES,
} from './member-dialogs.tsx'

export function MembersPage() {
  const query = useApiQuery<MembersWire>('/account/members')
  const session = useSession()
  const [open, setOpen] = useState<MemberDialog>()
  const isOwner = session.role === 'owner'
  const close = () => setOpen(undefined)
  const done = (next?: MemberDialog) => setOpen(next)
  return (
    <>
      <PageHeader
        title="Members"
        lead="Owners manage the organization, managers see all data and approve offers, clerks use the counter."
      >
        {isOwner ? (
          <Button variant="primary" onClick={() => setOpen({ kind: 'invite' })}>
            Invite
          </Button>
        ) : null}
      </PageHeader>
      <QueryView query={query} skeletonLines={5}>
        {({ members, invitations }) => (
          <>
            <Card>
              <DataTable
                label="Members"
                head={['Person', 'Role', 'Two-factor', 'Last seen', 'Joined']}
                hasActions={isOwner}
              >
                {members.map((member) => (
                  <MemberRow key={member.id} member={member} isOwner={isOwner} open={setOpen} />
                ))}
              </DataTable>
            </Card>
            {invitations.length > 0 ? (
              <Card title="Open invitations">
                <DataTable label="Open invitations" head={['Email', 'Role', 'Invited by', 'Expires']} hasActions>
                  {invitations.map((invitation) => (
                    <tr key={invitation.id}>
                      <td>
                        <strong>{invitation.email}</strong>
                      </td>
                      <td data-label="Role">
                        <RoleBadge role={invitation.role} />
                      </td>
                      <td data-label="Invited by">{invitation.invited_by}</td>
                      <td data-label="Expires">{formatDay(invitation.expires_at)}</td>
                      <td className="row-actions">
                        <Button onClick={() => setOpen({ kind: 'withdraw', invitation })}>
                          Cancel<span className="visually-hidden"> {invitation.email}</span>
                        </Button>
                      </td>
                    </tr>
                  ))}
                </DataTable>
              </Card>
            ) : null}
          </>
        )}
      </QueryView>
      {isOwner ? <SecondFactorRule /> : null}
      {isOwner ? <SignOnRule /> : null}
      {open?.kind === 'invite' ? <InviteDialog close={close} done={done} /> : null}
      {open?.kind === 'link' ? <LinkDialog {...open} close={close} /> : null}
      {open?.kind === 'role' ? <ChangeRoleDialog member={open.member} close={close} done={done} /> : null}
      {open?.kind === 'reset' ? <ResetAccessDialog member={open.member} close={close} done={done} /> : null}
      {open?.kind === 'remove' ? <RemoveMemberDialog member={open.member} close={close} done={done} /> : null}
      {open?.kind === 'withdraw' ? (
        <CancelInvitationDialog invitation={open.invitation} close={close} done={done} />
      ) : null}
    </>
  )
}

const ROLE_TONES: Readonly<Record<MemberRole, Tone>> = { owner: 'violet', manager: 'blue', clerk: 'plain' }

const RoleBadge = ({ role }: { role: MemberRole }) => <Badge tone={ROLE_TONES[role]}>{ROLES[role].name}</Badge>

function MemberRow({
  member,
  isOwner,
  open,
}: {
  member: MemberWire
  isOwner: boolean
  open: (dialog: MemberDialog) => void
}) {
  return (
    <tr>
      <td>
        <strong>{member.name || member.email}</strong> {member.you ? <Badge tone="accent">You</Badge> : null}
        {member.name ? <div className="muted">{member.email}</div> : null}
      </td>
      <td data-label="Role">
        <RoleBadge role={member.role} />
      </td>
      <td data-label="Two-factor">
        {member.second_factor ? <Badge tone="good">On</Badge> : <span className="muted">Off</span>}
      </td>
      <td data-label="Last seen" title={member.seen_at ? formatTime(member.seen_at) : undefined}>
        {member.seen_at ? formatRelativeTime(member.seen_at) : <span className="muted">Signed out</span>}
      </td>
      <td data-label="Joined">{formatDay(member.joined_at)}</td>
      {isOwner ? (
        <td className="row-actions">
          <Button onClick={() => open({ kind: 'role', member })}>
            Role<span className="visually-hidden"> of {member.email}</span>
          </Button>
          {member.you ? null : (
            <Button onClick={() => open({ kind: 'reset', member })}>
              Reset<span className="visually-hidden"> {member.email}</span>
            </Button>
          )}
          <Button variant="danger" onClick={() => open({ kind: 'remove', member })}>
            Remove<span className="visually-hidden"> {member.email}</span>
          </Button>
        </td>
      ) : null}
    </tr>
  )
}

function SignOnRule() {
  const rule = useApiQuery<SignOnWire>('/account/organization/sign-on')
  const change = useApiMutation()
  if (!rule.data || (rule.data.data.available === null && !rule.data.data.required)) return null
  const { available, required } = rule.data.data
  return (
    <Card>
      <label className="choice">
        <input
          type="checkbox"
          checked={required}
          disabled={change.isPending}
          onChange={({ target: { checked } }) =>
            change.mutate(async () => {
              await apiPost('/account/organization/sign-on', { required: checked })
            })
          }
        />
        <span>
          <strong>Require sign-in with {available ?? 'the identity provider'}</strong>
          <span className="muted">
            Members cannot sign in with a password. You stay the exception, with password and second factor, in case the
            provider is down.
          </span>
        </span>
      </label>
      {change.error ? <ErrorMessage error={change.error} /> : null}
    </Card>
  )
}

function SecondFactorRule() {
  const { second_factor: mine } = useSession()
  const change = useApiMutation()
  const isOpen = mine.has || mine.required
  return (
    <Card>
      <label className="choice">
        <input
          type="checkbox"
          checked={mine.required}
          disabled={change.isPending || !isOpen}
          onChange={({ target: { checked } }) =>
            change.mutate(async () => {
              await apiPost('/account/organization/second-factor', { required: checked })
            })
          }
        />
        <span>
          <strong>Require two-factor authentication</strong>
          <span className="muted">
            {isOpen
              ? 'Members without it cannot access the organization until they set it up.'
              : 'Set it up for your own account first.'}
          </span>
        </span>
      </label>
      {change.error ? <ErrorMessage error={change.error} /> : null}
    </Card>
  )
}
