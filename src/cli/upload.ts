import { join } from 'node:path'
import { openUploadFolder } from '../import/uploads/upload-folder-service.ts'
import { checkUpload, runUpload } from '../import/uploads/upload-run-service.ts'
import { uploadStore } from '../import/uploads/upload-store.ts'
import { command, text } from './command.ts'
import { defaultMarketOf } from './stored-settings.ts'

/** Started by the service for the dashboard. Run by hand they do only what was requested there. */
const uploadStep = (name: string, help: string, runStep: typeof runUpload) =>
  command({
    name,
    help,
    isInternal: true,
    arguments: { id: text('UPLOAD_ID') },
    async run({ id }, context) {
      const db = await context.openExistingDatabase()
      const { dataDir } = context.config
      const defaultMarket = await defaultMarketOf(db, context)
      const abortController = new AbortController()
      const stop = () => abortController.abort()
      process.on('SIGTERM', stop)
      process.on('SIGINT', stop)
      try {
        const order = {
          db,
          defaultMarket,
          abortController,
          now: context.now,
          folder: openUploadFolder(dataDir),
          reportsFolder: join(dataDir, 'reports'),
        }
        // While this lock is held, the upload is not taken for an abandoned one.
        await uploadStore(db).withUploadLock(() => runStep(id, order))
      } finally {
        process.off('SIGTERM', stop)
        process.off('SIGINT', stop)
      }
    },
  })

export const uploadCommands = [
  uploadStep('upload check', 'Preview a list that was uploaded in the dashboard.', checkUpload),
  uploadStep('upload run', 'Import a list that was uploaded in the dashboard.', runUpload),
]
