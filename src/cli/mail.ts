import { testMail } from '../mail/mail.ts'
import { openMailService } from '../mail/mail-service.ts'
import { command } from './command.ts'
import { CommandError } from './command-error.ts'
import { EMAIL } from './user.ts'

export const mailTest = command({
  name: 'mail test',
  help: 'Send a test message with SMTP_URL.',
  arguments: { email: EMAIL },
  async run({ email }, { config: { smtpUrl, smtpFrom }, report }) {
    if (!smtpUrl) throw new CommandError('Mail is not configured. Set SMTP_URL.')
    const mail = openMailService({ url: smtpUrl, from: smtpFrom, onSettled: () => {}, onFailure: () => {} })
    try {
      await mail.sendNow(testMail({ email, language: 'en' }))
    } catch (error) {
      const { host } = new URL(smtpUrl)
      throw new CommandError(`The mail server ${host} did not accept the message: ${(error as Error).message}`)
    }
    report(`Sent to ${email}.`)
  },
})
