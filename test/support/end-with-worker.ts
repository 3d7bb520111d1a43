/**
 * Kills a process when this one ends, however that happens: Bun's test workers emit no `exit` event. The shell waits for the
 * end of its standard input, which is the end of this process.
 */
export function endWithWorker(pid: number): void {
  Bun.spawn(['sh', '-c', 'read -r _; kill -9 "$0"', String(pid)], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
}
