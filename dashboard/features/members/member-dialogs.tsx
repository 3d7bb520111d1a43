import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { MemberRole } from '../../../src/contract/account-limits.ts'
import { MEMBER_ROLES } from '../../../src/contract/account-limits.ts'
import type { MembersWire, MemberWire } from '../../../src/contract/people.ts'
import { apiPost } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { CopyableText } from '../../ui/copy-button.tsx'
import { Dialog, OnceDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

type Invitation = MembersWire['invitations'][number]
type NewLink = { readonly link: string; readonly email: string; readonly mailed: boolean }

export type MemberDialog =
  | { kind: 'invite' }
  | { kind: 'role' | 'reset' | 'remove'; member: MemberWire }
  | { kind: 'withdraw'; invitation: Invitation }
  | ({ kind: 'link'; title: string } & NewLink)

type DialogProps = { close: () => void; done: (next?: MemberDialog) => void }

function RoleChoices({ role, choose }: { role: MemberRole; choose: (role: MemberRole) => void }) {
  const { t } = useTranslation('members')
  return (
    <fieldset className="choices">
      <legend>{t('role.label')}</legend>
      {MEMBER_ROLES.map((each) => (
        <label key={each} className="choice">
          <input type="radio" name="role" value={each} checked={role === each} onChange={() => choose(each)} />
          <span>
            <strong>{t(`roleName.${each}`)}</strong>
            <span className="muted">{t(`roleRights.${each}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export function InviteDialog({ close, done }: DialogProps) {
  const { t } = useTranslation('members')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('clerk')
  const send = async () => {
    const { data } = await apiPost('/account/invitations', { email, role })
    done({ kind: 'link', title: t('link.invitation'), email, ...data })
  }
  return (
    <FormDialog title={t('invite.title')} action={t('link.create')} send={send} close={close}>
      <TextField label={t('column.email')} type="email" required value={email} onValueChange={setEmail} />
      <RoleChoices role={role} choose={setRole} />
    </FormDialog>
  )
}

export function LinkDialog({ title, link, email, mailed, close }: NewLink & { title: string; close: () => void }) {
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

export function ChangeRoleDialog({ member, close, done }: DialogProps & { member: MemberWire }) {
  const { t } = useTranslation(['members', 'common'])
  const [role, setRole] = useState(member.role)
  const send = async () => {
    await apiPost('/account/members/role', { id: member.id, role })
    done()
  }
  return (
    <FormDialog
      title={t('role.of', { name: member.name || member.email })}
      action={t('common:action.save')}
      send={send}
      close={close}
    >
      <RoleChoices role={role} choose={setRole} />
      {member.you && role !== 'owner' ? <p>{t('role.ownerLost')}</p> : null}
    </FormDialog>
  )
}

export function ResetAccessDialog({ member, close, done }: DialogProps & { member: MemberWire }) {
  const { t } = useTranslation(['members', 'common'])
  const [what, setWhat] = useState<'password' | 'second_factor'>('password')
  const { id, email } = member
  if (!member.may_reset) {
    return (
      <Dialog title={t('reset.title', { email })} onClose={close}>
        <p>
          <Trans t={t} i18nKey="reset.refused" values={{ email }} components={{ code: <code /> }} />
        </p>
        <div className="dialog-actions">
          <Button variant="primary" onClick={close}>
            {t('common:action.close')}
          </Button>
        </div>
      </Dialog>
    )
  }
  const send = async () => {
    if (what === 'second_factor') {
      await apiPost('/account/members/reset-second-factor', { id })
      done()
      return
    }
    const { data } = await apiPost('/account/members/reset-password', { id })
    done({ kind: 'link', title: t('link.reset'), email, ...data })
  }
  return (
    <FormDialog
      title={t('reset.title', { email })}
      action={t(what === 'password' ? 'link.create' : 'reset.secondFactorAction')}
      isDangerous={what === 'second_factor'}
      send={send}
      close={close}
    >
      <fieldset className="choices">
        <legend>{t('reset.lost')}</legend>
        <label className="choice">
          <input type="radio" name="what" checked={what === 'password'} onChange={() => setWhat('password')} />
          <span>
            <strong>{t('reset.password')}</strong>
            <span className="muted">{t('reset.passwordHint')}</span>
          </span>
        </label>
        <label className="choice">
          <input
            type="radio"
            name="what"
            checked={what === 'second_factor'}
            disabled={!member.second_factor}
            onChange={() => setWhat('second_factor')}
          />
          <span>
            <strong>{t('reset.secondFactor')}</strong>
            <span className="muted">{t(member.second_factor ? 'reset.secondFactorHint' : 'reset.notSetUp')}</span>
          </span>
        </label>
      </fieldset>
    </FormDialog>
  )
}

export function RemoveMemberDialog({ member, close, done }: DialogProps & { member: MemberWire }) {
  const { t } = useTranslation(['members', 'common'])
  const send = async () => {
    await apiPost('/account/members/remove', { id: member.id })
    done()
  }
  return (
    <FormDialog
      title={t('remove.title', { email: member.email })}
      action={t('common:action.remove')}
      isDangerous
      send={send}
      close={close}
    >
      <p>{t('remove.hint')}</p>
    </FormDialog>
  )
}

export function CancelInvitationDialog({ invitation, close, done }: DialogProps & { invitation: Invitation }) {
  const { t } = useTranslation('members')
  const send = async () => {
    await apiPost('/account/invitations/withdraw', { id: invitation.id })
    done()
  }
  return (
    <FormDialog
      title={t('invitations.cancelTitle', { email: invitation.email })}
      action={t('invitations.cancelAction')}
      isDangerous
      send={send}
      close={close}
    >
      <p>{t('invitations.cancelHint')}</p>
    </FormDialog>
  )
}
