import type { Mail } from './mail.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SEND_TIMEOUT_MS = 60_000
const MAX_QUEUED = 1_000
const CONCURRENCY = 2
const RETRY_DELAYS_MS = [5_000, 60_000, 600_000]

export type MailOutcome = 'sent' | 'failed' | 'dropped'

export type MailServiceOptions = {
  /** `smtp://` or `smtps://` with user name and password; empty: no mail. */
  readonly url: string
  readonly from: string
  readonly onSettled: (kind: Mail['kind'], outcome: MailOutcome) => void
  /** Called for each failed attempt. */
  readonly onFailure: (kind: Mail['kind'], cause: string, retryInMs: number | null) => void
  readonly retryDelaysMs?: readonly number[]
  readonly sendTimeoutMs?: number
}

export type MailService = ReturnType<typeof openMailService>

/**
 * Sends mail in the background: `send` only queues, so a slow or broken mail server never delays a request. Failed messages
 * are retried a few times. The queue is in memory: it is lost when the process ends, which is why links are also shown.
 */
export function openMailService({
  url,
  from,
  onSettled,
  onFailure,
  retryDelaysMs = RETRY_DELAYS_MS,
  sendTimeoutMs = SEND_TIMEOUT_MS,
}: MailServiceOptions) {
  const queue: { readonly mail: Mail; readonly attempt: number }[] = []
  const retries = new Set<ReturnType<typeof setTimeout>>()
  let inProgress = 0
  let isClosed = false

  async function deliver(mail: Mail, timeoutMs = sendTimeoutMs): Promise<void> {
    const connectTimeoutMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs)
    // Loaded on first use: the library takes 10 MB.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      dnsTimeout: connectTimeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const timeout = Promise.withResolvers<never>()
    // The socket timeout does not limit a server that keeps sending slowly.
    const timer = setTimeout(() => timeout.reject(new Error(`no result within ${timeoutMs / 1000} s`)), timeoutMs)
    try {
      // As an object, because nodemailer would split a text with a comma into two recipients.
      const to = { name: '', address: mail.to }
      const { subject, text, html } = mail
      await Promise.race([transport.sendMail({ from, to, subject, text, html }), timeout.promise])
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }

  async function work(): Promise<void> {
    if (inProgress >= CONCURRENCY) return
    const next = queue.shift()
    if (!next) return
    inProgress++
    const { mail, attempt } = next
    try {
      await deliver(mail)
      onSettled(mail.kind, 'sent')
    } catch (error) {
      const retryInMs = isClosed ? null : (retryDelaysMs[attempt] ?? null)
      onFailure(mail.kind, error instanceof Error ? error.message : String(error), retryInMs)
      if (retryInMs === null) onSettled(mail.kind, 'failed')
      else retryLater(mail, attempt + 1, retryInMs)
    } finally {
      inProgress--
      void work()
    }
  }

  function retryLater(mail: Mail, attempt: number, delayMs: number): void {
    const timer = setTimeout(() => {
      retries.delete(timer)
      enqueue(mail, attempt)
    }, delayMs)
    timer.unref()
    retries.add(timer)
  }

  function enqueue(mail: Mail, attempt: number): void {
    if (queue.length + retries.size >= MAX_QUEUED) {
      onSettled(mail.kind, 'dropped')
      return
    }
    queue.push({ mail, attempt })
    void work()
  }

  return {
    isConfigured: url !== '',
    /** Host and port of the mail server, for display. */
    server: url === '' ? '' : new URL(url).host,
    from,
    /** Queues a message; returns whether mail is configured. */
    send(mail: Mail): boolean {
      if (url === '' || isClosed) return false
      enqueue(mail, 0)
      return true
    },
    /** Sends one message and throws if that fails. */
    sendNow: deliver,
    close(): void {
      isClosed = true
      queue.length = 0
      for (const timer of retries) clearTimeout(timer)
      retries.clear()
    },
  }
}
