import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  /** Headers by lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>
  /** The whole message with quoted-printable text decoded. */
  readonly source: string
}

type MailServerOptions = {
  /** Called for each message; throws to reject it. */
  readonly onMessage?: (mail: ReceivedMail) => void
  /** Whether a login is accepted. */
  readonly onLogin?: (password: string) => boolean
}

/** A real SMTP server in this process that stores received messages. */
export async function startMailServer({ onMessage, onLogin = () => true }: MailServerOptions = {}) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    // There is no TLS here.
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      onLogin(password ?? '')
        ? done(null, { user: username })
        : done(Object.assign(new Error('5.7.8 authentication failed'), { responseCode: 535 })),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...parse(Buffer.concat(chunks).toString()),
        }
        try {
          onMessage?.(mail)
          received.push(mail)
          done()
        } catch (error) {
          done(error as Error)
        }
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'source'> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const headers = head.split('\r\n').map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
  })
  const source = raw
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
  return { headers: new Map(headers), source }
}
