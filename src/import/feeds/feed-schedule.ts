import { Cron } from 'croner'

export type FeedSchedule = {
  /** Cron text of five fields, six with seconds first. */
  readonly cron: string
  /** As in `Europe/Vilnius`. */
  readonly timeZone: string
}

/** The first time after `after` that it names; undefined where there is none. */
export function nextRunAt({ cron, timeZone }: FeedSchedule, after: number): number | undefined {
  return new Cron(cron, { timezone: timeZone, paused: true }).nextRun(new Date(after))?.getTime()
}

/** What is wrong with it, if anything is. */
export function findScheduleError(schedule: FeedSchedule, now: number): string | undefined {
  try {
    return nextRunAt(schedule, now) === undefined ? 'it names no time that is still to come' : undefined
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error)
    return `expected cron text such as "30 3 * * *": ${why}`
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
