import type { Command } from './command.ts'
import { configCommand } from './config.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { keyCreate, keyList, keyRevoke, keyRotate } from './key.ts'
import { lookupsExport } from './lookups.ts'
import { openapi } from './openapi.ts'
import { orgCreate, orgLimit, orgList } from './org.ts'
import { orgTier } from './org-tier.ts'
import { reprice } from './reprice.ts'
import { serve } from './serve.ts'
import { status } from './status.ts'
import { userCreate } from './user.ts'

/** Every command, in the order of `--help`. */
export const commands: readonly Command[] = [
  serve,
  status,
  orgCreate,
  orgList,
  orgLimit,
  orgTier,
  keyCreate,
  keyList,
  keyRevoke,
  keyRotate,
  userCreate,
  importCommand,
  exportCommand,
  reprice,
  lookupsExport,
  configCommand,
  openapi,
]
