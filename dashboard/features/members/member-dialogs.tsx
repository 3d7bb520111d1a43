import { type FormEvent, type ReactNode, useState } from 'react'
import { MEMBER_ROLES } from '../../../src/contract/account-limits.ts'
import type { MemberRole, MembersWire, MemberWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

type Invitation = MembersWire['invitations'][number]
type NewLink = { readonly link: string; readonly email: string; readonly mailed: boolean }

export type MemberDialog =
  | { kind: 'invite' }
  | { kind: 'role' | 'reset' | 'remove'; member: MemberWire }
  | { kind: 'withdraw'; invitation: Invitation }
  | ({ kind: 'link'; title: string } & NewLink)

type DialogProps = { close: () => void; done: (next?: MemberDialog) => void }

export const ROLES: Readonly<Record<MemberRole, { readonly name: string; readonly rights: string }>> = {
  owner: { name: 'Owner', rights: 'Everything, including keys, webhooks, members and the buying policy.' },
  manager: { name: 'Manager', rights: 'Sees all data and saves offers of any amount. Changes no settings.' },
  clerk: {
    name: 'Clerk',
    rights: 'Counter, devices and history. Margins and the offer limit follow the buying policy.',
  },
}

function RoleChoices({ role, choose }: { role: MemberRole; choose: (role: MemberRole) => void }) {
  return (
    <fieldset className="choices">
      <legend>Role</legend>
      {MEMBER_ROLES.map((each) => (
        <label key={each} className="choice">
          <input type="radio" name="role" value={each} checked={role === each} onChange={() => choose(each)} />
          <span>
            <strong>{ROLES[each].name}</strong>
            <span className="muted">{ROLES[each].rights}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** A question with one answer that changes something; errors stay in the dialog. */
function ConfirmDialog({
  title,
  action,
  isDangerous = false,
  send,
  close,
  children,
}: {
  title: string
  action: string
  isDangerous?: boolean
  send: () => Promise<void>
  close: () => void
  children: ReactNode
}) {
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(send)
  }
  return (
    <Dialog title={title} onClose={close}>
      <form className="stack" onSubmit={submit}>
        {children}
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant={isDangerous ? 'danger' : 'primary'} type="submit" isBusy={change.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function InviteDialog({ close, done }: DialogProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('clerk')
  const send = async () => {
    const { data } = await apiPost<Omit<NewLink, 'email'>>('/account/invitations', { email, role })
    done({ kind: 'link', title: 'Invitation link', email, ...data })
  }
  return (
    <ConfirmDialog title="Invite a member" action="Create link" send={send} close={close}>
      <TextField label="Email" type="email" required value={email} onValueChange={setEmail} />
      <RoleChoices role={role} choose={setRole} />
    </ConfirmDialog>
  )
}

export function LinkDialog({ title, link, email, mailed, close }: NewLink & { title: string; close: () => void }) {
  return (
    <Dialog title={title} onClose={close} isPersistent>
      <p>
        {mailed ? (
          <>
            We are sending this link to <strong>{email}</strong>. You can also pass it on yourself.
          </>
        ) : (
          <>
            Send this link to <strong>{email}</strong>.
          </>
        )}{' '}
        It works once, for three days, and won’t be shown again.
      </p>
      <div className="secret">
        <code data-testid="link">{link}</code>
        <CopyButton text={link} label="link" />
      </div>
      <div className="dialog-actions">
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

export function ChangeRoleDialog({ member, close, done }: DialogProps & { member: MemberWire }) {
  const [role, setRole] = useState(member.role)
  const send = async () => {
    await apiPost('/account/members/role', { id: member.id, role })
    done()
  }
  return (
    <ConfirmDialog title={`Role of ${member.name || member.email}`} action="Save" send={send} close={close}>
      <RoleChoices role={role} choose={setRole} />
      {member.you && role !== 'owner' ? <p>You will no longer be able to manage members, keys or settings.</p> : null}
    </ConfirmDialog>
  )
}

export function ResetAccessDialog({ member, close, done }: DialogProps & { member: MemberWire }) {
  const [what, setWhat] = useState<'password' | 'second_factor'>('password')
  const { id, email } = member
  if (!member.may_reset) {
    return (
      <Dialog title={`Reset ${email}?`} onClose={close}>
        <p>
          {email} also belongs to other organizations, so only the operator of this service can reset the account, with{' '}
          <code>user create --existing</code> or <code>user reset-second-factor</code>.
        </p>
        <div className="dialog-actions">
          <Button variant="primary" onClick={close}>
            Close
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
    const { data } = await apiPost<Omit<NewLink, 'email'>>('/account/members/reset-password', { id })
    done({ kind: 'link', title: 'Password reset link', email, ...data })
  }
  return (
    <ConfirmDialog
      title={`Reset ${email}?`}
      action={what === 'password' ? 'Create link' : 'Reset two-factor'}
      isDangerous={what === 'second_factor'}
      send={send}
      close={close}
    >
      <fieldset className="choices">
        <legend>Lost</legend>
        <label className="choice">
          <input type="radio" name="what" checked={what === 'password'} onChange={() => setWhat('password')} />
          <span>
            <strong>Password</strong>
            <span className="muted">
              Creates a link to choose a new one. The old password works until the link is used; then all sessions end.
            </span>
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
            <strong>Two-factor authentication</strong>
            <span className="muted">
              {member.second_factor
                ? 'Removes the authenticator app, passkeys and recovery codes, and signs them out.'
                : 'Not set up.'}
            </span>
          </span>
        </label>
      </fieldset>
    </ConfirmDialog>
  )
}

export function RemoveMemberDialog({ member, close, done }: DialogProps & { member: MemberWire }) {
  const send = async () => {
    await apiPost('/account/members/remove', { id: member.id })
    done()
  }
  return (
    <ConfirmDialog title={`Remove ${member.email}?`} action="Remove" isDangerous send={send} close={close}>
      <p>They lose access to this organization. Keys they created keep working until revoked.</p>
    </ConfirmDialog>
  )
}

export function CancelInvitationDialog({ invitation, close, done }: DialogProps & { invitation: Invitation }) {
  const send = async () => {
    await apiPost('/account/invitations/withdraw', { id: invitation.id })
    done()
  }
  return (
    <ConfirmDialog
      title={`Cancel the invitation of ${invitation.email}?`}
      action="Cancel invitation"
      isDangerous
      send={send}
      close={close}
    >
      <p>The link stops working.</p>
    </ConfirmDialog>
  )
}
