import { readdirSync, readFileSync } from 'node:fs'

/** Resident memory of a process and its descendants. */
export function treeMemoryMb(root: number): number {
  const parents = new Map<number, number>()
  const memory = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (!pid) continue
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0))
      memory.set(pid, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isInTree = (pid: number): boolean => pid === root || (pid > 1 && isInTree(parents.get(pid) ?? 0))
  return [...memory].reduce((sum, [pid, mb]) => (isInTree(pid) ? sum + mb : sum), 0)
}
