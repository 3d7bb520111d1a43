export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Today in the time zone of the browser, which is that of the shop, as `YYYY-MM-DD`. */
export function localDay(now: Date = new Date()): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}
