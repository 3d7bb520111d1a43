/** Import progress: a bar on a terminal, otherwise a plain line every few seconds. */
export type Progress = {
  readonly at: (rows: number, doneBytes: number, totalBytes: number | null) => void
  /** Removes the bar so that other lines can be printed; the next `at` draws it again. */
  readonly clear: () => void
}

export type ProgressOutput = { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

const REDRAW_MS = 100
const PLAIN_LINE_MS = 5000
const BAR_CELLS = 24

export function createProgress(
  label: string,
  output: ProgressOutput & { write: (text: string) => unknown },
  clock: () => number = () => performance.now(),
  unit = 'rows',
): Progress {
  let lastAt = output.isTTY ? Number.NEGATIVE_INFINITY : clock()
  let isBarDrawn = false
  const clear = () => {
    if (isBarDrawn) output.write('\r\x1b[2K')
    isBarDrawn = false
  }
  return {
    at(rows, doneBytes, totalBytes) {
      const now = clock()
      if (now - lastAt < (output.isTTY ? REDRAW_MS : PLAIN_LINE_MS)) return
      lastAt = now
      const text = formatProgress(label, rows, doneBytes, totalBytes, output.isTTY === true, unit)
      if (!output.isTTY) {
        output.write(`${text}\n`)
        return
      }
      clear()
      output.write(text.slice(0, Math.max(20, (output.columns ?? 80) - 1)))
      isBarDrawn = true
    },
    clear,
  }
}

export function formatProgress(
  label: string,
  rows: number,
  doneBytes: number,
  totalBytes: number | null,
  bar: boolean,
  unit = 'rows',
): string {
  const counted = `${rows.toLocaleString('en')} ${unit}`
  if (!totalBytes) return `${label}: ${counted}`
  const share = Math.min(1, doneBytes / totalBytes)
  const percent = `${Math.floor(share * 100)} %`
  if (!bar) return `${label}: ${percent}, ${counted}`
  const filledCells = Math.round(share * BAR_CELLS)
  return `${label} [${'#'.repeat(filledCells)}${'.'.repeat(BAR_CELLS - filledCells)}] ${percent}, ${counted}`
}
