/** Downloads the list of a feed completely or not at all. */

import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type AddressRules, allowEnteredPrivate, PrivateAddressError, sendPinned } from '../../lib/pinned-http.ts'
import { reason } from '../../lib/reasons.ts'
import { writeAll } from '../../lib/write-all.ts'
import { FeedFetchError, httpStatusError, isHtmlPage, resolveRedirect, retryDelayMs } from './feed-response.ts'
import type { CacheValidators } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'

export type FetchedFeed = CacheValidators & {
  /** Path of the downloaded list. */
  readonly path: string
}

type FetchOptions = {
  /** Validators of the imported list; null downloads it in any case. */
  readonly validators: CacheValidators | null
  /** Where a downloaded list is written. */
  readonly targetPath: string
  readonly addressRules: AddressRules
  readonly signal: AbortSignal
  readonly notify: (sentence: string) => void
}

const MAX_REDIRECTS = 5
const MAX_VALIDATOR_CHARS = 1000
const HEAD_BYTES = 512

/** The list, or `unchanged` if it is the imported one. */
export async function fetchFeed(feed: FeedSettings, options: FetchOptions): Promise<FetchedFeed | 'unchanged'> {
  for (let retry = 0; ; ) {
    try {
      return await download(feed, options)
    } catch (error) {
      const failure = toFetchError(error, feed, options.signal)
      if (!failure.retriable || ++retry > feed.retries || options.signal.aborted) throw failure
      const pauseMs = retryDelayMs(retry, feed.retryPauseMs, failure.pauseMs)
      options.notify(
        `${failure.message} Trying again in ${(pauseMs / 1000).toFixed(1)} s (${retry} of ${feed.retries}).`,
      )
      // An abort ends the pause; the next attempt reports it.
      await setTimeout(pauseMs, undefined, { signal: options.signal }).catch(() => {})
    }
  }
}

async function download(
  feed: FeedSettings,
  { validators, targetPath, addressRules, signal }: FetchOptions,
): Promise<FetchedFeed | 'unchanged'> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(feed.timeoutMs)])
  const response = await sendRequest(feed, validators, addressRules, deadline)
  const { status, headers } = response
  try {
    if (status === 304 && validators) return 'unchanged'
    if (status !== 200) throw httpStatusError(feed.name, status, headers.get('retry-after'))
    if (Number(headers.get('content-length') ?? 0) > feed.maxBytes) throw tooLargeError(feed)
    await saveBody(feed, response, targetPath, deadline)
    return {
      path: targetPath,
      etag: parseValidator(headers.get('etag')),
      lastModified: parseValidator(headers.get('last-modified')),
    }
  } finally {
    if (response.body?.locked === false) await response.body.cancel().catch(() => {})
  }
}

async function sendRequest(
  feed: FeedSettings,
  validators: CacheValidators | null,
  addressRules: AddressRules,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: '*/*',
    'User-Agent': 'device-intelligence',
    ...feed.headers,
    ...(validators?.etag ? { 'If-None-Match': validators.etag } : {}),
    ...(validators?.lastModified ? { 'If-Modified-Since': validators.lastModified } : {}),
  }
  for (let url = feed.url, redirects = 0; ; redirects++) {
    const response = await sendPinned(url, allowEnteredPrivate(url, addressRules), { headers, signal })
    if (![301, 302, 303, 307, 308].includes(response.status)) return response
    await response.body?.cancel().catch(() => {})
    if (redirects === MAX_REDIRECTS)
      throw new FeedFetchError(
        `The address of ${feed.name} redirects in circles.`,
        reason('feed_redirects', { name: feed.name }),
      )
    url = resolveRedirect(feed.name, url, response.headers.get('location'))
  }
}

/** Ends with the deadline, also if the server sends a byte now and then. */
async function saveBody(
  feed: FeedSettings,
  response: Response,
  targetPath: string,
  deadline: AbortSignal,
): Promise<void> {
  await mkdir(dirname(targetPath), { recursive: true, mode: 0o700 })
  // A killed run may have left a file.
  await rm(targetPath, { force: true })
  const file = await open(targetPath, 'wx', 0o600)
  try {
    let bytes = 0
    let head = ''
    for await (const chunk of response.body ?? []) {
      deadline.throwIfAborted()
      bytes += chunk.byteLength
      if (bytes > feed.maxBytes) throw tooLargeError(feed)
      if (head.length < HEAD_BYTES) head += new TextDecoder().decode(chunk.subarray(0, HEAD_BYTES))
      await writeAll(file, chunk)
    }
    const declaredLength = response.headers.get('content-length')
    if (declaredLength !== null && Number(declaredLength) !== bytes) throw connectionLostError(feed)
    // A truncated stolen list would clear stolen devices: nothing is imported before every byte is on the disk.
    await file.sync()
    if ((await file.stat()).size !== bytes)
      throw new FeedFetchError(
        `The file of ${feed.name} was stored incompletely.`,
        reason('feed_incomplete', { name: feed.name }),
      )
    if (isHtmlPage(response.headers.get('content-type'), head)) {
      throw new FeedFetchError(
        `The address of ${feed.name} returned a web page instead of a list.`,
        reason('feed_is_web_page', { name: feed.name }),
      )
    }
  } finally {
    await file.close()
  }
}

function toFetchError(error: unknown, feed: FeedSettings, signal: AbortSignal): FeedFetchError {
  if (error instanceof FeedFetchError) return error
  if (signal.aborted)
    return new FeedFetchError('Stopped; nothing was written.', reason('import_stopped_unwritten'), { cause: error })
  if (error instanceof PrivateAddressError) {
    const message = `The host name of ${feed.name} leads to a private network. Enter its private address, or set WEBHOOK_ALLOW_PRIVATE=on.`
    return new FeedFetchError(message, reason('feed_private_address', { name: feed.name }), { cause: error })
  }
  const { name, code = '' } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') {
    const message = `The list of ${feed.name} did not come within ${feed.timeoutMs / 1000} s.`
    return new FeedFetchError(message, reason('feed_timeout', { name: feed.name }), { retriable: true, cause: error })
  }
  if (['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EPERM'].includes(code)) {
    return new FeedFetchError(
      `The list of ${feed.name} cannot be kept on the disk (${code}).`,
      reason('feed_disk_full', { name: feed.name }),
      { cause: error },
    )
  }
  if (code === 'ECONNRESET') return connectionLostError(feed, error)
  // The original message may contain the URL and with it a secret, so it is not shown.
  return new FeedFetchError(
    `The address of ${feed.name} cannot be reached.`,
    reason('feed_unreachable', { name: feed.name }),
    { retriable: true, cause: error },
  )
}

function tooLargeError(feed: FeedSettings): FeedFetchError {
  return new FeedFetchError(
    `The list of ${feed.name} is larger than ${feed.maxBytes.toLocaleString('en')} bytes.`,
    reason('feed_too_large', { name: feed.name }),
  )
}

function connectionLostError(feed: FeedSettings, cause?: unknown): FeedFetchError {
  return new FeedFetchError(
    `The download of ${feed.name} was interrupted.`,
    reason('feed_incomplete', { name: feed.name }),
    { retriable: true, cause },
  )
}

function parseValidator(value: string | null): string | null {
  return value !== null && value !== '' && value.length <= MAX_VALIDATOR_CHARS ? value : null
}
