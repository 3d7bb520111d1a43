/** One promise with what was measured for it. */
export type Target = {
  readonly what: string
  readonly measured: string
  readonly target: string
  readonly met: boolean
}

export function atLeast(what: string, value: number, least: number, digits = 2): Target {
  return { what, measured: value.toFixed(digits), target: `≥ ${least}`, met: value >= least }
}

export function below(what: string, value: number, most: number, unit: string, digits = 1): Target {
  return { what, measured: `${value.toFixed(digits)} ${unit}`, target: `< ${most} ${unit}`, met: value < most }
}

/** Prints the table and ends the subject: exit code 1 when a promise is not kept. */
export function judge(targets: readonly Target[]): never {
  console.log(
    table(
      ['what', 'measured', 'target', ''],
      targets.map((one) => [one.what, one.measured, one.target, one.met ? 'met' : 'MISSED']),
    ),
  )
  process.exit(targets.every(({ met }) => met) ? 0 : 1)
}

/** The first column reads from the left, numbers from the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
