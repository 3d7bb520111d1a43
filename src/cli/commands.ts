import type { Command } from './command.ts'

/**
 * The commands by their first word, in the order of `--help`. Files are loaded on demand, which halves the start time of a
 * command.
 */
const COMMANDS: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./serve.ts')).serveCommand],
  status: async () => [(await import('./status.ts')).status],
  org: async () => (await import('./org.ts')).orgCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  user: async () => (await import('./user.ts')).userCommands,
  usage: async () => [(await import('./usage.ts')).usageCommand],
  mail: async () => [(await import('./mail.ts')).mailTest],
  import: async () => {
    const [{ importList, importUndo }, { importCommand }] = await Promise.all([
      import('./import-runs.ts'),
      import('./import.ts'),
    ])
    return [importList, importUndo, importCommand]
  },
  profile: async () => (await import('./profile.ts')).profileCommands,
  observations: async () => {
    const { observationsList, observationsForget } = await import('./observations.ts')
    return [observationsList, observationsForget]
  },
  tac: async () => (await import('./tac.ts')).tacCommands,
  feed: async () => (await import('./feed.ts')).feedCommands,
  upload: async () => (await import('./upload.ts')).uploadCommands,
  webhook: async () => (await import('./webhook.ts')).webhookCommands,
  export: async () => [(await import('./export.ts')).exportCommand],
  reprice: async () => [(await import('./reprice.ts')).repriceCommand],
  appraise: async () => [(await import('./appraise.ts')).appraiseCommand],
  appraisals: async () => [
    (await import('./record-export.ts')).appraisalsExport,
    (await import('./appraisal-outcomes.ts')).appraisalsOutcomes,
  ],
  audit: async () => [(await import('./record-export.ts')).auditExport],
  lookups: async () => [(await import('./record-export.ts')).lookupsExport],
  backup: async () => [(await import('./backup.ts')).backup],
  restore: async () => [(await import('./backup.ts')).restore],
  store: async () => {
    const [{ dbCheck }, { dbMigrate, dbMove, dbReopen }] = await Promise.all([
      import('./db-check.ts'),
      import('./db-move.ts'),
    ])
    return [dbCheck, dbMigrate, dbMove, dbReopen]
  },
  mcp: async () => [(await import('./mcp.ts')).mcp],
  config: async () => [(await import('./config.ts')).configCommand],
  openapi: async () => [(await import('./openapi.ts')).openapi],
  completion: async () => [(await import('./completion.ts')).completionCommand(loadCommands)],
}

/** Commands that begin with this word; all of them if none does. */
export async function loadCommands(word = ''): Promise<readonly Command[]> {
  if (Object.hasOwn(COMMANDS, word)) return COMMANDS[word]?.() ?? []
  return (await Promise.all(Object.values(COMMANDS).map((load) => load()))).flat()
}
