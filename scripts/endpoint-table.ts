import { endpoints } from '../src/contract/endpoints.ts'

const BEGIN = '<!-- table: endpoints -->'
const END = '<!-- end: endpoints -->'

/** Replaces the table of endpoints in the README. */
export function insertEndpointTable(readme: string): string {
  const from = readme.indexOf(BEGIN)
  const to = readme.indexOf(END)
  if (from < 0 || to < from) throw new Error(`README.md needs the lines ${BEGIN} and ${END}.`)
  const rows = endpoints
    .filter(({ tag }) => tag !== 'Management')
    .map(
      ({ method, path, tier, right, summary }) =>
        `| \`${method} ${path}\` | ${tier}${right ? `, right to ${right}` : ''} | ${summary} |`,
    )
  return `${readme.slice(0, from)}${[BEGIN, '| endpoint | tier | |', '|---|---|---|', ...rows].join('\n')}\n${readme.slice(to)}`
}
