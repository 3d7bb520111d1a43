/** How this very program is started again, from source or as the one-file executable. */
export function thisProgram(...args: string[]): string[] {
  const script = process.argv[1]
  const compiled = !script || script.startsWith('/$bunfs/')
  return compiled ? [process.execPath, ...args] : [process.execPath, '--no-env-file', script, ...args]
}
