import type { Command } from './command.ts'

/**
 * The commands by their first word, in the order of `--help`. Files are loaded on demand, which halves the start time of a
 * command.
 */
const COMMANDS: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./serve.ts')).serveCommand],
  status: async () => [(await import('./status.ts')).status],
  config: async () => [(await import('./config.ts')).configCommand],
  openapi: async () => [(await import('./openapi.ts')).openapi],
  org: async () => (await import('./org.ts')).orgCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  user: async () => (await import('./user.ts')).userCommands,
  import: async () => {
    const [{ importList, importUndo }, { importCommand }, { importFeed }] = await Promise.all([
      import('./import-runs.ts'),
      import('./import.ts'),
      import('./import-feed.ts'),
    ])
    return [importCommand, importFeed, importList, importUndo]
  },
  export: async () => [(await import('./export.ts')).exportCommand],
  appraise: async () => [(await import('./appraise.ts')).appraiseCommand],
  backup: async () => [(await import('./backup.ts')).backup],
  restore: async () => [(await import('./restore.ts')).restore],
  move: async () => [(await import('./move.ts')).move],
  mcp: async () => [(await import('./mcp.ts')).mcp],
  api: async () => [(await import('./api.ts')).apiCommand],
}

/** Commands that begin with this word; all of them if none does. */
export async function loadCommands(word = ''): Promise<readonly Command[]> {
  if (word === '--run-job') return [(await import('./job.ts')).jobRun]
  if (Object.hasOwn(COMMANDS, word)) return COMMANDS[word]?.() ?? []
  return (await Promise.all(Object.values(COMMANDS).map((load) => load()))).flat()
}
