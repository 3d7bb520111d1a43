import { join } from 'node:path'
import { openUploadFolder } from '../import/uploads/upload-folder-service.ts'
import { checkUpload, runUpload } from '../import/uploads/upload-run-service.ts'
import { uploadStore } from '../import/uploads/upload-store.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'

/** Started by the service for the dashboard. Run by hand they do nothing that was not requested there. */
export const uploadCheck: Command = {
  name: 'upload check',
  usage: 'UPLOAD_ID',
  isInternal: true,
  help: 'Look over a list that was uploaded in the dashboard, as the dashboard asked for; the service starts it.',
  run: (args, context) => runUploadStep(args, context, 'upload check UPLOAD_ID', checkUpload),
}

export const uploadRun: Command = {
  name: 'upload run',
  usage: 'UPLOAD_ID',
  isInternal: true,
  help: 'Import a list that was uploaded in the dashboard, as the dashboard asked for; the service starts it.',
  run: (args, context) => runUploadStep(args, context, 'upload run UPLOAD_ID', runUpload),
}

async function runUploadStep(
  args: readonly string[],
  context: CommandContext,
  usage: string,
  run: typeof runUpload,
): Promise<number> {
  const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage })
  const [id = ''] = positionals
  const db = await context.openExistingDatabase()
  const { dataDir, market: defaultMarket } = context.config
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    const order = {
      db,
      folder: openUploadFolder(dataDir),
      defaultMarket,
      reportsFolder: join(dataDir, 'reports'),
      now: context.now,
      abortController: stopping,
    }
    // While this is held, nobody takes the upload for one that was left behind.
    await uploadStore(db).alone(
      () => run(id, order),
      () => {},
    )
    return 0
  } finally {
    process.off('SIGTERM', stop)
    process.off('SIGINT', stop)
  }
}
