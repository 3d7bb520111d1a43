import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { MEMBER_ROLES, type MemberRole } from '../../../src/contract/account-limits.ts'
import type { InvitationWire, MemberWire } from '../../../src/contract/management-members.ts'
import { callApi } from '../../api.ts'
import { CopyableText } from '../../ui/copy-button.tsx'
import { FormDialog, OnceDialog } from '../../ui/dialog.tsx'
import { Choice, EmailField } from '../../ui/field.tsx'

export type NewLink = {
  readonly title: string
  readonly link: string
  readonly email: string
  readonly mailed: boolean
}

export type MemberDialog =
  | { kind: 'invite' }
  | { kind: 'role' | 'reset' | 'remove'; member: MemberWire }
  | { kind: 'withdraw'; invitation: InvitationWire }
  | ({ kind: 'link' } & NewLink)

type DialogProps = { close: () => void }
type LinkDialogProps = DialogProps & { show: (link: NewLink) => void }
type MemberProps = { member: MemberWire }

function RoleChoices({ role, choose }: { role: MemberRole; choose: (role: MemberRole) => void }) {
  const { t } = useTranslation('members')
  return (
    <fieldset className="choices">
      <legend>{t('role.label')}</legend>
      {MEMBER_ROLES.map((each) => (
        <Choice
          key={each}
          type="radio"
          name="role"
          value={each}
          checked={role === each}
          onChange={() => choose(each)}
          title={t(`roleName.${each}`)}
          hint={t(`roleRights.${each}`)}
        />
      ))}
    </fieldset>
  )
}

export function InviteDialog({ close, show }: LinkDialogProps) {
  const { t } = useTranslation('members')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('clerk')
  return (
    <FormDialog
      title={t('invite.title')}
      action={t('link.create')}
      send={() => callApi('POST /api/manage/invitations', { body: { email, role } })}
      onSent={({ data: { link = '', mailed } }) => show({ title: t('link.invitation'), email, link, mailed })}
      close={close}
    >
      <EmailField label={t('column.email')} value={email} onValueChange={setEmail} />
      <RoleChoices role={role} choose={setRole} />
    </FormDialog>
  )
}

export function LinkDialog({ title, link, email, mailed, close }: DialogProps & NewLink) {
  const { t } = useTranslation(['members', 'common'])
  return (
    <OnceDialog title={title} close={close}>
      <p>
        <Trans
          t={t}
          i18nKey={mailed ? 'link.mailed' : 'link.send'}
          values={{ email }}
          components={{ strong: <strong /> }}
        />
      </p>
      <CopyableText text={link} label={t('link.label')} testId="link" />
    </OnceDialog>
  )
}

export function ChangeRoleDialog({ member, close }: DialogProps & MemberProps) {
  const { t } = useTranslation(['members', 'common'])
  const [role, setRole] = useState(member.role)
  return (
    <FormDialog
      title={t('role.of', { name: member.name || member.email })}
      action={t('common:action.save')}
      send={() => callApi('PATCH /api/manage/members/{id}', { params: { id: member.id }, body: { role } })}
      close={close}
    >
      <RoleChoices role={role} choose={setRole} />
      {member.you && role !== 'owner' ? <p>{t('role.ownerLost')}</p> : null}
    </FormDialog>
  )
}

const RESET_ACTIONS = {
  password: 'link.create',
  second_factor: 'reset.secondFactorAction',
  email: 'reset.emailAction',
} as const

export function ResetAccessDialog({ member, close, show }: LinkDialogProps & MemberProps) {
  const { t } = useTranslation(['members', 'common'])
  const [what, setWhat] = useState<'password' | 'second_factor' | 'email'>('password')
  const [newEmail, setNewEmail] = useState('')
  const { id, email } = member
  const send = async () => {
    const params = { id }
    if (what === 'password') return (await callApi('POST /api/manage/members/{id}/link', { params })).data
    if (what === 'email') await callApi('PATCH /api/manage/members/{id}', { params, body: { email: newEmail } })
    else await callApi('PATCH /api/manage/members/{id}', { params, body: { second_factor: false } })
    return null
  }
  return (
    <FormDialog
      title={t('reset.title', { email })}
      action={t(RESET_ACTIONS[what])}
      isDangerous={what !== 'password'}
      send={send}
      onSent={(sent) =>
        sent ? show({ title: t('link.reset'), email, link: sent.link ?? '', mailed: sent.mailed }) : close()
      }
      close={close}
    >
      <fieldset className="choices">
        <legend>{t('reset.lost')}</legend>
        <Choice
          type="radio"
          name="what"
          checked={what === 'password'}
          onChange={() => setWhat('password')}
          title={t('reset.password')}
          hint={t('reset.passwordHint')}
        />
        <Choice
          type="radio"
          name="what"
          checked={what === 'second_factor'}
          disabled={!member.second_factor}
          onChange={() => setWhat('second_factor')}
          title={t('reset.secondFactor')}
          hint={t(member.second_factor ? 'reset.secondFactorHint' : 'reset.notSetUp')}
        />
        <Choice
          type="radio"
          name="what"
          checked={what === 'email'}
          onChange={() => setWhat('email')}
          title={t('reset.email')}
          hint={t('reset.emailHint')}
        />
      </fieldset>
      {what === 'email' ? (
        <EmailField label={t('reset.newEmail')} value={newEmail} onValueChange={setNewEmail} />
      ) : null}
    </FormDialog>
  )
}

export function RemoveMemberDialog({ member, close }: DialogProps & MemberProps) {
  const { t } = useTranslation(['members', 'common'])
  return (
    <FormDialog
      title={t('remove.title', { email: member.email })}
      action={t('common:action.remove')}
      isDangerous
      send={() => callApi('DELETE /api/manage/members/{id}', { params: { id: member.id } })}
      close={close}
    >
      <p>{t('remove.hint')}</p>
    </FormDialog>
  )
}

export function CancelInvitationDialog({ invitation, close }: DialogProps & { invitation: InvitationWire }) {
  const { t } = useTranslation('members')
  return (
    <FormDialog
      title={t('invitations.cancelTitle', { email: invitation.email })}
      action={t('invitations.cancelAction')}
      isDangerous
      send={() => callApi('DELETE /api/manage/invitations/{id}', { params: { id: invitation.id } })}
      close={close}
    >
      <p>{t('invitations.cancelHint')}</p>
    </FormDialog>
  )
}
