import type { Environment } from '../config.ts'
import { maskedFailure } from '../import/run-store.ts'
import type { Log } from '../log.ts'
import { lastWords, thisProgram } from './this-program.ts'

const STOP_PATIENCE_MS = 8_000

/**
 * Feeds run in a process of their own, as if somebody had typed the command: an import reads and matches for seconds at a
 * stretch, for which this process answers requests.
 */
export function feedProcesses(environment: Environment, log: Log) {
  let running: Bun.Subprocess | undefined
  let isStopping = false

  return {
    async run(name: string): Promise<void> {
      if (isStopping) return
      const child = Bun.spawn(thisProgram('feed', 'run', name, '--scheduled', '--json'), {
        env: environment,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      running = child
      const [result, talk, code] = await Promise.all([lastWords(child.stdout), lastWords(child.stderr), child.exited])
      running = undefined
      if (code === 0) log.info('feed run', readResult(result))
      else
        log.warn('a feed failed', {
          feed: name,
          exit: code,
          cause: maskedFailure(talk.trim().split('\n').at(-1) ?? ''),
        })
    },

    /** The step at hand is finished; what takes longer than a stop may is cut off and begun again at the next start. */
    async stop(): Promise<void> {
      isStopping = true
      const child = running
      if (!child) return
      child.kill('SIGTERM')
      await Promise.race([child.exited, Bun.sleep(STOP_PATIENCE_MS)])
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

function readResult(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
