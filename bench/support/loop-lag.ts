/** The longest iteration of the event loop, in wall-clock time and in processor time of the thread; they differ on a busy machine. */
export type LongestIteration = { readonly wallMs: number; readonly processorMs: number }

/** Measures the event loop of this process while `work` runs. */
export async function measureLongestIteration(work: () => Promise<unknown>): Promise<LongestIteration> {
  let isDone = false
  let wallMs = 0
  let processorMs = 0
  const watching = (async () => {
    for (let startedAt = performance.now(), spent = cpuMs(); !isDone; ) {
      await new Promise((resolve) => setImmediate(resolve))
      const [now, spentNow] = [performance.now(), cpuMs()]
      wallMs = Math.max(wallMs, now - startedAt)
      processorMs = Math.max(processorMs, spentNow - spent)
      startedAt = now
      spent = spentNow
    }
  })()
  await work()
  isDone = true
  await watching
  return { wallMs, processorMs }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
