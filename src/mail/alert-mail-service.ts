import type { AlertStore } from './alert-store.ts'
import { describeAlert } from './event-alerts.ts'
import { alertMail, type Mail, mailTexts } from './mail.ts'

/** Events that happen together are sent in one message. */
const COLLECT_MS = 10_000
const MAX_LINES = 50

type AlertMailOptions = {
  readonly store: AlertStore
  readonly onChange: (react: () => void) => () => void
  readonly send: (mail: Mail) => void
  readonly dashboardUrl: string
  readonly onError: (error: unknown) => void
  readonly collectMs?: number
}

/** Mails new events to the people they concern; runs in one process. Returns how to stop. */
export function startAlertMail({
  store,
  onChange,
  send,
  dashboardUrl,
  onError,
  collectMs = COLLECT_MS,
}: AlertMailOptions): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  async function mailNewEvents(): Promise<void> {
    for (let hasMore = true; hasMore && !isClosed; ) {
      const next = await store.takeEvents()
      hasMore = next.hasMore
      for (const [organizationId, events] of Map.groupBy(next.events, (event) => event.organizationId)) {
        const alerts = events.flatMap(({ type, data }) => describeAlert(type, data) ?? [])
        for (const [role, same] of Map.groupBy(alerts, (alert) => alert.role)) {
          const { organization, people } = await store.recipients(organizationId, role)
          for (const person of people) {
            const lines = same.slice(0, MAX_LINES).map(({ text }) => text(person.language))
            const more = same.length - MAX_LINES
            if (more > 0) lines.push(mailTexts(person.language)('mail:alert.more', { count: more }))
            send(alertMail(person, organization, lines, dashboardUrl))
          }
        }
      }
    }
  }

  function schedule(): void {
    if (isClosed || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      running = (running ?? Promise.resolve()).then(mailNewEvents).catch(onError)
    }, collectMs)
    timer.unref()
  }

  const unsubscribe = onChange(schedule)
  schedule()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    unsubscribe()
    await running
  }
}
