import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberRole } from '../../../src/contract/account-limits.ts'
import type { MemberWire } from '../../../src/contract/people.ts'
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
} from './member-dialogs.tsx'

export function MembersPage() {
  const { t } = useTranslation('members')
  const query = useApiQuery('/account/members')
  const session = useSession()
  const [open, setOpen] = useState<MemberDialog>()
  const isOwner = session.role === 'owner'
  const close = () => setOpen(undefined)
  const done = (next?: MemberDialog) => setOpen(next)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {isOwner ? (
          <Button variant="primary" onClick={() => setOpen({ kind: 'invite' })}>
            {t('invite.button')}
          </Button>
        ) : null}
      </PageHeader>
      <QueryView query={query} skeletonLines={5}>
        {({ members, invitations }) => (
          <>
            <Card>
              <DataTable
                label={t('title')}
                head={[
                  t('column.person'),
                  t('column.role'),
                  t('column.secondFactor'),
                  t('column.seen'),
                  t('column.joined'),
                ]}
                hasActions={isOwner}
              >
                {members.map((member) => (
                  <MemberRow key={member.id} member={member} isOwner={isOwner} open={setOpen} />
                ))}
              </DataTable>
            </Card>
            {invitations.length > 0 ? (
              <Card title={t('invitations.title')}>
                <DataTable
                  label={t('invitations.title')}
                  head={[t('column.email'), t('column.role'), t('column.invitedBy'), t('column.expires')]}
                  hasActions
                >
                  {invitations.map((invitation) => (
                    <tr key={invitation.id}>
                      <td>
                        <strong className="breakable">{invitation.email}</strong>
                      </td>
                      <td data-label={t('column.role')}>
                        <RoleBadge role={invitation.role} />
                      </td>
                      <td data-label={t('column.invitedBy')}>{invitation.invited_by}</td>
                      <td data-label={t('column.expires')}>{formatDay(invitation.expires_at)}</td>
                      <td className="row-actions">
                        <Button
                          aria-label={t('invitations.cancelNamed', { email: invitation.email })}
                          onClick={() => setOpen({ kind: 'withdraw', invitation })}
                        >
                          {t('invitations.cancel')}
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

function RoleBadge({ role }: { role: MemberRole }) {
  const { t } = useTranslation('members')
  return <Badge tone={ROLE_TONES[role]}>{t(`roleName.${role}`)}</Badge>
}

function MemberRow({
  member,
  isOwner,
  open,
}: {
  member: MemberWire
  isOwner: boolean
  open: (dialog: MemberDialog) => void
}) {
  const { t } = useTranslation(['members', 'common'])
  const { email } = member
  return (
    <tr>
      <td>
        <strong className="breakable">{member.name || member.email}</strong>{' '}
        {member.you ? <Badge tone="accent">{t('you')}</Badge> : null}
        {member.name ? <div className="muted">{member.email}</div> : null}
      </td>
      <td data-label={t('column.role')}>
        <RoleBadge role={member.role} />
      </td>
      <td data-label={t('column.secondFactor')}>
        {member.second_factor ? <Badge tone="good">{t('on')}</Badge> : <span className="muted">{t('off')}</span>}
      </td>
      <td data-label={t('column.seen')} title={member.seen_at ? formatTime(member.seen_at) : undefined}>
        {member.seen_at ? formatRelativeTime(member.seen_at) : <span className="muted">{t('signedOut')}</span>}
      </td>
      <td data-label={t('column.joined')}>{formatDay(member.joined_at)}</td>
      {isOwner ? (
        <td className="row-actions">
          <Button aria-label={t('role.of', { name: email })} onClick={() => open({ kind: 'role', member })}>
            {t('role.label')}
          </Button>
          {member.you ? null : (
            <Button aria-label={t('reset.named', { email })} onClick={() => open({ kind: 'reset', member })}>
              {t('reset.button')}
            </Button>
          )}
          <Button
            variant="danger"
            aria-label={t('common:action.removeNamed', { name: email })}
            onClick={() => open({ kind: 'remove', member })}
          >
            {t('common:action.remove')}
          </Button>
        </td>
      ) : null}
    </tr>
  )
}

function SignOnRule() {
  const { t } = useTranslation('members')
  const rule = useApiQuery('/account/organization/sign-on')
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
            change.mutate(() => apiPost('/account/organization/sign-on', { required: checked }))
          }
        />
        <span>
          <strong>{available ? t('rule.signOn', { provider: available }) : t('rule.signOnAny')}</strong>
          <span className="muted">{t('rule.signOnHint')}</span>
        </span>
      </label>
      {change.error ? <ErrorMessage error={change.error} /> : null}
    </Card>
  )
}

function SecondFactorRule() {
  const { t } = useTranslation('members')
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
            change.mutate(() => apiPost('/account/organization/second-factor', { required: checked }))
          }
        />
        <span>
          <strong>{t('rule.secondFactor')}</strong>
          <span className="muted">{t(isOpen ? 'rule.secondFactorHint' : 'rule.secondFactorFirst')}</span>
        </span>
      </label>
      {change.error ? <ErrorMessage error={change.error} /> : null}
    </Card>
  )
}
