import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberRole } from '../../../src/contract/account-limits.ts'
import type { InvitationWire, MemberWire } from '../../../src/contract/management-members.ts'
import { callApi } from '../../api.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmailText } from '../../ui/email-text.tsx'
import { Choice } from '../../ui/field.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { ErrorMessage, QueryView } from '../../ui/states.tsx'
import {
  CancelInvitationDialog,
  ChangeRoleDialog,
  InviteDialog,
  LinkDialog,
  type MemberDialog,
  type NewLink,
  RemoveMemberDialog,
  ResetAccessDialog,
} from './member-dialogs.tsx'

export function MembersPage() {
  const { t } = useTranslation('members')
  const query = useOperation('GET /api/manage/members', {})
  const isOwner = useSession().role === 'owner'
  const invitations = useOperation('GET /api/manage/invitations', isOwner ? {} : null).data?.data ?? []
  const [open, setOpen] = useState<MemberDialog>()
  const close = () => setOpen(undefined)
  const show = (link: NewLink) => setOpen({ kind: 'link', ...link })
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
        {(members) => (
          <Card>
            <MembersTable members={members} open={isOwner ? setOpen : null} />
          </Card>
        )}
      </QueryView>
      {invitations.length > 0 ? (
        <Card title={t('invitations.title')}>
          <InvitationsTable
            invitations={invitations}
            cancel={(invitation) => setOpen({ kind: 'withdraw', invitation })}
          />
        </Card>
      ) : null}
      {isOwner ? <SecondFactorRule /> : null}
      {isOwner ? <SignOnRule /> : null}
      {open?.kind === 'invite' ? <InviteDialog close={close} show={show} /> : null}
      {open?.kind === 'link' ? <LinkDialog {...open} close={close} /> : null}
      {open?.kind === 'role' ? <ChangeRoleDialog member={open.member} close={close} /> : null}
      {open?.kind === 'reset' ? <ResetAccessDialog member={open.member} close={close} show={show} /> : null}
      {open?.kind === 'remove' ? <RemoveMemberDialog member={open.member} close={close} /> : null}
      {open?.kind === 'withdraw' ? <CancelInvitationDialog invitation={open.invitation} close={close} /> : null}
    </>
  )
}

const ROLE_TONES: Readonly<Record<MemberRole, Tone>> = { owner: 'violet', manager: 'blue', clerk: 'plain' }

function RoleBadge({ role }: { role: MemberRole }) {
  const { t } = useTranslation('members')
  return <Badge tone={ROLE_TONES[role]}>{t(`roleName.${role}`)}</Badge>
}

/** `open` is null for people who may not change members. */
function MembersTable({
  members,
  open,
}: {
  members: readonly MemberWire[]
  open: ((dialog: MemberDialog) => void) | null
}) {
  const { t } = useTranslation(['members', 'common'])
  return (
    <DataTable
      label={t('title')}
      rows={members}
      rowKey={(member) => member.id}
      columns={[
        {
          title: t('column.person'),
          isRowName: true,
          cell: ({ name, email, you }) => (
            <>
              <strong className="breakable">
                <EmailText>{name || email}</EmailText>
              </strong>{' '}
              {you ? <Badge tone="accent">{t('you')}</Badge> : null}
              {name ? (
                <div className="muted">
                  <EmailText>{email}</EmailText>
                </div>
              ) : null}
            </>
          ),
        },
        { title: t('column.role'), cell: ({ role }) => <RoleBadge role={role} /> },
        {
          title: t('column.secondFactor'),
          className: 'roomy-only',
          cell: (member) =>
            member.second_factor ? <Badge tone="good">{t('on')}</Badge> : <span className="muted">{t('off')}</span>,
        },
        {
          title: t('column.seen'),
          cell: ({ seen_at: at }) =>
            at ? (
              <span title={formatTime(at)}>{formatRelativeTime(at)}</span>
            ) : (
              <span className="muted">{t('signedOut')}</span>
            ),
        },
        { title: t('column.joined'), className: 'roomy-only', cell: (member) => formatDay(member.joined_at) },
      ]}
      actions={
        open
          ? (member) => (
              <>
                <Button
                  aria-label={t('role.of', { name: member.email })}
                  onClick={() => open({ kind: 'role', member })}
                >
                  {t('role.label')}
                </Button>
                {member.you ? null : (
                  <Button
                    aria-label={t('reset.named', { email: member.email })}
                    onClick={() => open({ kind: 'reset', member })}
                  >
                    {t('reset.button')}
                  </Button>
                )}
                <Button
                  variant="danger"
                  aria-label={t('common:action.removeNamed', { name: member.email })}
                  onClick={() => open({ kind: 'remove', member })}
                >
                  {t('common:action.remove')}
                </Button>
              </>
            )
          : undefined
      }
    />
  )
}

function InvitationsTable({
  invitations,
  cancel,
}: {
  invitations: readonly InvitationWire[]
  cancel: (invitation: InvitationWire) => void
}) {
  const { t } = useTranslation('members')
  return (
    <DataTable
      label={t('invitations.title')}
      rows={invitations}
      rowKey={(invitation) => invitation.id}
      columns={[
        {
          title: t('column.email'),
          isRowName: true,
          cell: ({ email }) => (
            <strong>
              <EmailText>{email}</EmailText>
            </strong>
          ),
        },
        { title: t('column.role'), cell: ({ role }) => <RoleBadge role={role} /> },
        { title: t('column.invitedBy'), cell: ({ invited_by: by }) => <EmailText>{by}</EmailText> },
        { title: t('column.expires'), cell: (invitation) => formatDay(invitation.expires_at) },
      ]}
      actions={(invitation) => (
        <Button
          aria-label={t('invitations.cancelNamed', { email: invitation.email })}
          onClick={() => cancel(invitation)}
        >
          {t('invitations.cancel')}
        </Button>
      )}
    />
  )
}

function SignOnRule() {
  const { t } = useTranslation('members')
  const rule = useOperation('GET /api/manage/settings', {}).data?.data.sign_on
  if (!rule || (rule.issuer === null && !rule.required)) return null
  return (
    <RuleCard
      title={rule.issuer ? t('rule.signOn', { provider: rule.issuer }) : t('rule.signOnAny')}
      hint={t('rule.signOnHint')}
      isRequired={rule.required}
      send={(required) => callApi('PATCH /api/manage/settings', { body: { sign_on: { required } } })}
    />
  )
}

function SecondFactorRule() {
  const { t } = useTranslation('members')
  const { second_factor: own } = useSession()
  const mayChange = own.has || own.required
  return (
    <RuleCard
      title={t('rule.secondFactor')}
      hint={t(mayChange ? 'rule.secondFactorHint' : 'rule.secondFactorFirst')}
      isRequired={own.required}
      isDisabled={!mayChange}
      send={(required) => callApi('PATCH /api/manage/settings', { body: { second_factor_required: required } })}
    />
  )
}

function RuleCard({
  title,
  hint,
  isRequired,
  isDisabled = false,
  send,
}: {
  title: string
  hint: string
  isRequired: boolean
  isDisabled?: boolean
  send: (isRequired: boolean) => Promise<unknown>
}) {
  const change = useApiMutation()
  return (
    <Card>
      <Choice
        type="checkbox"
        checked={isRequired}
        disabled={change.isPending || isDisabled}
        onChange={({ target: { checked } }) => change.mutate(() => send(checked))}
        title={title}
        hint={hint}
      />
      <ErrorMessage error={change.error} />
    </Card>
  )
}
