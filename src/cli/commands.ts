import type { Command } from './command.ts'

/**
 * The commands by their first word, in the order of `--help`. Each file is loaded on demand: a command then starts in less than
 * half the time that loading all of them takes.
 */
const COMMANDS: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./serve.ts')).serveCommand],
  status: async () => [(await import('./status.ts')).status],
  org: async () => {
    const [
      { orgCreate, orgList, orgRename, orgLimit, orgQuota, orgMarket, orgSource, orgOperator },
      { orgTier },
      { orgPolicyShow, orgPolicySet },
      { orgRemove },
    ] = await Promise.all([
      import('./org.ts'),
      import('./org-tier.ts'),
      import('./org-policy.ts'),
      import('./org-remove.ts'),
    ])
    return [
      orgCreate,
      orgList,
      orgRename,
      orgLimit,
      orgQuota,
      orgTier,
      orgMarket,
      orgSource,
      orgOperator,
      orgPolicyShow,
      orgPolicySet,
      orgRemove,
    ]
  },
  key: async () => {
    const { keyCreate, keyList, keyChange, keyRevoke, keyRotate } = await import('./key.ts')
    return [keyCreate, keyList, keyChange, keyRevoke, keyRotate]
  },
  user: async () => {
    const [{ userCreate, userList, userRemove, userResetSecondFactor, userSetupCode }, { userErase, userExport }] =
      await Promise.all([import('./user.ts'), import('./user-data.ts')])
    return [userCreate, userList, userRemove, userErase, userExport, userResetSecondFactor, userSetupCode]
  },
  import: async () => [(await import('./import.ts')).importCommand],
  profile: async () => {
    const { profileList, profileShow, profileRemove } = await import('./profile.ts')
    return [profileList, profileShow, profileRemove]
  },
  observations: async () => {
    const { observationsList, observationsForget } = await import('./observations.ts')
    return [observationsList, observationsForget]
  },
  tac: async () => {
    const { tacList, tacConfirm, tacForget } = await import('./tac.ts')
    return [tacList, tacConfirm, tacForget]
  },
  feed: async () => {
    const { feedList, feedRun } = await import('./feed.ts')
    return [feedList, feedRun]
  },
  upload: async () => {
    const { uploadCheck, uploadRun } = await import('./upload.ts')
    return [uploadCheck, uploadRun]
  },
  webhook: async () => {
    const made = await import('./webhook.ts')
    const { webhookCreate, webhookList, webhookRotate, webhookEnable, webhookRemove } = made
    return [
      webhookCreate,
      webhookList,
      webhookRotate,
      webhookEnable,
      webhookRemove,
      made.webhookTest,
      made.webhookDeliveries,
      made.webhookReplay,
    ]
  },
  export: async () => [(await import('./export.ts')).exportCommand],
  reprice: async () => [(await import('./reprice.ts')).repriceCommand],
  appraise: async () => [(await import('./appraise.ts')).appraiseCommand],
  appraisals: async () => [(await import('./appraisals.ts')).appraisalsExport],
  audit: async () => [(await import('./audit.ts')).auditExport],
  lookups: async () => [(await import('./lookups.ts')).lookupsExport],
  backup: async () => [(await import('./backup.ts')).backup],
  restore: async () => [(await import('./restore.ts')).restore],
  store: async () => {
    const [{ dbCheck: storeCheck }, { dbMove: storeMove, dbReopen: storeReopen }, { dbMigrate: storeMigrate }] =
      await Promise.all([import('./db-check.ts'), import('./db-move.ts'), import('./db-migrate.ts')])
    return [storeCheck, storeMigrate, storeMove, storeReopen]
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
