import type { Environment } from '../../config.ts'
import { readTail, selfCommand } from '../../lib/child-process.ts'
import type { Log } from '../../lib/log.ts'
import { maskFailureMessage } from '../import-run-store.ts'

const STOP_TIMEOUT_MS = 8_000

/**
 * Feeds run in a child process with the same command that an operator would use, because an import blocks the event loop
 * for seconds while this process serves requests.
 */
export function feedProcesses(environment: Environment, log: Log) {
  const running = new Set<Bun.Subprocess>()
  const pendingWork = new Set<Promise<void>>()
  let isStopping = false

  async function runChild(name: string): Promise<void> {
    const child = Bun.spawn(selfCommand('feed', 'run', name, '--scheduled', '--json'), {
      env: environment,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    running.add(child)
    const [result, errorOutput, code] = await Promise.all([
      readTail(child.stdout),
      readTail(child.stderr),
      child.exited,
    ])
    running.delete(child)
    if (code === 0) log.info('feed run', parseResult(result))
    else
      log.warn('feed failed', {
        feed: name,
        exit: code,
        cause: maskFailureMessage(errorOutput.trim().split('\n').at(-1) ?? ''),
      })
  }

  return {
    async run(name: string): Promise<void> {
      if (isStopping) return
      const done = runChild(name).finally(() => pendingWork.delete(done))
      pendingWork.add(done)
      await done
    },

    isBusy: () => pendingWork.size > 0,
    whenIdle: async () => void (await Promise.allSettled(pendingWork)),

    /** Lets the current step finish within a time limit; an interrupted run starts again at the next start. */
    async stop(): Promise<void> {
      isStopping = true
      const stopChild = async (child: Bun.Subprocess) => {
        child.kill('SIGTERM')
        await Promise.race([child.exited, Bun.sleep(STOP_TIMEOUT_MS)])
        child.kill('SIGKILL')
        await child.exited
      }
      await Promise.all([...running].map(stopChild))
    },
  }
}

function parseResult(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
