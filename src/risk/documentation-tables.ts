import { FACTORS } from './risk-factors.ts'
import { SANDBOX_IDENTIFIERS } from './sources/sandbox-identifiers.ts'

/** The tables of `docs/risk.md`, generated from the code. A test compares the document. */

/** Codes by points; the reason in words is part of every response. */
function factorTable(): string {
  const rows = [...Map.groupBy(FACTORS, ({ points }) => points)].map(
    ([points, group]) => `| ${points} | ${group.map(({ code }) => `\`${code}\``).join(', ')} |`,
  )
  return ['| points | factors |', '|---:|---|', ...rows].join('\n')
}

function sandboxTable(): string {
  const rows = [...Map.groupBy(SANDBOX_IDENTIFIERS, ({ explanation }) => explanation)].map(([explanation, group]) => {
    const identifiers = group.map(({ identifier, type }) => `\`${identifier}\`${type === 'imei' ? '' : ` (${type})`}`)
    return `| ${identifiers.join(', ')} | ${explanation} |`
  })
  return ['| identifier | result |', '|---|---|', ...rows].join('\n')
}

/** Replaces each marked table of the document. */
export function insertGeneratedTables(document: string): string {
  return [
    ['factors', factorTable()],
    ['sandbox', sandboxTable()],
  ].reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- table: ${name} -->`, `<!-- end: ${name} -->`]
    const from = text.indexOf(begin)
    const to = text.indexOf(end)
    if (from < 0 || to < from) return text
    return `${text.slice(0, from)}${begin}\n${table}\n${text.slice(to)}`
  }, document)
}
