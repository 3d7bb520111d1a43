import { expect, test } from 'bun:test'
import { join } from 'node:path'

for (const failure of [
  "throw new Error('a bug\\nof two lines')",
  "Promise.reject(new Error('a bug\\nof two lines'))",
]) {
  test(`an uncaught error is one JSON line, and the process exits with 1: ${failure}`, async () => {
    const script = `
      import { openLog } from './lib/log.ts'
      import { logUncaughtErrors } from './cli/serve.ts'
      logUncaughtErrors(openLog('info'))
      setTimeout(() => { ${failure} }, 0)
      setInterval(() => {}, 60_000)`
    const child = Bun.spawn([process.execPath, '-e', script], { cwd: join(import.meta.dir, '..'), stderr: 'pipe' })
    const [text, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    expect(code).toBe(1)
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      message: 'uncaught error; exiting',
      cause: expect.stringContaining('a bug\nof two lines'),
    })
  })
}
