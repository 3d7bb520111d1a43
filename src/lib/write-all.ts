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
  for (let written = 0; written < bytes.byteLength; ) {
    const filePosition = position === null ? null : position + written
    const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written, filePosition)
    if (bytesWritten === 0) throw Object.assign(new Error('ENOSPC: the disk took no bytes'), { code: 'ENOSPC' })
    written += bytesWritten
  }
}
