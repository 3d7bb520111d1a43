/** Stores uploads until they are imported: one file each, named by the upload's id, readable only by this user. */
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict, DomainError, unavailable } from '../../lib/errors.ts'
import { writeAll } from '../../lib/write-all.ts'

const UPLOAD_ID = /^upl_[a-z0-9]{1,60}$/

export type UploadFolder = ReturnType<typeof openUploadFolder>

export function openUploadFolder(dataDir: string) {
  const folder = join(dataDir, 'uploads')

  /** The pattern of ids excludes path separators and dots. */
  function pathOf(id: string): string {
    if (!UPLOAD_ID.test(id)) throw new DomainError('not_found', 'There is no such upload.')
    return join(folder, id)
  }

  async function sizeOf(id: string): Promise<number> {
    return (await stat(pathOf(id)).catch(() => undefined))?.size ?? 0
  }

  return {
    pathOf,
    sizeOf,

    /**
     * Appends a part and returns the new size; stores nothing if the file would exceed `maxBytes`. A part that cannot be
     * written is removed completely, so that it can be sent again.
     */
    async add(id: string, at: number, part: Uint8Array, maxBytes: number): Promise<number | 'too large'> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(pathOf(id), at === 0 ? 'a' : 'r+', 0o600).catch((error) => {
        throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? fileMissingError() : toDomainError(error)
      })
      try {
        const storedBytes = (await file.stat()).size
        if (storedBytes !== at)
          throw conflict('at', `The upload has ${storedBytes} bytes so far; the next part begins there.`)
        const end = at + part.byteLength
        if (end > maxBytes) return 'too large'
        try {
          await writeAll(file, part, at)
          await file.sync()
          const { size } = await file.stat()
          if (size !== end) throw unavailable('The part was stored incompletely. Send it again.', 60)
        } catch (error) {
          await file.truncate(at).catch(() => {})
          throw toDomainError(error)
        }
        return end
      } finally {
        await file.close()
      }
    },

    remove: (id: string) => rm(pathOf(id), { force: true }),

    /** Uploads with a file, and when each file last changed. */
    async listFiles(): Promise<{ id: string; changedAt: number }[]> {
      const names = await readdir(folder).catch(() => [])
      const ids = names.filter((name) => UPLOAD_ID.test(name))
      return Promise.all(
        ids.map(async (id) => ({ id, changedAt: (await stat(pathOf(id)).catch(() => undefined))?.mtimeMs ?? 0 })),
      )
    },
  }
}

const fileMissingError = () => conflict('upload', 'The file of this upload is not here any more. Choose it again.')

function toDomainError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return unavailable('There is no room left for uploads on the disk of the service.', 60, error)
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return unavailable('The service has no folder that it can keep uploads in.', 60, error)
  }
  return error
}
