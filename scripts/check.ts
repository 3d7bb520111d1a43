/** `npm run check`: lint, types, unused exports and the OpenAPI document, at the same time. Prints what failed. */
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const tool = (name: string) => join(root, 'node_modules/.bin', name)
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  lint: [tool('biome'), 'check', '--error-on-warnings', '.'],
  // Files that have not changed since the last check are not checked again.
  types: [
    tool('tsc'),
    '--noEmit',
    '--checkers',
    '1',
    '--incremental',
    '--tsBuildInfoFile',
    'artifacts/tsc.tsbuildinfo',
  ],
  'unused exports': [tool('knip'), '--no-progress'],
  'OpenAPI document': [process.execPath, join(import.meta.dir, 'lint-openapi.ts')],
}

const results = await Promise.all(
  Object.entries(CHECKS).map(async ([name, command]) => {
    const child = Bun.spawn([...command], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
    const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const isPassed = (await child.exited) === 0
    console.log(isPassed ? `${name}: passed` : `${name}: failed\n${output}${errors}`)
    return isPassed
  }),
)
process.exit(results.every(Boolean) ? 0 : 1)
