import { DAY_MS } from '../lib/time.ts'

export type ClockCheckOptions = {
  /** The clock at the last run of any process, as stored in the database. */
  readonly readLastRun: () => Promise<number | null>
  readonly writeLastRun: (at: number) => Promise<void>
  readonly now: () => number
  /** Milliseconds that do not jump with the clock. */
  readonly uptime?: () => number
  /** Called once when the clock is distrusted, and once when it is trusted again. */
  readonly onSuspect: (facts: { readonly clock: number; readonly lastRun: number }) => void
  readonly onTrusted: () => void
}

export type ClockCheck = {
  /** Whether rows may be deleted by their age now. */
  isTrusted(): Promise<boolean>
  isSuspended(): boolean
}

const MAX_JUMP_MS = DAY_MS

/**
 * Guards deletion by age against a wrong clock. A clock that is more than a day ahead of the last run is not trusted until this
 * process has seen it run evenly for a day: after a real downtime deletion starts a day late, and after a jump the operator has
 * a day to correct it. A clock that went back deletes less and is reported.
 */
export function clockCheck(options: ClockCheckOptions): ClockCheck {
  const { readLastRun, writeLastRun, now, uptime = () => performance.now(), onSuspect, onTrusted } = options
  let suspect: { readonly clock: number; readonly uptime: number } | undefined

  return {
    isSuspended: () => suspect !== undefined,
    async isTrusted() {
      const clock = now()
      const lastRun = (await readLastRun()) ?? clock
      if (clock - lastRun > MAX_JUMP_MS) {
        const isEven = suspect && Math.abs(clock - suspect.clock - (uptime() - suspect.uptime)) < MAX_JUMP_MS / 24
        if (!suspect) onSuspect({ clock, lastRun })
        if (!suspect || !isEven) suspect = { clock, uptime: uptime() }
        if (uptime() - suspect.uptime < MAX_JUMP_MS) return false
      } else if (lastRun - clock > MAX_JUMP_MS) {
        onSuspect({ clock, lastRun })
      }
      if (suspect) onTrusted()
      suspect = undefined
      await writeLastRun(clock)
      return true
    },
  }
}
