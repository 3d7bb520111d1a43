import type { FileHandle } from 'node:fs/promises'

/**
 * Writes all of `bytes`. On a nearly full disk a single `write` may store fewer bytes without an error; the next one reports
 * ENOSPC.
 */
export async function writeAll(
  file: Pick<FileHandle, 'write'>,
  bytes: Uint8Array,
  position: number | null = null,
): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const at = position === null ? null : position + done
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, at)
    if (bytesWritten === 0) throw Object.assign(new Error('ENOSPC: the disk took no bytes'), { code: 'ENOSPC' })
    done += bytesWritten
  }
}
