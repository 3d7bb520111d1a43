import { z } from 'zod'
import { MAX_PASSWORD_LENGTH } from './account-limits.ts'
import { emailValue, optionalField } from './values.ts'

const approvalSchema = z
  .strictObject({
    email: emailValue.describe('E-mail address of the approver.'),
    password: z.string().max(MAX_PASSWORD_LENGTH).describe('Password of the approver.'),
    code: z.string().max(20).optional().describe("Code of the approver's authenticator app, if they have one."),
  })
  .meta({ id: 'Approval', description: 'Credentials of a manager or an owner. They are checked and never stored.' })
export type ApprovalWire = z.output<typeof approvalSchema>

export const approvalField = optionalField(approvalSchema).meta({
  description:
    'For a clerk who pays more than the calculated maximum or than the policy allows clerks, or buys a device that is in stock: a manager or an owner of the same organization approves it. Only with a session, never with an API key.',
})
